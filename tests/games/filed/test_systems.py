"""Game files for machines that no shipped title is for."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from ochibot.cli import main
from ochibot.console import Console, find_core, find_cores
from ochibot.games import find_game

from tests import gameboyrom

REPOSITORY = Path(__file__).resolve().parents[3]
PAGE = (REPOSITORY / "docs/your-own-game.md").read_text(encoding="utf-8")


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    """The files of docs/your-own-game.md, changed, without the two-player ones."""
    for text, name in re.findall(r"```yaml\n(# (kumi(?:-1)?\.yaml)\n.*?)```", PAGE, re.DOTALL):
        for old, new in changes:
            text = re.sub(old, new, text)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "kumi.yaml"


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["ochibot", *map(str, words)])
    return main._run()


def test_a_machine_without_a_row_needs_only_a_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Famicom's work RAM begins at address 0, so its maps are right for ``plain``."""
    if not find_cores("fceumm"):
        pytest.skip("no fceumm core here (make test gets it from stable-retro)")
    shutil.copy(REPOSITORY / "tests/variants/moved/moved.nes", tmp_path / "kumi.nes")
    file = written(tmp_path, ("system: nes", "system: plain"))
    assert run(monkeypatch, "play", file, "--pieces", 3, "--seed", 1) == 2
    assert "no core is known for any machine: give one with --core" in capsys.readouterr().err
    assert run(monkeypatch, "play", file, "--pieces", 3, "--seed", 1, "--core", "fceumm") == 0
    assert "compared 3, misplaced 0, disagreements 0, agreement 1" in capsys.readouterr().out


def test_a_game_boys_map_reads_work_ram_and_hram(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not find_cores("gambatte"):
        pytest.skip("no gambatte core here (make test gets it from stable-retro)")
    (tmp_path / "kumi.gb").write_bytes(gameboyrom.image())
    file = written(
        tmp_path,
        ("system: nes", "system: gameboy"),
        ("kumi.nes", "kumi.gb"),
        ("0x0090, type: u24le, scale: 10", "0xFF90"),
        ("0x0(...)", r"0xC\1"),
    )
    assert run(monkeypatch, "doctor", file) == 0
    assert "ready to play" in capsys.readouterr().out
    game = find_game(str(file))
    with Console.open(find_core("gameboy"), game.open_rom(None), options=game.core_options) as console:
        seat = game.seat(game.load_map(game.map_names("endless")[0]), console.ram, game.family.load_rules("famicom"))
        console.step()
        console.ram[0xFF90], console.ram[0xC3E1] = 77, 16
        assert seat.map.value("score") == 77
        assert seat.map.raw_grid("field")[0, 0] == 16
