"""A real core by its buttons."""

from __future__ import annotations

from collections.abc import Iterator

import gymnasium
import numpy as np
import ochibot.env  # noqa: F401 (makes the name known)
import pytest
from gymnasium.utils.env_checker import check_env
from ochibot.env.console import PadEnv, pad
from ochibot.errors import UsageError


@pytest.fixture
def env() -> Iterator[PadEnv]:
    made = pad(frames=4, render_mode="rgb_array")
    yield made
    made.close()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_finds_no_fault(env: PadEnv) -> None:
    check_env(env, skip_render_check=True)
    assert np.array_equal(env.render(), env.session.screen.ndarray)


def test_the_buttons_move_the_piece(env: PadEnv) -> None:
    env.reset(seed=2)
    for _ in range(6):
        env.step([0, 0, 0, 0, 0])  # a new pair isn't in the player's hands at once
    before = env.session.snapshot().state
    picture, points, over, cut, info = env.step([1, 0, 0, 0, 0])
    after = env.session.snapshot().state
    assert (before.x - after.x, points, over, cut, info["score"]) == (1, 0, False, False, 0)
    assert picture.shape == env.observation_space.shape
    env.step([0, 0, 0, 1, 0])
    assert env.session.snapshot().state.orientation != after.orientation


def test_holding_down_in_the_middle_ends_the_game(env: PadEnv) -> None:
    """The points are those that RAM shows, and equal seeds give equal games."""
    ends = []
    for _ in range(2):
        env.reset(seed=4)
        total, steps, over = 0.0, 0, False
        while not over:
            _, points, over, _, info = env.step([0, 0, 1, 0, 0])
            total, steps = total + points, steps + 1
        assert total == info["score"] == env.session.ram["score"]
        ends.append((total, steps))
    assert ends[0] == ends[1]
    with pytest.raises(UsageError, match="reset"):
        env.step([0, 0, 0, 0, 0])


def test_what_it_refuses() -> None:
    with pytest.raises(UsageError, match="there is no button"):
        pad(buttons=("left", "jump"))
    with pytest.raises(UsageError, match="one frame or more"):
        pad(frames=0)
    with pytest.raises(UsageError, match="render_mode"):
        pad(render_mode="ansi")
    made = gymnasium.make("ochibot/PadConsole-v0", game="tsu", buttons=("left", "right", "up", "a", "b"))
    assert isinstance(made.action_space, gymnasium.spaces.MultiBinary)
    made.close()
