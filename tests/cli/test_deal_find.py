"""``ochibot deal --find``, run through ``main``: words, JSON, several games, ranges, resuming."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.dealing import Command, letters
from tests.puyo.pairs.seen import signs_of


@pytest.fixture
def deal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_find_answers_with_all_seeds_and_what_comes_next_in_the_viewers_letters(deal: Command) -> None:
    """Seed 42 deals PP GG RY RR RY YG RG RR; here purple is called B, and one puyo wasn't seen."""
    seen = "BB GG RY RR ?Y YG RG RR"
    report = deal.report("--generator", "modern", "--find", seen)
    assert 42 in report["candidates"]
    assert report["candidates"] == sorted(report["candidates"])
    assert report["find"] == seen.split()
    dealt = letters(deal("--generator", "modern", "--state", "42", "--pairs", 16))
    printed = deal("--generator", "modern", "--find", seen)
    assert f"0x002a, then {' '.join(dealt[8:]).replace('P', 'B')}" in printed.splitlines()
    assert printed.startswith(f"{len(report['candidates'])} of 65,536 seeds")


def test_find_prints_some_candidates_and_writes_all(deal: Command) -> None:
    report = deal.report("--generator", "modern", "--find", "??")
    assert report["candidates"] == list(range(65536))
    lines = deal("--generator", "modern", "--find", "??").splitlines()
    assert len(lines) == 22
    assert lines[-1].startswith("and 65,516 others")
    # the pairs given name no colour, so every puyo is printed as ?
    assert lines[1] == "0x0000, then " + " ".join(["??"] * 8)


def test_one_is_said_to_deal(deal: Command) -> None:
    first = deal("--generator", "modern", "--find", "PP GG RY RR RY YG RG RR").splitlines()[0]
    assert first == "1 of 65,536 seeds deals these pairs"
    assert deal("--generator", "modern", "--find", "PP GG RY RR RY YG RG RP").startswith("0 of 65,536 seeds deal ")


RANGE = ("--range", "0x35800000-0x358fffff")


@pytest.mark.parametrize(
    ("generator", "state", "extra"),
    [
        ("tsu", 0x35879DE2, ()),
        ("tsu", 0x35879DE2, ("--colors", "5")),
        ("puyo1", 0x35812345, ()),
        ("puyo1", 0x35812345, ("--player", "2")),
    ],
)
def test_a_state_is_found_among_a_million_and_its_next_pairs_reported(
    deal: Command, generator: str, state: int, extra: tuple[str, ...]
) -> None:
    words = ("--generator", generator, *extra)
    dealt = letters(deal(*words, "--state", state, "--pairs", 20))
    report = deal.report(*words, "--find", " ".join(dealt[:12]), *RANGE)
    assert state in report["candidates"]
    assert report["count"] == len(report["candidates"]) < 4
    assert report["range"] == [0x35800000, 0x358FFFFF]
    assert sum(told["share"] for told in report["next"]) == pytest.approx(1)
    if report["count"] == 1:
        assert report["certain"] == dealt[12:]
        assert report["next"] == [{"pairs": dealt[12:], "share": 1.0}]
        printed = deal(*words, "--find", " ".join(dealt[:12]), *RANGE).splitlines()
        assert printed == ["1 of 1,048,576 states deals these pairs", f"0x{state:08x}, then {' '.join(dealt[12:])}"]


def test_several_games_are_looked_for_at_once_and_answered_in_their_order(deal: Command) -> None:
    states = (0x358F0000, 0x35879DE2, 0x35800000)
    seen = [letters(deal("--generator", "tsu", "--state", state, "--pairs", 9)) for state in states]
    words = [word for pairs in seen for word in ("--find", " ".join(pairs))]
    report = deal.report("--generator", "tsu", *words, *RANGE, "--threads", 2)
    assert report["find"] == seen
    assert [state in found for state, found in zip(states, report["candidates"], strict=True)] == [True] * 3
    for number, pairs in enumerate(seen):
        alone = deal.report("--generator", "tsu", "--find", " ".join(pairs), *RANGE)
        assert [report[name][number] for name in ("candidates", "count", "certain", "next")] == [
            alone[name] for name in ("candidates", "count", "certain", "next")
        ]
    printed = deal("--generator", "tsu", *words, *RANGE).splitlines()
    assert [line for line in printed if line.endswith(":")] == [f"{' '.join(pairs)}:" for pairs in seen]


def test_candidates_share_what_comes_next(deal: Command) -> None:
    """Compares the shares with a count of what the plain generator deals for each candidate."""
    report = deal.report("--generator", "modern", "--find", "AB CA DA CD")
    assert 20 < report["count"] < 500
    names: dict[tuple[str, ...], int] = {}
    for state in report["candidates"]:
        dealt = "".join(signs_of("modern", state, 12))
        called = dict(zip(dealt[:8], "ABCADACD", strict=True))
        after = "".join(called[letter] for letter in dealt[8:])
        pairs = tuple(after[k : k + 2] for k in range(0, 16, 2))
        names[pairs] = names.get(pairs, 0) + 1
    told = {tuple(row["pairs"]): row["share"] for row in report["next"]}
    assert len(told) == min(20, len(names))
    assert told == pytest.approx({pairs: names[pairs] / report["count"] for pairs in told})
    assert min(told.values()) >= max(
        [count / report["count"] for pairs, count in names.items() if pairs not in told] + [0]
    )
    following: dict[str, int] = {}
    for pairs, count in names.items():
        following[pairs[0]] = following.get(pairs[0], 0) + count
    best = max(following.values())
    last = deal("--generator", "modern", "--find", "AB CA DA CD").splitlines()[-1]
    assert last.startswith("next, all states being equally likely: ")
    assert f" {best / report['count']:.1%}" in last.split(",")[1]


@pytest.mark.long
def test_puyo1_answers_for_all_states_at_once(deal: Command) -> None:
    """Player 1's pairs don't depend on the upper eight bits of a state."""
    dealt = letters(deal("--generator", "puyo1", "--state", "0x12345678", "--pairs", 22))
    report = deal.report("--generator", "puyo1", "--find", " ".join(dealt[:14]))
    assert report["candidates"] == [high << 24 | 0x345678 for high in range(256)]
    assert report["certain"] == dealt[14:]
    printed = deal("--generator", "puyo1", "--find", " ".join(dealt[:14])).splitlines()
    assert printed[0] == "256 of 4,294,967,296 states deal these pairs"
    assert printed[-2:] == ["and 236 others", f"all deal {' '.join(dealt[14:])} next"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--find", "RR", "--state", "1"], "--state"),
        (["--find", "RR", "--picture", "strip.png"], "--picture"),
        (["--find", "RR PRR"], "PRR"),
        (["--find", "R1"], "mixed"),
        (["--find", " "], "no pair"),
        (["--find", "RR", "--find", ""], "no pair"),
        (["--find", "RG BY", "--colors", "3"], "4 colours"),
        (["--find", "RR", "--range", "5"], "FROM-TO"),
        (["--find", "RR", "--range", "9-5"], "range"),
        (["--find", "RR", "--range", "0-0x100000000"], "0xffffffff"),
        (["--find", "RR", "--range", "a-b"], "'a'"),
        (["--find", "RR", "--threads", "0"], "threads"),
        (["--find", "RR", "--range", "0-9", "--checkpoint", "/dev/null/kept.npz"], "kept.npz"),
        (["--find", "RR", "--range", "0-9", "--json", "/dev/null/report.json"], "report.json"),
        (["--state", "1", "--range", "0-9"], "--find"),
        (["--state", "1", "--checkpoint", "kept.npz"], "--find"),
        (["--find", "RR"] * 65, "64"),
    ],
    ids=lambda value: " ".join(value[:6]) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(deal: Command, words: list[str], named: str) -> None:
    assert named in deal.refused("--generator", "tsu", *words)


def test_a_file_that_is_no_checkpoint_is_refused_and_kept(deal: Command, tmp_path: Path) -> None:
    kept = tmp_path / "notes.npz"
    kept.write_text("my notes")
    line = deal.refused("--generator", "tsu", "--find", "RR", "--range", "0-9", "--checkpoint", kept)
    assert "notes.npz is not the checkpoint" in line
    assert kept.read_text() == "my notes"


@pytest.mark.proof
def test_a_killed_search_goes_on_and_ends_in_the_same_bytes(tmp_path: Path) -> None:
    """A search of 2^27 states is ended by SIGKILL, then by SIGTERM. Each time it leaves a checkpoint to resume from."""
    words = ["deal", "--generator", "tsu", "--find", "AB CA DA BB CD AA", "--range", "0-0x7ffffff"]
    command = [sys.executable, "-m", "ochibot", *words, "--checkpoint", "kept.npz", "--json"]
    subprocess.run([*command, "whole.json"], cwd=tmp_path, check=True, timeout=600)
    assert not (tmp_path / "kept.npz").exists()
    for ending in (signal.SIGKILL, signal.SIGTERM):
        with subprocess.Popen([*command, "parts.json"], cwd=tmp_path) as process:
            before = (tmp_path / "kept.npz").stat().st_mtime_ns if (tmp_path / "kept.npz").exists() else 0
            while process.poll() is None:
                if (tmp_path / "kept.npz").exists() and (tmp_path / "kept.npz").stat().st_mtime_ns != before:
                    os.kill(process.pid, ending)
                    break
                time.sleep(0.02)
            assert process.wait(60) != 0
        assert not (tmp_path / "parts.json").exists()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.npz", "whole.json"]
    done = subprocess.run([*command, "parts.json"], cwd=tmp_path, check=True, timeout=600)
    assert done.returncode == 0
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert json.loads((tmp_path / "whole.json").read_text())["count"] > 10
