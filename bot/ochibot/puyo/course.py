"""The route of a falling piece to its placement, in the form that pilots use (``ochibot.games.protocols.Course``)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from ochibot.puyo.rules.motion import move, same_landing
from ochibot.puyo.rules.pair import Action, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import find_path


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
