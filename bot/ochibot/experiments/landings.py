"""Plays pieces as a person would and keeps what each landing changed in RAM. Nothing is poked.

Pieces are turned at random, brought over columns at random, and dropped. So what they leave in RAM shows the field,
even in games that ignore what is written into it from outside.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Final

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.pad import signed_byte
from ochibot.experiments.rig import Bytes

PIECES: Final = 48
IDLES: Final = 45
"""A game that has ended is begun again after up to this many frames of waiting, so that other pieces may come."""

FARTHER: Final = 2
FEWEST_BETWEEN: Final = 3
"""So many pieces must rest between known columns."""

QUIET: Final = 40
"""In so many frames without a press, what isn't a cell may change."""

MOST_FAILURES: Final = 12
"""Pieces that don't come to rest, or don't get to their column, in a row."""

MOST_LOST: Final = 6
"""So many in all, if they are at least half of the pieces: x and y aren't the piece's."""


@dataclass(frozen=True)
class Landing:
    """One piece. state, before: the savestate and RAM when it came under control; after: RAM when the next piece did.

    flying: RAM shortly before it rested. x, y: raw x and y at rest; top: raw y where it appeared. turns: how many
    taps turned it. game: which game it belongs to, from 0. later: RAM shortly before the next piece rested, None if
    none did: where the falling piece is drawn into the field, ``before`` and ``after`` have it, and these don't.
    """

    state: bytes
    before: Bytes
    flying: Bytes
    after: Bytes
    x: int
    y: int
    top: int
    turns: int
    game: int
    later: Bytes | None = None

    def seen_as(self, cells: Callable[[Bytes], Bytes]) -> Landing:
        """The landing with other bytes made of RAM's."""
        rams = [cells(ram) for ram in (self.before, self.flying, self.after)]
        later = None if self.later is None else cells(self.later)
        return replace(self, before=rams[0], flying=rams[1], after=rams[2], later=later)

    @property
    def moved(self) -> Bytes:
        """The bits that don't stay as they are after the landing while the next piece falls."""
        return self.after ^ (self.after if self.later is None else self.later)


def play(
    driver: Driver,
    state: bytes,
    columns: Sequence[int],
    turn: int | None,
    pieces: int = PIECES,
    seed: int = 1,
    ended: Callable[[Landing], bool] = lambda _: False,
) -> list[Landing]:
    """Plays pieces from a savestate on. ``columns``: raw x of the columns; ``turn``: a button that turns pieces.

    Other pieces than the first one may get farther to the sides, so that columns beyond are tried as well. ``ended``:
    whether the game has ended with a landing: what comes then may be played by a demo. Raises CalibrationError when no
    piece comes to rest.
    """
    rig = driver.rig
    dice = random.Random(seed)
    found: list[Landing] = []
    here, game, failures, lost = state, 0, 0, 0
    rig.load(state)
    top = driver.y_now()
    step = columns[1] - columns[0]
    # beyond the columns a byte would go round, and lead to the other side
    left = [columns[0] - step * number for number in range(FARTHER, 0, -1)]
    right = [columns[-1] + step * number for number in range(1, FARTHER + 1)]
    wide = [*left, *columns, *right]
    while len(found) < pieces and failures < MOST_FAILURES:
        rig.check()
        rig.load(here)
        before = driver.settled(rig.snap())
        turns = dice.randrange(4) if turn is not None and dice.randrange(2) else 0
        column = dice.choice(wide)
        try:
            fallen = driver.fall(here, column=column, turns=(turn or 0,) * turns, about=True)
        except CalibrationError:
            failures, lost = failures + 1, lost + 1
            if lost >= max(MOST_LOST, len(found)):
                break
        else:
            failures = 0
            if found and found[-1].game == game:
                found[-1] = replace(found[-1], later=fallen.flying)
            one = Landing(here, before, fallen.flying, fallen.ram, fallen.x, fallen.lowest, top, turns, game)
            if not ended(one):
                found.append(one)
                here, top = fallen.state, fallen.top
                continue
        game += 1
        here = _again(driver, state, dice)
        top = driver.y_now()
    if not found:
        raise CalibrationError("no piece that was dropped came to rest")
    return found


def finer(columns: Sequence[int], landings: Sequence[Landing]) -> tuple[int, ...]:
    """Raw x of all columns, if pieces came to rest between those that single taps lead to, as where a game looks at the
    pad rarely; otherwise the same columns.
    """
    times = Counter(signed_byte(one.x - columns[0]) for one in landings)
    wide = signed_byte(columns[1] - columns[0])
    step = gcd(wide, *(away for away, seen in times.items() if seen >= FEWEST_BETWEEN))
    if step == abs(wide):
        return tuple(columns)
    span = signed_byte(columns[-1] - columns[0])
    step = step if wide > 0 else -step
    return tuple(columns[0] + step * number & 255 for number in range(span // step + 1))


def _again(driver: Driver, state: bytes, dice: random.Random) -> bytes:
    """The first savestate again, some frames later."""
    driver.rig.load(state)
    driver.rig.run([0] * dice.randrange(IDLES))
    return driver.rig.save()


Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]


def restless(driver: Driver, landings: Sequence[Landing]) -> Mask:
    """Bytes that change while a piece is under control and nothing is pressed, (size,) bool: no cells of a field."""
    rig = driver.rig
    found = np.zeros(rig.size, bool)
    for one in landings[:: max(1, len(landings) // 3)]:
        seen = rig.branch(one.state, [0] * QUIET)
        found |= (seen != one.before).any(axis=0)
    return found
