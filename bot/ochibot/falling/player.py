"""What a player is, whatever the game."""

from __future__ import annotations

from typing import Protocol, TypeVar

S_contra = TypeVar("S_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)


class Player(Protocol[S_contra, D_co]):
    """Anything that chooses a placement: ``Player[Snapshot, Decision]`` with a game's snapshots and decisions.

    A decision has a ``placement``.
    """

    def choose(self, snapshot: S_contra) -> D_co | None:
        """The decision for the piece that has just spawned; None when no placement is possible."""
