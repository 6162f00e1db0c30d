"""``ochibot deal``, through the command's own entry: letters, JSON, picture, and how it refuses bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.cli import main
from PIL import Image


class Command:
    """Runs ``ochibot deal`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.patch, self.capsys = monkeypatch, capsys

    def run(self, words: tuple[object, ...]) -> tuple[int, str, str]:
        self.patch.setattr(sys, "argv", ["ochibot", "deal", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main.main()
        out, err = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    def __call__(self, *words: object) -> str:
        """Its stdout."""
        code, out, err = self.run(words)
        assert code == 0, err
        return out

    def report(self, *words: object) -> dict[str, Any]:
        """Its JSON from stdout."""
        report: dict[str, Any] = json.loads(self(*words, "--json", "-"))
        return report

    def refused(self, *words: object) -> str:
        """Its one line on stderr."""
        code, out, err = self.run(words)
        assert (code, out) == (2, ""), err
        lines = err.strip().split("\n")
        assert len(lines) == 1
        assert lines[0].startswith("ochibot: ")
        assert len(lines[0]) < 300
        return lines[0]


@pytest.fixture
def deal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def letters(text: str) -> list[str]:
    """The pairs of the printed lines, without the numbers before each."""
    return [pair for line in text.splitlines() for pair in line.split()[1:]]


def test_json_in_a_real_process() -> None:
    words = ["deal", "--generator", "tsu", "--state", "0x35879DE2", "--json", "-"]
    done = subprocess.run([sys.executable, "-m", "ochibot", *words], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert "".join(map(str, report["pool"][:16])) == "5500505554403050"
    assert len(report["pool"]) == 256
    # what the game deals first are the third, the second and the first pair of the pool
    assert report["pairs"][:5] == [[5, 0], [0, 0], [5, 5], [5, 5], [5, 4]]
    assert len(report["pairs"]) == 128
    wanted = {"generator": "tsu", "state": 0x35879DE2, "colors": 4, "player": 1}
    assert {name: report[name] for name in wanted} == wanted
    assert letters(done.stderr)[:5] == ["BR", "RR", "BB", "BB", "BP"]


@pytest.mark.parametrize(
    ("colors", "start"), [(3, "5500045540004405"), (4, "5500505554403050"), (5, "5500505551034434")]
)
def test_the_pool_of_each_number_of_colors(deal: Command, colors: int, start: str) -> None:
    report = deal.report("--generator", "tsu", "--state", "0x35879de2", "--colors", colors)
    assert "".join(map(str, report["pool"][:16])) == start


@pytest.mark.parametrize(("player", "pairs"), [(1, "31344011043003043044"), (2, "31344011110015413030")])
def test_each_player_of_puyo1_has_pairs_of_his_own(deal: Command, player: int, pairs: str) -> None:
    report = deal.report("--generator", "puyo1", "--state", "0", "--player", player, "--pairs", 10)
    assert "".join(str(code) for pair in report["pairs"] for code in pair) == pairs
    assert "".join(map(str, report["pool"][:20])) == pairs


def test_pairs_are_printed_in_letters(deal: Command) -> None:
    assert letters(deal("--generator", "modern", "--state", "42", "--pairs", 8)) == [
        "PP",
        "GG",
        "RY",
        "RR",
        "RY",
        "YG",
        "RG",
        "RR",
    ]
    text = deal("--generator", "modern", "--state", "0", "--pairs", 20)
    assert [line.split()[0] for line in text.splitlines()] == ["1", "17"]


def test_after_128_pairs_a_pool_begins_again_in_its_natural_order(deal: Command) -> None:
    report = deal.report("--generator", "tsu", "--state", "1", "--pairs", 131)
    pool = report["pool"]
    assert report["pairs"][128:] == [pool[0:2], pool[2:4], pool[4:6]]


def test_the_picture_shows_each_puyo_in_its_color(deal: Command, tmp_path: Path) -> None:
    """Axis below, partner above: found by the hue in the middle of each, not by the drawing's own table."""
    file = tmp_path / "strip.png"
    report = deal.report("--generator", "tsu", "--state", "7", "--colors", 5, "--pairs", 40, "--picture", file)
    with Image.open(file) as opened:
        image = opened.convert("HSV")
    width, height = image.size
    hues = {0: range(245, 256), 1: range(25, 45), 3: range(85, 110), 4: range(185, 210), 5: range(145, 170)}
    across = (width - 6) / 32
    for number, pair in enumerate(report["pairs"]):
        row, column = divmod(number, 32)
        top, bottom = (row * height / 2, (row + 1) * height / 2)
        for code, share in zip(pair, (0.75, 0.3), strict=True):
            where = (int(6 + column * across + 12), int(top + share * (bottom - top)) + 2)
            hue = image.getpixel(where)
            assert isinstance(hue, tuple)
            assert hue[0] in hues[code] or (code == 0 and hue[0] < 10), (number, where, hue)


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


def test_find_tells_some_candidates_and_writes_all(deal: Command) -> None:
    report = deal.report("--generator", "modern", "--find", "??")
    assert report["candidates"] == list(range(65536))
    lines = deal("--generator", "modern", "--find", "??").splitlines()
    assert len(lines) == 22
    assert lines[-1].startswith("and 65,516 others")
    # a colour that nobody has named yet
    assert lines[1] == "0x0000, then " + " ".join(["??"] * 8)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--generator", "tsu"], "--state"),
        (["--state", "1"], "--generator"),
        ([], "--generator"),
        (["--generator", "famicom", "--state", "1"], "famicom"),
        (["--generator", "tsu", "--state", "0x100000000"], "0xffffffff"),
        (["--generator", "modern", "--state", "65536"], "0xffff"),
        (["--generator", "tsu", "--state", "-1"], "-1"),
        (["--generator", "tsu", "--state", "red"], "red"),
        (["--generator", "tsu", "--state", "0x"], "0x"),
        (["--generator", "tsu", "--state", "1_0"], "1_0"),
        (["--generator", "tsu", "--state", "1", "--colors", "2"], "colors"),
        (["--generator", "tsu", "--state", "1", "--colors", "6"], "colors"),
        (["--generator", "tsu", "--state", "1", "--player", "3"], "player"),
        (["--generator", "tsu", "--state", "1", "--pairs", "0"], "pairs"),
        (["--generator", "tsu", "--find", "RR"], "tsu yet"),
        (["--generator", "puyo1", "--find", "RR"], "puyo1 yet"),
        (["--generator", "modern", "--find", "RR", "--state", "1"], "--state"),
        (["--generator", "modern", "--find", "RR", "--find", "RG"], "more than once"),
        (["--generator", "modern", "--find", "RR PRR"], "PRR"),
        (["--generator", "modern", "--find", " "], "no pair"),
        (["--generator", "modern", "--find", "RG BY", "--colors", "3"], "4 colours"),
        (["--generator", "tsu", "--state", "1", "--picture", "strip.unknown"], "strip.unknown"),
        (["--generator", "tsu", "--state", "1", "--json", "/dev/null/report.json"], "report.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(deal: Command, words: list[str], named: str) -> None:
    assert named in deal.refused(*words)
