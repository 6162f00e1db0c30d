"""The playfield of Pochi & Nyaa: 12 rows of 7 columns, as text and as cells.

In (x, y), x counts from the left (1..7) and y from the floor (1..12). Arrays have the top row first. ``cell_of`` and
``place_of`` convert between (x, y) and the *cell*, an index in reading order: 0 is at the top left, 83 at the bottom
right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError

ROWS: Final = 12
COLUMNS: Final = 7
CELLS: Final = ROWS * COLUMNS

EMPTY: Final = 0
COLORS: Final = (1, 2, 3, 4)
NUISANCE: Final = 5

SYMBOLS: Final = ".rgbyoRGBY"
"""The letter of each cell code: empty, the blocks red, green, blue, yellow, nuisance, and the four needles."""

_KNOWN = bytes(range(len(SYMBOLS)))
_NEEDLES = 5
"""A needle's code is its colour plus this number."""
_CODE_OF = {symbol: code for code, symbol in enumerate(SYMBOLS)}


def cell_of(x: int, y: int) -> int:
    """The cell at column x (1..7) and row y (1..12, from the floor)."""
    return (ROWS - y) * COLUMNS + x - 1


def place_of(cell: int) -> tuple[int, int]:
    """The column and row (x, y) of a cell."""
    return cell % COLUMNS + 1, ROWS - cell // COLUMNS


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """A playfield, immutable and hashable. Floating cells are allowed.

    codes: 84 cell codes in reading order: 0 empty, 1..4 blocks (red, green, blue, yellow), 5 nuisance, 6..9 needles.
    """

    codes: bytes

    def __post_init__(self) -> None:
        """Raises FieldError unless there are 84 known codes."""
        if len(self.codes) != CELLS or self.codes.translate(None, _KNOWN):
            raise FieldError(f"a grid has {CELLS} cells with codes from 0 to {len(SYMBOLS) - 1}")

    @classmethod
    def empty(cls) -> Grid:
        """The grid of a new game."""
        return cls(bytes(CELLS))

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Reads a grid drawn with ``.`` (empty), ``r g b y`` (blocks), ``o`` (nuisance) and ``R G B Y`` (needles).

        The top row comes first. If the text has fewer than 12 rows, they are the lowest rows of the grid. Spaces, empty
        lines, and the row and column numbers that ``ochibot nyaa`` draws are ignored. Raises FieldError with line and
        column for a row that isn't 7 wide, another letter, a 13th row, or a text without rows.
        """
        return _read(_drawn_lines(text), "")

    @classmethod
    def from_cells(cls, blocks: npt.ArrayLike, needles: npt.ArrayLike | None = None) -> Grid:
        """Makes a grid from two (12, 7) arrays (see ``blocks`` and ``needles``). Raises FieldError for other arrays."""
        codes = np.zeros((ROWS, COLUMNS), np.uint8)
        for what, cells, last in (("blocks", blocks, NUISANCE), ("needles", needles, COLORS[-1])):
            if cells is None:
                continue
            array = np.asarray(cells)
            if array.shape != (ROWS, COLUMNS) or array.dtype.kind not in "iu":
                raise FieldError(f"the {what} of a grid are {ROWS} x {COLUMNS} whole numbers")
            if ((array < 0) | (array > last)).any():
                raise FieldError(f"the {what} of a grid are numbers from 0 to {last}")
            if (codes[array != 0] != 0).any():
                raise FieldError("a needle of the grid lies on a block: a cell holds one of them")
            codes[array != 0] = array[array != 0] + (_NEEDLES if what == "needles" else 0)
        return cls(codes.tobytes())

    @property
    def blocks(self) -> npt.NDArray[np.int8]:
        """The blocks, shape (12, 7), top row first: 0 none, 1..4 red, green, blue, yellow, 5 nuisance."""
        cells = np.frombuffer(self.codes, np.int8).reshape(ROWS, COLUMNS)
        return np.where(cells > _NEEDLES, 0, cells).astype(np.int8)

    @property
    def needles(self) -> npt.NDArray[np.int8]:
        """The needles, shape (12, 7), top row first: 0 none, 1..4 red, green, blue, yellow."""
        cells = np.frombuffer(self.codes, np.int8).reshape(ROWS, COLUMNS)
        return np.where(cells > _NEEDLES, cells - _NEEDLES, 0).astype(np.int8)

    def block(self, cell: int) -> int:
        """The code of the block at a cell (0: none there)."""
        code = self.codes[cell]
        return code if code <= _NEEDLES else 0

    def needle(self, cell: int) -> int:
        """The colour of the needle at a cell (0: none there)."""
        code = self.codes[cell]
        return code - _NEEDLES if code > _NEEDLES else 0

    def has_needle(self) -> bool:
        """Whether there is any needle."""
        return max(self.codes) > _NEEDLES

    def count(self) -> int:
        """How many cells are occupied."""
        return CELLS - self.codes.count(EMPTY)

    def with_block(self, cell: int, code: int) -> Grid:
        """The same grid with a block (1..5) at a cell, or nothing (0)."""
        return self._with(cell, code)

    def with_needle(self, cell: int, color: int) -> Grid:
        """The same grid with a needle of a colour 1..4 at a cell."""
        return self._with(cell, color + _NEEDLES)

    def _with(self, cell: int, code: int) -> Grid:
        codes = bytearray(self.codes)
        codes[cell] = code
        return Grid(bytes(codes))

    def __str__(self) -> str:
        text = "".join(SYMBOLS[code] for code in self.codes)
        return "\n".join(text[i : i + COLUMNS] for i in range(0, CELLS, COLUMNS))

    def __repr__(self) -> str:
        rows = str(self).split("\n")
        while len(rows) > 1 and rows[0] == "." * COLUMNS:
            rows.pop(0)
        return "Grid.parse('" + r"\n".join(rows) + "')"


def parse_boards(text: str) -> tuple[Grid, ...]:
    """Reads several grids with empty lines between them. Raises FieldError as ``Grid.parse`` does; the message names
    the board.
    """
    boards: list[Grid] = []
    lines: list[tuple[int, str]] = []
    for number, line in enumerate((*_LINE_END.split(text), ""), 1):
        if _is_row(line):
            lines.append((number, line))
            if len(lines) <= ROWS:
                continue
        if lines:
            boards.append(_read(iter(lines), f" of board {len(boards) + 1}" if boards else ""))
            lines = []
    if not boards:
        raise FieldError(f"there is no board: draw one in rows of {COLUMNS} of the letters {SYMBOLS}, top row first")
    return tuple(boards)


_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_ROW_NUMBER: Final = re.compile(r"[ \t]*\d{1,2}[ \t]+")
_NO_SPACES: Final = {ord(" "): None, ord("\t"): None}
_COLUMN_NUMBERS: Final = [str(x) for x in range(1, COLUMNS + 1)]


def _is_row(line: str) -> bool:
    return bool(line.strip()) and line.split() != _COLUMN_NUMBERS


def _drawn_lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(_LINE_END.split(text), 1) if _is_row(line))


def _read(lines: Iterator[tuple[int, str]], where: str) -> Grid:
    codes = bytearray()
    number = 0
    for number, line in lines:
        if len(codes) == CELLS:
            raise FieldError(f"line {number}, column 1{where}: this is row {ROWS + 1}; draw at most {ROWS} rows")
        numbered = _ROW_NUMBER.match(line)
        row = line[numbered.end() if numbered else 0 :].rstrip()
        before = len(line.rstrip()) - len(row)
        cells = 0
        for column, symbol in enumerate(row, before + 1):
            # white space other than blanks and tabs is allowed only before a row's first cell
            if symbol in " \t" or (not cells and symbol.isspace()):
                continue
            if cells == COLUMNS:
                break
            if symbol not in _CODE_OF:
                raise FieldError(f"line {number}, column {column}{where}: {symbol!r} is unknown; use only {SYMBOLS}")
            codes.append(_CODE_OF[symbol])
            cells += 1
        else:
            column = before + len(row) + 1
        wide = len(row.lstrip().translate(_NO_SPACES))
        if wide != COLUMNS:
            place = f"line {number}, column {column}{where}"
            raise FieldError(f"{place}: the row is {wide} wide; draw {COLUMNS} cells in every row")
    if not number:
        raise FieldError(f"the grid has no row: draw rows of {COLUMNS} of the letters {SYMBOLS}")
    return Grid(bytes(CELLS - len(codes)) + bytes(codes))
