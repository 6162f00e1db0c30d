"""Simulated matches of our own cartridges, each with its rules, its random numbers and its frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.durations import FAMICOM_TIMING, MEGADRIVE_TIMING, Timing
from ochibot.puyo.sim.match import Deal, Match, Source
from ochibot.puyo.sim.megadrive import MegaDriveMatch, MegaDriveTimed
from ochibot.puyo.sim.timed import TimedMatch


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
