"""Checks whether two fields differ only by fallen nuisance, whatever columns the game chose for it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.uint8] | npt.NDArray[np.int8]


def covered(before: Cells, after: Cells, nuisance: int, count: int) -> bool:
    """Whether ``after`` is the settled field ``before`` with exactly ``count`` nuisance (code ``nuisance``) on top.

    Both are (rows, columns), top row first, 0 for empty. Nuisance falls in full rows, and what remains
    falls into different columns. So the columns' amounts differ by one at most. A puyo whose column is full is lost.
    """
    if count == 0:
        return bool((before == after).all())
    columns = _fallen(before, after, nuisance)
    if columns is None:
        return False
    full_rows, rest = divmod(count, len(columns))
    extra = blind = 0
    for fallen, room in columns:
        blind += room <= full_rows
        if fallen == min(full_rows + 1, room) and fallen > min(full_rows, room):
            extra += 1
        elif fallen != min(full_rows, room):
            return False
    return rest - blind <= extra <= rest


def covered_anyhow(before: Cells, after: Cells, nuisance: int) -> bool:
    """Whether ``after`` is the settled field ``before`` with any nuisance on top, in any columns.

    The arguments are those of ``covered``.
    """
    return _fallen(before, after, nuisance) is not None


def covered_evenly(before: Cells, after: Cells, nuisance: int, count: int) -> bool:
    """Whether ``after`` is ``before`` with ``count`` nuisance on top, in a game that skips full columns.

    The arguments are those of ``covered``, but both fields hold only rows that nuisance can fill. Nuisance is lost only
    when all columns are full.
    """
    if count == 0:
        return bool((before == after).all())
    columns = _fallen(before, after, nuisance)
    if columns is None:
        return False
    least = max(fallen for fallen, _ in columns) - 1
    even = all(fallen >= least or fallen == room for fallen, room in columns)
    return even and sum(fallen for fallen, _ in columns) == min(count, sum(room for _, room in columns))


def _fallen(before: Cells, after: Cells, nuisance: int) -> list[tuple[int, int]] | None:
    """(nuisance on top, room for it) in each column; None if the fields also differ otherwise."""
    rows, columns = before.shape
    found = []
    for x in range(columns):
        height, reached = int((before[:, x] != 0).sum()), int((after[:, x] != 0).sum())
        if reached < height or (after[rows - height :, x] != before[rows - height :, x]).any():
            return None
        if (after[rows - reached : rows - height, x] != nuisance).any():
            return None
        found.append((reached - height, rows - height))
    return found
