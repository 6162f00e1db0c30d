"""Watches for cells that come into the field by themselves: garbage, obstacles, what an opponent sends."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Strange
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt

PIECES: Final = 45
"""Within so many pieces something falls by itself, or it is taken that nothing does."""

FALLS: Final = 2
"""After so many falls no more pieces are watched."""

MOST_LOST: Final = 5
"""After so many pieces that could not be dropped, no more are tried."""


def find_strange(ground: Ground, learnt: Learnt) -> Strange:
    """Drops pieces on emptied fields, one after another, and counts the kinds of all cells that aren't the pieces' own.

    Raises CalibrationError when pieces can't be dropped.
    """
    dice = random.Random(3)
    codes: Counter[int] = Counter()
    state = ground.state
    falls = pieces = lost = 0
    while pieces < PIECES and falls < FALLS:
        ground.rig.load(state)
        ram = ground.rig.snap()
        own = Counter(kind for byte in (learnt.near, learnt.far) if (kind := byte.kind(ram)) is not None)
        try:
            fallen = ground.drop(state, column=dice.randrange(len(ground.columns)))
        except CalibrationError:
            lost += 1
            if lost > MOST_LOST:
                raise
            state = ground.state
            continue
        pieces += 1
        state = fallen.state
        cells = Counter(ground.kinds(fallen.ram).values())
        more = cells - own
        if own.total() == 2 and cells.total() > 2 and not set(more) & set(ground.colors):
            codes += more
            falls += 1
    return Strange(dict(codes), falls, pieces)
