"""How a newcomer's mistakes in a game file and its map are reported: each message says what to give."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from ochibot.cli import main

from tests.commands import ochibot

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = (REPOSITORY / "docs/your-own-game.md").read_text(encoding="utf-8")


def _write(folder: Path) -> None:
    shutil.copy(REPOSITORY / "tests/variants/moved/moved.nes", folder / "kumi.nes")
    for text, name in re.findall(r"```yaml\n(# (?:(\S+\.yaml))\n.*?)```", PAGE, re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Plays a piece first, so that the lines which the tests count don't include messages about compiling kernels."""
    folder = tmp_path_factory.mktemp("whole")
    _write(folder)
    assert ochibot("play", folder / "kumi.yaml", "--pieces", 1).returncode == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the ROM and the files of docs/your-own-game.md."""
    _write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


LEFT_OUT = "address: 0x0073, offset: 1, source: calibrated"


@pytest.mark.parametrize(
    ("file", "right", "wrong", "message"),
    [
        (
            "kumi-1.yaml",
            "  field: ",
            "\tfield: ",
            "line 9: not valid YAML: it has a tab; indent with spaces",
        ),
        ("kumi-1.yaml", "0x03E1", "03E1", "a hexadecimal number begins with 0x, such as 0x03E1"),
        ("kumi-1.yaml", "0x0073", "$0073", "a hexadecimal number begins with 0x, such as 0x0073"),
        ("kumi-1.yaml", "0x0073", "0073h", "a hexadecimal number begins with 0x, such as 0x0073"),
        # YAML reads 0073 as the octal number 59, so users looked for the error elsewhere in the map
        ("kumi-1.yaml", "0x0073", "0073", "0073 begins with 0: write 0x73 (hexadecimal) or 73"),
        (
            "kumi-1.yaml",
            LEFT_OUT,
            LEFT_OUT[:-20],
            "source: is missing; give documented, calibrated or homebrew",
        ),
        ("kumi.yaml", "game: kumi\n", 'game: "kumi\n', "a quote or a bracket is opened and never closed"),
        ("kumi.yaml", "start until state = 2", "start until stat = 2", "looks at, did you mean state?"),
        ("kumi-1.yaml", "columns: 6", "columns: 8", "a grid of 14 rows and 6 columns, and has 14 and 8: correct them"),
        ("kumi.yaml", "system: nes", "system: nes\ncore: nestopiaa", "no core found for nestopiaa"),
        ("kumi-1.yaml", "seat: 1", "seat: 2", "is for seat 2, not for seat 1; give a map of that seat"),
    ],
)
def test_a_slip_of_the_pen_is_one_clear_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: str,
    right: str,
    wrong: str,
    message: str,
) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["ochibot", "play", "kumi.yaml", "--pieces", "3", "--seed", "1"])
    assert main._run() == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert len(said) < 300


@pytest.mark.parametrize(
    ("file", "right", "wrong", "message"),
    [
        ("kumi.yaml", "rules: famicom", "", "rules: is missing; give the name of a shipped profile, such as famicom"),
        (
            "kumi.yaml",
            "system: nes",
            "",
            "system: is missing; give nes, megadrive, neogeo, system_c2, gameboy, mastersystem, gamegear, snes, "
            "pcengine, gba or plain",
        ),
        (
            "kumi-1.yaml",
            "symbols: sides,",
            "symbols: side,",
            "codes.sides: no entry uses this code table; an entry asks for side, which isn't there: give both one name",
        ),
        (
            "kumi-1.yaml",
            "spawn:   {entry: phase, is: 16}",
            "spawn:   {entry: phase, is: 17}",
            "the spawn sign (phase at 0x0070, now 32) never rose",
        ),
        ("kumi-1.yaml", "x:            {address: 0x0073,", "x: {address: 0x0173,", "`ochibot ram check` lists what is"),
    ],
)
def test_a_mistake_is_reported_with_what_to_give(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: str,
    right: str,
    wrong: str,
    message: str,
) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["ochibot", "play", "kumi.yaml", "--pieces", "3", "--seed", "1"])
    assert main._run() != 0
    said = capsys.readouterr().err
    assert message in said
    # the message names the screen's file, whose folder may have a long name
    assert len(re.sub(r"the screen: \S+", "", said.splitlines()[0])) < 290


@pytest.mark.proof
@pytest.mark.long
def test_a_check_of_a_map_with_signs_of_its_own_keeps_what_they_ask_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The map's phases are 16 and 32. The check once judged them by the shipped games' phases and dropped ``phase``."""
    text = (folder / "kumi-1.yaml").read_text(encoding="utf-8")
    (folder / "kumi-1.yaml").write_text(text.replace("address: 0x0073", "address: 0x0173"), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["ochibot", "ram", "check", "kumi.yaml", "--pieces", "5"])
    assert main._run() == 1
    out = capsys.readouterr().out
    assert "mend: address: 0x0073, offset: 1" in out
    assert "1 contradiction\n" in out
    assert "5 pieces, agreement 1 " in out
