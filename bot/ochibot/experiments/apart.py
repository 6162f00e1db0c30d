"""Views of fields whose rows, or columns, lie apart from each other, each at a place of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from ochibot.experiments.fields import MORE_ROWS
from ochibot.experiments.lattice import Spots, stride_votes
from ochibot.experiments.pointers import pointed
from ochibot.experiments.rig import Bytes
from ochibot.experiments.views import WHOLE, View, view_of

LIKELY: Final = 6
"""How many strides are tried."""

NIBBLE: Final = 4
EDGE: Final = 2
"""Columns to the left and to the right of those that pieces reach, which may belong to a field."""

FEWEST_LINES: Final = 4
FEWEST_OF_LINE: Final = 2
ALWAYS: Final = 0.4
"""A cell changes at this share of the landings in it at least: the others cleared it at once."""

NEARLY: Final = 0.9

Changed = list[npt.NDArray[np.int64]]
Line = Literal["rows", "columns"]


def apart(changed: Changed, spots: Spots, lines: Line, ram: Bytes, *, few: bool = False) -> Iterator[View]:
    """Views in which each row has its own place and cells are equally far apart in it; or so with columns. few: only
    rows to which a table points.
    """
    line, other = (spots.rows, spots.columns) if lines == "rows" else (spots.columns, spots.rows)
    size = len(ram)
    for stride, _ in stride_votes(changed, other, line).most_common(LIKELY):
        low, high = min(other.tolist()), max(other.tolist())
        wide = abs(stride) * (high - low) + 1 if lines == "rows" else 0
        starts = starts_of(changed, line, other, stride, ram, wide, few=few)
        if len(starts) < FEWEST_LINES:
            continue
        if lines == "columns":
            yield from _lines_view(
                [[start + stride * row for start in starts] for row in range(low, high + MORE_ROWS)], size
            )
            continue
        # the piece's other cells may get farther to the sides than its own place
        for edge in (0, EDGE):
            reach = range(low - edge, high + edge + 1)
            yield from _lines_view([[start + stride * column for column in reach] for start in starts], size)


def odd_columns(changed: Changed, spots: Spots, size: int) -> Iterator[View]:
    """The view in which the odd columns lie apart from the even ones. They may have other steps from row to row, as
    where there is one less of them.
    """
    halves: list[tuple[int, list[int]]] = []
    across = spots.columns - np.min(spots.columns)
    for odd in (0, 1):
        some = np.flatnonzero(across % 2 == odd)
        part, line, other = [changed[at] for at in some.tolist()], across[some] // 2, spots.rows[some]
        ways = [(stride, _shares(part, line, other, stride))
                for stride, _ in stride_votes(part, other, line).most_common(LIKELY)]  # fmt: skip
        found = [(*_steady(list(shares.values()), stride), stride) for stride, shares in ways if len(shares) > 1]
        if found:
            _, starts, stride = max(found)
            halves.append((stride, starts))
    if len(halves) < 2 or len(halves[0][1]) - len(halves[1][1]) not in (0, 1):
        return
    columns = [
        (halves[at % 2][1][at // 2], halves[at % 2][0]) for at in range(sum(len(starts) for _, starts in halves))
    ]
    rows = range(min(spots.rows.tolist()), max(spots.rows.tolist()) + MORE_ROWS)
    yield from _lines_view([[start + step * row for start, step in columns] for row in rows], size)


def _steady(shares: Sequence[Mapping[int, float]], stride: int) -> tuple[float, list[int]]:
    """Where lines begin that are equally far from each other: (how often their cells changed, the starts)."""
    likely = [[start for start, share in one.items() if share >= ALWAYS] for one in shares]
    ways = {(first - (second - first) * at, second - first)
            for at, both in enumerate(pairwise(likely)) for first, second in product(*both)}  # fmt: skip

    def score(first: int, step: int) -> float:
        return sum(one.get(first + step * at, 0.0) for at, one in enumerate(shares))

    scores = {way: score(*way) for way in ways}
    most = max(scores.values(), default=0.0)
    # the cells above a piece's own one change as often, and so do the further bytes of a cell
    best = max((way for way in ways if scores[way] >= NEARLY * most), default=(0, 0),
               key=lambda way: (scores[way] - score(way[0] - stride, way[1]), -way[0], way[1]))  # fmt: skip
    return most, [best[0] + best[1] * at for at in range(len(shares))]


def _lines_view(rows: Sequence[Sequence[int]], size: int) -> Iterator[View]:
    """The view of these rows of offsets, up to the first that isn't in RAM or shares bytes with another one."""
    view = view_of([[[WHOLE * place] for place in row] for row in rows], WHOLE, size)
    if view is not None and view.size >= FEWEST_LINES * view.columns:
        yield view


def _shares(
    changed: Changed, line: npt.NDArray[np.int64], other: npt.NDArray[np.int64], stride: int
) -> dict[int, dict[int, float]]:
    """For each line and each place where it may begin, at which share of its landings the cell there changed."""
    times: dict[int, Counter[int]] = {}
    landed = Counter(line.tolist())
    for places, at, across in zip(changed, line.tolist(), other.tolist(), strict=True):
        times.setdefault(at, Counter()).update((places - stride * across).tolist())
    return {at: {start: count / landed[at] for start, count in times[at].items()} for at in sorted(times)}


def starts_of(
    changed: Changed,
    line: npt.NDArray[np.int64],
    other: npt.NDArray[np.int64],
    stride: int,
    ram: Bytes,
    wide: int = 0,
    *,
    few: bool = False,
) -> list[int]:
    """Where the lines begin, in their order from the first one on; the list ends at the first that isn't known. wide:
    how many bytes a row has at least; 0: the lines are columns.
    """
    landed = Counter(line.tolist())
    shares = _shares(changed, line, other, stride)
    likely: dict[int, list[int]] = {at: [] for at in shares if landed[at] >= FEWEST_OF_LINE}
    for at, starts in likely.items():
        far = [found for other, found in shares.items() if abs(other - at) > 1]
        for start, share in shares[at].items():
            # what changes with all landings, or with those in lines far apart, is no line of cells
            elsewhere = sum(found.get(start, 0.0) for found in far) / max(1, len(far))
            if share >= ALWAYS and elsewhere <= share / 3:
                starts.append(start)
    # cells of the next line change as often with some lines, so the surest pairs come first
    pairs = sorted((-shares[at][start], -landed[at], at, start) for at, starts in likely.items() for start in starts)
    taken: dict[int, int] = {}
    for _, _, at, start in pairs:
        if at not in taken and start not in taken.values():
            taken[at] = start

    def beside(at: int, start: int) -> npt.NDArray[np.float64]:
        return np.array([shares[at].get(start + away, 0.0) for away in (-stride, 0, stride)])

    # where most pieces stand upright, either of their cells may seem to be the one at x and y
    usual = np.median([beside(*one) for one in taken.items()] or [np.zeros(3)], axis=0)
    for at, start in taken.items():
        ways = (start, start - stride, start + stride)
        taken[at] = min(ways, key=lambda one: float(np.abs(beside(at, one) - usual).sum()))
    rows = pointed(ram, taken, wide) if wide else {}
    if rows or few:
        return [rows[at] for at in sorted(rows)]
    found: list[int] = []
    for at in range(min(taken, default=0), max(taken, default=-1) + 1):
        if at not in taken:
            return found
        found.append(taken[at])
    if not wide:
        return _evened(found, [shares[at] for at in sorted(taken)])
    every = [after - before for before, after in pairwise(found)]
    usual_step, often = Counter(every).most_common(1)[0] if every else (0, 0)
    often = often if 2 * often > len(every) else 0
    for at in range(1, len(found) - 1) if often else ():
        if found[at + 1] - found[at - 1] == 2 * usual_step:
            # few pieces reached it, and something else changed with them
            found[at] = found[at - 1] + usual_step
    if often and 2 * usual_step in every:
        # a row that few pieces reached was taken for the next one: there, only their upper cells were seen
        sure = every.index(2 * usual_step) + 1
        found[sure:] = [found[sure - 1] + usual_step * number for number in range(1, len(found) - sure + 1)]
    steps = {after - before for before, after in pairwise(found[-FEWEST_LINES:])}
    if len(found) >= FEWEST_LINES and len(steps) == 1:
        # the rows of a ring go on as they went, up to the first
        return [*found, *(found[-1] + number * min(steps) for number in range(1, MORE_ROWS))]
    # a row above the highest landing is seen in the pieces' other cells alone
    above = [start for start in likely.get(max(taken, default=0), []) if start not in found]
    return [*found, above[0]] if len(above) == 1 else found


def _evened(starts: list[int], shares: Sequence[Mapping[int, float]]) -> list[int]:
    """The starts of columns, of which the even ones may lie apart from the odd ones: where few pieces came to rest in a
    column, other bytes change with it as often, and the columns beside it tell which of them is its start.
    """
    found = list(starts)
    for apart in (1, 2):
        steps = [after - before for before, after in zip(found, found[apart:], strict=False)]
        step, times = Counter(steps).most_common(1)[0] if steps else (0, 0)
        for at, start in enumerate(found) if 2 * times > len(steps) else ():
            beside = [found[at + way] - way // apart * step for way in (-apart, apart) if 0 <= at + way < len(found)]
            if beside and start not in beside and shares[at].get(beside[0], 0.0) >= ALWAYS:
                found[at] = beside[0]
    return found
