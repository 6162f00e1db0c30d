"""Blind calibration of our Mega Drive game, compared with the shipped map and rules of tsu, its model."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.run import calibrate
from ochibot.puyo.rules.file import load_rules
from ochibot.ram.file import load_map

from tests.experiments.truth import CODE_NAMES

WORDS = ("big", "carbuncle", "hard", "point", "iron")
HALVES = [f"{ahead}{half}" for ahead in ("", "next_", "next2_", "next3_") for half in ("axis", "partner")]


@pytest.mark.proof
def test_the_mega_drive_game_is_learnt_blind(tmp_path: Path) -> None:
    outcome = calibrate(data_path("roms/homebrew/megadrive/nijidama.bin"), tmp_path, game="mine")
    assert isinstance(outcome.learnt, Learnt)
    assert (outcome.exam.pieces, outcome.exam.agreed) == (300, 300)
    codes = {word: number for number, word in enumerate(dict.fromkeys((*CODE_NAMES, *WORDS)))}
    mine = load_map(outcome.files.map, codes)
    shipped = load_map(data_path("ram_maps/tsu/player1.yaml"), codes)
    for name in ("x", "y", "orientation", "score", *HALVES):
        here, there = mine.entries[name], shipped.entries[name]
        assert (here.address, here.type, here.scale, here.offset) == (
            there.address,
            there.type,
            there.scale,
            there.offset,
        ), name
    field, whole = mine.entries["field"], shipped.entries["field"]
    assert None not in (field.address, whole.address, field.top, whole.row_stride)
    # row 0 keeps no cells, so calibration doesn't see it
    assert field.address == (whole.address or 0) + (field.top or 0) * (whole.row_stride or 0)
    assert (field.row_stride, field.column_stride) == (whole.row_stride, whole.column_stride)
    rules, profile = load_rules(tmp_path / "mine-rules.yaml"), load_rules("tsu")
    for part in ("clear_size", "kicks", "quick_turn", "hidden_clear", "ceiling", "hidden_rows", "score_cap"):
        assert getattr(rules, part) == getattr(profile, part), part
    assert rules.chain_power[:19] == profile.chain_power[:19]
    assert (rules.color_bonus, rules.group_bonus) == (profile.color_bonus, profile.group_bonus)
