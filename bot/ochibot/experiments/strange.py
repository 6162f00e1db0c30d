"""Watches for cells that come into the field by themselves: garbage, obstacles, what an opponent sends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Strange
from ochibot.experiments.known import Ground
from ochibot.experiments.layouts import unlike_pieces
from ochibot.experiments.rig import Bytes
from ochibot.experiments.views import WHOLE, View, with_plane

PIECES: Final = 45
"""Within so many pieces something falls by itself, or it is taken that nothing does."""

FALLS: Final = 2
"""After so many falls no more pieces are watched."""

FEWEST_SEEN: Final = 4
"""So many cells of an unknown plane must be seen, counted after each piece. Nobody writes over them."""

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
    view, rams = ground.rig.view, []
    # copies show the same cells
    rows = range(ground.place.rows)
    copies = [grid.cell(column, row) for grid in ground.setting.grids for column in range(grid.columns) for row in rows]
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
        if view is not None:
            ram = fallen.ram[: ground.rig.own].copy()
            ram[copies] = 0
            rams.append(ram)
        kinds = ground.kinds(fallen.ram).values()
        # two cells are the piece's own, whatever they are
        if len(kinds) > 2 and (more := [kind for kind in kinds if kind not in ground.colors]):
            codes.update(more)
            falls += 1
    plane = None if falls or view is None else _plane(view, rams, ground.place.rows)
    if view is not None and plane is not None:
        return Strange({with_plane(view, plane).numbers[-1]: FEWEST_SEEN}, 1, pieces, plane)
    return Strange(dict(codes), falls, pieces)


def _plane(view: View, rams: Sequence[Bytes], rows: int) -> int | None:
    """Where a view of bit masks has one more, as bytes from the first, whose cells no piece has. rows: of the field,
    above which a plane may have other things than cells.
    """
    if len(view.places[0]) < 2:
        return None
    bits = np.unpackbits(np.stack(rams), axis=1, bitorder="big" if view.high_first else "little") > 0
    first, *others = view.places[0]
    cells = np.array([view.number(cell) for cell in range(view.size)]).reshape(-1, view.columns)[:rows] - WHOLE * first
    found = unlike_pieces(bits, [WHOLE * place for place in (first, *others)], cells, FEWEST_SEEN, held=True)
    return found[0] // WHOLE - first if found else None
