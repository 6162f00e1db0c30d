"""``--record``, ``--dump``, ``ochibot dump`` and ``ochibot verify`` as a user meets them: words, files, exit codes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ochibot.cli import main
from ochibot.cli.running import recorded_line
from ochibot.console import Button
from ochibot.data import data_path
from ochibot.errors import OutputError
from ochibot.games import find_game
from ochibot.games.title import Title
from ochibot.record import About, Record, Recorder
from ochibot.record.dump import open_dump
from ochibot.record.manifest import LOG, MANIFEST
from ochibot.record.segment import Segment
from PIL import Image

from tests import nesrom
from tests.commands import ochibot
from tests.record.making import make, mash, rewrite
from tests.titles import HOMEBREW_ROM, open_console, open_rom


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "mashed", 120)


class Run:
    """One command in this process: its exit code and what it has printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *args: object) -> None:
        monkeypatch.setattr(sys, "argv", ["ochibot", *map(str, args)])
        self.code = main._run()
        self.out, self.err = capsys.readouterr()

    @property
    def refusal(self) -> str:
        """The command's one line on stderr. Asserts that the command was refused."""
        assert self.code == 2, (self.code, self.out, self.err)
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("ochibot: ")
        return lines[0]


def test_a_recorded_run_from_the_shell_to_its_verification(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is played in a process of its own. Its report and its record agree."""
    folder = tmp_path / "run"
    done = ochibot(
        *("play", "--pieces", 12, "--level", 4, "--seed", 3, "--record", folder, "--dump", "locks", "--json", "-")
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    record = Record.open(folder)
    locks = list(record.locks())
    assert record.end == report["stopped_by"] == "pieces"
    assert len(locks) == report["pieces"] == 12
    assert locks[-1].score == report["score"]
    told = record.manifest.about
    assert (told.command, told.game, told.mode, told.seed, told.settings) == (
        *("play", "puyo", "endless", 3),
        {"level": 4},
    )
    assert [player.name for player in told.players] == ["article"]
    assert list(open_dump(folder / "dump").entries) == [lock.frame for lock in locks]
    run = Run(capsys, monkeypatch, "verify", folder, "--dump", folder / "dump", "--json", "-")
    assert run.code == 0, run.err
    verified = json.loads(run.out)
    assert (verified["same"], verified["frames"], verified["dumped"]) == (True, record.frames, 12)
    assert Run(capsys, monkeypatch, "dump", folder, "--at-locks", "-o", tmp_path / "again").code == 0
    for path in (folder / "dump").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


@pytest.mark.long
def test_a_battle_is_recorded_with_both_seats_and_its_resets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "battle"
    run = Run(capsys, monkeypatch, *("battle", "--games", 2, "--max-pieces", 3, "--seed", 2, "--record", folder))
    assert run.code == 0, run.err
    record = Record.open(folder)
    assert [jump.kind for jump in record.jumps()] == ["reset", "reset"]
    assert {lock.seat for lock in record.locks()} == {1, 2}
    assert {lock.piece for lock in record.locks()} >= {0, 1, 2}
    assert any(pads[1] for pads in record.pads())
    assert Run(capsys, monkeypatch, "verify", folder, "--whole").code == 0


@pytest.mark.long
def test_a_start_from_a_savestate_is_recorded(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with original.console() as console:
        for _ in original.replay(console, 1, 130):
            pass
        (tmp_path / "mine.state").write_bytes(console.save())
    options = ("--from-state", tmp_path / "mine.state", "--frames", 90, "--record", tmp_path / "r")
    assert Run(capsys, monkeypatch, "play", *options).code == 0
    record = Record.open(tmp_path / "r")
    assert (record.manifest.start, record.frames, record.manifest.about.seed) == ("savestate", 90, None)
    assert Run(capsys, monkeypatch, "verify", tmp_path / "r").code == 0


def test_a_difference_is_reported_with_exit_code_1_and_a_picture(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(original.path, tmp_path / "r")
    record = Record.open(tmp_path / "r")

    def change(segment: Segment) -> None:
        segment.pads[40:60] ^= int(Button.LEFT | Button.A)

    rewrite(record, change, 1)
    shown = tmp_path / "shown.png"
    run = Run(capsys, monkeypatch, "verify", tmp_path / "r", "--picture", shown, "--json", tmp_path / "report.json")
    assert run.code == 1
    assert "the RAM differs at frame 141" in run.out
    assert "expected 0x" in run.out
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["same"], report["difference"]["frame"], report["difference"]["kind"]) == (False, 141, "RAM")
    with Image.open(shown) as image:
        assert image.size == (3 * 240 + 2 * 8, 224)
        picture = np.asarray(image)
    kept = dict(record.pictures())[200]
    assert (picture[:, :240] == kept).all()
    assert (picture[:, 248:488] != kept).any()


def test_a_record_without_an_end_is_reported(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(original.path, tmp_path / "r")
    log = tmp_path / "r" / LOG
    log.write_bytes(log.read_bytes()[:-200])
    run = Run(capsys, monkeypatch, "verify", tmp_path / "r")
    assert run.code == 0
    assert "has no end" in run.out
    assert "frames 1 to 200 " in run.out
    assert "is not whole" in Run(capsys, monkeypatch, "verify", tmp_path / "r", "--whole").refusal
    log.write_bytes(log.read_bytes()[:50])
    assert "cut short" in Run(capsys, monkeypatch, "verify", tmp_path / "r").refusal


def test_what_cannot_be_done_is_refused_in_one_line(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: object) -> str:
        return Run(capsys, monkeypatch, *args).refusal

    folder = original.path
    assert "is not a record" in refused("verify", tmp_path / "none")
    assert "is not a record" in refused("dump", tmp_path, "--every", 5, "-o", tmp_path / "d")
    assert "frames 1 to" in refused("verify", folder, "--from", 100_000)
    assert "is not a dump" in refused("verify", folder, "--dump", tmp_path)
    assert "no such ROM" in refused("verify", folder, "--rom", tmp_path / "x.nes")
    assert "one of --every K" in refused("dump", folder, "-o", tmp_path / "d")
    assert "ends at frame" in refused("dump", folder, "--every", 99_999, "-o", tmp_path / "d")
    assert "tells of no lock" in refused("dump", folder, "--at-locks", "-o", tmp_path / "d")
    (tmp_path / "file").write_text("mine")
    assert "it is a file" in refused("dump", folder, "--every", 50, "-o", tmp_path / "file")
    assert "comes after" in refused("dump", folder, "--from", 9, "--to", 3, "-o", tmp_path / "d")
    assert "ends at frame" in refused("dump", folder, "--from", 5, "--to", 99_999, "-o", tmp_path / "d")
    assert "A-B" in refused("dump", folder, "--frames", "9-3", "-o", tmp_path / "d")
    assert "give --record" in refused("play", "--dump", "locks", "--pieces", 1)
    assert "every=K" in refused("play", "--dump", "every=0", "--record", tmp_path / "r", "--pieces", 1)
    assert "something is in it" in refused("play", "--record", folder, "--pieces", 1)
    assert "something is in it" in refused("battle", "--record", folder)
    shutil.copytree(folder, tmp_path / "flipped")
    data = bytearray((tmp_path / "flipped" / LOG).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "flipped" / LOG).write_bytes(data)
    assert "block " in refused("verify", tmp_path / "flipped")
    assert "block " in refused("dump", tmp_path / "flipped", "--every", 5, "-o", tmp_path / "d")
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize("damage", ["cut", "value", "key"])
def test_of_a_damaged_run_json_little_is_quoted(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    shutil.copytree(original.path, tmp_path / "r")
    manifest = tmp_path / "r" / MANIFEST
    text = manifest.read_text()
    if damage == "cut":
        manifest.write_text(text[: len(text) // 2])
    else:
        told = json.loads(text)
        told.update({"every": "x" * 5000} if damage == "value" else {"y" * 5000: 1})
        manifest.write_text(json.dumps(told))
    line = Run(capsys, monkeypatch, "verify", tmp_path / "r").refusal
    assert str(manifest) in line
    assert len(line) < len(str(manifest)) + 250


def test_our_rom_is_known_by_its_content_not_its_name(
    original: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy under another name needs no --rom; another ROM under our name does."""
    ours = data_path(HOMEBREW_ROM).read_bytes()
    for folder, name, data in (("a", "copy.nes", ours), ("b", original.manifest.rom.name, nesrom.image())):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(data)
        with (
            open_console(None, open_rom(tmp_path / folder / name)) as console,
            Recorder.begin(tmp_path / folder / "record", console, About(command="test")) as recorder,
        ):
            for _ in range(5):
                recorder.console.step()
    assert Run(capsys, monkeypatch, "verify", tmp_path / "a/record").code == 0
    assert "isn't the shipped one" in Run(capsys, monkeypatch, "verify", tmp_path / "b/record").refusal
    given = tmp_path / "b" / original.manifest.rom.name
    assert Run(capsys, monkeypatch, "verify", tmp_path / "b/record", "--rom", given).code == 0


@pytest.mark.parametrize(("game", "called"), [("puyo", "Ochidama"), ("nyaa", "Togetama")])
def test_a_record_of_an_older_rom_of_ours_is_named_as_that(
    game: str, called: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record made with the present ROM is still known as ours when a later version of the ROM is shipped."""
    title, folder = find_game(game), tmp_path / "record"
    assert isinstance(title, Title)
    with open_console(None, title.open_rom(None), title) as console:
        with Recorder.begin(folder, console, About(command="test", game=game), options=title.core_options) as recorder:
            for _ in range(5):
                recorder.console.step()
        present = console.rom.sha1
    assert title.earlier_rom(present) is None
    assert Run(capsys, monkeypatch, "verify", folder).code == 0
    later = later_version(title, tmp_path)
    monkeypatch.setattr(title, "table", replace(title.table, rom=str(later), earlier_roms=("0" * 40, present)))
    assert title.earlier_rom(present) == called
    line = Run(capsys, monkeypatch, "verify", folder).refusal
    for word in (f"made with an older {called} of this project", present, "--rom", "record the run anew"):
        assert word in line
    assert len(line) < 300
    run = Run(capsys, monkeypatch, "verify", folder, "--rom", later)
    assert run.code == 1
    assert f"not {present}, an older {called} of this project" in run.out
    monkeypatch.setattr(title, "table", replace(title.table, earlier_roms=()))
    assert "isn't the shipped one" in Run(capsys, monkeypatch, "verify", folder).refusal


def later_version(title: Title, folder: Path) -> Path:
    """Makes a copy of the shipped ROM that plays the same: a zip gets a comment, another file a new last byte."""
    shipped = title.shipped_rom()
    assert shipped is not None
    for path in shipped.parent.glob(f"{shipped.stem}.*"):
        shutil.copy(path, folder / path.name)
    later = folder / shipped.name
    if shipped.suffix == ".zip":
        with zipfile.ZipFile(later, "a") as archive:
            archive.comment = b"another version"
    else:
        later.write_bytes(later.read_bytes()[:-1] + b"\x42")
    return later


@pytest.mark.parametrize("game", ["puyo", "nyaa"])
def test_every_rom_that_was_shipped_is_listed(game: str) -> None:
    """All versions of the file in git are in the title's list. Skipped in a copy of the project without its history."""
    title = find_game(game)
    assert isinstance(title, Title)
    shipped = title.shipped_rom()
    assert shipped is not None
    git = ("git", "-C", str(shipped.parent))
    log = subprocess.run([*git, "log", "--first-parent", "--format=%H", "--", shipped.name], capture_output=True)
    if log.returncode:
        pytest.skip("this copy of the project has no history")
    for commit in log.stdout.decode().split():
        told = subprocess.run([*git, "show", f"{commit}:./{shipped.name}"], capture_output=True)
        sha1 = hashlib.sha1(told.stdout, usedforsecurity=False).hexdigest()
        if told.returncode == 0:
            assert title.is_homebrew(sha1) or sha1 in title.table.earlier_roms, (commit, sha1)


def test_a_neogeo_record_takes_the_folder_of_the_system_rom_and_makes_no_movie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """We don't have the real game, so the test only checks that its system ROM is looked for in the folder given."""
    nyaa, folder = find_game("nyaa"), tmp_path / "record"
    with open_console(None, nyaa.open_rom(None), nyaa) as console:
        about = About(command="test", game="nyaa")
        with Recorder.begin(folder, console, about, options=nyaa.core_options) as recorder:
            for _ in range(5):
                recorder.console.step()
    (tmp_path / "bios").mkdir()
    (tmp_path / "pnyaa.zip").write_bytes(b"not ours to have")
    given = ("--rom", tmp_path / "pnyaa.zip", "--system", tmp_path / "bios")
    for command in (
        ("verify", folder),
        ("dump", folder, "--every", 1, "-o", tmp_path / "d"),
        ("video", folder, "-o", tmp_path / "x.gif"),
        ("bench", "console", "nyaa"),
    ):
        assert f"no neogeo.zip in {tmp_path / 'bios'}" in Run(capsys, monkeypatch, *command, *given).refusal
    assert Run(capsys, monkeypatch, "verify", folder).code == 0
    refusal = Run(capsys, monkeypatch, "movie", "export", folder, "-o", tmp_path / "x.fm2").refusal
    assert "movies are made of records of nes, gameboy, gba" in refusal
    assert not (tmp_path / "x.fm2").exists()


@pytest.mark.parametrize("at_the_end", [False, True])
def test_after_an_error_of_the_disk_the_summary_states_the_frames_kept(tmp_path: Path, at_the_end: bool) -> None:
    """A full device takes the place of the log after 30 frames, of which 25 are in whole blocks."""
    with open_console(None, open_rom(None)) as console:
        folder = tmp_path / "r"
        recorder = Recorder.begin(folder, console, About(command="test"), every=5, segment=25)
        for _ in range(30):
            recorder.console.step()
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, recorder._log._file)
        os.close(full)
        if not at_the_end:
            with pytest.raises(OutputError, match="No space left"):
                mash(recorder.console, 30)
        assert recorded_line(recorder) == f"record {folder}: 25 frames"
        if at_the_end:
            # the command must still fail
            with pytest.raises(OutputError, match="No space left"):
                recorder.close()
    assert Record.open(folder).frames == 25
