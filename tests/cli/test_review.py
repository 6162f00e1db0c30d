"""``ochibot review``: records and movies of games in the core, judged; killed and gone on with; wrong input."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from ochibot.record import Record

from tests.commands import ochibot
from tests.record.movies.test_retroarch import replay_of


def recorded(folder: Path, *words: object) -> Path:
    done = ochibot(*words, "--record", folder)
    assert done.returncode == 0, done.stderr
    return folder


def reviewed(source: Path, *words: object) -> dict[str, Any]:
    done = ochibot("review", source, "--effort", "quick", "--json", "-", *words)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def without_paths(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name not in ("page", "source")}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("review") / "one"
    return recorded(folder, "play", "puyo", "--player", "article", "--pieces", 16, "--seed", 3)


def test_every_placement_of_a_record_is_judged(one: Path, tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    report = reviewed(one, "-o", page)
    assert page.read_text("utf-8").count('"format":"ochibot review"') == 1
    assert not list(tmp_path.glob("*.part"))
    (seat,) = report["seats"]
    assert (seat["pieces"], seat["judged"], report["unread"]) == (16, 16, 0)
    # beside what the player wrote down when it decided
    decided = list(Record.open(one).decisions())
    for move, wanted in zip(report["moves"], decided, strict=False):
        assert "/".join(move["field"]) == wanted.field
        assert (move["pair"], move["next"]) == (wanted.pair, [wanted.next_pair])
        assert move["played"]["place"]["x"] == wanted.x or wanted.pair[0] == wanted.pair[1]
        assert move["played"]["steps"] == wanted.chain
        # the bot presses no more than it has to, as fast as the pad allows
        assert move["presses"] == move["needed"]
        assert move["frames"] >= move["least"]
    assert sum(seat["grades"].values()) == 16
    assert 0 < seat["accuracy"] < 100


@pytest.mark.long
def test_a_movie_of_a_record_is_the_same_game(one: Path, tmp_path: Path) -> None:
    movie = tmp_path / "one.fm2"
    done = ochibot("movie", "export", one, "-o", movie)
    assert done.returncode == 0, done.stderr
    first, again = reviewed(one, "-o", tmp_path / "1.html"), reviewed(movie, "-o", tmp_path / "2.html")
    for move, same in zip(first["moves"], again["moves"], strict=True):
        assert {**move, "frame": 0, "seconds": 0} == {**same, "frame": 0, "seconds": 0}


@pytest.mark.parametrize("version", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_replay_of_retroarch_that_starts_in_the_middle_of_a_game(one: Path, tmp_path: Path, version: int) -> None:
    record = Record.open(one)
    pads = list(record.pads())
    first = reviewed(one, "-o", tmp_path / "1.html")
    start = first["moves"][4]["frame"] - 8
    with record.console() as console:
        crc = zlib.crc32(console.rom.data)
        for _ in record.replay(console, last=start):
            pass
        state = console.save()
    replay = tmp_path / "one.replay"
    replay.write_bytes(replay_of(pads[start:], state, version, crc=crc, compression=1, encoding=1, masks=False))
    again = reviewed(replay, "-o", tmp_path / "2.html")
    assert again["source"]["kind"] == "replay"
    same = again["moves"][-11:]
    assert [move["frame"] + start for move in same] == [move["frame"] for move in first["moves"][-11:]]
    for move, wanted in zip(same, first["moves"][-11:], strict=True):
        changed = {name: move[name] for name in ("field", "pair", "next", "played", "choices", "grade", "presses")}
        assert changed == {name: wanted[name] for name in changed}
    replay.write_bytes(replay_of(pads[start:], state, version, crc=5))
    done = ochibot("review", replay)
    assert done.returncode == 2
    assert "give its game with --game" in done.stderr


def test_the_number_of_threads_changes_nothing(one: Path, tmp_path: Path) -> None:
    single, both = (reviewed(one, "-o", tmp_path / f"{jobs}.html", "--jobs", jobs) for jobs in (1, 2))
    assert without_paths(single) == without_paths(both)


@pytest.mark.long
def test_both_sides_of_a_match_and_its_rounds(tmp_path: Path) -> None:
    folder = recorded(
        tmp_path / "two",
        *("battle", "puyo", "--player1", "versus", "--player2", "ochibot.lab.opponents:Random", "--games", 1),
        *("--max-pieces", 60, "--seed", 5, "--keep-going"),
    )
    report = reviewed(folder, "-o", tmp_path / "two.html")
    better, worse = report["seats"]
    assert (better["seat"], worse["seat"]) == (1, 2)
    assert better["accuracy"] > worse["accuracy"]
    assert all(0 <= move["chance"] <= 1 for move in report["moves"] if move["grade"])
    frames = [move["frame"] for move in report["moves"]]
    assert len(set(frames)) > len(frames) // 2


def test_pochi_and_nyaa(tmp_path: Path) -> None:
    folder = recorded(
        tmp_path / "nyaa",
        *("play", "nyaa", "--player", "ochibot.lab.opponents:Greedy", "--pieces", 10, "--seed", 3),
    )
    report = reviewed(folder, "-o", tmp_path / "nyaa.html")
    assert (report["family"], report["seats"][0]["judged"]) == ("nyaa", 10)
    for move in report["moves"]:
        assert set("".join(move["field"])) <= set(".rgbyo")
        assert {*move["choices"][0]["place"]} == {"x", "orientation", "needle"}


@pytest.mark.long
def test_a_killed_review_goes_on(one: Path, tmp_path: Path) -> None:
    page = tmp_path / "one.html"
    words = [sys.executable, "-m", "ochibot", "review", one, "-o", page, "--jobs", 1, "--effort", "normal"]
    part = tmp_path / "one.html.part"
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        ends = time.monotonic() + 120
        while time.monotonic() < ends and (not part.exists() or len(part.read_bytes().splitlines()) < 4):
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    kept = part.read_bytes().splitlines()
    assert len(kept) >= 4
    assert not page.exists()
    done = ochibot("review", one, "-o", page, "--effort", "normal", "--json", "-")
    assert done.returncode == 0, done.stderr
    whole = ochibot("review", one, "-o", tmp_path / "again.html", "--effort", "normal", "--json", "-")
    assert without_paths(json.loads(done.stdout)) == without_paths(json.loads(whole.stdout))
    assert not part.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "there is no game at nowhere"),
        (("nowhere.fm2",), "nowhere.fm2"),
        (("nowhere.avi",), "ends in"),
        (("x.bsv",), "no such movie"),
        ((".",), "run.json"),
        (("x", "--effort", "great"), "'great' is not one of"),
        (("x", "--jobs", 0), "--jobs"),
        (("x", "--json", "none/x.json"), "its folder is missing"),
    ],
)
def test_bad_input(words: tuple[object, ...], said: str) -> None:
    done = ochibot("review", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


def test_a_record_in_which_nobody_plays(tmp_path: Path) -> None:
    from tests.record.making import make

    folder = tmp_path / "idle"
    make(folder, 30)
    done = ochibot("review", folder, "-o", tmp_path / "x.html", "--effort", "quick")
    assert done.returncode == 2, done.stdout
    assert "no placement was found" in done.stderr


def test_a_movie_of_a_game_without_a_mode_for_two(tmp_path: Path) -> None:
    from ochibot.console import find_cores
    from ochibot.review.sources import open_source

    if not find_cores("gambatte"):
        pytest.skip("no core gambatte here")
    folder = recorded(tmp_path / "gb", "play", "gb", "--core", "gambatte", "--pieces", 4, "--seed", 3)
    record = Record.open(folder)
    with record.console() as console:
        state, crc = console.save(), zlib.crc32(console.rom.data)
    replay = tmp_path / "gb.replay"
    replay.write_bytes(replay_of(list(record.pads()), state, 2, crc=crc))
    followed = open_source(replay, core="gambatte").follow(lambda *_: None, lambda: False)
    assert len(followed.placements) == 4
