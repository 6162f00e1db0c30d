"""Decisions in a thread of their own: the frame loop asks at the spawn and checks for an answer every frame."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ochibot.errors import FieldError
from ochibot.falling.player import AnyPlayer, Judgement, chosen, foresees, let_ponder, tell_end, watches


@dataclass(frozen=True)
class Thought:
    """A decision, the player's evaluation of the field that it leads to, and the seconds that choosing took."""

    decision: Any | None
    evaluation: Judgement | None
    seconds: float


class ThinkingPlayer:
    """Lets a player think in a thread of its own, which alone uses it; a ``Thinker`` for ``SeatPlayer``.

    If the player has a method ``judge``, it also evaluates each decision, for display. The search releases the GIL, so
    frames go on meanwhile. ``close`` ends the thread.
    """

    def __init__(self, player: AnyPlayer) -> None:
        self.player = player
        self._evaluate: Callable[[Any, Any], Judgement] | None = getattr(player, "judge", None)
        self._pool = ThreadPoolExecutor(1, "ochibot-thinks")
        self._coming: Future[Thought] | None = None
        self.last: Thought | None = None
        """The thought that ``decision`` returned last; ``ask`` sets it to None."""

    @property
    def foresees(self) -> int:
        """How many coming pieces the player wants to know."""
        return foresees(self.player)

    @property
    def watches(self) -> bool:
        """Whether the player wants to see the other side of a match."""
        return watches(self.player)

    def _think(self, snapshot: Any) -> Thought:
        began = time.perf_counter()
        decision = chosen(self.player, snapshot)
        seconds = time.perf_counter() - began
        evaluation = None
        if decision is not None and self._evaluate is not None and hasattr(decision, "placement"):
            try:
                evaluation = self._evaluate(snapshot, decision)
            except FieldError:
                evaluation = None
        return Thought(decision, evaluation, seconds)

    def ask(self, snapshot: Any) -> None:
        """Begins to think about a snapshot. The answer about an earlier snapshot is dropped."""
        if self._coming is not None:
            self._coming.cancel()
        self.last = None
        self._coming = self._pool.submit(self._think, snapshot)

    def done(self) -> bool:
        """Whether the decision is ready."""
        return self._coming is not None and self._coming.done()

    def decision(self) -> Any | None:
        """The decision; waits for it if it isn't ``done``. Raises any error that the player's ``choose`` raised."""
        assert self._coming is not None, "ask first"
        self.last = self._coming.result()
        return self.last.decision

    def choose(self, snapshot: Any) -> Any | None:
        """Thinks and waits for the answer, as a plain Player does."""
        self.ask(snapshot)
        return self.decision()

    def ponder(self, snapshot: Any, decision: Any) -> None:
        """Lets the player think on."""
        self._pool.submit(let_ponder, self.player, snapshot, decision)

    def ended(self, result: str) -> None:
        """Tells the player how a game has ended."""
        self._pool.submit(tell_end, self.player, result)

    def close(self) -> None:
        """Ends the thread, after it has finished its present decision."""
        self._pool.shutdown(cancel_futures=True)
