"""``tests.lab.chance.limit``: what playing a match on says of it."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.lab.contest.contestant import contestant
from ochibot.lab.contest.table import NyaaTable, table_of
from ochibot.nyaa.chance import Chance

from tests.lab.chance.limit import one_match, scores


def test_few_futures_cost_nothing_on_average() -> None:
    dice = np.random.default_rng(1)
    chances = dice.uniform(0, 1, 60_000)
    won, wins = dice.random(60_000) < chances, dice.binomial(3, chances)
    rows = [
        {"said": chance, "won": int(won[k]), "wins": int(wins[k]), "draws": 0, "futures": 3}
        for k, chance in enumerate(chances)
    ]
    told = scores(rows)
    # knowing the chances themselves gives the same score as three futures of each
    assert told["playing_on"]["brier"] == pytest.approx(told["model"]["brier"], abs=0.005)


@pytest.mark.long
def test_a_match_is_played_on_along_other_futures() -> None:
    table = table_of("nyaa")
    assert isinstance(table, NyaaTable)
    who = contestant("nyaa_first", "nyaa", table.rules)
    rows = [
        one_match(table, who, Chance(table.rules), seed=3, number=number, sixth=5, futures=6) for number in range(3)
    ]
    decided = [row for row in rows if row is not None]
    assert decided
    assert all(row["wins"] + row["draws"] <= 6 for row in decided)
    assert any(0 < row["wins"] < 6 for row in decided)
