"""Checks the core's pictures: which blocks look joined, and that nothing between the fields touches their frames."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import Button
from ochibot.nyaa import Grid

from tests.homebrew.neogeo.driver import (
    OVER,
    SOLO,
    SPAWNING,
    VERSUS,
    WAVE,
    Cartridge,
    cartridge,
    needs_fbneo,
    presses,
    random_grid,
)

pytestmark = needs_fbneo

FIELDS = (8, 184)
"""Where the fields begin in a picture of 304 pixels; their first row is at line 16."""

GROUND = 80
"""A brightness above that of a field's background and of outlines, and below that of what joins two blocks."""

Bright = npt.NDArray[np.uint8]


def _picture(game: Cartridge) -> Bright:
    """The value of each pixel's brightest colour channel."""
    shown = game.console.frame()
    assert shown.shape == (224, 304, 3)
    brightest: Bright = shown.max(axis=2)
    return brightest


def _wrongly_shown(game: Cartridge, seat: int, picture: Bright) -> list[str]:
    """Neighbouring cells that look joined on the screen though RAM says otherwise, or the other way round."""
    cells = np.frombuffer(game.grid(seat).codes, np.uint8).reshape(12, 7)
    wrong = []
    for y in range(12):
        for x in range(7):
            left, top = FIELDS[seat] + 16 * x, 16 + 16 * y
            for dx, dy in ((1, 0), (0, 1)):
                if x + dx > 6 or y + dy > 11:
                    continue
                joined = 0 < cells[y, x] < 5 and cells[y, x] == cells[y + dy, x + dx]
                # the four pixels around the middle of the edge between the two cells
                middle = (
                    picture[top + 7 : top + 9, left + 15 : left + 17]
                    if dx
                    else picture[top + 15 : top + 17, left + 7 : left + 9]
                )
                if bool((middle > GROUND).all()) != joined:
                    wrong.append(f"seat {seat + 1}, column {x + 1}, row {y + 1}, {'right' if dx else 'below'}")
    return wrong


def test_blocks_of_a_colour_are_joined_in_any_field() -> None:
    """Random fields are written to both seats, each over the one before."""
    dice = random.Random(11)
    with cartridge(VERSUS) as game:
        game.console.keep_video(True)
        game.start()
        for seat in (0, 1):
            game.hold(seat)
        for _ in range(40):
            for seat in (0, 1):
                # the pair waits in the middle column's two top cells
                rows = random_grid(dice).codes
                game.put_grid(seat, Grid(bytes(14) + rows[14:]))
            for seat in (0, 1):
                game.seats[seat].write("spawn_delay", 200)
            for _ in range(4):
                game.step()
            picture = _picture(game)
            assert [*_wrongly_shown(game, 0, picture), *_wrongly_shown(game, 1, picture)] == []


ORB = 46
"""For how many frames an attack's orb flies over the fields."""


def test_whole_fields_are_drawn_in_time() -> None:
    """Both fields are replaced on the same frame while both seats play, which costs the most to draw."""
    dice = random.Random(7)
    with cartridge(VERSUS) as game:
        game.start()
        pads = [presses(dice), presses(dice)]
        for frame in range(1500):
            if frame % 50 < 2:
                for seat in (0, 1):
                    game.put_grid(seat, random_grid(dice))
            if game.state.value("state") == OVER:
                game.next_round()
            game.step(next(pads[0]), next(pads[1]))
            assert game.state.value("overruns") == 0, frame
            assert 0x110 <= game.state.value("latest") < 0x1E0, frame


def _played(mode: int, frames: int) -> tuple[int, int]:
    """Plays with random presses and fields. Returns how many settled fields were checked, and how many of them
    after a wave.
    """
    dice = random.Random(3 + mode)
    looked = waved = 0
    with cartridge(mode) as game:
        game.console.keep_video(True)
        game.start(level=4)
        pads = [presses(dice) for _ in game.seats]
        lit, rests, clear = [False, False], [0, 0], 0
        for frame in range(frames):
            if game.state.value("state") == OVER:
                game.next_round()
            game.step(*(next(pad) for pad in pads))
            for seat, values in enumerate(game.seats):
                read = values.value
                if frame % 700 == 0:
                    game.put_grid(seat, random_grid(dice))
                if read("rests") != rests[seat]:
                    rests[seat] = read("rests")
                    clear = max(clear, frame + ORB if read("sent") else 0)
                lit[seat] = lit[seat] or read("phase") == WAVE
                # a few frames after the spawn, the field is drawn, and of the pair only the axis is inside the field
                if read("phase") != SPAWNING or read("spawn_delay") != 4 or frame < clear or frame % 700 <= 20:
                    continue
                shown = _wrongly_shown(game, seat, _picture(game))
                assert [line for line in shown if not line.endswith(BEHIND_THE_PAIR)] == [], frame
                looked, waved = looked + 1, waved + lit[seat]
                lit[seat] = False
    return looked, waved


BEHIND_THE_PAIR = ("column 4, row 1, right", "column 4, row 1, below", "column 3, row 1, right")


@pytest.mark.long
def test_they_stay_joined_as_blocks_fall_pop_and_nuisance_comes() -> None:
    looked, waved = _played(VERSUS, 6000)
    assert looked > 40
    assert waved > 10


@pytest.mark.long
def test_the_same_with_one_player() -> None:
    looked, waved = _played(SOLO, 5000)
    assert looked > 10
    assert waved > 3


def test_nothing_between_the_fields_touches_their_frames() -> None:
    """The words and the widest numbers are shown for both seats."""
    with cartridge(VERSUS) as game:
        game.console.keep_video(True)
        game.start()
        for seat in (0, 1):
            game.hold(seat)
            for name in ("pending", "wins", "most_tails"):
                game.seats[seat].write(name, 88)
        for _ in range(8):
            game.step(Button.NONE)
        picture = _picture(game)
        # one field's frame ends at x = 128, the other's begins at 176; between them, words and numbers exceed 200
        for left in (128, 173):
            assert (picture[:, left : left + 3] < 140).all(), left
        assert (picture[96:, 128:176] > 200).any()
