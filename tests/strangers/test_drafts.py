"""Drafts of strangers with other rules: ways through menus, pads and pieces that once defeated the engine."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.explore import WATCH, Explorer
from ochibot.experiments.pad import measure_tap
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.screens import Screens

from tests.strangers.judge import judge
from tests.strangers.judging import wrong_known
from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole


def screen(*values: int) -> Bytes:
    """RAM of a screen on which nothing changes by itself."""
    return np.tile(np.array(values, np.uint8), (WATCH, 1))


def test_a_random_number_makes_no_new_screen_and_a_menu_does() -> None:
    seen = Screens(2)
    assert [seen.is_new(screen(7 * number, 1), 1) for number in range(12)].count(True) <= 8
    assert not seen.is_new(screen(250, 1), 1)
    assert seen.is_new(screen(251, 2), 1)


def test_a_slow_clock_makes_no_new_screen_and_a_menu_does() -> None:
    def seen_at(time: int, mode: int) -> bool:
        ram = screen(0, time // 3, mode)
        # a timer, and beside it a byte that counts its rounds, whatever is pressed
        ram[:, 0] = range(WATCH)
        return seen.is_new(ram, time)

    seen = Screens(3)
    new = [seen_at(time, 5) for time in range(6) for _ in range(3)]
    assert new[0]
    assert not any(new[1:])
    assert seen_at(5, 6)


def test_play_is_found_where_a_name_is_asked_for_and_buttons_must_be_held() -> None:
    spec = draw(16, "other")
    assert {"name_first", "debounced", "menu_options", "dice_run"} <= spec.mechanisms
    rig = Rig(StrangerConsole(spec))
    rig.step()
    rig.limit(30_000)
    route = Explorer(rig).find()
    rig.load(route.state)
    assert Truth(rig.console.game).playing  # type: ignore[attr-defined]


def test_a_tap_may_move_a_piece_by_two_columns() -> None:
    spec = draw(30, "other")
    assert spec.poll == 12
    rig = Rig(StrangerConsole(spec))
    rig.step()
    route = Explorer(rig).find()
    x = next(iter(route.motion.across))
    driver = Driver(rig, Place(x, 8), Place(next(iter(route.motion.fall)), 8))
    driver.tap = measure_tap(rig, route.state, x)
    columns = driver.columns(route.state)
    assert set(np.diff(columns).tolist()) == {8}
    assert len(columns) == spec.width


def test_a_rarely_read_pad_is_seen_pressed_and_released() -> None:
    # a pause of 10 frames after 12 is answered in this game by its auto-repeat alone, which turns don't have
    spec = draw(4, "family", "slow_pad")
    assert spec.poll == 11
    rig = Rig(StrangerConsole(spec))
    rig.step()
    route = Explorer(rig).find()
    tap = measure_tap(rig, route.state, next(iter(route.motion.across)))
    assert min(tap.on, tap.off) >= spec.poll


def test_bombs_that_leave_nothing_are_drafted() -> None:
    # y goes round in 13 rows of 16 pixels
    verdict = judge(draw(604, "other"))
    assert verdict.drafted, verdict


@pytest.mark.long
@pytest.mark.parametrize("only", ["y_up", "slow_fall", "piece_nibbles", "padded"])
def test_bars_whose_tiles_fall_on_one_by_one_are_drafted(only: str) -> None:
    spec = draw(1, "other", only)
    assert spec.rules == "bars"
    verdict = judge(spec)
    assert verdict.drafted, verdict


@pytest.mark.parametrize("seed", [637, pytest.param(640, marks=pytest.mark.long)])
def test_a_field_is_not_known_that_many_landings_contradict(seed: int) -> None:
    # a part of a ring; columns that lie apart by turns
    verdict = judge(draw(seed, "other"))
    assert verdict.entries["field"] == "false"
    assert wrong_known(verdict) == []
