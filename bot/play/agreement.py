"""Proof that the bot knows what it does: every lock's prediction against what RAM shows afterwards.

The prediction is made from the snapshot and the chosen placement before the first press and never touched again. It
is compared at the next settled field: all 84 cells, and the score. A pair that landed elsewhere than chosen is
``misplaced``, whatever the field looks like.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.errors import FieldError
from bot.puyo import (
    COLUMNS,
    EMPTY,
    NUISANCE,
    ROWS,
    Field,
    Orientation,
    Pair,
    PairState,
    Placement,
    Snapshot,
    halves,
    place,
)
from bot.puyo.resolve import Outcome

MISPLACED_IN_A_ROW = 5
"""So many pairs in a row landing elsewhere are no accident of slow hands."""

SCORE_CEILING = 2**63
"""No cap: for predictions whose score isn't looked at."""


@dataclass(frozen=True)
class Prediction:
    """What should be seen at the next settled field. ``score`` is None when the map tells no score."""

    before: Snapshot
    placement: Placement
    outcome: Outcome
    score: int | None

    @classmethod
    def of(cls, before: Snapshot, placement: Placement, score_cap: int | None) -> Prediction:
        """Predict from the rules; ``score_cap`` is the highest score shown, None when no score is known."""
        outcome = place(before.field, before.pair, placement)
        score = None if score_cap is None else min(before.score + outcome.score, score_cap)
        return cls(before, placement, outcome, score)


@dataclass
class Tally:
    """Counts over all locks. pieces = compared + uncompared; of the compared, some are misplaced or disagree.

    contradictions: what else didn't fit (see ``SeatPlayer``), and misplaced pairs whose field isn't what the rules
    make of the place where they did land.
    """

    pieces: int = 0
    compared: int = 0
    misplaced: int = 0
    disagreements: int = 0
    contradictions: int = 0
    best_chain: int = 0
    misplaced_in_a_row: int = 0

    @property
    def agreement(self) -> float | None:
        """The share of all pieces that did exactly what was predicted; None before the first."""
        good = self.compared - self.misplaced - self.disagreements
        return good / self.pieces if self.pieces else None

    def uncompared(self) -> None:
        """A piece locked that could not be compared (the run ended before its field settled)."""
        self.pieces += 1

    def compare(
        self, prediction: Prediction, seen: Field, score: int, landed: PairState | None, nuisance: int = 0
    ) -> str | None:
        """Count one lock; returns what differed, as text for people, or None.

        ``landed`` is where the pair was last seen under control, None when that isn't known. ``nuisance`` is how
        many nuisance puyos fell after the field had settled; in which columns, the game alone knows.
        """
        self.pieces += 1
        self.compared += 1
        before, target = prediction.before, prediction.placement
        if landed is not None and not same_landing(before.field, before.pair, landed, target):
            self.misplaced += 1
            self.misplaced_in_a_row += 1
            return self._judge_misplaced(prediction, seen, score, landed, nuisance)
        self.misplaced_in_a_row = 0
        if is_covered(prediction.outcome.field, seen, nuisance) and prediction.score in (None, score):
            self.best_chain = max(self.best_chain, prediction.outcome.chain)
            return None
        self.disagreements += 1
        return describe(prediction, seen, score)

    def _judge_misplaced(
        self, prediction: Prediction, seen: Field, score: int, landed: PairState, nuisance: int
    ) -> str | None:
        """A pair landed elsewhere: whether the field is at least what the rules make of that, and not too often."""
        before = prediction.before
        try:
            actual = Prediction.of(before, Placement(*landed), None if prediction.score is None else SCORE_CEILING)
        except FieldError as error:
            self.contradictions += 1
            return f"the pair was last seen where it can't be: {error}\n{describe(prediction, seen, score)}"
        if not is_covered(actual.outcome.field, seen, nuisance):
            self.contradictions += 1
            return describe(actual, seen, score)
        if self.misplaced_in_a_row == MISPLACED_IN_A_ROW:
            self.contradictions += 1
            return (
                f"{MISPLACED_IN_A_ROW} pairs in a row landed elsewhere than they were steered: "
                f"the pad does something else here\n{describe(prediction, seen, score)}"
            )
        return None


def resting_cells(field: Field, pair: Pair, where: PairState | Placement) -> frozenset[tuple[int, int, int]]:
    """(x, y, colour) of both halves after each has dropped to the bottom of its column; of an item its column."""
    if pair.is_item:
        return frozenset({(where.x, 0, pair.axis)})
    heights = field.heights()
    first, second = zip(halves(where), pair, strict=True)
    # of a vertical pair the lower half comes to rest first
    if where.orientation is Orientation.DOWN:
        first, second = second, first
    cells = []
    stacked: dict[int, int] = {}
    for (x, _), color in (first, second):
        height = int(heights[x - 1]) + stacked.get(x, 0)
        stacked[x] = stacked.get(x, 0) + 1
        cells.append((x, 13 - height, color))
    return frozenset(cells)


def is_covered(settled: Field, seen: Field, nuisance: int) -> bool:
    """Whether ``seen`` is ``settled`` with exactly so many nuisance puyos fallen on top of it.

    They fall in full rows of six and the rest into different columns, so columns differ by one at the most; what
    finds its column full is lost.
    """
    if nuisance == 0:
        return settled == seen
    before, after = settled.cells, seen.cells
    full_rows, rest = divmod(nuisance, COLUMNS)
    extra = 0
    for x in range(COLUMNS):
        height = int((before[:, x] != EMPTY).sum())
        reached = int((after[:, x] != EMPTY).sum())
        fallen = reached - height
        top = ROWS - reached
        if (after[ROWS - height :, x] != before[ROWS - height :, x]).any() or fallen < 0:
            return False
        if (after[top : top + fallen, x] != NUISANCE).any():
            return False
        room = ROWS - height
        if fallen == min(full_rows + 1, room) and fallen > min(full_rows, room):
            extra += 1
        elif fallen != min(full_rows, room):
            return False
    blind = sum(ROWS - int((before[:, x] != EMPTY).sum()) <= full_rows for x in range(COLUMNS))
    return rest - blind <= extra <= rest


def same_landing(field: Field, pair: Pair, landed: PairState, target: Placement) -> bool:
    """Whether two locks put the same colours on the same cells."""
    return resting_cells(field, pair, landed) == resting_cells(field, pair, target)


def describe(prediction: Prediction, seen: Field, score: int) -> str:
    """A disagreement for people: the field before, as predicted and as seen, side by side, and the scores."""
    columns = [str(prediction.before), str(prediction.outcome.field), str(seen)]
    titles = ["before", "predicted", "seen"]
    split = [text.split("\n") for text in columns]
    width = max(len(line) for line in split[0]) + 3
    lines = [f"{titles[0]:<{width}}{titles[1]:<12}{titles[2]}"]
    for row in range(max(len(part) for part in split)):
        parts = [part[row] if row < len(part) else "" for part in split]
        lines.append(f"{parts[0]:<{width}}{parts[1]:<12}{parts[2]}")
    target = prediction.placement
    lines.append(
        f"pair {prediction.before.pair} placed at column {target.x}, {target.orientation.name.lower()}; "
        f"score predicted {prediction.score}, seen {score}"
    )
    return "\n".join(lines)
