"""Pieces that are played as a person would, on a naive board; and in which order a search taps the buttons of menus."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.explore import Explorer, name_of, pads_of
from ochibot.experiments.landings import MOST_LOST, PIECES, Landing, play, restless
from ochibot.experiments.motion import NOTHING
from ochibot.experiments.rig import OTHER_PAD

from tests.experiments.board import (
    CLOCK,
    COLUMNS,
    FLOOR_Y,
    LEFT_X,
    NUMBER,
    SPRITE,
    STEP_X,
    STEP_Y,
    Board,
    field_at,
)
from tests.experiments.frames import Frames

RAW = [LEFT_X + STEP_X * column for column in range(COLUMNS)]


def played(board: Board, *, turn: int | None = None, **said: Any) -> list[Landing]:
    driver = board.driver
    driver.settled = lambda ram: ram
    driver.rig.check = lambda: None
    return play(driver, board.save(), RAW, turn, **said)


def test_pieces_are_played_one_after_another_until_the_game_ends() -> None:
    found = played(Board(), turn=int(Button.A), pieces=90)
    assert len(found) == 90
    assert len(played(Board())) == PIECES
    games = [one.game for one in found]
    assert games == sorted(games)
    assert len(set(games)) > 1
    for one, then in pairwise(found):
        if then.game == one.game:
            assert (then.before == one.after).all()
            assert then.state is not one.state
    for one in found:
        assert (one.before == one.state).all()
        # what came to rest is there
        assert one.after[NUMBER] == one.before[NUMBER] + 1
        assert one.x in RAW
        assert (FLOOR_Y - one.y) % STEP_Y == 0
        assert one.top == FLOOR_Y - 11 * STEP_Y
    # all columns, and about half of the pieces are turned
    assert {one.x for one in found} == {*RAW}
    turns = Counter(one.turns for one in found)
    assert set(turns) == {0, 1, 2, 3}
    assert 0.4 < turns[0] / 90 < 0.8
    assert all(not one.turns for one in played(Board()))


def test_the_same_seed_plays_the_same_pieces() -> None:
    one, again, other = (played(Board(), pieces=20, seed=seed) for seed in (5, 5, 6))
    assert [piece.x for piece in one] == [piece.x for piece in again]
    assert [piece.x for piece in one] != [piece.x for piece in other]


def test_a_landing_that_ends_a_game_is_none() -> None:
    ends = {3, 7, 8}
    seen: list[int] = []

    def ended(_: Landing) -> bool:
        seen.append(len(seen))
        return len(seen) - 1 in ends

    found = played(Board(), pieces=12, ended=ended)
    assert [one.game for one in found] == [0] * 3 + [1] * 3 + [3] * 6
    # each game begins anew, some frames later
    begins = [next(one for one in found if one.game == game) for game in (0, 1, 3)]
    assert all(not field_at(0x100).cells(one.before) for one in begins)
    assert len({int(one.before[CLOCK]) for one in begins}) == 3


@pytest.mark.parametrize("fails", [MOST_LOST - 1, MOST_LOST])
def test_some_pieces_in_a_row_may_not_come_to_rest(fails: int) -> None:
    board, left = Board(), [fails]
    fall = board.fall

    def some(state: Any, **said: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise CalibrationError("no next piece comes")
        return fall(state, **said)

    board.fall = some  # type: ignore[method-assign]
    if fails == MOST_LOST:
        with pytest.raises(CalibrationError, match="no piece that was dropped came to rest"):
            played(board, pieces=5)
    else:
        assert [one.game for one in played(board, pieces=5)] == [fails] * 5


def test_bytes_that_change_while_nothing_is_pressed_are_no_cells() -> None:
    board = Board()
    driver = board.driver
    found = played(board, pieces=9)
    assert np.flatnonzero(restless(driver, found)).tolist() == [CLOCK]
    # a byte that only one of three pieces shows
    found[3].state[SPRITE] = 9  # type: ignore[index]
    assert set(np.flatnonzero(restless(driver, found)).tolist()) == {CLOCK}
    found[3].before[SPRITE] = 9
    assert SPRITE in np.flatnonzero(restless(driver, found))


# -- menus


class Fan(Frames):
    """A screen from which each button leads to another one, where nothing leads on."""

    size, frames, spent = 4, 0, False

    def __init__(self) -> None:
        self.screen, self.down = 0, 0
        self.console = self

    def frame(self) -> Any:
        return np.full((4, 4, 3), self.screen % 251, np.uint8)

    def save(self) -> Any:
        return self.screen, self.down

    def load(self, state: Any) -> None:
        self.screen, self.down = state

    def step(self, pad: int = 0) -> None:
        if pad and not self.down and not self.screen:
            self.screen = pad
        self.down = pad

    def snap(self) -> Any:
        return np.array([self.screen & 255, self.screen >> 8, 0, 0], np.uint8)


def test_buttons_that_confirm_are_tapped_before_those_that_move_a_cursor() -> None:
    rig: Any = Fan()
    visited: list[int] = []

    def wanted(_: Any, state: Any) -> Any:
        visited.append(state[0])
        return NOTHING

    with pytest.raises(CalibrationError, match="nothing was found that falls"):
        Explorer(rig).find(wanted)
    order = [name_of(one) for one in dict.fromkeys(visited) if one]
    assert order[:6] == ["start", "a", "b", "down", "right", "select"]
    assert set(order[6:]) == {"up", "left"}
    assert visited[0] == 0


def test_names_and_frames_of_taps() -> None:
    assert [name_of(one) for one in (0, int(Button.START), int(Button.A) << OTHER_PAD)] == ["wait", "start", "p2 a"]
    pads = pads_of(int(Button.A), 9)
    assert pads[:9] == [int(Button.A)] * 9
    assert not any(pads[9:])
    assert len(pads_of(0, 9)) == len(pads)
    assert len(pads_of(0)) < len(pads)
