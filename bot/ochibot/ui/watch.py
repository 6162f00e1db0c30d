"""What the window shows of players at play: a Standing of each, anew for every frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ochibot.overlay.standing import NO_CELLS, Cells, Plan, Side, Standing
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
    """Looks at players. What a decision comes to is worked out once, not sixty times a second."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}

    def side(self, player: AnySeatPlayer, title: tuple[str, ...]) -> Side:
        """The player as it stands now; ``title``: the lines that name it."""
        seat, tally = player.seat, player.tally
        number = seat.number
        plan, cells, thinking = None, NO_CELLS, False
        if player.decision is not None and player.snapshot is not None:
            seen = self._look(number, player, player.decision)
            plan, cells = seen.plan, seen.cells if player.plan is not None else NO_CELLS
        elif _thinks(player):
            last = self._seen.get(number)
            thinking = last is None or last.waits >= PATIENCE
            if last is not None and not thinking:
                last.waits += 1
                plan = last.plan
        else:
            self._seen.pop(number, None)
        standing = Standing(title, tally.pieces, tally.best_chain, seat.best, plan=plan, cells=cells, thinking=thinking)
        return Side(number, seat.look, standing)

    def _look(self, number: int, player: AnySeatPlayer, decision: Any) -> _Seen:
        thought = player.player.last if isinstance(player.player, ThinkingPlayer) else None
        known = self._seen.get(number)
        if known is None or known.decision is not decision or known.thought is not thought:
            # a player may have thought of something else since
            mine = thought if thought is not None and thought.decision is decision else None
            look = player.seat.look
            plan = Plan(
                tuple(look.told(decision)),
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
