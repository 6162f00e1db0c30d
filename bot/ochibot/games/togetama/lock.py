"""What a lock in Pochi & Nyaa must lead to, from the rules alone: every cell, the attack, its tails and the score.

The prediction is made from the snapshot and the chosen placement before the first press and never touched again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.console import Button
from ochibot.errors import FieldError
from ochibot.games.covering import covered
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, ROWS, Grid
from ochibot.nyaa.rules.lock import Outcome, locked, place
from ochibot.nyaa.rules.motion import cells_of, move
from ochibot.nyaa.rules.pair import Action, NyaaState, Placement
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.locks import find_path

RULES = load_rules("nyaa_mvs")

BUTTONS: dict[Action, Button] = {
    Action.LEFT: Button.LEFT,
    Action.RIGHT: Button.RIGHT,
    Action.DOWN: Button.DOWN,
    Action.ROTATE_CW: Button.B,
    Action.ROTATE_CCW: Button.A,
    Action.NEEDLE: Button.Y,
}
"""FBNeo's classic pad: RetroPad B, A, Y are the Neo Geo's A, B, C."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled grid as RAM shows it; the last lock's attack and most tails of a start (None: the map tells none), the
    score, and how many nuisance blocks fell at the end (in which columns, the game alone knows)."""

    field: Grid
    score: int = 0
    fallen: int = 0
    attack: int | None = None
    tails: int | None = None


@dataclass(frozen=True)
class Prediction:
    """What should be seen at the next settled field. ``score`` is None when the map tells no score."""

    before: Snapshot
    placement: Placement
    outcome: Outcome
    score: int | None

    @classmethod
    def of(cls, before: Snapshot, placement: Placement, knows_score: bool) -> Prediction:
        """Predict from the rules. Raises FieldError when the pair can't be there."""
        outcome = place(before.grid, before.pair, placement, RULES)
        points = min(before.score + RULES.attack.score_each * outcome.attack, RULES.attack.score_cap)
        return cls(before, placement, outcome, points if knows_score else None)

    @property
    def chain(self) -> int:
        """The attack: this game has no chains."""
        return self.outcome.attack

    def misses(self, landed: NyaaState) -> bool:
        """Whether a pair last seen there puts other blocks or needles on the grid than meant."""
        try:
            there = locked(self.before.grid, self.before.pair, Placement(*landed))
        except FieldError:
            return True
        return there != locked(self.before.grid, self.before.pair, self.placement)

    def elsewhere(self, landed: NyaaState) -> Prediction:
        """The same for another landing, the score left out. Raises FieldError when the pair can't be there."""
        return Prediction.of(self.before, Placement(*landed), False)

    def covers(self, seen: Settled) -> bool:
        """Whether the grid is as predicted, with the nuisance that fell on it."""
        return covered(_array(self.outcome.grid), _array(seen.field), NUISANCE, seen.fallen)

    def holds(self, seen: Settled) -> bool:
        """Whether the grid, the attack, its tails and the score are."""
        attack = seen.attack in (None, self.outcome.attack) and seen.tails in (None, self.outcome.t)
        return attack and self.covers(seen) and self.score in (None, seen.score)

    def describe(self, seen: Settled) -> str:
        """Before, as predicted and as seen, side by side, and the numbers."""
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
    """The way of a falling pair to its placement, the needle's press included."""

    snapshot: Snapshot
    target: Placement
    cells: list[list[int]]

    @classmethod
    def to(cls, snapshot: Snapshot, target: Placement) -> PairCourse:
        """The way to ``target`` from where the snapshot has the pair."""
        return cls(snapshot, target, cells_of(snapshot.grid))

    @property
    def presses(self) -> Sequence[Action]:
        """The path that the search has found."""
        return self.target.path

    def way(self, state: NyaaState) -> Sequence[Action] | None:
        """The shortest path from anywhere."""
        return find_path(self.snapshot.grid, state, self.target)

    def after(self, state: NyaaState, action: Action) -> NyaaState:
        """Where one press brings the pair."""
        return move(self.cells, state, action)

    def there(self, state: NyaaState) -> bool:
        """Whether the pair is over the target, turned and sharpened as wanted."""
        target = self.target
        return (state.x, state.orientation, state.needle) == (target.x, target.orientation, target.needle)

    def brought(self, seen: NyaaState, expected: NyaaState) -> bool:
        """Whether the pair is where a press should have brought it, or has sunk further since."""
        return seen._replace(y=expected.y) == expected and seen.y >= expected.y

    def button(self, action: Action) -> Button:
        """The pad's button."""
        return BUTTONS[action]

    def sinks(self, action: Action) -> bool:
        """Whether it is Down."""
        return action is Action.DOWN
