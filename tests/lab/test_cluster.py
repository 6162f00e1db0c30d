"""Runs on a real Dask cluster of two worker processes. One is killed during the run, and nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from ochibot.lab.sharded.folder import SHARDS

distributed: Any = pytest.importorskip(
    "distributed", reason="the cluster's tests need Dask: pip install 'ochibot[lab]'"
)

SELFPLAY = """
import sys
from ochibot.lab import endless
endless.SHARD_PIECES = 20_000
from ochibot.cli import main
main.main()
"""
RUNS = {
    "selfplay": ("-c", SELFPLAY, "selfplay", "--pieces", "600_000"),
    "arena": ("-m", "ochibot", "arena", "article", "article", "--games", "40", "--max-pieces", "120"),
    "export": ("-m", "ochibot", "lab", "export", "--positions", "600_000", "--shard", "20_000"),
}


DASK = (sys.executable, "-m", "dask")


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def start(run: tuple[str, ...], *words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *run, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def wait_for_a_line(process: subprocess.Popen[str], folder: Path) -> None:
    while not (folder / SHARDS).exists() or not (folder / SHARDS).read_bytes():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["selfplay", "arena", "export"])
def test_a_worker_is_killed_and_nothing_is_lost(name: str, cluster: Any, tmp_path: Path) -> None:
    alone = start(RUNS[name], "--workers", 1, "-o", tmp_path / "alone")
    _, error = alone.communicate(timeout=600)
    assert alone.returncode == 0, error
    process = start(RUNS[name], "--scheduler", cluster.scheduler_address, "-o", tmp_path / "many")
    wait_for_a_line(process, tmp_path / "many")
    killed = cluster.workers[0].pid
    os.kill(killed, signal.SIGKILL)
    _, error = process.communicate(timeout=600)
    assert process.returncode == 0, error
    assert cluster.workers[0].pid != killed
    assert bytes_of(tmp_path / "many") == bytes_of(tmp_path / "alone")


@pytest.mark.proof
@pytest.mark.parametrize("name", RUNS)
def test_a_scheduler_that_ends_leaves_what_was_done(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    where = ("--no-dashboard", "--scheduler-file", str(tmp_path / "where.json"))
    scheduler = subprocess.Popen(
        [*DASK, "scheduler", "--port", "0", *where],
        stderr=subprocess.DEVNULL,
    )
    worker: subprocess.Popen[bytes] | None = None
    try:
        while not (tmp_path / "where.json").exists():
            time.sleep(0.05)
        worker = subprocess.Popen(
            [*DASK, "worker", "--nthreads", "1", "--death-timeout", "10", *where],
            stderr=subprocess.DEVNULL,
        )
        address = json.loads((tmp_path / "where.json").read_text())["address"]
        process = start(RUNS[name], "--scheduler", address, "-o", folder)
        wait_for_a_line(process, folder)
        scheduler.kill()
        _, error = process.communicate(timeout=300)
        if process.returncode == 0:
            pytest.skip("all was done before the scheduler ended")
        assert process.returncode == 2, error
        assert "what was done is kept" in error
        assert "Traceback" not in error
    finally:
        for one in (scheduler, worker):
            if one is not None:
                one.kill()
                one.wait()
    again = start(RUNS[name], "--workers", 2, "-o", folder)
    out, error = again.communicate(timeout=600)
    assert again.returncode == 0, error
    assert f"{folder} has" in out


@pytest.mark.long
def test_all_workers_are_killed_and_others_come(tmp_path: Path) -> None:
    """The command waits while there is no worker. Nothing restarts these workers, unlike those of ``cluster``."""
    folder = tmp_path / "run"
    fewer = ("--pieces", "240_000")
    where = ("--no-dashboard", "--scheduler-file", str(tmp_path / "where.json"))
    worker = (*DASK, "worker", "--nthreads", "1", "--no-nanny", *where)
    with ExitStack() as stack:

        def begin(*words: str) -> subprocess.Popen[bytes]:
            process = stack.enter_context(subprocess.Popen(words, stderr=subprocess.DEVNULL))
            stack.callback(process.kill)
            return process

        begin(*DASK, "scheduler", "--port", "0", *where)
        while not (tmp_path / "where.json").exists():
            time.sleep(0.05)
        killed = [begin(*worker), begin(*worker)]
        address = json.loads((tmp_path / "where.json").read_text())["address"]
        process = start(RUNS["selfplay"], *fewer, "--scheduler", address, "-o", folder)
        wait_for_a_line(process, folder)
        for one in killed:
            one.kill()
            one.wait()
        begin(*worker)
        _, error = process.communicate(timeout=600)
        assert process.returncode == 0, error
    alone = start(RUNS["selfplay"], *fewer, "--workers", 1, "-o", tmp_path / "alone")
    assert alone.communicate(timeout=600) is not None
    assert bytes_of(folder) == bytes_of(tmp_path / "alone")


@pytest.mark.long
def test_no_scheduler_answers(tmp_path: Path) -> None:
    process = start(RUNS["arena"], "--scheduler", "tcp://127.0.0.1:9", "-o", tmp_path / "run")
    _, error = process.communicate(timeout=120)
    assert process.returncode == 2
    (line,) = [line for line in error.splitlines() if not line.startswith("compil")]
    assert line.startswith("ochibot: no Dask scheduler answers")
    assert not (tmp_path / "run" / SHARDS).exists() or not (tmp_path / "run" / SHARDS).read_bytes()
