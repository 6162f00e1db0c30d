"""A seat for a program that makes the decisions itself: it names each placement, and the pilot steers the
pair there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ochibot.console import Button, PlayedConsole
from ochibot.errors import GameError, StalledError
from ochibot.games.protocols import AnySeat
from ochibot.keeping import Keeps, Kept
from ochibot.play.endless import STALL_FRAMES
from ochibot.play.pilot import Pilot
from ochibot.play.seat import SeatPlayer, Watcher
from ochibot.play.speed import speed_of


@dataclass(frozen=True)
class Locked:
    """What a lock led to.

    chain: the length of the chain by the forecast. score: the score shown now. agreed: whether the pair locked at its
    target, and all cells and the score were as forecast. game_over: whether it was the game's last lock.
    """

    chain: int
    score: int
    agreed: bool
    game_over: bool


class _Given(Keeps):
    """A player that waits until it is given a placement."""

    name = "by hand"
    _changing = ("placement",)

    def __init__(self) -> None:
        self.placement: Any | None = None

    def choose(self, snapshot: Any) -> Any | None:  # noqa: ARG002
        """The placement given."""
        return self.placement

    def ask(self, snapshot: Any) -> None:  # noqa: ARG002
        """Drops the placement given for the last pair, because a new pair has spawned."""
        self.placement = None

    def done(self) -> bool:
        """Whether a placement has been given."""
        return self.placement is not None

    def decision(self) -> Any | None:
        """The placement given."""
        return self.placement


class ManualSeat(Keeps):
    """Seat 1 of a running game. ``start`` goes to the first spawn; then ``place`` pair after pair.

    Something else may change the machine between two calls: a savestate is loaded, the console runs frames by itself, a
    byte is written. Each call therefore compares RAM with what the last call left, and forgets what it knew if they
    differ.
    """

    _changing = ("seat", "_given", "_hands", "_over", "_started", "_fresh", "_seen")

    def __init__(
        self, machine: PlayedConsole, seat: AnySeat, reach: Callable[[], None], *, watcher: Watcher | None = None
    ) -> None:
        self.machine = machine
        self.seat = seat
        self._reach = reach
        self._given = _Given()
        self._hands = SeatPlayer(seat, self._given, speed_of(10), keep_going=True, watcher=watcher)
        self._over = False
        self._started = False
        # RAM as the last call left it
        self._seen = b""
        # whether the snapshot is of this frame
        self._fresh = True

    def look(self) -> None:
        """Reads RAM anew if something else has changed it since the last call."""
        if self._seen == self.machine.ram.everything():
            return
        self._over = False
        self._fresh = True
        try:
            self._hands.rejoin()
            joined = self._hands.pair_is_out and not self.seat.in_menus()
        except GameError:
            # RAM shows no game: a machine that has just been switched on, or its menus
            self._hands.leave()
            joined = False
        self._started = self._started or joined
        self._over = self._started and not joined and self._hands.game_over()
        self._note()

    def _note(self) -> None:
        self._seen = self.machine.ram.everything()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        self.look()
        return self._over

    @property
    def snapshot(self) -> Any:
        """What is seen of the pair that is out: at its spawn, or now if it has been moved since.

        Raises GameError while no pair is out: before ``start``, while a lock settles, and after the end.
        """
        self.look()
        if self._over or not self._started:
            raise GameError("no pair is out: start() the game first")
        if not self._hands.pair_is_out:
            raise GameError("no pair is out now, the field is settling: next_pair() runs on until one is")
        if not self._fresh:
            self._hands.look_again()
            self._fresh = True
        return self._hands.snapshot

    def put_back(self, kept: Kept) -> None:
        """Restores what ``kept`` returned, once the machine is back at that moment."""
        if "_changing" in vars(type(self.seat)):
            super().put_back(kept)
        else:
            # a seat that doesn't say what changes in it looks at RAM anew
            self._seen = b""

    def start(self) -> Any:
        """Goes to the first spawn. Returns the snapshot."""
        self.seat.resync()
        self._hands.leave()
        self._over = False
        self._reach()
        self._started = self._fresh = True
        self._hands.spawn()
        self._note()
        return self._hands.snapshot

    def step(self, *pads: int) -> None:
        """Runs one frame with these pads."""
        self.look()
        self.machine.step(*pads)
        if not self._started:
            self.seat.update()
        else:
            self._hands.frame()
            self._fresh = self.seat.spawned
            self._over = self._over or self._hands.game_over()
        self._note()

    def next_pair(self) -> Any:
        """Runs frames until a pair is out; none if one is. Returns the snapshot.

        Raises GameError when the game ends, StalledError when no pair comes, for example in the menus.
        """
        self.look()
        before, self._started = self._started, True
        for _ in range(STALL_FRAMES):
            if self._over or self._hands.pair_is_out:
                return self.snapshot
            self.step()
        self._started = before
        raise self._stalled()

    def place(self, placement: Any, speed: int = 10) -> Locked:
        """Steers the pair to the placement and goes on to the next spawn, or to the game's end.

        Raises GameError when no pair is out or it can't get to the placement, StalledError when no other pair comes.
        """
        hands, seat, tally = self._hands, self.seat, self._hands.tally
        snapshot = self.snapshot
        hands.pilot = Pilot(speed_of(speed).on_pad(getattr(seat, "tap", (1, 1))))
        self._given.placement = seat.decided(snapshot, placement)
        hands.decide()
        chain = hands.forecast_chain
        before = tally.faults
        idle = (Button.NONE,) * (seat.number - 1)
        pad = Button.NONE
        try:
            for frame in range(STALL_FRAMES):
                self.machine.step(*idle, pad)
                pad = hands.frame()
                if seat.spawned:
                    break
                if frame & 7 == 0 and hands.game_over():
                    self._over = True
                    break
            else:
                raise self._stalled()
        finally:
            self._fresh = seat.spawned
            self._note()
        return Locked(chain, seat.score(), tally.faults == before, self._over)

    @staticmethod
    def _stalled() -> StalledError:
        return StalledError(f"no new pair has come for {STALL_FRAMES} frames: the game hangs, or is paused")
