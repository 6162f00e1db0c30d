"""``ochibot lab export``: its positions are those of games by the rules, with the player's decisions in Python.

The files are the same for any number of workers and after interruptions, and damaged ones are noticed.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.falling.draws import rolled
from ochibot.lab.positions import each_file, points_within, read_positions
from ochibot.lab.positions.files import (
    SCHEMA_COLUMNS,
    Playing,
    PositionsTask,
    check_columns,
    digest_of,
    file_of,
    game_seeds,
    play_positions,
    read_file,
)
from ochibot.lab.sharded.folder import SHARDS, SUMMARY
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.locks import lock_order, lock_positions
from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer

from tests.commands import ochibot
from tests.lab.ended import by_proc, start

FAMICOM = load_rules("famicom")
PLAYER = load_player(data_path("configs/players/article.yaml"))
WORDS = ("lab", "export", "--positions", "3000", "--shard", "1000", "--length", "60")
LOCKS = lock_order()

Arrays = Mapping[str, npt.NDArray[Any]]


def played(playing: Playing, positions: int = 160, shard: int = 0) -> Arrays:
    return play_positions(PositionsTask(playing, shard, positions, "npz"))


def check_games(playing: Playing, seen: Arrays, shard: int = 0) -> None:
    """Plays the games again, piece by piece: the pairs from the dealer, the placements by the search in Python, the
    random ones by the dice, and the outcomes by the rules.
    """
    rules, count = playing.rules, len(seen["game"])
    thinker = TwoPly(playing.player, rules)
    row = game = 0
    while row < count:
        seed, dice = game_seeds(playing, shard, game)
        dealer = self_play_dealer(playing.source, seed, playing.colors)
        field, pair, following = Field.empty(), next(dealer), next(dealer)
        first, owed, over = row, False, False
        while row < count and row - first < playing.length and not over:
            at = {name: array[row] for name, array in seen.items()}
            assert Field.from_cells(at["field"]) == field
            assert (Pair(*at["pair"].tolist()), Pair(*at["next_pair"].tolist())) == (pair, following)
            assert (at["game"], at["piece"], at["owed"]) == (game, row - first, owed)
            legal = {(lock.x, lock.orientation): lock for lock in lock_positions(field, pair, rules)}
            numbers = [number for number, lock in enumerate(LOCKS) if lock in legal]
            assert at["legal"] == sum(1 << number for number in numbers)
            decision = thinker.choose(Snapshot(field, pair, following, 0, rules.spawn, colors=playing.colors))
            assert decision is not None
            assert LOCKS[at["best"]] == (decision.placement.x, decision.placement.orientation)
            assert at["value"] == decision.value
            dice, chance = rolled(dice, 1 << 32)
            lock = at["best"]
            if chance < round(playing.epsilon * (1 << 32)):
                dice, number = rolled(dice, len(numbers))
                lock = numbers[number]
            assert at["played"] == lock
            outcome = place(field, pair, legal[LOCKS[lock]], rules)
            points = outcome.score
            if outcome.chain:
                # the bonus that is paid at once is part of the outcome's score
                points += rules.all_clear_later if owed else 0
                owed = outcome.field.count() == 0 and rules.all_clear_later > 0
            assert (at["points"], at["chain"]) == (points, outcome.chain)
            field, pair, following, over = outcome.field, following, next(dealer), outcome.game_over
            row += 1
        assert seen["ended"][first:row].tolist() == [over] * (row - first)
        assert seen["left"][first:row].tolist() == list(range(row - first))[::-1]
        assert seen["rest"][first:row].tolist() == [int(seen["points"][k:row].sum()) for k in range(first, row)]
        game += 1


@pytest.mark.parametrize(
    ("source", "colors", "epsilon", "length"),
    [("uniform", 5, 0.0, 100), ("uniform", 4, 0.4, 60), ("uniform", 5, 1.0, 60), ("tsu", 4, 0.2, 140)],
)
def test_games_are_those_of_the_rules_and_of_the_player_in_python(
    source: PlainSource, colors: int, epsilon: float, length: int
) -> None:
    playing = Playing(PLAYER, FAMICOM, colors, source, 3, length, epsilon)
    seen = played(playing, shard=2)
    check_games(playing, seen, shard=2)
    if epsilon == 1.0:
        assert seen["ended"].any(), "random placements lose games"


@pytest.mark.parametrize("paid", ["now", "next_chain"])
def test_a_bonus_for_emptied_fields_is_counted(paid: Any) -> None:
    rules = replace(FAMICOM, all_clear_bonus=777, all_clear_paid=paid)
    playing = Playing(PLAYER, rules, 1, "uniform", 1, 30, 0.4)
    seen = played(playing, 90)
    check_games(playing, seen)
    emptied = (seen["field"] == 0).all((1, 2)) & (seen["piece"] > 0)
    assert 5 < emptied.sum() < (seen["chain"] > 0).sum(), "one colour often empties the field, but not always"
    assert seen["owed"].any() == (paid == "next_chain")


@pytest.mark.long
@pytest.mark.parametrize("name", ["tsu", "puyo1"])
def test_games_by_other_rules(name: str) -> None:
    playing = Playing(PLAYER, load_rules(name), 4, "modern", 5, 60, 0.5)
    check_games(playing, played(playing))


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_all_values_are_those_of_the_search_with_one_placement(epsilon: float) -> None:
    playing = Playing(PLAYER, FAMICOM, 5, "uniform", 7, 60, epsilon, all_values=True)
    seen = played(playing, 300)
    plain = played(replace(playing, all_values=False), 300)
    assert all(np.array_equal(seen[name], array) for name, array in plain.items())
    thinker = TwoPly(PLAYER, FAMICOM)
    for row in range(300):
        values = seen["values"][row]
        pairs = Pair(*seen["pair"][row].tolist()), Pair(*seen["next_pair"][row].tolist())
        here = Snapshot(Field.from_cells(seen["field"][row]), *pairs, 0, FAMICOM.spawn)
        for lock in range(len(LOCKS)):
            alone = thinker._best(here, ~(1 << lock) & ((1 << len(LOCKS)) - 1))
            legal = bool(seen["legal"][row] >> lock & 1)
            assert (alone is not None) == legal == (not np.isnan(values[lock]))
            assert alone is None or values[lock] == alone.value
        assert values[seen["best"][row]] == seen["value"][row] == np.nanmax(values)


def test_another_seed_and_another_file_have_other_games() -> None:
    playing = Playing(PLAYER, FAMICOM, 5, "uniform", 1, 50, 0.1)
    digests = {digest_of(played(one, 100, shard)) for one in (playing, replace(playing, seed=2)) for shard in (0, 1)}
    assert len(digests) == 4
    assert digest_of(played(playing, 100)) in digests


# --- the command and its folder


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished export."""
    folder = tmp_path_factory.mktemp("export") / "run"
    done = ochibot(*WORDS, "--workers", 1, "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


def copied(whole: Path, to: Path) -> Path:
    for name, data in files(whole).items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(data)
    return to


def test_the_summary_says_what_the_files_hold(whole: Path) -> None:
    summary = json.loads((whole / SUMMARY).read_text())
    seen = read_positions(whole)
    assert list(seen) == [column.name for column in SCHEMA_COLUMNS] == list(summary["columns"])
    assert check_columns(seen) == summary["positions"] == 3000
    assert summary["points"] == seen["points"].sum()
    assert summary["explored"] == (seen["best"] != seen["played"]).sum()
    assert summary["games"] == seen["game"][-1] + 1 == (seen["left"] == 0).sum()
    assert summary["games_ended"] == (seen["ended"] & (seen["left"] == 0)).sum()
    assert summary["placements"] == [[x, orientation.name.lower()] for x, orientation in LOCKS]
    for listed, positions in zip(summary["files"], each_file(whole), strict=True):
        assert listed["positions"] == len(positions["game"]) == 1000
        assert listed["sha256"] == digest_of(positions)
        with np.load(whole / listed["file"]) as plain:  # without Ochibot
            assert set(plain) == set(positions)
    playing = Playing(PLAYER, FAMICOM, 5, "uniform", 1, 60, 0.1, 1000)
    assert digest_of(played(playing, 1000, 2)) == summary["files"][2]["sha256"]


def test_two_workers_write_the_same_and_report_it(whole: Path, tmp_path: Path) -> None:
    done = ochibot(*WORDS, "--workers", 2, "-o", tmp_path / "two", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads((whole / SUMMARY).read_text())
    assert files(tmp_path / "two") == files(whole)


@by_proc
def test_a_killed_export_goes_on_and_ends_with_the_same(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    process = start(*WORDS, "--workers", 1, "-o", folder, ended_by=signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert (folder / SHARDS).read_bytes().count(b"\n") == 1
    # as if it had been killed while it wrote a file, and after it had written one
    (folder / "positions/.ochibot-1-0.npz").write_bytes(b"PK")
    (folder / "positions/00001.npz").write_bytes(b"PK")
    done = ochibot(*WORDS, "--workers", 1, "-o", folder)
    assert done.returncode == 0, done.stderr
    assert f"{folder} has 1,000 of 3,000 positions" in done.stdout
    assert files(folder) == files(whole)


@by_proc
def test_it_can_be_stopped(whole: Path, tmp_path: Path) -> None:
    process: subprocess.Popen[str] = start(*WORDS, "--workers", 1, "-o", tmp_path / "stopped", ended_by=signal.SIGTERM)
    out, error = process.communicate()
    assert process.returncode == 143
    assert "run it again to resume" in out
    assert "Traceback" not in error
    assert ochibot(*WORDS, "-o", tmp_path / "stopped").returncode == 0
    assert files(tmp_path / "stopped") == files(whole)


def test_a_missing_file_is_made_again(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path / "run")
    (folder / "positions/00001.npz").unlink()
    with pytest.raises(ConfigError, match=r"00001\.npz is damaged"):
        read_positions(folder)
    done = ochibot(*WORDS, "-o", folder)
    assert done.returncode == 0, done.stderr
    assert files(folder) == files(whole)


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize("damage", ["cut", "flipped", "another", "other arrays"])
def test_a_damaged_file_is_noticed(whole: Path, tmp_path: Path, damage: str) -> None:
    folder = copied(whole, tmp_path / "run")
    file = folder / "positions/00001.npz"
    data = file.read_bytes()
    if damage == "other arrays":
        with file.open("wb") as out:
            np.savez(out, game=np.zeros(3))
    else:
        another = (folder / "positions/00000.npz").read_bytes()
        file.write_bytes({"cut": data[:-100], "flipped": flipped(data), "another": another}[damage])
    with pytest.raises(ConfigError, match=r"00001\.npz is damaged \(.*\): delete it, and run"):
        read_positions(folder)
    done = ochibot(*WORDS, "-o", folder)
    assert done.returncode == 2
    assert "00001.npz is damaged: delete it, and the same command makes it again" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_plays_otherwise_is_refused(whole: Path, tmp_path: Path) -> None:
    """A line has the digest of other positions, and its file is gone."""
    from ochibot.lab.sharded.folder import line_of, salt_of

    folder = copied(whole, tmp_path / "run")
    salt = salt_of(json.loads((folder / "experiment.json").read_text()))
    first, *rest = (folder / SHARDS).read_text().splitlines(keepends=True)
    number, line = json.loads(first[9:])
    (folder / SHARDS).write_text(line_of(number, {**line, "sha256": "0" * 64}, salt) + "".join(rest))
    (folder / "positions/00000.npz").unlink()
    done = ochibot(*WORDS, "-o", folder)
    assert done.returncode == 2
    assert "was begun by an Ochibot that plays otherwise: give another folder" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--positions", "0"], "--positions"),
        (["--epsilon", "1.5"], "--epsilon"),
        (["--epsilon", "nan"], "--epsilon"),
        (["--length", "0"], "--length"),
        (["--shard", "5"], "--shard"),
        (["--format", "csv"], "--format"),
        (["--player", "chain"], "of the kind two_ply alone"),
        (["--player", "nobody"], "nobody"),
        (["--rules", "nyaa_ps2"], "not of puyo"),
        (["--dealer", "tsu", "--colors", "2"], "2 colours"),
        (["--workers", "2", "--scheduler", "tcp://localhost:1"], "give one of them"),
        (["--json", "/nowhere/report.json"], "its folder is missing"),
    ],
)
def test_bad_options_are_refused_in_a_line(tmp_path: Path, words: list[str], told: str) -> None:
    done = ochibot("lab", "export", *words, "-o", tmp_path / "run")
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_folder_of_another_export_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = copied(whole, tmp_path / "run")
    done = ochibot(*WORDS, "--epsilon", "0.2", "-o", folder)
    assert done.returncode == 2
    assert "holds another experiment (epsilon differ)" in done.stderr
    (tmp_path / "new").mkdir()
    (tmp_path / "new/notes.txt").write_text("mine")
    assert "holds other files" in ochibot(*WORDS, "-o", tmp_path / "new").stderr


def test_reading_what_is_no_export(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no summary\.json"):
        read_positions(tmp_path)
    with pytest.raises(ConfigError, match="has no column colour: choose among game"):
        read_positions(whole, ["field", "colour"])
    for text in ("{", "[]", "{}", json.dumps({"schema": 1, "columns": {}, "files": [{"file": "../x.npz"}]})):
        (tmp_path / SUMMARY).write_text(text)
        with pytest.raises(ConfigError, match="is no summary"):
            read_positions(tmp_path)
    (tmp_path / SUMMARY).write_text(json.dumps({"schema": 9, "columns": {}, "files": []}))
    with pytest.raises(ConfigError, match="has the schema 9"):
        read_positions(tmp_path)


@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_all_values_are_written_and_read(form: str, tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    words = ("lab", "export", "--positions", "1200", "--shard", "1000", "--all-values", "--format", form)
    for _ in range(2):  # the second time, all is there
        done = ochibot(*words, "--workers", 1, "-o", tmp_path / "run")
        assert done.returncode == 0, done.stderr
    seen = read_positions(tmp_path / "run", ["legal", "best", "value", "values"])
    assert seen["values"].shape == (1200, 22)
    assert np.array_equal(np.isnan(seen["values"]), (seen["legal"][:, None] >> np.arange(22) & 1) == 0)
    assert np.array_equal(seen["values"][np.arange(1200), seen["best"]], seen["value"])


def test_points_of_the_next_pieces(whole: Path) -> None:
    seen = read_positions(whole, ["game", "points", "rest", "left", "ended"])
    points, known = points_within(seen, 7)
    for row in (0, 52, 53, 54, 59, 60, 993, 996, 2_000, 2_999):
        same = seen["game"][row : row + 7] == seen["game"][row]
        assert points[row] == seen["points"][row : row + 7][same].sum()
        assert known[row] == (same.sum() == 7 or seen["ended"][row])
    assert 0 < known.sum() < len(known)


def test_parquet_has_the_same_columns(whole: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = ochibot(*WORDS, "--format", "parquet", "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    kept, own = (json.loads((folder / SUMMARY).read_text()) for folder in (whole, tmp_path / "run"))
    assert [file["sha256"] for file in own["files"]] == [file["sha256"] for file in kept["files"]]
    seen, plain = read_positions(tmp_path / "run"), read_positions(whole)
    for name, array in plain.items():
        assert np.array_equal(seen[name], array)
        assert seen[name].dtype == array.dtype
    table = parquet.read_table(tmp_path / "run/positions")  # without Ochibot: all files at once
    assert table.num_rows == 3000
    assert table["points"].to_numpy().sum() == kept["points"]
    assert np.array_equal(np.stack(table["field"].to_numpy()).reshape(-1, 14, 6), plain["field"])
    file = tmp_path / "run/positions/00001.parquet"
    file.write_bytes(flipped(file.read_bytes()))
    with pytest.raises(ConfigError, match=r"00001\.parquet is damaged"):
        read_positions(tmp_path / "run")


def test_the_bytes_of_a_file_follow_from_its_positions(tmp_path: Path) -> None:
    seen = dict(played(Playing(PLAYER, FAMICOM, 5, "uniform", 1, 50, 0.1), 100))
    (tmp_path / "one.npz").write_bytes(file_of(seen, "npz"))
    again = read_file(tmp_path / "one.npz", seen)
    assert file_of(again, "npz") == file_of(seen, "npz")
