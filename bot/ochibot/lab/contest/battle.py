"""A trainer's battle: some games between two candidates, and how well the first one did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ochibot.lab.contest.contestant import Contestant
from ochibot.lab.contest.table import GameRecord, MatchTable, deal_number


@dataclass(frozen=True)
class BattleTask:
    """A battle to play. games: how many games. Each deal is played twice, with seats swapped (the last one only once if
    the number is odd). deal: the frame from which the first deal is made.
    """

    table: MatchTable
    players: tuple[Contestant, Contestant]
    deal: int
    games: int


def play_battle(task: BattleTask) -> dict[str, Any]:
    """Plays the games. Returns the first candidate's ``points`` (1 for a win, 0.5 for a draw) and mean ``margin``."""
    points = margins = 0.0
    sides = [
        player.open(task.table.game, task.table.rules, deal_number(task.deal, "ties", side))
        for side, player in enumerate(task.players)
    ]
    for game in range(task.games):
        seat = 1 + game % 2
        seated = (sides[0], sides[1]) if seat == 1 else (sides[1], sides[0])
        frame = task.deal if game < 2 else deal_number(task.deal, "battle", game // 2)
        played = task.table.play(frame, seated)
        points += 0.5 if not played["loser"] else float(played["loser"] != seat)
        margins += margin(played, seat)
    return {"points": points, "margin": round(margins / task.games, 9)}


def margin(played: GameRecord, seat: int) -> float:
    """How well seat 1 or 2 did, from -1 to 1: near 1 for a quick win, near -1 for a quick loss, within 0.25 for a draw.

    A win counts more than 0.5, and more if it took fewer pieces: the part above 0.5 shrinks by the factor e with every
    100 pieces. A draw counts in favour of the side that sent more nuisance.
    """
    if not played["loser"]:
        own, other = played["sent"][seat - 1], played["sent"][2 - seat]
        return 0.25 * (own - other) / max(own + other, 1)
    worth = 0.5 + 0.5 * math.exp(-min(played["pieces"]) / 100)
    return -worth if played["loser"] == seat else worth
