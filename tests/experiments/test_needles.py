"""Blind calibration of the Neo Geo game, whose blocks vanish only when a needle sets them off."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from ochibot.data import data_path
from ochibot.experiments.needles import _attack, _shapes
from ochibot.experiments.run import calibrate

TOGETAMA = data_path("roms/homebrew/neogeo/togetama.zip")
SHIPPED = data_path("ram_maps/nyaa_homebrew/player1.yaml")


def naive(cells: dict[tuple[int, int], int]) -> int:
    """The attack, (100 S0 + 4 T S1) / 100, when the first column's top block is set off. Waves are breadth first.

    T is the number of tails, S1 the sum of their values, S0 the sum of the values above 1.
    """
    start = 0, max(row for column, row in cells if column == 0)
    reached = {start: 1}
    wave, tails = [start], []
    while wave:
        following = []
        for column, row in wave:
            near = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
            new = [one for one in near if one in cells and one not in reached]
            for one in new:
                reached[one] = reached[column, row] + 1
            following += new
            if not new:
                tails.append(reached[column, row])
        wave = following
    return (100 * sum(tail for tail in tails if tail > 1) + 4 * len(tails) * sum(tails)) // 100


def test_the_attacks_of_the_painted_shapes_are_the_published_formula_s() -> None:
    ground: Any = SimpleNamespace(colors=(1, 2), grid=SimpleNamespace(columns=7))
    shapes = _shapes(ground)
    assert [_attack(shape) for shape in shapes] == [naive(shape) for shape in shapes]
    assert len({naive(shape) for shape in shapes}) >= 5


@pytest.mark.proof
def test_the_neo_geo_game_is_learnt_blind_and_passes_its_exam(tmp_path: Path) -> None:
    outcome = calibrate(TOGETAMA, tmp_path, game="mine")
    assert outcome.exam.agreement >= 0.999
    assert outcome.exam.pieces >= 300
    assert not [name for name in outcome.failed if not name.startswith("NEXT 3")]
    made = yaml.safe_load(outcome.files.map.read_text(encoding="utf-8"))
    shipped = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
    for name in ("x", "y", "orientation", "needle", "axis", "partner", "next_axis", "next_partner", "next2_axis",
                 "next2_partner", "score", "field"):  # fmt: skip
        for part in ("address", "type", "rows", "columns", "row_stride", "column_stride", "offset", "scale"):
            assert made["entries"][name].get(part) == shipped["entries"][name].get(part), (name, part)
    codes, true = made["codes"]["cells"]["values"], shipped["codes"]["block"]["values"]
    assert set(codes) == {value for value, word in true.items() if "needle" not in word and word != "wall"}
    assert codes[0] == "empty"
    assert codes[5] == "nuisance"
    assert outcome.files.game is not None
    game = yaml.safe_load(outcome.files.game.read_text(encoding="utf-8"))
    assert (game["family"], game["spawn"], game["buttons"]["needle"]) == (
        *("nyaa", {"x": 4, "y": 1, "orientation": "up"}, "y"),
    )
