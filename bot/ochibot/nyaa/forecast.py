"""Predicts the result of a lock in Pochi & Nyaa by the rules: every cell, the attack, its tails and the score.

The prediction is made from the snapshot and the chosen placement before the first press, and never changed afterwards.

The route of a falling pair to its placement, in the form that pilots use (``ochibot.games.protocols.Course``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.falling.covering import covered
from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, ROWS, Grid
from ochibot.nyaa.rules.lock import Outcome, place, same_landing
from ochibot.nyaa.rules.pair import Action, NyaaState, Placement, cells_of, move
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.locks import find_path


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled grid as RAM shows it.

    fallen: how many nuisance blocks fell last (only the game knows in which columns). attack, tails: the last lock's
    attack, and the tails of the start that had the most; None when the game's RAM map has no entry for them.
    """

    field: Grid
    score: int = 0
    fallen: int = 0
    attack: int | None = None
    tails: int | None = None


@dataclass(frozen=True)
class Prediction:
    """What the next settled field should show. ``score`` is None when the RAM map has no score."""

    before: Snapshot
    placement: Placement
    rules: Rules
    outcome: Outcome
    score: int | None

    @classmethod
    def of(cls, before: Snapshot, placement: Placement, rules: Rules, *, knows_score: bool) -> Prediction:
        """Predicts the result of a placement by the rules. Raises FieldError when the pair can't be there."""
        outcome = place(before.grid, before.pair, placement, rules)
        points = min(before.score + rules.attack.score_each * outcome.attack, rules.attack.score_cap)
        return cls(before, placement, rules, outcome, points if knows_score else None)

    @property
    def chain(self) -> int:
        """The attack: this game has no chains, so reports count its attacks instead."""
        return self.outcome.attack

    def misses(self, landed: NyaaState) -> bool:
        """Whether a pair last seen at ``landed`` puts other blocks or needles on the grid than the chosen placement."""
        target = self.placement
        if landed == (target.x, target.y, target.orientation, target.needle):
            return False
        return not same_landing(self.before.grid, self.before.pair, landed, target)

    def elsewhere(self, landed: NyaaState) -> Prediction:
        """The prediction for the same pair locked at ``landed``, without a score. Raises FieldError when the pair can't
        be there.
        """
        return Prediction.of(self.before, Placement(*landed), self.rules, knows_score=False)

    def covers(self, seen: Settled) -> bool:
        """Whether the grid is as predicted, apart from nuisance that fell on it."""
        if not seen.fallen:
            return self.outcome.grid == seen.field
        return covered(_array(self.outcome.grid), _array(seen.field), NUISANCE, seen.fallen)

    def holds(self, seen: Settled) -> bool:
        """Whether grid, attack, tails and score are as predicted. Values that the RAM map lacks aren't compared."""
        attack = seen.attack in (None, self.outcome.attack) and seen.tails in (None, self.outcome.t)
        return attack and self.covers(seen) and self.score in (None, seen.score)

    def describe(self, seen: Settled) -> str:
        """A report of a disagreement: the grids before, predicted and seen, side by side, then the numbers."""
        parts = [str(grid).split("\n") for grid in (self.before.grid, self.outcome.grid, seen.field)]
        lines = [f"{'before':<11}{'predicted':<11}seen"]
        lines += ["    ".join(row) for row in zip(*parts, strict=True)]
        target, outcome = self.placement, self.outcome
        lines.append(
            f"pair {self.before.pair} placed at column {target.x}, {target.orientation.name.lower()}"
            f"{', as needles' if target.needle else ''}; attack predicted {outcome.attack}, seen {seen.attack}; most "
            f"tails predicted {outcome.t}, seen {seen.tails}; score predicted {self.score}, seen {seen.score}; "
            f"{seen.fallen} nuisance fell"
        )
        return "\n".join(lines)


def _array(grid: Grid) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(grid.codes, np.uint8).reshape(ROWS, COLUMNS)


@dataclass(frozen=True)
class PairCourse:
    """The route of a falling pair to its placement, including the press that makes needles."""

    snapshot: Snapshot
    target: Placement
    cells: list[list[int]]

    @classmethod
    def to(cls, snapshot: Snapshot, target: Placement) -> PairCourse:
        """The route to ``target`` from the pair's position in the snapshot."""
        return cls(snapshot, target, cells_of(snapshot.grid))

    @property
    def down(self) -> Action:
        """The action that makes the pair sink."""
        return Action.DOWN

    @property
    def presses(self) -> Sequence[Action]:
        """The presses of the path that the search found."""
        return self.target.path

    def way(self, state: NyaaState) -> Sequence[Action] | None:
        """The shortest path from any state of the pair; None when there is none."""
        return find_path(self.snapshot.grid, state, self.target)

    def after(self, state: NyaaState, action: Action) -> NyaaState:
        """The pair's position after one press."""
        return move(self.cells, state, action)

    def there(self, state: NyaaState) -> bool:
        """Whether the pair has the target's column and orientation, and is blocks or needles as the target is."""
        target = self.target
        return (state.x, state.orientation, state.needle) == (target.x, target.orientation, target.needle)

    def meets(self, landed: NyaaState) -> bool:
        """Whether a lock at ``landed`` puts the same blocks or needles on the same cells as the target."""
        return same_landing(self.snapshot.grid, self.snapshot.pair, landed, self.target)

    def brought(self, seen: NyaaState, expected: NyaaState) -> bool:
        """Whether the pair was seen where a press should bring it (``expected``), or straight below this position."""
        return seen._replace(y=expected.y) == expected and seen.y >= expected.y
