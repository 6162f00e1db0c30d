"""The row of bytes in which some games keep how high each column is, to land pieces by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.experiments.fields import Field
from ochibot.experiments.landings import Landing

MOST_HEIGHTS: Final = 6
UNSEEN: Final = -1


@dataclass(frozen=True)
class Heights:
    """A row of bytes with the columns' heights. first: the leftmost column's offset; stride: what a column adds. base,
    step: the byte of an empty column, and what a row adds to it.
    """

    first: int
    stride: int
    base: int
    step: int


def find_heights(field: Field, landings: Sequence[Landing]) -> Iterator[Heights]:
    """Rows of bytes that tell the heights of the columns, in each landing's RAM; the nearest to the field first."""
    highs = np.zeros((len(landings), field.grid.columns), np.int64)
    for number, one in enumerate(landings):
        for column, row in field.cells(one.before):
            highs[number, column] = max(highs[number, column], row + 1)
    # a column may be higher than the rows that landings have shown
    highs[highs >= field.rows] = UNSEEN
    rams = np.stack([one.before for one in landings]).astype(np.int64)
    # columns in which few heights were seen can't suggest a line, but they must be on it
    lines = {column: fits for column in range(field.grid.columns) if (fits := _linear(rams, highs[:, column]))}
    if len(lines) < 2:
        return
    left, right = list(lines)[:2]
    found = []
    for near, line in lines[left].items():
        for far, same in lines[right].items():
            stride, rest = divmod(far - near, right - left)
            first = near - left * stride
            if line == same and stride and not rest and _on_line(rams, highs, first, stride, line):
                found.append(Heights(first, stride, *line))
    yield from sorted(found, key=lambda one: (abs(one.stride), abs(one.first - field.grid.floor)))[:MOST_HEIGHTS]


def _on_line(
    rams: npt.NDArray[np.int64], highs: npt.NDArray[np.int64], first: int, stride: int, line: tuple[int, int]
) -> bool:
    """Whether the bytes of all columns are the base plus a step for each row, in most of the RAMs."""
    places = [first + column * stride for column in range(highs.shape[1])]
    if min(places) < 0 or max(places) >= rams.shape[1]:
        return False
    told = (line[0] + highs * line[1] - rams[:, places]) & 255
    seen = highs != UNSEEN
    return bool((((told == 0) & seen).sum(axis=0) >= 0.9 * seen.sum(axis=0)).all())


def _linear(rams: npt.NDArray[np.int64], highs: npt.NDArray[np.int64]) -> dict[int, tuple[int, int]]:
    """Bytes that are a base plus a step for each row, modulo 256: (base, step) by offset."""
    rams, highs = rams[highs != UNSEEN], highs[highs != UNSEEN]
    kinds = sorted(set(highs.tolist()))
    if len(kinds) < 3:
        return {}
    means = []
    for kind in kinds:
        part = rams[highs == kind]
        means.append(np.sort(part, axis=0)[len(part) // 2])
    step = (means[1] - means[0]) // (kinds[1] - kinds[0])
    base = means[0] - step * kinds[0]
    told = (base[None, :] + highs[:, None] * step[None, :] - rams) & 255
    good = ((told == 0).mean(axis=0) >= 0.9) & (step != 0)
    return {int(at): (int(base[at]) & 255, int(step[at])) for at in np.flatnonzero(good)}
