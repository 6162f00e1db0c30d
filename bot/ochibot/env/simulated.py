"""Games of one seat on the simulator, for ``ochibot.env.solo``: the dealer and all consequences of a lock."""

from __future__ import annotations

from typing import Any, Protocol

from ochibot.env.boards import Board, NyaaBoard, PuyoBoard
from ochibot.nyaa.sim import match as nyaa
from ochibot.puyo.sim import match as puyo
from ochibot.puyo.sim.match import Source


class Solo(Protocol):
    """A game of one seat. board: its family and rules."""

    board: Board

    def begin(self, seed: int) -> Any:
        """Begins a game; returns its first snapshot. ``seed``: 1 to 2^32 - 1; equal seeds give equal games."""

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling piece. Returns the next snapshot, the points gained, and whether the game is over."""


class PuyoSolo:
    """Endless Mode by the rules and with the generator of a game."""

    def __init__(self, board: PuyoBoard, source: Source) -> None:
        """``source``: which generator deals (``ochibot.puyo.sim.match.Deal``)."""
        self.board: Board = board
        self._colors, self._shown, self._source = board.colors, board.shown, source
        self._match: puyo.Match | None = None

    def begin(self, seed: int) -> Any:
        """Begins a game."""
        self.board.begin()
        deal = puyo.Deal(seed, colors=self._colors, source=self._source)
        self._match = puyo.Match(deal, self.board.rules)
        return self._seen()

    def _seen(self) -> Any:
        assert self._match is not None
        return self._match.snapshot(1, self._shown - 1)

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling pair."""
        assert self._match is not None
        before = self._match.side(1).score
        done = self._match.lock(1, placement)
        return self._seen(), float(self._match.side(1).score - before), done.over


class NyaaSolo:
    """A game of Pochi & Nyaa without another side; points are attack points."""

    def __init__(self, board: NyaaBoard) -> None:
        self.board: Board = board
        self._match: nyaa.Match | None = None

    def begin(self, seed: int) -> Any:
        """Begins a game."""
        self.board.begin()
        self._match = nyaa.Match(nyaa.Deal(seed), self.board.rules)
        return self._seen()

    def _seen(self) -> Any:
        assert self._match is not None
        return self._match.snapshot(1)

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling pair."""
        assert self._match is not None
        done = self._match.lock(1, placement)
        return self._seen(), float(done.outcome.attack), done.over
