"""The ghost lies where the real core shows the puyos later."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
import pytest
from ochibot.cli.setup import find_player, open_console, open_rom
from ochibot.console import find_cores
from ochibot.games.famicom_puyo import seat as game
from ochibot.games.famicom_puyo.look import CELL, LOOK
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import BIG, Orientation, Pair, Placement, shape
from ochibot.puyo.search import TwoPly
from ochibot.ui.ghost import draw_ghost, planned_cells
from ochibot.ui.layout import lay_out
from ochibot.ui.panel import SeatView

from tests.puyo import FAMICOM
from tests.ui.fakes import screen_for


def surface_of(frame: npt.NDArray[np.uint8]) -> pygame.Surface:
    return pygame.image.frombuffer(frame.tobytes(), (frame.shape[1], frame.shape[0]), "RGB")


def pixels(surface: pygame.Surface) -> npt.NDArray[np.uint8]:
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
@pytest.mark.parametrize("seed", [1, 2])
def test_on_an_empty_field_the_picture_changes_exactly_below_the_ghost(core: str, seed: int) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (apt package libretro-nestopia; see the README)")
    with open_console(core, open_rom(None)) as console:
        for _ in range(seed):
            console.step()
        seat = game.Seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        hands = SeatPlayer(seat, TwoPly(find_player("article"), FAMICOM), speed_of(10))
        hands.spawn()
        cells = planned_cells(hands)
        assert len(cells) == 2
        pad = hands.frame()
        for _ in range(10):  # until the empty field's own pattern is drawn; the pair doesn't fall yet
            console.step(pad)
            pad = hands.frame()
        before = console.frame()
        ghostly = surface_of(before)
        rectangles = draw_ghost(ghostly, LOOK, 0, cells)
        drawn = (pixels(ghostly) != before).any(2)
        while not seat.spawned:
            console.step(pad)
            pad = hands.frame()
            # the plan stays in sight until the pair has locked, and no longer
            assert bool(planned_cells(hands)) is not seat.has_locked()
        console.step()
        changed = (console.frame() != before).any(2)
    # below the rows in which pairs appear, and within the field
    left, top = (LOOK.box(0, 1, 4, ghostly.get_size()) or (0, 0))[:2]
    field = np.zeros_like(changed)
    field[top : top + 10 * CELL, left : left + 6 * CELL] = True
    changed, drawn = changed & field, drawn & field
    inside = np.zeros_like(changed)
    for box in rectangles:
        inside[box.top : box.bottom, box.left : box.right] = True
        part = changed[box.top : box.bottom, box.left : box.right]
        assert part.mean() > 0.5, "a puyo fills most of its cell"
    assert changed.any()
    assert not (changed & ~inside).any()
    assert not (drawn & ~inside).any()
    assert (drawn & changed).sum() > 0.7 * changed.sum()


def test_cells_are_told_for_both_crops_and_seats() -> None:
    assert LOOK.box(0, 1, 1, (256, 240)) == (16, 16, 16)
    assert LOOK.box(0, 1, 1, (240, 224)) == (8, 8, 16)
    assert LOOK.box(0, 6, 13, (256, 224)) == (96, 200, 16)
    assert LOOK.box(1, 1, 1, (256, 224)) == (144, 8, 16)
    assert LOOK.box(0, 3, 0, (256, 240)) is None


def test_hidden_halves_are_left_out_and_items_are_white() -> None:
    picture = pygame.Surface((240, 224))
    assert draw_ghost(picture, LOOK, 0, frozenset({(3, 0, 1)})) == []
    cells = frozenset((x, y, BIG) for x, y in shape(Pair(BIG, BIG), Placement(2, 13, Orientation.UP)))
    boxes = draw_ghost(picture, LOOK, 0, cells)
    assert sorted((box.x, box.y) for box in boxes) == [(24, 184), (24, 200), (40, 184), (40, 200)]
    red, green, blue, _ = picture.get_at((24 + 8, 200 + 8))
    assert red == green == blue > 0


def test_the_plan_can_be_switched_off_and_its_evaluation_is_beside_the_field(tmp_path: Path) -> None:
    from ochibot.cli.window import thinking

    config = find_player("article")
    with open_console(None, open_rom(None)) as console, thinking(TwoPly(config, FAMICOM)) as brain:
        seat = game.Seat(game.load_seat_map("player1"), console.ram)
        console.step()
        with screen_for(console, tmp_path, ports=(0,), in_menus=seat.in_menus) as screen:
            hands = SeatPlayer(seat, brain, speed_of(3))
            screen.views = lambda: [SeatView(hands, ("article", "speed 3"))]
            game.reach(screen, seat, "endless", {})
            run = Endless(screen, hands, seed=0, speed=3)
            run.run(frames=30)
            thought = brain.last
            assert thought is not None
            assert thought.evaluation is not None
            assert thought.decision is not None
            hands.rejoin()  # the run has let go of its plan: think once more
            while not brain.done():
                screen.step()
            hands.frame()
            pictures = {}
            for plan in (True, False):
                screen.window.show_plan = plan
                screen.window.draw(console.frame(), screen.views(), 0.0)
                surface = pygame.display.get_surface()
                assert surface is not None
                pictures[plan] = pixels(surface.copy())
            changed = (pictures[True] != pictures[False]).any(2)
            place = lay_out((changed.shape[1], changed.shape[0]), (240, 224), (0,))
            scale = place.scale
            assert changed[:, : place.picture[0]].any(), "the evaluation"
            for x, y, _ in planned_cells(hands):
                left, top = (LOOK.box(0, x, y, (240, 224)) or (0, 0))[:2]
                across, down = place.picture[0] + scale * left, place.picture[1] + scale * top
                assert changed[down : down + 16 * scale, across : across + 16 * scale].any(), "the ghost"
