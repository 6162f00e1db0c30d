"""Kakera's rules without the cartridge: where stones land, what vanishes, which greys fall, which stones come next.

A field is a tuple of ten rows of five cells, row 0 on top: 0 empty, 1 to 3 a stone's colour, 4 a grey stone. Columns
count from 0 here, as the RAM's ``x`` does. Nothing here depends on the console; tests/toy/README.md says on which
frames the cartridge does what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

COLUMNS = 5
ROWS = 10
COLOURS = 3
EMPTY = 0
GREY = 4
SPAWN_COLUMN = 2
RUN = 3
"""If this many stones of one colour or more lie side by side in a row, they vanish."""
CODES = (0x00, 0x11, 0x22, 0x33, 0x44)
"""The byte in RAM for each cell value, 0 to 4."""

Row = tuple[int, ...]
Field = tuple[Row, ...]
Cells = frozenset[tuple[int, int]]

EMPTY_FIELD: Field = ((EMPTY,) * COLUMNS,) * ROWS


@dataclass(frozen=True)
class Outcome:
    """What a piece does: the settled field, the points it earns, its chain's steps and the greys it sends in versus."""

    field: Field
    score: int
    chain: int
    greys_sent: int


def _columns(field: Field) -> list[list[int]]:
    """Each column's stones from the ground up, without the holes."""
    return [[row[column] for row in reversed(field) if row[column] != EMPTY] for column in range(COLUMNS)]


def _stacked(columns: list[list[int]]) -> Field:
    """The field in which these columns stand on the ground."""
    return tuple(
        tuple(column[height] if height < len(column) else EMPTY for column in columns)
        for height in range(ROWS - 1, -1, -1)
    )


def settled(field: Field) -> Field:
    """The field once every stone has fallen as deep as it can."""
    return _stacked(_columns(field))


def is_over(field: Field) -> bool:
    """Whether no piece can spawn any more."""
    return field[0][SPAWN_COLUMN] != EMPTY or field[1][SPAWN_COLUMN] != EMPTY


def legal_columns(field: Field) -> tuple[int, ...]:
    """The columns that a new piece can reach and in which it has room; none when it can't spawn."""

    def open_from(columns: range) -> list[int]:
        reached = []
        for column in columns:
            if field[0][column] != EMPTY or field[1][column] != EMPTY:
                break
            reached.append(column)
        return reached

    if is_over(field):
        return ()
    left = open_from(range(SPAWN_COLUMN, -1, -1))
    right = open_from(range(SPAWN_COLUMN + 1, COLUMNS))
    return tuple(sorted(left + right))


def place(field: Field, column: int, lower: int, upper: int) -> Field:
    """A settled field with a piece put down in a column, before anything vanishes.

    Raises ValueError when the column has no room for two stones.
    """
    columns = _columns(field)
    if len(columns[column]) > ROWS - 2:
        raise ValueError(f"column {column} has no room for two stones")
    columns[column] += [lower, upper]
    return _stacked(columns)


def runs(field: Field) -> Cells:
    """The stones, as (row, column), of all runs: three and more of one colour side by side in a row."""
    found: set[tuple[int, int]] = set()
    for number, row in enumerate(field):
        for value, group in groupby(range(COLUMNS), key=row.__getitem__):
            columns = list(group)
            if len(columns) >= RUN and value not in (EMPTY, GREY):
                found |= {(number, column) for column in columns}
    return frozenset(found)


def vanishing(field: Field) -> Cells:
    """All cells that become empty now: the runs and the grey stones directly left and right of them."""
    gone = runs(field)
    beside = {(row, column + side) for row, column in gone for side in (-1, 1)}
    return gone | {(row, column) for row, column in beside if 0 <= column < COLUMNS and field[row][column] == GREY}


def without(field: Field, cells: Cells) -> Field:
    """The field with some cells made empty; nothing falls yet."""
    return tuple(
        tuple(EMPTY if (number, column) in cells else value for column, value in enumerate(row))
        for number, row in enumerate(field)
    )


def points(stones: int, step: int) -> int:
    """The points for coloured stones that vanish together in a chain's ``step`` (from 1)."""
    return 10 * stones * step


def drop(field: Field, column: int, lower: int, upper: int) -> Outcome:
    """Puts a piece down in a column of a settled field and lets the chain run to its end.

    Raises ValueError when the column has no room for two stones. It doesn't check whether the piece can get there; see
    ``legal_columns``.
    """
    field = place(field, column, lower, upper)
    score = chain = 0
    while gone := runs(field):
        chain += 1
        score += points(len(gone), chain)
        field = settled(without(field, vanishing(field)))
    return Outcome(field, score, chain, greys_sent=chain)


def fall_greys(field: Field, count: int, column: int) -> tuple[Field, int]:
    """Lets greys fall on a settled field, one in each column in turn, beginning with ``column``.

    Returns the field and the column at which the next greys will begin. A grey whose column is full is lost.
    """
    columns = _columns(field)
    for _ in range(count):
        if len(columns[column]) < ROWS:
            columns[column].append(GREY)
        column = (column + 1) % COLUMNS
    return _stacked(columns), column


def pieces(frame: int) -> Iterator[tuple[int, int]]:
    """Yields a game's pieces as (upper, lower), the same for both seats; when one spawns, the next is shown as NEXT.

    frame: RAM's ``frame`` when START was seen.
    """
    state = frame | 1

    def step() -> None:
        nonlocal state
        state = state >> 1 ^ (0xB400 if state & 1 else 0)

    def colour() -> int:
        while True:
            step()
            step()
            if state & 3:
                return state & 3

    for _ in range(16):
        step()
    while True:
        upper = colour()
        yield upper, colour()
