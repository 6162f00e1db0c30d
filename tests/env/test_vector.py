"""Many environments at once: beside Gymnasium's own vector of the single ones, and the search's locks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import ochibot.env  # noqa: F401 (makes the names known)
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from hypothesis import given
from hypothesis import strategies as st
from ochibot.env import solo, vector
from ochibot.errors import ConfigError, UsageError
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.nuisance import with_nuisance
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.search.locks import lock_order, lock_positions
from ochibot.puyo.sim import many
from ochibot.puyo.sim.many import ManyGames

CASES: list[dict[str, Any]] = [
    {"rules": "famicom", "source": "cartridge", "colors": 4, "next_pairs": 1},
    {"rules": "famicom", "source": "cartridge", "colors": 5, "next_pairs": 2},
    {"rules": "tsu", "source": "tsu", "colors": 4, "next_pairs": 2},
    {"rules": "tsu", "source": "uniform", "colors": 3, "next_pairs": 2},
    {"rules": "tsu", "source": "puyo1", "colors": 5, "next_pairs": 1},
    {"rules": "tsu", "source": "modern", "colors": 3, "next_pairs": 2},
]


def beside(case: dict[str, Any], number: int, limit: int | None) -> SyncVectorEnv:
    def made() -> gymnasium.Env[Any, Any]:
        env = solo.endless(**case)
        return env if limit is None else TimeLimit(env, limit)

    return SyncVectorEnv([made] * number, autoreset_mode=AutoresetMode.NEXT_STEP)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return set(one) == set(other) and all(same(one[name], other[name]) for name in one)
    return one.dtype == other.dtype and np.array_equal(one, other)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['rules']}-{case['source']}-{case['colors']}" for case in CASES])
def test_it_is_the_vector_of_the_single_ones(case: dict[str, Any]) -> None:
    """Over many games, with the ends of episodes, cut-off ones and illegal actions."""
    ours, theirs = vector.PuyoVectorEnv(3, **case, max_episode_steps=35), beside(case, 3, 35)
    random = np.random.default_rng(7)
    ours.action_space.seed(1)
    assert (ours.single_observation_space, ours.observation_space) == (
        theirs.single_observation_space,
        theirs.observation_space,
    )
    seen, info = ours.reset(seed=11)
    assert all(same(*both) for both in zip((seen, info), theirs.reset(seed=11), strict=True))
    ends = np.zeros(3, np.int64)
    for step in range(160):
        masks = seen["mask"]
        actions = np.array([random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        if step % 50 == 49:
            actions[step // 50 % 3] = 21 if step % 100 == 49 else -1
        found = ours.step(actions)
        for one, other in zip(found, theirs.step(actions), strict=True):
            assert same(one, other)
        seen, _, over, cut, info = found
        ends += [over.sum(), cut.sum(), info["illegal"].sum()]
        if step == 100:
            chosen = np.array([True, False, True])
            seen, _ = ours.reset(options={"reset_mask": chosen})
            again, _ = theirs.reset(options={"reset_mask": chosen.copy()})
            assert same(seen, again)
    assert int(np.min(ends)) > 0


def test_gymnasium_makes_it_by_name() -> None:
    env = gymnasium.make_vec("ochibot/Tsu-v0", num_envs=5, max_episode_steps=9)
    assert isinstance(env, vector.PuyoVectorEnv)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    for _ in range(9):
        seen, _, over, cut, _ = env.step(env.random_actions())
    assert cut.all()
    assert not over.any()
    # Pochi & Nyaa has no kernel of its own: it is a vector of single environments
    assert isinstance(gymnasium.make_vec("ochibot/Nyaa-v0", num_envs=2), SyncVectorEnv)


def played(threads: int, copy: bool) -> list[bytes]:
    env = vector.PuyoVectorEnv(37, threads=threads, copy=copy)
    seen, _ = env.reset(seed=3)
    found = []
    for _ in range(150):
        seen, points, over, _, info = env.step(env.random_actions())
        found.append(b"".join(one.tobytes() for one in (*seen.values(), points, over, info["score"])))
    env.close()
    return found


def test_threads_and_copies_change_nothing() -> None:
    assert played(1, copy=True) == played(3, copy=False)


@pytest.mark.long
def test_without_the_instructions_for_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = played(1, copy=True)
    monkeypatch.setenv("OCHIBOT_PEXT", "0")
    assert played(1, copy=True) == wanted


def test_a_copy_stays_and_a_view_does_not() -> None:
    for copy in (True, False):
        env = vector.PuyoVectorEnv(2, copy=copy)
        before, _ = env.reset(seed=1)
        kept = before["field"].copy()
        env.step(env.random_actions())
        assert np.array_equal(before["field"], kept) == copy


def test_random_actions_are_legal_and_all_come() -> None:
    games = ManyGames(1, load_rules("famicom"))
    games.seed(0, 5, dice=9)
    games.begin()
    seen = {int(games.random_locks()[0]) for _ in range(800)}
    assert seen == set(np.flatnonzero(games.masks[0]).tolist())


heights = st.lists(st.integers(0, ROWS), min_size=COLUMNS, max_size=COLUMNS)
RULES = [load_rules(name) for name in ("famicom", "tsu", "puyo1")]


@given(st.sampled_from(RULES), st.lists(st.integers(8, ROWS), min_size=COLUMNS, max_size=COLUMNS) | heights)
def test_locks_by_heights_are_those_of_the_search(rules: Any, tops: list[int]) -> None:
    tops = [min(top, rules.kept_rows) for top in tops]
    cells = np.array([[7 if ROWS - y <= top else 0 for top in tops] for y in range(ROWS)], np.uint8)
    field = Field.from_cells(cells)
    at = sum(max(top - (ROWS - 4), 0) * 5**x for x, top in enumerate(tops))
    order = {lock: number for number, lock in enumerate(lock_order())}
    for single, pair in enumerate((Pair(1, 2), Pair(1, 1))):
        found = {order[one.x, one.orientation] for one in lock_positions(field, pair, rules)}
        if field.cells[rules.spawn.y, rules.spawn.x - 1]:
            found = set()
        bits = int(many._reach(rules)[single, at])
        assert {number for number in range(len(order)) if bits >> number & 1} == found


def test_what_it_refuses() -> None:
    with pytest.raises(ConfigError, match="colour"):
        vector.PuyoVectorEnv(2, colors=3)
    with pytest.raises(UsageError, match="3 to 5 colours"):
        vector.PuyoVectorEnv(2, colors=7)
    with pytest.raises(ConfigError, match="at least one thread"):
        vector.PuyoVectorEnv(2, threads=0)
    env = vector.tsu(2)
    with pytest.raises(UsageError, match="reset the environments"):
        env.step([0, 0])
    with pytest.raises(UsageError, match="one seed for each environment"):
        env.reset(seed=[1])
    with pytest.raises(UsageError, match="reset_mask"):
        env.reset(options={"level": 1})
    env.reset(seed=1)
    with pytest.raises(ConfigError, match="one lock for each game"):
        env.step([0, 0, 0])


def test_looking_ahead_is_what_a_lock_leads_to() -> None:
    """Each lock is played in a batch of its own that has been brought to the same place."""
    rules = load_rules("tsu")
    looked = ManyGames(3, rules, shown=2, source="tsu")
    batches = [ManyGames(3, rules, shown=2, source="tsu") for _ in range(many.LOCKS)]
    for games in (looked, *batches):
        for number in range(3):
            games.seed(number, number, dice=number)
        games.begin()
    cleared = 0
    for _ in range(45):
        after = looked.look_ahead()
        masks = looked.masks.astype(bool)
        for lock, games in enumerate(batches):
            locks = np.where(masks[:, lock], lock, looked.masks.argmax(axis=1))
            if not masks[:, lock].any():
                continue
            copied(looked, games)
            games.step(locks)
            legal = masks[:, lock] & ~games.terminated
            assert np.array_equal(after.planes[legal, lock], games.planes[legal])
            assert np.array_equal(after.points[legal, lock], games.rewards[legal])
            cleared += int((after.points[legal, lock] > 0).sum())
            assert not after.over[legal, lock].any()
        assert after.over[~masks].all()
        assert not after.planes[~masks].any()
        looked.step(looked.random_locks())
    assert cleared > 20


def copied(source: ManyGames, target: ManyGames) -> None:
    """Brings a batch to the same place as another."""
    for name in ("_boards", "_games", "_random"):
        getattr(target, name)[:] = getattr(source, name)


def test_nuisance_falls_in_whole_rows_and_on_different_columns() -> None:
    rules = load_rules("tsu")
    games = ManyGames(4, rules, shown=2, source="tsu")
    for number in range(4):
        games.seed(number, number)
    games.begin()
    chosen = np.zeros(COLUMNS, np.int64)
    for turn in range(200):
        before = [games.field(number) for number in range(4)]
        count = turn % 9
        games.drop([count, 0, count, 0])
        for number in (0, 2):
            if not games.masks[number].any():
                continue
            field = games.field(number)
            more = np.array(field.heights()) - np.array(before[number].heights())
            room = rules.kept_rows - np.array(before[number].heights())
            rows, rest = divmod(count, COLUMNS)
            extra = more - np.minimum(rows, room)
            assert set(extra.tolist()) <= {0, 1}
            assert extra.sum() <= rest
            assert extra.sum() == rest or (room <= rows).any()
            chosen += extra
            # the field is the one before, with nuisance on top; and what is seen agrees with it
            falls = tuple(more.tolist())
            assert field == with_nuisance(before[number], falls)
            assert games.planes[number, -1].sum() == sum(row.count(7) for row in field.rows())
        assert games.field(1) == before[1]
        games.step(games.random_locks())
    assert int(np.min(chosen)) > 0
    with pytest.raises(ConfigError, match="one count for each game"):
        games.drop([1])


def test_nuisance_can_end_a_game() -> None:
    games = ManyGames(2, load_rules("famicom"))
    games.begin()
    games.drop([200, 5])
    assert games.terminated.tolist() == [True, False]
    assert not games.masks[0].any()
    games.step([0, int(games.masks[1].argmax())])
    assert games.field(0).count() == 0
