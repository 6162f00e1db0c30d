"""Finds fields whose cells are no bytes at equal distances, in what landings changed: cells that share a byte, rows or
columns that lie apart, bit masks for each colour.

Each finder proposes views. Which of them is a field shows in what pieces left, as for any other field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from ochibot.errors import CalibrationError
from ochibot.experiments.apart import EDGE, LIKELY, NIBBLE, Changed, apart, odd_columns
from ochibot.experiments.fields import MORE_ROWS, MOST_BELOW, field_of
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.lattice import MOST_CHANGED, Spots, changed_bytes, find_lattices, spots_of, stride_votes
from ochibot.experiments.rig import Bytes
from ochibot.experiments.views import WHOLE, View, as_read, view_of

FEWEST_LANDINGS: Final = 100
"""With fewer, rows that lie apart can't be separated from what else changes."""

MOST_PLANES: Final = 8
FEWEST_OF_PLANE: Final = 0.05
MOST_STARTS: Final = 12
FEWEST_OF_CELLS: Final = 0.2
FEWEST_LACKING: Final = 3
MOST_RARE: Final = 3
FEWEST_UNLIKE: Final = 6
"""A plane of cells that no piece has is seen in so many cells at least, counted after each landing."""

SLACK: Final = 0.02
NOISE: Final = 3
"""So many landings may set a bit by chance."""
EXPLAINED: Final = 0.5


def find_views(
    landings: Sequence[Landing], raw_columns: Sequence[int], down: int, restless: Mask, size: int
) -> Iterator[View]:
    """Views of fields that the landings may be in, the most usual ones first. Arguments as for ``find_lattices``."""
    yield from _packed(landings, raw_columns, down, restless, size)
    yield from _planes(landings, raw_columns, down, restless, size)
    changed = changed_bytes(landings, restless)
    few = len(landings) < FEWEST_LANDINGS
    for spots in spots_of(landings, raw_columns, down):
        if not few:
            yield from apart(changed, spots, "columns", landings[-1].after[:size])
        yield from odd_columns(changed, spots, size)
        yield from apart(changed, spots, "rows", landings[-1].after[:size], few=few)


# -- two cells in a byte


def _packed(
    landings: Sequence[Landing], raw_columns: Sequence[int], down: int, restless: Mask, size: int
) -> Iterator[View]:
    quiet = np.repeat(restless, 2)
    for high_first in (False, True):
        seen = [one.seen_as(partial(_nibbles, high_first=high_first)) for one in landings]
        # with even strides, each cell has a byte of its own
        for lattice in find_lattices(seen, raw_columns, down, quiet, odd=True)[:LIKELY]:
            try:
                field = field_of(lattice, seen, raw_columns, down, 2 * size)
            except CalibrationError:
                continue
            grid, rows = field.grid, range(field.rows + MORE_ROWS)
            view = view_of([[[NIBBLE * grid.cell(column, row)] for column in range(grid.columns)] for row in rows],
                           NIBBLE, size, high_first=high_first)  # fmt: skip
            if view is not None:
                yield view


def _nibbles(ram: Bytes, high_first: bool) -> Bytes:
    parts = (ram >> NIBBLE, ram & 15) if high_first else (ram & 15, ram >> NIBBLE)
    return np.stack(parts, axis=-1).reshape(-1)


# -- a bit mask for each colour


def _planes(
    landings: Sequence[Landing], raw_columns: Sequence[int], down: int, restless: Mask, size: int
) -> Iterator[View]:
    changes = np.mean([one.before != one.after for one in landings], axis=0)
    lively = restless | (changes > MOST_CHANGED)
    for high_first in (True, False):
        order: Literal["big", "little"] = "big" if high_first else "little"
        quiet = np.unpackbits((~lively).astype(np.uint8) * np.uint8(255), bitorder=order) > 0
        sets = [np.flatnonzero((np.unpackbits(one.after & ~one.before & ~one.moved, bitorder=order) > 0) & quiet)
                for one in landings]  # fmt: skip
        bits = np.unpackbits(np.stack([one.after for one in landings]), axis=1, bitorder=order) > 0
        for spots in spots_of(landings, raw_columns, down):
            reach, rows = (np.arange(min(some.tolist()), max(some.tolist()) + 1)
                           for some in (spots.columns, spots.rows))  # fmt: skip
            sideways = stride_votes(sets, spots.columns, spots.rows).most_common()
            upwards = stride_votes(sets, spots.rows, spots.columns).most_common()
            for across in [stride for stride, _ in sideways if abs(stride) < WHOLE][:LIKELY]:
                for up in [stride for stride, _ in upwards if stride % WHOLE == 0][:LIKELY]:
                    for starts in _with_rare(_plane_starts(sets, spots, across, up), sets, spots, across, up):
                        every = [*starts, *unlike_pieces(bits, starts, across * reach + up * rows[:, None])]
                        view = _plane_view(sorted(every), bits, spots, across, up, size, high_first)
                        if view is not None:
                            own = [len(one & set(starts)) for one in _placed(sets, spots, across, up)]
                            yield as_read(view, sum(many > 1 for many in own) / len(own))


def _plane_starts(sets: Changed, spots: Spots, across: int, up: int) -> list[int]:
    """Where each plane has the cell at column 0 and row 0; empty if they don't tell where most pieces landed."""
    left = _placed(sets, spots, across, up)
    counts = Counter(start for starts in left for start in starts)
    fewest = max(2, FEWEST_OF_PLANE * len(left))
    likely = sorted((start for start, times in counts.items() if times >= fewest), key=lambda one: (-counts[one], one))
    best: tuple[int, list[int]] = (0, [])
    near = _within_a_plane(spots, across, up)
    for bit in range(WHOLE):
        # a cell has the same bit of its byte in all planes
        alike = [start for start in likely if start % WHOLE == bit][:MOST_STARTS]
        owners = {start: {at for at, starts in enumerate(left) if start in starts} for start in alike}
        # the piece's own cell is in one plane only; a plane and another's neighbouring cell are often filled together
        best = max(best, _apart_from_each_other(owners, len(left) * SLACK, near), key=lambda one: one[0])
    told, found = best
    return sorted(found) if found and told + NOISE * len(found) >= EXPLAINED * len(left) else []


def _placed(sets: Changed, spots: Spots, across: int, up: int) -> list[set[int]]:
    """The bits that each landing set, as they would be if it had been at column 0 and row 0."""
    return [set((places - across * int(column) - up * int(row)).tolist())
            for places, column, row in zip(sets, spots.columns, spots.rows, strict=True)]  # fmt: skip


def _with_rare(starts: list[int], sets: Changed, spots: Spots, across: int, up: int) -> Iterator[list[int]]:
    """The planes, and also with more that show in the pieces' other cells, while many landings lack a cell.

    Where a piece is a number of a table, some colours may hardly ever be those of the cell at x and y.
    """
    if not starts:
        return
    yield starts
    near, taken = (across, -across, up, -up), _within_a_plane(spots, across, up)
    left = _placed(sets, spots, across, up)
    known = {start + away for start in starts for away in (0, *near)}
    seen = [len(bits & known) for bits in left]
    often_seen = (number for number, times in Counter(seen).items() if times >= FEWEST_OF_CELLS * len(seen))
    usual = max(often_seen, default=0)
    lacking = [bits for bits, number in zip(left, seen, strict=True) if number < usual]
    # the other cell stands where others' other cells do
    times = {away: sum(any(start + away in bits for start in starts) for bits in left) for away in near}
    most = max(1, *times.values())
    counts: Counter[int] = Counter()
    for bits in lacking:
        places = {0: most} if not bits & set(starts) else times
        likely_at: dict[int, int] = {}
        for bit, (away, often) in product(bits, places.items()):
            likely_at[bit - away] = max(often, likely_at.get(bit - away, 0))
        fresh = {at: often for at, often in likely_at.items()
                 if not (at - starts[0]) % WHOLE and not any(at - one in taken for one in starts)}  # fmt: skip
        counts.update(fresh)
    likely = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_RARE]
    for number, (start, often) in enumerate(likely):
        if len(starts) < MOST_PLANES and often >= most * FEWEST_LACKING:
            more = _with_rare(sorted([*starts, start]), sets, spots, across, up)
            yield from more if not number else [next(more)]


def unlike_pieces(
    bits: npt.NDArray[np.bool_],
    starts: Sequence[int],
    cells: npt.NDArray[np.int64],
    fewest: int = FEWEST_UNLIKE,
    *,
    held: bool = False,
) -> list[int]:
    """The plane of cells that no piece has, such as nuisance, if one shows: where its bits are set, none of another
    plane is, and each of them lies on another cell or on the lowest row. Of several such planes, the one on whose cells
    most others lie that would hang in the air without it.

    bits: of RAM after each landing. starts: of the known planes. cells: where a plane has its cells from its start on,
    by row from the lowest, and by column. fewest: so many must be seen. held: whether a cell of
    another plane must lie on one of them.
    """
    # where strides are wrong, some rows lie outside of RAM
    inside = (cells.min(axis=1) + min(starts) >= 0) & (cells.max(axis=1) + max(starts) < bits.shape[1])
    cells = cells[inside]
    if not len(cells):
        return []
    others = np.any([bits[:, one + cells] for one in starts], axis=0)
    free = ~np.concatenate([np.ones_like(others[:, :1]), others[:, :-1]], axis=1)
    taken = {(one + int(cell)) // WHOLE for one in starts for cell in cells.ravel()}
    first = starts[0] % WHOLE + WHOLE * max(0, -int(np.min(cells)) // WHOLE + 1)
    hangs = others & free
    best = 0, bits.size if held else fewest - 1, 0
    for start in range(first, bits.shape[1] - max(0, int(np.max(cells))), WHOLE) if len(starts) < MOST_PLANES else ():
        mine = bits[:, start + cells]
        seen = int(mine.sum())
        if seen < fewest or (mine & others).any() or (mine & free & ~_below(mine)).any():
            continue
        told = int((hangs & _below(mine)).sum()), seen, start
        if told[:2] > best[:2] and not {(start + int(cell)) // WHOLE for cell in cells.ravel()} & taken:
            best = told
    # where three quarters still hang with it, cells of this game hang anyway
    return [best[2]] if best[2] and 4 * best[0] >= hangs.sum() else []


def _below(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether the cell below each one is filled: (landings, rows from the lowest, columns)."""
    return np.concatenate([np.zeros_like(cells[:, :1]), cells[:, :-1]], axis=1)


def _within_a_plane(spots: Spots, across: int, up: int) -> set[int]:
    """How far the cells of a plane are from each other: no two planes begin so far from each other."""
    wide, high = (int(np.ptp(some)) for some in (spots.columns, spots.rows))
    return {across * c + up * r for c in range(-wide, wide + 1) for r in range(-high, high + 1)}


def _apart_from_each_other(owners: dict[int, set[int]], slack: float, near: set[int]) -> tuple[int, list[int]]:
    """The starts that together explain most landings. No two explain the same one, nor are they ``near`` each other:
    (how many more than by chance, they).
    """
    names = list(owners)

    def best(at: int, chosen: list[int], told: set[int]) -> tuple[int, list[int]]:
        if at == len(names) or len(chosen) == MOST_PLANES:
            return len(told) - NOISE * len(chosen), chosen
        found = best(at + 1, chosen, told)
        mine = owners[names[at]]
        if len(mine & told) <= slack and not any(names[at] - one in near for one in chosen):
            found = max(found, best(at + 1, [*chosen, names[at]], told | mine), key=lambda one: one[0])
        return found

    return best(0, [], set())


def _plane_view(
    starts: Sequence[int],
    bits: npt.NDArray[np.bool_],
    spots: Spots,
    across: int,
    up: int,
    size: int,
    high_first: bool,
) -> View | None:
    left, right = min(spots.columns.tolist()), max(spots.columns.tolist())
    if abs(up) == WHOLE:
        # the piece's own cell may be none of its middle: a row is a byte
        columns = [c for c in range(left - EDGE, right + EDGE + 1) if 0 <= starts[0] % WHOLE + across * c < WHOLE]
    else:
        edge = max(0, min(EDGE, (abs(up // across) - (right - left + 1)) // 2))
        columns = list(range(left - edge, right + edge + 1))
    taken: set[int] = set()
    low, high = min(spots.rows.tolist()), max(spots.rows.tolist()) + MORE_ROWS

    def numbers(row: int) -> list[list[int]]:
        return [[start + across * column + up * row for start in starts] for column in columns]

    def fits(row: int) -> bool:
        # above and below the field begin other things, such as the next plane
        every = {number for cell in numbers(row) for number in cell}
        if min(every) < 0 or max(every) >= WHOLE * size or taken & every:
            return False
        taken.update(every)
        return True

    def filled(row: int) -> bool:
        # something stands there after each landing, and no cell is in two planes
        every = np.array(numbers(row))
        if every.min() < 0 or every.max() >= bits.shape[1]:
            return False
        seen = bits[:, every].sum(axis=2)
        return bool(seen.any(axis=1).all() and (seen <= 1).all())

    # what fills the lowest rows at the start is never landed in; above a plane, another one's lowest rows may lie
    first = low
    while first > low - MOST_BELOW and filled(first - 1) and fits(first - 1):
        first -= 1
    last = next((row - 1 for row in range(low, high) if not fits(row)), high - 1)
    first = next((row + 1 for row in range(first - 1, low - MOST_BELOW, -1) if not fits(row)), low - MOST_BELOW + 1)
    rows = [numbers(row) for row in range(first, last + 1)]
    if any(len({number % WHOLE for number in cell}) > 1 for row in rows for cell in row):
        return None
    return view_of(rows, 1, size, high_first=high_first)
