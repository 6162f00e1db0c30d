"""A family of games: one kind of rules, with its own fields, pieces and placements. Each title and player belongs to
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol


class Family(Protocol):
    """The functions of a family that sessions and records need. Its types are opaque to sessions and records.

    A family may also have ``prepare(rules)``, which loads or compiles all kernels but the players' (``ochibot warm``).
    It may have ``named(snapshot, words, rules)``, which finds the placement that a tuple such as ``(3, "up")`` names,
    ``adviser(rules)``, which says what a coach tells a person (``ochibot.falling.advice``), and ``reviewer(rules,
    boards)``, which judges placements (``ochibot.falling.review``). Families with a reviewer also have
    ``noted(snapshot, placement)``, which makes plain values of both, and its reverse ``from_notes(said)``.
    """

    name: str

    def load_rules(self, wanted: str | Path) -> Any:
        """Loads a rules profile, given its shipped name or its file. The profile has a ``name``. Raises ConfigError."""

    def rules_names(self) -> tuple[str, ...]:
        """The names of the shipped profiles."""

    def placements(self, snapshot: Any, rules: Any) -> Sequence[Any]:
        """Every place where the falling piece of a snapshot can lock, in a fixed order."""

    def decide(self, snapshot: Any, placement: Any, rules: Any) -> Any:
        """Turns a bare placement into a decision, with its path and outcome. Raises FieldError when the piece can't get
        there.
        """

    def recall(self, words: Words, rules: Any) -> tuple[Any, Any]:
        """Rebuilds a snapshot and its decision from the words of a record. Raises FieldError."""


class Words(Protocol):
    """A decision as records keep it; ``ochibot.record.events.Decided`` explains each word."""

    @property
    def field(self) -> str:
        """Rows from the top with ``/`` between them."""

    @property
    def pair(self) -> str:
        """The falling piece, as ``str`` writes it."""

    @property
    def next_pair(self) -> str:
        """The next piece, as ``str`` writes it."""

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
        """The value that the player gave the placement."""
