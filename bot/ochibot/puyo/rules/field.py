"""The playfield: 14 rows (row 0 hidden) of 6 columns, as text, as cells and as bit planes.

The kernels work on bit planes. A plane has one bit for every cell. It is two words of 64 bits, with 16 bits for each
column. Bit 0 of a column is the bottom row, bit 13 the hidden one::

    word "west":  x=1 bits 0-15 | x=2 bits 16-31 | x=3 bits 32-47 | x=4 bits 48-63
    word "east":  x=5           | x=6            | spare          | spare

A cell's code has three bits. ``Field.planes`` holds one plane for each: six words, west and east of bit 0, of bit 1, of
bit 2.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError
from ochibot.quoting import quoted

ROWS: Final = 14
COLUMNS: Final = 6
HIDDEN_ROWS: Final = 1

EMPTY: Final = 0
COLORS: Final = (1, 2, 3, 4, 5, 6)
NUISANCE: Final = 7
WALL: Final = 8

SYMBOLS: Final = ".RGBYPCo"
"""The letter of each cell code 0..7 (red, green, blue, yellow, purple, cyan, nuisance)."""

BOARD_WORDS: Final = 6
"""The number of words in ``Field.planes``. The kernels call such an array a *board*."""

_KNOWN = bytes(range(len(SYMBOLS)))
_CODE_OF = {symbol: code for code, symbol in enumerate(SYMBOLS)}
_SIZE = ROWS * COLUMNS
_BITS = 3


class Field:
    """A playfield, immutable and hashable. Floating cells are allowed; ``resolve`` drops them.

    Make one with ``Field.empty()``, ``Field.parse(text)`` or ``Field.from_cells(array)``.
    """

    __slots__ = ("_cells", "_planes")
    _cells: bytes | None
    _planes: npt.NDArray[np.uint64] | None

    def __init__(self, cells: bytes | None = None, planes: npt.NDArray[np.uint64] | None = None) -> None:
        """For this package's own use: takes 84 cell codes, row by row from the top, or six plane words, unchecked."""
        object.__setattr__(self, "_cells", cells)
        object.__setattr__(self, "_planes", planes)

    @classmethod
    def empty(cls) -> Field:
        """The field of a new game."""
        return cls(bytes(_SIZE))

    @classmethod
    def parse(cls, text: str) -> Field:
        """Reads a field drawn with the letters RGBYPC, ``o`` (nuisance) and ``.``, rows from the top.

        Text of fewer than 14 rows is the lower part of the field. Space around a row and empty lines are
        ignored. Raises FieldError for a row that isn't 6 wide, another letter, or more than 14 rows.
        """
        rows = [line.strip() for line in text.splitlines() if line.strip()]
        if len(rows) > ROWS:
            raise FieldError(f"the field has {len(rows)} rows: draw at most {ROWS}, from the top")
        codes = bytearray()
        for number, row in enumerate(rows, 1):
            if len(row) != COLUMNS:
                raise FieldError(f"row {number} of the field is {quoted(row)}: draw {COLUMNS} cells in every row")
            for symbol in row:
                if symbol not in _CODE_OF:
                    raise FieldError(f"{symbol!r} in row {number} of the field: use only {SYMBOLS}")
                codes.append(_CODE_OF[symbol])
        return cls(bytes(_SIZE - len(codes)) + bytes(codes))

    @classmethod
    def from_cells(cls, cells: npt.ArrayLike) -> Field:
        """The field of a (14, 6) array of cell codes 0..7, row 0 hidden. Raises FieldError for anything else."""
        array = np.asarray(cells)
        if array.shape != (ROWS, COLUMNS):
            raise FieldError(f"the cells have the shape {array.shape}: give {(ROWS, COLUMNS)}")
        if array.dtype.kind not in "iu":
            raise FieldError(f"the cells are of type {array.dtype}: give whole numbers")
        wrong = (array < EMPTY) | (array > NUISANCE)
        if wrong.any():
            y, x = (int(i) for i in np.argwhere(wrong)[0])
            raise FieldError(
                f"cell x={x + 1}, y={y} holds {int(array[y, x])}: a cell code is 0 (empty), 1..6 or 7 (nuisance)"
            )
        return cls(array.astype(np.uint8).tobytes())

    @classmethod
    def from_codes(cls, codes: bytes) -> Field:
        """The field of 84 cell codes 0..7, row by row from the hidden one. Raises FieldError for anything else."""
        if len(codes) != _SIZE or codes.translate(None, _KNOWN):
            raise FieldError(f"a field has {_SIZE} cells with codes from 0 to {NUISANCE}")
        return cls(codes)

    @classmethod
    def from_planes(cls, planes: npt.NDArray[np.uint64]) -> Field:
        """The field of six plane words (see the module's text), which are copied and not checked."""
        own = planes.astype(np.uint64, copy=True)
        own.flags.writeable = False
        return cls(None, own)

    @property
    def codes(self) -> bytes:
        """The 84 cell codes, row by row from the hidden one."""
        if self._cells is None:
            assert self._planes is not None
            object.__setattr__(self, "_cells", _cells_of(self._planes))
        assert self._cells is not None
        return self._cells

    @property
    def cells(self) -> npt.NDArray[np.uint8]:
        """The cell codes, read-only, shape (14, 6); row 0 is the hidden one, column 0 is x = 1."""
        return np.frombuffer(self.codes, np.uint8).reshape(ROWS, COLUMNS)

    def rows(self) -> list[list[int]]:
        """The cell codes as lists, one for each row from the hidden one: faster to index than ``cells``."""
        codes = self.codes
        return [list(codes[at : at + COLUMNS]) for at in range(0, _SIZE, COLUMNS)]

    @property
    def planes(self) -> npt.NDArray[np.uint64]:
        """The bit planes, read-only, six words (see the module's text)."""
        if self._planes is None:
            planes = _planes_of(self.codes)
            planes.flags.writeable = False
            object.__setattr__(self, "_planes", planes)
        assert self._planes is not None
        return self._planes

    def count(self) -> int:
        """How many puyos there are, nuisance included."""
        return _SIZE - self.codes.count(EMPTY)

    def heights(self) -> tuple[int, ...]:
        """The height of each column: the row of its highest puyo, counted from 1 at the floor; 0 if it is empty."""
        columns = (self.codes[x::COLUMNS] for x in range(COLUMNS))
        return tuple(next((ROWS - y for y, code in enumerate(column) if code), 0) for column in columns)

    def is_settled(self) -> bool:
        """Whether no puyo floats."""
        return sum(self.heights()) == self.count()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Field can't be changed (tried to set {name})")

    def __reduce__(self) -> tuple[type[Field], tuple[bytes]]:
        return Field, (self.codes,)

    def __eq__(self, other: object) -> bool:
        return self.codes == other.codes if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.codes)

    def __str__(self) -> str:
        text = "".join(SYMBOLS[code] for code in self.codes)
        return "\n".join(text[i : i + COLUMNS] for i in range(0, _SIZE, COLUMNS))

    def __repr__(self) -> str:
        rows = str(self).split("\n")
        while len(rows) > 1 and rows[0] == "." * COLUMNS:
            rows.pop(0)
        return "Field.parse('" + "/".join(rows).replace("/", r"\n") + "')"


def _planes_of(codes: bytes) -> npt.NDArray[np.uint64]:
    """The plane words of 84 cell codes."""
    cells = np.frombuffer(codes, np.uint8).reshape(ROWS, COLUMNS)[::-1].T
    bits = np.zeros((_BITS, 8, 16), np.uint8)  # [bit of the code, column, row from the floor]
    for k in range(_BITS):
        bits[k, :COLUMNS, :ROWS] = cells >> k & 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def _cells_of(planes: npt.NDArray[np.uint64]) -> bytes:
    """The 84 cell codes of six plane words."""
    bits = np.unpackbits(planes.astype("<u8").view(np.uint8), bitorder="little").reshape(_BITS, 8, 16)
    codes = bits[0] | bits[1] << 1 | bits[2] << 2
    return codes[:COLUMNS, :ROWS].T[::-1].tobytes()
