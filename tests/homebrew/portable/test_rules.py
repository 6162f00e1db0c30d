"""The rules of Kodama, compiled for this machine, beside ``ochibot.puyo``: locks, chains, scores, moves, dealing."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.motion import dropped, move
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.resolve import place

from tests.homebrew.portable.compiled import (
    CLEAR,
    COMPILER,
    LOST,
    RULES,
    SETTLE,
    SPAWN,
    Rules,
    random_field,
    random_state,
)

PADS = {Action.LEFT: 1, Action.RIGHT: 2, Action.ROTATE_CW: 16, Action.ROTATE_CCW: 32}

pytestmark = pytest.mark.skipif(COMPILER is None, reason="not installed: a C compiler (gcc)")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return Rules(tmp_path_factory.mktemp("portable"))


def test_locks_end_as_the_rules_say(rules: Rules) -> None:
    dice, seen = random.Random(1), Counter[str]()
    for _ in range(1500):
        rules.begin(dice.randint(1, 65535))
        field = random_field(dice)
        state = dropped(field.cells.tolist(), random_state(dice, field), None, RULES)
        pair = Pair(dice.randint(1, 4), dice.randint(1, 4))
        rules.put(field)
        rules.hold(pair, state)
        rules.game.lock_budget = 1
        rules.frame()
        assert rules.game.phase == SETTLE
        frames = 0
        while rules.game.phase in (SETTLE, CLEAR):
            rules.frame()
            frames += 1
            assert frames < 2000
        outcome = place(field, pair, Placement(*state), RULES)
        assert (rules.field(), rules.score(), rules.game.chain) == (outcome.field, outcome.score, outcome.chain)
        assert (rules.game.phase == LOST) == outcome.game_over
        seen[f"chain {min(outcome.chain, 3)}"] += 1
        seen["lost"] += outcome.game_over
    assert min(seen[f"chain {n}"] for n in range(4)) > 10
    assert seen["lost"]


def test_presses_move_the_pair_as_the_rules_say(rules: Rules) -> None:
    dice, moved = random.Random(2), Counter[Action]()
    for _ in range(4000):
        rules.begin(1)
        field = random_field(dice)
        state = random_state(dice, field)
        action = dice.choice(list(PADS))
        rules.put(field)
        rules.hold(Pair(1, 2), state)
        rules.frame(PADS[action])
        expected = move(field.cells.tolist(), state, action, None, RULES)
        assert rules.where() == tuple(expected)
        moved[action] += expected != state
    assert min(moved[action] for action in PADS) > 300


def test_down_sinks_a_row_in_two_frames_and_counts_it(rules: Rules) -> None:
    rules.begin(1)
    rules.hold(Pair(1, 2), PairState(3, 2, RULES.spawn.orientation))
    for _ in range(20):
        rules.frame(8)
    assert rules.where() == (3, 12, 2)
    assert rules.game.soft == 10
    while rules.game.phase != SPAWN:
        rules.frame(8)
    assert rules.score() == 11


def test_the_score_stays_at_its_highest_number(rules: Rules) -> None:
    rules.begin(1)
    rules.game.score[:] = [9] * 7 + [8]
    rules.hold(Pair(1, 2), PairState(3, 2, RULES.spawn.orientation))
    while rules.game.phase != SPAWN:
        rules.frame(8)
    assert rules.score() == RULES.score_cap


@pytest.mark.parametrize("colors", [3, 4])
def test_all_colors_are_dealt_equally_often(rules: Rules, colors: int) -> None:
    seen = Counter[int]()
    rules.begin(12345, colors)
    for _ in range(3000):
        shown = rules.game.next_axis, rules.game.next_partner, rules.game.next2_axis, rules.game.next2_partner
        rules.hold(Pair(1, 2), PairState(1, 12, RULES.spawn.orientation))
        rules.put(Field.empty())
        rules.game.lock_budget = 1
        while rules.game.phase != SPAWN:
            rules.frame()
        assert shown == (rules.game.axis, rules.game.partner, rules.game.next_axis, rules.game.next_partner)
        seen.update((rules.game.axis, rules.game.partner))
    assert sorted(seen) == list(range(1, colors + 1))
    assert all(abs(n - 6000 / colors) < 300 for n in seen.values())


@pytest.mark.parametrize(("level", "frames"), list(enumerate((40, 32, 24, 18, 11), start=1)))
def test_a_row_takes_as_long_as_the_level_says(rules: Rules, level: int, frames: int) -> None:
    rules.begin(1, level=level)
    for _ in range(12 + frames - 1):
        rules.frame()
    assert rules.game.y == 2
    rules.frame()
    assert rules.game.y == 3
