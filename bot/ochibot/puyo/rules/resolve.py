"""Resolving a field: drop what floats, clear groups, drop, clear, until nothing clears. Plain Python.

The search does the same with the kernels; tests/puyo compares both with a third, naive implementation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import COLUMNS, EMPTY, NUISANCE, ROWS, Field
from ochibot.puyo.rules.motion import can_start, dropped
from ochibot.puyo.rules.pair import BIG, Pair, PairState, Placement, halves
from ochibot.puyo.rules.profile import Rules

_NOTHING = bytes((EMPTY,))
_STONE = bytes((NUISANCE,))
_STRIDE = ROWS + 2

_Column = list[int]
"""The codes of one column, without gaps, from the floor."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a lock or of resolving a field.

    field: settled, with nothing left to clear. score: shown points gained, before the cap. chain: steps that cleared.
    cleared: puyos cleared, nuisance included. game_over: whether the spawn cell of the axis is occupied.
    """

    field: Field
    score: int
    chain: int
    cleared: int
    game_over: bool


def place(field: Field, pair: Pair, placement: Placement, rules: Rules) -> Outcome:
    """Locks the piece at ``placement`` and resolves the field.

    The halves of a pair drop to the bottom of their columns. The big puyo empties its two columns, for ``score_unit``
    points a puyo. The carbuncle drops, gives the coloured puyos beside it the colour of the one below it, and
    vanishes.

    Raises FieldError for an item where the rules have none, and when a cell of the piece would lie outside the field or
    on a puyo (the big puyo may lie on puyos). It doesn't check that the piece can get there.
    """
    if pair.is_item:
        refuse_item(rules)
        return _place_item(field.cells.copy(), pair, PairState(placement.x, placement.y, placement.orientation), rules)
    codes = bytearray(field.codes)
    for (x, y), color in zip(halves(placement), pair, strict=True):
        at = y * COLUMNS + x - 1
        if not (1 <= x <= COLUMNS and rules.moving_top <= y < ROWS) or codes[at] != EMPTY:
            raise FieldError(f"the pair can't lock at x={x}, y={y}: that cell isn't free")
        codes[at] = color
    return resolve(Field.from_codes(bytes(codes)), rules)


def refuse_item(rules: Rules) -> None:
    """Raises FieldError where the rules have no items."""
    if not rules.items.allowed:
        raise FieldError(f"the rules {rules.name} have no items: give a pair of colours")


def _place_item(cells: npt.NDArray[np.uint8], pair: Pair, state: PairState, rules: Rules) -> Outcome:
    if not can_start(cells, state, pair, rules):
        raise FieldError(f"the item can't lock at x={state.x}, y={state.y}: it doesn't fit there")
    if pair.axis == BIG:
        columns = cells[:, state.x - 1 : state.x + 1]
        cleared = int((columns != EMPTY).sum())
        columns[:] = EMPTY
        after = resolve(Field.from_cells(cells), rules)
        score = after.score + rules.score_unit * cleared
        if cleared and not after.cleared and after.field.count() == 0:
            score += rules.all_clear_now
        return replace(after, score=score, cleared=after.cleared + cleared)
    x, y, _ = dropped(cells, state, pair, rules)
    below = cells[y + 1, x - 1] if y + 1 < ROWS else NUISANCE
    if below != NUISANCE:
        for beside in (x - 1, x + 1):
            if 1 <= beside <= COLUMNS and EMPTY < cells[y, beside - 1] < NUISANCE:
                cells[y, beside - 1] = below
    return resolve(Field.from_cells(cells), rules)


def resolve(field: Field, rules: Rules) -> Outcome:
    """Drops floating puyos, then clears groups, step by step, until nothing clears.

    Puyos above the highest row that keeps puyos are removed.
    """
    rows = rules.kept_rows
    columns = [column[:rows] for column in stacked(field)]
    score = chain = cleared = 0
    while groups := clearing_groups(columns, rules):
        chain += 1
        doomed = {cell for group in groups for cell in group}
        colors = {columns[x][y] for x, y in doomed}
        doomed |= {(x, y) for cell in doomed for x, y in neighbours(*cell, columns, rules) if columns[x][y] == NUISANCE}
        sizes = [len(group) for group in groups]
        emptied, nuisance = leaves_empty(columns, doomed, rules), len(doomed) - sum(sizes)
        score += rules.step_score(chain, sizes, len(colors), emptied=emptied, nuisance=nuisance)
        cleared += len(doomed)
        columns = [[code for y, code in enumerate(column) if (x, y) not in doomed] for x, column in enumerate(columns)]
    if chain and not any(columns):
        score += rules.all_clear_now
    over = len(columns[rules.spawn.x - 1]) >= ROWS - rules.spawn.y
    return Outcome(_field(columns), score, chain, cleared, over)


def stacked(field: Field) -> list[_Column]:
    """The field's columns after all that floats has dropped: the codes of each from the floor."""
    codes = field.codes[::-1]
    return [list(codes[COLUMNS - 1 - x :: COLUMNS].translate(None, _NOTHING)) for x in range(COLUMNS)]


def _field(columns: list[_Column]) -> Field:
    codes = bytearray(ROWS * COLUMNS)
    for x, column in enumerate(columns):
        codes[x::COLUMNS] = bytes(column).ljust(ROWS, _NOTHING)[::-1]
    return Field(bytes(codes))


def leaves_empty(columns: list[_Column], doomed: Collection[tuple[int, int]], rules: Rules) -> bool:
    """Whether the field or the lowest row, as ``all_clear_when`` says, is empty when these cells have vanished and
    nothing has fallen yet.
    """
    rows = 1 if rules.all_clear_when == "lowest_row" else ROWS
    return all((x, y) in doomed for x, column in enumerate(columns) for y in range(min(len(column), rows)))


def neighbours(x: int, y: int, columns: list[_Column], rules: Rules) -> list[tuple[int, int]]:
    """The occupied cells beside (x, y) in rows whose puyos group; x from 0, y from the floor."""
    around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [(u, v) for u, v in around if 0 <= u < COLUMNS and 0 <= v < min(len(columns[u]), rules.grouping_rows)]


def clearing_groups(columns: list[_Column], rules: Rules) -> list[list[tuple[int, int]]]:
    """The groups that are large enough to clear, each as a list of its cells. Only rows whose puyos group count."""
    # one column after the other, with empty cells between them, so that no cell's neighbour wraps into another column
    unseen = bytearray(_STRIDE)
    rows, least = rules.grouping_rows, rules.clear_size
    for column in columns:
        unseen += bytes(column[:rows]).replace(_STONE, _NOTHING).ljust(_STRIDE, _NOTHING)
    unseen += bytes(_STRIDE)
    groups = []
    for start, color in enumerate(unseen):
        if color == EMPTY:
            continue
        unseen[start] = EMPTY
        group = [start]
        for cell in group:
            for beside in (cell - _STRIDE, cell + _STRIDE, cell - 1, cell + 1):
                if unseen[beside] == color:
                    unseen[beside] = EMPTY
                    group.append(beside)
        if len(group) >= least:
            groups.append([(cell // _STRIDE - 1, cell % _STRIDE) for cell in group])
    return groups
