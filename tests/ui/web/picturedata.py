"""Screenshots of our own game from real play in the core, with the truth about them from RAM, for tests of the page's
picture reader.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import ochibot
from ochibot.nyaa.rules.grid import SYMBOLS
from ochibot.nyaa.rules.pair import Placement, halves
from ochibot.nyaa.search import lock_positions
from ochibot.play.battle import Battle, Contestant

Picture = npt.NDArray[np.uint8]

NEEDLES = frozenset("RGBY")
CONTROL, SETTLING, WAVE = 2, 3, 4
STILL = 3
"""For how many frames nothing may have changed when a picture is taken."""
NEEDLE_SHARE = 0.2
"""How often the untidy player drops a pair as needles."""


@dataclass(frozen=True)
class Side:
    """One seat when the picture was taken.

    field: 12 rows of 7 letters, without the falling pair. falling: letters by (column, row from the top, both from 0;
    -1 is the hidden row) of the pair under control. phase: what the seat does.
    """

    field: str
    falling: dict[tuple[int, int], str]
    phase: int

    @property
    def covered(self) -> set[int]:
        """The cells that the falling pair may touch: it sinks smoothly, and RAM has the next row already."""
        return {row * 7 + x for x, y in self.falling for row in (y - 1, y, y + 1) if 0 <= row < 12}


@dataclass(frozen=True)
class Shot:
    """A picture of the running game, and both seats (the second is None in solo)."""

    picture: Picture
    sides: tuple[Side, Side | None]


class Untidy:
    """A player that drops its pairs anywhere, so that its fields hold all colours in all places."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, snapshot: Any) -> Placement:
        """Any lock, but none in the two top rows unless there is no other."""
        needle = self._chance.random() < NEEDLE_SHARE
        every = lock_positions(snapshot.grid, snapshot.pair, snapshot.state)
        low = [lock for lock in every if min(y for _, y in halves(lock)) > 2]
        return self._chance.choice([lock for lock in low if lock.needle == needle] or low or every)


def _side(seat: Any) -> Side:
    field = "".join(str(seat.field()).split())
    phase = seat.counter("phase")
    falling = {}
    state = seat.pair_state() if phase == CONTROL else None
    if state is not None:
        pair = (seat.counter("axis"), seat.counter("partner"))
        for (x, y), color in zip(halves(state), pair, strict=True):
            falling[x - 1, y - 1] = SYMBOLS[color + (5 if state.needle else 0)]
    return Side(field, falling, phase)


def _is_calm(now: tuple[Side, Side]) -> bool:
    return all(side.phase == CONTROL for side in now)


def _is_wave(now: tuple[Side, Side]) -> bool:
    return any(side.phase in (SETTLING, WAVE) for side in now)


def _has_needle(now: tuple[Side, Side]) -> bool:
    return any(side.phase == SETTLING and not NEEDLES.isdisjoint(side.field) for side in now)


KINDS: dict[str, Callable[[tuple[Side, Side]], bool]] = {"calm": _is_calm, "wave": _is_wave, "needle": _has_needle}
"""Moments: both pairs are under control, something falls or burns, needles have come to rest and don't burn yet."""


def shots(seed: int, count: int, kind: str = "calm", *, least: int = 8, every: int = 61) -> list[Shot]:
    """Pictures of matches of two players in the core, at least ``every`` frames apart. seed: decides the pairs and the
    places. kind: one of KINDS. least: the fewest pieces in each field.

    A picture shows what RAM held a frame or two before, so the fields must have been the same for STILL frames.
    """
    found: list[Shot] = []
    with ochibot.open("nyaa", seed=seed) as session:
        sides = [Contestant("untidy", Untidy(seed * 2 + at), 7) for at in (0, 1)]
        still = since = 0
        before: tuple[Side, Side] | None = None

        def look(running: Battle) -> None:
            nonlocal still, since, before
            if running.seats is None:
                return
            now = (_side(running.seats[0].seat), _side(running.seats[1].seat))
            still = still + 1 if before and all(a.field == b.field for a, b in zip(now, before, strict=True)) else 0
            since += 1
            before = now
            is_full = min(len(side.field) - side.field.count(".") for side in now) >= least
            if since < every or still < STILL or not is_full or not KINDS[kind](now):
                return
            since = 0
            found.append(Shot(session.console.frame(), now))
            if len(found) == count:
                running.stop("enough")

        session.contest((sides[0], sides[1]), seed=seed, keep_going=True, on_frame=look).run(1000)
    return found
