"""Tests of the gravity that a game file's timing gives. Slow hands use it to find placements they reach in time."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.errors import ConfigError
from ochibot.falling.pace import Gravity, Pace
from ochibot.games import find_game
from ochibot.games.filed.read import make, read_shipped

PUYO = read_shipped("puyo")


def _gravity(**timing: object) -> Gravity | None:
    """The gravity of a user's file that equals the shipped one but for its timing."""
    return make({**PUYO.data, "timing": timing}, Path("mine.yaml")).table.gravity


def test_the_shipped_titles_know_the_pace_of_our_own_cartridges() -> None:
    assert PUYO.table.gravity == Gravity((40, 28, 18, 11), 2, 28, 4)
    assert read_shipped("tsu").table.gravity == Gravity((40, 32, 24, 18, 11), 2, 28, 4)
    nyaa = read_shipped("nyaa").table.gravity
    assert nyaa is not None
    assert (nyaa.pace(4, False), nyaa.pace(4, True)) == (Pace(11, 2, 28, 4), Pace(24, 2, 28, 4))
    assert find_game("puyo").name == "puyo"


def test_a_users_file_gives_it_for_whatever_map() -> None:
    told = _gravity(fall=20, soft_drop=3, lock_delay=16)
    assert told == Gravity((20,), 3, 16, 1, anywhere=True)
    told = _gravity(fall=[20, 10], soft_drop=3, lock_delay=16, lock_hurry=2, fall_versus=15, auto_repeat=4)
    assert told == Gravity((20, 10), 3, 16, 2, versus_row=15, anywhere=True)


def test_half_of_it_is_nothing() -> None:
    assert _gravity() is None
    assert _gravity(lock_delay=16) is None
    assert _gravity(fall=20, soft_drop=3) is None
    # if each move restarts the lock delay, it can't be computed what slow hands reach
    assert _gravity(fall=20, soft_drop=3, lock_delay=16, lock_refilled=1) is None


@pytest.mark.parametrize("wrong", [{"fall": 0}, {"soft_drop": "two"}, {"lock_delay": 1.5}, {"fall": [20, -1]}])
def test_what_is_no_number_of_frames_is_reported(wrong: dict[str, object]) -> None:
    (name,) = wrong
    with pytest.raises(ConfigError, match=rf"mine\.yaml: timing\.{name}: give frames, a whole number from 1"):
        _gravity(**{"fall": 20, "soft_drop": 3, "lock_delay": 16, **wrong})
