"""Kodama is learnt from its ROM alone, on every console, and what is learnt is what its source says."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.console import find_cores, find_system
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.run import calibrate
from ochibot.games import find_game
from ochibot.puyo.rules.file import load_rules
from ochibot.ram import RamMap, load_map

from tests.homebrew.portable import toolchain

PLACES = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "next2_axis", "next2_partner")
COLORS = {"red", "green", "blue", "yellow"}
ROWS = 13
"""The rows that hold puyos: 12 in sight and a hidden one."""


class Words(dict[str, int]):
    """Gives every name of a cell a number."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return True


@pytest.mark.proof
@pytest.mark.parametrize("name", tuple(toolchain.ROMS))
def test_it_is_learnt_blind_as_its_source_says(name: str, tmp_path: Path) -> None:
    title = find_game(name)
    if not find_cores(find_system(title.system).cores[0]):
        pytest.skip(f"no core for {name} here (it comes with stable-retro)")
    rom = title.shipped_rom()
    assert rom is not None
    outcome = calibrate(rom, tmp_path / "out", game="mine")
    assert outcome.exam.passed, outcome.exam
    assert outcome.files.map is not None
    learnt, true = load_map(outcome.files.map, Words()), title.load_map("player1")
    for entry in PLACES:
        assert learnt.entries[entry].address == true.entries[entry].address, entry
    assert_same_score(learnt, true)
    assert cells(learnt)[-ROWS:] == cells(true)[-ROWS:]
    kinds, own = (one.codes[str(one.entries["field"].codes)].values for one in (learnt, true))
    assert {byte for byte, word in kinds.items() if word in COLORS} == {
        byte for byte, word in own.items() if word in COLORS
    }
    rules, tsu = load_rules(tmp_path / "out/mine-rules.yaml"), load_rules("tsu")
    assert isinstance(outcome.learnt, Learnt)
    assert outcome.learnt.formula is not None
    steps = len(outcome.learnt.formula.chain_power)
    assert steps >= 4
    for part in (
        "visible_rows",
        "hidden_rows",
        "ceiling",
        "clear_size",
        "kicks",
        "quick_turn",
        "drop_bonus",
        "score_unit",
    ):
        assert getattr(rules, part) == getattr(tsu, part), part
    assert list(rules.chain_power[:steps]) == list(tsu.chain_power[:steps])


def assert_same_score(learnt: RamMap, true: RamMap) -> None:
    """Both maps read the score from the same digits."""
    one, other = learnt.entries["score"], true.entries["score"]
    assert (one.digits, one.scale) == (other.digits, other.scale)
    assert {one.order, other.order} <= {None, "high_first"}
    assert one.byte_addresses() == other.byte_addresses()


def cells(ram_map: RamMap) -> list[list[int]]:
    """The addresses of the field's cells, row by row."""
    field = ram_map.entries["field"]
    at = list(field.byte_addresses())
    columns = field.columns or 1
    return [at[begin : begin + columns] for begin in range(0, len(at), columns)]
