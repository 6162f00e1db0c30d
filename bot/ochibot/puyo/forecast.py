"""Predicts the result of a lock by the rules: every cell of the field, and the score.

The prediction is made from the snapshot and the chosen placement before the first press, and never changed afterwards.
A pair that landed elsewhere is recognised by the cells it covers.

The route of a falling piece to its placement, in the form that pilots use (``ochibot.games.protocols.Course``).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from ochibot.falling.covering import covered, covered_anyhow, covered_evenly
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, Field
from ochibot.puyo.rules.motion import move, same_landing
from ochibot.puyo.rules.pair import Action, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import find_path


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled field as RAM shows it, the score, and how many nuisance puyos have just fallen. Only the game knows in
    which columns they fell. falls: in how many falls, each of full rows and a rest.

    soft_rows: rows that the pair sank with Down held, in games that give points for them. soft_spare: further rows that
    may have counted, where RAM doesn't show it exactly.
    """

    field: Field
    score: int = 0
    fallen: int = 0
    soft_rows: int = 0
    soft_spare: int = 0
    falls: int = 1


@dataclass(frozen=True)
class Prediction:
    """What the next settled field should show.

    score: None when the map has no score. extras: amounts of additional points, of which the game adds exactly one.
    There are two if it isn't known whether the game still owes the bonus for an emptied field.
    """

    before: Snapshot
    placement: Placement
    rules: Rules
    outcome: Outcome
    score: int | None
    extras: tuple[int, ...] = (0,)

    @classmethod
    def of(
        cls, before: Snapshot, placement: Placement, rules: Rules, *, knows_score: bool, owed: bool | None = False
    ) -> Prediction:
        """Predicts by the rules. Raises FieldError when the piece can't be at ``placement``.

        ``owed``: whether a bonus for an emptied field is still to be paid (``Rules.all_clear_paid``); None when
        unknown.
        """
        outcome = place(before.field, before.pair, placement, rules)
        score = min(before.score + outcome.score, rules.score_cap) if knows_score else None
        due = rules.all_clear_later if outcome.chain else 0
        extras = (0, due) if due and owed is None else (due if owed else 0,)
        return cls(before, placement, rules, outcome, score, extras)

    @property
    def chain(self) -> int:
        """The length of the chain."""
        return self.outcome.chain

    def misses(self, landed: PairState) -> bool:
        """Whether a pair last seen at ``landed`` doesn't put the same colours on the same cells as the placement."""
        return not same_landing(self.before.field, self.before.pair, landed, self.placement)

    def elsewhere(self, landed: PairState) -> Prediction:
        """The prediction if the pair lands at ``landed``, without a score. Raises FieldError when it can't be there."""
        return Prediction.of(self.before, Placement(*landed), self.rules, knows_score=False)

    def covers(self, seen: Settled) -> bool:
        """Whether the field is as predicted, apart from nuisance that fell on it."""
        return is_covered(self.outcome.field, seen.field, seen.fallen, self.rules, seen.falls)

    def holds(self, seen: Settled) -> bool:
        """Whether field and score are as predicted, counting the points for soft drop."""
        return self.covers(seen) and (self.score is None or seen.score in self._scores(seen))

    def _scores(self, seen: Settled) -> list[int]:
        """The scores that may be seen, in rising order."""
        rules, base = self.rules, self.before.score + self.outcome.score
        if self.extras == (0,) and not rules.drop_bonus:
            return [min(base, rules.score_cap)]
        rows = range(seen.soft_rows, seen.soft_rows + (seen.soft_spare if rules.drop_bonus else 0) + 1)
        every = {base + extra + row * rules.drop_bonus for extra in self.extras for row in rows}
        return sorted({min(score, rules.score_cap) for score in every})

    def describe(self, seen: Settled) -> str:
        """A report of a disagreement: the field before, as predicted and as seen, side by side, and the scores."""
        columns = [str(self.before), str(self.outcome.field), str(seen.field)]
        titles = ["before", "predicted", "seen"]
        split = [text.split("\n") for text in columns]
        width = max(len(line) for line in split[0]) + 3
        lines = [f"{titles[0]:<{width}}{titles[1]:<12}{titles[2]}"]
        for row in range(max(len(part) for part in split)):
            parts = [part[row] if row < len(part) else "" for part in split]
            lines.append(f"{parts[0]:<{width}}{parts[1]:<12}{parts[2]}")
        target = self.placement
        scores = "None" if self.score is None else " or ".join(map(str, self._scores(seen)))
        lines.append(
            f"pair {self.before.pair} placed at column {target.x}, {target.orientation.name.lower()}; "
            f"score predicted {scores}, seen {seen.score}"
        )
        before, after = (int((one.cells == NUISANCE).sum()) for one in (self.outcome.field, seen.field))
        more = after - before
        if seen.fallen or more:
            lines.append(f"nuisance that fell, by RAM: {seen.fallen}; on the field: {more}")
        return "\n".join(lines)


def is_covered(settled: Field, seen: Field, nuisance: int, rules: Rules, falls: int = 1) -> bool:
    """Whether ``seen`` is ``settled`` with exactly ``nuisance`` more nuisance puyos on top; with any number of them
    where nothing announces them. ``falls``: in how many falls they came.
    """
    top = rules.kept_top
    if any(seen.codes[: top * COLUMNS]):
        return False
    if not nuisance and seen == settled:
        return True
    before, after = settled.cells, seen.cells
    if rules.nuisance.unannounced:
        return covered_anyhow(before[top:], after[top:], NUISANCE)
    if falls > 1:
        # the rest of each fall may lie in the same columns
        lost = nuisance - int((after != 0).sum()) + int((before != 0).sum())
        full = bool((after[top] != 0).any())
        return covered_anyhow(before[top:], after[top:], NUISANCE) and (lost == 0 or (lost > 0 and full))
    compare = covered_evenly if rules.nuisance.full_columns == "skip" else covered
    return compare(before[top:], after[top:], NUISANCE, nuisance)


@cache
def _in_order(actions: frozenset[Action]) -> tuple[Action, ...]:
    """The actions in the order of ``Action``, because that order decides between equally short paths."""
    return tuple(action for action in Action if action in actions)


@dataclass(frozen=True)
class PairCourse:
    """The route of a falling pair or item to its placement."""

    snapshot: Snapshot
    target: Placement
    rules: Rules
    cells: list[list[int]]
    actions: tuple[Action, ...] = tuple(Action)
    """The actions that the game has a button for. Some games turn pairs one way only."""

    @classmethod
    def to(
        cls, snapshot: Snapshot, target: Placement, rules: Rules, actions: Collection[Action] = tuple(Action)
    ) -> PairCourse:
        """The route from the pair's place in the snapshot to ``target``, using only ``actions``."""
        return cls(snapshot, target, rules, snapshot.field.rows(), _in_order(frozenset(actions)))

    @property
    def down(self) -> Action:
        """The action that makes the pair sink."""
        return Action.DOWN

    @property
    def presses(self) -> tuple[Action, ...]:
        """The placement's own path, if the game has buttons for all its actions. Otherwise the shortest path by the
        actions that have buttons, or () if there is none.
        """
        path = self.target.path
        if all(action in self.actions for action in path):
            return path
        return self.way(self.snapshot.state) or ()

    def way(self, state: PairState) -> tuple[Action, ...] | None:
        """The shortest path to the target from ``state``; None when there is none."""
        return find_path(self.snapshot.field, state, self.target, self.snapshot.pair, self.rules, self.actions)

    def after(self, state: PairState, action: Action) -> PairState:
        """Where the pair is after one press."""
        return move(self.cells, state, action, self.snapshot.pair, self.rules)

    def there(self, state: PairState) -> bool:
        """Whether the pair is above the target, with its orientation; an item's orientation doesn't matter."""
        target = self.target
        return state.x == target.x and (state.orientation == target.orientation or self.snapshot.pair.is_item)

    def meets(self, landed: PairState) -> bool:
        """Whether a pair locked at ``landed`` puts the same colours on the same cells as the target."""
        return same_landing(self.snapshot.field, self.snapshot.pair, landed, self.target)

    def brought(self, seen: PairState, expected: PairState) -> bool:
        """Whether the pair is where the press should have brought it, or has sunk further since."""
        return (seen.x, seen.orientation) == (expected.x, expected.orientation) and seen.y >= expected.y
