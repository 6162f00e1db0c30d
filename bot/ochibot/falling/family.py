"""A family of games: one kind of rules, with its own fields, pieces and placements. Titles and players belong to
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol


class Family(Protocol):
    """What sessions and records ask of a family, whose types nobody outside needs to know.

    A family may have ``prepare(rules)`` too, which loads or compiles what its placements need (``ochibot warm``).
    """

    name: str

    def load_rules(self, wanted: str | Path) -> Any:
        """A rules profile by its shipped name or its file. It has a ``name``. Raises ConfigError."""

    def rules_names(self) -> tuple[str, ...]:
        """The names of the shipped profiles."""

    def placements(self, snapshot: Any, rules: Any) -> Sequence[Any]:
        """Every place where the falling piece of a snapshot can lock, in a fixed order."""

    def decide(self, snapshot: Any, placement: Any, rules: Any) -> Any:
        """A bare placement as a decision, with its path and what it leads to. Raises FieldError when the piece can't
        get there.
        """

    def recall(self, words: Words, rules: Any) -> tuple[Any, Any]:
        """A snapshot and the decision for it, from a record's words. Raises FieldError."""


class Words(Protocol):
    """A decision as records keep it; ``ochibot.record.events.Decided`` explains each."""

    @property
    def field(self) -> str:
        """Rows from the top with ``/`` between them."""

    @property
    def pair(self) -> str:
        """As ``str`` writes it."""

    @property
    def next_pair(self) -> str:
        """As ``str`` writes it."""

    @property
    def x(self) -> int:
        """The placement's column, from 1."""

    @property
    def y(self) -> int:
        """The placement's row."""

    @property
    def orientation(self) -> int:
        """The placement's orientation, as a number."""

    @property
    def needle(self) -> bool:
        """Whether the pair locks as needles (Pochi & Nyaa)."""

    @property
    def value(self) -> float:
        """What the player gave it."""
