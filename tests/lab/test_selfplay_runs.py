"""``ochibot selfplay`` writes the same bytes for any number of workers and after interruptions. Errors are clear."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.lab import endless
from ochibot.lab.contest.contestant import contestant
from ochibot.lab.endless import Total, endless_identity, endless_tasks, play_endless
from ochibot.lab.sharded.folder import SHARDS, SUMMARY, ExperimentFolder
from ochibot.lab.sharded.workers import local_workers, run_shards
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.sim.dealer import UniformDealer

from tests.lab.ended import by_proc, start

RULES = load_rules("famicom")
PLAYER = load_player(data_path("configs/players/article.yaml"))
SHARD = 300
PIECES = 2_000

SMALL = f"from ochibot.lab import endless; endless.SHARD_PIECES = endless.PLAYED_PIECES = {SHARD}"
"""Small shards, so that a run can be ended between two of them."""


def run(folder: Path, *options: str | int, ended_by: int = 0) -> subprocess.Popen[str]:
    return start("selfplay", "--pieces", PIECES, "-o", folder, *options, ended_by=ended_by, before=SMALL)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("experiment.json", SHARDS, SUMMARY)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that one worker writes in an uninterrupted run."""
    folder = tmp_path_factory.mktemp("whole")
    out, error = (process := run(folder, "--workers", 1)).communicate()
    assert process.returncode == 0, error
    assert "2,000 pieces: mean" in out
    return bytes_of(folder)


@pytest.mark.long
def test_two_workers_make_the_same(whole: dict[str, bytes], tmp_path: Path) -> None:
    process = run(tmp_path / "two", "--workers", 2, "--json", "-")
    out, error = process.communicate()
    assert process.returncode == 0, error
    assert json.loads(out) == json.loads(whole[SUMMARY])
    assert bytes_of(tmp_path / "two") == whole


@pytest.mark.long
@by_proc
def test_a_killed_run_goes_on_and_ends_with_the_same(whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    process = run(folder, "--workers", 1, ended_by=signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    with (folder / SHARDS).open("ab") as file:
        file.write(b"0badf00d [7,{")  # as if the killed run had been writing a line
    again = run(folder, "--workers", 1)
    out, error = again.communicate()
    assert again.returncode == 0, error
    assert f"{folder} has" in out
    assert bytes_of(folder) == whole


@by_proc
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    process = run(tmp_path / "run", "--workers", 2, ended_by=signal.SIGKILL)
    process.communicate()  # returns when all processes that have its pipes open, also the workers, have closed them
    # a process closes its pipes a moment before it ends, so the loop waits
    children = (tmp_path / "run.workers").read_text().split()
    assert len(children) >= 2
    waited = time.monotonic() + 10
    while (left := [pid for pid in children if _runs(pid)]) and time.monotonic() < waited:
        time.sleep(0.02)
    assert not left


def _runs(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long)]
)
@by_proc
def test_it_can_be_stopped(number: int, code: int, whole: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    process = run(folder, "--workers", 1, ended_by=number)
    out, error = process.communicate()
    assert process.returncode == code
    assert "run it again to resume" in out
    assert "Traceback" not in error
    assert run(folder).wait() == 0
    assert bytes_of(folder) == whole


def test_it_counts_what_the_player_does_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts equal those of two shards that are played again, piece by piece, by the rules in Python."""
    monkeypatch.setattr(endless, "SHARD_PIECES", 40)
    total = Total()
    for _, task in endless_tasks(PLAYER, RULES, 5, "uniform", 3, 60):
        total.add(play_endless(task))
    histogram, chains, heights = np.zeros(85, int), np.zeros(20, int), np.zeros((6, 15), int)
    for _, task in endless_tasks(PLAYER, RULES, 5, "uniform", 3, 60):
        dealer = UniformDealer(endless._seed(task, 0), 5)
        player = TwoPly(PLAYER, RULES)
        field, pair, following = Field.empty(), next(dealer), next(dealer)
        for _ in range(task.pieces):
            decision = player.choose(Snapshot(field, pair, following, 0, RULES.spawn))
            assert decision is not None
            outcome = place(field, pair, decision.placement, RULES)
            field, pair, following = outcome.field, following, next(dealer)
            histogram[int((field.cells > 0).sum())] += 1
            chains[outcome.chain] += 1
            for x in range(6):
                heights[x, int((field.cells[:, x] > 0).sum())] += 1
    summary = total.summary()
    assert summary["histogram"] == histogram.tolist()
    assert summary["chains"] == chains.tolist()
    assert summary["heights"] == heights.tolist()
    assert summary["pieces"] == 60


def test_shards_differ_and_every_dealer_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "SHARD_PIECES", 1_500)
    for source in ("uniform", "tsu", "puyo1", "modern"):
        shards = [play_endless(task) for _, task in endless_tasks(PLAYER, RULES, 4, source, 1, 3_100)]
        assert [shard["pieces"] for shard in shards] == [1_500, 1_500, 100]
        assert shards[0] != shards[1]


class TestFolder:
    what = endless_identity(PLAYER, RULES, 5, "uniform", 1, 1_000)

    def test_another_experiment_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        with ExperimentFolder(tmp_path, self.what) as folder:
            folder.add(0, {"pieces": 1})
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        with pytest.raises(Exception, match=r"another experiment \(seed differ"):
            ExperimentFolder(tmp_path, {**self.what, "seed": 2})
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_a_damaged_line_is_named(self, tmp_path: Path) -> None:
        with ExperimentFolder(tmp_path, self.what) as folder:
            folder.add(0, {"pieces": 1})
            folder.add(1, {"pieces": 2})
        data = bytearray((tmp_path / SHARDS).read_bytes())
        data[12] ^= 1
        (tmp_path / SHARDS).write_bytes(data)
        with pytest.raises(Exception, match="damaged in line 1"):
            ExperimentFolder(tmp_path, self.what)
        assert (tmp_path / SHARDS).read_bytes() == data

    def test_two_writers_are_one_too_many(self, tmp_path: Path) -> None:
        with ExperimentFolder(tmp_path, self.what), pytest.raises(Exception, match="another process is writing"):
            ExperimentFolder(tmp_path, self.what)

    def test_a_folder_of_other_files_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "letter.txt").write_text("dear")
        with pytest.raises(Exception, match="other files"):
            ExperimentFolder(tmp_path, self.what)

    def test_done_shards_are_not_run_again(self, tmp_path: Path) -> None:
        with ExperimentFolder(tmp_path, self.what) as folder:
            folder.add(1, {"pieces": 7})
            with local_workers(1) as workers:
                assert run_shards(folder, [(0, 5), (1, 6)], _double, workers)
            assert sorted(result["pieces"] for result in folder.results()) == [7, 10]


def _double(task: int) -> dict[str, int]:
    return {"pieces": 2 * task}


@pytest.mark.long
def test_a_player_of_another_kind_is_asked_piece_by_piece(tmp_path: Path) -> None:
    """The chain player's shard equals a hand-written loop, and one worker and two workers write the same files."""
    made = contestant("chain", "puyo", RULES)
    small = replace(made, config=made.config.model_copy(update={"nodes": 60}))
    (number, task), *rest = endless_tasks(small, RULES, 5, "uniform", 3, 120)
    assert (number, rest) == (0, [])
    played = play_endless(task)
    seed = endless._seed(task, 0)
    mind, dealer = ChainPlayer(small.config, RULES, seed % (1 << 31)), UniformDealer(seed, 5)
    here, pair, following = Field.empty(), next(dealer), next(dealer)
    counts, score = [0] * 85, 0
    for _ in range(120):
        decision = mind.choose(Snapshot(here, pair, following, 0, RULES.spawn, colors=5))
        assert decision is not None
        done = place(here, pair, decision.placement, RULES)
        here, score = done.field, score + done.score
        counts[here.count()] += 1
        pair, following = following, next(dealer)
    assert played["histogram"] == counts
    assert played["score"] == score
    assert played["game_overs"] == 0
    folders = [tmp_path / "one", tmp_path / "two"]
    for workers, folder in enumerate(folders, 1):
        out, error = (
            process := run(folder, "--player", "chain", "--nodes", 60, "--pieces", 600, "--workers", workers)
        ).communicate()
        assert process.returncode == 0, error
        assert "0 games ended" in out
    assert bytes_of(folders[0]) == bytes_of(folders[1])


def test_a_budget_is_of_players_that_have_one(tmp_path: Path) -> None:
    out, error = (process := run(tmp_path / "no", "--nodes", 60)).communicate()
    assert (process.returncode, out) == (2, "")
    assert "--nodes is only for players that build chains" in error


def test_the_processes_take_no_modules_from_the_folder_that_the_user_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New processes of multiprocessing used to import ``multiprocessing`` from there."""
    for name in ("multiprocessing", "pickle", "ochibot"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with local_workers(1) as workers:
        assert workers.executor.submit(os.getpid).result() != os.getpid()
    assert not (tmp_path / "ran").exists()
    assert "PYTHONSAFEPATH" not in os.environ
