"""Exact counts for fixed positions: the package's counts equal those in the data files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.data import data_path
from ochibot.puyo import Field, Pair, Snapshot, place
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search import TwoPly, load_player, lock_positions

FILES = {"famicom": "perft.yaml", "tsu": "perft_tsu.yaml"}
POSITIONS = [
    (name, position)
    for name, file in FILES.items()
    for position in yaml.safe_load(Path(__file__).with_name(file).read_text(encoding="utf-8"))
]


def test_there_are_twenty_of_each() -> None:
    assert [name for name, _ in POSITIONS] == ["famicom"] * 20 + ["tsu"] * 20


@pytest.mark.parametrize(
    ("profile", "position"), POSITIONS, ids=[f"{name}-{i % 20}" for i, (name, _) in enumerate(POSITIONS)]
)
def test_perft(profile: str, position: dict[str, Any]) -> None:
    rules = load_rules(profile)
    field, pair, following = (
        Field.parse(position["field"]),
        Pair.parse(position["pair"]),
        Pair.parse(position["next"]),
    )
    outcomes = [place(field, pair, lock, rules) for lock in lock_positions(field, pair, rules)]
    replies = [
        place(outcome.field, following, lock, rules)
        for outcome in outcomes
        if not outcome.game_over
        for lock in lock_positions(outcome.field, following, rules)
    ]
    overs = sum(outcome.game_over for outcome in outcomes)
    counts = {
        "locks": len(outcomes),
        "fields": len({outcome.field for outcome in outcomes}),
        "overs": overs,
        "leaves": len(replies),
        "leaf_fields": len({outcome.field for outcome in replies}),
        "chains": sum(outcome.chain for outcome in replies),
    }
    assert counts == {name: position[name] for name in counts}
    player = load_player(data_path("configs/players/article.yaml"))
    decision = TwoPly(player, rules).choose(Snapshot(field, pair, following, 0, rules.spawn))
    assert decision is not None
    assert decision.leaves == position["leaves"] + overs
