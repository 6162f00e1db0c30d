"""``ochibot arena`` and ``train`` write the same bytes with any number of workers and after interruptions; their
errors are clear.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.lab.sharded.folder import SHARDS, SUMMARY

from tests.commands import ochibot
from tests.lab.ended import by_proc, start

NAMES = ("experiment.json", SHARDS, SUMMARY)
ARENA = ("arena", "article", "article", "article", "--games", "4", "--max-pieces", "25", "--seed", "3")
ARTICLE = ("train", "--method", "article", "--population", "5", "--generations", "4", "--max-pieces", "12")
CMA = ("train", "--population", "4", "--generations", "2", "--battle-games", "12", "--max-pieces", "10")


def run(folder: Path, *words: object, code: int = 0) -> tuple[str, str]:
    done = ochibot(*words, "-o", folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.mark.long
@by_proc
@pytest.mark.parametrize(
    "words",
    [ARENA, pytest.param(CMA, marks=pytest.mark.proof), pytest.param(ARTICLE, marks=pytest.mark.proof)],
    ids=["arena", "cma", "article"],
)
def test_any_number_of_workers_and_any_end_make_the_same(words: tuple[str, ...], tmp_path: Path) -> None:
    run(tmp_path / "one", *words, "--workers", 1)
    whole = bytes_of(tmp_path / "one")
    assert set(whole) >= set(NAMES)
    killed = tmp_path / "killed"
    process = start(*words, "--workers", 2, "-o", killed, ended_by=signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    with (killed / SHARDS).open("ab") as file:
        file.write(b"0badf00d [7,{")  # as if the killed run had been writing a line
    out, _ = run(killed, *words, "--workers", 2)
    assert f"{killed} has" in out
    assert bytes_of(killed) == whole
    # for a finished run, the command only prints the report again and leaves the files as they are
    run(killed, *words)
    assert bytes_of(killed) == whole


@pytest.mark.long
@by_proc
@pytest.mark.parametrize("words", [ARENA, CMA], ids=["arena", "train"])
def test_ctrl_c_is_one_line_and_130(words: tuple[str, ...], tmp_path: Path) -> None:
    process = start(*words, "--workers", 1, "-o", tmp_path / "run", ended_by=signal.SIGINT)
    out, error = process.communicate()
    assert process.returncode == 130
    assert "run it again to resume" in out
    lines = [line for line in error.strip().splitlines() if not line.startswith(("compil", "0 of"))]
    assert lines[-1] == "ochibot: interrupted"
    assert "Traceback" not in error


@pytest.mark.long
def test_another_experiment_and_a_damaged_one_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    few = ("arena", "article", "article", "--games", "2", "--max-pieces", "5", "--workers", "1")
    run(folder, *few)
    before = bytes_of(folder)
    assert "another experiment (seed differ)" in run(folder, *few, "--seed", 9, code=2)[1]
    assert "another experiment" in run(folder, *CMA, code=2)[1]
    assert bytes_of(folder) == before
    data = bytearray(before[SHARDS])
    data[40] ^= 1
    (folder / SHARDS).write_bytes(data)
    assert "damaged in line 1" in run(folder, *few, code=2)[1]
    assert (folder / SHARDS).read_bytes() == data


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("arena", "article"), "two players at least"),
        (("arena", "article", "nobody"), "no such player file"),
        (("arena", "article", "article", "--games", "3"), "even number of games"),
        (("arena", "article", "article", "--sprt", "5", "1"), "ELO0 below ELO1"),
        (("arena", "article", "article", "article", "--sprt", "0", "5"), "tests two players"),
        (("arena", "article", "article", "--colors", "3"), "deals 4 to 6 colours"),
        (("arena", "article", "article", "--game", "chess"), "there is no game 'chess'"),
        (("arena", "article", "article", "--game", "gb"), "can't be simulated"),
        (("arena", "nyaa", "nyaa", "--game", "nyaa", "--level", "2"), "leave them out for nyaa"),
        (("train", "--battle-games", "6"), "in fours"),
        (("train", "--workers", "1", "--scheduler", "tcp://localhost:1"), "give one of them"),
    ],
)
def test_bad_input(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    assert told in run(tmp_path / "run", *words, code=2)[1]
    assert not (tmp_path / "run" / SHARDS).exists()


@pytest.mark.long
def test_a_sequential_test_ends_early_and_the_same(tmp_path: Path) -> None:
    """A two-ply player meets a one-ply one. The result has only the games that the sequential test needed, and doesn't
    depend on the number of workers.
    """
    worse = tmp_path / "worse.yaml"
    text = data_path("configs/players/article.yaml").read_text(encoding="utf-8")
    worse.write_text(text.replace("name: article", "name: worse") + "plies: 1\n")
    words = ("arena", "article", worse, "--games", "200", "--sprt", "0", "200", "--max-pieces", "60")
    run(tmp_path / "one", *words, "--workers", 1)
    run(tmp_path / "two", *words, "--workers", 2)
    summary = json.loads((tmp_path / "one" / SUMMARY).read_text())
    assert summary["sprt"]["accepted"] in ("H0", "H1")
    assert summary["games"] == 2 * summary["sprt"]["pairs"] < 200
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")
    assert {player["name"] for player in summary["players"]} == {"article", "worse"}
