"""``ochibot calibrate`` and ``explore`` as they are typed: exit codes, --core, --effort, --from-state."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
import yaml
from ochibot.cli.calibrate import calibrate
from ochibot.console import find_core
from ochibot.data import data_path
from ochibot.experiments import run
from ochibot.experiments.exam import Exam
from ochibot.experiments.motion import motion
from ochibot.experiments.write import Files

from tests.commands import ochibot
from tests.experiments.test_command import FAMILY, OTHER, strangers  # noqa: F401
from tests.experiments.working import opened

OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")


def outcome(folder: Path, exam: Exam, *, used_up: str = "") -> Any:
    path = folder / "game.yaml"
    files = Files(path, path, path, path)
    return SimpleNamespace(
        exam=exam, files=files, learnt=1, of_two=None, failed={}, compared=[], used_up=used_up, as_dict=dict
    )


@pytest.mark.parametrize(
    ("exam", "code"),
    [(Exam("play", 300, 299), 0), (Exam("play", 300, 290), 1), (Exam("landing", 60, 60), 1), (Exam("play", 0, 0), 1)],
)
def test_drafts_end_with_exit_code_1(
    exam: Exam, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "calibrate", lambda *_, **__: outcome(tmp_path, exam, used_up="the frames were used up"))
    try:
        calibrate(output=tmp_path, blind=True)
        ended = 0
    except typer.Exit as end:
        ended = end.exit_code
    assert ended == code
    told = capsys.readouterr().out
    assert ("they are drafts" in told or "the files are drafts" in told) == bool(code)
    assert "the frames were used up" in told


def test_the_command_that_plays_names_a_core_that_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "calibrate", lambda *_, **__: outcome(tmp_path, Exam("play", 300, 300)))
    usual = find_core("nes")
    other = tmp_path / "my cores" / usual.name
    other.parent.mkdir()
    shutil.copy(usual, other)
    for core, shown in ((None, ""), (str(usual), ""), (str(other), f" --core '{other}'")):
        calibrate(output=tmp_path, blind=True, core=core)
        line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("ochibot play"))
        assert line == f"ochibot play {tmp_path / 'game.yaml'} --rom {OCHIDAMA}{shown}"


def test_a_rom_alone_is_learnt_blind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Any] = {}

    def learnt(path: Path, _: Path, **words: Any) -> Any:
        said.update(words, path=path)
        return outcome(tmp_path, Exam("play", 300, 300))

    monkeypatch.setattr(run, "calibrate", learnt)
    calibrate(output=tmp_path, rom=OCHIDAMA)
    assert said["path"] == OCHIDAMA
    assert said["documented"] is None
    calibrate("puyo", output=tmp_path, rom=OCHIDAMA)
    assert said["documented"] is not None


@pytest.mark.parametrize("command", [("calibrate", "--blind"), ("explore",)])
def test_an_effort_that_is_none_is_told(command: tuple[str, ...], tmp_path: Path) -> None:
    done = ochibot(*command, "--effort", "fast", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("ochibot: --effort is quick, normal, high, or a number of frames"), done.stderr
    assert not (tmp_path / "out").exists()


def test_too_few_frames_for_the_menus_are_told(tmp_path: Path) -> None:
    done = ochibot("explore", "--effort", "1000", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "the 1,000 emulated frames were used up" in done.stderr
    assert "--effort quick" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(("spec", "effort"), [(FAMILY, 250_000), (FAMILY, 24_000), (OTHER, 250_000), (OTHER, 40_000)])
def test_ram_watch_takes_the_maps_that_are_written(
    spec: Any,
    effort: int,
    strangers: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    learnt, _ = strangers(spec, tmp_path, effort=effort)
    done = ochibot("ram", "watch", str(OCHIDAMA), "--map", str(learnt.files.map), "--frames", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_explore_begins_at_a_savestate(tmp_path: Path) -> None:
    with opened(OCHIDAMA) as rig:
        # the menu behind the title screen
        rig.run([0] * 90)
        rig.run([8] * 3 + [0] * 41)
        (tmp_path / "menu.state").write_bytes(rig.save())
    done = ochibot("explore", "--from-state", "menu.state", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from the savestate: start (" in done.stdout
    route = yaml.safe_load((tmp_path / "out/route.yaml").read_text(encoding="utf-8"))
    assert route["from"] == "start.state"
    with opened(OCHIDAMA) as rig:
        rig.load((tmp_path / "out/start.state").read_bytes())
        rig.run([pad for pad, frames in route["pads"] for _ in range(frames)])
        assert motion(rig, rig.save())
    again = ochibot("explore", "--from-state", "out/play.state", "-o", "two", cwd=tmp_path)
    assert "play is 0 frames from the savestate: nothing to press" in again.stdout
    (tmp_path / "bad.state").write_bytes(b"nothing")
    wrong = ochibot("explore", "--from-state", "bad.state", "-o", "three", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr
