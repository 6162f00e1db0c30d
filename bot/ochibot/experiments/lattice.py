"""Finds the field in what pieces changed in RAM where they came to rest: bytes at equal steps from column to column,
and from row to row.

A piece that rests one column further right has changed bytes one column stride further on. A piece that rests one row
higher has changed bytes one row stride further on. Each pair of landings votes for strides, and each landing for the
place of the field. Majorities decide, so a landing that cleared cells, or that something else disturbed, does no harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.experiments.driver import HIGHEST_KICK
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.pad import signed_byte

MOST_STRIDE: Final = 4096
MOST_CHANGED: Final = 0.7
"""Bytes that change at more than this share of the landings are counters, and no cells."""

FEWEST: Final = 0.35
"""A place needs the votes of this share of the landings."""

CELL_SHARE: Final = 0.12
"""A cell that some pieces have, and others don't, has the votes of at least this share."""

FALLEN_SHARE: Final = 0.04
"""The share of a place below such a cell."""

MOST_ANCHORS: Final = 24
TOGETHER: Final = 0.75
"""At least this share of the pieces that don't come apart has a cell at the piece's own place."""

MOST_KEPT: Final = 60
MOST_PAIRS: Final = 800
"""If there are more pairs of landings, some at equal distances vote."""

LIKELY: Final = 24
"""How many column strides and row strides are tried with each other."""

MOST_UNIT: Final = 32
FEWEST_PIXELS: Final = 6
MOST_APART: Final = 6
"""Landings that are farther apart vote for no stride."""


@dataclass(frozen=True)
class Lattice:
    """A field that landings show.

    first: the offset of the cell at column 0 and row 0, where the first landing cell's column and row are counted
    from the leftmost reached raw x and the lowest raw y. across, up: what a column, or a row upwards, adds. unit: raw
    y of a row, at the floor it is ``floor_y``. votes: how many landings changed the cell at the piece's own place.
    landings: how many there were. cells: the places (columns, rows) from the piece's own, with their votes.
    """

    first: int
    across: int
    up: int
    unit: int
    floor_y: int
    votes: int
    landings: int
    cells: tuple[tuple[tuple[int, int], int], ...]

    def at(self, column: int, row: int) -> int:
        """The offset of a cell."""
        return self.first + column * self.across + row * self.up

    @property
    def offsets(self) -> frozenset[int]:
        """The offsets of the cells of a piece that rests at column 0 and row 0."""
        return frozenset(self.at(*place) for place, _ in self.cells)


@dataclass(frozen=True)
class Spots:
    """Where the pieces came to rest. columns, rows: counted from the leftmost and the lowest, (landings,) int64."""

    columns: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    unit: int
    floor_y: int


def find_lattices(
    landings: Sequence[Landing],
    raw_columns: Sequence[int],
    down: int,
    restless: Mask | None = None,
    *,
    odd: bool = False,
) -> list[Lattice]:
    """The fields and their copies, the best first. raw_columns: raw x of the columns from the left. down: what a step
    downwards adds to raw y. restless: bytes that are no cells. odd: only fields with odd strides.
    """
    changed = changed_bytes(landings, restless)
    found: list[Lattice] = []
    for spots in spots_of(landings, raw_columns, down):
        for across, up in _strides(changed, spots):
            if not odd or across % 2 or up % 2:
                found += _anchored(changed, spots, across, up)
    return _distinct(found)


def changed_bytes(landings: Sequence[Landing], restless: Mask | None) -> list[npt.NDArray[np.int64]]:
    """For each landing the offsets of the bytes that it changed, without counters and restless bytes."""
    stack = np.stack([(one.before != one.after) & (one.moved == 0) for one in landings])
    quiet = stack.sum(axis=0) <= MOST_CHANGED * len(landings)
    if restless is not None:
        quiet &= ~restless
    return [np.flatnonzero(row & quiet) for row in stack]


def spots_of(landings: Sequence[Landing], raw_columns: Sequence[int], down: int) -> list[Spots]:
    """Columns and rows of the landings, for each likely height of a row in raw y, the highest first."""
    step = signed_byte(raw_columns[1] - raw_columns[0])
    away = np.array([one.x - raw_columns[0] for one in landings], np.int64) * (1 if step > 0 else -1)
    # from three columns left of the leftmost on
    columns = ((away + 3 * abs(step) & 255) - 3 * abs(step)) // abs(step)
    sign = 1 if down > 0 else -1
    # raw y may go through 255 on the way down, so it is counted from where pieces appear
    begins = Counter(one.top for one in landings).most_common(1)[0][0]
    sunk = (sign * np.array([one.y - begins for one in landings], np.int64) + HIGHEST_KICK & 255) - HIGHEST_KICK
    top = sign * begins + int(np.min(sunk))
    depths = sunk - np.min(sunk)
    found: list[Spots] = []
    blurred: list[Spots] = []
    for unit in range(MOST_UNIT, 0, -1):
        # a piece sinks at most a row at a time; where rows are pixels high, a few pixels are none
        if unit % abs(down) or (unit < FEWEST_PIXELS and any(one.unit >= FEWEST_PIXELS for one in found + blurred)):
            continue
        # a piece may bounce as it lands: most of them show where a row begins
        rests, times = np.unique(depths % unit, return_counts=True)
        most = int(np.max(depths))
        deepest = most - (most - int(rests[int(np.argmax(times))])) % unit
        heights = deepest - depths
        near = np.abs(heights - np.round(heights / unit) * unit)
        if (near <= unit // 4).mean() >= 0.9 and len(set(np.round(heights[near <= unit // 4] / unit).tolist())) >= 3:
            exact = bool((near == 0).mean() >= 0.9)
            rows = np.round(heights / unit).astype(np.int64)
            if exact or unit >= FEWEST_PIXELS:
                (found if exact else blurred).append(Spots(columns, rows, unit, sign * (deepest + top) & 255))
    return found or blurred


def stride_votes(
    changed: Sequence[npt.NDArray[np.int64]], along: npt.NDArray[np.int64], still: npt.NDArray[np.int64]
) -> Counter[int]:
    """Strides along one axis: of pairs of landings that are apart on this axis alone, and in how many pairs each
    fits.
    """
    kinds = 2 * MOST_STRIDE + 1
    first, second = np.triu_indices(len(changed), 1)
    steps = along[second] - along[first]
    apart = np.flatnonzero((still[second] == still[first]) & (steps != 0) & (np.abs(steps) <= MOST_APART))
    votes = [np.zeros(0, np.int64)]
    for pair in apart[:: len(apart) // MOST_PAIRS + 1].tolist():
        away = (changed[second[pair]][None, :] - changed[first[pair]][:, None]).ravel()
        fits = away[(away % steps[pair] == 0) & (away != 0)] // steps[pair]
        # a pair votes once for a stride
        votes.append(fits[np.abs(fits) <= MOST_STRIDE] + MOST_STRIDE + kinds * len(votes))
    every = np.sort(np.concatenate(votes))
    once = every[np.append(True, every[1:] != every[:-1])[: len(every)]]
    counts = np.bincount(once % kinds)
    return Counter({int(stride) - MOST_STRIDE: int(counts[stride]) for stride in np.flatnonzero(counts)})


def _strides(changed: Sequence[npt.NDArray[np.int64]], spots: Spots) -> list[tuple[int, int]]:
    across = [stride for stride, _ in stride_votes(changed, spots.columns, spots.rows).most_common(LIKELY)]
    up = [stride for stride, _ in stride_votes(changed, spots.rows, spots.columns).most_common(LIKELY)]
    return [(one, other) for one in across for other in up if one != other]


def _anchored(changed: Sequence[npt.NDArray[np.int64]], spots: Spots, across: int, up: int) -> list[Lattice]:
    """The fields with these strides, at the places that most landings vote for. Copies of a field may have its
    strides.
    """
    times = [len(places) for places in changed]
    shifts = np.repeat(across * spots.columns + up * spots.rows, times)
    places, seen = np.unique(np.concatenate(changed) - shifts, return_counts=True)
    often = np.flatnonzero(seen >= FEWEST * len(changed))
    if not len(often):
        return []
    votes = dict(zip(places.tolist(), seen.tolist(), strict=True))
    found: list[Lattice] = []
    ranked = sorted((-int(seen[at]), int(places[at])) for at in often)[:MOST_ANCHORS]
    if -ranked[0][0] < TOGETHER * len(changed):
        # halves may fall on by themselves; each piece has a cell in its own column, however it is turned
        owners, bytes_ = np.repeat(np.arange(len(changed)), times), np.concatenate(changed) - shifts
        near = up * np.arange(-4, 5)
        ranked.sort(key=lambda one: one[0] - len(set(owners[np.isin(bytes_, one[1] + near)].tolist())))
    for most, first in ranked:
        if any(_within(first, other) for other in found):
            continue
        cells: list[tuple[tuple[int, int], int]] = []
        # a piece has no gap between its columns: what changed beyond one is somebody else's
        for column in [0, -1, -2, -3, -4, 1, 2, 3, 4]:
            if column and not any(c == column - (1 if column > 0 else -1) for (c, _), _ in cells):
                continue
            counts = {row: votes.get(first + column * across + row * up, 0) for row in range(-4, 5)}
            # a cell may fall on by itself, so that it is seen in several rows
            least = FALLEN_SHARE if any(count >= CELL_SHARE * len(changed) for count in counts.values()) else CELL_SHARE
            cells += [
                ((column, row), count)
                for row, count in counts.items()
                if count >= (least if row < 0 else CELL_SHARE) * len(changed)
            ]
        found.append(
            Lattice(first, across, up, spots.unit, spots.floor_y, -most, len(changed), _once(cells, across, up))
        )
    return found


def _once(
    cells: Sequence[tuple[tuple[int, int], int]], across: int, up: int
) -> tuple[tuple[tuple[int, int], int], ...]:
    """The cells without other names of the same bytes: where a row ends, the next one begins. The nearest remains."""
    nearest: dict[int, tuple[tuple[int, int], int]] = {}
    for place, count in sorted(cells, key=lambda cell: (abs(cell[0][0]) + abs(cell[0][1]), cell)):
        nearest.setdefault(place[0] * across + place[1] * up, (place, count))
    return tuple(sorted(nearest.values()))


def _within(place: int, lattice: Lattice) -> bool:
    """Whether an offset is a cell near the lattice's first one."""
    return any(lattice.at(column, row) == place for column in range(-4, 5) for row in range(-4, 5))


def _distinct(found: Sequence[Lattice]) -> list[Lattice]:
    """Sorted by votes; of the same cells only the best remains."""
    kept: list[Lattice] = []
    for one in sorted(found, key=lambda one: (-one.votes, -len(one.offsets), -one.unit, -sum(v for _, v in one.cells))):
        if not any(_same(one, other) for other in kept):
            kept.append(one)
    return kept[:MOST_KEPT]


def _same(one: Lattice, other: Lattice) -> bool:
    """Whether both are about the same bytes of RAM, in the same steps.

    Other steps through the same bytes are kept: which of them is a field shows in what the pieces left.
    """
    return (one.across, one.up) == (other.across, other.up) and bool(one.offsets & other.offsets)
