"""The common content of these formats' files: symbols, the names of values at addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import yaml

from ochibot.console import RamLayout, find_system
from ochibot.console.systems import Area
from ochibot.ram import Entry, RamMap

SIZES: Final = {"u8": 1, "s8": 1, "u16": 2, "s16": 2, "u24": 3, "s24": 3, "u32": 4, "s32": 4}
"""Bytes of each type. The types' names don't include the byte order."""


@dataclass(frozen=True)
class System:
    """A machine: its name in this project, where its work RAM lies, and other RAM beside it."""

    name: str
    ram: RamLayout
    areas: tuple[Area, ...] = ()

    def __contains__(self, address: int) -> bool:
        beside = any(area.first <= address <= area.last for area in self.areas)
        return beside or self.ram.base <= address <= self.ram.last

    def offset(self, address: int) -> int | None:
        """The offset of a byte in the core's block of work RAM, without ``swap``; None if the byte isn't in it."""
        for area in self.areas:
            if area.offset is not None and area.first <= address <= area.last:
                return address - area.first + area.offset
        return address - self.ram.base if self.ram.base <= address <= self.ram.last else None

    def address(self, offset: int) -> int:
        """The address of a byte of the block, without ``swap``; of none if there is no such byte."""
        for area in self.areas:
            if area.offset is not None and 0 <= offset - area.offset <= area.last - area.first:
                return area.first + offset - area.offset
        address = self.ram.base + offset
        return address if self.ram.base <= address <= self.ram.last else -1


def system_of(name: str) -> System:
    """The machine of that name."""
    row = find_system(name)
    return System(name, row.ram, row.areas)


@dataclass(frozen=True)
class Symbol:
    """One named value. kind: ``u8``, ``s16be`` and the like. digits: ``bcd`` or ``decimal`` with ``count`` bytes,
    highest first unless ``low_first``. size: the bytes of an array; 1 for a single value.
    """

    name: str
    address: int
    kind: str = "u8"
    note: str = ""
    digits: str | None = None
    count: int = 1
    low_first: bool = False
    size: int = 1

    @property
    def width(self) -> int:
        """Bytes of the value."""
        return self.count if self.digits else SIZES[self.kind.rstrip("lbe") if len(self.kind) > 2 else self.kind]

    @property
    def big(self) -> bool:
        """Whether the highest byte comes first."""
        return self.kind.endswith("be")


@dataclass
class Exported:
    """A file's text. names: how many names it has. left_out: why entries are missing or only partly there."""

    text: str
    names: int
    left_out: list[str] = field(default_factory=list)


@dataclass
class Imported:
    """The symbols in a file. left_out: the lines that a map can't express."""

    symbols: list[Symbol] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def symbols_of(ram_map: RamMap, *, cells: bool) -> tuple[list[Symbol], list[str]]:
    """The map's entries as symbols, and notes on those left out. ``cells``: whether each cell of a grid is a symbol of
    its own; otherwise a grid is one array from its first byte to its last.
    """
    found: list[Symbol] = []
    left: list[str] = []
    for name, entry in ram_map.entries.items():
        made = list(_symbols(name, entry, cells=cells))
        if not made:
            left.append(f"{name}: it lies behind a pointer")
        found += made
        if _means_more(entry):
            left.append(f"{name}: what the map makes of its bytes (scale, offset, mask, codes) has no place there")
    return found, left


def _symbols(name: str, entry: Entry, *, cells: bool) -> Iterator[Symbol]:
    where = entry.byte_addresses()
    if not where:
        return
    note = entry.note if isinstance(entry.note, str) else ""
    digits = getattr(entry, "digits", None)
    if entry.is_grid:
        assert entry.columns is not None
        if not cells:
            yield Symbol(name, min(where), note=note, size=max(where) - min(where) + 1)
            return
        width = len(where) // (entry.rows or 1) // entry.columns
        for number in range(0, len(where), width):
            row, column = divmod(number // width, entry.columns)
            yield Symbol(f"{name}_{row}_{column}", min(where[number : number + width]), entry.type)
        return
    # other programs have no sums
    where = where[: entry.width]
    run = sorted(where) == list(range(min(where), min(where) + len(where)))
    if len(where) > 1 and (not run or (entry.addresses is not None and not digits)):
        for number, address in enumerate(where):
            yield Symbol(f"{name}_{number}", address, note=f"{note} (byte {number} of {name}, the lowest is 0)".strip())
        return
    if digits and getattr(entry, "stride", 1) in (1, -1):
        yield Symbol(
            name,
            min(where),
            note=note,
            digits=digits,
            count=len(where),
            low_first=where[0] == min(where) and len(where) > 1,
        )
        return
    yield Symbol(name, min(where), entry.type, note)


def _means_more(entry: Any) -> bool:
    plain = (entry.scale, entry.offset) == (1, 0) and entry.codes is None
    bits = getattr(entry, "mask", None) is None and not getattr(entry, "shift", 0) and getattr(entry, "divide", 1) == 1
    return not (plain and bits and not getattr(entry, "plus", ()) and getattr(entry, "symbols", None) is None)


def entry_name(text: str, taken: Sequence[str] | set[str] = ()) -> str:
    """A name for a map's entry: small letters, digits, underscores; with a number if ``taken`` has it already."""
    name = re.sub(r"[^a-z0-9]+", "_", text.strip().lower()).strip("_")[:48] or "value"
    if name[0].isdigit():
        name = f"_{name}"
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _apart(found: Imported) -> Iterator[Symbol]:
    """Yields the symbols without overlaps. One that shares bytes with others is cut to its first byte, or left out."""
    taken: set[int] = set()
    single = {symbol.address for symbol in found.symbols if symbol.size == 1}
    for symbol in found.symbols:
        where = range(symbol.address, symbol.address + max(symbol.size, symbol.width))
        if taken.intersection(where) or (symbol.size > 1 and single.intersection(where)):
            if symbol.address in taken or symbol.address in single - {symbol.address}:
                found.left_out.append(f"{symbol.name}: another name has its bytes already")
                continue
            found.left_out.append(f"{symbol.name}: others have some of its bytes, so its first byte alone is kept")
            symbol = replace(symbol, kind="u8", size=1, digits=None, count=1)
            where = range(symbol.address, symbol.address + 1)
            if taken.intersection(where):
                continue
        taken.update(where)
        yield symbol


def map_of(found: Imported, *, game: str, name: str, system: str) -> str:
    """The text of a map file with imported symbols. Every entry's source is ``documented``."""
    entries: dict[str, dict[str, Any]] = {}
    for symbol in _apart(found):
        entry: dict[str, Any] = {"address": symbol.address}
        if symbol.digits:
            entry["digits"] = symbol.digits
            if symbol.count > 1:
                entry["count"] = symbol.count
                if symbol.low_first:
                    entry["order"] = "low_first"
            if symbol.digits == "decimal":
                entry["mask"] = 15
        elif symbol.size > 1:
            entry |= {"rows": 1, "columns": min(symbol.size, 64), "row_stride": symbol.size, "column_stride": 1}
        elif symbol.kind != "u8":
            entry["type"] = symbol.kind
        entry["source"] = "documented"
        words = symbol.name if entry_name(symbol.name) != symbol.name else ""
        note = ": ".join(part for part in (words, " ".join(symbol.note.split())) if part)
        if note:
            entry["note"] = note[:200]
        entries[entry_name(symbol.name, set(entries))] = entry
    lines = [f"game: {game}", f"name: {name}", f"system: {system}", "seat: 1"]
    if RamMap.model_fields["mode"].is_required():
        lines.append("mode: 0")
    lines.append("entries:")
    for key, entry in entries.items():
        told = dict(entry)
        place = f"{told.pop('address'):#06x}"
        rest = yaml.safe_dump(told, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True).strip()
        lines.append(f"  {key}: {{address: {place}, {rest[1:]}")
    return "\n".join(lines) + "\n"
