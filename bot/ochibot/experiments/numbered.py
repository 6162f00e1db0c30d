"""Finds the byte that numbers the cell where the piece is: in such games x and y are those of a sprite, which may be
hidden as a piece appears.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Basis, Stance
from ochibot.experiments.known import Ground
from ochibot.experiments.pad import USUAL
from ochibot.experiments.rig import Bytes, Numbered, Rig, signed

STILL: Final = 2
"""A sprite that hasn't moved for so many frames is where the piece is."""

FEWEST: Final = 12
TOLD: Final = 0.95
MOST_POKED: Final = 8


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
    idle = _steps(rig.trace([0] * IDLE))
    for at in across:
        sunk = [one for one in idle[:, at].tolist() if one]
        if len(sunk) < 2 or len({*sunk}) > 1 or sunk[0] < 0:
            continue
        walks = [rig.branch(state, USUAL.pads(side, STEERED))[:, at] for side in (Button.LEFT, Button.RIGHT)]
        ways = Counter(one for one in _steps(walks[1]).tolist() if one not in (0, sunk[0]))
        right = max(ways, key=lambda one: ways[one], default=0)
        found = Numbered(at, right, sunk[0], 0)
        fall = rig.branch(state, [int(Button.DOWN)] * FALL)[:, at]
        if right > 0 and found.period and {*_steps(fall).tolist()} - {0, sunk[0]}:
            return _based(found, np.concatenate([walks[1], fall, walks[0]]))
    return None


def _steps(seen: Bytes) -> npt.NDArray[np.int16]:
    return signed(np.diff(seen, axis=0))


def _based(number: Numbered, seen: Bytes) -> Numbered:
    """With a base of 0 or less, in the middle of the longest run of places in a line in which no piece was seen; the
    last seen place begins a line if there is no such run.
    """
    small, period = min(number.right, number.lower), number.period
    places = seen.astype(int) // small % period
    taken = {*places.tolist()}
    runs = [next(away for away in range(period) if (at - away - 1) % period in taken) for at in range(period)]
    first = max(taken, key=lambda at: (runs[at], at == places[-1]))
    base = (first - runs[first] // 2) % period * small + int(seen[0]) % small
    return replace(number, base=base - small * period if base else 0)


@dataclass(frozen=True)
class _Seen:
    """RAM, and where the piece is: its column from the left and its row from the floor."""

    ram: Bytes
    column: int
    row: int


def find_numbered(ground: Ground, basis: Basis, stance: Stance) -> Numbered:
    """The byte. Raises CalibrationError where no byte that the piece obeys has a number for each cell."""
    columns = len(basis.columns)
    seen = [one for column in (0, 1, columns - 1) for one in _fall(ground, basis, stance, column)]
    if len(seen) < FEWEST:
        raise CalibrationError("the piece was seen in too few cells")
    rams = np.stack([one.ram for one in seen]).astype(np.int64)
    apart = {(b.column - a.column, a.row - b.row): (m, n) for m, a in enumerate(seen) for n, b in enumerate(seen)}
    across, down = apart.get((1, 0)), apart.get((0, 1))
    if across is None or down is None:
        raise CalibrationError("the piece wasn't seen in cells side by side")
    right, lower = (rams[b] - rams[a] for a, b in (across, down))
    base = rams[0] - right * seen[0].column + lower * seen[0].row
    told = base + np.outer([one.column for one in seen], right) - np.outer([one.row for one in seen], lower)
    good = (right > 0) & (lower > 0) & ((told == rams).mean(axis=0) >= TOLD)
    for at in np.flatnonzero(good)[:MOST_POKED].tolist():
        found = Numbered(at, int(right[at]), int(lower[at]), int(base[at]))
        if found.period >= min(columns, basis.visible) and _obeyed(ground, found):
            return found
    raise CalibrationError("no byte numbers the piece's cell")


def _fall(ground: Ground, basis: Basis, stance: Stance, column: int) -> list[_Seen]:
    """A piece that falls in a column, on the frames on which it stands still, once for each row."""
    try:
        trace = ground.drop(column=column, keep=True).trace
    except CalibrationError:
        return []
    assert trace is not None
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    landed = int((trace[:, cells] != trace[0, cells]).any(axis=1).argmax()) or len(trace)
    places = trace[:, [basis.x[0], basis.y[0]]]
    left, way, high = basis.columns[column], 1 if basis.cell_y > 0 else -1, abs(basis.cell_y)
    found: dict[int, _Seen] = {}
    for frame in range(STILL, landed):
        x, y = places[frame].tolist()
        up, between = divmod((y - basis.floor_y) * way & 255, high)
        if x == left and not between and up < basis.visible and (places[frame - STILL : frame] == places[frame]).all():
            found[up] = _Seen(trace[frame], column, stance.near_row + up)
    return list(found.values())


def _obeyed(ground: Ground, number: Numbered) -> bool:
    """Whether a piece whose number is poked comes down a column further right."""
    ground.rig.load(ground.state)
    poked = ground.rig.peek(number.offset) + number.right & 255
    try:
        plain, moved = (set(ground.cells(ground.drop(pokes=pokes).ram)) for pokes in ({}, {number.offset: poked}))
    except CalibrationError:
        return False
    return bool(plain) and moved == {(column + 1, row) for column, row in plain}


def entries_of(number: Numbered, address: int, floor: int) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The entries x and y of a map by the number of the cell. floor: y in the lowest row."""
    period, small = number.period, min(number.right, number.lower)
    if number.lower > number.right:
        x = {"origin": number.base, "divide": small, "modulo": period, "offset": 1}
        return {"address": address, **x}, {
            "address": address,
            "origin": number.base - number.lower * floor,
            "divide": number.lower,
        }
    origin = number.base - small * (period - 1)
    x = {"origin": origin, "divide": number.right, "offset": 1}
    y = {"origin": origin, "divide": small, "modulo": period, "offset": floor - period + 1}
    return {"address": address, **x}, {"address": address, **y}
