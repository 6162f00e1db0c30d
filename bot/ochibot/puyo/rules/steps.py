"""A lock step by step: what each step of its chain clears and scores, and how far things fall in between.

``ochibot.puyo.place`` gives only the result; durations need each step. tests/puyo compares both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import COLUMNS, EMPTY, NUISANCE, ROWS, Field
from ochibot.puyo.rules.motion import Cells, can_start, dropped
from ochibot.puyo.rules.pair import BIG, Pair, PairState, Placement, halves
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import clearing_groups, leaves_empty, neighbours, refuse_item, stacked

Columns = list[list[int]]
"""The codes of each column, without gaps, from the floor."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain. score: shown points. cleared: puyos, nuisance included. fall: the most rows that a puyo
    falls afterwards.
    """

    score: int
    cleared: int
    fall: int


@dataclass(frozen=True, slots=True)
class Lock:
    """A piece's lock, resolved.

    field: the settled field, with nothing left to clear. steps: the chain's steps. drop: how many rows a half of the
    pair falls after it comes apart from the other (0 for items). item_score: the shown points of a big puyo; they send
    no nuisance. recolours: whether a carbuncle lay on a coloured puyo. emptied: whether something was cleared and the
    field is now empty. all_clear: the shown points for emptying the field, if they come at once; they send no nuisance
    either.
    """

    field: Field
    steps: tuple[Step, ...]
    drop: int = 0
    item_score: int = 0
    recolours: bool = False
    all_clear: int = 0
    emptied: bool = False

    @property
    def chain_score(self) -> int:
        """Shown points of the chain alone."""
        return sum(step.score for step in self.steps)

    @property
    def score(self) -> int:
        """Shown points in all, before the cap."""
        return self.item_score + self.chain_score + self.all_clear


def lock_piece(field: Field, pair: Pair, placement: Placement, rules: Rules) -> Lock:
    """Does the same as ``ochibot.puyo.place`` on a settled field, step by step.

    Raises FieldError when the piece doesn't fit at ``placement``, and for an item where the rules have none. It doesn't
    check that the piece can get there.
    """
    cells = field.rows()
    state = PairState(placement.x, placement.y, placement.orientation)
    if not can_start(cells, state, pair, rules):
        raise FieldError(f"the piece {pair} can't lock at x={state.x}, y={state.y}: it doesn't fit there")
    columns = stacked(field)
    drop, score, recolours = 0, 0, False
    if pair.is_item:
        refuse_item(rules)
    if not pair.is_item:
        drop = _add_halves(columns, pair, placement, rules)
    elif pair.axis == BIG:
        score = rules.score_unit * sum(len(columns[x]) for x in (state.x - 1, state.x))
        columns[state.x - 1 : state.x + 1] = [], []
    else:
        recolours = _recolour(columns, cells, pair, state, rules)
    columns, steps = run_chain(columns, rules)
    emptied = not any(columns) and (score > 0 or len(steps) > 0)
    return Lock(_field(columns), steps, drop, score, recolours, rules.all_clear_now if emptied else 0, emptied)


def _add_halves(columns: Columns, pair: Pair, placement: Placement, rules: Rules) -> int:
    """Drops both halves, the lower one first. Returns the most rows that one of them falls."""
    drop = 0
    for (x, y), color in sorted(zip(halves(placement), pair, strict=True), key=lambda half: -half[0][1]):
        column = columns[x - 1]
        drop = max(drop, ROWS - 1 - len(column) - y)
        if len(column) < rules.kept_rows:
            column.append(color)
    return drop


def _recolour(columns: Columns, cells: Cells, pair: Pair, state: PairState, rules: Rules) -> bool:
    """The carbuncle gives the puyos beside it the colour of the puyo below it. Returns whether that puyo is a
    coloured one.
    """
    x, y, _ = dropped(cells, state, pair, rules)
    below = cells[y + 1][x - 1] if y + 1 < ROWS else NUISANCE
    if below == NUISANCE:
        return False
    row = ROWS - 1 - y
    for beside in (x - 2, x):
        if 0 <= beside < COLUMNS and row < len(columns[beside]) and columns[beside][row] != NUISANCE:
            columns[beside][row] = below
    return True


def run_chain(columns: Columns, rules: Rules) -> tuple[Columns, tuple[Step, ...]]:
    """Runs a chain to its end: (the settled columns, the chain's steps)."""
    steps: list[Step] = []
    while groups := clearing_groups(columns, rules):
        colors = {columns[x][y] for group in groups for x, y in group}
        doomed = _doomed(groups, columns, rules)
        sizes, emptied = [len(group) for group in groups], leaves_empty(columns, doomed, rules)
        nuisance = len(doomed) - sum(sizes)
        score = rules.step_score(len(steps) + 1, sizes, len(colors), emptied=emptied, nuisance=nuisance)
        # a puyo falls one row for each cleared cell below it, so a column's topmost puyo left falls furthest
        holes = [[y for y in range(len(column)) if (x, y) in doomed] for x, column in enumerate(columns)]
        fall = max(_deepest(len(column), gone) for column, gone in zip(columns, holes, strict=True))
        steps.append(Step(score, len(doomed), fall))
        columns = _without(columns, doomed)
    return columns, tuple(steps)


def lock_stages(
    field: Field, pair: Pair, placement: Placement, rules: Rules
) -> Iterator[tuple[Field, frozenset[tuple[int, int]]]]:
    """A pair's lock for display: the field before each step of its chain, with the cells (x, y) that the step clears.

    The last field is settled, and its set of cells is empty. The pair isn't checked: it must fit, and be no item.
    """
    columns = stacked(field)
    _add_halves(columns, pair, placement, rules)
    while True:
        doomed = _doomed(clearing_groups(columns, rules), columns, rules)
        yield _field(columns), frozenset((x + 1, ROWS - 1 - y) for x, y in doomed)
        if not doomed:
            return
        columns = _without(columns, doomed)


def _doomed(groups: Sequence[Collection[tuple[int, int]]], columns: Columns, rules: Rules) -> set[tuple[int, int]]:
    """The cells that a step clears: the groups, and nuisance beside them."""
    doomed = {cell for group in groups for cell in group}
    return doomed | {
        (x, y) for cell in doomed for x, y in neighbours(*cell, columns, rules) if columns[x][y] == NUISANCE
    }


def _without(columns: Columns, doomed: Collection[tuple[int, int]]) -> Columns:
    return [[code for y, code in enumerate(column) if (x, y) not in doomed] for x, column in enumerate(columns)]


def _deepest(height: int, gone: list[int]) -> int:
    """How many rows the topmost puyo left in a column falls: the number of cleared cells (``gone``) below it."""
    while gone and gone[-1] == height - 1:
        height = gone.pop()
    return len(gone)


def _field(columns: Columns) -> Field:
    rows = [[column[y] if y < len(column) else EMPTY for column in columns] for y in range(ROWS)]
    return Field(bytes(code for row in reversed(rows) for code in row))
