"""Draws ghosts into pictures. A ghost shows where a piece is planned to land."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.games.nyaalook import SIDES
from ochibot.games.protocols import Look, ThornyLook
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.grid import NUISANCE
from ochibot.nyaa.rules.pair import Pair as NyaaPair
from ochibot.nyaa.rules.pair import Placement as NyaaPlacement
from ochibot.overlay.ghost import draw_ghost
from ochibot.puyo import BIG, Orientation, Pair, Placement, shape

from tests.titles import LOOK as FAMICOM
from tests.titles import NYAA_LOOK as NEO_GEO


class Placed:
    """A Look that knows only the cell (1, 1) of seat 1; the test chooses the cell's box in the picture."""

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

    def in_words(self, decision: object) -> list[tuple[str, str]]:
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


def test_a_picture_that_the_core_has_cropped_shows_each_cell_so_much_further_left() -> None:
    # the field begins at (16, 16); the sixth row from the floor has six above it
    left, top, size = 16 + 2 * 16, 16 + 6 * 16, 16
    assert NEO_GEO.box(1, 3, 6, (320, 224)) == (left, top, size)
    assert NEO_GEO.box(1, 3, 6, (304, 224)) == (left - 8, top, size)
    assert NEO_GEO.box(1, 3, 6, (320, 208)) == (left, top - 8, size)
    assert NEO_GEO.box(1, 4, 7, (320, 224)) == (left + size, top - size, size)
    assert NEO_GEO.box(1, 8, 6, (320, 224)) is None
    assert NEO_GEO.box(1, 3, 13, (320, 224)) is None


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


def ghost_of(code: int, size: int = 16) -> npt.NDArray[np.uint8]:
    """A Neo Geo ghost alone in its cell, on black."""
    picture = np.zeros((224, 320, 3), np.uint8)
    ((left, top, found),) = draw_ghost(picture, NEO_GEO, 1, frozenset({(3, 6, code)}))
    assert found == size
    assert (picture != 0).sum() == (picture[top : top + size, left : left + size] != 0).sum()
    return picture[top : top + size, left : left + size]


@pytest.mark.parametrize("color", [1, 2, 3, 4])
def test_a_needles_ghost_differs_from_a_blocks_and_keeps_its_color(color: int) -> None:
    block, needle = ghost_of(color), ghost_of(color + NUISANCE)
    wanted = np.array(NEO_GEO.color(color), np.int64)
    assert NEO_GEO.color(color + NUISANCE) == NEO_GEO.color(color + NUISANCE + 15 * SIDES) == tuple(wanted)
    # near the cell's upper edge, the block has a straight line in its colour, the needle points with gaps between them
    assert (block[1, 5:11] == wanted).all()
    points = (needle[1].max(axis=1) > 60).sum()
    assert 2 <= points < 8
    # the needle's middle is bright, the block's is faint; many of the needle's pixels have its colour
    assert (needle[7:9, 7:9] > 200).all()
    assert (block[7:9, 7:9] < 200).all()
    far = np.abs(needle.astype(np.int64) - wanted).sum(axis=2)
    assert (far < 100).sum() > 12


@pytest.mark.parametrize("sides", range(16))
def test_arrows_lead_to_what_a_needle_lights(sides: int) -> None:
    alone, needle = ghost_of(1 + NUISANCE), ghost_of(1 + NUISANCE + SIDES * sides)
    brighter = (needle.astype(np.int64).min(axis=2) - alone.min(axis=2)) > 40
    parts = brighter[:3, 6:10], brighter[6:10, 13:], brighter[13:, 6:10], brighter[6:10, :3]
    assert [bool(part.any()) for part in parts] == [bool(sides & 1 << side) for side in range(4)]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_plan_says_what_each_half_lands_as_and_lights(data: st.DataObject) -> None:
    """The expected sides are found by looking at the neighbouring cells one by one."""
    heights = data.draw(st.lists(st.integers(0, 9), min_size=7, max_size=7))
    cells = [[0] * 7 for _ in range(12)]
    for x, height in enumerate(heights):
        for up in range(height):
            cells[11 - up][x] = data.draw(st.integers(1, 5))
    grid = Grid(bytes(code for row in cells for code in row))
    pair = NyaaPair(data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)))
    x, needle = data.draw(st.integers(1, 7)), data.draw(st.booleans())
    snapshot = SimpleNamespace(grid=grid, pair=pair)
    where = NyaaPlacement(x, 12 - heights[x - 1], Orientation.UP, needle)
    for left, up, code in NEO_GEO.planned(snapshot, SimpleNamespace(placement=where)):
        column, row = left - 1, 12 - up
        color = pair.axis if up == heights[x - 1] + 1 else pair.partner
        assert column == x - 1
        assert code % SIDES == color + (NUISANCE if needle else 0)
        assert isinstance(NEO_GEO, ThornyLook)
        sides = NEO_GEO.thorns(code)
        if not needle:
            assert sides is None
            continue
        assert sides is not None
        for bit, dx, dy in ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0)):
            there = 0 <= column + dx < 7 and 0 <= row + dy < 12
            assert bool(sides & bit) == (there and cells[row + dy][column + dx] == color), (bit, left, up)


def test_a_look_that_knows_no_needles_has_plain_ghosts() -> None:
    assert not isinstance(FAMICOM, ThornyLook)
    assert not isinstance(Placed(0, 0, 16), ThornyLook)
