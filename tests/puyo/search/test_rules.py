"""Compares the search, under rules other than the Famicom game's, with a naive search through all locks.

Games played with and without the pext instruction must be the same.
"""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo import Field, Orientation, Pair, PairState, Rules, Snapshot, place
from ochibot.puyo.kernels.engine import PEXT_VARIABLE, uses_pext
from ochibot.puyo.search import TwoPly, evaluate, load_player, lock_positions

from tests.puyo import FAMICOM, TSU, reference
from tests.puyo.fields import random_cells
from tests.puyo.rules.test_rules import LARGE, MODERN, law_of

PLAYER = load_player(data_path("configs/players/article.yaml"))


def sample(rules: Rules, n: int) -> list[Field]:
    """Resolved fields on which the game isn't over; every second one is high."""
    law = law_of(rules)
    fields: list[Field] = []
    for cells in random_cells()[5000:]:
        grid = reference.resolve(cells.tolist(), law)[0]
        height = 14 - min((y for y in range(14) if any(grid[y])), default=14)
        if not reference.is_over(grid, law) and height >= (rules.visible_rows - 1 if len(fields) % 2 else 1):
            fields.append(Field.from_cells(np.array(grid)))
        if len(fields) == n:
            break
    return fields


@pytest.mark.long
def test_choice_under_tsu_rules_is_that_of_trying_everything() -> None:
    rng = np.random.default_rng(3)
    two_ply, law = TwoPly(PLAYER, TSU), law_of(TSU)
    for i, field in enumerate(sample(TSU, 30)):
        pairs = rng.integers(1, 5, 4).tolist()
        pair, following = Pair(*pairs[:2]), Pair(*pairs[2:])
        state = PairState(int(rng.integers(1, 7)), 5, Orientation.UP) if i % 5 == 0 else TSU.spawn
        lock, value, leaves = reference.two_ply(field.cells.tolist(), pair, following, list(PLAYER.factors), state, law)
        decision = two_ply.choose(Snapshot(field, pair, following, 0, state))
        if decision is None:
            assert lock is None
            continue
        found = decision.placement
        assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == (lock, value, leaves), field
        assert decision.outcome == place(field, pair, found, TSU)
        assert found in lock_positions(field, pair, TSU, state)


def high_fields(rules: Rules, n: int) -> list[Field]:
    """Resolved fields, nearly full in most columns: many halves come to rest above the rows that hold puyos."""
    rng, law = np.random.default_rng(5), law_of(rules)
    found: list[Field] = []
    top = rules.kept_rows
    while len(found) < n:
        heights = rng.integers(top - 3, top + 1, 6)
        heights[2] = rng.integers(rules.visible_rows - 4, rules.visible_rows - 1)
        heights[4:] = np.maximum(heights[4:], top - 1)
        cells = rng.integers(1, 7, (14, 6))
        cells[np.arange(14)[:, None] < 14 - heights] = 0
        grid = reference.resolve(cells.tolist(), law)[0]
        if not reference.is_over(grid, law):
            found.append(Field.from_cells(np.array(grid)))
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "n"),
    [(TSU, 40), *(pytest.param(rules, 12, marks=pytest.mark.long) for rules in (MODERN, LARGE))],
    ids=["halves lost above", "three clear", "five clear"],
)
def test_choice_on_high_fields_is_that_of_trying_everything(rules: Rules, n: int) -> None:
    rng = np.random.default_rng(6)
    two_ply, law = TwoPly(PLAYER, rules), law_of(rules)
    for field in high_fields(rules, n):
        pairs = rng.integers(1, 7, 4).tolist()
        pair, following = Pair(*pairs[:2]), Pair(*pairs[2:])
        expected = reference.two_ply(field.cells.tolist(), pair, following, list(PLAYER.factors), None, law)
        decision = two_ply.choose(Snapshot(field, pair, following, 0, rules.spawn))
        if decision is None:
            assert expected[0] is None
            continue
        found = decision.placement
        assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == expected, field


def shaft_fields(n: int) -> list[Field]:
    """Fields for Tsu's rules, on which a pair in column 3 doesn't end the game. An upright pair on columns 4 to 6 often
    loses its upper half, which comes to rest above the 13 rows that hold puyos."""
    rng, law = np.random.default_rng(7), law_of(TSU)
    found: list[Field] = []
    while len(found) < n:
        heights = np.array([13, 13, rng.integers(8, 10), 12, *rng.integers(11, 13, 2)])
        cells = rng.integers(1, 5, (14, 6))
        cells[np.arange(14)[:, None] < 14 - heights] = 0
        grid = cells.tolist()
        if reference.resolve(grid, law)[0] == grid:
            found.append(Field.from_cells(np.array(grid)))
    return found


def test_a_half_that_is_lost_above_any_column_counts_for_nothing() -> None:
    """The player wants few puyos, so losing a half is often the best reply.

    Most next pairs are of one colour: if a lost half still counted, it would link with the other half.
    """
    thrifty = PLAYER.model_copy(update={"weights": PLAYER.weights.model_copy(update={"colored": 300.0})})
    two_ply, law = TwoPly(thrifty, TSU), law_of(TSU)
    rng = np.random.default_rng(9)
    for number, field in enumerate(shaft_fields(30)):
        a, b, c, d = rng.integers(1, 5, 4).tolist()
        pair, following = Pair(a, b), Pair(c, c if number % 3 else d)
        expected = reference.two_ply(field.cells.tolist(), pair, following, list(thrifty.factors), None, law)
        decision = two_ply.choose(Snapshot(field, pair, following, 0, TSU.spawn))
        assert decision is not None
        found = decision.placement
        assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == expected, field


def test_losing_with_the_next_pair_is_better_than_losing_with_this_one() -> None:
    """The first lock, upright on column 3, ends the game. Upright on column 4, the pair loses its upper half, and only
    the next pair ends the game."""
    field = Field.parse("oo..oo\noo.ooo\n" + "oooooo\n" * 11)
    pair, following = Pair.parse("RG"), Pair.parse("BY")
    locks = lock_positions(field, pair, TSU)
    upright = next(lock for lock in locks if (lock.x, lock.orientation) == (4, Orientation.UP))
    assert (locks[0].x, locks[0].orientation) == (3, Orientation.UP)
    assert [lock for lock in locks if not place(field, pair, lock, TSU).game_over] == [upright]
    after = place(field, pair, upright, TSU).field
    assert all(place(after, following, lock, TSU).game_over for lock in lock_positions(after, following, TSU))
    decision = TwoPly(PLAYER, TSU).choose(Snapshot(field, pair, following, 0, TSU.spawn))
    assert decision is not None
    assert (decision.placement, decision.value) == (upright, -1e9)
    now = TwoPly(PLAYER, TSU, plies=1).choose(Snapshot(after, following, pair, 0, TSU.spawn))
    assert now is not None
    assert now.value == -2e9


def test_evaluation_under_tsu_rules_is_the_reference_s() -> None:
    for field in sample(TSU, 40):
        assert list(evaluate(field, PLAYER, TSU).raw) == reference.metrics(field.cells.tolist(), law_of(TSU))


@pytest.mark.long
@pytest.mark.parametrize("rules", [FAMICOM, pytest.param(TSU, marks=pytest.mark.proof)], ids=["famicom", "tsu"])
def test_games_without_pext_are_the_same(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    games = []
    for switch in ("1", "0"):
        monkeypatch.setenv(PEXT_VARIABLE, switch)
        game = SelfPlay(PLAYER, 4, 9, rules)
        games.append((str(game.play(5_000)), game.field, game.statistics.leaves))
    assert not uses_pext()
    assert games[0] == games[1]


def test_equal_fields_are_looked_into_once_but_counted() -> None:
    """Several locks can leave the same field. That field is evaluated once, but counted as a leaf for each lock."""
    game = SelfPlay(PLAYER, 4, 1, FAMICOM)
    seen = game.play(3_000)
    assert 0.8 * seen.leaves < game.looked_at < 0.97 * seen.leaves
