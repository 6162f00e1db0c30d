"""What a RAM map file says, validated: which value lives where, in which form, and how that is known.

A map belongs to one game, one mode and one seat, for the seats of a game keep their state at different addresses. A map
may extend another one and change, add or drop (``name: null``) entries and codes: that is how a calibrated file
overrides a shipped one. A name that neither the game nor the extended map knows is refused, for it would do nothing:
what a user adds for himself says ``note: true``, or stands in the map's table ``extra``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from ochibot.console.systems import find_system, system_names
from ochibot.data import data_path, is_file
from ochibot.errors import MapError, OchibotError
from ochibot.quoting import brief, quoted
from ochibot.yamlfile import Name, read_yaml, to_model, whole

WIDTHS = {"u8": 1, "u16le": 2, "u16be": 2, "u24le": 3, "u24be": 3, "u32le": 4, "u32be": 4}
"""Bytes of each value type; le = lowest byte first, be = highest first."""

Source = Literal["documented", "calibrated", "homebrew"]
"""How an entry is known: from public documentation (cited), learnt on a user's machine, or true of our own game."""


_MOST_ADDRESS: Final = 0xFFFF_FFFF


_Address = Annotated[int, Field(ge=0, le=_MOST_ADDRESS, strict=True)]
_Steps = Annotated[int, Field(ge=1, le=64, strict=True)]
_Stride = Annotated[int, Field(ge=1, le=65_536, strict=True)]


class Entry(BaseModel):
    """One value of the game, or a grid of them (with ``rows`` and ``columns``).

    The bytes are ``address`` and the following ones for wider types, or ``addresses``, lowest byte first, where a game
    keeps them apart. The value read is bytes x ``scale`` + ``offset``; with ``codes`` it is a symbol of that table.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: _Address | None = None
    addresses: Annotated[tuple[_Address, ...], Field(min_length=1)] | None = None
    type: Literal["u8", "u16le", "u16be", "u24le", "u24be", "u32le", "u32be"] = "u8"
    scale: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] = 1
    offset: Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)] = 0
    rows: _Steps | None = None
    columns: _Steps | None = None
    row_stride: _Stride | None = None
    column_stride: _Stride | None = None
    codes: str | None = None
    source: Source
    note: str | Annotated[bool, Field(strict=True)] = ""

    @field_validator("note")
    @classmethod
    def _no_false_note(cls, note: str | bool) -> str | bool:
        if note is False:
            raise ValueError("give a text, or true for an entry of your own, or leave it out")
        return note

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
    """Byte values and the symbols they stand for. several: the symbols that more than one byte stands for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Source
    values: dict[Annotated[int, Field(ge=0, le=255, strict=True)], str]
    several: tuple[str, ...] = ()
    note: str | Annotated[bool, Field(strict=True)] = ""


class RamMap(BaseModel):
    """A whole map: game, seat, the mode it holds in, its entries and code tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: Name
    name: Name
    system: str
    seat: Annotated[Literal[1, 2], BeforeValidator(whole)]
    mode: Annotated[int, Field(strict=True)]
    entries: dict[str, Entry]
    codes: dict[str, CodeTable] = {}

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        if name not in system_names():
            raise ValueError(f"there is no system {quoted(name)}; known are {', '.join(system_names())}")
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
                        f"entries.{brief(name)}: address {address:#06x} is outside RAM ({low:#06x} to {high:#06x})"
                    )
                if address in owner:
                    other = "itself" if owner[address] == name else f"entries.{brief(owner[address])}"
                    raise ValueError(f"entries.{brief(name)}: address {address:#06x} overlaps {other}")
                owner[address] = name
            if entry.codes is not None and entry.codes not in self.codes:
                raise ValueError(f"entries.{brief(name)}.codes: there is no code table {quoted(entry.codes)}")
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


@dataclass(frozen=True, slots=True)
class Known:
    """The names that a game knows in its maps: of entries, and of code tables."""

    entries: Collection[str]
    codes: Collection[str]


@dataclass(frozen=True, slots=True)
class _New:
    """A name that a map has and the one that it extends hasn't. part: ``entries``, ``codes`` or ``extra``."""

    path: Path
    part: str
    name: str
    own: bool
    """Whether the map says that it is the user's own."""
    among: frozenset[str]
    """The names of the extended map."""


@dataclass(slots=True)
class _Raw:
    """A map as its files say it, one laid on another, and the names that are new in each."""

    data: dict[str, Any]
    new: list[_New] = field(default_factory=list)


def _names(table: object) -> frozenset[str]:
    return frozenset(name for name in table if isinstance(name, str)) if isinstance(table, dict) else frozenset()


def _says_own(content: object) -> bool:
    return isinstance(content, dict) and content.get("note") is True


def _with_extra(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """A file's mapping with the entries of its table ``extra`` among the others."""
    extra, entries = data.get("extra"), data.get("entries", {})
    if "extra" not in data:
        return data
    if not isinstance(extra, dict):
        raise MapError(f"{path}: extra: is a mapping of names to entries, not {quoted(extra)}")
    if not isinstance(entries, dict):
        return {name: part for name, part in data.items() if name != "extra"}
    twice = [name for name in extra if name in entries]
    if twice:
        raise MapError(f"{path}: extra.{brief(str(twice[0]))}: is given in entries too; leave one of them out")
    merged = {name: part for name, part in data.items() if name != "extra"}
    return {**merged, "entries": {**entries, **extra}}


def _new_names(path: Path, data: dict[str, Any], before: dict[str, Any]) -> list[_New]:
    """The names in a file that the map below it hasn't got."""
    found = []
    for part in ("entries", "codes", "extra"):
        table: Any = data.get(part)
        there = _names(before.get("entries" if part == "extra" else part))
        for name in sorted(_names(table) - (frozenset() if part == "extra" else there)):
            own = part == "extra" or _says_own(table[name])
            found.append(_New(path, part, name, own, there))
    return found


def _read(path: Path, seen: tuple[Path, ...]) -> _Raw:
    data = read_yaml(path, "a RAM map", MapError)
    laid = _with_extra(path, data)
    parent = data.get("extends")
    if parent is None:
        laid = {name: part for name, part in laid.items() if name != "extends"}
        return _Raw(laid, _new_names(path, data, {}))
    if not isinstance(parent, str):
        raise MapError(f"{path}: extends: is the name of a shipped map (famicom_puyo/player1) or of a file")
    beside = path.parent / parent
    try:
        parent_path = beside if is_file(beside) else data_path(f"ram_maps/{parent}.yaml")
    except (OchibotError, OSError, ValueError):
        raise MapError(f"{path}: extends: there is no map {quoted(parent)}, shipped or beside this file") from None
    if len(seen) >= _MAX_EXTENDS:
        raise MapError(f"{path}: extends: more than {_MAX_EXTENDS} maps in a row; make the chain shorter")
    if parent_path.resolve() in seen:
        raise MapError(f"{path}: extends: the maps extend each other in a circle")
    below = _read(parent_path, (*seen, parent_path.resolve()))
    return _Raw(_merge(below.data, laid), [*below.new, *_new_names(path, data, below.data)])


def names_of(path: Path) -> Known:
    """The names that a map has, with those of the maps that it extends. Raises MapError."""
    data = _read(path, (path.resolve(),)).data
    return Known(_names(data.get("entries")), _names(data.get("codes")))


def _check_names(raw: _Raw, known: Known) -> None:
    """Raises MapError for a name that nothing reads: it is misspelt, or the user's own without his saying so."""
    entries = raw.data.get("entries")
    listed = entries.values() if isinstance(entries, dict) else ()
    used = {str(entry.get("codes")) for entry in listed if isinstance(entry, dict)}
    for new in raw.new:
        where = f"{new.path}: {new.part}.{brief(new.name)}"
        if new.part == "extra" and new.name in known.entries:
            raise MapError(f"{where}: the game knows this entry; give it under entries")
        names = known.codes if new.part == "codes" else known.entries
        if new.own or new.name in names or (new.part == "codes" and new.name in used):
            continue
        nearest = _nearest(new.name, {*names, *new.among})
        if new.part == "codes":
            what, mend = "no entry uses this code table", "name it in an entry, or leave it out"
        else:
            what, mend = "the game knows no such entry", "one of your own says note: true, or stands under extra"
        raise MapError(f"{where}: {what}{nearest}; {mend}")


def _nearest(name: str, names: Iterable[str]) -> str:
    found = difflib.get_close_matches(brief(name), sorted(names), 1)
    return f", did you mean {found[0]}?" if found else ""


def load_map(
    path: Path,
    symbols: Mapping[str, int],
    system: str | None = None,
    known: Callable[[], Known] | None = None,
) -> RamMap:
    """Read and check a map file. ``symbols`` are the code names that the game knows, ``system`` is what it runs on,
    ``known`` tells the names of its entries and code tables (None: any name may stand in the map).

    Raises MapError naming the file, the field's path and the reason.
    """
    raw = _read(path, (path.resolve(),))
    # a map of another system has other names altogether: it is told as that
    if known is not None and raw.new and system in (None, raw.data.get("system", system)):
        _check_names(raw, known())
    loaded = to_model(raw.data, path, RamMap, MapError)
    if system not in (None, loaded.system):
        raise MapError(
            f"{path} is a map of the game {loaded.game} (system {loaded.system}), not of one for {system}; "
            f"give a map of a game for {system}"
        )
    for name, table in loaded.codes.items():
        _check_codes(f"{path}: codes.{brief(name)}", table, symbols)
    return loaded


def _check_codes(where: str, table: CodeTable, symbols: Mapping[str, int]) -> None:
    given: dict[str, int] = {}
    for value, symbol in table.values.items():
        if symbol not in symbols:
            raise MapError(
                f"{where}.values.{value}: unknown code name {quoted(symbol)}; known are {', '.join(symbols)}"
            )
        if symbol in given and symbol not in table.several:
            raise MapError(
                f"{where}.values.{value}: {symbol} is the meaning of {given[symbol]} already; if both bytes mean it, "
                f"say several: [{symbol}] beside values"
            )
        given[symbol] = value
    for symbol in table.several:
        if symbol not in given:
            raise MapError(f"{where}.several: no byte means {quoted(symbol)}")
