"""What a player thinks of a field, whatever the game: a sum of named terms, so that people can see why."""

from __future__ import annotations

from typing import Protocol


class Judgement(Protocol):
    """What a player thinks of a field: the sum of its terms."""

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """(name, weighted value) of each; perhaps of the weightiest only."""

    @property
    def total(self) -> float:
        """The sum of all."""
