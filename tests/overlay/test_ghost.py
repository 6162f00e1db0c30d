"""Ghosts, drawn into pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.games.famicom_puyo.look import LOOK as FAMICOM
from ochibot.games.protocols import Look
from ochibot.games.togetama.look import LOOK as NEO_GEO
from ochibot.overlay.ghost import draw_ghost
from ochibot.puyo import BIG, Orientation, Pair, Placement, shape


class Placed:
    """A Look whose cells are wherever a test wants them, in one colour."""

    def __init__(self, left: int, top: int, size: int) -> None:
        self.place = left, top, size

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int]:
        assert (seat, x, y) == (1, 1, 1)
        assert picture == (40, 30)
        return self.place

    def color(self, code: int) -> tuple[int, int, int]:
        return 250, 10 * code, 0

    def planned(self, snapshot: object, decision: object) -> frozenset[tuple[int, int, int]]:
        raise NotImplementedError

    def told(self, decision: object) -> list[tuple[str, str]]:
        raise NotImplementedError


def test_hidden_halves_are_left_out_and_items_are_white() -> None:
    picture = np.zeros((224, 240, 3), np.uint8)
    assert draw_ghost(picture, FAMICOM, 1, frozenset({(3, 0, 1)})) == []
    assert not picture.any()
    cells = frozenset((x, y, BIG) for x, y in shape(Pair(BIG, BIG), Placement(2, 13, Orientation.UP)))
    boxes = draw_ghost(picture, FAMICOM, 1, cells)
    assert sorted(boxes) == [(24, 184, 16), (24, 200, 16), (40, 184, 16), (40, 200, 16)]
    red, green, blue = picture[200 + 8, 24 + 8]
    assert red == green == blue > 0


@pytest.mark.parametrize("look", [FAMICOM, NEO_GEO])
def test_each_seats_ghost_is_in_its_own_field(look: Look[Any, Any]) -> None:
    for seat in (1, 2):
        picture = np.zeros((224, 320, 3), np.uint8)
        draw_ghost(picture, look, seat, frozenset({(2, 5, 1), (3, 5, 2)}))
        half = picture[:, :160] if seat == 1 else picture[:, 160:]
        assert (picture != 0).sum() == (half != 0).sum() > 0


def test_the_frame_is_the_color_and_the_inside_is_seen_through() -> None:
    picture = np.full((30, 40, 3), 100, np.uint8)
    draw_ghost(picture, Placed(8, 8, 16), 1, frozenset({(1, 1, 5)}))
    assert picture[8 + 1, 8 + 8].tolist() == [250, 50, 0]
    inside = picture[16, 16].tolist()
    assert 100 < inside[0] < 250
    assert 0 < inside[2] < 100
    changed = (picture != 100).any(2)
    assert changed[9:23, 9:23].mean() > 0.8
    assert changed.sum() == changed[9:23, 9:23].sum(), "the cell's outermost pixels are the game's"


@pytest.mark.parametrize("size", [8, 16, 5, 4])
@pytest.mark.parametrize("left", [-100, -16, -8, -3, 0, 20, 35, 39, 40, 100])
@pytest.mark.parametrize("top", [-100, -9, -1, 0, 25, 29, 30, 100])
def test_what_lies_outside_the_picture_is_left_out(left: int, top: int, size: int) -> None:
    wide = np.zeros((300, 300, 3), np.uint8)
    middle = Placed(100 + left, 100 + top, size)
    middle.box = lambda *_: middle.place  # type: ignore[method-assign]
    draw_ghost(wide, middle, 1, frozenset({(1, 1, 5)}))
    picture = np.zeros((30, 40, 3), np.uint8)
    draw_ghost(picture, Placed(left, top, size), 1, frozenset({(1, 1, 5)}))
    assert (picture == wide[100:130, 100:140]).all()
