"""Finds the field behind a plain copy of it: the copy's cells are known, so what else in RAM they tell can be seen.

A game may draw the field, or keep what pieces land on, in bytes at equal distances, while its rules read bit masks, two
cells in a byte, or rows that lie apart. Poking the copy alone then changes nothing for long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from ochibot.experiments.apart import LIKELY, NIBBLE
from ochibot.experiments.fields import FEWEST_SEEN, MORE_ROWS, Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.pointers import pointed
from ochibot.experiments.rig import Bytes
from ochibot.experiments.views import WHOLE, View, as_read, cropped, view_of

FEWEST_FOLLOWED: Final = 3
"""So many cells must tell a bit."""

EXPLAINED: Final = 0.8
"""A field has bits for this share of the copy's cells."""

UNKNOWN: Final = -1
SIZES: Final = {1: 1, NIBBLE: NIBBLE}
"""The bits of a cell, by those from a cell to the next one, where these are no whole bytes."""

Bits = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Followers:
    """Which bits of RAM follow the copy's cells. cells: (row, column) of those that were seen full and empty. bits: for
    each of them, the bits that have the same value whenever the cell has; varies: the bits that had two values.
    """

    cells: list[tuple[int, int]]
    bits: Bits
    varies: Bits

    def strides(self, across: int, up: int) -> list[int]:
        """The likeliest distances, in bits, between cells that are so many columns and rows apart."""
        votes: Counter[int] = Counter()
        places = {cell: np.flatnonzero(follow) for cell, follow in zip(self.cells, self.bits, strict=True)}
        for (row, column), here in places.items():
            there = places.get((row + up, column + across))
            if there is not None:
                votes.update(set((there[:, None] - here).ravel().tolist()) - {0})
        return [stride for stride, _ in votes.most_common(LIKELY)]

    def starts(self, across: int, up: int, row: int | None = None, column: int | None = None) -> tuple[Counts, Counts]:
        """For each bit, if it were the one of column 0 and row 0: how many cells tell their bits, and how many don't.
        row, column: only cells in these.
        """
        size = len(self.varies)
        right, wrong = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for cell, follow in zip(self.cells, self.bits, strict=True):
            away = across * cell[1] + up * cell[0]
            if row in (None, cell[0]) and column in (None, cell[1]) and abs(away) < size:
                to, of = slice(max(0, -away), size - max(0, away)), slice(max(0, away), size - max(0, -away))
                right[to] += follow[of]
                wrong[to] += self.varies[of] & ~follow[of]
        return right, wrong


def find_behind(landings: Sequence[Landing], copy: Field, taken: Mask, size: int) -> Iterator[tuple[Field, View]]:
    """Views with the field by their cells, the likeliest first. taken: bytes that are no cells of it; size: of RAM."""
    rams = np.stack([ram[:size] for one in landings for ram in (one.before, one.after)])
    found: list[tuple[float, View]] = []
    # some may be of cells that no piece has
    codes = len(np.unique(rams[:, copy.offsets()])) - 1
    columns, rows = range(copy.grid.columns), range(copy.rows + MORE_ROWS)

    def view(rows: Sequence[Sequence[Sequence[int]]], bits: int) -> None:
        made = view_of(rows, bits, size, high_first=high_first)
        inside = made.size // len(columns) if made is not None else 0
        if made is None or inside < copy.rows - 1:
            return
        seen = [(row, mine[[start + bit for start in rows[row][column] for bit in range(bits)]].any())
                for (row, column), mine in zip(follow.cells, follow.bits, strict=True) if row < inside]  # fmt: skip
        share = sum(good for _, good in seen) / len(follow.cells)
        if {row for row, _ in seen} - {row for row, good in seen if good} == {copy.rows - 1}:
            # the top row lies elsewhere
            made = cropped(made, (0, len(columns)), (0, copy.rows - 1))
        if share >= EXPLAINED:
            found.append((share, as_read(made, _several(made, copy, rams))))

    for high_first in (False, True):
        follow = _followers(rams, copy, taken[:size], "big" if high_first else "little")
        ups = follow.strides(0, 1)
        for across in follow.strides(1, 0):
            for up in ups:
                bits = min(SIZES.get(abs(step), WHOLE) for step in (across, up))
                # cells of one bit follow each other inside bytes in one direction only
                inner, outer = sorted((abs(across), abs(up)))
                if bits == WHOLE and (high_first or inner % WHOLE):
                    continue
                if outer % (NIBBLE if bits == NIBBLE else WHOLE):
                    continue
                for starts in _together(*follow.starts(across, up), bits, codes):
                    view([[[start + across * c + up * r for start in starts] for c in columns] for r in rows], bits)
            if across % WHOLE == 0 and not high_first:
                wide = abs(across) // WHOLE * (len(columns) - 1) + 1
                firsts = _apart([follow.starts(across, 0, row=row) for row in range(copy.rows)], rams[-1], wide)
                view([[[first + across * c] for c in columns] for first in firsts], WHOLE)
        for up in ups:
            firsts = (
                [] if up % WHOLE or high_first else _apart([follow.starts(0, up, column=c) for c in columns], rams[-1])
            )
            if len(firsts) == len(columns):
                view([[[first + up * r] for first in firsts] for r in rows], WHOLE)
    for _, made in sorted(found, key=lambda one: -one[0]):
        yield _field(made, copy, landings, size), made


def _several(view: View, copy: Field, rams: Bytes) -> float:
    """The share of the copy's full cells that have bits in several of the view's planes."""
    view = replace(cropped(view, (0, view.columns), (0, min(copy.rows, view.size // view.columns))), binary=True)
    full = rams[:, [copy.grid.cell(*divmod(at, view.columns)[::-1]) for at in range(view.size)]] != copy.grid.empty
    some = view.cells(rams)
    # a number with several digits is no power of two
    return float((full & (some & some - 1 != 0)).sum() / max(1, full.sum())) if len(view.places[0]) > 1 else 0.0


def _followers(rams: Bytes, copy: Field, taken: Mask, order: Literal["big", "little"]) -> _Followers:
    lively = (rams != rams[0]).any(axis=0) & ~taken
    bits = np.unpackbits(rams[:, lively], axis=1, bitorder=order)
    where = np.flatnonzero(np.repeat(lively, WHOLE))
    cells: list[tuple[int, int]] = []
    follow: list[Bits] = []
    varies = np.zeros(lively.size * WHOLE, bool)
    varies[where] = (bits != bits[0]).any(axis=0)
    for row in range(copy.rows):
        for column in range(copy.grid.columns):
            kinds = rams[:, copy.grid.cell(column, row)]
            if len(set(kinds.tolist())) == 1:
                continue
            same = np.ones(bits.shape[1], bool)
            for kind in set(kinds.tolist()):
                part = bits[kinds == kind]
                same &= (part == part[0]).all(axis=0)
            mine = np.zeros_like(varies)
            mine[where] = same
            cells.append((row, column))
            follow.append(mine & varies)
    return _Followers(cells, np.array(follow), varies)


def _together(right: Counts, wrong: Counts, bits: int, codes: int) -> Iterator[list[int]]:
    """The starts that belong to one cell: those of masks have its bit in different bytes, one for each of so many codes
    at most.
    """
    groups: dict[int, list[int]] = {}
    for start in np.flatnonzero((right >= FEWEST_FOLLOWED) & (wrong * WHOLE <= right)).tolist():
        groups.setdefault(start % WHOLE if bits == 1 else start // bits, []).append(start)
    for place, starts in groups.items():
        if bits > 1:
            yield [place * bits]
        elif len(starts) > 1:
            yield sorted(sorted(starts, key=lambda start: (-right[start], start))[:codes])


def _apart(lines: Sequence[tuple[Counts, Counts]], ram: Bytes, wide: int = 0) -> list[int]:
    """The first bits of rows or columns of bytes, each at a place of its own, up to the first that isn't known. wide:
    how many bytes a row has at least; 0: the lines are columns.

    A table of pointers tells the rows beyond. Where most lines are equally far from each other, such as in a ring, so
    are the outer ones, whose cells may hardly have changed, and those beyond.
    """
    firsts: list[int] = []
    # a line that is drawn late differs now and then; a byte that has hardly followed is none
    every = [np.maximum(right - 2 * wrong, 0).reshape(-1, WHOLE).sum(axis=1) for right, wrong in lines]
    for bits in every:
        firsts.append(int(np.argmax(bits)) * WHOLE if bits.any() else UNKNOWN)
    _aligned(firsts, every)
    known = [number for number, first in enumerate(firsts) if first != UNKNOWN]
    rows = pointed(ram, {number: firsts[number] // WHOLE for number in known}, wide) if wide else {}
    if 0 in rows:
        return [rows[number] * WHOLE for number in range(max(rows) + 1)]
    steps = [after - before for before, after in pairwise(firsts)]
    step, times = Counter(steps).most_common(1)[0]
    if known and 2 * times > len(steps):
        firsts[: known[0]] = [firsts[known[0]] - step * number for number in range(known[0], 0, -1)]
        more = len(lines) - 1 - known[-1] + (MORE_ROWS if wide else 0)
        del firsts[known[-1] + 1 :]
        firsts += [firsts[-1] + step * number for number in range(1, more + 1)]
    return firsts[: firsts.index(UNKNOWN)] if UNKNOWN in firsts else firsts


def _aligned(firsts: list[int], every: Sequence[Counts]) -> None:
    """Where cells have a second byte that follows them too, the lines beside one tell which of both is the first."""
    step = Counter(after - before for before, after in pairwise(firsts)).most_common(1)[0][0]
    for at, bits in enumerate(every):
        beside = [firsts[at + way] - way * step for way in (-1, 1) if 0 <= at + way < len(firsts)]
        places = [one // WHOLE for one in beside if one % WHOLE == 0 and 0 <= one < WHOLE * len(bits)]
        likely = [place * WHOLE for place in places if 2 * bits[place] > np.max(bits)]
        if firsts[at] not in beside and likely:
            firsts[at] = likely[0]


def _field(view: View, copy: Field, landings: Sequence[Landing], size: int) -> Field:
    """The field by a view's cells, which are appended to RAM."""
    rows = min(copy.rows, view.size // view.columns)
    grid = Grid(size, 1, view.columns, view.columns, 0)
    seen: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for one in landings:
        cells = view.cells(one.after[:size])
        for row in range(rows):
            for column in range(view.columns):
                full = int(one.after[copy.grid.cell(column, row)]) != copy.grid.empty
                seen[full][int(cells[row * view.columns + column])] += 1
    void = seen[False].most_common(1)[0][0]
    codes = tuple(sorted((code, times) for code, times in seen[True].items() if times >= FEWEST_SEEN and code != void))
    return replace(copy, grid=replace(grid, empty=void), rows=rows, codes=codes)
