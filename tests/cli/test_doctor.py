"""``ochibot doctor`` names the ROMs in roms/ correctly."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules.pair import NyaaState
from ochibot.puyo.rules.pair import PairState

from tests import gameboyrom
from tests.cli.test_record import Run
from tests.titles import HOMEBREW_ROM

TOY = Path(__file__).resolve().parents[1] / "toy/toy.nes"


def test_another_games_rom_is_not_called_puyo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "roms"
    folder.mkdir()
    shutil.copy(TOY, folder / "b.nes")
    shutil.copy(data_path(HOMEBREW_ROM), folder / "a.nes")
    (folder / "c.nes").write_bytes(b"no ROM at all")
    (folder / "d.gb").write_bytes(gameboyrom.image())
    (folder / "e.gb").write_bytes(b"no ROM at all")
    monkeypatch.chdir(tmp_path)
    report = json.loads(Run(capsys, monkeypatch, "doctor", "--json", "-").out)
    ours, other, none, portable, bad = [rom["note"] for rom in report["roms"] if rom["name"].startswith("roms")]
    assert ours.startswith("puyo, SHA-1 ")
    assert other.startswith(
        "a ROM for the Famicom that isn't known here, SHA-1 cdc7295c5be1529dc6164b5e9cd97c955ec44df4"
    )
    assert "puyo" not in other
    assert none.startswith("can't be used")
    assert portable.startswith("a ROM for the Game Boy that isn't known here, SHA-1 ")
    assert bad.startswith("can't be used (gb: roms/e.gb is cut short")


def test_where_a_pair_is_reads_as_people_say_it() -> None:
    assert str(PairState(3, 1, Orientation.UP)) == "column 3, row 1, partner up"
    assert str(NyaaState(4, 1, Orientation.LEFT, True)) == "column 4, row 1, partner left, needles"
    assert repr(PairState(3, 1, Orientation.UP)) == "PairState(x=3, y=1, orientation=Orientation.UP)"
