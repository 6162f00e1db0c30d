"""A player's evaluation of a field, whatever the game: a sum of named terms, so that people can see the reasons."""

from __future__ import annotations

from typing import Protocol


class Judgement(Protocol):
    """A player's evaluation of a field: the sum of its terms."""

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """The terms as (name, weighted value); some players give only the most important ones."""

    @property
    def total(self) -> float:
        """The sum of all terms, including those that ``terms`` leaves out."""
