"""The steps of a GPU's batch, compiled for the processor, in numba's GPU simulator, and on a GPU if there is one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import score_table
from ochibot.puyo.sim import layout
from ochibot.puyo.sim.many import LOCKS, ManyGames, batch_numbers
from ochibot.puyo.sim.plain.many import steps_of
from ochibot.puyo.sim.plain.shape import BOARD, FLOOD, Target, shape_of

from tests.puyo.pairs.test_cuda import SIMULATED, gpu
from tests.puyo.sim.test_plain import JIT, _plus, _popcount, _times


@pytest.fixture(scope="module")
def steps() -> Any:
    return steps_of(Target(JIT, JIT(_popcount), JIT(_times), JIT(_plus)))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules_name", "source", "colors", "shown"),
    [
        ("famicom", "cartridge", 4, 1),
        ("famicom", "uniform", 3, 2),
        ("tsu", "tsu", 4, 2),
        ("tsu", "puyo1", 5, 2),
        ("puyo1", "modern", 3, 1),
    ],
)
def test_the_steps_are_those_of_the_kernels(steps: Any, rules_name: str, source: Any, colors: int, shown: int) -> None:
    rules, most = load_rules(rules_name), 25
    games = ManyGames(3, rules, colors=colors, shown=shown, source=source, most_locks=most)
    numbers = batch_numbers(3, rules, colors, shown, source, most, True)
    shape, cells, _ = shape_of(rules)
    boards, state = np.zeros((3, BOARD), np.uint64), np.zeros((3, layout.GAME_NUMBERS), np.int64)
    random = np.zeros((3, layout.RANDOM_WORDS), np.uint64)
    pools, rooms = np.zeros((3, 256), np.uint8), np.zeros((3, 1, layout.POOL_ROOM), np.uint8)
    planes, pairs = np.zeros_like(games.planes), np.zeros_like(games.pairs)
    masks, rewards, ended = np.zeros((3, LOCKS), np.int8), np.zeros((3, 1)), np.zeros((3, 3), np.uint8)
    seed, spots, table = np.zeros(1, np.uint32), np.zeros(FLOOD, np.uint64), score_table(rules)

    def rest(i: int) -> tuple[Any, ...]:
        own = boards[i], state[i], random[i], pools[i], rooms[i], seed, spots, planes[i], pairs[i], masks[i]
        return numbers, *own, shape, cells

    for i in range(3):
        games.seed(i, 100 + i, dice=i)
        layout.seed_words(random[i], 100 + i, i)
        steps.begin(*rest(i))
    games.begin()
    ends = np.zeros(3, np.int64)
    for turn in range(240):
        locks = games.random_locks()
        assert [steps.random_lock(state[i], random[i]) for i in range(3)] == locks.tolist()
        if turn % 60 == 59:
            locks[turn // 60 % 3] = -1
        games.step(locks)
        for i in range(3):
            steps.step(locks[i], table, rewards[i], ended[i], *rest(i))
        assert np.array_equal(games.planes, planes)
        assert np.array_equal(games.pairs, pairs)
        assert np.array_equal(games.masks, masks)
        assert np.array_equal(games.rewards, rewards[:, 0])
        assert np.array_equal(games.scores, state[:, layout.SCORE])
        for column, one in enumerate((games.terminated, games.truncated, games.illegal)):
            assert np.array_equal(one, ended[:, column])
            ends[column] += one.sum()
    assert int(np.min(ends)) > 0


A_FEW = """
import numpy as np
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.sim.many import ManyGames
from ochibot.puyo.sim.many_cuda import ManyGamesOnGpu

rules = load_rules("tsu")
both = [made(COUNT, rules, shown=2, source="SOURCE") for made in (ManyGames, ManyGamesOnGpu)]
for games in both:
    for number in range(COUNT):
        games.seed(number, number, dice=number)
    games.begin()
ours, theirs = both
for _ in range(TURNS):
    locks = ours.random_locks()
    assert np.array_equal(theirs.random_locks().copy_to_host(), locks)
    ours.step(locks)
    theirs.step(locks)
    for name in ("planes", "pairs", "masks"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name).copy_to_host()), name
    assert np.array_equal(ours.rewards, theirs.rewards.copy_to_host()[:, 0])
    assert np.array_equal(ours.scores, theirs.scores)
print("equal")
"""


def run(count: int, turns: int, source: str, **environment: str) -> str:
    program = A_FEW.replace("COUNT", str(count)).replace("TURNS", str(turns)).replace("SOURCE", source)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, **environment}
    )
    return done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("source", ["uniform", "tsu"])
def test_a_simulated_gpu_plays_the_same(source: str) -> None:
    assert run(2, 12, source, **SIMULATED) == "equal\n"


@pytest.mark.skipif(not gpu(), reason="no NVIDIA GPU here")
@pytest.mark.long
@pytest.mark.parametrize("source", ["uniform", "tsu"])
def test_a_gpu_plays_the_same(source: str) -> None:
    assert run(20_000, 300, source) == "equal\n"


@pytest.mark.skipif(gpu(), reason="there is an NVIDIA GPU here")
def test_without_a_gpu_it_says_so() -> None:
    assert "needs an NVIDIA GPU" in run(2, 1, "tsu")
