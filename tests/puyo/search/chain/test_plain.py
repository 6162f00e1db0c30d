"""Tests of the parts of the chain builder that need no kernel: budgets, colours, and random futures."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search.chain.config import load_chain_player, points_of
from ochibot.puyo.search.chain.draw import Draw, fallen, future, palette
from ochibot.puyo.search.chain.layout import ROOTS, WEIGHTS
from ochibot.puyo.search.chain.line import promised
from ochibot.puyo.search.chain.player import ChainJudgement, ChainPlayer
from ochibot.puyo.search.chain.search import Layer, plan_of

CONFIG = load_chain_player(data_path("configs/players/chain.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")


def test_draws_are_splitmix64s() -> None:
    """SplitMix64's first numbers from state 0, as published (``below`` uses their high halves): e220a8397b1dcdaf,
    6e789e6aa1b965f4, 06c45d188009454f.
    """
    draw = Draw()
    assert [draw.below(1 << 32) for _ in range(3)] == [0xE220A839, 0x6E789E6A, 0x06C45D18]
    draw = Draw()
    assert [draw.below(1000) for _ in range(2)] == [0xE220A839 * 1000 >> 32, 0x6E789E6A * 1000 >> 32]
    # for each number of the seed, the state becomes its next draw xor the number
    assert Draw(5)._state == 0xE220A8397B1DCDAF ^ 5
    assert Draw(5, 7)._state != Draw(7, 5)._state
    assert Draw(-1)._state == 0xE220A8397B1DCDAF ^ ((1 << 64) - 1)


@given(st.integers(0, 2**64), st.integers(1, 100))
def test_draws_are_below_their_limit_and_reach_all_of_it(seed: int, limit: int) -> None:
    draw = Draw(seed)
    drawn = [draw.below(limit) for _ in range(50)]
    assert all(0 <= one < limit for one in drawn)
    assert len({Draw(seed, n).below(2) for n in range(64)}) == 2


@given(st.lists(st.integers(1, 6), max_size=8), st.lists(st.integers(1, 6), min_size=2, max_size=2), st.integers(0, 6))
def test_the_palette_is_what_is_seen_and_the_lowest_of_the_rest(cells: list[int], pair: list[int], count: int) -> None:
    field = Field.empty()
    for number, color in enumerate([*cells, 7]):
        copy = field.cells.copy()
        copy[13 - number // 6, number % 6] = color
        field = Field.from_cells(copy)
    seen = {*cells, *pair}
    expected = set(seen)
    for color in range(1, 7):
        if len(expected) < count:
            expected.add(color)
    assert palette(field, [Pair(*pair)], count) == tuple(sorted(expected))


@given(st.sets(st.integers(1, 6), min_size=1), st.integers(0, 40), st.integers(0, 99))
def test_a_future_is_dealt_from_bags_of_four_of_each_color(colors: set[int], length: int, seed: int) -> None:
    dealt = future(tuple(sorted(colors)), length, Draw(seed))
    assert len(dealt) == length
    puyos = [code for pair in dealt for code in pair]
    bag = 4 * len(colors)
    for start in range(0, len(puyos) - bag + 1, bag):
        assert Counter(puyos[start : start + bag]) == dict.fromkeys(colors, 4)
    assert set(Counter(puyos).values()) <= set(range(4 * (len(puyos) // bag + 1) + 1))
    assert dealt == future(tuple(sorted(colors)), length, Draw(seed))
    assert dealt[: length // 2] == future(tuple(sorted(colors)), length // 2, Draw(seed)) or length // 2 * 2 > bag


def test_futures_of_another_seed_are_others() -> None:
    made = [tuple(future((1, 2, 3, 4), 8, Draw(seed))) for seed in range(40)]
    assert len(set(made)) == 40
    assert len({pairs[0] for pairs in made}) > 8, "the first pair is drawn too"


@pytest.mark.parametrize(
    ("nodes", "plies", "futures"),
    [(0, 6, 1), (3_999, 6, 1), (4_000, 8, 2), (11_999, 8, 2), (12_000, 10, 3), (44_999, 10, 3), (45_000, 12, 6)],
)
@pytest.mark.parametrize("seen", [2, 3])
def test_a_budget_is_spread_over_all_layers(nodes: int, plies: int, futures: int, seen: int) -> None:
    """Each board of a layer costs 13.5 boards of the budget, and a layer has two boards at least."""
    plan = plan_of(nodes, seen)
    assert (plan.plies, plan.futures) == (plies, futures)
    layers = seen + futures * (plies - seen)
    assert plan.width == max(2, int(nodes / (13.5 * layers)))
    assert plan_of(nodes, 3) == plan_of(nodes) or seen == 2


def test_a_judgement_is_the_sum_of_its_two_terms() -> None:
    judgement = ChainJudgement(3.5, -1.25)
    assert judgement.terms == (("chain", 3.5), ("shape", -1.25))
    assert judgement.total == 2.25


def test_weights_go_to_the_kernel_in_their_order_then_the_profile_and_no_limit_of_points() -> None:
    vector = CONFIG.vector().tolist()
    assert vector[: len(WEIGHTS)] == [getattr(CONFIG.weights, name) for name in WEIGHTS]
    assert vector[len(WEIGHTS) :] == [*CONFIG.profile, float("inf")]
    assert len(CONFIG.profile) == 6


@pytest.mark.parametrize("size", [2, 3, 5, 6])
def test_rules_of_other_groups_are_refused(size: int) -> None:
    import dataclasses

    rules = dataclasses.replace(TSU, clear_size=size)
    with pytest.raises(ConfigError, match=f"groups of {size} clear"):
        ChainPlayer(CONFIG, rules)


BOARD = Field.parse("""
    G.....
    RG....
    RGB...
    RGBBY.
    GBYYY.
""")


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
@pytest.mark.parametrize("most", [float("inf"), 400.0, 41.0, 39.0])
def test_what_is_in_reach_is_the_best_of_all_columns_and_colours(rules: Any, most: float) -> None:
    """The expected chain is found by dropping one or two puyos of each colour on each column."""
    best: tuple[int, int, int, int, int] | None = None
    for puyos in (1, 2):
        for color in (1, 2, 3, 4):
            for x in range(6):
                cells = BOARD.cells.copy()
                for _ in range(puyos):
                    cells[max(y for y in range(14) if not cells[y, x]), x] = color
                found = resolve(Field.from_cells(cells), rules)
                if found.chain and found.score <= most and (best is None or found.score > best[4]):
                    best = (x + 1, color, puyos, found.chain, found.score)
    made = promised(BOARD, rules, {4, 3, 2, 1}, most)
    assert best == (None if made is None else (made.column, made.color, made.puyos, made.chain, made.score))
    assert best is not None or most < 400
    assert best is None or most > 40


@settings(max_examples=20)
@given(st.data())
def test_a_root_is_worth_its_best_board_or_the_chain_that_is_made(data: st.DataObject) -> None:
    """A board's value is made up of its points in reach and its shape. A root (first lock) with neither boards nor a
    chain is worth less than all others.
    """
    deciding = CONFIG.deciding.model_copy(
        update={"promise": data.draw(st.floats(0, 2)), "standing": data.draw(st.floats(0, 2))}
    )
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU)
    count = data.draw(st.integers(1, 12))
    layer = Layer.of(16)
    layer.count = count
    layer.roots[:] = [data.draw(st.integers(0, ROOTS - 1)) for _ in range(16)]
    layer.reach[:] = [data.draw(st.integers(0, 10_000)) for _ in range(16)]
    layer.keys[:] = [data.draw(st.integers(-500, 500)) for _ in range(16)]
    points = np.array([data.draw(st.sampled_from([0, 0, 40, 900])) for _ in range(ROOTS)], np.float64)
    chain = CONFIG.weights.chain
    stands = [deciding.standing * (layer.keys[n] / chain - layer.reach[n] ** 0.5) for n in range(count)]
    wanted: dict[int, float] = {}
    for n in range(count):
        worth = deciding.promise * layer.reach[n] ** 0.5 + stands[n]
        wanted[int(layer.roots[n])] = max(worth, wanted.get(int(layer.roots[n]), worth))
    for root in range(ROOTS):
        if points[root] > 0:
            made = points[root] ** 0.5 + max(stands)
            wanted[root] = max(made, wanted.get(root, made))
    least = min(wanted.values()) - 10
    values = player._values(layer, points)
    assert values.tolist() == pytest.approx([wanted.get(root, least) for root in range(ROOTS)])


@pytest.mark.parametrize(("name", "steps", "points"), [("tsu", 1, 40), ("tsu", 5, 4840), ("famicom", 9, 80_640)])
def test_steps_stand_for_the_least_points_of_such_a_chain(name: str, steps: int, points: int) -> None:
    """Sums of 40 times the chain powers: 1 (for 0), 8, 16, 32, 64, and on the Famicom 128, 256, 512, 999."""
    assert points_of(steps, load_rules(name)) == points


@pytest.mark.parametrize(("budget", "boards"), [(100, 100), (0.1, 0), (0.2, 0), (1, 1)])
def test_a_time_budget_buys_boards_beside_what_each_decision_needs(budget: float, boards: float) -> None:
    """A new player assumes 1.5 million boards a second and a fixed cost of 0.2 ms a decision. It uses 92 % of the
    remaining time.
    """
    player = ChainPlayer(CONFIG, TSU, budget_ms=budget)
    assert player._affordable() == pytest.approx(1.5e6 * 0.92 * max(0.0, budget / 1000 - 0.0002))
    assert (player._affordable() > 0) == (boards > 0)


def test_decisions_on_a_crowded_field_are_counted_until_it_is_low() -> None:
    deciding = CONFIG.deciding.model_copy(update={"waiting": 10})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU)
    seen = []
    for count in (9, 10, 11, 9, 5, 10, 4, 10):
        cells = Field.empty().cells.copy()
        cells.reshape(-1)[84 - count :] = 7
        player._wait(Field.from_cells(cells))
        seen.append(player._waited)
    assert seen == [0, 1, 2, 2, 2, 3, 0, 1]


@given(st.integers(0, 30), st.integers(0, 99))
def test_nuisance_falls_in_rows_and_the_rest_on_columns_of_their_own(count: int, seed: int) -> None:
    falls = fallen(count, Draw(seed))
    assert sum(falls) == count
    assert len(falls) == 6
    assert set(falls) <= {count // 6, count // 6 + 1}


def test_the_rest_falls_on_any_column() -> None:
    total = [sum(column) for column in zip(*(fallen(8, Draw(seed)) for seed in range(600)), strict=True)]
    assert sum(total) == 600 * 8
    # 800 blocks are expected on each column, with a standard deviation of 12
    assert all(abs(number - 800) < 80 for number in total)


def test_depth_and_futures_may_be_given() -> None:
    plan = plan_of(9000, 2, (8, 6))
    assert plan == (8, 6, int(9000 / (13.5 * (2 + 6 * 6))))
    assert plan_of(1, 3, (8, 6)).width == 2
