"""Simulated matches of Kakera, for arenas: both seats lock in turns, with the same pieces."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from ochibot.falling.deciding import decision_of
from ochibot.falling.orientation import Orientation
from ochibot.falling.player import AnyPlayer
from ochibot.lab.contest.table import GameRecord, Move

from kakera import rules as kakera
from kakera.family import FAMILY, Field, Pair, Rules, Snapshot, State


@dataclass
class _Side:
    field: kakera.Field = kakera.EMPTY_FIELD
    score: int = 0
    sent: int = 0
    best: int = 0
    waiting: int = 0
    column: int = 0
    pieces: int = 0
    moves: str = ""


@dataclass(frozen=True)
class KakeraTable:
    """A table (``ochibot.lab.contest.table.MatchTable``). Each lock takes one frame."""

    game: str
    rules: Rules
    max_pieces: int

    @classmethod
    def of(cls, game: str, rules: Rules, max_pieces: int | None) -> KakeraTable:
        """The table of a title."""
        return cls(game, rules, max_pieces or 200)

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on but the players and the deal."""
        return {"game": self.game, "points": self.rules.points, "max_pieces": self.max_pieces}

    def play(self, frame: int, players: tuple[AnyPlayer, AnyPlayer]) -> GameRecord:
        """Plays a game."""
        sides, loser = (_Side(), _Side()), 0
        dealt = [Pair(*piece) for piece in islice(kakera.pieces(frame), self.max_pieces + 1)]
        for number in range(2 * self.max_pieces):
            seat, pair, following = number % 2, dealt[number // 2], dealt[number // 2 + 1]
            own, rival = sides[seat], sides[1 - seat]
            snapshot = Snapshot(Field(own.field), pair, following, State(3, 1, pair), own.score)
            decision = decision_of(players[seat], FAMILY, snapshot, self.rules)
            if decision is None:
                loser = seat + 1
                break
            at, outcome = decision.placement, decision.outcome
            own.pieces += 1
            own.score += outcome.score
            own.best = max(own.best, outcome.chain)
            own.sent += outcome.greys_sent
            rival.waiting += outcome.greys_sent
            own.field, own.column = kakera.fall_greys(outcome.field, own.waiting, own.column)
            own.waiting = 0
            own.moves += str(Move(at.x, at.y, Orientation(at.orientation), False, 0, 1))
        first, second = sides
        return GameRecord(
            deal=frame,
            loser=loser,
            frames=first.pieces + second.pieces,
            pieces=[first.pieces, second.pieces],
            scores=[first.score, second.score],
            sent=[first.sent, second.sent],
            best=[first.best, second.best],
            moves=[first.moves, second.moves],
        )
