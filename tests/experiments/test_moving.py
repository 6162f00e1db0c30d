"""What tells a piece that one steers from a demo, a cursor and a clock: naive games, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.experiments.motion import (
    AFTER,
    LONG_TAP,
    NOTHING,
    SPRITES_SOONER,
    Motion,
    _ended,
    _hurried,
    _steered,
    drop,
    motion,
)

from tests.experiments.frames import Frames

X, Y, COPY, SPRITE, CLOCK, TITLE, FINE, GHOST, SIZE = 0, 1, 2, 3, 4, 5, 6, 7, 12


@dataclass(frozen=True)
class Rules:
    """pace: frames for a row (with DOWN: two). rows: how far it falls. start: what START does. moved: after so many
    frames without a press somebody else moves the piece. sprite: how many frames before the next piece its sprite goes.
    still: the piece never comes to rest.
    """

    pace: int = 20
    rows: int = 10
    start: str = "pauses"
    moved: int = 0
    sprite: int = 0
    still: bool = False
    down: bool = True
    rests: int = 6


class Game(Frames):
    """A piece that follows LEFT and RIGHT by one column a press, falls, rests, and gives way to the next one."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.size, self.own = rules, SIZE, SIZE
        self.now = {"x": 3, "row": 0, "since": 0, "rest": 0, "held": 0, "title": 0, "paused": 0, "idle": 0, "frame": 0}

    def save(self) -> Any:
        return dict(self.now)

    def load(self, state: Any) -> None:
        self.now = dict(state)

    def count(self, number: Any) -> None:
        assert number is None

    def snap(self) -> Any:
        now, rules = self.now, self.rules
        ram = np.zeros(SIZE, np.uint8)
        ram[X], ram[Y], ram[COPY] = 16 + 8 * now["x"], 30 + 8 * now["row"] & 255, 100 - now["x"]
        left = rules.rests - now["rest"]
        ram[SPRITE] = 0 if now["rest"] and left <= rules.sprite else 5 + 4 * now["x"]
        ram[CLOCK], ram[TITLE] = now["frame"] & 255, now["title"]
        ram[FINE] = 8 * now["row"] + now["since"] * 8 // rules.pace & 255
        ram[GHOST] = now["x"] if now["held"] else 9
        return ram

    def step(self, pad: int = 0) -> None:
        now, rules = self.now, self.rules
        now["frame"] += 1
        pressed = bool(pad) and not now["held"]
        now["held"] = int(bool(pad))
        if pressed and pad & Button.START:
            if rules.start == "ends":
                now["title"] = 1
            if rules.start == "pauses":
                now["paused"] ^= 1
        if now["title"]:
            now["x"], now["row"] = 0, 0
            return
        if now["paused"]:
            return
        now["idle"] = 0 if pad else now["idle"] + 1
        if pressed:
            side = bool(pad & Button.RIGHT) - bool(pad & Button.LEFT)
            now["x"] = max(0, min(5, now["x"] + side))
        if rules.moved and now["idle"] == rules.moved:
            now["x"] = (now["x"] + 2) % 6
        if now["row"] < rules.rows:
            now["since"] += 1
            if now["since"] >= (2 if pad & Button.DOWN and rules.down else rules.pace):
                now["row"], now["since"] = now["row"] + 1, 0
                if rules.still:
                    now["row"] %= rules.rows
            return
        now["rest"] += 1
        if now["rest"] >= rules.rests:
            now.update(x=3, row=0, since=0, rest=0)


def opened(**said: Any) -> tuple[Any, Any]:
    game = Game(Rules(**said))
    return game, game.save()


def test_x_and_y_of_a_piece_are_found() -> None:
    rig, state = opened()
    found = motion(rig, state)
    assert found.across == {X: 8, COPY: -1, SPRITE: 4}
    assert found.fall.keys() >= {Y}
    assert found.fall[Y] == 8
    assert (found.hurry, found.rests, found.doubtful) == (int(Button.DOWN), True, False)
    # what moves by itself, or only while a button is held, is no place
    assert not {CLOCK, TITLE, GHOST} & {*found.across, *found.fall}


def test_a_piece_that_down_does_not_hurry_falls_by_itself() -> None:
    rig, state = opened(down=False, pace=9)
    assert motion(rig, state).fall[Y] == 8


@pytest.mark.parametrize(
    ("sooner", "found"), [(0, True), (5, True), (SPRITES_SOONER, True), (SPRITES_SOONER + 3, False)]
)
def test_a_sprite_may_go_some_frames_before_the_next_piece(sooner: int, found: bool) -> None:
    rig, state = opened(sprite=sooner, rests=SPRITES_SOONER + 20)
    across = motion(rig, state).across
    assert {X, COPY} <= across.keys()
    assert (SPRITE in across) is found


@pytest.mark.parametrize(("start", "doubtful"), [("pauses", False), ("nothing", False), ("ends", True)])
def test_start_ends_a_demo(start: str, doubtful: bool) -> None:
    rig, state = opened(start=start, pace=40)
    moves = Motion({X: 8}, {Y: 8})
    assert _ended(rig, state, moves) is doubtful
    assert motion(rig, state).doubtful is doubtful


@pytest.mark.parametrize(("moved", "steered"), [(0, False), (LONG_TAP + 20, True), (LONG_TAP + 100, False)])
def test_a_piece_that_does_not_stay_is_steered_by_somebody_else(moved: int, steered: bool) -> None:
    rig, state = opened(moved=moved, pace=60)
    assert _steered(rig, state, Motion({X: 8, COPY: -1}, {Y: 8})) is steered
    assert (motion(rig, state) == NOTHING) is steered


def test_what_never_comes_to_rest_may_still_be_hurried() -> None:
    rig, state = opened(still=True)
    found = motion(rig, state)
    assert not found.rests
    assert found.across == {X: 8, COPY: -1, SPRITE: 4}
    rig, state = opened(rows=26, rests=30)
    hurried = _hurried(rig, state)
    # a row is eight of y's units, and the finer byte counts each of them
    assert hurried[Y] == 8
    assert FINE in hurried
    assert not {X, COPY, CLOCK, TITLE} & hurried.keys()


def test_where_nothing_follows_left_and_right_nothing_moves() -> None:
    rig, state = opened()
    state["title"] = 1
    assert motion(rig, state) == NOTHING
    assert not NOTHING
    assert not Motion({X: 8}, {})
    assert not Motion({}, {Y: 8})


@pytest.mark.parametrize("rows", [10, 80])
def test_a_fall_is_watched_until_the_next_piece_is_there(rows: int) -> None:
    rig, state = opened(rows=rows)
    rig.load(state)
    rig.run([int(Button.LEFT), 0])
    seen = drop(rig, int(Button.DOWN), [X, COPY, SPRITE])
    assert seen is not None
    # two frames for each row, less those of the tap, then it rests
    falls = 2 * rows + 6 - 2
    assert abs(seen.until - falls) <= 2
    assert seen.across == (X, COPY, SPRITE)
    assert {X, Y, COPY, SPRITE} <= set(seen.places.tolist())
    assert len(seen.seen) >= seen.until + AFTER
    at = seen.places.tolist().index(Y)
    assert seen.seen[0, at] == 30
    assert 30 + 8 * rows & 255 in seen.seen[:, at].tolist()
    # nothing comes where the piece never rests
    rig, state = opened(still=True)
    rig.load(state)
    assert drop(rig, int(Button.DOWN), [X, COPY]) is None
