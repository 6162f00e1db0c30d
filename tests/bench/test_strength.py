"""``ochibot bench strength``: the games that it plays, its report, and how a killed run is resumed."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.bench.beside import OtherGames, fitting, paired, read_games
from ochibot.bench.strength import measure, report
from ochibot.cli import main
from ochibot.errors import UsageError
from ochibot.falling.orientation import Orientation
from ochibot.falling.series import sign_test
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.sim.dealer import PoolDealer
from ochibot.puyo.sim.fifty import PAIRS, StrengthGame, play

from tests.commands import ochibot

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


@pytest.mark.parametrize("shown", [1, 2])
def test_as_many_pairs_are_visible_as_asked_for(shown: int) -> None:
    player = Stacker()
    play(player, TSU, 7, shown=shown)
    dealer = PoolDealer("modern", 7, 4)
    dealt = [next(dealer) for _ in range(PAIRS + 2)]
    for number, snapshot in enumerate(player.seen):
        assert (snapshot.pair, snapshot.next_pair, *snapshot.foreseen) == tuple(dealt[number : number + 1 + shown])
    report = measure(player, TSU, range(2), {}, shown=shown)
    assert report.visible_pairs == 1 + shown
    assert f"{1 + shown} pairs visible (the falling one and {shown} more)" in report.table()


@pytest.mark.parametrize("colors", [3, 5])
def test_the_pairs_are_of_as_many_colours_as_asked_for(colors: int, tmp_path: Path) -> None:
    player = Stacker()
    report = measure(player, TSU, [7], {}, colors=colors, folder=tmp_path)
    dealer = PoolDealer("modern", 7, colors)
    assert [snapshot.pair for snapshot in player.seen] == [next(dealer) for _ in player.seen]
    assert {snapshot.colors for snapshot in player.seen} == {colors}
    assert report.colors == colors
    assert f", {colors} colours, " in report.table()
    with pytest.raises(UsageError, match="another player or budget"):
        measure(player, TSU, [7], {}, folder=tmp_path)


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
        "visible_pairs",
        "median_best_score",
        "chain_quantiles",
        "score_quantiles",
        "without_chain",
        "beside",
    }
    assert wanted <= report.keys()
    assert report["player"] == "chain"


def _game(seed: int, score: int, chain: int) -> StrengthGame:
    return StrengthGame(seed, score, chain, 1 if chain else 0, PAIRS, False, 0.0, 0.0)


@given(st.lists(st.tuples(st.integers(0, 200_000), st.integers(0, 19)), min_size=1, max_size=40))
def test_quantiles_and_shares_are_numpy_s(games: list[tuple[int, int]]) -> None:
    made = report("x", {}, TSU, [_game(seed, *best) for seed, best in enumerate(games)])
    shares = [0.1, 0.25, 0.5, 0.75, 0.9]
    chains, scores = ([best[part] for best in games] for part in (1, 0))
    assert list(made.chain_quantiles.values()) == pytest.approx(np.quantile(chains, shares), abs=0.06)
    assert list(made.score_quantiles.values()) == pytest.approx(np.quantile(scores, shares), abs=0.06)
    assert made.without_chain == pytest.approx(np.mean(np.array(chains) == 0), abs=1e-4)


@given(
    st.dictionaries(st.integers(0, 30), st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1),
    st.dictionaries(st.integers(0, 30), st.tuples(st.integers(0, 9), st.integers(0, 5)), min_size=1),
)
def test_games_are_compared_by_their_seeds(
    ours: dict[int, tuple[int, int]], theirs: dict[int, tuple[int, int]]
) -> None:
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return
    result = paired([_game(seed, *best) for seed, best in ours.items()], OtherGames("other", None, theirs))
    assert result.games == len(both) == result.wins + result.losses + result.draws
    assert result.wins == sum(ours[seed][0] > theirs[seed][0] for seed in both)
    assert result.losses == sum(ours[seed][0] < theirs[seed][0] for seed in both)
    assert result.score_difference == pytest.approx(np.mean([ours[s][0] - theirs[s][0] for s in both]), abs=0.06)
    assert result.chain_difference == pytest.approx(np.mean([ours[s][1] - theirs[s][1] for s in both]), abs=1e-3)
    assert result.other_median_best_chain == np.median([theirs[seed][1] for seed in both])


@pytest.mark.parametrize(("wins", "losses", "p"), [(17, 7, 0.063915), (0, 0, 1.0), (5, 5, 1.0), (0, 6, 0.03125)])
def test_the_sign_test_counts_all_ways_to_fall(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p, abs=1e-6)
    games = wins + losses
    if games <= 10:
        ways = [sum(way) for way in itertools.product((0, 1), repeat=games)]
        as_uneven = sum(abs(2 * won - games) >= abs(wins - losses) for won in ways)
        assert sign_test(wins, losses) == as_uneven / 2**games


OTHER = '{"engine": "ama", "known_pairs": 3, "seed": 5, "score": 900, "chain": 3}\n'


def test_games_of_others_are_read(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(
        OTHER + OTHER.replace('"known_pairs": 3', '"known_pairs": 2') + '{"seed": 5, "score": 1, "chain": 0}\n'
    )
    found = read_games(file)
    assert [(one.engine, one.visible, one.best) for one in found] == [
        ("ama", 3, {5: (900, 3)}),
        ("ama", 2, {5: (900, 3)}),
        ("the other engine", None, {5: (1, 0)}),
    ]
    assert [one.visible for one in fitting(found, file, range(9), 2)] == [2, None]
    measure(Stacker(), TSU, range(3), {"nodes": 9}, shown=1, folder=tmp_path / "ours")
    (ours,) = read_games(tmp_path / "ours/games.jsonl")
    assert (ours.engine, ours.visible, sorted(ours.best)) == ("stacker (nodes 9)", 2, [0, 1, 2])
    # a player beside itself
    again = measure(Stacker(), TSU, range(3), {}, shown=1, others=[ours])
    assert (again.beside[0].draws, again.beside[0].sign_test, again.beside[0].score_difference) == (3, 1.0, 0.0)
    assert (
        "beside stacker (nodes 9), 3 games with the same pairs: 0 won, 0 lost, 3 drawn (sign test: p = 1)"
        in again.table()
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OTHER + "what", "line 2: this is no game; a line has seed, score and chain"),
        (OTHER + "[" * 100_000, "line 2: this is no game"),
        ('{"seed": 5, "score": "9", "chain": 3}', "line 1: this is no game"),
        ('{"seed": 5, "score": true, "chain": 3}', "line 1: this is no game"),
        (OTHER.replace("900", "9" * 500), "line 1: this is no game"),
        (OTHER.replace("3, ", "-2, "), "line 1: known_pairs is no number of pairs"),
        (OTHER + OTHER, "line 2: ama has a game with seed 5 already"),
        ("", "have no visible pairs, not 3: give another --next"),
        (OTHER.replace('"known_pairs": 3', '"known_pairs": 4'), "have 4 visible pairs, not 3: give another --next"),
        (
            OTHER.replace('"seed": 5', '"seed": 50'),
            "has no game with these seeds; its first one is 50: give --first-seed 50",
        ),
    ],
)
def test_a_bad_file_of_games_is_refused_before_a_game_is_played(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "games.jsonl").write_text(text)
    done = ochibot("bench", "strength", "--games", 9, "--beside", "games.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (
        "can't read the games of gone.jsonl"
        in ochibot("bench", "strength", "--beside", "gone.jsonl", cwd=tmp_path).stderr
    )
