"""What the window shows about the players, AIs and a person: a Standing of each, anew for every frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ochibot.games.protocols import AnySeat
from ochibot.overlay.standing import NO_CELLS, Cells, Plan, Side, Standing, call_of
from ochibot.play.background import ThinkingPlayer, Thought
from ochibot.play.seat import AnySeatPlayer

PATIENCE = 12
"""Frames for which the last plan may still be read while the next is thought about. Most thoughts take one or two: the
panel would flicker."""


@dataclass
class _Seen:
    """What was last seen of a decision."""

    decision: Any
    thought: Thought | None
    plan: Plan
    cells: Cells
    waits: int = 0


class Onlooker:
    """Watches players. The consequences of a decision are computed once, not sixty times a second."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}

    def side(self, player: AnySeatPlayer, title: tuple[str, ...]) -> Side:
        """The player as it stands now; ``title``: the lines that name it."""
        seat, tally = player.seat, player.tally
        number = seat.number
        plan, cells, thinking, chain = None, NO_CELLS, False, player.forecast_chain
        if player.decision is not None and player.snapshot is not None:
            seen = self._look(number, player, player.decision)
            plan, cells = seen.plan, seen.cells if player.plan is not None else NO_CELLS
        elif seat.has_locked() and not seat.over() and number in self._seen:
            # locked before it was decided on, or let go of: the last plan may be read while its clear is looked at
            plan = self._seen[number].plan
        elif _thinks(player):
            last = self._seen.get(number)
            thinking = last is None or last.waits >= PATIENCE
            if last is not None and not thinking:
                last.waits += 1
                plan = last.plan
        else:
            self._seen.pop(number, None)
        standing = Standing(
            title,
            tally.pieces,
            tally.best_chain,
            seat.best,
            score=seat.score() if "score" in seat.map else None,
            plan=plan,
            cells=cells,
            thinking=thinking,
            call=call_of(seat, chain),
        )
        return Side(number, seat.look, standing)

    def _look(self, number: int, player: AnySeatPlayer, decision: Any) -> _Seen:
        thought = player.player.last if isinstance(player.player, ThinkingPlayer) else None
        known = self._seen.get(number)
        if known is None or known.decision is not decision or known.thought is not thought:
            # a player may have thought of something else since
            mine = thought if thought is not None and thought.decision is decision else None
            look = player.seat.look
            plan = Plan(
                tuple(look.in_words(decision)),
                decision.value,
                mine.evaluation if mine is not None else None,
                decision.leaves,
                mine.seconds if mine is not None else None,
            )
            known = self._seen[number] = _Seen(decision, thought, plan, look.planned(player.snapshot, decision))
        return known


def _thinks(player: AnySeatPlayer) -> bool:
    """Whether a decision for the piece that is out is on its way."""
    brain = player.player
    if player.snapshot is None or not isinstance(brain, ThinkingPlayer):
        return False
    return brain.last is None and player.seat.in_hand()


class PersonWatch:
    """Looks at the seat that a person plays. ``wins``: how many rounds that person has won."""

    def __init__(self, seat: AnySeat, wins: Callable[[], int], title: tuple[str, ...] = ("you",)) -> None:
        self._seat = seat
        self._wins = wins
        self._title = title
        self._best = 0

    def side(self) -> Side:
        """How the person stands now. What the map doesn't know is left out."""
        seat = self._seat
        made, due = seat.counter(seat.best), seat.counter("pending")
        # between rounds the last clear is still there to be seen
        self._best = max(self._best, made or 0)
        halves = [seat.counter(f"next_{half}") for half in ("partner", "axis")]
        rows = [(seat.best, made), ("nuisance due", due), ("wins", self._wins())]
        standing = Standing(
            self._title,
            None,
            None if made is None else self._best,
            seat.best,
            score=seat.score() if "score" in seat.map else None,
            call=call_of(seat, 0),
            rows=tuple((name, f"{value:,}") for name, value in rows if value is not None),
            following=tuple(seat.look.color(code) for code in halves if code),
        )
        return Side(seat.number, seat.look, standing)
