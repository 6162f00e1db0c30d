"""Pictures for the report of a calibration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from ochibot.errors import CalibrationError
from ochibot.experiments.effects import Poker
from ochibot.experiments.facts import Basis, Look
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.pictures import drawn
from ochibot.experiments.rig import Rig
from ochibot.experiments.stance import offsets
from ochibot.wording import counted

ROW_FRAMES = 90
"""A piece sinks by another row within this many frames."""


def _before_and_after(folder: Path, ground: Ground, learnt: Learnt) -> dict[str, str]:
    """Pictures of one experiment: the equal cells that were painted, and the field after a piece fell on them."""
    if learnt.size is None:
        return {}
    poker = Poker(ground, learnt.near, learnt.far, learnt.stance.near_row == 0)
    one, other = ground.colors[:2]
    cells = {(0, row): one for row in range(learnt.size - 1)}
    pokes = {**ground.painted(cells), **poker.pokes(one, other)}
    rig = ground.rig
    rig.load(ground.state)
    rig.poke(pokes)
    # games take several frames to draw all that has changed
    rig.run([0] * 8)
    Image.fromarray(rig.console.frame()).save(folder / "vanish-before.png")
    try:
        fallen = poker.lock(cells, 0, one, other)
    except CalibrationError:
        return {}
    Image.fromarray(rig.picture(fallen.state)).save(folder / "vanish-after.png")
    return {
        "vanish-before.png": f"what vanishes: {counted(learnt.size - 1, 'equal cell was', 'equal cells were')} "
        "painted into the first column",
        "vanish-after.png": "a cell like them fell on them: all are gone, and its other half is left",
    }


def _at_rest(rig: Rig, basis: Basis) -> tuple[npt.NDArray[np.uint8], int, int]:
    """(a picture in which the piece isn't between two rows, taken just before it sinks on; raw x; raw y then)."""
    x, y = basis.x[0], basis.y[0]
    for _ in range(ROW_FRAMES):
        picture, seen = rig.console.frame(), (rig.peek(x), rig.peek(y))
        rig.step()
        if rig.peek(y) != seen[1] and (basis.floor_y - seen[1]) % basis.cell_y == 0:
            return picture, *seen
    return picture, *seen


def pictures_of(folder: Path, ground: Ground, learnt: Learnt, look: Look | None) -> dict[str, str]:
    """Pictures of the piece in all four orientations, with the field's grid and the piece's halves marked."""
    rig = ground.rig
    shown: dict[str, str] = {}
    basis, stance = learnt.basis, learnt.stance
    for taps, word in enumerate(stance.ways):
        rig.load(ground.state)
        rig.poke(ground.painted())
        rig.run([0] * 4)
        # ``basis.first`` stands the piece upright; ``stance.ways`` counts taps from there
        for button in (*basis.first, *[int(stance.turning.button)] * taps):
            rig.run([*ground.driver.tap.pads(button), *[0] * 5])
        picture, x, y = _at_rest(rig, basis)
        if x not in basis.columns:
            continue
        column, row = basis.columns.index(x), (basis.floor_y - y) // -basis.cell_y + stance.near_row
        halves = [(column + across, row + up) for across, up in offsets(stance.denotes, word)]
        name = f"piece-{word}.png"
        drawn(picture, look, ground, halves).save(folder / name)
        shown[name] = f"partner {word}: the axis in red, the partner in blue, as the map reads them"
    return {**shown, **_before_and_after(folder, ground, learnt)}
