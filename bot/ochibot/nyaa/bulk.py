"""Computes the ignition values of many boards with compiled kernels, some hundred thousand boards per second.

For users of the package::

    from ochibot.nyaa.bulk import bulk_values

    found = bulk_values(codes)                  # (n, 84) uint8, in reading order, as Grid.codes
    found.low[:, 0], found.high[:, 0]           # the attacks by MVS values; [:, 1]: by those of the PS2

The first call on a machine compiles the kernel. The results are the same as those of ``ochibot.nyaa.ignite``.

Reads many drawn boards, values them with the compiled kernel, and writes a line for each (CSV or JSON).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError
from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.nyaa.calculator.ignition import Ignition, ignite, summary
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, ROWS, SYMBOLS, Grid, parse_boards, place_of
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.nyaa.rules.ties import MOST_BURNS

LIBRARY: Final = KernelLibrary(
    "nyaa-bulk",
    "the values of many boards",
    {
        "values": Kernel(
            "ochibot.nyaa.kernels.bulk",
            "u1[:, ::1], i8, i8, u8[:, ::1], i4[::1], i8[:, ::1], i8[:, ::1], i8[:, ::1], i8[::1], i8[:, ::1], "
            "i8[:, ::1], u8[:, ::1], u8[::1], i8[::1], i8[:, ::1], i8[:, ::1], i2[:, :, ::1]",
            20,
        )
    },
)

_THREADS: Final = min(8, os.cpu_count() or 1)
_LEAST_EACH: Final = 2000
"""The fewest boards per thread. For fewer boards, another thread doesn't pay off."""
RULESETS: Final = tuple(Ruleset)
# The layout of an answer. It is repeated from ochibot.nyaa.kernels.bulk, because that module imports numba.
_LOW, _HIGH, _OUTCOMES, _COMPLETE, _S0, _S1, _T, _POPPED, _TIES, _TAILS = range(10)
_LISTS: Final = 10
_WIDTH: Final = _LISTS + 2 * CELLS
_MOST_OPTIONS, _TABLE, _STATE_WORDS, _OPTION = 1 << 14, 1 << 15, 5 + 2 * CELLS, 6


@dataclass(frozen=True, slots=True, eq=False)
class BulkValues:
    """The values of n boards. Each array has a row for each board, with a column for MVS and one for the PS2.

    low, high: the lowest and the highest attack. outcomes: how many outcomes there are. complete: whether all ways to
    settle the ties were tried. exact: whether all were tried and there is only one outcome. answers: all numbers of all
    boards, as the kernel ``ochibot.nyaa.kernels.bulk.values`` wrote them.
    """

    answers: npt.NDArray[np.int16]

    @property
    def low(self) -> npt.NDArray[np.int16]:
        """The lowest attack of each board, (n, 2)."""
        return self.answers[:, :, _LOW]

    @property
    def high(self) -> npt.NDArray[np.int16]:
        """The highest attack of each board, (n, 2)."""
        return self.answers[:, :, _HIGH]

    @property
    def outcomes(self) -> npt.NDArray[np.int16]:
        """The number of outcomes of each board, (n, 2)."""
        return self.answers[:, :, _OUTCOMES]

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """Whether all ways to settle a board's ties were tried, (n, 2)."""
        return self.answers[:, :, _COMPLETE] != 0

    @property
    def exact(self) -> npt.NDArray[np.bool_]:
        """Whether a board has a single outcome, however the original game settles ties, (n, 2)."""
        return self.complete & (self.outcomes == 1)

    @property
    def attack_exact(self) -> npt.NDArray[np.bool_]:
        """Whether a board's attack is certain, (n, 2)."""
        return self.complete & (self.low == self.high)

    @property
    def paths_exact(self) -> npt.NDArray[np.bool_]:
        """Whether no tie of a board is open, (n, 2)."""
        return self.answers[:, :, _TIES] == 0

    def __len__(self) -> int:
        return len(self.answers)

    def summary(self, board: int, ruleset: Ruleset) -> dict[str, Any]:
        """The report on one board, the same as ``ochibot.nyaa.calculator.ignition.summary``."""
        row = self.answers[board, RULESETS.index(ruleset)].tolist()
        ties, tails = row[_TIES], row[_TAILS]
        return {
            "attack": [row[_LOW], row[_HIGH]],
            "exact": bool(row[_COMPLETE]) and row[_OUTCOMES] == 1,
            "attack_exact": bool(row[_COMPLETE]) and row[_LOW] == row[_HIGH],
            "paths_exact": ties == 0,
            "tails": row[_LISTS + CELLS : _LISTS + CELLS + tails],
            "s0": row[_S0],
            "s1": row[_S1],
            "t": row[_T],
            "bonus": row[_LOW] - row[_S0] if ruleset is Ruleset.MVS else 0,
            "popped": row[_POPPED],
            "outcomes": row[_OUTCOMES],
            "complete": bool(row[_COMPLETE]),
            "open_ties": [list(place_of(cell)) for cell in row[_LISTS : _LISTS + ties]],
        }

    def texts(self, ruleset: Ruleset) -> list[str]:
        """``summary`` of every board as JSON, as ``json.dumps`` writes it."""
        rows = self.answers[:, RULESETS.index(ruleset)]
        tails, ties = (self._listed(rows, column, at) for column, at in ((_TAILS, _LISTS + CELLS), (_TIES, _LISTS)))
        mvs = ruleset is Ruleset.MVS
        return [
            f'{{"attack": [{low}, {high}], {_FLAGS[complete, outcomes == 1, low == high, not open_ties]}, '
            f'"tails": {values}, "s0": {s0}, "s1": {s1}, "t": {t}, "bonus": {low - s0 if mvs else 0}, '
            f'"popped": {popped}, "outcomes": {outcomes}, {_ENDS[complete]}{_said(open_ties)}]}}'
            for (low, high, outcomes, complete, s0, s1, t, popped), values, open_ties in zip(
                rows[:, :_TIES].tolist(), tails, ties, strict=True
            )
        ]

    @staticmethod
    def _listed(rows: npt.NDArray[np.int16], column: int, at: int) -> Iterator[list[int]]:
        """The lists of all boards that begin at ``at``; ``column`` says how long each is.

        They are made one at a time, since Python's garbage collector looks at all lists that live.
        """
        ends = np.cumsum(rows[:, column]).tolist()
        flat = rows[:, at : at + CELLS][np.arange(CELLS) < rows[:, column, None]].tolist()
        return (flat[begin:end] for begin, end in zip([0, *ends], ends, strict=False))


def _flags(complete: bool, one: bool, alike: bool, tieless: bool) -> str:
    said = json.dumps({"exact": complete and one, "attack_exact": complete and alike, "paths_exact": tieless})
    return said[1:-1]


_FLAGS: Final = {flags: _flags(*flags) for flags in product((False, True), repeat=4)}
"""What JSON says of a board that has all its outcomes, has one, has one attack, and has no open tie."""
_ENDS: Final = '"complete": false, "open_ties": [', '"complete": true, "open_ties": ['


def _said(cells: list[int]) -> str:
    return ", ".join([_PLACES[cell] for cell in cells]) if cells else ""


_PLACES: Final = tuple(str(list(place_of(cell))) for cell in range(CELLS))
"""The place of each cell, as JSON."""


def bulk_values(codes: npt.ArrayLike, *, most_burns: int = MOST_BURNS) -> BulkValues:
    """Computes the ignition values of boards under both rulesets.

    codes: (n, 84) or (n, 12, 7) whole numbers, each board's cells in reading order (0 empty, 1..4 blocks, 5 nuisance,
    6..9 needles). most_burns: as in ``ignite``. Raises FieldError for other arrays.
    """
    array = np.asarray(codes)
    if array.dtype.kind not in "iu" or array.ndim not in (2, 3) or array.size != len(array) * CELLS:
        raise FieldError(f"boards are whole numbers, {CELLS} for each: give an array of (n, {CELLS}) or (n, 12, 7)")
    if array.size and (array.min() < 0 or array.max() >= len(SYMBOLS)):
        raise FieldError(f"the cells of boards are numbers from 0 to {len(SYMBOLS) - 1}")
    boards = np.ascontiguousarray(array.reshape(len(array), CELLS), np.uint8)
    most = max(1, most_burns)
    answers = np.zeros((len(boards), 2, _WIDTH), np.int16)
    kernel = LIBRARY.load("values")
    many = min(_THREADS, len(boards) // _LEAST_EACH or 1)
    if many == 1:
        _work(kernel, boards, answers, most)
    else:
        parts = np.array_split(np.arange(len(boards)), many)
        with ThreadPoolExecutor(many) as threads:  # the kernel releases the GIL
            spans = [slice(int(part[0]), int(part[-1]) + 1) for part in parts]
            for done in [threads.submit(_work, kernel, boards[span], answers[span], most) for span in spans]:
                done.result()
    return BulkValues(answers)


def _work(kernel: Callable[..., int], boards: npt.NDArray[np.uint8], answers: npt.NDArray[np.int16], most: int) -> None:
    memory = (
        np.zeros((most, _STATE_WORDS), np.uint64),
        np.full(_TABLE, -1, np.int32),
        np.zeros((_MOST_OPTIONS, _OPTION), np.int64),
        np.zeros((_MOST_OPTIONS, _OPTION), np.int64),
        np.zeros((_MOST_OPTIONS, _OPTION), np.int64),
        np.zeros(256, np.int64),
        np.zeros((CELLS, 2), np.int64),
        np.zeros((6, CELLS), np.int64),
        np.zeros((CELLS + 1, 4), np.uint64),
        np.zeros(20, np.uint64),
        np.zeros(CELLS, np.int64),
        np.zeros((CELLS, 8), np.int64),
        np.zeros((CELLS, 3), np.int64),
    )
    first = 0
    while (first := kernel(boards, most, first, *memory, answers)) < len(boards):
        # this board has too many outcomes for the kernel's memory, so the plain Python engine values it
        for number, ruleset in enumerate(RULESETS):
            found = ignite(Grid(boards[first].tobytes()), ruleset, most_burns=most, most_outcomes=2)
            _write(found, answers[first, number])
        first += 1


def _write(found: Ignition, row: npt.NDArray[np.int16]) -> None:
    one = found.outcomes[0]
    row[:_LISTS] = (
        *(found.low, found.high, found.total, found.complete, one.s0, one.s1, one.t, int((one.steps > 0).sum())),
        *(len(found.open_ties), len(one.tails)),
    )
    ties = [(12 - y) * 7 + x - 1 for x, y in found.open_ties]
    row[_LISTS : _LISTS + len(ties)] = ties
    row[_LISTS + CELLS : _LISTS + CELLS + len(one.tails)] = [tail.value for tail in one.tails]


Codes = npt.NDArray[np.uint8]

PLAIN: Final = 2_000
"""Up to this many boards, the plain engine takes less time than loading the kernel."""
_CHUNK: Final = 20_000
_CERTAIN: Final = ("exact", "complete", "attack_exact", "paths_exact")
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
    names = ("low", "high", *_CERTAIN)
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
        return np.array(rows, np.int64).reshape(len(codes), (2 + len(_CERTAIN)) * len(chosen))
    found = bulk_values(codes)
    columns = [RULESETS.index(one) for one in chosen]
    parts = (found.low, found.high, *(getattr(found, name) for name in _CERTAIN))
    return np.stack([part[:, columns] for part in parts], axis=2).reshape(len(codes), -1).astype(np.int64)


def _listed(values: dict[str, Any]) -> list[int]:
    return [*values["attack"], *(int(values[name]) for name in _CERTAIN)]


def json_lines(codes: Codes, chosen: Sequence[Ruleset]) -> Iterator[str]:
    """Yields texts of lines, a line for each board: a JSON object with its values by the name of the ruleset."""
    for begin in range(0, len(codes), _CHUNK):
        part = codes[begin : begin + _CHUNK]
        if len(part) <= PLAIN:
            for one in part:
                grid = Grid(one.tobytes())
                yield json.dumps({str(ruleset): summary(ignite(grid, ruleset)) for ruleset in chosen}) + "\n"
            continue
        found = bulk_values(part)
        texts = [[f'"{ruleset}": {text}' for text in found.texts(ruleset)] for ruleset in chosen]
        yield "".join([f"{{{', '.join(line)}}}\n" for line in zip(*texts, strict=True)])
