"""From power-on to the piece's x and y: strangers in which something else was once taken for play, for x or for y."""

from __future__ import annotations

import pytest
from ochibot.console import Button
from ochibot.experiments.coordinates import coordinates
from ochibot.experiments.driver import Driver
from ochibot.experiments.explore import SETTLE, Explorer, Route
from ochibot.experiments.motion import across, motion
from ochibot.experiments.rig import Rig
from ochibot.games.menu import TAP_OFF

from tests.strangers.maker import Spec, Truth, draw
from tests.strangers.maker.console import StrangerConsole


def reached(spec: Spec, frames: int = 30_000) -> tuple[Rig, Truth, Route]:
    console = StrangerConsole(spec)
    rig = Rig(console)
    rig.step()
    rig.limit(frames)
    route = Explorer(rig).find()
    rig.load(route.state)
    return rig, Truth(console.game), route


def likeliest(rig: Rig, route: Route) -> tuple[Driver, tuple[int, ...]]:
    driver, columns, _, _ = next(iter(coordinates(rig, route.state, route.motion)))
    return driver, columns


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        # the first frames of play fall into the time in which a screen is watched; only long presses are seen
        ("other", 13),
        # a demo that answers the pad
        ("other", 11),
        # such a demo comes sooner, by waiting alone, than play behind a menu
        ("family", 244),
    ],
)
def test_play_is_told_from_what_looks_like_it(kind: str, seed: int) -> None:
    _, truth, _ = reached(draw(seed, kind))
    assert truth.playing


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        # a pointer; an opponent's piece rests on others, too
        ("family", 8),
        # the number of a cell
        ("family", 105),
        # the place that was tried last follows the pad
        ("family", 104),
        # the place is a pointer, and the place that was tried last keeps what is poked
        ("family", 696),
        # the field is half full at the start, and the number of a cell changes sooner than x
        ("family", 36),
        # a row takes a second
        ("other", 42),
    ],
)
def test_x_and_y_are_the_pieces_own(kind: str, seed: int) -> None:
    rig, truth, route = reached(draw(seed, kind))
    driver, columns = likeliest(rig, route)
    step = columns[1] - columns[0]
    seen = set()
    for pad in (0, Button.LEFT, Button.RIGHT, Button.DOWN):
        rig.load(route.state)
        rig.run([0] * 8)
        for _ in range(40):
            rig.step(int(pad))
            place = truth.place()
            if truth.control and place is not None:
                x, y = driver.x_now() - step * place[0], driver.y_now() - driver.y.step * place[1]
                seen.add((x & 255, y & 255))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "seed",
    [
        # the place that was tried last keeps what is poked: it is written anew only when the piece moves
        850,
        # an opponent's pieces lie on each other sooner than one's own
        602,
    ],
)
def test_x_and_y_are_the_bytes_that_the_game_goes_by(seed: int) -> None:
    rig, truth, route = reached(draw(seed, "family"))
    driver, _ = likeliest(rig, route)
    place = truth.describe()["place"]
    assert [rig.address(one.offset) for one in (driver.x, driver.y)] == [place["x"][0], place["y"][0]]


@pytest.mark.parametrize(
    "seed",
    [
        # the halves' bytes are in another order for x than for y
        516,
        # play is found when the first piece is deep down
        610,
    ],
)
def test_x_and_y_are_those_of_the_same_half(seed: int) -> None:
    rig, truth, route = reached(draw(seed, "family"))
    driver, _ = likeliest(rig, route)
    place = truth.describe()["place"]
    halves = zip(place["x"], place["y"], strict=True)
    assert (rig.address(driver.x.offset), rig.address(driver.y.offset)) in halves


def test_taps_that_move_a_piece_by_two_columns_show_all_columns() -> None:
    # the pad is read every 12 frames, and a held button moves the piece again after 8
    spec = draw(10, "family")
    rig, _, route = reached(spec)
    driver, columns = likeliest(rig, route)
    assert driver.tap.on >= spec.poll
    # a piece that lies takes two columns
    assert columns == tuple(range(columns[0], columns[0] + spec.cell * (spec.width - 1), spec.cell))


def test_nothing_falls_where_left_and_right_change_options() -> None:
    spec = draw(52, "family")
    console = StrangerConsole(spec)
    rig, truth = Rig(console), Truth(console.game)
    while truth.mode != "options":
        # down to the second row of the menu
        mode = truth.mode
        button = {"title": Button.START, "menu": Button.A if rig.peek(console.game.flow.cursor) == 1 else Button.DOWN}
        rig.run([int(button.get(mode, Button.NONE))] * 4 + [0] * 8)
    # at the first option, LEFT does nothing
    rig.run([int(Button.RIGHT)] * 4 + [0] * 8)
    state = rig.save()
    assert across(rig, state)[0]
    assert not motion(rig, state)


@pytest.mark.parametrize("seed", [504, 511])
def test_play_begins_when_the_piece_first_answers(seed: int) -> None:
    """A piece that has fallen far may rest before an experiment is over."""
    rig, truth, route = reached(draw(seed, "family"))
    assert truth.control
    place = truth.place()
    assert place is not None
    rig.run([int(Button.LEFT)] * 14)
    moved = truth.place()
    assert moved is not None
    assert moved[0] < place[0]
    assert route.presses[-1][1] < TAP_OFF + SETTLE
