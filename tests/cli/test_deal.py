"""``ochibot deal``, run through ``main``: letters, JSON, picture, and how it refuses bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.dealing import Command, letters


@pytest.fixture
def deal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_json_in_a_real_process() -> None:
    words = ["deal", "--generator", "tsu", "--state", "0x35879DE2", "--json", "-"]
    done = subprocess.run([sys.executable, "-m", "ochibot", *words], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert "".join(map(str, report["pool"][:16])) == "5500505554403050"
    assert len(report["pool"]) == 256
    # the game first deals the pool's third pair, then the second, then the first
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
    report = deal.report("--generator", "puyo1", "--state", "0", "--seat", player, "--pairs", 10)
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
    """The axis is below, the partner above. Their hues are measured; the drawing's own colour table isn't used."""
    file = tmp_path / "strip.png"
    report = deal.report("--generator", "tsu", "--state", "7", "--colors", 5, "--pairs", 40, "--picture", file)
    with Image.open(file) as opened:
        image = opened.convert("HSV")
    width, height = image.size
    hues = {0: range(245, 256), 1: range(25, 45), 3: range(85, 110), 4: range(185, 210), 5: range(145, 170)}
    across, down = (width - 46) / 16, (height - 8) / 3
    for number, pair in enumerate(report["pairs"]):
        row, column = divmod(number, 16)
        for code, share in zip(pair, (0.72, 0.34), strict=True):
            where = (int(46 + column * across + 22), int(8 + row * down + share * down))
            hue = image.getpixel(where)
            assert isinstance(hue, tuple)
            assert hue[0] in hues[code] or (code == 0 and hue[0] < 10), (number, where, hue)


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
        (["--generator", "tsu", "--state", "1", "--seat", "3"], "seat"),
        (["--generator", "tsu", "--state", "1", "--pairs", "0"], "pairs"),
        (["--generator", "tsu", "--state", "1", "--stats", "5"], "--stats"),
        (["--generator", "tsu", "--find", "RR", "--stats", "5"], "--stats"),
        (["--generator", "tsu", "--stats", "0"], "stats"),
        (["--generator", "tsu", "--stats", "10000001"], "10,000,000"),
        (["--generator", "tsu", "--state", "1", "--picture", "strip.unknown"], "strip.unknown"),
        (["--generator", "tsu", "--state", "1", "--json", "/dev/null/report.json"], "report.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line(deal: Command, words: list[str], named: str) -> None:
    assert named in deal.refused(*words)


def test_stats_say_what_holds_and_draw_it(deal: Command, tmp_path: Path) -> None:
    file = tmp_path / "stats.png"
    report = deal.report("--generator", "tsu", "--stats", 500, "--picture", file)
    assert (report["states"], len(report["claims"])) == (500, 6)
    assert sum(report["by_color"].values()) == pytest.approx(1)
    assert [claim["verdict"] for claim in report["claims"]][4:] == ["holds", "holds"]
    printed = deal("--generator", "tsu", "--stats", 500).splitlines()
    assert printed[0] == "500 states of tsu, 4 colours, player 1"
    for claim in report["claims"]:
        assert f"the article says: {claim['says']}" in printed
        assert f"measured: {claim['measured']}" in printed
    with Image.open(file) as opened:
        image = opened.convert("RGB")
    # counts the pixels of each colour's bar in one column: all five have a bar, and purple's is the highest
    heights = {
        color: sum(image.getpixel((x, y)) == color for y in range(130, 440))
        for x, color in zip((148, 246, 344, 442, 540), BARS, strict=True)
    }
    assert max(heights, key=heights.__getitem__) == BARS[3]
    assert min(heights.values()) > 100


BARS = [(226, 62, 68), (240, 196, 46), (60, 180, 84), (160, 82, 208), (62, 120, 230)]
