"""The ghost lies where the real core shows the puyos later, and the panel shows the plan."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
import pytest
from ochibot.console import find_cores
from ochibot.overlay.ghost import draw_ghost
from ochibot.overlay.layout import lay_out
from ochibot.overlay.panel import draw_panel
from ochibot.overlay.standing import Cells, Standing
from ochibot.play.endless import Endless
from ochibot.play.seat import AnySeatPlayer, SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo.search import TwoPly
from ochibot.ui.watch import PATIENCE, Onlooker

from tests import titles as game
from tests.play.punctual import PunctualPlayer
from tests.puyo import FAMICOM
from tests.titles import LOOK, find_player, open_console, open_rom
from tests.ui.fakes import screen_for

CELL = 16


def pixels(surface: pygame.Surface) -> npt.NDArray[np.uint8]:
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


def standing_of(player: AnySeatPlayer) -> Standing:
    return Onlooker().side(player, ("article",)).standing


def cells_of(player: AnySeatPlayer) -> Cells:
    return standing_of(player).cells


@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
@pytest.mark.parametrize("seed", [1, 2])
def test_on_an_empty_field_the_picture_changes_exactly_below_the_ghost(core: str, seed: int) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (apt package libretro-nestopia; see docs/install.md)")
    with open_console(core, open_rom(None)) as console:
        for _ in range(seed):
            console.step()
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        hands = SeatPlayer(seat, TwoPly(find_player("article"), FAMICOM), speed_of(10))
        hands.spawn()
        cells = cells_of(hands)
        assert len(cells) == 2
        pad = hands.frame()
        for _ in range(10):  # until the empty field's own pattern is drawn; the pair doesn't fall yet
            console.step(pad)
            pad = hands.frame()
        before = console.frame()
        ghostly = before.copy()
        boxes = draw_ghost(ghostly, LOOK, 1, cells)
        drawn = (ghostly != before).any(2)
        while not seat.spawned:
            console.step(pad)
            pad = hands.frame()
            # the ghost is shown until the pair has locked, and no longer
            assert bool(cells_of(hands)) is not seat.has_locked()
        console.step()
        changed = (console.frame() != before).any(2)
    # compares only the field's lowest ten rows: pairs appear above them
    left, top = (LOOK.box(1, 1, 4, (ghostly.shape[1], ghostly.shape[0])) or (0, 0))[:2]
    field = np.zeros_like(changed)
    field[top : top + 10 * CELL, left : left + 6 * CELL] = True
    changed, drawn = changed & field, drawn & field
    inside = np.zeros_like(changed)
    for left, top, size in boxes:
        inside[top : top + size, left : left + size] = True
        assert changed[top : top + size, left : left + size].mean() > 0.5, "a puyo fills most of its cell"
    assert changed.any()
    assert not (changed & ~inside).any()
    assert not (drawn & ~inside).any()
    assert (drawn & changed).sum() > 0.7 * changed.sum()


def test_cells_are_reported_for_both_crops_and_seats() -> None:
    assert LOOK.box(1, 1, 1, (256, 240)) == (16, 16, 16)
    assert LOOK.box(1, 1, 1, (240, 224)) == (8, 8, 16)
    assert LOOK.box(1, 6, 13, (256, 224)) == (96, 200, 16)
    assert LOOK.box(2, 1, 1, (256, 224)) == (144, 8, 16)
    assert LOOK.box(1, 3, 0, (256, 240)) is None


def test_the_plan_can_be_switched_off_and_its_evaluation_is_beside_the_field(tmp_path: Path) -> None:
    config = find_player("article")
    with (
        open_console(None, open_rom(None)) as console,
        contextlib.closing(PunctualPlayer(TwoPly(config, FAMICOM))) as brain,
    ):
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        console.step()
        with screen_for(console, tmp_path, seats=(1,), in_menus=seat.in_menus) as screen:
            hands = SeatPlayer(seat, brain, speed_of(3))
            title = ("article", "speed 3")
            screen.watch(lambda: [(hands, title)])
            game.reach(screen, seat, "endless", {})
            run = Endless(screen, hands, seed=0, speed=3)
            run.run(frames=30)
            thought = brain.last
            assert thought is not None
            assert thought.evaluation is not None
            assert thought.decision is not None
            hands.rejoin()  # the run dropped its plan when it ended, so the player must decide again
            while not brain.done():
                screen.step()
            hands.frame()
            side = Onlooker().side(hands, title)
            frame, whole = console.frame(), {}
            before = frame.copy()
            for plan in (True, False):
                screen.window.show_plan = plan
                screen.window.draw(frame, [side], 0.0)
                surface = pygame.display.get_surface()
                assert surface is not None
                whole[plan] = pixels(surface.copy())
            assert (frame == before).all(), "the ghost is drawn on a copy"
            place = lay_out((whole[True].shape[1], whole[True].shape[0]), (240, 224), (1,))
            changed = (whole[True] != whole[False]).any(2)
            # a video shows the same panel, drawn by ``draw_panel``
            left, top, width, height = place.panels[1]
            told = draw_panel((width, height), place.scale, side.standing)
            assert (whole[True][top : top + height, left : left + width] == told).all()
            bare = draw_panel((width, height), place.scale, side.standing.without_plan())
            assert (whole[False][top : top + height, left : left + width] == bare).all()
            assert changed[:, : place.picture[0]].any(), "the evaluation"
            ghostly = frame.copy()
            assert len(draw_ghost(ghostly, LOOK, 1, side.standing.cells)) == 2
            left, top, width, height = place.picture
            shown = whole[True][top : top + height : place.scale, left : left + width : place.scale]
            assert (shown == ghostly).all(), "the ghost"


def test_the_panel_does_not_flicker_while_the_next_plan_is_thought_of() -> None:

    mind = PunctualPlayer(TwoPly(find_player("article"), game.RULES))
    with open_console(None, open_rom(None)) as console, contextlib.closing(mind) as brain:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        hands = SeatPlayer(seat, brain, speed_of(10))
        onlooker = Onlooker()

        def seen() -> Standing:
            return onlooker.side(hands, ("article",)).standing

        assert (seen().plan, seen().thinking) == (None, False), "nothing was asked"
        hands.spawn()
        while not brain.done():
            pass
        hands.frame()
        first = seen()
        assert first.plan is not None
        assert first.plan.judgement is not None
        assert (first.plan.leaves or 0) > 0
        assert first == seen(), "the panel isn't drawn anew"
        # simulates a player that thinks about the next plan for a long time
        hands.decision = brain.last = None
        for _ in range(PATIENCE):
            waiting = seen()
            assert (waiting.plan, waiting.thinking, waiting.cells) == (first.plan, False, frozenset())
        assert (seen().plan, seen().thinking) == (None, True)
        hands.leave()
        brain.decision()
        assert (seen().plan, seen().thinking) == (None, False)
