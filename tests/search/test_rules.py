"""The search under other rules, without pext, and without compiled helpers: always what trying everything gives."""

from __future__ import annotations

import numpy as np
import pytest

from bot.data import data_path
from bot.lab.selfplay import SelfPlay
from bot.puyo import FAMICOM, Field, Orientation, Pair, PairState, Rules, Snapshot, place
from bot.rulesfile import load_rules
from bot.search import TwoPly, evaluate, load_player, lock_positions
from bot.search.engine import PEXT_VARIABLE, uses_pext
from tests.puyo import reference
from tests.puyo.fields import random_cells
from tests.puyo.test_rules import law_of

TSU = load_rules(data_path("configs/rules/tsu.yaml"))
PLAYER = load_player(data_path("configs/players/article.yaml"))


def sample(rules: Rules, n: int) -> list[Field]:
    """Resolved fields on which the game goes on, every second one high."""
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


def test_choice_under_tsu_rules_is_that_of_trying_everything() -> None:
    rng = np.random.default_rng(3)
    two_ply, law = TwoPly(PLAYER, rules=TSU), law_of(TSU)
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
        assert found in lock_positions(field, pair, state, TSU)


def test_evaluation_under_tsu_rules_is_the_reference_s() -> None:
    for field in sample(TSU, 40):
        assert list(evaluate(field, PLAYER, TSU).raw) == reference.metrics(field.cells.tolist(), law_of(TSU))


@pytest.mark.parametrize("rules", [FAMICOM, TSU], ids=["famicom", "tsu"])
def test_games_without_pext_are_the_same(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    games = []
    for switch in ("1", "0"):
        monkeypatch.setenv(PEXT_VARIABLE, switch)
        game = SelfPlay(PLAYER, 4, 9, rules)
        games.append((str(game.play(5_000)), game.field, game.statistics.leaves))
    assert not uses_pext()
    assert games[0] == games[1]


def test_equal_fields_are_looked_into_once_but_counted() -> None:
    """Half of the locks of RR complete a group in the same way: fewer leaves are looked at than there are."""
    game = SelfPlay(PLAYER, 4, 1)
    seen = game.play(3_000)
    assert 0.8 * seen.leaves < game.looked_at < 0.97 * seen.leaves
