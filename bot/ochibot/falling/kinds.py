"""A kind of players: what reads player files, and makes players of them (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


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
