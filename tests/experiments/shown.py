"""Compares a learnt field with the picture: which patch of pixels shows which code is learnt from the first half of the
fields, and each cell of the second half is compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ochibot.errors import CalibrationError
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Basis, driver_of
from ochibot.experiments.fields import Field, ended
from ochibot.experiments.landings import play
from ochibot.experiments.rig import Bytes
from ochibot.experiments.routes import open_rig
from ochibot.experiments.turning import Turning
from ochibot.ramtools.opening import open_rom

FIELDS = 400
"""From the first half it is learnt how codes look, and the second half is compared."""

MOMENTS = (1, 20)
"""So many frames after each other a field is looked at: some cells move by themselves."""

FEWEST = 20
"""A code must be in so many cells of the first half."""

SIZES = (8, 16, 12, 10, 14)
AROUND = 2
"""Cells so near the falling piece aren't compared: it may cover them."""

Pixels = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.int16]
UNSEEN = -1


@dataclass(frozen=True)
class Place:
    """Where the picture shows the field: the upper left pixel, and a cell's size."""

    left: int
    top: int
    size: int


def settled(
    rom: Path, route: Route, basis: Basis, turning: Turning | None, fields: int = FIELDS
) -> tuple[list[Pixels], list[Cells]]:
    """Pictures, and the field by the map as each was shown: rows from the top, UNSEEN near the falling piece."""
    rig = open_rig(open_rom(rom), None, None)
    try:
        driver = driver_of(rig, basis)
        driver.first = ()
        place = basis.place
        button = None if turning is None else int(turning.button)
        raw = driver.columns(route.state)
        landings = play(driver, route.state, raw, button, fields, seed=5, ended=lambda one: ended(place, one))
        pictures, cells = [], []
        for one in landings:
            rig.load(one.state)
            for frames in MOMENTS:
                rig.run([0] * frames)
                pictures.append(np.array(rig.picture()))
                cells.append(_cells(place, rig.snap(), *place.spot(driver.x_now(), driver.y_now())))
        return pictures, cells
    finally:
        rig.console.close()


def _cells(place: Field, ram: Bytes, column: int, row: int) -> Cells:
    columns, rows = range(place.grid.columns), range(place.rows - 1, -1, -1)
    now = np.array([[ram[place.grid.cell(c, r)] for c in columns] for r in rows], np.int16)
    high = place.rows - 1 - row
    now[max(0, high - AROUND) : max(0, high + AROUND + 1), max(0, column - AROUND) : column + AROUND + 1] = UNSEEN
    return now


def find_place(pictures: list[Pixels], cells: list[Cells]) -> Place:
    """Where pixels change as cells do. Raises CalibrationError when the picture is too small for the field."""
    rows, columns = cells[0].shape
    steps = range(1, min(60, len(cells)))
    changed = np.stack([(pictures[at] != pictures[at - 1]).any(axis=2) for at in steps])
    moved = np.stack([(cells[at] != cells[at - 1]) & (cells[at] != UNSEEN) & (cells[at - 1] != UNSEEN) for at in steps])
    known = np.stack([(cells[at] != UNSEEN) & (cells[at - 1] != UNSEEN) for at in steps])
    height, width = changed.shape[1:]
    sums = np.pad(changed.astype(np.int32).cumsum(1).cumsum(2), ((0, 0), (1, 0), (1, 0)))
    best: tuple[float, Place] | None = None
    for size in SIZES:
        for top in range(height - rows * size + 1):
            for left in range(width - columns * size + 1):
                part = sums[:, top : top + rows * size + 1 : size, left : left + columns * size + 1 : size]
                pixels = part[:, 1:, 1:] - part[:, :-1, 1:] - part[:, 1:, :-1] + part[:, :-1, :-1]
                # changed cells have changed pixels, and others have none; at its right place most of the patch changes
                told = pixels[moved & known].sum() - pixels[~moved & known].sum()
                if best is None or told > best[0]:
                    best = float(told), Place(left, top, size)
    if best is None:
        raise CalibrationError("the picture is smaller than the field")
    return best[1]


def agreement(pictures: list[Pixels], cells: list[Cells]) -> tuple[float, int]:
    """The share of the cells of the second half that are shown as their codes were in the first half, and how many were
    compared. Codes that the first half hardly shows aren't compared: how they look isn't known.

    A tile that the first half never shows may be a mirror image of a tile of the same code. In Petris a turned piece
    keeps its code, and its tile is drawn mirrored.
    """
    place = find_place(pictures, cells)
    half = len(cells) // 2
    by_code: dict[int, Counter[bytes]] = defaultdict(Counter)
    by_patch: dict[bytes, Counter[int]] = defaultdict(Counter)
    good = compared = 0
    for number, (picture, now) in enumerate(zip(pictures, cells, strict=True)):
        for (row, column), code in np.ndenumerate(now):
            if code == UNSEEN:
                continue
            top, left = place.top + row * place.size, place.left + column * place.size
            pixels = picture[top : top + place.size, left : left + place.size]
            patch = pixels.tobytes()
            if number < half:
                by_code[int(code)][patch] += 1
                by_patch[patch][int(code)] += 1
                continue
            if by_code[int(code)].total() < FEWEST:
                continue
            compared += 1
            # codes may look alike, and a code may be drawn in several ways
            usual = by_code[int(code)].most_common(1)
            looks = [patch] if patch in by_patch else [one for one in _mirrored(pixels) if one in by_patch]
            told = [by_patch[one].most_common(1)[0][0] for one in looks]
            good += bool(usual and usual[0][0] == patch) or int(code) in told
    return good / max(1, compared), compared


def _mirrored(pixels: Pixels) -> list[bytes]:
    """The mirror images of a tile."""
    return [one.tobytes() for one in (pixels[:, ::-1], pixels[::-1], pixels[::-1, ::-1])]
