"""``ochibot coach``: on records, in a fake RetroArch that runs our cartridge in a core, and in a real one."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ochibot.console.netcommands import PORT
from PIL import Image

from tests.commands import ochibot
from tests.console import realretroarch
from tests.console.badnetwork import BadNetwork
from tests.console.fakeretroarch import OCHIDAMA, Cartridge, FakeRetroArch

DUMMY = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def coached(*words: object, env: dict[str, str] | None = None) -> dict[str, Any]:
    """The report of a coach that must go well."""
    done = ochibot("coach", *words, "--json", "-", env=env)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def recorded(folder: Path, *words: object) -> Path:
    done = ochibot(*words, "--record", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--lockstep",), "No such option"),
        (("--show", "wall"), "--show is one of window, terminal, lines"),
        (("--at", "there"), "--at takes two numbers"),
        (("--against", "article"), "--against is for --match"),
        (("--replay", "x", "--record", "y"), "--replay is a record already"),
        (("--replay", "x", "--retroarch", "localhost"), "--replay and --retroarch are two different games"),
        (("--retroarch", "localhost", "--level", 2), "you choose it on the game's menu"),
        (("--retroarch", "localhost:9:9"), "no RetroArch answers"),
        (("--seat", 2), "in our window you have seat 1"),
        (("--replay", "nowhere"), "nowhere"),
        (("--hints", "some"), "'some' is not one of"),
    ],
)
def test_bad_input(words: tuple[object, ...], said: str) -> None:
    done = ochibot("coach", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("player", [pytest.param("chain", marks=pytest.mark.long), "article"])
def test_a_player_follows_its_own_advice(tmp_path: Path, player: str) -> None:
    folder = recorded(tmp_path / "one", "play", "puyo", "--player", player, "--pieces", 24, "--seed", 2)
    report = coached("--replay", folder, "--player", player, "--picture", tmp_path / "last.png")
    assert (report["pieces"], report["unread"], report["late"]) == (25, 0, 0)
    assert report["taken"] == [24, 0, 0, 0]
    assert {one["chance"] for one in report["log"]} == {None}
    assert (report["player"], report["latency_ms"], report["stopped_by"]) == (player, None, "the end")
    for one in report["log"]:
        assert one["took"] == 1
        assert len({tuple(place["place"].items()) for place in one["places"]}) == len(one["places"]) == 3
    assert Image.open(tmp_path / "last.png").size[0] > 200


@pytest.mark.long
def test_both_sides_of_a_match(tmp_path: Path) -> None:
    folder = recorded(
        tmp_path / "two",
        *("battle", "puyo", "--player1", "versus", "--player2", "article", "--games", 1),
        *("--max-pieces", 40, "--seed", 5, "--keep-going"),
    )
    report = coached("--replay", folder, "--seat", 1, "--hints", "none")
    assert report["player"] == "versus"
    # the battle's seed gave its player other random futures, so not all decisions are the same
    assert report["taken"][0] >= 0.6 * report["judged"] > 8
    other = coached("--replay", folder, "--seat", 2)
    chances = [one["chance"] for one in other["log"]]
    assert all(0 <= chance <= 1 for chance in chances)
    assert max(chances) - min(chances) > 0.1
    found = [danger["text"] for one in other["log"] for danger in one["dangers"]]
    sent = [text for text in found if re.fullmatch(r"\d+ nuisance above your field", text)]
    assert sent, found


def test_pochi_and_nyaa(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "three", "battle", "nyaa", "--games", 1, "--max-pieces", 20, "--seed", 3)
    report = coached("--replay", folder, "--pieces", 12)
    assert report["judged"] == 12
    assert any("in reach" in place["towards"] for one in report["log"] for place in one["places"])


def cartridge() -> FakeRetroArch:
    return FakeRetroArch(crc=zlib.crc32(OCHIDAMA.read_bytes()), machine=Cartridge())


@pytest.fixture
def in_play() -> Iterator[FakeRetroArch]:
    """A RetroArch whose game a bot has begun and left."""
    with cartridge() as there:
        done = ochibot("play", "--retroarch", there.where, "--lockstep", "--pieces", 1)
        assert done.returncode == 0, done.stderr
        there.take_pads()
        there.commands.clear()
        there.datagrams = [0, 0]
        yield there


@pytest.mark.long
def test_it_presses_and_writes_nothing(in_play: FakeRetroArch, tmp_path: Path) -> None:
    picture = tmp_path / "coach.png"
    report = coached("--retroarch", in_play.where, "--pieces", 2, "--show", "window", "--picture", picture, env=DUMMY)
    in_play.take_pads()
    assert (in_play.datagrams, in_play.held) == ([0, 0], [0, 0])
    assert not any(word.startswith(("WRITE", "RESET", "PAUSE", "FRAME")) for word in in_play.commands)
    assert (report["judged"], report["stopped_by"]) == (2, "pieces")
    assert report["latency_ms"]["most"] > 0
    assert Image.open(picture).size[0] > 200


def test_a_game_in_retroarch_is_kept_and_reviewed(in_play: FakeRetroArch, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    done = ochibot("coach", "--retroarch", in_play.where, "--show", "lines", "--pieces", 3, "--record", folder)
    assert done.returncode == 0, done.stderr
    assert "seat 1: accuracy" in done.stdout
    in_play.take_pads()
    assert (in_play.datagrams, in_play.held) == ([0, 0], [0, 0])
    assert not any(word.startswith(("WRITE", "RESET", "PAUSE", "FRAME")) for word in in_play.commands)
    assert (tmp_path / "mine.html").exists()
    kept = [json.loads(line) for line in (folder / "placements.jsonl").read_text().splitlines()]
    assert (kept[0]["game"], kept[0]["format"]) == ("puyo", "ochibot placements")
    again = ochibot("review", folder, "--effort", "quick", "--json", "-")
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert (report["source"]["kind"], len(report["moves"])) == ("placements", len(kept) - 1)
    assert {move["presses"] for move in report["moves"]} == {report["seats"][0]["extra_presses"]} == {None}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows its sockets so")
def test_netplay_is_refused(in_play: FakeRetroArch) -> None:
    with socket.socket() as host:
        host.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            host.bind(("127.0.0.1", PORT))
        except OSError:
            pytest.skip("something uses the port here")
        host.listen()
        done = ochibot("coach", "--retroarch", in_play.where, "--show", "lines")
    assert done.returncode == 2
    assert "RetroArch plays over the network" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("words", [(), ("--match", "--against", "article")], ids=["alone", "match"])
def test_in_our_window(words: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    # pieces fall fastest on level 4
    report = coached("puyo", "--pieces", 2, "--seed", 4, "--level", 4, "--record", folder, *words, env=DUMMY)
    assert (report["judged"], report["stopped_by"]) == (2, "pieces")
    assert (tmp_path / "mine.html").exists()
    assert ochibot("verify", folder).returncode == 0
    assert report["window"]["paced_frames"] > 100


@pytest.mark.long
def test_in_a_real_retroarch(tmp_path: Path) -> None:
    if not realretroarch.found():
        pytest.skip(realretroarch.MISSING)
    with realretroarch.started(tmp_path) as there:
        done = ochibot("play", "--retroarch", there.where, "--keep-going", "--pieces", 1, "--level", 4)
        assert done.returncode == 0, done.stderr
        with BadNetwork(there.address, seed=0) as network:
            report = coached("--retroarch", network.where, "--pieces", 2, "--show", "lines")
            assert network.pads == [0, 0]
            assert not any(word.startswith("WRITE") for word in network.words)
    assert report["judged"] == 2


@pytest.mark.long
def test_what_was_said_is_reported_even_if_retroarch_ends(in_play: FakeRetroArch, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    watcher = threading.Timer(6, in_play.end)
    watcher.start()
    done = ochibot("coach", "--retroarch", in_play.where, "--show", "lines", "--json", report)
    watcher.join()
    assert done.returncode == 2
    assert "answers no more" in done.stderr
    assert json.loads(report.read_text())["stopped_by"] == "error"
