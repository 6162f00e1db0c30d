"""Matches against an opponent, and the simple opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import ochibot.env  # noqa: F401 (makes the names known)
import pytest
from gymnasium.utils.env_checker import check_env
from ochibot.env.versus import versus
from ochibot.errors import ConfigError, UsageError
from ochibot.lab.opponents import Greedy, Random
from ochibot.nyaa.family import FAMILY as NYAA
from ochibot.nyaa.rules.file import load_rules as nyaa_rules
from ochibot.nyaa.sim import match as nyaa
from ochibot.puyo.family import FAMILY as PUYO
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.sim import match as puyo


@pytest.mark.parametrize("rules", ["famicom", "tsu", "mvs"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_finds_no_fault(rules: Any) -> None:
    check_env(versus(rules=rules, opponent="random", render_mode="rgb_array"))


def played(env: Any, seed: int, choose: Any) -> tuple[float, int]:
    """A match's last reward, and how many steps it took."""
    seen, info = env.reset(seed=seed)
    steps = 0
    while True:
        assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
        seen, reward, over, cut, info = env.step(choose(env, seen))
        steps += 1
        assert over or reward == 0
        if over or cut:
            return reward, steps


def random_action(_: Any, seen: Any) -> int:
    return int(np.random.default_rng(int(seen["field"].sum())).choice(np.flatnonzero(seen["mask"])))


def test_by_name_the_same_seeds_give_the_same_matches() -> None:
    env = gymnasium.make("ochibot/Versus-v0", opponent="random").unwrapped
    results = [played(env, seed, random_action) for seed in range(6)]
    assert results == [played(env, seed, random_action) for seed in range(6)]
    # two that play alike win and lose
    assert {reward for reward, _ in results} == {1.0, -1.0}


@pytest.mark.parametrize("opponent", ["greedy", "article"])
def test_a_player_beats_random_play(opponent: str) -> None:
    env = versus(rules="famicom", opponent=opponent)
    # random play wins a match now and then
    assert sum(played(env, seed, random_action)[0] for seed in range(10)) <= -6


def test_the_agent_can_be_the_stronger_one() -> None:
    env = versus(rules="tsu", opponent="random")
    greedy = Greedy(load_rules("tsu"))
    won = [played(env, seed, lambda env, _: env.action_of(greedy.choose(env.snapshot).placement)) for seed in range(10)]
    assert sum(reward for reward, _ in won) >= 6


def test_an_illegal_action_loses() -> None:
    env = versus(rules="mvs", opponent="greedy")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(52)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(UsageError, match="reset"):
        env.step(0)
    with pytest.raises(ConfigError, match="no such player"):
        versus(opponent="nobody")


def test_greedy_takes_the_most_and_then_the_lowest() -> None:
    rules = load_rules("famicom")
    game = puyo.Match(puyo.Deal(5), rules)
    player, other = Greedy(rules), Random(rules, seed=3)
    scored = 0
    for turn in range(40):
        snapshot = game.snapshot(1)
        options = [PUYO.decide(snapshot, one, rules).outcome for one in PUYO.placements(snapshot, rules)]
        best = player.choose(snapshot).outcome
        alive = [one for one in options if not one.game_over]
        assert best.score == max(one.score for one in alive)
        equal = [max(one.field.heights()) for one in alive if one.score == best.score]
        assert max(best.field.heights()) == min(equal)
        scored += best.score > 0
        chosen = player.choose(snapshot).placement if turn % 3 else other.choose(snapshot)
        if game.lock(1, chosen).over:
            break
    assert scored > 0


def test_they_play_pochi_and_nyaa() -> None:
    rules = nyaa_rules("mvs")
    game = nyaa.Match(nyaa.Deal(5), rules)
    player = Greedy(rules)
    attacks = 0
    for _ in range(30):
        snapshot = game.snapshot(1)
        options = [NYAA.decide(snapshot, one, rules).outcome for one in NYAA.placements(snapshot, rules)]
        best = player.choose(snapshot)
        assert best.outcome.attack == max(one.attack for one in options if not one.over)
        attacks += best.outcome.attack > 0
        assert Random(rules, 1).choose(snapshot) in NYAA.placements(snapshot, rules)
        if game.lock(1, best.placement).over:
            break
    assert attacks > 0
