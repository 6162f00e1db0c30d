"""Checks an engine before it plays: it plays two games of Puyo Puyo without an emulator (``ochibot engine check``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ochibot.engines.player import EnginePlayer, Stated
from ochibot.falling.player import prepare
from ochibot.puyo.family import FAMILY
from ochibot.puyo.sim.fifty import StrengthGame, play


@dataclass(frozen=True)
class CheckedEngine:
    """name: what the engine calls itself. games: what it played. seconds: processor time that it used. leaves: whether
    it ends by itself after ``quit``. options: those that it states.
    """

    name: str
    games: tuple[StrengthGame, ...]
    seconds: float
    leaves: bool
    options: Mapping[str, Stated]


def check(command: str, games: int = 2) -> CheckedEngine:
    """Lets an engine play games of 50 pairs by the rules of Tsu. Raises EngineError at its first fault.

    ``command``: the command alone, or with settings (``engine[NAME=VALUE]:COMMAND``).
    """
    rules = FAMILY.load_rules("tsu")
    player = EnginePlayer(command, "puyo", FAMILY, rules, seed=1)
    prepare(player)
    played = tuple(play(player, rules, seed) for seed in range(games))
    name, options, seconds = player.name, player.options, player.processor_time()
    return CheckedEngine(name, played, seconds, player.leave(), options)
