"""A game that only files describe is played, recorded, verified and shown, in a real core."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.errors import GameError, OchibotError, UsageError
from ochibot.games import find_game
from ochibot.record import Record
from ochibot.record.video.story import stories

from tests.cli.test_record import Run
from tests.games.filed import making
from tests.titles import open_console


@pytest.mark.long
def test_it_is_played_alone_and_its_record_is_verified_wherever_the_files_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: object) -> Run:
        return Run(capsys, monkeypatch, *words)

    home = tmp_path / "home"
    home.mkdir()
    file, record = making.game(home), home / "runs/one"
    played = run("play", file, "--pieces", 30, "--seed", 0, "--record", record, "--json", "-")
    report = json.loads(played.out)
    assert (report["game"], report["pieces"], report["agreement"]) == ("kumi", 30, 1.0)
    assert report["score"] > 0

    about = Record.open(record).manifest.about
    assert about.game == "kumi"
    assert about.filed is not None
    # the record doesn't reveal where its files lie on this machine
    assert str(tmp_path) not in (record / "run.json").read_text()
    monkeypatch.setattr("ochibot.games._from_outside", {})
    assert run("verify", record).code == 0
    assert run("verify", record, "--game", file).code == 0

    # when the files and the record move together, the record still finds the files
    monkeypatch.setattr("ochibot.games._from_outside", {})
    moved = tmp_path / "moved"
    home.rename(moved)
    record = moved / "runs/one"
    assert run("verify", record).code == 0
    assert run("dump", record, "--every", 300, "-o", tmp_path / "pictures").code == 0
    assert run("movie", "export", record, "-o", tmp_path / "one.fm2").code == 0

    # a record moved away from these files: ``verify`` needs the game file or the ROM; drawing plans needs only the ROM
    alone = tmp_path / "alone"
    shutil.move(record, alone)
    refusal = run("verify", alone).refusal
    assert "kumi.yaml" in refusal
    assert "--game" in refusal
    assert run("verify", alone, "--game", moved / "kumi.yaml").code == 0
    monkeypatch.setattr("ochibot.games._from_outside", {})
    assert run("verify", alone, "--rom", moved / "kumi.nes").code == 0
    opened = Record.open(alone)
    with opened.console(moved / "kumi.nes") as console:
        (story,) = stories(opened, console.ram)
        for frame in opened.replay(console):
            side = story.at(frame)
        assert side.standing.pieces == 30
        assert side.standing.score == report["score"]
    other = making.game(moved, game="other")
    assert "of the game kumi, not of other" in run("verify", alone, "--game", other).refusal


def test_two_players_meet_in_it_though_nothing_names_the_loser(tmp_path: Path) -> None:
    file = making.game(tmp_path, modes={"endless": making.GAME["modes"]["endless"], "versus": making.two_players()})
    with ochibot.open(file, seed=5) as session:
        result = session.battle("article", "article", games=2, max_pieces=25)
    assert result.games == 2
    assert result.pieces >= 2 * 2 * 25
    assert result.agreement == 1.0


def test_a_round_ends_when_one_sides_game_is_over(tmp_path: Path) -> None:
    """A player that only piles up pairs loses both games, one on either side."""
    file = making.game(tmp_path, versus="versus", modes={"versus": making.two_players()})
    with ochibot.open(file, seed=5) as session:

        class Pile:
            name = "pile"

            def choose(self, snapshot: Any) -> Any:
                return min(
                    session.game.family.placements(snapshot, session.rules),
                    key=lambda one: (abs(one.x - 3), one.x, one.y),
                )

        result = session.battle(Pile(), "article", games=2, max_pieces=100)
    assert result.wins == [0, 2]
    assert result.agreement == 1.0


def test_a_savestate_takes_the_menus_place(tmp_path: Path) -> None:
    """The savestate was made at a pair's spawn. The run begins with the pair after it."""
    file = making.game(tmp_path)
    with ochibot.open(file) as session:
        session.start()
        (tmp_path / "spawn.state").write_bytes(session.console.save())
    file = making.game(tmp_path, menu=None, state="spawn.state")
    with ochibot.open(file) as session:
        result = session.play(pieces=8)
    assert (result.pieces, result.agreement) == (8, 1.0)
    gone = ochibot.open(making.game(tmp_path, menu=None, state="gone.state"))
    with gone as session, pytest.raises(OchibotError, match=r"can't read the savestate .*gone\.state"):
        session.play(pieces=1)


def test_it_needs_no_menu_route_where_start_is_enough(tmp_path: Path) -> None:
    with ochibot.open(making.game(tmp_path, menu=None), seed=1) as session:
        result = session.play(pieces=5)
    assert (result.pieces, result.agreement) == (5, 1.0)


def test_another_rom_is_played_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game file is made for the ROMs that ``sha1`` and ``rom`` give. Any other ROM causes the warning."""
    file = making.game(tmp_path, sha1=["0" * 40])
    own = Run(capsys, monkeypatch, "play", file, "--pieces", 2, "--seed", 0)
    assert own.code == 0
    assert "wasn't made for this ROM" not in own.out
    other = tmp_path / "other.nes"
    other.write_bytes((tmp_path / "kumi.nes").read_bytes() + b"\0")
    run = Run(capsys, monkeypatch, "play", file, "--rom", other, "--pieces", 2, "--seed", 0)
    assert run.code == 0
    assert "wasn't made for this ROM" in run.out


def test_a_field_that_a_look_places_gets_ghosts(tmp_path: Path) -> None:
    look = {"field_at": {1: [20, 30]}, "cell": 10, "colors": {"red": [1, 2, 3]}}
    title = find_game(str(making.game(tmp_path, look=look)))
    blind = find_game(str(making.game(tmp_path)))
    with open_console(None) as console:
        seen, unseen = (
            one.seat(one.load_map(one.map_names("endless")[0]), console.ram, one.family.load_rules(one.rules)).look
            for one in (title, blind)
        )
    assert seen.box(1, 1, 1, (256, 240)) == (20, 30, 10)
    assert seen.box(1, 6, 13, (256, 240)) == (70, 150, 10)
    assert seen.box(1, 1, 0, (256, 240)) is None
    assert seen.box(2, 1, 1, (256, 240)) is None
    assert seen.color(1) == (1, 2, 3)
    assert unseen.box(1, 1, 1, (256, 240)) is None


def test_the_doctor_looks_at_one_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    well = Run(capsys, monkeypatch, "doctor", making.game(tmp_path), "--json", "-")
    report = json.loads(well.out)
    assert well.code == 0
    assert [rom["name"] for rom in report["roms"]] == ["kumi.nes"]
    assert [one["note"] for one in report["maps"]] == ["seat 1, any mode, 11 calibrated"]
    (tmp_path / "kumi.nes").unlink()
    (tmp_path / "one.yaml").write_text("entries: {}\n")
    ill = Run(capsys, monkeypatch, "doctor", tmp_path / "kumi.yaml", "--json", "-")
    assert ill.code == 1
    assert len(json.loads(ill.out)["problems"]) == 2


class TestRoutes:
    """How menu routes are followed, and the message when a route gets stuck."""

    @staticmethod
    def stopped(tmp_path: Path, *menu: str) -> str:
        with ochibot.open(making.game(tmp_path, menu=list(menu))) as session, pytest.raises(GameError) as raised:
            session.play(pieces=1)
        return str(raised.value)

    def test_the_step_and_the_entries(self, tmp_path: Path) -> None:
        message = self.stopped(tmp_path, "start until screen = 2", "wait until screen = 9 within 50", "a until spawn")
        assert message.startswith("the menu route of kumi stopped at step 2 of 3, 'wait until screen = 9 within 50'")
        assert message.endswith("; then screen = 2")

    def test_one_without_an_end_waits_for_a_pair(self, tmp_path: Path) -> None:
        message = self.stopped(tmp_path, "start until 0x700 = 2 and phase != 3")
        assert "at step 2 of 2, 'wait until spawn', after 1,800 frames" in message
        with ochibot.open(making.game(tmp_path, menu="start until screen = 2, start x 2")) as session:
            assert session.play(pieces=3).agreement == 1.0

    def test_what_was_chosen_is_set_by_the_route(self, tmp_path: Path) -> None:
        """The route sets the level. For this, the test adds the entry ``level`` of our shipped map."""
        menu = [
            "start until screen = 2",
            "down until 0x709 = 2",
            "right until level = $level",
            "up until 0x6F = 0",
            "a, start",
        ]
        one = making.one_player()
        one["entries"]["level"] = {"address": 0x0070, "source": "calibrated"}
        file = making.game(tmp_path, menu=menu, options={"level": {"from": 1, "to": 4}})
        making.write(tmp_path, "one.yaml", one)
        for level in (None, 3):
            options = {} if level is None else {"level": level}
            with ochibot.open(file, options=options) as session:
                assert session.play(pieces=2).agreement == 1.0
                assert session.seats()[0].level() == (level or 1)
        without = making.game(tmp_path, options={"level": {"from": 1, "to": 4}})
        making.write(tmp_path, "one.yaml", one)
        chosen = ochibot.open(without, options={"level": 2})
        with chosen as session, pytest.raises(UsageError, match=r"add a step such as 'right until level = \$level'"):
            session.play(pieces=1)

    def test_an_entry_that_the_map_lacks(self, tmp_path: Path) -> None:
        message = r"no entry 'mode', which the menu step 'start until mode = 1' looks at"
        opened = ochibot.open(making.game(tmp_path, menu=["start until mode = 1"]))
        with opened as session, pytest.raises(OchibotError, match=message):
            session.play(pieces=1)


@pytest.mark.long
def test_a_start_that_fails_prints_no_score_and_names_the_spawn_sign(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ROM is of another game, the toy. The start is given up after a number of frames, not after a time."""
    toy = Path(__file__).resolve().parents[2] / "toy/toy.nes"
    run = Run(capsys, monkeypatch, "play", "--rom", toy)
    assert run.code == 2
    assert "spawning at 0x004a, now 0" in run.err
    assert "after 2,400 frames" in run.err
    assert "another game" in run.err
    assert "score" not in run.out
    run = Run(capsys, monkeypatch, "battle", "--rom", toy)
    assert run.code == 2
    assert "mode = 0 (wanted 2)" in run.err
    assert "wins" not in run.out
