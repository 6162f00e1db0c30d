"""Compares what was learnt of a variant with its truth.yaml."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.run import Outcome
from ochibot.experiments.write import COLORS
from ochibot.ram.file import load_map

CODE_NAMES = ("empty", *COLORS, "nuisance", "wall")


def of_variants(truth_files: Iterable[Path], *often: str) -> list[Any]:
    """Pytest parameters. Variants not named in ``often`` are marked proof, so ``make test-long`` leaves them out."""
    return [
        pytest.param(path, id=path.parent.name, marks=() if path.parent.name in often else pytest.mark.proof)
        for path in truth_files
    ]


def rom_of(truth_file: Path) -> Path:
    """The variant's ROM."""
    return truth_file.parent / str(yaml.safe_load(truth_file.read_text(encoding="utf-8"))["rom"])


def assert_equals_truth(truth_file: Path, outcome: Outcome, folder: Path) -> None:
    """Asserts that a calibration of one seat learnt what the variant's truth.yaml says."""
    truth = yaml.safe_load(truth_file.read_text(encoding="utf-8"))
    assert outcome.exam.agreement >= 0.999
    assert outcome.exam.pieces >= 300
    ram_map = load_map(outcome.files.map, {name: number for number, name in enumerate(CODE_NAMES)})
    seat = truth["seats"][1]
    for name in ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score"):
        assert ram_map.entries[name].address == seat[name]["address"], name
    field, true = ram_map.entries["field"], seat["field"]
    for part in ("address", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == true[part], part
    hidden = seat.get("hidden_row")
    assert field.rows == true["rows"] + (hidden is not None)
    above = None if field.above is None else (field.above.address, field.above.column_stride)
    assert above == (None if hidden is None else (hidden["address"], hidden["column_stride"]))
    assert (field.mask or 0xFF) == true["mask"]
    assert ram_map.pair.denotes == truth["denotes"]
    standing = ram_map.codes["orientations"].values
    assert standing == {value: word for word, value in truth["orientation"].items()}
    cells = ram_map.codes["cells"].values
    raw = {name: code << true["shift"] for name, code in truth["codes"]["field"].items()}
    assert {code for code, name in cells.items() if name in COLORS} == {raw[name] for name in COLORS}
    assert [code for code, name in cells.items() if name == "nuisance"] == [raw["nuisance"]]
    rules = outcome.learnt
    assert isinstance(rules, Learnt)
    assert rules.formula is not None
    assert rules.timing is not None
    seen = len(rules.formula.chain_power)
    table = truth["score"]["chain_power"]
    # beyond the table its last entry goes on
    assert list(rules.formula.chain_power) == [*table, *table[-1:] * seen][:seen]
    assert (rules.timing.fall, rules.timing.soft) == (truth["timing"]["fall"][0], truth["timing"]["soft_drop"])
    repeat = truth["timing"]["auto_repeat"]
    assert (rules.timing.repeat_first, rules.timing.repeat) == (repeat["first"], repeat["period"])
    assert rules.timing.control == truth["timing"]["spawn_delay"]
    made = yaml.safe_load((folder / "mine-rules.yaml").read_text(encoding="utf-8"))
    for part in ("kicks", "quick_turn", "clear_size"):
        assert made[part] == truth[part], part
    assert made["score"]["drop_bonus"] == truth["score"]["drop_bonus"]
    score = ram_map.entries["score"]
    assert (score.scale, score.digits) == (seat["score"]["scale"], seat["score"].get("digits"))
    assert (score.count, score.zero) == (seat["score"].get("count"), seat["score"].get("zero", 0))
    for part in ("hidden_clear",):
        assert made[part] == truth[part], part
    assert made["visible_rows"] + truth["board"]["hidden_rows"] == truth["board"]["rows"]
    # a pair stands on the floor one frame longer than lock_delay, which counts from the frame after it landed
    assert rules.timing.lock == truth["timing"]["lock_delay"] + 1
    buttons = yaml.safe_load((folder / "mine.yaml").read_text(encoding="utf-8"))["buttons"]
    assert {name: buttons[name] for name in truth["buttons"]} == truth["buttons"]
