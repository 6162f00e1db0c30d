"""``ochibot bench review``: games that go on after a kill, rows beside sums made by hand, playing on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.bench.kept import KeptRun
from ochibot.bench.review import (
    PLANTED,
    chosen_positions,
    judge_games,
    outcome_rows,
    outcomes,
    planted_of,
    play_on,
    rows_of,
)
from ochibot.errors import UsageError
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.review.judging import Grade, accuracy_of, from_dict, shipped

TSU = load_rules("tsu")
BOARDS = 3_000


@pytest.mark.long
def test_a_run_goes_on_and_its_rows_are_the_sums_of_its_placements(tmp_path: Path) -> None:
    whole = judge_games(tmp_path / "whole", TSU, ["random"], range(2), BOARDS)
    judge_games(tmp_path / "half", TSU, ["random"], range(1), BOARDS)
    file = tmp_path / "half" / "games.jsonl"
    file.write_text(file.read_text() + '{"player": "random", "se')
    again = judge_games(tmp_path / "half", TSU, ["random"], range(2), BOARDS)
    assert json.dumps(again.kept) == json.dumps(whole.kept)
    (row,) = rows_of(whole.kept, shipped())
    each = [[shipped().accuracy(from_dict(move["verdict"])) for move in game["moves"]] for game in whole.kept]
    accuracies = [accuracy_of(one) for one in each]
    assert row.accuracy == pytest.approx(sum(one for one in accuracies if one is not None) / 2, abs=0.01)
    assert sum(row.grades.values()) == sum(len(game["moves"]) for game in whole.kept)
    with pytest.raises(UsageError, match="another run"):
        KeptRun(tmp_path / "whole" / "games.jsonl", {"rules": "tsu", "boards": 7})


def test_positions_are_played_on_along_equal_futures(tmp_path: Path) -> None:
    games = judge_games(tmp_path, TSU, ["random"], range(1), BOARDS).kept
    chosen = chosen_positions(games, shipped(), 8, 3)
    assert len(chosen) == len({at for _, at, _ in chosen}) <= 8
    for game, at, grade in chosen:
        assert shipped().grade(from_dict(game["moves"][at]["verdict"])) == grade != Grade.BEST
    lines = outcomes(
        tmp_path, games, TSU, shipped(), positions=4, futures=2, pieces=6, nodes=200, seed=3, stopped=lambda: False
    )
    assert len(lines) == 4
    assert all(len(one["best"]) == len(one["played"]) == 2 for one in lines)
    again = outcomes(tmp_path, games, TSU, shipped(), positions=4, futures=2, pieces=6, nodes=200, seed=3)
    assert again == lines
    assert sum(row.positions for row in outcome_rows(lines)) == 4
    row = outcome_rows([{"grade": "mistake", "best": [100, 400], "played": [100, 100]}])[0]
    assert row.lost == pytest.approx(1 / 3, abs=1e-4)
    assert row.points == 150


def test_planted_placements_are_counted_apart(tmp_path: Path) -> None:
    verdict = judge_games(tmp_path, TSU, ["random"], range(1), BOARDS).kept[0]["moves"][0]["verdict"]
    moves = [{"verdict": verdict, "planted": planted} for planted in (True, False, False)]
    game = {"player": PLANTED, "seed": 0, "moves": json.loads(json.dumps(moves))}
    assert sum(planted_of([game], shipped()).values()) == 1
    assert sum(rows_of([game], shipped())[0].grades.values()) == 2


def test_playing_on_takes_the_best_chain_and_ends_with_the_game() -> None:
    class Still:
        def choose(self, _: object) -> None:
            return None

    from ochibot.data import data_path
    from ochibot.puyo.search.chain.config import load_chain_player
    from ochibot.puyo.search.versus.outlook import Scout

    scout = Scout(load_chain_player(data_path("configs/players/chain.yaml")), TSU)
    field = Field.parse("R.....\nR.....\n")
    pairs = [Pair(1, 1)] * 6
    made = play_on(field, pairs, Placement(1, 11, Orientation.UP), Still(), TSU, scout)
    assert made == 40
    high = Field.parse("\n".join(["..G...", "..R..."] * 5 + ["..G..."]))
    assert play_on(high, [Pair(3, 4)] * 6, Placement(3, 2, Orientation.UP), Still(), TSU, scout) == 0
