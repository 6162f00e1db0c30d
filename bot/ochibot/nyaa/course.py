"""The route of a falling pair to its placement, in the form that pilots use (``ochibot.games.protocols.Course``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ochibot.nyaa.rules.lock import same_landing
from ochibot.nyaa.rules.pair import Action, NyaaState, Placement, cells_of, move
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.locks import find_path


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
