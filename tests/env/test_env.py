"""The environments: the checkers of Gymnasium and PettingZoo, and the simulator beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from ochibot.env import console, match, solo
from ochibot.env.boards import PuyoBoard
from ochibot.env.solo import PuyoSolo
from ochibot.errors import UsageError
from ochibot.falling.deciding import decision_of
from ochibot.falling.draws import rolled
from ochibot.lab.match import play_match
from ochibot.puyo.family import FAMILY as PUYO
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.sim.dealer import PoolDealer, XorshiftDealer, seeded
from ochibot.puyo.sim.match import Deal
from ochibot.puyo.sim.megadrive import CARTRIDGES
from pettingzoo.test import parallel_api_test  # type: ignore[import-untyped]

from tests.commands import ROOT
from tests.titles import find_player

SOLOS: list[Callable[..., solo.PlacementEnv]] = [solo.endless, solo.tsu, solo.nyaa]


@pytest.mark.parametrize("made", SOLOS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_finds_no_fault(made: Callable[..., solo.PlacementEnv]) -> None:
    check_env(made(render_mode="rgb_array"))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_finds_no_fault_on_a_console() -> None:
    env = console.endless()
    try:
        check_env(env, skip_render_check=True)
    finally:
        env.close()


def test_gymnasium_knows_them_by_name() -> None:
    for name in ("Endless", "Tsu", "Nyaa"):
        env = gymnasium.make(f"ochibot/{name}-v0")
        seen, info = env.reset(seed=3)
        assert np.array_equal(seen["mask"], info["action_mask"])


@pytest.mark.parametrize("rules", ["famicom", "tsu", "mvs"])
def test_pettingzoo_finds_no_fault(rules: Any) -> None:
    parallel_api_test(match.parallel_env(rules=rules), num_cycles=60)


def played(env: solo.PlacementEnv, seed: int, steps: int = 30) -> list[tuple[Any, ...]]:
    """A game with random legal actions, as values that can be compared."""
    seen, info = env.reset(seed=seed)
    random = np.random.default_rng(seed)
    found = []
    for _ in range(steps):
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        seen, points, over, cut, info = env.step(action)
        assert (cut, info["illegal"]) == (False, False)
        found.append((action, points, over, *(values.tobytes() for values in seen.values())))
        if over:
            break
    return found


@pytest.mark.parametrize("made", SOLOS)
def test_equal_seeds_give_equal_games(made: Callable[..., solo.PlacementEnv]) -> None:
    assert played(made(), 1) == played(made(), 1)
    assert played(made(), 1) != played(made(), 2)


@pytest.mark.parametrize("seed", range(4))
def test_tsu_is_played_by_the_rules_and_dealt_by_the_generator(seed: int) -> None:
    env = solo.tsu()
    seen, info = env.reset(seed=seed)
    rules = load_rules("tsu")
    dealer = PoolDealer(
        "tsu", 1 + rolled(int(np.random.default_rng(seed).integers(solo.MOST_STREAM)), solo.MOST_SEED)[1]
    )
    pairs = [next(dealer) for _ in range(3)]
    random = np.random.default_rng(seed)
    labels: dict[int, int] = {}
    while True:
        field = env.snapshot.field
        for pair, numbers in zip(pairs, seen["pairs"].tolist(), strict=True):
            # colours are numbered in the order in which they come
            assert numbers == [labels.setdefault(code, len(labels) + 1) for code in pair]
        legal = PUYO.placements(env.snapshot, rules)
        assert sorted(map(env.action_of, legal)) == np.flatnonzero(seen["mask"]).tolist()
        for code, number in labels.items():
            assert np.array_equal(seen["field"][number - 1], np.array(field.cells == code)[-rules.kept_rows :])
        placement = legal[int(random.integers(len(legal)))]
        expected = place(field, pairs[0], placement, rules)
        seen, points, over, _, info = env.step(env.action_of(placement))
        assert (env.snapshot.field, over) == (expected.field, expected.game_over)
        assert points >= expected.score
        if over:
            break
        pairs = [*pairs[1:], next(dealer)]
    assert info["score"] > 0 or field.count() > 0


def test_an_illegal_action_ends_the_episode() -> None:
    env = solo.endless()
    with pytest.raises(UsageError, match="reset the environment"):
        env.step(0)
    _, info = env.reset(seed=1)
    # a pair of one colour has fewer placements than actions
    while info["action_mask"].all():
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    wrong = int(info["action_mask"].argmin())
    _, points, over, _, info = env.step(wrong)
    assert (points, over, info["illegal"]) == (0, True, True)


@pytest.mark.parametrize("name", ["famicom", "megadrive"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_is_that_of_the_arena(name: str, seed: int) -> None:
    cartridge = CARTRIDGES[name]
    rules = load_rules(cartridge.rules)
    players = [_TwoPly(rules), _TwoPly(rules)]
    env = match.parallel_env(rules=cartridge.rules, most_pieces=40)  # type: ignore[arg-type]
    seen, _ = env.reset(seed=seed)
    state = int(np.random.Generator(np.random.PCG64(seed)).integers(1, solo.MOST_SEED + 1))
    wins: dict[str, float] = {}
    while env.agents:
        agent = env.turn
        assert agent is not None
        seat = match.AGENTS.index(agent)
        decision = decision_of(players[seat], PUYO, env.snapshot(agent), rules)
        assert decision is not None
        actions = dict.fromkeys(match.AGENTS, len(seen[agent]["mask"]) - 1)
        lock = decision.placement
        actions[agent] = next(
            number for number, one in env._legal.items() if (one.x, one.orientation) == (lock.x, lock.orientation)
        )
        seen, wins, _, _, _ = env.step(actions)
    again = [_TwoPly(rules), _TwoPly(rules)]
    deal = Deal(state, 3 if name == "megadrive" else 1, 4, source=cartridge.source)
    expected = play_match(deal, (again[0], again[1]), rules=rules, cartridge=cartridge, max_pieces=40)
    outcome = {None: [0, 0], 1: [-1, 1], 2: [1, -1]}[expected.loser]
    assert list(wins.values()) == outcome
    fields = [env.snapshot(agent).score for agent in match.AGENTS]
    assert tuple(fields) == expected.scores


class _TwoPly:
    """The article's player."""

    def __init__(self, rules: Any) -> None:
        from ochibot.puyo.search import TwoPly

        self._player = TwoPly(find_player("article"), rules)

    def choose(self, snapshot: Any) -> Any:
        return self._player.choose(snapshot)


def test_the_console_plays_what_the_simulator_plays() -> None:
    """The simulator is given the state with which the cartridge's generator began: the one that deals these pairs."""
    env = console.endless(colors=4)
    try:
        seen, info = env.reset(seed=11)
        first = [*env.snapshot.pair, *env.snapshot.next_pair]

        def deals(frame: int) -> bool:
            dealer = XorshiftDealer(seeded(frame), 4)
            return [*next(dealer), *next(dealer), *next(dealer), *next(dealer)][:8] == [*first, *later]

        twin = PuyoBoard("famicom", 4, 1)
        game = PuyoSolo(twin, "cartridge")
        random = np.random.default_rng(1)
        later: list[int] = []
        steps: list[tuple[int, float, dict[str, Any]]] = []
        for _ in range(12):
            action = int(random.choice(np.flatnonzero(info["action_mask"])))
            seen, points, over, _, info = env.step(action)
            steps.append((action, points, seen))
            assert not over
            if len(steps) <= 2:
                later += [*env.snapshot.next_pair]
        (state,) = {seeded(frame) for frame in range(1 << 12) if deals(frame)}
        shown = game.begin(state)
        twin.seen(shown, {})  # numbers the first pairs' colours
        for action, points, there in steps:
            shown, made, over = game.lock(twin.legal(shown)[action])
            here = twin.seen(shown, twin.legal(shown))
            assert (made, over) == (points, False)
            assert all(np.array_equal(here[name], there[name]) for name in here)
    finally:
        env.close()


def test_a_session_with_rules_of_its_own(tmp_path: Path) -> None:
    """Rules that are no shipped profile are those that the environment plays by."""
    own = tmp_path / "mine.yaml"
    shipped = (ROOT / "configs/rules/famicom.yaml").read_text()
    own.write_text(shipped.replace("name: famicom", "name: mine", 1))
    board = PuyoBoard(load_rules(own), 4, 1)
    game = PuyoSolo(board, "cartridge")
    snapshot = game.begin(1)
    assert board.rules.name == "mine"
    assert board.seen(snapshot, board.legal(snapshot))["mask"].any()


def test_an_illegal_action_loses_the_match() -> None:
    env = match.parallel_env(rules="mvs")
    seen, _ = env.reset(seed=5)
    wait = len(seen["seat_1"]["mask"]) - 1
    assert env.turn is not None
    _, rewards, ended, _, infos = env.step(dict.fromkeys(match.AGENTS, wait))
    loser = "seat_1" if rewards["seat_1"] < 0 else "seat_2"
    assert sorted(rewards.values()) == [-1, 1]
    assert infos[loser]["illegal"]
    assert all(ended.values())
    with pytest.raises(UsageError, match="reset"):
        env.step(dict.fromkeys(match.AGENTS, wait))


def test_pictures_and_text() -> None:
    for made in SOLOS:
        env = made(render_mode="ansi")
        assert env.render() is None
        env.reset(seed=1)
        assert str(env.snapshot) == env.render()
        pictured = made(render_mode="rgb_array")
        pictured.reset(seed=1)
        assert pictured.render().shape[2] == 3
    with pytest.raises(UsageError, match="render_mode"):
        solo.nyaa(render_mode="human")  # type: ignore[arg-type]
