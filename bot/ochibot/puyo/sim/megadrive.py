"""Simulated matches of our own cartridges, each with its rules, its random numbers, its order of events and its frames.

What differs in the Mega Drive's is here as well.

Source: ``roms/homebrew/megadrive`` (README). Its rules are those of ``configs/rules/tsu.yaml``. The seats never wait
for each other, so the duration of a lock and its chain is known at once.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Final, NamedTuple, Protocol

from ochibot.errors import ConfigError, GameError
from ochibot.falling.clock import NEVER, TwoSeats
from ochibot.puyo.pairs.tsu import SET_STACK, nuisance_order, step, tsu
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.match import Deal, Match, Source, rival
from ochibot.puyo.sim.timed import FAMICOM_TIMING, MEGADRIVE_TIMING, TimedMatch, Timing
from ochibot.wording import counted

COLORS_OF: Final = {1: 3, 2: 3, 3: 4, 4: 5, 5: 5}
"""The number of colours of each difficulty."""


class MegaDriveMatch(Match):
    """A match that deals from Tsu's pools. Making the pools leaves a random state, which then chooses the columns of
    nuisance for both seats.

    random: the current random state.
    """

    most_waiting: ClassVar[int] = 9999
    most_made: ClassVar[int | None] = 65_535
    shown_beyond: ClassVar[int] = 1

    def __init__(self, deal: Deal, rules: Rules) -> None:
        """Raises ConfigError when the deal isn't by Tsu's generator, or its colours aren't those of its level."""
        if deal.source != "tsu":
            raise ConfigError(f"the Mega Drive game deals by the generator tsu, not {deal.source}")
        if COLORS_OF.get(deal.level) != deal.colors:
            levels = ", ".join(f"{level}: {colors}" for level, colors in COLORS_OF.items())
            raise ConfigError(
                f"the Mega Drive game has no level {deal.level} of {deal.colors} colours: its levels have {levels}"
            )
        super().__init__(deal, rules)
        self.random = tsu(deal.state).state

    def _columns(self, seat: int, count: int) -> tuple[int, ...]:  # noqa: ARG002
        draws = []
        for _ in range(COLUMNS):
            self.random = step(self.random, COLUMNS, SET_STACK)
            draws.append((self.random & 0xFFFF) * COLUMNS >> 16)
        return nuisance_order(draws)


class _Stage(Enum):
    """What a seat does next."""

    DECIDE = 0  # its piece has spawned; the caller is to lock it
    REST = 1  # everything has come to rest: the attack is sent, and nuisance begins to fall
    NUISANCE = 2  # nuisance has fallen


class _Clock:
    """The schedule of one seat. stage, at: what it does next, and on which frame."""

    __slots__ = ("at", "lock", "soft_rows", "spawned", "stage")

    def __init__(self) -> None:
        self.stage = _Stage.DECIDE
        self.at = self.spawned = self.soft_rows = 0
        self.lock: Lock | None = None

    @property
    def decides(self) -> bool:
        """Whether its piece has spawned and isn't locked yet."""
        return self.stage is _Stage.DECIDE


class MegaDriveTimed(TwoSeats[Match, _Clock]):
    """Runs a match by frames; both first pieces spawn at frame 0. It is used like ``ochibot.puyo.TimedMatch``."""

    def __init__(self, match: Match, timing: Timing = MEGADRIVE_TIMING, counter: int = 0) -> None:
        """``counter``: the cartridge's frame counter on frame 0. It matters only for a round that both seats lose at
        once.
        """
        super().__init__(match, (_Clock(), _Clock()), counter)
        self.timing = timing

    def rival(self, seat: int) -> Rival:
        """The other side, as a seat sees it."""
        clock = self._clocks[2 - seat]
        if clock.stage is not _Stage.REST:
            return rival(self.match, 3 - seat, None, 0, self.frame, deciding=clock.stage is _Stage.DECIDE)
        return rival(self.match, 3 - seat, clock.lock, clock.at - self.frame, self.frame)

    def lock(self, seat: int, placement: Placement, control: int, soft_rows: int = 0) -> Lock:
        """Locks the seat's piece on the ``control``-th frame (1, 2, …) under control.

        ``soft_rows``: rows that it sank with Down held. Raises GameError when the seat has no piece to lock or
        ``control`` is below 1, FieldError when the piece doesn't fit at ``placement``.
        """
        clock, timing = self._clock(seat), self.timing
        if clock.stage is not _Stage.DECIDE or control < 1:
            raise GameError(f"seat {seat} has no piece to lock after {counted(control, 'frame')} of control")
        clock.lock = done = self.match.resolved(seat, placement)
        clock.soft_rows = soft_rows
        at_rest = clock.spawned + timing.spawn_delay + control + timing.halves(done.drop) + 1
        at_rest += sum(timing.blink + timing.fall_row * (lock.fall + 1) + 1 for lock in done.steps)
        clock.stage, clock.at = _Stage.REST, at_rest
        return done

    def _event(self, seat: int, clock: _Clock) -> None:
        match, frame = self.match, clock.at
        if clock.stage is _Stage.REST:
            assert clock.lock is not None
            match.settle(seat, clock.lock, clock.soft_rows, frame)
            match.send(seat)
            if match.side(seat).tray.waiting and not match.is_topped(seat):
                rows = match.fall(seat).rows
                clock.stage, clock.at = _Stage.NUISANCE, frame + self.timing.fall_row * (rows + 1)
                return
        if match.finish(seat):
            self._over_at, clock.at = min(self._over_at, frame), NEVER
        else:
            clock.stage, clock.spawned = _Stage.DECIDE, frame
            clock.at = frame


class Timed(Protocol):
    """A match that advances frame by frame; see ``ochibot.puyo.TimedMatch``."""

    match: Match
    timing: Timing
    frame: int

    def spawned(self, seat: int) -> int:
        """The frame on which the seat's piece spawned."""

    def waiting(self) -> int | None:
        """The seat whose piece must be locked next; None when the round is over."""

    def rival(self, seat: int) -> Rival:
        """The other side, as a seat sees it."""

    def lock(self, seat: int, placement: Placement, control: int, soft_rows: int = 0) -> Lock:
        """Locks the seat's piece."""

    @property
    def loser(self) -> int | None:
        """The seat that has lost; None while the round goes on."""


class Cartridge(NamedTuple):
    """One of our cartridges. name: its name. rules: the name of its rules profile. source: the generator of its pairs.
    match, timed: the classes that simulate it.
    """

    name: str
    rules: str
    source: Source
    match: Callable[[Deal, Rules], Match]
    timed: Callable[[Match, Timing, int], Timed]
    timing: Timing


FAMICOM: Final = Cartridge("famicom", "famicom", "cartridge", Match, TimedMatch, FAMICOM_TIMING)
MEGADRIVE: Final = Cartridge("megadrive", "tsu", "tsu", MegaDriveMatch, MegaDriveTimed, MEGADRIVE_TIMING)
CARTRIDGES: Final = {one.name: one for one in (FAMICOM, MEGADRIVE)}
