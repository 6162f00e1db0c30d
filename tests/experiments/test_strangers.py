"""Blind calibration of games unlike ours: what it learns is compared with each game's ``truth.yaml``."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.errors import CalibrationError
from ochibot.experiments.draft import draft
from ochibot.experiments.draftfile import map_of_draft
from ochibot.experiments.fields import resting
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rulesfile import rules_of
from ochibot.experiments.run import calibrate
from ochibot.experiments.write import map_of
from ochibot.ram import RamMap

from tests.experiments.working import opened
from tests.strangers.build import HERE, STRANGERS, build

NAMES = [one.name for one in STRANGERS]


def truth_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HERE / name / "truth.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.long
def test_a_pair_kept_as_two_sprites_is_learnt_whole(tmp_path: Path) -> None:
    truth = truth_of("twins")
    with opened(HERE / "twins" / "twins.nes") as rig:
        book = Notebook(tmp_path, "test")
        learnt = learn_pair(rig, book, *begin(rig, book))
        made = map_of(learnt, rig, "twins")
    ram_map = RamMap.model_validate(made)
    assert ram_map.pair.denotes == "halves"
    for name in ("x", "y", "partner_x", "partner_y", "axis", "partner", "next_axis", "next_partner", "score"):
        assert ram_map.entries[name].address == truth["places"][name], name
    field = ram_map.entries["field"]
    for part in ("rows", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == truth[part], part
    assert field.address == truth["places"]["field"]
    # the last of its seven digits is always 0
    score = ram_map.entries["score"]
    assert (score.digits, score.count, score.scale) in (("decimal", 7, 1), ("decimal", 6, 10))
    # only the phase tells that a piece is there; it keeps one value from the spawn to the lock, so both signs use it
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


SAME = ("x", "y", "orientation", "axis", "partner", "score")


@pytest.mark.proof
@pytest.mark.parametrize("name", ["lanterns", "crates"])
def test_a_game_in_the_habits_of_homebrew_is_learnt_and_plays(name: str, tmp_path: Path) -> None:
    truth = truth_of(name)
    outcome = calibrate(HERE / name / f"{name}.nes", tmp_path, game=name, pieces=300)
    assert isinstance(outcome.learnt, Learnt)
    assert (outcome.exam.pieces, outcome.exam.agreed) == (300, 300)
    assert outcome.exam.from_menu
    ram_map = RamMap.model_validate(yaml.safe_load(outcome.files.map.read_text(encoding="utf-8")))
    for entry in SAME:
        assert ram_map.entries[entry].address == truth["places"][entry], entry
    field = ram_map.entries["field"]
    for part in ("rows", "columns", "row_stride", "column_stride"):
        assert getattr(field, part) == truth[part], part
    assert field.address == truth["places"]["field"]
    ways = {truth[way]: way for way in ("up", "right", "down", "left")}
    assert ram_map.codes["orientations"].values == ways
    # a scratch byte of the compiler follows the phase, too, but values poked there don't stay
    assert ram_map.entries["phase_byte"].address == truth["places"]["phase"]
    for sign in ("spawn", "control"):
        assert tuple(getattr(ram_map.signs, sign).is_) == (truth["control"],), sign
    assert ram_map.signs.over is not None
    assert tuple(ram_map.signs.over.is_ or ()) == (truth["over"],)
    score, colors = ram_map.entries["score"], {1: "red", 2: "green", 3: "blue", 4: "yellow"}
    axis, partner = ram_map.entries["next_axis"], ram_map.entries["next_partner"]
    rules = yaml.safe_load((tmp_path / f"{name}-rules.yaml").read_text(encoding="utf-8"))
    assert (rules["clear_size"], rules["quick_turn"]) == (truth["clear_size"], False)
    if name == "lanterns":
        for half, byte in enumerate((axis, partner)):
            assert byte.pointer is not None
            assert (byte.pointer.address, byte.pointer.scale) == (truth["places"]["ring_head"], 2)
            assert byte.pointer.offset == truth["places"]["ring"] + half
        assert (score.digits, score.count, score.order) == ("decimal", truth["score_digits"], "low_first")
        assert rules["score"]["chain_power"][:9] == [0, 2, 4, 8, 16, 32, 64, 128, 256]
        assert (rules["score"]["drop_bonus"], rules["kicks"], rules["hidden_rows"]) == (1, True, 1)
        assert not any(rules["score"]["color_bonus"])
        assert (outcome.learnt.stance.clockwise, outcome.learnt.stance.counter) == ("a", "b")
    else:
        colors[5] = "purple"
        assert (axis.address, partner.address) == (truth["places"]["next"],) * 2
        assert {axis.mask, partner.mask} == {0x0F, 0xF0}
        assert axis.mask == 0x0F
        assert (score.digits, score.type) == ("bcd", "u32le")
        assert rules["score"]["chain_power"][:6] == [0, 8, 16, 32, 64, 96]
        assert (rules["score"]["drop_bonus"], rules["kicks"], rules["hidden_rows"]) == (0, False, 0)
        assert None in (outcome.learnt.stance.clockwise, outcome.learnt.stance.counter)
    assert colors.items() <= ram_map.codes[str(ram_map.entries["axis"].codes)].values.items()


def test_cartridge_ram_follows_work_ram_in_experiments() -> None:
    truth = truth_of("crates")
    with opened(HERE / "crates" / "crates.nes") as rig:
        assert rig.size == 0x800 + 0x2000
        place = rig.offset(truth["places"]["field"])
        assert (place, rig.address(place)) == (0x800 + 0x10, truth["places"]["field"])
        assert rig.offset(truth["places"]["x"]) == truth["places"]["x"]
        rig.poke({place: 3, 0x310: 4})
        assert (rig.peek(place), rig.console.ram[truth["places"]["field"]]) == (3, 3)
        assert (rig.snap()[place], rig.snap()[0x310]) == (3, 4)
        seen = rig.branch(rig.save(), [0, 0], {place + 1: 5})
        assert seen.shape == (2, rig.size)
        assert seen[0, place + 1] == 5
        with pytest.raises(CalibrationError, match=r"no RAM at 0x5fff: give an address from 0x0000 to 0x07ff, 0x6000"):
            rig.offset(0x5FFF)


@pytest.mark.proof
@pytest.mark.long
@pytest.mark.parametrize("name", ["gems", "quad"])
def test_where_no_rules_fit_the_map_is_still_told(name: str, tmp_path: Path) -> None:
    truth = truth_of(name)
    with opened(HERE / name / f"{name}.nes") as rig:
        book = Notebook(tmp_path, "test")
        route, bases = begin(rig, book)
        with pytest.raises(CalibrationError) as why:
            learn_pair(rig, book, route, bases)
        made, exam = draft(rig, route, bases.first(), str(why.value))
        ram_map = RamMap.model_validate(map_of_draft(made, rig, name))
    places = truth["places"]
    for entry, address in places.items():
        assert entry == "field" or ram_map.entries[entry].address == address, entry
    field = ram_map.entries["field"]
    for part in ("columns", "row_stride", "column_stride"):
        assert getattr(field, part) == truth[part], part
    # nothing ever rests in the highest row of gems
    assert truth["rows"] - (name == "gems") <= field.rows <= truth["rows"]
    assert field.address == places["field"] + (truth["rows"] - field.rows) * truth["row_stride"]
    assert exam.kind == "landing"
    assert (exam.pieces, exam.agreed) == (60, 60)
    assert not exam.passed


@pytest.mark.proof
@pytest.mark.long
def test_what_was_learnt_of_two_sprites_plays(tmp_path: Path) -> None:
    outcome = calibrate(HERE / "twins" / "twins.nes", tmp_path, game="twins", pieces=300)
    assert isinstance(outcome.learnt, Learnt)
    assert outcome.exam.passed
    assert (outcome.exam.pieces, outcome.exam.agreed) == (300, 300)


@pytest.mark.proof
@pytest.mark.long
def test_a_draft_has_no_game_file_that_nothing_could_play(tmp_path: Path) -> None:
    outcome = calibrate(HERE / "quad" / "quad.nes", tmp_path, game="quad")
    assert outcome.files.game is None
    assert "DRAFT: rules unknown" in outcome.files.map.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.glob("*.yaml")) == ["quad-p1.yaml", "route.yaml"]
    assert "rules are unknown" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_shape_rests_on_the_first_cell_that_is_in_its_way() -> None:
    shape = ((0, 1), (1, 0), (1, 1))
    assert resting(shape, 2, set(), 10) == {(2, 1), (3, 0), (3, 1)}
    assert resting(shape, 2, {(3, 4)}, 10) == {(2, 6), (3, 5), (3, 6)}
    # a cell below the shape's own overhang is not in its way
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
