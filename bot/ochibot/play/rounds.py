"""Decides when a round of two players is over."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.games.protocols import AnySeat


def loser_of(first: AnySeat, second: AnySeat) -> Callable[[], int]:
    """A function that returns the seat (1 or 2) that has lost the round; 0 while it goes on.

    Where RAM doesn't name the loser (the map has no ``loser``), it is the seat whose own game is over first.
    """
    if getattr(first, "knows_loser", True):
        return first.loser

    def over() -> int:
        return next((seat.number for seat in (first, second) if seat.over()), 0)

    return over
