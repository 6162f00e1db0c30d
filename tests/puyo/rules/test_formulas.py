"""Tests of formulas that games of strangers have: Python, the kernels and the second implementation agree with a naive
one.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo import Field, Rules
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Extra, score_table
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.rules.steps import run_chain
from ochibot.puyo.search.chain.layout import SCRATCH_WORDS
from ochibot.puyo.search.chain.search import CHAIN_KERNELS
from ochibot.puyo.sim.plain.rules import moves_of
from ochibot.puyo.sim.plain.shape import BOARD, Target, planes_of, shape_of
from ochibot.ramtools.proposals import rules_data

from tests.puyo import FAMICOM, reference
from tests.puyo.fields import boards_of, cells_of, random_cells
from tests.puyo.search.chain.test_kernels import best_chain, weights

TABLE = st.lists(st.integers(0, 300), min_size=1, max_size=24).map(tuple)
FORMULAS = st.builds(
    functools.partial(dataclasses.replace, FAMICOM),
    name=st.just("any formula"),
    chain_power=TABLE,
    color_bonus=st.lists(st.integers(0, 9), min_size=7, max_size=7).map(tuple),
    group_bonus=st.lists(st.integers(0, 20), min_size=2, max_size=24).map(tuple),
    group_bonus_per=st.sampled_from(["group", "step", "excess"]),
    max_multiplier=st.sampled_from([5, 999, 1_000_000_000]),
    score_unit=st.integers(0, 20),
    multiplier=st.sampled_from(["sum", "product"]),
    extra=st.builds(
        Extra,
        st.integers(1, 60),
        TABLE,
        TABLE,
        st.booleans(),
        st.sampled_from([0, 25, 70]),
        st.booleans(),
        st.sampled_from([0, 5, 40]),
    ),
    all_clear_bonus=st.sampled_from([0, 2100]),
    all_clear_when=st.sampled_from(["empty", "lowest_row"]),
    all_clear_per=st.sampled_from(["lock", "step"]),
)
"""Any formula. It is never one of the published form, whose kernels are others."""


def naive(rules: Rules) -> reference.Law:
    """The reference's rules of the formula."""

    def entry(table: tuple[int, ...], number: int) -> int:
        return table[number] if number < len(table) else table[-1]

    def points(step: int, groups: list[int], colors: int, left: reference.Grid) -> int:
        if rules.group_bonus_per == "group":
            counted = groups
        elif rules.group_bonus_per == "step":
            counted = [sum(groups)]
        else:
            counted = [4 + sum(one - 4 for one in groups)]
        parts = [entry(rules.chain_power, step - 1), rules.color_bonus[colors]]
        parts.append(sum(entry(rules.group_bonus, one) for one in counted))
        times = sum(parts) if rules.multiplier == "sum" else math.prod(1 if one == 0 else one for one in parts)
        times = min(1 if times == 0 else times, rules.max_multiplier)
        total = 0
        for _ in range(sum(groups)):
            total += rules.score_unit * times
        more = entry(rules.extra.by_step, step - 1)
        for one in counted:
            more += entry(rules.extra.by_size, one)
            for _ in range(4, one):
                more += rules.extra.per_cell
        total += more * times if rules.extra.multiplied else more
        for _ in groups[1:]:
            total += rules.extra.per_group * (times if rules.extra.groups_multiplied else 1)
        row = rules.all_clear_when == "lowest_row"
        if not any(map(any, left[13:] if row else left)):
            # for an empty field, once a lock, they come at the chain's end
            bonuses = {"step": step, "lock": 1 if row else 0}
            total += rules.all_clear_bonus * bonuses[rules.all_clear_per]
        return total

    return reference.Law(points=points, stones=rules.extra.per_nuisance)


def emptied(grid: reference.Grid, chain: int, rules: Rules) -> int:
    """The points for an empty field at a chain's end."""
    at_the_end = rules.all_clear_when == "empty" and rules.all_clear_per == "lock"
    paid = chain and at_the_end and not any(map(any, grid))
    return rules.all_clear_bonus if paid else 0


cells_of_any_kind = st.builds(lambda seed: random_cells(40, seed)[seed % 40], st.integers(0, 10_000))


@settings(max_examples=150, deadline=None)
@given(cells_of_any_kind, FORMULAS)
def test_python_scores_like_the_naive_formula(cells: Any, rules: Rules) -> None:
    grid, score, chain, cleared = reference.resolve(cells.tolist(), naive(rules))
    field = Field.from_cells(cells)
    after = resolve(field, rules)
    assert (after.score, after.chain, after.cleared) == (score + emptied(grid, chain, rules), chain, cleared)
    settled = reference.drop(cells.tolist(), naive(rules))
    columns = [[settled[y][x] for y in range(13, -1, -1) if settled[y][x]] for x in range(6)]
    assert sum(step.score for step in run_chain(columns, rules)[1]) == score


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), FORMULAS)
def test_kernels_score_like_the_naive_formula(seed: int, rules: Rules) -> None:
    cells = random_cells(12, seed)
    boards, results = boards_of(cells), np.zeros((len(cells), 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", rules)(boards, score_table(rules), results)
    for one, board, found in zip(cells, boards, results.tolist(), strict=True):
        grid, score, chain, cleared = reference.resolve(one.tolist(), naive(rules))
        assert found == [score, chain, cleared]
        assert cells_of(board).tolist() == grid


@pytest.fixture(scope="module")
def plain() -> Any:
    def popcount(word: Any) -> Any:
        count = 0
        while word != 0:
            word &= word - np.uint64(1)
            count += 1
        return count

    jit: Any = numba.njit
    # sums of fractions, which score no chain, aren't needed
    target = Target(jit, jit(popcount), max, max)
    return moves_of(target, planes_of(target)).resolve


def plain_board(grid: reference.Grid) -> Any:
    """A grid without nuisance as the second implementation's board."""
    board = np.zeros(BOARD, np.uint64)
    for y, row in enumerate(grid):
        for x, code in enumerate(row):
            if code:
                board[2 * (code - 1) + x // 4] |= np.uint64(1 << (16 * (x % 4) + 13 - y))
    return board


def test_the_second_implementation_scores_like_the_naive_formula(plain: Any) -> None:
    chains = set()

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 10_000), FORMULAS)
    def compare(seed: int, rules: Rules) -> None:
        numbers, masks, _ = shape_of(rules)
        for one in random_cells(12, seed):
            # it has no nuisance, and its boards are settled
            grid = reference.drop([[0 if code == 7 else code for code in row] for row in one.tolist()])
            board = plain_board(grid)
            _, *wanted = reference.resolve(grid, naive(rules))
            assert list(plain(board, numbers, masks, score_table(rules))) == wanted
            chains.add(wanted[1])

    compare()
    assert len(chains) > 2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), FORMULAS)
def test_chains_in_reach_are_worth_what_they_score(seed: int, rules: Rules) -> None:
    """The value of one more puyo, by the kernel: its chain's points, which Python counts, too."""
    cells = np.array([reference.resolve(one.tolist())[0] for one in random_cells(4, seed)], np.uint8)
    boards, found = boards_of(cells), np.zeros((len(cells), 3), np.int64)
    kernel = CHAIN_KERNELS.kernel("potential_boards", rules)
    wanted = weights(chain=1, need=-1e9)
    kernel(boards, 0b1111, score_table(rules), wanted, np.zeros(SCRATCH_WORDS, np.uint64), found)
    for one, (score, _, _) in zip(cells, found.tolist(), strict=True):
        assert score == best_chain(one.tolist(), naive(rules), 1)[0]


def test_the_formulas_of_three_games() -> None:
    """Written by people who had not seen Ochibot: their truth says these formulas."""
    doubling = (1, 2, 4, 8, 16, 32, 64)
    plain = dataclasses.replace(FAMICOM, color_bonus=(0,) * 7, group_bonus=(0, 0))
    # 10 a cell and 20 more for each beyond four of a group, times 1, 2, 4, 8, 16
    tower = dataclasses.replace(plain, chain_power=doubling[:5], extra=Extra(per_cell=20, multiplied=True))
    assert tower.step_score(1, [4], 1) == 40
    assert tower.step_score(3, [5, 6], 2) == (110 + 60) * 4
    assert tower.step_score(9, [4], 1) == 40 * 16
    # 10 a cell, doubled by each step, and 50 for each beyond four of the step
    melt = dataclasses.replace(plain, chain_power=doubling, group_bonus_per="step", extra=Extra(per_cell=50))
    assert melt.step_score(3, [4, 4], 1) == 40 * 8 + 200
    assert melt.step_score(8, [5], 1) == 640 * 5 + 50
    # 2100 as soon as the lowest row is empty, whatever will fall into it
    gloops = dataclasses.replace(FAMICOM, all_clear_bonus=2100, all_clear_when="lowest_row")
    field = Field.parse("R.....\nGGGG..")
    assert [resolve(field, one).score for one in (FAMICOM, gloops)] == [40, 2140]
    assert resolve(Field.parse("R.....\nGGGGR."), gloops).score == 40
    # nuisance that vanishes with the group leaves the row, too
    assert resolve(Field.parse("R.....\nGGGGo."), gloops).score == 2140


def test_points_for_further_groups_of_a_step() -> None:
    """As the truths of two games say that have them."""
    plain = dataclasses.replace(FAMICOM, color_bonus=(0,) * 7, group_bonus=(0, 0))
    # all cells of a step times one less, times the chain's step; and 25 for each further group
    squares = Extra(by_size=tuple(n * (n - 1) for n in range(24)), multiplied=True, per_group=25)
    steps = tuple(range(1, 25))
    pebbles = dataclasses.replace(plain, score_unit=0, chain_power=steps, group_bonus_per="step", extra=squares)
    assert [pebbles.step_score(1, [4], 1), pebbles.step_score(3, [4, 5, 4], 2)] == [12, 13 * 12 * 3 + 50]
    # 5 a cell and 10 more for each beyond four, doubled by each step; and 50 for each further group, not doubled
    doubled = Extra(per_cell=10, multiplied=True, per_group=50)
    berries = dataclasses.replace(plain, score_unit=5, chain_power=(1, 2, 4, 8, 16, 32), extra=doubled)
    assert [berries.step_score(1, [4], 1), berries.step_score(2, [4], 1)] == [20, 40]
    assert berries.step_score(9, [4, 6, 4], 3) == (70 + 20) * 32 + 100
    both = dataclasses.replace(berries, extra=dataclasses.replace(doubled, groups_multiplied=True))
    assert both.step_score(3, [4, 4], 2) == (40 + 50) * 4


@pytest.mark.parametrize(
    ("drawn", "steps", "times"),
    [
        (".BBB..\nRRRRB.", 2, 2),
        (".BBB..\nRRRRBG", 2, 0),
        ("RRRR..", 1, 1),
        ("RRRR.o", 1, 0),
        ("RRRRo.", 1, 1),
        # nuisance in the hidden row stays
        ("o.....\n" + "\n".join(["R....."] * 13), 1, 0),
    ],
)
def test_an_empty_field_may_be_worth_more_after_a_longer_chain(drawn: str, steps: int, times: int, plain: Any) -> None:
    """In the first, the blues fall beside a blue, and vanish in the second step."""
    per_step = dataclasses.replace(FAMICOM, all_clear_bonus=500, all_clear_per="step")
    field = Field.parse(drawn)
    once, more = (resolve(field, rules) for rules in (FAMICOM, per_step))
    assert (more.chain, more.score - once.score) == (steps, 500 * times)
    boards, results = boards_of(field.cells[None]), np.zeros((1, 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", per_step)(boards, score_table(per_step), results)
    assert results[0, 0] == more.score
    if "o" not in drawn:
        numbers, masks, _ = shape_of(per_step)
        assert plain(plain_board(field.cells.tolist()), numbers, masks, score_table(per_step))[0] == more.score
    assert (per_step.all_clear_now, per_step.all_clear_later) == (0, 0)


def test_a_formula_by_a_table_of_groups() -> None:
    """Points by a group's size times the chain's step: no points for single cells."""
    extra = Extra(by_size=(0, 0, 0, 0, 100, 250, 500), multiplied=True)
    steps = tuple(range(1, 25))
    by_table = dataclasses.replace(
        FAMICOM, score_unit=0, chain_power=steps, color_bonus=(0,) * 7, group_bonus=(0, 0), extra=extra
    )
    assert by_table.step_score(3, [4, 5], 2) == 350 * 3
    assert by_table.step_score(1, [9], 1) == 500
    product = dataclasses.replace(by_table, multiplier="product", color_bonus=(0, 1, 2, 3, 4, 5, 6))
    assert product.step_score(3, [4, 5], 2) == 350 * 3 * 2


def test_published_rules_have_the_published_formula() -> None:
    assert not any(load_rules(name).general for name in ("famicom", "tsu", "puyo1"))
    assert not dataclasses.replace(FAMICOM, all_clear_bonus=2100).general
    assert not dataclasses.replace(FAMICOM, extra=Extra(multiplied=True)).general
    assert dataclasses.replace(FAMICOM, multiplier="product").general
    assert dataclasses.replace(FAMICOM, extra=Extra(per_group=1)).general
    assert dataclasses.replace(FAMICOM, all_clear_bonus=1, all_clear_per="step").general
    assert not dataclasses.replace(FAMICOM, all_clear_per="step").general


SAID = {
    "multiplier": "product",
    "extra": {
        **{"per_cell": 20, "by_size": [0, 0, 0, 0, 1], "by_step": [3, 4], "multiplied": True},
        **{"per_group": 25, "groups_multiplied": True},
    },
    "all_clear_bonus": 2100,
    "all_clear_when": "lowest_row",
    "all_clear_per": "step",
}


def _written(folder: Path, score: dict[str, Any]) -> Path:
    said = yaml.safe_load(data_path("configs/rules/famicom.yaml").read_text(encoding="utf-8"))
    said["score"] |= score
    (folder / "rules.yaml").write_text(yaml.safe_dump(said), encoding="utf-8")
    return folder / "rules.yaml"


def test_a_rules_file_says_the_formula(tmp_path: Path) -> None:
    wanted = dataclasses.replace(
        FAMICOM,
        multiplier="product",
        extra=Extra(20, (0, 0, 0, 0, 1), (3, 4), multiplied=True, per_group=25, groups_multiplied=True),
        all_clear_bonus=2100,
        all_clear_when="lowest_row",
        all_clear_per="step",
    )
    assert load_rules(_written(tmp_path, SAID)) == wanted
    # ``ram check`` writes rules that it mends
    (tmp_path / "again.yaml").write_text(yaml.safe_dump(rules_data(wanted)), encoding="utf-8")
    assert load_rules(tmp_path / "again.yaml") == wanted
    assert {"extra", "multiplier", "all_clear_when", "all_clear_per"}.isdisjoint(rules_data(FAMICOM)["score"])


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        ({"multiplier": "power"}, "score.multiplier: input should be 'sum' or 'product'"),
        ({"all_clear_when": "low"}, "score.all_clear_when: input should be 'empty' or 'lowest_row'"),
        ({"extra": {"per_cell": -1}}, "score.extra.per_cell: input should be greater"),
        ({"extra": {"by_size": []}}, "extra.by_size needs 1 to 24 numbers"),
        ({"extra": {"by_step": [0] * 25}}, "extra.by_step needs 1 to 24 numbers"),
        ({"extra": {"per_groups": 1}}, "score.extra.per_groups"),
        ({"extra": {"per_group": -1}}, "score.extra.per_group: input should be greater"),
        ({"extra": {"per_group": [0, 25]}}, "score.extra.per_group: input should be a valid integer"),
        ({"extra": {"groups_multiplied": 1}}, "score.extra.groups_multiplied: input should be a valid boolean"),
        ({"unit": 0, "extra": {"per_group": 25}}, "unit is 0 and extra gives no points for a single group"),
        ({"all_clear_per": "chain"}, "score.all_clear_per: input should be 'lock' or 'step'"),
        ({"extra": {"multiplied": 1}}, "score.extra.multiplied: input should be a valid boolean"),
        ({"extra": {"by_step": "10 * step"}}, "score.extra.by_step"),
        ({"unit": 0}, "unit is 0 and extra gives no points"),
        (
            {"all_clear_bonus": 9, "all_clear_when": "lowest_row", "all_clear_paid": "next_chain"},
            "all_clear_when: lowest_row is paid at once: say all_clear_paid: now",
        ),
        (
            {"all_clear_bonus": 9, "all_clear_per": "step", "all_clear_paid": "next_chain"},
            "all_clear_per: step is paid at once: say all_clear_paid: now",
        ),
    ],
)
def test_bad_entries_are_named(tmp_path: Path, score: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=r"rules\.yaml") as caught:
        load_rules(_written(tmp_path, score))
    assert reason in str(caught.value)
