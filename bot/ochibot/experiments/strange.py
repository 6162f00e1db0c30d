"""Watches for cells that come into the field by themselves: garbage, obstacles, what an opponent sends."""

from __future__ import annotations

import random
from collections import Counter
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Strange
from ochibot.experiments.known import Ground

PIECES: Final = 45
"""Within so many pieces something falls by itself, or it is taken that nothing does."""

FALLS: Final = 2
"""After so many falls no more pieces are watched."""

MOST_LOST: Final = 5
"""After so many pieces that could not be dropped, no more are tried."""


def find_strange(ground: Ground) -> Strange:
    """Drops pieces on emptied fields, one after another, and counts the cells that are none of the colours'.

    Raises CalibrationError when pieces can't be dropped.
    """
    dice = random.Random(3)
    codes: Counter[int] = Counter()
    state = ground.state
    falls = pieces = lost = 0
    while pieces < PIECES and falls < FALLS:
        try:
            # any column will do, where slow pads lead past some
            column = dice.choice(ground.columns)
            fallen = ground.driver.fall(state, column=column, pokes=ground.painted(), about=True)
        except CalibrationError:
            lost += 1
            if lost > MOST_LOST:
                raise
            state = ground.state
            continue
        pieces += 1
        state = fallen.state
        kinds = ground.kinds(fallen.ram).values()
        # two cells are the piece's own, whatever they are
        if len(kinds) > 2 and (more := [kind for kind in kinds if kind not in ground.colors]):
            codes.update(more)
            falls += 1
    return Strange(dict(codes), falls, pieces)
