"""Checks an engine before it plays: it plays two games of Puyo Puyo without an emulator (``ochibot engine check``)."""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.engines.player import EnginePlayer
from ochibot.falling.player import prepare, tell_end
from ochibot.puyo.family import FAMILY
from ochibot.puyo.sim.fifty import StrengthGame, play


@dataclass(frozen=True)
class Checked:
    """name: what the engine calls itself. games: what it played. seconds: processor time that it used. leaves: whether
    it ends by itself after ``quit``.
    """

    name: str
    games: tuple[StrengthGame, ...]
    seconds: float
    leaves: bool


def check(command: str, games: int = 2) -> Checked:
    """Lets an engine play games of 50 pairs by the rules of Tsu. Raises EngineError at its first fault."""
    rules = FAMILY.load_rules("tsu")
    player = EnginePlayer(command, "puyo", FAMILY, rules, seed=1)
    prepare(player)
    played = []
    for seed in range(games):
        played.append(play(player, rules, seed))
        tell_end(player, "over")
    name, seconds = player.name, player.processor_time()
    return Checked(name, tuple(played), seconds, player.leave())
