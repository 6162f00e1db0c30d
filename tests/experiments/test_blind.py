"""Blind calibration: what it learns is compared with the shipped map, and with the variants' truth.yaml."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import CalibrationError
from ochibot.experiments.learn import learn
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rulesfile import rules_of
from ochibot.experiments.run import calibrate
from ochibot.experiments.write import COLORS, map_of
from ochibot.puyo.rules.file import load_rules
from ochibot.ram import RamMap

from tests.commands import ochibot
from tests.experiments.roms import moving_sprite, noise
from tests.experiments.truth import assert_equals_truth, of_variants, rom_of
from tests.experiments.working import VARIANTS, opened

OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")
SHIPPED = data_path("ram_maps/famicom_puyo/player1.yaml")
SAME = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score")


def learnt_blind(rom: Path, folder: Path) -> tuple[Learnt, dict[str, Any]]:
    with opened(rom) as rig:
        found = learn(rig, Notebook(folder, "test"))
        return found, map_of(found, rig, "mine")


@pytest.fixture(scope="module")
def ochidama(tmp_path_factory: pytest.TempPathFactory) -> tuple[Learnt, dict[str, Any]]:
    return learnt_blind(OCHIDAMA, tmp_path_factory.mktemp("blind"))


@pytest.mark.long
def test_the_learnt_map_has_the_shipped_one_s_addresses(ochidama: tuple[Learnt, dict[str, Any]]) -> None:
    ram_map = RamMap.model_validate(ochidama[1])
    shipped = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))["entries"]
    for name in SAME:
        entry = ram_map.entries[name]
        assert entry.address == shipped[name]["address"], name
        assert (entry.type, entry.scale, entry.offset) == (
            shipped[name].get("type", "u8"),
            shipped[name].get("scale", 1),
            0,
        )
        assert entry.source == "calibrated"
    field = ram_map.entries["field"]
    for part in ("address", "rows", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == shipped["field"][part]


@pytest.mark.long
def test_the_learnt_codes_are_the_shipped_ones_up_to_names(ochidama: tuple[Learnt, dict[str, Any]]) -> None:
    shipped = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))["codes"]["puyo"]["values"]
    codes = ochidama[1]["codes"]["cells"]["values"]
    assert {value for value, name in codes.items() if name in COLORS} == {
        value for value, name in shipped.items() if name in COLORS
    }
    for kind in ("empty", "nuisance"):
        assert [v for v, name in codes.items() if name == kind] == [v for v, name in shipped.items() if name == kind]


@pytest.mark.long
def test_the_learnt_rules_are_the_shipped_profile_s(ochidama: tuple[Learnt, dict[str, Any]]) -> None:
    made = rules_of(ochidama[0], "mine")
    assert made is not None
    rules, profile = made[0], load_rules("famicom")
    assert (rules["visible_rows"], rules["hidden_rows"], rules["clear_size"]) == (13, 1, 4)
    assert (rules["kicks"], rules["quick_turn"], rules["ceiling"]) == (True, False, "solid")
    formula = ochidama[0].formula
    assert formula is not None
    seen = len(formula.chain_power)
    assert seen >= 5
    # beyond the table its last entry goes on
    assert tuple(formula.chain_power) == (profile.chain_power + profile.chain_power[-1:] * seen)[:seen]
    assert tuple(rules["score"]["color_bonus"]) == profile.color_bonus
    assert tuple(rules["score"]["group_bonus"]) == profile.group_bonus


@pytest.mark.long
def test_the_learnt_timing_is_that_of_the_cartridge_s_page(ochidama: tuple[Learnt, dict[str, Any]]) -> None:
    timing = ochidama[0].timing
    assert timing is not None
    assert (timing.fall, timing.soft) == (40, 2)
    assert (timing.repeat_first, timing.repeat) == (12, 3)
    assert timing.control == 12
    # a pair locks after 28 frames on the floor, counted from the frame after it landed, and moves don't prolong that
    assert timing.lock == timing.lock_moved == 29


def test_where_nothing_falls_no_map_is_written(tmp_path: Path) -> None:
    rom = tmp_path / "game.nes"
    rom.write_bytes(noise(1))
    began = time.process_time()
    with pytest.raises(CalibrationError, match="nothing was found that falls"):
        calibrate(rom, tmp_path / "out", game="nothing")
    assert not list((tmp_path / "out").glob("*.yaml"))
    assert time.process_time() - began < 120


@pytest.mark.long
def test_where_something_falls_on_no_grid_the_map_has_x_and_y_alone(tmp_path: Path) -> None:
    rom = tmp_path / "game.nes"
    rom.write_bytes(moving_sprite())
    done = ochibot("calibrate", "--blind", "--rom", str(rom), "-o", "out", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "no field was found, so nothing plays it yet; the map: out/game-p1.yaml" in done.stdout
    entries = yaml.safe_load((tmp_path / "out/game-p1.yaml").read_text(encoding="utf-8"))["entries"]
    # the sprite's own bytes, not their copies in the sprite list
    assert (entries["x"]["address"], entries["y"]["address"]) == (0x40, 0x41)
    assert entries["x"]["note"].startswith("likely: ")
    watched = ochibot("ram", "watch", str(rom), "--map", "out/game-p1.yaml", "--frames", "3", cwd=tmp_path)
    assert watched.returncode == 0, watched.stderr


@pytest.mark.proof
@pytest.mark.long
def test_an_experiment_that_is_in_the_notebook_is_not_done_again(
    ochidama: tuple[Learnt, dict[str, Any]], tmp_path: Path
) -> None:
    class KilledError(Exception):
        pass

    def told(what: str, number: int) -> None:
        del what
        if number == 9:
            raise KilledError

    with opened(OCHIDAMA) as rig, pytest.raises(KilledError):
        learn(rig, Notebook(tmp_path, "test", told))
    kept = set(json.loads((tmp_path / "notebook.json").read_text())["pages"])
    assert len(kept) == 8
    with opened(OCHIDAMA) as rig:
        book = Notebook(tmp_path, "test")
        again = learn(rig, book)
        assert book.resumed == 8
        assert map_of(again, rig, "mine") == ochidama[1]


@pytest.mark.proof
@pytest.mark.long
def test_a_killed_calibration_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ochibot", "calibrate", "--blind", "--pieces", "300", "--name", "mine"]
    command += ["--rom", str(OCHIDAMA), "-o", str(tmp_path), "--json", str(tmp_path / "out.json")]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while running.poll() is None and not (tmp_path / "notebook.json").exists():
        time.sleep(0.05)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    report = json.loads((tmp_path / "out.json").read_text())
    assert report["resumed"] >= 1
    assert report["exam"]["agreement"] >= 0.999
    assert report["exam"]["pieces"] >= 300
    assert not report["draft"]


TRUTHS = sorted(VARIANTS.glob("*/truth.yaml"))


@pytest.mark.proof
@pytest.mark.parametrize("truth_file", of_variants(TRUTHS, "packed"))
def test_a_variant_is_learnt_blind(truth_file: Path, tmp_path: Path) -> None:
    outcome = calibrate(rom_of(truth_file), tmp_path, game="mine")
    assert_equals_truth(truth_file, outcome, tmp_path)
