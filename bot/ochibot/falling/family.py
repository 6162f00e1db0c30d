"""A family of games: one kind of rules, with its own fields, pieces and placements. Each title and player belongs to
one.

A kind of players: what reads player files, and makes players of them (``ochibot.players``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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


def _never(_: Mapping[str, Any]) -> bool:
    return False


@dataclass(frozen=True)
class PlayerKind:
    """A kind of players. Any object with these attributes can be one.

    options: the numbers that a user can give in addition to the file, such as ``plies``, with their allowed values.
    load: reads a player file; raises ConfigError that names the file, the entry and the reason. open: makes a player
    of (what ``load`` returned, the rules, ``seed=``, and options by name); an option replaces the file's own. It raises
    ConfigError, also for rules that the player doesn't support. fits: whether the contents of a player file without
    ``kind`` belong to this kind. from_records: whether its players can judge a decision that was read from a record.
    clairvoyant: like ``open``, makes a player that knows the coming pairs; None: there is none.
    """

    name: str
    family: str
    options: Mapping[str, range]
    load: Callable[[Path], Any]
    open: Callable[..., Any]
    fits: Callable[[Mapping[str, Any]], bool] = _never
    from_records: bool = False
    clairvoyant: Callable[..., Any] | None = None


PLIES: Mapping[str, range] = {"plies": range(1, 3)}
"""The options of players that look one or two pairs deep."""


def with_plies(player: Callable[[Any, Any, int, int | None], Any]) -> Callable[..., Any]:
    """The ``open`` of a kind whose players are made from (configuration, rules, plies, seed)."""

    def made(config: Any, rules: Any, *, seed: int | None, plies: int | None = None) -> Any:
        return player(config, rules, config.plies if plies is None else plies, seed)

    return made


def with_budget(player: Callable[..., Any]) -> Callable[..., Any]:
    """The ``open`` of a kind whose players are made from a configuration, rules, a seed, and a budget by name."""

    def made(config: Any, rules: Any, *, seed: int | None, **budget: int | None) -> Any:
        return player(config, rules, seed, **budget)

    return made
