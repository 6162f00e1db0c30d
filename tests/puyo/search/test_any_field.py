"""Tests on fields drawn by Hypothesis that kernels, Python and the naive reference agree, by the Famicom's and Tsu's
rules.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, Placement, Rules, Snapshot, place
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import score_table
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search import TwoPly, evaluate, load_player, lock_positions

from tests.puyo import FAMICOM, reference
from tests.puyo.fields import boards_of, cells_of
from tests.puyo.rules.test_rules import law_of

# Tsu's rules with items, which that game doesn't have
TSU = dataclasses.replace(load_rules("tsu"), items=FAMICOM.items)
PLAYER = load_player(data_path("configs/players/article.yaml"))


@st.composite
def grids(draw: st.DrawFn, floating: bool = False) -> reference.Grid:
    """A field of few colours, so that much clears; its columns are often high."""
    codes = st.sampled_from(draw(st.sampled_from([(1, 2), (1, 2, 3), (1, 2, 3, 4, 7), (1, 2, 3, 4, 5, 6, 7)])))
    grid = [[0] * 6 for _ in range(14)]
    for x in range(6):
        column = draw(st.lists(codes | st.just(0) if floating else codes, max_size=14))
        for y, code in enumerate(column):
            grid[13 - y][x] = code
    return grid


laws = st.sampled_from([FAMICOM, TSU])
pieces = st.builds(Pair, st.integers(1, 4), st.integers(1, 4)) | st.sampled_from(
    [Pair(BIG, BIG), Pair(CARBUNCLE, CARBUNCLE)]
)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(grids(floating=True), laws)
def test_resolving(grid: reference.Grid, rules: Rules) -> None:
    cells = np.array(grid, np.uint8)
    expected, *counts = reference.resolve(grid, law_of(rules))
    after = resolve(Field.from_cells(cells), rules)
    assert [after.score, after.chain, after.cleared] == counts
    assert after.field.cells.tolist() == expected
    boards, results = boards_of(cells[None]), np.zeros((1, 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", rules)(boards, score_table(rules), results)
    assert results[0].tolist() == counts
    assert cells_of(boards[0]).tolist() == expected


@settings(max_examples=150, deadline=None)
@given(grids(), laws)
def test_metrics(grid: reference.Grid, rules: Rules) -> None:
    settled = reference.drop(grid, law_of(rules))
    seen = evaluate(Field.from_cells(np.array(settled)), PLAYER, rules)
    assert list(seen.raw) == reference.metrics(settled, law_of(rules))
    assert seen.total == reference.value(settled, list(PLAYER.factors), law_of(rules))


@settings(max_examples=100, deadline=None)
@given(grids(floating=True), laws, pieces)
def test_locks_and_what_they_lead_to(grid: reference.Grid, rules: Rules, pair: Pair) -> None:
    law, field = law_of(rules), Field.from_cells(np.array(grid))
    found = lock_positions(field, pair, rules)
    assert [(lock.x, lock.y, int(lock.orientation)) for lock in found] == reference.ordered_locks(grid, pair, None, law)
    for lock in found[::5]:
        expected, score, chain, cleared = reference.place(grid, pair, (lock.x, lock.y, lock.orientation), law)
        after = place(field, pair, Placement(lock.x, lock.y, Orientation(lock.orientation)), rules)
        assert (after.field.cells.tolist(), after.score) == (expected, score)
        assert (after.chain, after.cleared, after.game_over) == (chain, cleared, reference.is_over(expected, law))


@settings(max_examples=25, deadline=None)
@given(grids(), laws, pieces, pieces)
def test_choice(grid: reference.Grid, rules: Rules, pair: Pair, following: Pair) -> None:
    law = law_of(rules)
    root = reference.resolve(grid, law)[0]
    expected = reference.two_ply(root, pair, following, list(PLAYER.factors), None, law)
    snapshot = Snapshot(Field.from_cells(np.array(root)), pair, following, 0, rules.spawn)
    decision = TwoPly(PLAYER, rules).choose(snapshot)
    if decision is None:
        assert expected[0] is None
        return
    found = decision.placement
    assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == expected
    assert decision.outcome == place(snapshot.field, pair, found, rules)
