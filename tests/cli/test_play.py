"""``ochibot play`` on the embedded game in the real core."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.console import find_cores
from ochibot.data import data_path
from ochibot.errors import GameError
from PIL import Image

from tests.commands import ochibot
from tests.puyo import FAMICOM

KEYS = {
    *("pieces", "compared", "misplaced", "disagreements", "agreement", "frames", "seconds", "frames_per_second"),
    *("score", "level", "best_chain", "game_over", "game_overs", "ram_sha256", "core", "rom_sha1", "seed", "speed"),
    *("contradictions", "stopped_by", "logic_overruns", "sprite_overflows", "game", "player", "rules", "options"),
    *("cut_off", "clairvoyant", "made", "given_up", "contradicted"),
}


def played(*args: object) -> dict[str, Any]:
    done = ochibot("play", *args, "--json", "-")
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_a_run_agrees_with_the_rules_in_every_lock_and_leaves_a_picture(tmp_path: Path) -> None:
    shot = tmp_path / "shots/last.png"
    report = played("--pieces", 150, "--level", 4, "--colors", 5, "--seed", 7, "--screenshot", shot)
    assert set(report) == KEYS
    assert (report["pieces"], report["compared"], report["misplaced"], report["disagreements"]) == (150, 150, 0, 0)
    assert report["agreement"] == 1.0
    assert report["game_over"] is False
    assert (report["logic_overruns"], report["sprite_overflows"]) == (0, 0)
    assert report["level"] == 4
    assert report["score"] > 0
    assert report["best_chain"] >= 1
    with Image.open(shot) as picture:
        assert picture.size == (240, 224)
        assert len(picture.getcolors(maxcolors=256) or []) > 5


@pytest.mark.long
@pytest.mark.parametrize("core", ["fceumm", "nestopia"])
def test_a_seed_gives_the_same_run_twice_and_another_seed_another(core: str) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (apt package libretro-nestopia; see docs/install.md)")
    once, twice, other = (played("--pieces", 40, "--seed", seed, "--core", core) for seed in (11, 11, 12))
    for key in KEYS - {"seconds", "frames_per_second"}:
        assert once[key] == twice[key], key
    assert once["ram_sha256"] != other["ram_sha256"]
    assert once["score"] != other["score"] or once["frames"] != other["frames"]


def test_the_seed_counts_modulo_1021() -> None:
    near, far = played("--pieces", 10, "--seed", 3), played("--pieces", 10, "--seed", 3 + 1021)
    assert near["ram_sha256"] == far["ram_sha256"]


def test_frames_end_a_run_and_a_lock_that_has_not_settled_is_cut_off() -> None:
    """Such a lock was once counted as a misprediction, although nothing was wrong."""
    reports = [played("--frames", frames, "--seed", 5) for frames in range(400, 470, 10)]
    assert {report["stopped_by"] for report in reports} == {"frames"}
    # some of these ends fall between a lock and its settled field, some don't
    assert {report["cut_off"] for report in reports} == {0, 1}
    for report in reports:
        assert report["pieces"] == report["compared"] > 0
        assert report["agreement"] == 1.0


def test_json_goes_to_a_file_and_the_summary_to_stdout(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    done = ochibot("play", "--pieces", 5, "--seed", 1, "--json", target)
    assert done.returncode == 0
    assert json.loads(target.read_text())["pieces"] == 5
    assert "agreement 1" in done.stdout
    assert "START waits 1 frame\n" in done.stdout
    assert list(target.parent.iterdir()) == [target]


TELLING = """
from ochibot.games import find_game
from ochibot.players import open_player
class Telling:
    def __init__(self, rules):
        self.mind, self.pairs = open_player(None, find_game("puyo"), rules), 0
    def choose(self, snapshot):
        self.pairs += 1
        print("thinks of pair", self.pairs)
        return self.mind.choose(snapshot)
"""
"""A module with a player that decides like the shipped one, so its game is long, and prints a line for each pair."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_run_with_its_summary(tmp_path: Path, number: signal.Signals) -> None:
    played("--pieces", 1)  # compiles the kernels, unless they are compiled already
    target = tmp_path / "report.json"
    (tmp_path / "telling.py").write_text(TELLING)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "ochibot", "play", "--seed", "1", "--json", str(target)),
            *("--player", str(tmp_path / "telling.py:Telling")),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line == "thinks of pair 6\n":
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert "stopped by an interrupt" in out
    report = json.loads(target.read_text())
    assert report["stopped_by"] == "interrupt"
    assert report["pieces"] > 0


def test_a_state_poked_below_the_score_cap_goes_on_at_the_cap() -> None:
    from ochibot.play.endless import Endless
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of
    from ochibot.puyo.search import TwoPly

    from tests import titles as game
    from tests.titles import find_player, open_console, open_rom

    with open_console(None, open_rom(None)) as console:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        seat.map.write("score", game.RULES.score_cap - 200)
        run = Endless(
            console, SeatPlayer(seat, TwoPly(find_player("article"), FAMICOM), speed_of(10)), seed=0, speed=10
        )
        run.run(pieces=60)
        assert seat.score() == game.RULES.score_cap
        assert run.result().agreement == 1.0
        assert run.result().pieces == 60


def test_a_poked_cell_is_noticed_at_once() -> None:
    """A cell is changed in RAM while a pair falls. The next settled field must then differ from the prediction."""
    from ochibot.play.endless import Endless
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of
    from ochibot.puyo.search import TwoPly

    from tests import titles as game
    from tests.titles import find_player, open_console, open_rom

    with open_console(None, open_rom(None)) as console:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {})
        hands = SeatPlayer(seat, TwoPly(find_player("article"), FAMICOM), speed_of(10))
        frames = 0

        def poke(_: object) -> None:
            nonlocal frames
            frames += 1
            if frames == 500:
                cell = 0x303 + 16 * 13
                console.ram[cell] = console.ram[cell] % 4 + 1

        run = Endless(console, hands, seed=0, speed=10, on_frame=poke)
        with pytest.raises(GameError, match="differs from the rules"):
            run.run(pieces=100)
        assert hands.tally.disagreements == 1


@pytest.mark.long
def test_after_a_game_over_the_game_is_begun_again_and_counted(tmp_path: Path) -> None:
    """A player that piles up in the middle loses quickly, and every lock of its games is still compared."""
    player = tmp_path / "piler.yaml"
    content = yaml.safe_load(data_path("configs/players/article.yaml").read_text())
    content["weights"] = dict.fromkeys(content["weights"], 0.0)
    player.write_text(yaml.safe_dump(content))
    report = played("--player", player, "--pieces", 120, "--restart", "--seed", 1, "--level", 2, "--colors", 6)
    assert report["game_overs"] >= 2
    assert (report["pieces"], report["compared"], report["agreement"]) == (120, 120, 1.0)
    assert report["level"] == 2
    ended = played("--player", player, "--pieces", 60, "--seed", 1, "--colors", 6)
    assert ended["game_over"] is True
    assert ended["stopped_by"] == "game over"
    assert ended["pieces"] == ended["compared"] < 60


@pytest.mark.long
@pytest.mark.parametrize(
    "items", [*(pytest.param(item, marks=pytest.mark.long) for item in ("big", "carbuncle")), "both"]
)
def test_items_come_and_do_what_the_rules_say(items: str) -> None:
    report = played("--items", items, "--pieces", 80, "--level", 4, "--colors", 5, "--seed", 2)
    assert (report["pieces"], report["compared"], report["agreement"]) == (80, 80, 1.0)
    plain = played("--items", "off", "--pieces", 80, "--level", 4, "--colors", 5, "--seed", 2)
    assert plain["ram_sha256"] != report["ram_sha256"]


def test_a_start_from_a_savestate(tmp_path: Path) -> None:
    from tests import titles as game
    from tests.titles import open_console, open_rom

    with open_console(None, open_rom(None)) as console:
        seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {"level": 3})
        for _ in range(20):
            console.step()
        (tmp_path / "mine.state").write_bytes(console.save())
    report = played("--from-state", tmp_path / "mine.state", "--pieces", 12)
    assert report["level"] == 3
    assert report["agreement"] == 1.0
    assert report["pieces"] == 12


def test_doctor_and_bench_report_as_json() -> None:
    report = json.loads(ochibot("doctor", "--json", "-").stdout)
    assert report["problems"] == report["hints"] == []
    assert {(player["name"], player["note"].split(",")[0]) for player in report["players"]} >= {
        ("article", "puyo"),
        ("nyaa", "nyaa"),
    }
    assert {rom["name"] for rom in report["roms"]} >= {"ochidama.nes", "togetama.zip"}
    assert {"famicom_puyo/player1", "famicom_puyo/player12", "nyaa_homebrew/player2", "pnyaa/player1"} <= {
        item["name"] for item in report["maps"]
    }
    assert {"famicom", "puyo1", "tsu", "nyaa_mvs", "nyaa_ps2", "keys"} == {item["name"] for item in report["configs"]}
    assert {"cores", "window", "video", "web", "lab", "parquet", "env"} == {item["name"] for item in report["extras"]}
    assert {"fceumm", "fbneo", "nestopia"} <= {core["name"] for core in report["cores"]}
    report = json.loads(ochibot("bench", "console", "--frames", 200, "--rounds", 1, "--json", "-").stdout)
    assert {"bare_fps", "console_fps", "play_fps", "console_ratio", "play_ratio", "fastest_play_ratio"} <= set(report)
    report = json.loads(ochibot("bench", "pilot", "--pieces", 10, "--speeds", "10", "--json", "-").stdout)
    (row,) = report["rows"]
    assert row["agreement"] == 1.0
    assert row["ratio"] <= 1.1, "frames, not seconds: the same on every machine"


@pytest.mark.long
def test_the_live_line_is_ended_before_the_summary() -> None:
    """On a terminal, the summary was once printed on the same line as the live status."""
    told, terminal = os.openpty()
    command = [sys.executable, "-m", "ochibot", "play", "--pieces", "200", "--seed", "1"]
    with subprocess.Popen(command, stdout=terminal, stderr=terminal) as process:
        os.close(terminal)
        text = b""
        with contextlib.suppress(OSError):  # raised on Linux at the end of a terminal's output
            while piece := os.read(told, 65536):
                text += piece
    os.close(told)
    assert process.returncode == 0
    lines = text.decode().replace("\r\n", "\n").split("\n")
    assert any("  agreement 1  " in line for line in lines)
    (summary,) = (line for line in lines if "stopped by --pieces" in line)
    assert summary.startswith("stopped by")


def test_the_report_is_written_though_nobody_reads_the_summary(tmp_path: Path) -> None:
    """The file was once written only after the summary had been printed, or not at all."""
    report, shot = tmp_path / "report.json", tmp_path / "shot.png"
    command = f"{sys.executable} -m ochibot play --pieces 3 --seed 1 --json {report} --screenshot {shot} | head -n 2"
    subprocess.run(command, shell=True, capture_output=True, timeout=600)
    assert json.loads(report.read_text())["pieces"] == 3
    assert shot.stat().st_size > 500


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_picture_that_cannot_be_written_costs_no_report(tmp_path: Path) -> None:
    report, shot = tmp_path / "report.json", tmp_path / "full.png"
    shot.symlink_to("/dev/full")
    done = ochibot("play", "--pieces", 3, "--seed", 1, "--json", report, "--screenshot", shot)
    assert done.returncode == 2
    assert "can't write the picture" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(report.read_text())["pieces"] == 3
