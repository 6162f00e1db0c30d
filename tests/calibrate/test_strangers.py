"""Games that are unlike ours: what blind calibration learns of them, against the truth that the linker tells."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.calibrate.learn import Learnt, begin, learn_pair
from ochibot.calibrate.notebook import Notebook
from ochibot.calibrate.rulesfile import rules_of
from ochibot.calibrate.run import calibrate
from ochibot.calibrate.sketch import map_of_sketch, resting, sketched
from ochibot.calibrate.write import map_of
from ochibot.errors import CalibrationError
from ochibot.ram import RamMap

from tests.calibrate.working import laboratory
from tests.strangers.build import HERE, STRANGERS, build

NAMES = [one.name for one in STRANGERS]


def truth_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HERE / name / "truth.yaml").read_text(encoding="utf-8"))
    return found


def test_a_pair_kept_as_two_sprites_is_learnt_whole(tmp_path: Path) -> None:
    truth = truth_of("twins")
    with laboratory(HERE / "twins" / "twins.nes") as lab:
        book = Notebook(tmp_path, "test")
        learnt = learn_pair(lab, book, *begin(lab, book))
        made = map_of(learnt, lab, "twins")
    ram_map = RamMap.model_validate(made)
    assert ram_map.pair.denotes == "halves"
    for name in ("x", "y", "partner_x", "partner_y", "axis", "partner", "next_axis", "next_partner", "score"):
        assert ram_map.entries[name].address == truth["places"][name], name
    field = ram_map.entries["field"]
    for part in ("rows", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == truth[part], part
    assert field.address == truth["places"]["field"]
    assert (ram_map.entries["score"].digits, ram_map.entries["score"].count) == ("decimal", 7)
    # the phase alone tells a piece: it is the same while the piece is announced and while it falls
    assert ram_map.entries["phase_byte"].address == truth["places"]["phase"]
    assert made["signs"]["spawn"]["is"] == made["signs"]["control"]["is"] == [truth["control"]]
    assert (made["signs"]["over"]["entry"], made["signs"]["over"]["is"]) == ("phase_byte", [truth["over"]])
    assert (learnt.stance.clockwise, learnt.stance.counter) == ("a", "b")
    rules = rules_of(learnt, "twins")
    assert rules is not None
    assert rules[0]["clear_size"] == truth["clear_size"]
    assert rules[0]["score"]["chain_power"][:6] == [0, 8, 16, 32, 64, 96]
    assert not any(rules[0]["score"]["color_bonus"][:4])
    assert not any(rules[0]["score"]["group_bonus"])


@pytest.mark.parametrize("name", ["gems", pytest.param("quad", marks=pytest.mark.long)])
def test_where_no_rules_fit_the_map_is_still_told(name: str, tmp_path: Path) -> None:
    truth = truth_of(name)
    with laboratory(HERE / name / f"{name}.nes") as lab:
        book = Notebook(tmp_path, "test")
        route, basis = begin(lab, book)
        with pytest.raises(CalibrationError) as why:
            learn_pair(lab, book, route, basis)
        made, exam = sketched(lab, route, basis, str(why.value))
        ram_map = RamMap.model_validate(map_of_sketch(made, lab, name))
    for entry, address in truth["places"].items():
        assert ram_map.entries[entry].address == address, entry
    field = ram_map.entries["field"]
    for part in ("rows", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == truth[part], part
    assert exam.kind == "landing"
    assert (exam.pieces, exam.agreed) == (60, 60)
    assert not exam.passed


@pytest.mark.long
def test_what_was_learnt_of_two_sprites_plays(tmp_path: Path) -> None:
    outcome = calibrate(HERE / "twins" / "twins.nes", tmp_path, game="twins", pieces=300)
    assert isinstance(outcome.learnt, Learnt)
    assert outcome.exam.passed
    assert (outcome.exam.pieces, outcome.exam.agreed) == (300, 300)


@pytest.mark.long
def test_a_draft_has_no_game_file_that_nothing_could_play(tmp_path: Path) -> None:
    outcome = calibrate(HERE / "quad" / "quad.nes", tmp_path, game="quad")
    assert outcome.files.game is None
    assert "DRAFT: rules unknown" in outcome.files.map.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.glob("*.yaml")) == ["quad-p1.yaml"]
    assert "rules are unknown" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_shape_rests_on_the_first_cell_that_is_in_its_way() -> None:
    shape = ((0, 1), (1, 0), (1, 1))
    assert resting(shape, 2, set(), 10) == {(2, 1), (3, 0), (3, 1)}
    assert resting(shape, 2, {(3, 4)}, 10) == {(2, 6), (3, 5), (3, 6)}
    # what lies below an overhang is not in its way
    assert resting(shape, 2, {(2, 0)}, 10) == {(2, 1), (3, 0), (3, 1)}


@pytest.mark.parametrize("name", NAMES)
def test_a_stranger_is_built_byte_for_byte(name: str, tmp_path: Path) -> None:
    rom = (HERE / name / f"{name}.nes").read_bytes()
    assert hashlib.sha1(rom).hexdigest() == truth_of(name)["sha1"]
    if shutil.which("cc65") is None:
        pytest.skip("cc65 isn't installed")
    build(next(one for one in STRANGERS if one.name == name), tmp_path)
    assert (tmp_path / f"{name}.nes").read_bytes() == rom
    assert (tmp_path / "truth.yaml").read_text() == (HERE / name / "truth.yaml").read_text()
