"""A simple picture of a running stranger: fields, pieces, what comes next, score. Drawn only when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tests.strangers.maker.flow import Mode
from tests.strangers.maker.phases import Phase

if TYPE_CHECKING:
    from tests.strangers.maker.machine import Stranger

COLORS = np.array(
    [
        (16, 16, 24), (220, 50, 50), (50, 200, 70), (60, 90, 230), (230, 210, 50), (170, 60, 200), (60, 200, 220),
        (140, 140, 140), (90, 90, 90), (150, 20, 20), (20, 130, 40), (30, 40, 150), (250, 250, 250), (255, 140, 0),
        (90, 60, 30), (60, 60, 60),
    ],
    np.uint8,
)  # fmt: skip
DIGITS = (
    "757 755 757", "222 222 222", "717 174 747", "717 171 717", "557 571 111",
    "747 471 717", "747 475 757", "711 111 111", "757 575 757", "757 571 717",
)  # fmt: skip
PLAYING = (Mode.PLAY, Mode.PAUSED, Mode.OVER, Mode.DEMO)
SHOWN = (Phase.ANNOUNCE, Phase.CONTROL, Phase.BOUNCE)


def _number(picture: npt.NDArray[np.uint8], value: int, x: int, y: int) -> None:
    for at, digit in enumerate(str(value)):
        rows = "".join(DIGITS[int(digit)].split())
        for down, row in enumerate(rows):
            for right in range(3):
                if int(row) >> 2 - right & 1:
                    picture[y + down, x + 4 * at + right] = 240


def draw_picture(game: Stranger) -> npt.NDArray[np.uint8]:
    """The picture of this frame, (240, 256, 3) uint8."""
    picture = np.zeros((240, 256, 3), np.uint8)
    mode = game.flow.mode
    if mode not in PLAYING:
        picture[100:110, 60:200] = min(250, 60 + 20 * (mode or 0))
        cursor = game.memory[game.flow.cursor] % 8
        picture[120 + 12 * cursor : 128 + 12 * cursor, 60:68] = 255
        return picture
    spec = game.spec
    size = 8
    for number, seat in enumerate(game.seats):
        left, top = 16 + 128 * number, 24
        cells = np.array(seat.board.read(), np.uint8).reshape(spec.height, spec.width) & 15
        cells[: spec.hidden] = 0
        picture[top - 1 : top + spec.height * size + 1, left - 1 : left + spec.width * size + 1] = 200
        block = COLORS[cells].repeat(size, 0).repeat(size, 1)
        picture[top : top + spec.height * size, left : left + spec.width * size] = block
        if seat.phase.get() in SHOWN:
            column, row, turn = seat.motion.place.load()
            for x, y, value in seat.motion.cells(seat.hand.get(), column, row, turn):
                if spec.hidden <= y < spec.height and 0 <= x < spec.width:
                    to = top + y * size, left + x * size
                    picture[to[0] : to[0] + size, to[1] : to[1] + size] = COLORS[value & 15]
        beside = left + (spec.width + 1) * size
        for at, kind in enumerate(seat.hand.coming()):
            shape = seat.rules.shape(kind, spec.spawn[2])
            for (dx, dy), value in zip(shape, seat.rules.values(kind, spec.spawn[2]), strict=True):
                to = top + 24 + 32 * at + dy * 6, beside + 8 + dx * 6
                picture[to[0] : to[0] + 6, to[1] : to[1] + 6] = COLORS[value & 15]
        _number(picture, seat.score.get(), left, 8)
    return picture
