"""The validated contents of a RAM map file: each value's address, its form, and where these are known from.

A map belongs to one game, one mode and one seat, since the seats of a game keep their state at different addresses.
``ochibot.ram.file`` reads the files.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from ochibot.console.systems import find_system, system_names
from ochibot.quoting import brief, quoted
from ochibot.ram.conditions import Signs
from ochibot.ram.entry import Entry, Source
from ochibot.yamlfile import Exact, Name, whole

ORIENTATIONS: Final = {"down": 0, "left": 1, "up": 2, "right": 3}
"""Symbols for the side on which the partner lies, seen from the axis: the numbers of
``ochibot.falling.orientation``.
"""

OWN_WORDS: Final = 128
"""Words that only the map knows are numbered from here on; see ``BoundMap``."""


class CodeTable(Exact):
    """Numbers in RAM and the symbols they stand for. several: the symbols that more than one number may stand for."""

    source: Source
    values: dict[Annotated[int, Field(ge=0, le=0xFFFF, strict=True)], str]
    several: tuple[str, ...] = ()
    note: str | Annotated[bool, Field(strict=True)] = ""


class PairForm(Exact):
    """The meaning of the entries ``x`` and ``y`` of the falling pair.

    ``denotes``: ``axis`` = they are the axis's position, ``partner`` = they are the partner's (both need
    ``orientation``), ``box`` = they are the left column and the lower row of both halves (the same), ``halves`` = they
    are the axis's, and ``partner_x`` and ``partner_y`` are the partner's.
    ``in_field``: the game writes the falling pair into the field, too. Those cells are left out when the field is read.
    """

    denotes: Literal["axis", "partner", "box", "halves"] = "axis"
    in_field: Annotated[bool, Field(strict=True)] = False


class RamMap(Exact):
    """A whole map: the game, the seat, the mode to which it applies (None: any), entries, code tables, signs, and the
    form of the falling pair.
    """

    game: Name
    name: Name
    system: str
    seat: Annotated[Literal[1, 2], BeforeValidator(whole)]
    mode: Annotated[int, Field(strict=True)] | None = None
    entries: dict[str, Entry]
    codes: dict[str, CodeTable] = Field(default_factory=dict)
    pair: PairForm = PairForm()
    signs: Signs = Signs()

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        if name not in system_names():
            raise ValueError(f"there is no system {quoted(name)}; known are {', '.join(system_names())}")
        return name

    @model_validator(mode="after")
    def _all_in_ram_and_apart(self) -> RamMap:
        areas = find_system(self.system).ranges()
        owners: dict[int, list[tuple[int, str]]] = {}
        for name, entry in self.entries.items():
            pointer = [] if entry.pointer is None else entry.pointer.byte_addresses()
            for address in (*pointer, *entry.byte_addresses()):
                if not any(low <= address <= high for low, high in areas):
                    known = ", ".join(f"{low:#06x} to {high:#06x}" for low, high in areas)
                    raise ValueError(f"entries.{brief(name)}: address {address:#06x} is outside RAM ({known})")
            for address, bits in entry.used_bits():
                there = owners.setdefault(address, [])
                for taken, owner in there:
                    if taken & bits and not (owner != name and entry.shares(self.entries[owner])):
                        other = "itself" if owner == name else f"entries.{brief(owner)}"
                        raise ValueError(f"entries.{brief(name)}: address {address:#06x} overlaps {other}")
                there.append((bits, name))
            if entry.table is not None and entry.table not in self.codes:
                key = "codes" if entry.codes is not None else "symbols"
                raise ValueError(f"entries.{brief(name)}.{key}: there is no code table {quoted(entry.table)}")
        return self

    @model_validator(mode="after")
    def _codes_that_fit(self) -> RamMap:
        for name, table in self.codes.items():
            entries = [entry for entry in self.entries.values() if entry.table == name]
            most = max([255, *(entry.field_bits >> entry.shift for entry in entries)])
            for value in table.values:
                if value > most:
                    raise ValueError(
                        f"codes.{brief(name)}.values.{value}: no entry of this table holds more than {most}"
                    )
        return self

    @model_validator(mode="after")
    def _signs_of_entries(self) -> RamMap:
        for moment, condition in self.signs.given().items():
            for question in condition.questions():
                self._check_question(f"signs.{moment}", question.entry or "", question.is_ or question.is_not or ())
        return self

    def _check_question(self, where: str, name: str, values: tuple[int | str, ...]) -> None:
        entry = self.entries.get(name)
        if entry is None:
            raise ValueError(f"{where}: the map has no entry {quoted(name)}")
        if entry.is_grid:
            raise ValueError(f"{where}: the entry {quoted(name)} is a grid; a sign is of a single value")
        known = () if entry.table is None else tuple(dict.fromkeys(self.codes[entry.table].values.values()))
        for value in values:
            if entry.table is None and isinstance(value, str):
                raise ValueError(f"{where}: the entry {quoted(name)} has no symbols: give numbers, not {quoted(value)}")
            if entry.table is not None and value not in known:
                raise ValueError(
                    f"{where}: {quoted(value)} is no symbol of the entry {quoted(name)}; it has "
                    f"{brief(', '.join(known), 160)}"
                )

    def own_tables(self) -> set[str]:
        """The code tables that may contain words of the map's own: those that entries name only under ``symbols``."""
        colors = {entry.codes for entry in self.entries.values()}
        return {entry.symbols for entry in self.entries.values() if entry.symbols is not None} - colors

    def public(self) -> RamMap:
        """The map without the entries that apply to our own game only, and without the signs that use these entries."""
        kept = {name: entry for name, entry in self.entries.items() if entry.source != "homebrew"}
        signs = {
            moment: condition
            for moment, condition in self.signs.given().items()
            if all(question.entry in kept for question in condition.questions())
        }
        return self.model_copy(update={"entries": kept, "signs": Signs().model_copy(update=signs)})

    def sources(self) -> dict[Source, int]:
        """How many entries come from each source."""
        counts: dict[Source, int] = {"documented": 0, "calibrated": 0, "homebrew": 0}
        for entry in self.entries.values():
            counts[entry.source] += 1
        return counts
