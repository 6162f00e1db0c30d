"""What a RAM map file says, validated: which value lives where, in which form, and how that is known.

A map belongs to one game, one mode and one seat, for the seats of a game keep their state at different addresses. A map
may extend another one and change, add or drop (``name: null``) entries and codes: that is how a calibrated file
overrides a shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ochibot.console.systems import find_system, system_names
from ochibot.data import data_path, is_file
from ochibot.errors import MapError, OchibotError
from ochibot.yamlfile import brief, read_yaml, to_model

WIDTHS = {"u8": 1, "u16le": 2, "u16be": 2, "u24le": 3, "u24be": 3, "u32le": 4, "u32be": 4}
"""Bytes of each value type; le = lowest byte first, be = highest first."""

Source = Literal["documented", "calibrated", "homebrew"]
"""How an entry is known: from public documentation (cited), learnt on a user's machine, or true of our own game."""


class Entry(BaseModel):
    """One value of the game, or a grid of them (with ``rows`` and ``columns``).

    The bytes are ``address`` and the following ones for wider types, or ``addresses``, lowest byte first, where a game
    keeps them apart. The value read is bytes x ``scale`` + ``offset``; with ``codes`` it is a symbol of that table.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: Annotated[int, Field(ge=0, strict=True)] | None = None
    addresses: Annotated[tuple[Annotated[int, Field(ge=0, strict=True)], ...], Field(min_length=1)] | None = None
    type: Literal["u8", "u16le", "u16be", "u24le", "u24be", "u32le", "u32be"] = "u8"
    scale: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    offset: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = 0
    rows: Annotated[int, Field(ge=1, le=64)] | None = None
    columns: Annotated[int, Field(ge=1, le=64)] | None = None
    row_stride: Annotated[int, Field(ge=1, le=65_536)] | None = None
    column_stride: Annotated[int, Field(ge=1, le=65_536)] | None = None
    codes: str | None = None
    source: Source
    note: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Entry:
        if (self.address is None) == (self.addresses is None):
            raise ValueError("give either address or addresses")
        if self.addresses is not None and (self.type != "u8" or self.rows is not None):
            raise ValueError("addresses lists single bytes: no type and no rows with it")
        grid = (self.rows, self.columns, self.row_stride, self.column_stride)
        if any(part is not None for part in grid) and any(part is None for part in grid):
            raise ValueError("a grid needs rows, columns, row_stride and column_stride, all four")
        changed = (self.scale, self.offset) != (1, 0)
        if self.rows is not None and (self.type != "u8" or changed):
            raise ValueError("a grid's cells are single bytes as they stand: no type, scale or offset with rows")
        if self.codes is not None and (WIDTHS[self.type] > 1 or changed or len(self.addresses or ()) > 1):
            raise ValueError("codes say what a single byte means: no type, scale, offset or addresses with them")
        return self

    @property
    def is_grid(self) -> bool:
        """Whether the entry is a grid of cells."""
        return self.rows is not None

    def byte_addresses(self) -> list[int]:
        """The CPU addresses of all its bytes: lowest byte first; a grid row by row, cell by cell."""
        if self.addresses is not None:
            return list(self.addresses)
        assert self.address is not None
        width = WIDTHS[self.type]
        one = list(range(width)) if self.type.endswith("le") or width == 1 else list(range(width - 1, -1, -1))
        if self.rows is None:
            return [self.address + byte for byte in one]
        assert self.columns is not None
        assert self.row_stride is not None
        assert self.column_stride is not None
        return [
            self.address + row * self.row_stride + column * self.column_stride + byte
            for row in range(self.rows)
            for column in range(self.columns)
            for byte in one
        ]


class CodeTable(BaseModel):
    """Byte values and the symbols they stand for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Source
    values: dict[Annotated[int, Field(ge=0, le=255)], str]


class RamMap(BaseModel):
    """A whole map: game, seat, the mode it holds in, its entries and code tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str
    name: str
    system: str
    seat: Literal[1, 2]
    mode: int
    entries: dict[str, Entry]
    codes: dict[str, CodeTable] = {}

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        if name not in system_names():
            raise ValueError(f"there is no system {brief(repr(name))}; known are {', '.join(system_names())}")
        return name

    @model_validator(mode="after")
    def _all_in_ram_and_apart(self) -> RamMap:
        area = find_system(self.system).ram
        low, high = area.base, area.last
        owner: dict[int, str] = {}
        for name, entry in self.entries.items():
            for address in entry.byte_addresses():
                if not low <= address <= high:
                    raise ValueError(
                        f"entries.{name}: address {address:#06x} is outside RAM ({low:#06x} to {high:#06x})"
                    )
                if address in owner:
                    other = "itself" if owner[address] == name else f"entries.{owner[address]}"
                    raise ValueError(f"entries.{name}: address {address:#06x} overlaps {other}")
                owner[address] = name
            if entry.codes is not None and entry.codes not in self.codes:
                raise ValueError(f"entries.{name}.codes: there is no code table {entry.codes!r}")
        return self

    def public(self) -> RamMap:
        """The map without the entries that are only known to hold for our own game."""
        kept = {name: entry for name, entry in self.entries.items() if entry.source != "homebrew"}
        return self.model_copy(update={"entries": kept})

    def sources(self) -> dict[Source, int]:
        """How many entries are known in which way."""
        counts: dict[Source, int] = {"documented": 0, "calibrated": 0, "homebrew": 0}
        for entry in self.entries.values():
            counts[entry.source] += 1
        return counts


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``over`` laid on ``base``: entries and code tables one by one (null drops one), the rest as a whole."""
    merged = dict(base)
    for key, value in over.items():
        if key in ("entries", "codes") and isinstance(value, dict) and isinstance(base.get(key), dict):
            dropped = {name for name, content in value.items() if content is None and name in base[key]}
            merged[key] = {name: content for name, content in {**base[key], **value}.items() if name not in dropped}
        elif key != "extends":
            merged[key] = value
    return merged


_MAX_EXTENDS = 16


def _read(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    data = read_yaml(path, "a RAM map", MapError)
    parent = data.get("extends")
    if parent is None:
        return data
    if not isinstance(parent, str):
        raise MapError(f"{path}: extends: is the name of a shipped map (famicom_puyo/player1) or of a file")
    beside = path.parent / parent
    try:
        parent_path = beside if is_file(beside) else data_path(f"ram_maps/{parent}.yaml")
    except OchibotError:
        raise MapError(f"{path}: extends: there is no map {parent!r}, shipped or beside this file") from None
    if len(seen) >= _MAX_EXTENDS:
        raise MapError(f"{path}: extends: more than {_MAX_EXTENDS} maps in a row; make the chain shorter")
    if parent_path.resolve() in seen:
        raise MapError(f"{path}: extends: the maps extend each other in a circle")
    return _merge(_read(parent_path, (*seen, parent_path.resolve())), data)


def load_map(path: Path, symbols: Mapping[str, int], system: str | None = None) -> RamMap:
    """Read and check a map file. ``symbols`` are the code names that the game knows, ``system`` is what it runs on.

    Raises MapError naming the file, the field's path and the reason.
    """
    data = _read(path, (path.resolve(),))
    loaded = to_model(data, path, RamMap, MapError)
    if system not in (None, loaded.system):
        raise MapError(
            f"{path} is a map of the game {loaded.game} (system {loaded.system}), not of one for {system}; "
            f"give a map of a game for {system}"
        )
    for table_name, table in loaded.codes.items():
        for value, symbol in table.values.items():
            if symbol not in symbols:
                raise MapError(
                    f"{path}: codes.{table_name}.values.{value}: unknown code name {symbol!r}; "
                    f"known are {', '.join(symbols)}"
                )
    return loaded
