"""Finds the byte that numbers the cell where the piece is. In such games x and y are those of a sprite, which may be
hidden as a piece appears, or there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Basis, Stance
from ochibot.experiments.known import Ground
from ochibot.experiments.pad import USUAL
from ochibot.experiments.rig import Bytes, Numbered, Rig, signed

STEERED: Final = 24
"""So many taps to a side."""

IDLE: Final = 160
FALL: Final = 900
"""Frames in which a piece sinks by two rows, and in which it comes to rest with DOWN held."""


def find_counted(rig: Rig, state: bytes, across: Collection[int]) -> Numbered | None:
    """The byte, of some that follow left and right, that also goes by equal steps as a piece falls by itself, and back
    as the next one comes. Its base is so that no row of cells goes beyond the numbers of one. None: there is no such
    byte.
    """
    rig.count(None)
    rig.load(state)
    rig.run(USUAL.pads(Button.LEFT))
    aside, here = rig.save(), rig.snap()
    idle = rig.trace([0] * IDLE)
    # those of a view, which is gone, lie beyond RAM
    for at in (one for one in across if one < rig.size):
        sunk = [one for one in _steps(idle[:, at]).tolist() if one]
        if len(sunk) < 2 or len({*sunk}) > 1:
            continue
        walks = [rig.branch(state, USUAL.pads(side, STEERED))[:, at] for side in (Button.LEFT, Button.RIGHT)]
        ways = Counter(one for one in _steps(walks[1]).tolist() if one not in (0, sunk[0]))
        right = max(ways, key=lambda one: ways[one], default=0)
        found = Numbered(at, right, sunk[0], 0)
        fall = rig.branch(state, [int(Button.DOWN)] * FALL)[:, at]
        # copies don't keep what is poked
        kept = int(rig.after(aside, [0] * IDLE, {at: int(here[at]) + right})[at]) == int(idle[-1, at]) + right & 255
        if right > 0 and found.period and kept and {*_steps(fall).tolist()} - {0, sunk[0]}:
            return _based(found, np.concatenate([walks[1], fall, walks[0]]))
    return None


def _steps(seen: Bytes) -> npt.NDArray[np.int16]:
    return signed(np.diff(seen, axis=0))


def _based(number: Numbered, seen: Bytes) -> Numbered:
    """With a base of 0 or less, in the middle of the longest run of places in a line in which no piece was seen; the
    last seen place begins a line if there is no such run.
    """
    small, period = min(number.right, abs(number.lower)), number.period
    places = seen.astype(int) // small % period
    taken = {*places.tolist()}
    runs = [next(away for away in range(period) if (at - away - 1) % period in taken) for at in range(period)]
    first = max(taken, key=lambda at: (runs[at], at == places[-1]))
    base = (first - runs[first] // 2) % period * small + int(seen[0]) % small
    return replace(number, base=base - small * period if base else 0)


def find_numbered(ground: Ground, basis: Basis, stance: Stance, among: Collection[int]) -> Numbered:
    """The byte, where x and y are others. Raises CalibrationError if there is no such byte."""
    found = find_counted(ground.rig, ground.state, among)
    ground.rig.look(basis.view)
    if found is None:
        raise CalibrationError("no byte numbers the piece's cell")
    flying = ground.drop().flying
    x, y, number = (int(flying[at]) for at in (basis.x[0], basis.y[0], found.offset))
    if x not in basis.columns:
        raise CalibrationError("the piece was seen in no column")
    away = (y - basis.floor_y if basis.cell_y > 0 else basis.floor_y - y) & 255
    up = stance.near_row + away // abs(basis.cell_y)
    return replace(found, base=number - found.right * basis.columns.index(x) + found.lower * up & 255)


def entries_of(number: Numbered, address: int, floor: int) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The entries x and y of a map by the number of the cell. floor: y in the lowest row."""
    period, lower = number.period, abs(number.lower)
    small, up = min(number.right, lower), {"scale": -1} if number.lower < 0 else {}
    if lower > number.right:
        x = {"origin": number.base, "divide": small, "modulo": period, "offset": 1}
        # rounded down, all cells of a row give the same
        top = number.base - number.lower * floor + (lower - small if up else 0)
        return {"address": address, **x}, {"address": address, "origin": top, **up, "divide": lower}
    # the lowest row is at one end of a column's numbers
    first, end = (number.base, small * (period - 1)) if up else (number.base - small * (period - 1), 0)
    x = {"origin": first, "divide": number.right, "offset": 1}
    y = {"origin": first + end, **up, "divide": small, "modulo": period, "offset": floor - period + 1}
    return {"address": address, **x}, {"address": address, **y}
