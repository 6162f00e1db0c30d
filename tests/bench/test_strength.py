"""``ochibot bench strength``: the games that it plays, its report, and how a killed run is resumed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ochibot.bench.strength import measure
from ochibot.cli import main
from ochibot.errors import UsageError
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.sim.dealer import PoolDealer
from ochibot.puyo.sim.fifty import PAIRS, play

TSU = load_rules("tsu")


@dataclass
class Stacker:
    """Puts every pair upright, into each of its ``columns`` in turn."""

    columns: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    seen: list[Snapshot] = field(default_factory=list)
    name: str = "stacker"

    def choose(self, snapshot: Snapshot) -> Placement | None:
        self.seen.append(snapshot)
        wanted = self.columns[len(self.seen) % len(self.columns)]
        locks = lock_positions(snapshot.field, snapshot.pair, TSU)
        upright = [lock for lock in locks if lock.x == wanted and lock.orientation is Orientation.UP]
        return next(iter(upright or locks), None)


def test_a_game_shows_two_pairs_and_deals_those_of_the_seed() -> None:
    player = Stacker()
    game = play(player, TSU, 7)
    dealer = PoolDealer("modern", 7, 4)
    dealt = [next(dealer) for _ in range(PAIRS + 2)]
    for number, snapshot in enumerate(player.seen):
        shown: tuple[Pair, ...] = (snapshot.pair, snapshot.next_pair, *snapshot.foreseen)
        assert shown == tuple(dealt[number : number + 3])
    assert game.pairs == len(player.seen) <= PAIRS


def test_a_full_third_column_ends_a_game() -> None:
    game = play(Stacker((3,)), TSU, 0)
    assert game.dead
    assert game.pairs < PAIRS


def test_the_best_chain_is_the_one_of_the_most_points() -> None:
    for seed in range(3):
        player = Stacker()
        game = play(player, TSU, seed)
        gains = [after.score - before.score for before, after in zip(player.seen, player.seen[1:], strict=False)]
        assert game.score >= max(gains)
        assert (game.chain > 0) == (game.score > 0)


def test_a_run_goes_on_from_its_folder(tmp_path: Path) -> None:
    whole = measure(Stacker(), TSU, range(4), {})
    measure(Stacker(), TSU, range(2), {}, folder=tmp_path)
    kept = tmp_path / "games.jsonl"
    kept.write_text(kept.read_text() + '{"seed": 2, "sco')  # as if killed while writing a line
    player = Stacker()
    told: list[int] = []
    again = measure(player, TSU, range(4), {}, folder=tmp_path, on_game=lambda game: told.append(game.seed))
    assert told == [2, 3]
    assert [game.seed for game in again.per_game] == [0, 1, 2, 3]
    assert [game.seed for game in measure(player, TSU, range(4), {}, folder=tmp_path).per_game] == [0, 1, 2, 3]
    assert whole.games == again.games == 4
    with pytest.raises(UsageError, match="another player or budget"):
        measure(player, TSU, range(4), {"nodes": 5}, folder=tmp_path)


def test_the_command_reports_its_keys(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ochibot", "bench", "strength", "--games", "1", "--nodes", "100", "--json", "-"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert not ended.value.code
    report = json.loads(capsys.readouterr().out)
    wanted = {
        "games",
        "mean_best_chain",
        "stderr",
        "mean_best_score",
        "ten_or_more",
        "ms_per_decision",
        "cpu_ms_per_decision",
        "deaths",
    }
    assert wanted <= report.keys()
    assert report["player"] == "chain"
