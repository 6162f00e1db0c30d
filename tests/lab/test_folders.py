"""Folders of experiments that somebody else has written to: doubled, reordered and foreign lines of ``shards.jsonl``.

Also files of arrays that somebody else has made.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.arrayfile import read_arrays
from ochibot.data import data_path
from ochibot.errors import ConfigError, OutputError
from ochibot.lab import selfplay
from ochibot.lab.endless import endless_check
from ochibot.lab.sharded.folder import SHARDS, SUMMARY, WHAT, ExperimentFolder, Lines, salt_of
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search import load_player

from tests.commands import ROOT, ochibot

SELFPLAY = ("selfplay", "--pieces", "3000", "--shard", "1000", "--workers", "1")
TAIL = ("tail", "--replicas", "3", "--direct", "1000", "--excursions", "10", "--workers", "1")
ARENA = ("arena", "article", "article", "--games", "6", "--max-pieces", "4", "--workers", "1")
TRAIN = (
    "train",
    "--population",
    "4",
    "--generations",
    "1",
    "--battle-games",
    "4",
    "--max-pieces",
    "4",
    "--workers",
    "1",
)
RUNS = {words[0]: words for words in (SELFPLAY, TAIL, ARENA, TRAIN)}


def line(*parts: object) -> bytes:
    """A line with a right checksum. Its body is the parts as JSON, or the only part if that is bytes."""
    body = parts[0] if isinstance(parts[0], bytes) else json.dumps(parts, separators=(",", ":")).encode()
    return b"%08x %b\n" % (zlib.crc32(body), body)


def run(words: tuple[str, ...], folder: Path, code: int = 0) -> str:
    done = ochibot(*words, "-o", folder)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Path], tuple[Path, dict[str, bytes]]]:
    """Copies the finished folder of a command, which is made once. Returns the copy and its files."""
    whole: dict[str, dict[str, bytes]] = {}

    def copy(name: str, to: Path) -> tuple[Path, dict[str, bytes]]:
        if name not in whole:
            folder = tmp_path_factory.mktemp(name) / "run"
            run(RUNS[name], folder)
            whole[name] = files(folder)
        to.mkdir()
        for file, data in whole[name].items():
            (to / file).write_bytes(data)
        return to, whole[name]

    return copy


Made = Callable[[str, Path], tuple[Path, dict[str, bytes]]]
EACH = [
    pytest.param("selfplay"),
    *(pytest.param(name, marks=pytest.mark.long) for name in ("tail", "arena")),
    pytest.param("train", marks=pytest.mark.proof),
]


@pytest.mark.parametrize("name", EACH)
def test_doubled_and_reordered_lines_change_nothing(name: str, made: Made, tmp_path: Path) -> None:
    """A doubled line of selfplay once counted twice: 4,000 of 3,000 pieces, with exit code 0."""
    folder, whole = made(name, tmp_path / "run")
    lines = whole[SHARDS].splitlines(keepends=True)
    assert len(lines) >= 3
    (folder / SHARDS).write_bytes(b"".join([lines[1], *reversed(lines), lines[0]]))
    run(RUNS[name], folder)
    assert files(folder) == whole
    # the same of an unfinished run: the last shard is missing, and played
    (folder / SUMMARY).unlink()
    (folder / SHARDS).write_bytes(b"".join([lines[0], lines[1], lines[0]]))
    run(RUNS[name], folder)
    assert files(folder) == whole


def spoilt(result: Any) -> list[Any]:
    """The same JSON with one value replaced or left out, for each of its values, but only the first of a list."""
    if isinstance(result, dict):
        changed = [{**result, key: other} for key in result for other in spoilt(result[key])]
        return [{k: v for k, v in result.items() if k != key} for key in result] + changed
    if isinstance(result, list):
        return [result[1:], None, *([other, *result[1:]] for other in spoilt(result[0])[:2])] if result else [None]
    return [None, -5, "1", [], 1e999]


def strange_lines(name: str, whole: dict[str, bytes]) -> list[bytes]:
    """Lines that no run of the command writes, with right checksums."""
    number, result = json.loads(whole[SHARDS].splitlines()[0][9:])
    lines = [
        *(line(body) for body in (b"[0", b"[" * 5000, b"\xff", b"[%b,{}]" % (b"9" * 5000), b"0", b"")),
        *(line(other, result) for other in ([0], "0", True, -1, 0.0, None)),
        line(number, [result]),
        *(line(number, other) for other in spoilt(result)),
    ]
    if name == "tail":  # a replica may have any number of levels with entrances
        lines.remove(line(number, {**result, "entrances": result["entrances"][1:]}))
    if name != "train":
        lines.append(line(10**6, result))
    # results of selfplay and battles don't tell their numbers
    return [*lines, line(1, result)] if name in ("tail", "arena") else lines


def test_strange_lines_are_noticed(made: Made, tmp_path: Path) -> None:
    folder, whole = made("selfplay", tmp_path / "run")
    what = json.loads(whole[WHAT])
    lines = Lines(folder / SHARDS, endless_check(what), salt_of(what))
    begin = whole[SHARDS].splitlines(keepends=True)[2]
    assert len(list(lines)) == 3
    for strange in strange_lines("selfplay", whole):
        (folder / SHARDS).write_bytes(begin + strange)
        with pytest.raises(ConfigError, match=r"^line 2 of .* isn't of this experiment \(.*\): delete that line$"):
            list(lines)


@pytest.mark.parametrize("name", EACH)
def test_strange_lines_with_right_checksums_are_refused_in_a_line(name: str, made: Made, tmp_path: Path) -> None:
    """Once, such a line was a bug of ours: exit code 70."""
    folder, whole = made(name, tmp_path / "run")
    begin = whole[SHARDS].splitlines(keepends=True)[2]
    lines = strange_lines(name, whole)
    for strange in lines[:: len(lines) // (3 if name == "selfplay" else 9)]:
        (folder / SHARDS).write_bytes(begin + strange)
        told = run(RUNS[name], folder, 2)
        assert told.startswith("ochibot: line 2 of ")
        assert "isn't of this experiment" in told
        assert told.count("\n") == 1
        assert len(told) < 300
        assert (folder / SHARDS).read_bytes() == begin + strange


@pytest.mark.long
def test_strange_lines_of_an_arena_can_not_be_watched(made: Made, tmp_path: Path) -> None:
    folder, whole = made("arena", tmp_path / "run")
    for strange in strange_lines("arena", whole)[::4]:
        (folder / SHARDS).write_bytes(strange)
        done = ochibot("watch", folder, 1, "-o", tmp_path / "game.gif", "--to", 3)
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith("ochibot: ")
        assert done.stderr.count("\n") == 1


def test_a_line_of_another_experiment_is_noticed(made: Made, tmp_path: Path) -> None:
    """Its contents are like those of any other line, but its checksum begins with other settings."""
    folder, whole = made("selfplay", tmp_path / "run")
    run((*SELFPLAY, "--seed", "2"), tmp_path / "other")
    other = (tmp_path / "other" / SHARDS).read_bytes().splitlines(keepends=True)
    mixed = [*whole[SHARDS].splitlines(keepends=True)[:2], other[2]]
    (folder / SHARDS).write_bytes(b"".join(mixed))
    assert "is damaged in line 3, or that line is of another experiment" in run(SELFPLAY, folder, 2)
    # lines of older versions, whose checksums are those of their bodies, still count
    plain = [line(*json.loads(one[9:])) for one in whole[SHARDS].splitlines()]
    assert plain[0] not in whole[SHARDS]
    (folder / SHARDS).write_bytes(b"".join([*plain, *plain]))
    run(SELFPLAY, folder)
    assert files(folder) == whole


def test_two_results_of_one_shard_are_one_too_many(made: Made, tmp_path: Path) -> None:
    folder, whole = made("selfplay", tmp_path / "run")
    lines = whole[SHARDS].splitlines(keepends=True)
    number, result = json.loads(lines[0][9:])
    (folder / SHARDS).write_bytes(b"".join([*lines, line(number, {**result, "score": result["score"] + 10})]))
    told = run(SELFPLAY, folder, 2)
    assert "has two results of one shard, in lines 1 and 4: delete both lines to run it again" in told


def test_a_result_that_can_not_be_written_leaves_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full, then there is room. Once, the error had no path, and a part of the line was left."""
    with ExperimentFolder(tmp_path, {"experiment": "test"}) as folder:
        folder.add(0, {"pieces": 1})
        before = (tmp_path / SHARDS).read_bytes()

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(
                OutputError, match=re.escape(f"can't write to {tmp_path}: No space left on device; once")
            ):
                folder.add(1, {"pieces": 2})
        assert (tmp_path / SHARDS).read_bytes() == before
        assert folder.done == {0}
        folder.add(1, {"pieces": 3})
        assert [result["pieces"] for result in folder.results()] == [1, 3]


@pytest.mark.long
@pytest.mark.parametrize("name", ["selfplay", pytest.param("train", marks=pytest.mark.proof)])
def test_a_full_disk_at_any_time_is_named_and_more_room_mends_it(name: str, tmp_path: Path) -> None:
    """A few disks, each with a page more than the last, on which the command fails at one checkpoint after another."""
    if shutil.which("unshare") is None:
        pytest.skip("needs the command unshare")
    may = subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", tmp_path], capture_output=True, check=False
    )
    if may.returncode:
        pytest.skip("this system lets us mount no small disk")
    words = ["unshare", "-rm", sys.executable, "-m", "tests.lab.fulldisk", str(tmp_path), name]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr
    found = re.fullmatch(rf"{name}: (\d+) disks were too small\n", done.stdout)
    assert found is not None
    assert int(found[1]) >= 3


def test_a_saved_game_of_another_form_is_refused(tmp_path: Path) -> None:
    """Its arrays go to a compiled kernel, which writes beyond the end of shorter ones."""
    player, rules = load_player(data_path("configs/players/article.yaml")), load_rules("famicom")
    game = selfplay.SelfPlay(player, 5, 1, rules)
    file = tmp_path / "state.npz"
    game.save(file)
    with np.load(file) as saved:
        arrays = {name: saved[name] for name in saved.files}
    selfplay.SelfPlay(player, 5, 1, rules).load(file)
    for name, own in arrays.items():
        for other in (own[:0], own.astype(np.float32), own.reshape(-1, 1), np.array(1), np.array([object()])):
            np.savez(file, **{**arrays, name: other})
            with pytest.raises(ConfigError, match=r"state\.npz (is not|was played)"):
                selfplay.SelfPlay(player, 5, 1, rules).load(file)


def test_an_array_file_is_data_of_a_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.npz"
    np.savez_compressed(file, a=np.zeros(1 << 20, np.uint8))
    assert len(read_arrays(file, ["a"])["a"]) == 1 << 20
    monkeypatch.setattr("ochibot.arrayfile.MOST_BYTES", 1 << 19)
    with pytest.raises(ValueError, match="too large"):
        read_arrays(file, ["a"])
    for content in (b"", b"text", file.read_bytes()[:-40]):
        file.write_bytes(content)
        with pytest.raises(ValueError, match="damaged"):
            read_arrays(file, ["a"])
    with pytest.raises(ValueError, match="No such file"):
        read_arrays(tmp_path / "none", ["a"])
