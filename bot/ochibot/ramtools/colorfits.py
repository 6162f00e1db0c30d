"""Finds the colours' codes in the field's cells and in the falling pair; ``nextfits`` finds those of the next pairs.

A half's byte while it falls and the byte of its cell afterwards mean the same colour. The colours' names come from the
first table that explains either byte. Where no table does, names are given in the order of the bytes, since only a
picture could distinguish red from green.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ochibot.ramtools.drops import DropLab
from ochibot.ramtools.evidence import Evidence, Sample, empty_bytes
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.fits import Symbols, fit_symbols, same_identity
from ochibot.ramtools.grids import Grid
from ochibot.ramtools.image import Image
from ochibot.ramtools.reading import Paper, address_of, bits_of, field_table, raw_table, table_of

EMPTY: Final = "empty"

COLORS: Final = ("red", "green", "blue", "yellow", "purple", "cyan")


MOST_TRIED: Final = 24
"""The most pairs of addresses that are tried by poking."""


def _at_rest(sample: Sample) -> Image:
    return sample.rest


def _at_start(sample: Sample) -> Image:
    return sample.start


def _at_spawn(sample: Sample) -> Image:
    return sample.spawn


def nearest_pairs(first: Sequence[int], second: Sequence[int], near: int | None) -> list[tuple[int, int]]:
    """Pairs of different addresses, the closest to each other first. Ties go to the pair nearest to ``near``."""
    pairs = [(a, b) for a in first for b in second if a != b]
    return sorted(pairs, key=lambda pair: (abs(pair[0] - pair[1]), abs(pair[0] - (near or 0))))


def tells_apart(images: Sequence[Image], values: Sequence[object]) -> list[int]:
    """The addresses whose bytes always differ in two images with different values; the lowest address first."""
    groups: dict[object, list[int]] = {}
    for number, value in enumerate(values):
        groups.setdefault(value, []).append(number)
    whole = np.stack([image.cells for image in images])
    kept = np.ones(whole.shape[1], bool)
    kinds = list(groups.values())
    for first, some in enumerate(kinds):
        for others in kinds[first + 1 :]:
            for number in some:
                kept &= (whole[others] != whole[number]).all(axis=0)
    return [images[0].base + int(place) for place in np.flatnonzero(kept)]


def bit_fields() -> list[int]:
    """Masks of adjacent bits: all 8 bits first, then 7 to 2 bits."""
    return [0xFF, *(((1 << width) - 1) << low for width in range(7, 1, -1) for low in range(8 - width, -1, -1))]


@dataclass
class ColorReading:
    """How colours are read: the forms of a cell of the field and of the falling pair, (address, form) of each half."""

    cell: Symbols
    pair: tuple[tuple[int, Symbols], tuple[int, Symbols]]
    raw: dict[str, int] = field(default_factory=dict)
    """The byte to write into a cell, by symbol."""

    def of_pair(self, image: Image) -> tuple[str | None, str | None]:
        """The symbols of the falling pair: axis, partner."""
        (axis, one), (partner, other) = self.pair
        return one.of(image[axis]), other.of(image[partner])


class ColorFits:
    """Finds how the colours of the field's cells and of the falling pair are stored."""

    def __init__(self, paper: Paper, report: Report, evidence: Evidence, grid: Grid, lab: DropLab) -> None:
        self.lab = lab
        self.first = evidence.first
        self.paper = paper
        self.report = report
        self.grid = grid
        self.samples = [sample for sample in evidence.samples if sample.clean]
        self.walk = {sample.number: sample for sample in evidence.samples if sample.number is not None}
        self.empty = empty_bytes(grid, evidence.empty)
        self.table = table_of(paper.map, "field")

    def fit(self) -> ColorReading | None:
        """Finds how both are stored; None when a form is missing. Findings go into the report."""
        found = self._source()
        if found is None:
            self.report.findings.append(
                Finding(
                    "axis, partner",
                    tuple(each for each in self._said() if each is not None),
                    "no bytes hold the colours that came to lie in the field",
                    self._seen_colors(),
                    None,
                )
            )
            return None
        (axis, partner), mask, bits = found
        names = self._names(axis, partner, mask, bits)
        cell = self._cells(axis, names, bits)
        pair = [self._half(half, place, names, bits) for half, place in (("axis", axis), ("partner", partner))]
        if cell is None or pair[0] is None or pair[1] is None:
            return None
        return ColorReading(cell, (pair[0], pair[1]), self._raw(cell))

    def _said(self) -> tuple[int | None, int | None]:
        return address_of(self.paper.map, "axis"), address_of(self.paper.map, "partner")

    def _landed(self, mask: int) -> list[tuple[int, int]]:
        """For each clean sample, the masked bytes of the cells in which axis and partner landed."""
        return [
            (sample.end[self.grid.cell(*sample.lands[0])] & mask, sample.end[self.grid.cell(*sample.lands[1])] & mask)
            for sample in self.samples
        ]

    def _source(self) -> tuple[tuple[int, int], int, int] | None:
        """((address of the axis's colour, of the partner's), their mask, mask of the cells); None if not found."""
        said = self._said()
        own = bits_of(self.paper.map, "field")[0]
        for bits in dict.fromkeys((own, *bit_fields())):
            landed = self._landed(bits)
            if len({color for pair in landed for color in pair}) < 2:
                continue
            if any(byte & bits in {color for pair in landed for color in pair} for byte in self.empty):
                continue
            if said[0] is None or said[1] is None:
                continue
            for places in (said, said[::-1]):
                for mask in bit_fields():
                    if self._same(places, mask, landed):  # type: ignore[arg-type]
                        return places, mask, bits  # type: ignore[return-value]
        for bits in dict.fromkeys((own, *bit_fields())):
            landed = self._landed(bits)
            axes, partners = (self._anywhere([pair[half] for pair in landed]) for half in (0, 1))
            ways = nearest_pairs(axes, partners, said[0])
            # colours poked into the right bytes are those of the halves that land in the field
            acting = next((each for each in ways[:MOST_TRIED] if self._acts(each, bits)), None)
            if ways:
                return acting or ways[0], 0xFF, bits
        return None

    def _same(self, places: tuple[int, int], mask: int, landed: Sequence[tuple[int, int]]) -> bool:
        seen = [sample.rest[place] & mask for place in places for sample in self.samples]
        return same_identity(seen, [pair[half] for half in (0, 1) for pair in landed])

    def _anywhere(self, landed: Sequence[int]) -> list[int]:
        """The addresses whose byte has its own value for each colour, at the spawn, under control and at rest."""
        if len(set(landed)) < 2:
            return []
        return [
            address
            for address in tells_apart([sample.rest for sample in self.samples], landed)
            if all(
                same_identity([look(sample)[address] for sample in self.samples], landed)
                for look in (_at_rest, _at_start, _at_spawn)
            )
        ]

    def _acts(self, places: tuple[int, int], bits: int) -> bool:
        """Pokes other colours into both bytes. Returns whether the halves land in the field with these colours."""
        self.lab.load(self.first)
        now = self.lab.lab.look()
        here = next(sample for sample in self.samples if not sample.drop.side and not sample.drop.turned)
        wanted: list[tuple[int, int]] = []
        for half, place in enumerate(places):
            other = next((sample for sample in self.samples if sample.rest[place] != now[place]), None)
            if other is None:
                return False
            self.lab.lab.poke(place, other.rest[place])
            wanted.append((self.grid.cell(*here.lands[half]), other.end[self.grid.cell(*other.lands[half])] & bits))
        end = self.lab.drop(None, 0).end
        return all(end[cell] & bits == color for cell, color in wanted)

    def _names(self, axis: int, partner: int, mask: int, bits: int) -> dict[int, str]:
        """The name (symbol) of each colour, by the masked byte that a cell of that colour has."""
        pairs = {
            landed & bits: byte
            for sample in self.samples
            for byte, landed in (
                (sample.rest[axis], sample.end[self.grid.cell(*sample.lands[0])]),
                (sample.rest[partner], sample.end[self.grid.cell(*sample.lands[1])]),
            )
        }
        tables = [
            (pairs, self.form("axis").of),
            ({color: color for color in pairs}, Symbols(self.table, *bits_of(self.paper.map, "field")).of),
            *(
                ({color: byte & mask for color, byte in pairs.items()}, Symbols(self.table, 0xFF, low).of)
                for low in range(8)
            ),
            *(({color: color for color in pairs}, Symbols(self.table, 0xFF, low).of) for low in range(8)),
        ]
        for bytes_, reads in tables:
            names = {color: reads(byte) for color, byte in bytes_.items()}
            if set(names.values()) <= set(COLORS) and len(set(names.values())) == len(names):
                return {color: str(name) for color, name in names.items()}
        self.report.notes.append(
            "no table named the colours: they are called red, green, … in the order of their bytes"
        )
        return dict(zip(sorted(pairs), COLORS, strict=False))

    def form(self, name: str) -> Symbols:
        """The form in which the map reads a colour from an entry."""
        return Symbols(table_of(self.paper.map, name, self.table), *bits_of(self.paper.map, name))

    def _known_cells(self, names: Mapping[int, str], bits: int) -> list[tuple[int, str]]:
        """(byte, symbol) of every cell, after each sample's drop, whose content is known."""
        known: list[tuple[int, str]] = []
        for sample in self.samples:
            before, after = self.grid.read(sample.start), self.grid.read(sample.end)
            for row in range(self.grid.rows):
                for column in range(self.grid.columns):
                    cell = column + 1, row + self.grid.top
                    old, new = int(before[row, column]), int(after[row, column])
                    if cell in sample.lands:
                        known.append((new, names[new & bits]))
                    elif cell not in sample.stood:
                        known.append((new, EMPTY))
                    elif old & bits in names:
                        known.append((new, names[old & bits]))
        return known

    def _cells(self, axis: int, names: Mapping[int, str], bits: int) -> Symbols | None:
        known = self._known_cells(names, bits)
        form = fit_symbols(known, self.table, *bits_of(self.paper.map, "field"))
        if form is None:
            self.report.findings.append(
                Finding(
                    "field",
                    (self.grid.address,),
                    "one byte would have to mean two colours",
                    raw_table(known, self.grid.address, 12),
                    None,
                )
            )
            return None
        self.tell("field", self.grid.address, form, known, unknown_of=axis)
        return form

    def _half(self, name: str, place: int, names: Mapping[int, str], bits: int) -> tuple[int, Symbols] | None:
        half = 0 if name == "axis" else 1
        known = []
        for sample in self.samples:
            symbol = names[sample.end[self.grid.cell(*sample.lands[half])] & bits]
            known += [(image[place], symbol) for image in (sample.spawn, sample.start, sample.rest)]
        said = self.form(name)
        form = fit_symbols(known, said.table, said.mask, said.shift)
        if form is None:
            self.report.findings.append(
                Finding(name, (place,), "it isn't the half's colour all the time", raw_table(known, place), None)
            )
            return None
        self.tell(name, place, form, known)
        return place, form

    def tell(
        self, name: str, place: int, form: Symbols, known: Sequence[tuple[int, str]], unknown_of: int | None = None
    ) -> None:
        """Reports that an entry is right, or what it should say. ``known``: bytes and the colours that they meant.

        If ``unknown_of`` isn't None (as for the field), the entry's address isn't checked.
        """
        entry: Any = self.paper.map.entries.get(name)
        said = self.form(name)
        old = entry.address if entry is not None else None
        moved = old != place and unknown_of is None
        wrong = next(((byte, symbol) for byte, symbol in sorted(set(known)) if said.of(byte) != symbol), None)
        if not moved and wrong is None:
            self.report.holds.append(name)
            return
        patch: dict[str, Any] = dict(form.patch())
        codes: dict[str, Any] = {}
        told = [f"{word}: {value:#04x}" if word == "mask" else f"{word}: {value}" for word, value in patch.items()]
        old_table = getattr(entry, "codes", None) or getattr(entry, "symbols", None) or field_table(self.paper.map)
        if form.own:
            table = f"{old_table}_{name}"
            values = dict(sorted(form.table.items()))
            codes[table] = {"source": "calibrated", "values": values}
            told.append(f"codes: {{{', '.join(f'{byte:#04x}: {symbol}' for byte, symbol in values.items())}}}")
            patch["codes"] = table
        else:
            patch["codes"] = old_table
        if unknown_of is None:
            patch["address"] = place
            if moved:
                told.insert(
                    0,
                    f"address: {place:#06x}"
                    if not self._exchanged(name, place)
                    else f"exchange axis and partner: {name} is at {place:#06x}",
                )
        byte, symbol = wrong if wrong is not None else known[0]
        reads = said.of(byte)
        self.report.findings.append(
            Finding(
                name,
                (place,) if old in (None, place) or unknown_of is not None else (int(old), place),
                "it is the other half's colour"
                if moved and self._exchanged(name, place)
                else f"the byte {byte:#04x} is {'unknown' if reads is None else f'taken for {reads}'}; it was {symbol}"
                if wrong is not None
                else "the half's colour is elsewhere",
                raw_table(known, place),
                ", ".join(told),
                entries={name: {**patch, "source": "calibrated"}},
                codes=codes,
            )
        )

    def _exchanged(self, name: str, place: int) -> bool:
        other = name.replace("axis", "partner") if name.endswith("axis") else name.replace("partner", "axis")
        return other != name and address_of(self.paper.map, other) == place

    def _raw(self, cell: Symbols) -> dict[str, int]:
        """A byte for each symbol: the table's number in the cell's bit field, with all other bits 0."""
        return {symbol: (value << cell.shift) & 0xFF for value, symbol in cell.table.items()}

    def _seen_colors(self) -> str:
        landed = sorted({f"{color:#04x}" for pair in self._landed(0xFF) for color in pair})
        return f"in the field lay {', '.join(landed[:12])}"
