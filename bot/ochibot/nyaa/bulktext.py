"""Reads many drawn boards, values them with the compiled kernel, and writes a line for each (CSV or JSON)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.nyaa.calculator.ignition import ignite, summary
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, ROWS, SYMBOLS, Grid, parse_boards
from ochibot.nyaa.rules.profile import Ruleset

Codes = npt.NDArray[np.uint8]

PLAIN: Final = 2_000
"""Up to this many boards, the plain engine takes less time than loading the kernel."""
_CHUNK: Final = 20_000
_FLAGS: Final = ("exact", "complete", "attack_exact", "paths_exact")
_NEWLINE: Final = 10
_UNKNOWN: Final = 255


def read_codes(text: str) -> Codes:
    """Reads the boards of a text, (n, 84) in reading order. Raises FieldError as ``parse_boards`` does."""
    found = _plainly_drawn(text)
    if found is None:  # the text has spaces, numbers, unusual line ends, or an error that must be reported
        grids = parse_boards(text)
        found = np.frombuffer(b"".join(grid.codes for grid in grids), np.uint8).reshape(len(grids), CELLS)
    return found


_CODE_OF: Final = bytes(SYMBOLS.find(chr(letter)) & _UNKNOWN for letter in range(256))
"""The cell code of each letter; _UNKNOWN for other characters."""


def _plainly_drawn(text: str) -> Codes | None:
    """Reads a text that has only rows of 7 letters and empty lines; None for any other text."""
    if not text.isascii() or not text:
        return None
    drawn = text.encode()
    found = _in_order(drawn)
    if found is not None:
        return found
    letters = np.frombuffer(drawn + b"\n\n", np.uint8)
    ends = np.flatnonzero(letters == _NEWLINE)
    lengths = np.diff(ends, prepend=-1) - 1
    if not ((lengths == COLUMNS) | (lengths == 0)).all():
        return None
    is_row = lengths == COLUMNS
    rows = np.flatnonzero(is_row)
    if not len(rows):
        return None
    codes = np.frombuffer(_CODE_OF, np.uint8)[letters[(ends[rows] - COLUMNS)[:, None] + np.arange(COLUMNS)]]
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


def _in_order(drawn: bytes) -> Codes | None:
    """Reads a text in which every board has 12 rows with one empty line between two boards; None for any other text."""
    whole = drawn.rstrip(b"\n") + b"\n\n"
    line, board = COLUMNS + 1, ROWS * (COLUMNS + 1) + 1
    if len(whole) % board or drawn[:1] == b"\n":
        return None
    letters = np.frombuffer(whole, np.uint8).reshape(-1, board)
    codes = np.frombuffer(whole.translate(_CODE_OF), np.uint8).reshape(-1, board)[:, :-1].reshape(-1, ROWS, line)
    if (letters[:, COLUMNS::line] != _NEWLINE).any() or (letters[:, -1] != _NEWLINE).any():
        return None
    cells = np.ascontiguousarray(codes[:, :, :COLUMNS])
    return cells.reshape(-1, CELLS) if np.max(cells) != _UNKNOWN else None


def csv_lines(codes: Codes, chosen: Sequence[Ruleset]) -> Iterator[str]:
    """Yields a header line, then texts of up to _CHUNK lines, a line for each board.

    A line has the board's number, and for each ruleset low and high, and as 1 or 0: exact, complete, attack_exact and
    paths_exact.
    """
    names = ("low", "high", *_FLAGS)
    yield ",".join(["board", *(f"{one}_{name}" for one in chosen for name in names)]) + "\n"
    for begin in range(0, len(codes), _CHUNK):
        yield _rows(_table(codes[begin : begin + _CHUNK], chosen), begin + 1)


def _rows(table: npt.NDArray[np.int64], first: int) -> str:
    """The lines of a table, numbered from ``first``.

    Each number is looked up in an array of texts, which are padded with zero bytes. At the end the zero bytes are
    removed. Formatting the numbers one by one would take ten times as long.
    """
    most = int(np.max(table))
    width = len(str(most)) + 1
    letters = np.array([b"%d," % number for number in range(most + 1)], f"S{width}")
    body = letters[table].view(np.uint8).reshape(len(table), -1)
    last = body[:, -width:]
    last[last == ord(",")] = _NEWLINE
    digits = len(str(first + len(table) - 1))
    numbers = (np.arange(first, first + len(table))[:, None] // 10 ** np.arange(digits - 1, -1, -1)).astype(np.int64)
    head = np.full((len(table), digits + 1), ord(","), np.uint8)
    head[:, :-1] = np.where(numbers > 0, numbers % 10 + ord("0"), 0)
    flat = np.hstack([head, body]).ravel()
    return flat[flat > 0].tobytes().decode("ascii")


def _table(codes: Codes, chosen: Sequence[Ruleset]) -> npt.NDArray[np.int64]:
    if len(codes) <= PLAIN:
        rows = [[_listed(summary(ignite(Grid(one.tobytes()), ruleset))) for ruleset in chosen] for one in codes]
        return np.array(rows, np.int64).reshape(len(codes), (2 + len(_FLAGS)) * len(chosen))
    from ochibot.nyaa.bulk import RULESETS, bulk_values

    found = bulk_values(codes)
    columns = [RULESETS.index(one) for one in chosen]
    parts = (found.low, found.high, *(getattr(found, name) for name in _FLAGS))
    return np.stack([part[:, columns] for part in parts], axis=2).reshape(len(codes), -1).astype(np.int64)


def _listed(values: dict[str, Any]) -> list[int]:
    return [*values["attack"], *(int(values[name]) for name in _FLAGS)]


def json_lines(codes: Codes, chosen: Sequence[Ruleset]) -> Iterator[str]:
    """Yields texts of lines, a line for each board: a JSON object with its values by the name of the ruleset."""
    for begin in range(0, len(codes), _CHUNK):
        part = codes[begin : begin + _CHUNK]
        if len(part) <= PLAIN:
            for one in part:
                grid = Grid(one.tobytes())
                yield json.dumps({str(ruleset): summary(ignite(grid, ruleset)) for ruleset in chosen}) + "\n"
            continue
        from ochibot.nyaa.bulk import bulk_values

        found = bulk_values(part)
        texts = [[f'"{ruleset}": {text}' for text in found.texts(ruleset)] for ruleset in chosen]
        yield "".join([f"{{{', '.join(line)}}}\n" for line in zip(*texts, strict=True)])
