"""Tests of rules profiles: with other geometries and tables, Python and kernels agree with the naive reference."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.bench.boards import CHAIN_19
from ochibot.errors import ConfigError
from ochibot.puyo import Action, Field, Orientation, Pair, PairState, Placement, Rules, move, place
from ochibot.puyo.kernels.engine import PEXT_VARIABLE, RESOLVE_KERNELS
from ochibot.puyo.rules.pair import halves
from ochibot.puyo.rules.profile import score_table
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search import lock_positions
from ochibot.puyo.search.engine import SEARCH_KERNELS

from tests.puyo import FAMICOM, TSU, reference
from tests.puyo.fields import boards_of, cells_of, ordered_kernel_locks, random_cells, sampled

MODERN = dataclasses.replace(
    FAMICOM,
    name="modern",
    visible_rows=11,
    hidden_rows=2,
    hidden_clear=True,
    clear_size=3,
    kicks=False,
    quick_turn=True,
)
LARGE = dataclasses.replace(
    FAMICOM, name="large", visible_rows=12, hidden_rows=2, clear_size=5, group_bonus=(1, 2, 3, 5, 8, 13), score_unit=7
)
PAIRS_CLEAR = dataclasses.replace(
    FAMICOM, name="pairs", visible_rows=10, ceiling="vanish", clear_size=2, kicks=False, chain_power=(4, 9)
)
SIXES = dataclasses.replace(
    FAMICOM, name="sixes", visible_rows=12, hidden_rows=0, ceiling="vanish", clear_size=6, max_multiplier=20
)
TOGETHER = dataclasses.replace(
    FAMICOM, name="together", group_bonus_per="step", group_bonus=tuple(range(0, 66, 3)), clear_size=3, visible_rows=12
)
BOXED = dataclasses.replace(FAMICOM, name="boxed", turns="box", visible_rows=11, hidden_rows=2)
ALL = (FAMICOM, TSU, MODERN, LARGE, PAIRS_CLEAR, SIXES, TOGETHER, BOXED)


def each_of(every: tuple[Rules, ...], quick: tuple[Rules, ...]) -> pytest.MarkDecorator:
    """``make test`` runs only the quick ones, ``make test-long`` the others, because each profile has kernels of its
    own to compile.
    """
    cases = [pytest.param(rules, marks=() if rules in quick else pytest.mark.long, id=rules.name) for rules in every]
    return pytest.mark.parametrize("rules", cases)


def law_of(rules: Rules) -> reference.Law:
    first = 14 - rules.visible_rows
    top = first - rules.hidden_rows
    return reference.Law(
        first=first,
        top=top,
        roof=top - 1 if rules.ceiling == "vanish" else top,
        alone=not rules.hidden_clear,
        size=rules.clear_size,
        kicks=rules.kicks,
        flips=rules.quick_turn,
        boxed=rules.turns == "box",
        power=rules.chain_power,
        several=rules.color_bonus,
        grown=rules.group_bonus,
        together=rules.group_bonus_per == "step",
        beyond=rules.group_bonus_per == "excess",
    )


def expected_score(score: int, rules: Rules) -> int:
    """Converts the reference's score to the points of the rules. Where the rules give ``score_unit`` points, the
    reference gives 10.
    """
    assert score % 10 == 0
    return score // 10 * rules.score_unit


fields = st.builds(
    lambda seed: random_cells(40, seed)[seed % 40],
    st.integers(0, 10_000),
)
rules_of_any_kind = st.builds(
    functools.partial(dataclasses.replace, FAMICOM),
    name=st.just("any"),
    visible_rows=st.integers(8, 12),
    hidden_rows=st.integers(0, 1),
    ceiling=st.just("vanish"),
    hidden_clear=st.booleans(),
    clear_size=st.integers(2, 6),
    kicks=st.booleans(),
    quick_turn=st.booleans(),
    turns=st.just("axis"),
    chain_power=st.lists(st.integers(0, 300), min_size=1, max_size=24).map(tuple),
    color_bonus=st.lists(st.integers(0, 50), min_size=7, max_size=7).map(tuple),
    group_bonus=st.lists(st.integers(0, 20), min_size=2, max_size=24).map(tuple),
    group_bonus_per=st.sampled_from(["group", "step", "excess"]),
).flatmap(lambda rules: st.sampled_from([rules, dataclasses.replace(rules, turns="box", quick_turn=False)]))


@settings(max_examples=60, deadline=None)
@given(fields, rules_of_any_kind)
def test_any_rules_resolve_like_the_reference(cells: Any, rules: Rules) -> None:
    law = law_of(rules)
    grid, score, chain, cleared = reference.resolve(cells.tolist(), law)
    after = resolve(Field.from_cells(cells), rules)
    assert (after.score, after.chain, after.cleared) == (score, chain, cleared)
    assert after.field.cells.tolist() == grid
    assert after.game_over == reference.is_over(grid, law)


@settings(max_examples=40, deadline=None)
@given(fields, rules_of_any_kind)
def test_any_rules_move_like_the_reference(cells: Any, rules: Rules) -> None:
    law, grid = law_of(rules), cells.tolist()
    for x in range(1, 7):
        for y in range(14):
            for turned in Orientation:
                if reference.fits(grid, (x, y, turned), (1, 2), law):
                    after = [tuple(move(cells, PairState(x, y, turned), action, None, rules)) for action in Action]
                    assert after == reference.moves(grid, (x, y, turned), (1, 2), law)


@settings(max_examples=40, deadline=None)
@given(fields, rules_of_any_kind, st.sampled_from([Pair(1, 2), Pair(3, 3)]))
def test_any_rules_lock_like_the_reference(cells: Any, rules: Rules, pair: Pair) -> None:
    found = lock_positions(Field.from_cells(cells), pair, rules)
    expected = reference.ordered_locks(cells.tolist(), pair, None, law_of(rules))
    assert [(lock.x, lock.y, int(lock.orientation)) for lock in found] == expected


@each_of(ALL, quick=(FAMICOM, TSU, MODERN, TOGETHER))
@sampled(500, 1500)
def test_kernels_resolve_like_the_reference(fields: int, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    cells, law = random_cells(fields, 7), law_of(rules)
    boards, results = {}, {}
    for pext in ("0", "1") if rules is FAMICOM or fields > 500 else ("1",):
        monkeypatch.setenv(PEXT_VARIABLE, pext)
        boards[pext], results[pext] = boards_of(cells), np.zeros((len(cells), 3), np.int64)
        RESOLVE_KERNELS.kernel("resolve_boards", rules)(boards[pext], score_table(rules), results[pext])
    chains = set()
    for i, one in enumerate(cells):
        grid, score, chain, cleared = reference.resolve(one.tolist(), law)
        python = resolve(Field.from_cells(one), rules)
        for pext, found in results.items():
            if rules.max_multiplier == 999:
                assert found[i, 0] == expected_score(score, rules), Field.from_cells(one)
            assert found[i, 1:].tolist() == [chain, cleared]
            assert cells_of(boards[pext][i]).tolist() == grid
            assert found[i].tolist() == [python.score, python.chain, python.cleared]
        chains.add(chain)
    assert len(chains) > 3


@each_of(ALL[1:], quick=(TSU, MODERN, BOXED))
@sampled(150, 500)
def test_kernels_measure_and_lock_like_the_reference(fields: int, rules: Rules) -> None:
    law = law_of(rules)
    grids = [reference.drop(one.tolist(), law) for one in random_cells(fields, 11)]
    boards = boards_of(np.array(grids, np.uint8))
    measured = np.zeros((len(grids), 7), np.int64)
    SEARCH_KERNELS.kernel("measure_boards", rules)(boards, measured)
    found = ordered_kernel_locks(boards, rules, 0, rules.spawn)
    for i, grid in enumerate(grids):
        assert measured[i].tolist() == reference.metrics(grid, law)
        assert found[i] == reference.ordered_locks(grid, (1, 2), None, law), grid


def test_tsu_hides_the_thirteenth_row_and_loses_the_fourteenth() -> None:
    rows = ["......", "R....."] + ["R.....", "R.....", "R....."] + ["G.....", "B....."] * 4 + ["o....."]
    field = Field.parse("\n".join(rows))
    assert resolve(field, TSU).chain == 0  # only three of the four reds are visible
    assert resolve(field, FAMICOM).chain == 1
    tower = Field.parse("\n".join(["G.....", "B....."] * 6))
    after = place(tower, Pair.parse("RY"), Placement(1, 1, Orientation.UP), TSU)
    assert after.field.heights()[0] == 13  # the upper half is gone
    assert str(after.field).split("\n")[1] == "R....."


def test_the_known_19_chain_scores_175080_in_tsu() -> None:
    """The score that players know for a 19-chain of fours: 40 points times 1, 8, 16, 32, 64, 96, … 512."""
    field = Field.parse(CHAIN_19)
    after = resolve(field, TSU)
    assert (after.chain, after.score, after.cleared, after.field) == (19, 175_080, 76, Field.empty())
    boards, results = boards_of(field.cells[None]), np.zeros((1, 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", TSU)(boards, score_table(TSU), results)
    assert results[0].tolist() == [175_080, 19, 76]
    assert not boards.any()


def test_tsu_quick_turn_in_a_shaft() -> None:
    field = Field.parse("oo.ooo\n" * 12)
    start = PairState(3, 5, Orientation.UP)
    assert move(field.cells, start, Action.ROTATE_CW, None, TSU) == PairState(3, 5, Orientation.DOWN)
    on_the_floor = PairState(3, 13, Orientation.UP)
    assert move(field.cells, on_the_floor, Action.ROTATE_CW, None, TSU) == PairState(3, 12, Orientation.DOWN)
    assert move(field.cells, start, Action.ROTATE_CW, None, FAMICOM) == start


@pytest.mark.parametrize("kicks", [True, False])
@pytest.mark.parametrize("single", [False, True])
def test_kernels_find_the_locks_of_pairs_that_turn_within_a_box(kicks: bool, single: bool) -> None:
    """On fields with something in the pairs' way, from where pairs appear and from other places."""
    rules = dataclasses.replace(BOXED, kicks=kicks)
    law, pair = law_of(rules), (1, 1) if single else (1, 2)
    grids = [one.tolist() for one in random_cells(300, 23) if one[:5].any()]
    assert len(grids) > 150
    kicked = 0
    for start in (law.spawn, (6, 4, 2), (4, 3, 3), (6, 7, 1), (1, 6, 0)):
        found = ordered_kernel_locks(boards_of(np.array(grids, np.uint8)), rules, int(single), start)
        for at, grid in enumerate(grids):
            assert found[at] == reference.ordered_locks(grid, pair, start, law), grid
            kicked += found[at] != reference.ordered_locks(grid, pair, start, law._replace(kicks=not kicks))
    assert kicked > 10


def test_a_pair_turns_within_its_box() -> None:
    """A lying pair is the box's bottom row, a standing one its left column. A blocked one goes a column to the left."""
    clear, turn = Field.empty().cells, Action.ROTATE_CW
    state, seen = PairState(2, 8, Orientation.RIGHT), []
    for _ in range(4):
        seen.append(halves(state))
        state = move(clear, state, turn, None, BOXED)
    assert seen == [((2, 8), (3, 8)), ((2, 7), (2, 8)), ((3, 8), (2, 8)), ((2, 8), (2, 7))]
    at_the_wall = PairState(6, 8, Orientation.UP)
    assert halves(move(clear, at_the_wall, turn, None, BOXED)) == ((5, 8), (6, 8))
    assert move(clear, at_the_wall, turn, None, dataclasses.replace(BOXED, kicks=False)) == at_the_wall
    # nothing moves a pair to the right: here its upper cell isn't free, and there is a wall to the left
    blocked = Field.parse("o.....\n" + "......\n" * 2).cells
    assert move(blocked, PairState(1, 12, Orientation.RIGHT), turn, None, BOXED) == PairState(1, 12, Orientation.RIGHT)
    beside = Field.parse(".o....\n" + "......\n" * 2).cells
    assert halves(move(beside, PairState(2, 12, Orientation.RIGHT), turn, None, BOXED)) == ((1, 11), (1, 12))


def test_tsu_chain_power_rises_by_32() -> None:
    assert TSU.chain_power[:4] == (0, 8, 16, 32)
    assert {b - a for a, b in zip(TSU.chain_power[3:], TSU.chain_power[4:], strict=False)} == {32}
    assert TSU.chain_power[-1] == 672


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"visible_rows": 3}, "at least 4"),
        ({"visible_rows": 13, "hidden_rows": 2}, "too many"),
        ({"hidden_rows": 0}, "a row there"),
        ({"clear_size": 7}, "choose 2 to 6"),
        ({"clear_size": 1}, "choose 2 to 6"),
        ({"chain_power": ()}, "chain_power needs"),
        ({"color_bonus": (0, 0, 3)}, "color_bonus needs"),
        ({"group_bonus": (0,) * 25}, "group_bonus needs"),
        ({"turns": "box", "quick_turn": True}, "has no quick turn"),
    ],
)
def test_rules_that_cannot_be(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        dataclasses.replace(FAMICOM, name="wrong", **changes)
