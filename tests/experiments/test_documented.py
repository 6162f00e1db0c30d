"""Calibration that starts from the addresses of a documented map."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.errors import MapError
from ochibot.experiments.documented import hints_of
from ochibot.experiments.learn import learn
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.report import compared_rows
from ochibot.experiments.run import calibrate
from ochibot.experiments.start import starting_map
from ochibot.experiments.write import map_of
from ochibot.games import find_game
from ochibot.ram import RamMap
from ochibot.ramtools.opening import open_rom

from tests.experiments.test_blind import TRUTHS
from tests.experiments.truth import assert_equals_truth, of_variants, rom_of
from tests.experiments.working import VARIANTS, opened

# variants that are learnt in full from documented addresses; the others are learnt blind only
TOLD = [path for path in TRUTHS if path.parent.name in ("columns", "digits", "partner", "shifted", "visible")]

OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")


def documented(rom: Path) -> RamMap:
    return starting_map(find_game("puyo"), None, open_rom(rom))


def verdicts(rom: Path, folder: Path) -> tuple[Learnt, dict[str, str]]:
    """Learns a game from the documented map. Returns what was learnt, and the verdict on each entry."""
    ram_map = documented(rom)
    with opened(rom) as rig:
        found = learn(rig, Notebook(folder, "test"), documented=ram_map)
        rows = [*compared_rows(map_of(found, rig, "mine"), ram_map), *found.judged]
    return found, {name: verdict for name, _, _, verdict in rows}


def test_only_public_entries_are_taken_from_a_shipped_map() -> None:
    public = documented(OCHIDAMA)
    assert {"x", "field", "spawning", "blocks"} <= set(public.entries)
    assert not {"phase", "state", "pending"} & set(public.entries)
    with opened(OCHIDAMA) as rig:
        hints = hints_of(public, rig)
    # the map's names for the field's codes are true of our own game only, so the experiments don't get them
    assert hints.names == {}
    assert (hints.places["x"], hints.places["next_partner"]) == (0x0669, 0x0068)


@pytest.mark.proof
def test_each_documented_entry_of_the_famicom_game_is_confirmed_by_an_experiment(tmp_path: Path) -> None:
    found, said = verdicts(OCHIDAMA, tmp_path)
    assert {name for name, verdict in said.items() if verdict == "CONTRADICTED"} == set()
    assert {name for name, verdict in said.items() if verdict == "not tried"} == {"digits"}
    assert {name for name, verdict in said.items() if verdict == "not contradicted"} == {"mode", "level"}
    assert {"x", "y", "field", "score", "blocks", "drop_timer", "sprite_x", "sprite_y", "spawning"} <= {
        name for name, verdict in said.items() if verdict == "confirmed"
    }
    assert found.kicks is not None
    assert found.above is not None
    assert (found.kicks.wall, found.kicks.floor, found.above.hidden_rows, found.above.hidden_clear) == (
        *(True, True, 1, False),
    )


@pytest.mark.proof
@pytest.mark.long
def test_what_a_game_has_elsewhere_is_learnt_and_the_contradiction_told(tmp_path: Path) -> None:
    _, said = verdicts(VARIANTS / "narrow" / "narrow.nes", tmp_path)
    # narrow's rows are 12 bytes apart instead of 16, and the byte beside a cell holds no marks
    assert {name for name, verdict in said.items() if verdict == "CONTRADICTED"} == {"field", "marks"}


def test_a_map_of_another_system_is_refused() -> None:
    with pytest.raises(MapError, match="megadrive"):
        starting_map(None, Path("tsu/player1"), open_rom(OCHIDAMA))


def test_a_map_that_is_nowhere_is_told_with_those_that_are() -> None:
    with pytest.raises(MapError, match="famicom_puyo/player1"):
        starting_map(None, Path("nowhere"), open_rom(OCHIDAMA))


@pytest.mark.proof
@pytest.mark.long
@pytest.mark.parametrize("truth_file", of_variants(TOLD, "shifted"))
def test_a_variant_is_learnt_from_the_documented_addresses(truth_file: Path, tmp_path: Path) -> None:
    rom = rom_of(truth_file)
    outcome = calibrate(rom, tmp_path, game="mine", documented=documented(rom))
    assert_equals_truth(truth_file, outcome, tmp_path)
