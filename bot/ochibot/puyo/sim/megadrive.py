"""Simulated matches of our own cartridges, each with its rules, its random numbers, its order of events and its frames.

What differs in the Mega Drive's is here as well.

Source: ``roms/homebrew/megadrive`` (README). Its rules are those of ``configs/rules/tsu.yaml``. The seats never wait
for each other, so the duration of a lock and its chain is known at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from ochibot.errors import ConfigError
from ochibot.falling.clock import NEVER
from ochibot.puyo.pairs.tsu import SET_STACK, nuisance_order, step, tsu
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.match import Deal, Match, Source
from ochibot.puyo.sim.timed import FAMICOM_TIMING, MEGADRIVE_TIMING, PieceClock, Stage, Timed, TimedMatch, Timing

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


class MegaDriveTimed(Timed):
    """Runs a match of our Mega Drive cartridge. A seat has three stages: at SEND, everything has come to rest."""

    def __init__(self, match: Match, timing: Timing = MEGADRIVE_TIMING, counter: int = 0) -> None:
        """``counter``: the cartridge's frame counter on frame 0. It matters only for a round that both seats lose at
        once.
        """
        super().__init__(match, timing, counter)

    def _running(self, clock: PieceClock) -> int | None:
        return clock.at - self.frame if clock.stage is Stage.SEND else None

    def _after(self, locked: int, done: Lock, pair: Pair, placement: Placement) -> tuple[Stage, int]:  # noqa: ARG002
        timing = self.timing
        at_rest = locked + timing.halves(done.drop) + 1
        return Stage.SEND, at_rest + sum(timing.blink + timing.fall_row * (lock.fall + 1) + 1 for lock in done.steps)

    def _event(self, seat: int, clock: PieceClock) -> None:
        match, frame = self.match, clock.at
        if clock.stage is Stage.SEND:
            assert clock.lock is not None
            match.settle(seat, clock.lock, clock.soft_rows, frame)
            match.send(seat)
            if match.side(seat).tray.waiting and not match.is_topped(seat):
                rows = match.fall(seat).rows
                clock.stage, clock.at = Stage.NUISANCE, frame + self.timing.fall_row * (rows + 1)
                return
        if match.finish(seat):
            self._over_at, clock.at = min(self._over_at, frame), NEVER
        else:
            clock.stage, clock.spawned = Stage.DECIDE, frame
            clock.at = frame


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
