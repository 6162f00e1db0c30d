"""The line that the player of the kind ``beam`` expects: its locks along the pairs seen and one drawn future."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import Pair, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place, resolve
from ochibot.puyo.search.chain.search import Layer
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import placements

_LOCKS = lock_order()


@dataclass(frozen=True, slots=True)
class Step:
    """One lock of the line. seen: whether the pair is seen, not drawn. before: the field that the pair comes to."""

    pair: Pair
    seen: bool
    before: Field
    placement: Placement
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Promise:
    """What the field at a line's end has in reach: ``puyos`` more of ``color`` in a column set off the chain."""

    column: int
    color: int
    puyos: int
    chain: int
    score: int


@dataclass(frozen=True, slots=True)
class Line:
    """The line. promise: None when it ends with a chain that is set off, or when nothing is in reach."""

    steps: tuple[Step, ...]
    promise: Promise | None


def line_of(
    field: Field,
    start: PairState,
    pairs: Sequence[Pair],
    seen: int,
    layers: Sequence[Layer],
    root: int,
    later: float,
    rules: Rules,
) -> Line:
    """The line behind the lock ``root``: to the best chain that is set off on the way, or to the best last field.

    ``layers``: the beam's, one for each pair; ``later``: what a point is worth of the same one pair sooner. The beam
    keeps no ways, so each board's way here is looked for among the boards of the layer before: first in the order of
    the layer, then of the locks.
    """
    boards = [{field: 0}, *(_of_root(layer, root) for layer in layers)]

    def steps(depth: int) -> Iterator[Step]:
        """Every lock of the pair on every board of a depth; of the first pair the lock ``root`` alone."""
        pair = pairs[depth]
        for before in boards[depth]:
            for lock in placements(before, pair, rules, None if depth else start):
                if depth or (lock.x, lock.orientation) == _LOCKS[root]:
                    outcome = place(before, pair, lock, rules)
                    if not outcome.game_over:
                        yield Step(pair, depth < seen, before, lock, outcome)

    best, fired, depth = 0.0, None, 0
    for number in range(len(layers)):
        for step in steps(number):
            if step.outcome.chain and step.outcome.score * later**number > best:
                best, fired, depth = step.outcome.score * later**number, step, number
    deepest = max(number for number, found in enumerate(boards) if found)
    reach = {one: float(layers[deepest - 1].reach[at]) if deepest else 0.0 for one, at in boards[deepest].items()}
    end = max(reach, key=lambda one: reach[one])
    line: list[Step] = []
    promise = None
    if fired is not None and best >= reach[end] * later**deepest:
        line, end = [fired], fired.before
    else:
        depth, promise = deepest, promised(end, rules, {code for pair in pairs for code in pair}, reach[end])
    for number in range(depth - 1, -1, -1):
        line.append(next(step for step in steps(number) if step.outcome.field == end))
        end = line[-1].before
    return Line(tuple(reversed(line)), promise)


def _of_root(layer: Layer, root: int) -> dict[Field, int]:
    """A layer's boards behind a first lock, and their places."""
    boards = layer.boards.reshape(-1, BOARD_WORDS)
    return {Field.from_planes(boards[at]): at for at in range(layer.count) if layer.roots[at] == root}


def promised(field: Field, rules: Rules, colors: Iterable[int], most: float = inf) -> Promise | None:
    """The best chain that one or two more puyos of one colour in one column set off; of equals the first with one.

    ``most``: points of the best one that can be got at; higher ones lie behind a wall.
    """
    best: Promise | None = None
    for puyos in (1, 2):
        for color in sorted(colors):
            for column in range(COLUMNS):
                cells = field.cells.copy()
                free = [row for row in range(ROWS) if cells[row, column] == 0]
                if len(free) < puyos:
                    continue
                cells[free[-puyos:], column] = color
                found = resolve(Field.from_cells(cells), rules)
                if found.chain and found.score <= most and (best is None or found.score > best.score):
                    best = Promise(column + 1, color, puyos, found.chain, found.score)
    return best
