"""The line that a player of the kind ``beam`` expects: its locks for the visible pairs and for one random future."""

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
class LineStep:
    """One lock of the line. seen: whether the pair is visible, not drawn at random. before: the field
    before the lock.
    """

    pair: Pair
    seen: bool
    before: Field
    placement: Placement
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Promise:
    """The chain in reach at the line's end: ``puyos`` more puyos of ``color`` in one column would set it off."""

    column: int
    color: int
    puyos: int
    chain: int
    score: int


@dataclass(frozen=True, slots=True)
class Line:
    """The expected line. promise: None when the line ends by setting off a chain, or when no chain is in reach."""

    steps: tuple[LineStep, ...]
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
    """The line that begins with the lock ``root``. It ends with the best chain on the way, or with the best last field.

    ``layers``: the beam's layers, one for each pair. ``later``: the factor by which a point loses value for each pair
    that it comes later. The beam doesn't record how it came to a board. So the board's predecessor is searched for in
    the layer before; ties go to the first board, then to the first lock.
    """
    boards = [{field: 0}, *(_of_root(layer, root) for layer in layers)]

    def steps(depth: int) -> Iterator[LineStep]:
        """Every lock of a depth's pair on every board of that depth, except those that end the game. The first pair has
        only the lock ``root``.
        """
        pair = pairs[depth]
        for before in boards[depth]:
            for lock in placements(before, pair, rules, None if depth else start):
                if depth or (lock.x, lock.orientation) == _LOCKS[root]:
                    outcome = place(before, pair, lock, rules)
                    if not outcome.game_over:
                        yield LineStep(pair, depth < seen, before, lock, outcome)

    best, fired, depth = 0.0, None, 0
    for number in range(len(layers)):
        for step in steps(number):
            if step.outcome.chain and step.outcome.score * later**number > best:
                best, fired, depth = step.outcome.score * later**number, step, number
    deepest = max(number for number, found in enumerate(boards) if found)
    reach = {one: float(layers[deepest - 1].reach[at]) if deepest else 0.0 for one, at in boards[deepest].items()}
    end = max(reach, key=lambda one: reach[one])
    line: list[LineStep] = []
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
    """The boards of a layer that begin with the lock ``root``, each with its index in the layer."""
    boards = layer.boards.reshape(-1, BOARD_WORDS)
    return {Field.from_planes(boards[at]): at for at in range(layer.count) if layer.roots[at] == root}


def promised(field: Field, rules: Rules, colors: Iterable[int], most: float = inf) -> Promise | None:
    """The best chain that one or two more puyos of one colour in one column would set off. Ties go to a single puyo.

    ``most``: the points of the best chain that the search found in reach. Chains with more are ignored: the search
    left them out because a wall keeps pairs from their column.
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
