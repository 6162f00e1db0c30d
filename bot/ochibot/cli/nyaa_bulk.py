"""Many boards of ``ochibot nyaa value`` at once: read, valued by the compiled kernel, and told a line for each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.nyaa.calculator.ignition import ignite
from ochibot.nyaa.calculator.report import summary
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, ROWS, SYMBOLS, Grid, parse_boards
from ochibot.nyaa.rules.profile import Ruleset

Codes = npt.NDArray[np.uint8]

PLAIN: Final = 2_000
"""Up to so many boards the plain engine is done before the kernel would be loaded."""
_CHUNK: Final = 20_000
_NEWLINE: Final = 10
_UNKNOWN: Final = 255


def read_codes(text: str) -> Codes:
    """The boards of a text, (n, 84) in reading order. Raises FieldError as ``parse_boards``."""
    found = _plainly_drawn(text)
    if found is None:  # spaces, numbers, other line ends, or a fault to be named
        grids = parse_boards(text)
        found = np.frombuffer(b"".join(grid.codes for grid in grids), np.uint8).reshape(len(grids), CELLS)
    return found


def _plainly_drawn(text: str) -> Codes | None:
    """The boards of a text that has only rows of 7 letters and empty lines; None for any other."""
    if not text.isascii() or not text:
        return None
    letters = np.frombuffer(text.encode() + b"\n\n", np.uint8)
    ends = np.flatnonzero(letters == _NEWLINE)
    lengths = np.diff(ends, prepend=-1) - 1
    if not ((lengths == COLUMNS) | (lengths == 0)).all():
        return None
    is_row = lengths == COLUMNS
    rows = np.flatnonzero(is_row)
    if not len(rows):
        return None
    code_of = np.full(256, _UNKNOWN, np.uint8)
    code_of[np.frombuffer(SYMBOLS.encode(), np.uint8)] = np.arange(len(SYMBOLS))
    codes = code_of[letters[(ends[rows] - COLUMNS)[:, None] + np.arange(COLUMNS)]]
    if (codes == _UNKNOWN).any():
        return None
    first = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
    board = np.zeros(len(rows), np.int64)
    board[first] = 1
    board = np.cumsum(board) - 1
    heights = np.diff(np.append(first, len(rows)))
    if heights.max() > ROWS:
        return None
    grids = np.zeros((len(first), ROWS, COLUMNS), np.uint8)
    grids[board, ROWS - heights[board] + np.arange(len(rows)) - first[board]] = codes
    return grids.reshape(len(first), CELLS)


def csv_lines(codes: Codes, chosen: Sequence[Ruleset], _: int = 0) -> Iterator[str]:
    """A head, and for each board its number and, by ruleset: low, high, whether exact, whether complete (1 or 0)."""
    names = ("low", "high", "exact", "complete")
    yield ",".join(["board", *(f"{one}_{name}" for one in chosen for name in names)]) + "\n"
    for begin in range(0, len(codes), _CHUNK):
        table = _table(codes[begin : begin + _CHUNK], chosen)
        numbers = np.arange(begin + 1, begin + 1 + len(table))[:, None]
        line = ",".join(["%d"] * (1 + table.shape[1])) + "\n"
        many: list[int] = np.hstack([numbers, table]).ravel().tolist()
        yield (line * len(table)) % tuple(many)


def _table(codes: Codes, chosen: Sequence[Ruleset]) -> npt.NDArray[np.int64]:
    if len(codes) <= PLAIN:
        rows = [[_four(summary(ignite(Grid(one.tobytes()), ruleset))) for ruleset in chosen] for one in codes]
        return np.array(rows, np.int64).reshape(len(codes), 4 * len(chosen))
    from ochibot.nyaa.bulk import RULESETS, bulk_values

    found = bulk_values(codes)
    columns = [RULESETS.index(one) for one in chosen]
    parts = (found.low, found.high, found.exact, found.complete)
    return np.stack([part[:, columns] for part in parts], axis=2).reshape(len(codes), -1).astype(np.int64)


def _four(told: dict[str, Any]) -> list[int]:
    return [*told["attack"], int(told["exact"]), int(told["complete"])]


def json_lines(codes: Codes, chosen: Sequence[Ruleset], least: int) -> Iterator[str] | None:
    """The lines of ``--json``; None for fewer boards than ``least``."""
    return None if len(codes) < least else _json_lines(codes, chosen)


def _json_lines(codes: Codes, chosen: Sequence[Ruleset]) -> Iterator[str]:
    for begin in range(0, len(codes), _CHUNK):
        part = codes[begin : begin + _CHUNK]
        if len(part) <= PLAIN:
            for one in part:
                grid = Grid(one.tobytes())
                yield json.dumps({str(ruleset): summary(ignite(grid, ruleset)) for ruleset in chosen}) + "\n"
            continue
        from ochibot.nyaa.bulk import bulk_values

        found = bulk_values(part)
        for number in range(len(part)):
            yield json.dumps({str(ruleset): found.summary(number, ruleset) for ruleset in chosen}) + "\n"
