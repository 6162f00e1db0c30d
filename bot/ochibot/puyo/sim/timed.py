"""Computes the frame of each event of a match, so that both seats' locks come in the cartridge's order.

Each seat goes from event to event. The earlier event is processed first; on the same frame, seat 1 goes before seat 2.
The seats share one processor. Of the events marked * in ``Stage``, only one is processed in a frame, and while one
seat is halfway through its search for groups the other has to wait. A seat that has to wait tries again in the next
frame (docs/match.md).

The durations are those of our own cartridges, in frames. docs/match.md explains the model and shows how exactly it
holds. Source of the numbers: ``roms/homebrew/famicom``.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import Final

from ochibot.errors import GameError
from ochibot.falling.clock import NEVER, TwoSeats
from ochibot.puyo.rules.field import ROWS
from ochibot.puyo.rules.pair import BIG, Pair, Placement
from ochibot.puyo.rules.snapshot import Rival
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.match import Match, rival
from ochibot.wording import counted


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations. All numbers are frames unless they say otherwise.

    - spawn_delay: from a spawn to the last frame without control.
    - frames_per_row: falling one row, by level from 1.
    - drop_hurry: falling one row with Down held.
    - lock_budget: how long a piece may stay on the ground, in all, before it locks.
    - lock_hurry: how much of that budget a frame with Down takes.
    - half_row: one row of a half that drops on its own.
    - blink: how long a group blinks before it vanishes.
    - fall_row: one row of everything else that falls.
    - big_row: one row of the big puyo sinking.
    - carbuncle: how long it works; carbuncle_colors: after how many frames it recolours.
    """

    spawn_delay: int = 12
    frames_per_row: tuple[int, ...] = (40, 28, 18, 11)
    drop_hurry: int = 2
    lock_budget: int = 28
    lock_hurry: int = 4
    half_row: int = 2
    blink: int = 30
    fall_row: int = 2
    big_row: int = 4
    carbuncle: int = 28
    carbuncle_colors: int = 16

    def halves(self, drop: int) -> int:
        """Frames from a pair's lock until both halves rest; ``drop``: the rows that one of them falls."""
        return max(1, self.half_row * drop)

    def sinking(self, y: int) -> int:
        """Frames from a big puyo's lock on row ``y`` until it has left the field through the floor."""
        return self.big_row * (ROWS + 1 - y)

    def alone(self, drop: int, falls: tuple[int, ...], nuisance: int | None = None) -> int:
        """Frames from a pair's lock to the next spawn when the other seat is idle.

        ``falls``: for each step of the chain, the most rows that a puyo falls after it. ``nuisance``: the most rows
        that nuisance falls; None when none falls.
        """
        # one frame for linking neighbours, one for each half of the search for groups, one for the end
        frames = self.halves(drop) + 4
        frames += sum(self.blink + self.fall_row * (fall + 1) + 3 for fall in falls)
        return frames if nuisance is None else frames + self.fall_row * (nuisance + 1)


FAMICOM_TIMING: Final = Timing()
"""The durations of our own Famicom cartridge."""

MEGADRIVE_TIMING: Final = Timing(frames_per_row=(40, 32, 24, 18, 11))
"""The durations of our own Mega Drive cartridge, by difficulty 1 to 5 (``roms/homebrew/megadrive``, README)."""


class Stage(Enum):
    """What a seat does next. The stages marked * need the processor that both seats share."""

    DECIDE = 0  # its piece has spawned; the caller must now lock it
    SINK = 1  # * the big puyo has sunk out of the field
    COLOR = 2  # * the carbuncle recolours
    LINKS = 3  # * everything has come to rest: neighbours are linked
    SEARCH = 4  # * first half of the search for groups
    SEARCH_REST = 5  # * second half
    VANISH = 6  # * the groups have blinked
    FALL = 7  # * the puyos above the groups fall a row, or have fallen
    SEND = 8  # nuisance is sent; then waiting nuisance, if any, begins to fall (*)
    NUISANCE = 9  # * nuisance falls a row, or has fallen


class PieceClock:
    """A seat's progress. at: the frame of its next event. left: how many more times the stage repeats. locked: the
    frame of its last lock.
    """

    __slots__ = ("at", "left", "lock", "locked", "soft_rows", "spawned", "stage", "step")

    def __init__(self) -> None:
        self.stage = Stage.DECIDE
        self.at = 0
        self.left = 0
        self.step = 0
        self.spawned = 0
        self.locked = 0
        self.soft_rows = 0
        self.lock: Lock | None = None

    @property
    def decides(self) -> bool:
        """Whether its piece has spawned and isn't locked yet."""
        return self.stage is Stage.DECIDE


class Timed(TwoSeats[Match, PieceClock]):
    """Runs a ``Match`` of a cartridge frame by frame. The first piece of each seat spawns at frame 0.

    Use it like this::

        timed = TimedMatch(match)
        while (seat := timed.waiting()) is not None:
            timed.lock(seat, placement, frames)
        timed.loser
    """

    def __init__(self, match: Match, timing: Timing, counter: int) -> None:
        super().__init__(match, (PieceClock(), PieceClock()), counter)
        self.timing = timing

    def rival(self, seat: int) -> Rival:
        """The other side, as ``seat`` sees it."""
        clock = self._clocks[2 - seat]
        frames = self._running(clock)
        if frames is None:
            return rival(self.match, 3 - seat, None, 0, self.frame, deciding=clock.decides)
        return rival(self.match, 3 - seat, clock.lock, frames, self.frame)

    @abstractmethod
    def _running(self, clock: PieceClock) -> int | None:
        """For how many more frames the seat's chain runs; None if none runs."""

    def lock(self, seat: int, placement: Placement, control: int, soft_rows: int = 0) -> Lock:
        """Locks the seat's piece on the ``control``-th frame (1, 2, …) under control.

        ``soft_rows``: how many rows the piece sank with Down held. Raises GameError when the seat has no piece to lock
        or ``control`` is below 1, FieldError when the piece doesn't fit there.
        """
        clock = self._clock(seat)
        if not clock.decides or control < 1:
            raise GameError(f"seat {seat} has no piece to lock after {counted(control, 'frame')} of control")
        pair = self.match.side(seat).pair
        clock.lock = done = self.match.resolved(seat, placement)
        clock.step = 0
        clock.soft_rows = soft_rows
        clock.locked = clock.spawned + self.timing.spawn_delay + control
        clock.stage, clock.at = self._after(clock.locked, done, pair, placement)
        return done

    @abstractmethod
    def _after(self, locked: int, done: Lock, pair: Pair, placement: Placement) -> tuple[Stage, int]:
        """What a seat does next after a lock at the frame ``locked``, and on which frame."""


class TimedMatch(Timed):
    """Runs a match of our Famicom cartridge."""

    def __init__(self, match: Match, timing: Timing = FAMICOM_TIMING, counter: int = 0) -> None:
        """``counter``: the cartridge's frame counter after frame 0. It matters only for a round that both seats lose at
        once.
        """
        # the cartridge asks who has lost a frame after the round's end
        super().__init__(match, timing, counter + 1)
        self._busy = -1  # the latest frame in which a seat had the processor
        self._searching: int | None = None
        self._touched = [-1, -1]  # the latest frame in which a seat's waiting nuisance changed

    def _running(self, clock: PieceClock) -> int | None:
        """The frames are computed as if the seat were playing alone."""
        if clock.lock is None or clock.stage in (Stage.DECIDE, Stage.SEND, Stage.NUISANCE):
            return None
        ends = clock.locked + self.timing.alone(clock.lock.drop, tuple(step.fall for step in clock.lock.steps))
        return max(1, ends - self.frame)

    def _after(self, locked: int, done: Lock, pair: Pair, placement: Placement) -> tuple[Stage, int]:
        timing = self.timing
        if not pair.is_item:
            return Stage.LINKS, locked + timing.halves(done.drop) + 1
        if pair.axis == BIG:
            return Stage.SINK, locked + timing.sinking(placement.y)
        if done.recolours:
            return Stage.COLOR, locked + timing.carbuncle_colors
        return Stage.LINKS, locked + timing.carbuncle + 1

    def _take(self, seat: int, frame: int) -> bool:
        """Reserves the processor for a seat's task in this frame. Returns False if the processor is busy."""
        if self._busy == frame or self._searching == 3 - seat:
            return False
        self._busy = frame
        return True

    def _event(self, seat: int, clock: PieceClock) -> None:
        frame, stage = clock.at, clock.stage
        if stage is Stage.SEND:
            self._send(seat, clock)
            return
        if not self._take(seat, frame):
            clock.at += 1
            return
        assert clock.lock is not None
        timing, steps = self.timing, clock.lock.steps
        if stage is Stage.SINK:
            clock.stage, clock.at = Stage.LINKS, frame + 1
        elif stage is Stage.COLOR:
            clock.stage, clock.at = Stage.LINKS, frame + timing.carbuncle - timing.carbuncle_colors + 1
        elif stage is Stage.LINKS:
            clock.stage, clock.at = Stage.SEARCH, frame + 1
        elif stage is Stage.SEARCH:
            self._searching = seat
            clock.stage, clock.at = Stage.SEARCH_REST, frame + 1
        elif stage is Stage.SEARCH_REST:
            self._searching = None
            if clock.step < len(steps):
                clock.stage, clock.at = Stage.VANISH, frame + timing.blink
            else:
                self.match.settle(seat, clock.lock, clock.soft_rows, frame)
                clock.stage, clock.at = Stage.SEND, frame + 1
        elif stage is Stage.VANISH:
            clock.left = steps[clock.step].fall
            clock.step += 1
            clock.stage, clock.at = Stage.FALL, frame + timing.fall_row
        elif clock.left:
            clock.left -= 1
            clock.at = frame + timing.fall_row
        elif stage is Stage.FALL:
            clock.stage, clock.at = Stage.LINKS, frame + 1
        else:
            self._finish(seat, clock)

    def _send(self, seat: int, clock: PieceClock) -> None:
        """Sends what the seat has earned, once its field is at rest, and drops waiting nuisance."""
        frame, match, own = clock.at, self.match, self.match.side(seat)
        if own.earned:
            # a seat's waiting nuisance changes at most once in a frame
            if self._touched[2 - seat] == frame:
                clock.at += 1
                return
            self._touched[2 - seat] = frame
            match.send(seat)
        if match.is_topped(seat) or not own.tray.waiting:
            self._finish(seat, clock)
            return
        if self._touched[seat - 1] == frame or not self._take(seat, frame):
            clock.at += 1
            return
        self._touched[seat - 1] = frame
        clock.left = match.fall(seat).rows
        clock.stage, clock.at = Stage.NUISANCE, frame + self.timing.fall_row

    def _finish(self, seat: int, clock: PieceClock) -> None:
        if self.match.finish(seat):
            self._over_at, clock.at = self.frame, NEVER
        else:
            clock.stage, clock.spawned = Stage.DECIDE, self.frame
