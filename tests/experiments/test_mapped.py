"""What a map says of games that keep things in other ways: it is read by the bot's own reader of maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button, Ram, find_system
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Sort
from ochibot.experiments.facts import Above, Moments
from ochibot.experiments.formula import Formula
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import color_names, map_of, where_of
from ochibot.experiments.needles import Needles
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.report import rows_of
from ochibot.experiments.rig import Rig
from ochibot.experiments.score import Score
from ochibot.experiments.signs import OverByte, SignByte
from ochibot.experiments.write import write_files
from ochibot.ram import BoundMap, RamMap

from tests.strangers.maker import draw
from tests.strangers.maker.console import StrangerConsole

SYMBOLS = {
    word: number for number, word in enumerate(("empty", "red", "green", "blue", "yellow", "purple", "nuisance"))
}
FREE = 0x700
"""From here on the stranger has nothing that was learnt."""


@pytest.fixture(scope="module")
def known() -> Iterator[tuple[Rig, Learnt]]:
    """A dull stranger: each test changes something of what was learnt."""
    with StrangerConsole(draw(1, "family", "no_pause")) as console:
        rig, book = Rig(console), Notebook(None, "dull")
        rig.step()
        yield rig, learn_pair(rig, book, *begin(rig, book))


def bound(rig: Rig, learnt: Learnt, ram: Mapping[int, int]) -> BoundMap:
    """The map of what was learnt, bound to RAM with these bytes."""
    raw = np.zeros(0x800, np.uint8)
    raw[[*ram]] = [*ram.values()]
    return BoundMap(RamMap.model_validate(map_of(learnt, rig, "mine")), Ram(raw, find_system("nes").ram, []), SYMBOLS)


@pytest.mark.parametrize(("first", "stride"), [(FREE, 1), (FREE + 40, -3)])
def test_a_row_that_lies_apart_is_the_grid_s_first(first: int, stride: int, known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    learnt = replace(learnt, above=Above(1, "solid", False, (first, stride), True))
    grid = learnt.basis.grid
    ram = {first + column * stride: 1 + column % 4 for column in range(6)}
    ram |= {grid.cell(2, learnt.basis.visible - 1): 3, grid.cell(5, 0): 2}
    seen = bound(rig, learnt, ram).grid("field")
    assert seen.shape == (13, 6)
    assert seen[0].tolist() == [1, 2, 3, 4, 1, 2]
    assert (seen[1, 2], seen[12, 5]) == (3, 2)
    assert (seen[1:] != 0).sum() == 2


@pytest.mark.parametrize("near_row", [0, 1])
@pytest.mark.parametrize("denotes", ["axis", "partner"])
def test_the_places_of_both_halves_are_read(denotes: str, near_row: int, known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    basis = learnt.basis
    stance = replace(
        learnt.stance, denotes=denotes, near_row=near_row, partner=(FREE, FREE + 1),
        turning=replace(learnt.stance.turning, place=None, cycle=()),
    )  # fmt: skip
    learnt = replace(learnt, stance=stance)
    floor = basis.floor_y - near_row * basis.cell_y
    # the half at x and y lies on the floor in the third column, the other one two rows above it, to the right
    ram = {
        basis.x[0]: basis.columns[2], basis.y[0]: floor,
        FREE: basis.columns[3], FREE + 1: floor + 2 * basis.cell_y,
    }  # fmt: skip
    found = bound(rig, learnt, ram)
    near, far = ("", "partner_") if denotes == "axis" else ("partner_", "")
    assert (found.value(f"{near}x"), found.value(f"{near}y")) == (3, 13)
    assert (found.value(f"{far}x"), found.value(f"{far}y")) == (4, 11)
    made = map_of(learnt, rig, "mine")
    assert made["pair"] == {"denotes": "halves"}
    assert "orientation" not in made["entries"]


def test_the_map_says_of_what_x_and_y_are_and_whether_the_piece_is_in_the_field(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    assert "pair" not in map_of(learnt, rig, "mine")
    other = replace(learnt, stance=replace(learnt.stance, denotes="partner"))
    assert map_of(other, rig, "mine")["pair"] == {"denotes": "partner"}
    drawn: Any = True
    for one, wanted in ((learnt, {}), (other, {"denotes": "partner"})):
        shown = replace(one, basis=replace(one.basis, drawn=drawn))
        assert map_of(shown, rig, "mine")["pair"] == {**wanted, "in_field": True}


@pytest.mark.parametrize(
    ("colors", "every", "named"),
    [
        ((5,), 1, True),
        ((6,), 1, True),
        ((9,), 1, False),
        ((), 1, False),
        ((10,), 2, True),
        ((12,), 2, True),
        # between two codes, and too far beyond them
        ((9,), 2, False),
        ((14,), 2, False),
    ],
)
def test_a_colour_that_no_piece_had_has_a_name_if_the_game_may_deal_it(
    colors: tuple[int, ...], every: int, named: bool, known: tuple[Rig, Learnt]
) -> None:
    """The piece has the colours' numbers, and cells have every first or second code."""
    rig, learnt = known
    near = ColorByte(FREE, 0xFF, {every * number: number for number in (1, 2, 3, 4)}, followed=True)
    shape = replace(learnt.shape, colors=tuple(near.values))
    learnt = replace(learnt, near=near, shape=shape, sort=Sort((13,), colors))
    usual = {every: "red", 2 * every: "green", 3 * every: "blue", 4 * every: "yellow"}
    assert color_names(learnt) == (usual | {colors[0]: "purple"} if named else usual)
    name = "axis" if learnt.stance.denotes == "axis" else "partner"
    assert bound(rig, learnt, {FREE: 3}).value(name) == SYMBOLS["blue"]
    if named:
        assert bound(rig, learnt, {FREE: colors[0] // every}).value(name) == SYMBOLS["purple"]


def test_a_colour_in_a_table_is_read_by_its_index(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    byte = ColorByte(FREE, 0xFF, {kind: 2 * kind for kind in (1, 2, 3, 4)}, followed=True, index=FREE + 60, step=3)
    learnt = replace(learnt, following=((byte, replace(byte, offset=FREE + 1)),))
    near, far = ("axis", "partner") if learnt.stance.denotes == "axis" else ("partner", "axis")
    found = bound(rig, learnt, {FREE + 60: 5, FREE + 15: 4, FREE + 16: 8})
    assert (found.value(f"next_{near}"), found.value(f"next_{far}")) == (2, 4)
    assert where_of(map_of(learnt, rig, "mine")["entries"][f"next_{near}"]) == "0700 + 3 x [073C]"
    rows = {what: (value, how) for what, value, how in rows_of(learnt, rig)}
    assert rows["NEXT 1, near half"][0] == "0700 + 3 x [073C]"


def signs_of(rig: Rig, learnt: Learnt, moments: Moments) -> tuple[dict[str, Any], dict[str, Any]]:
    made = map_of(replace(learnt, moments=moments), rig, "mine")
    RamMap.model_validate(made)
    return made["signs"], made["entries"]


def test_each_kind_of_sign_is_written(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    sign, end = SignByte(FREE, (3, 4), (0,), 1, 1), OverByte(FREE + 1, 7, 30, (9, 11))
    signs, entries = signs_of(rig, learnt, Moments(sign, (), end, 10))
    assert signs == {"spawn": {"entry": "spawn_byte", "is_not": [0]}, "over": {"entry": "over_byte", "is": [7, 9, 11]}}
    assert (entries["spawn_byte"]["address"], entries["over_byte"]["address"]) == (FREE, FREE + 1)
    signs, _ = signs_of(rig, learnt, Moments(replace(sign, values=(3,)), (), None, 10))
    assert signs == {"spawn": {"entry": "spawn_byte", "is": [3]}}
    signs, _ = signs_of(rig, learnt, Moments(sign, (5,), None, 10, "changes", FREE + 2))
    assert signs == {
        "spawn": {"entry": "spawn_byte", "changes": True}, "control": {"entry": "phase_byte", "is": [5]},
    }  # fmt: skip
    # one byte that tells everything has one entry
    signs, entries = signs_of(rig, learnt, Moments(replace(sign, others=(1,)), (5,), replace(end, offset=FREE), 10))
    assert {one["entry"] for one in signs.values()} == {"phase_byte"}
    assert not entries.keys() & {"spawn_byte", "over_byte"}
    signs, _ = signs_of(rig, learnt, Moments(None, (), None, 10))
    assert signs == {}


def test_raw_y_as_a_sign_is_the_row_in_which_pieces_appear(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    basis = learnt.basis
    sign = SignByte(basis.y[0], (basis.top,), (), 0, 0)
    signs, _ = signs_of(rig, learnt, Moments(sign, (), None, 10))
    assert signs["spawn"]["entry"] == "y"
    assert signs["spawn"]["is"] == [bound(rig, learnt, {basis.y[0]: basis.top}).value("y")]


@pytest.mark.parametrize("values", [(0, 3), (9, 1), (200, 201)])
def test_needles_have_an_entry_and_rows_in_the_report(values: tuple[int, int], known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    learnt = replace(
        learnt, needles=Needles(Button.X, FREE, values, "vanish", (0x21,), 7), size=None, sort=None,
        attack_each=90, score=Score(FREE + 8, Form(3, little=True), 10, kept=True), formula=None,
    )  # fmt: skip
    for number, raw in enumerate(values):
        assert bound(rig, learnt, {FREE: raw}).value("needle") == number
    assert bound(rig, learnt, {FREE + 8: 2, FREE + 9: 1}).value("score") == 2580
    made = map_of(learnt, rig, "mine")
    assert made["codes"]["cells"]["values"][0x21] == "nuisance"
    assert "X turns the piece into needles" in made["entries"]["needle"]["note"]
    rows = {what: (value, how) for what, value, how in rows_of(learnt, rig)}
    assert rows["needles"][0] == f"X; 0700 is {values[1]}"
    assert (
        rows["needles"][1]
        == f"equal blocks beside one pop; {values[0]} otherwise; one that lights nothing: vanish; 7 locks"
    )
    assert rows["nuisance"] == ("0x21", "goes with blocks that pop beside it, never by itself")
    assert rows["score"] == ("0708, u24le", "keeps what is poked; 90 for each point of attack")


@pytest.mark.parametrize(
    ("form", "scale", "ram", "value"),
    [
        (Form(2, little=True), 1, {0: 0x34, 1: 0x12}, 0x1234),
        (Form(2, little=False), 10, {0: 1, 1: 4}, 2600),
        (Form(3, little=True, digits="bcd"), 1, {0: 0x56, 1: 0x34, 2: 0x12}, 123456),
        (Form(5, little=False, digits="decimal"), 10, {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}, 12340),
        (Form(5, little=True, digits="decimal", zero=0x30), 1, {0: 0x39, 1: 0x38, 2: 0x30, 3: 0x30, 4: 0x31}, 10089),
    ],
)
def test_a_score_is_read_in_its_form(
    form: Form, scale: int, ram: dict[int, int], value: int, known: tuple[Rig, Learnt]
) -> None:
    rig, learnt = known
    learnt = replace(learnt, score=Score(FREE, form, scale, kept=False))
    assert bound(rig, learnt, {FREE + place: byte for place, byte in ram.items()}).value("score") == value
    assert "a copy" in map_of(learnt, rig, "mine")["entries"]["score"]["note"]


def test_bits_of_cells_that_mean_nothing_are_left_out_of_the_map(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    learnt = replace(learnt, shape=replace(learnt.shape, mask=0x0F))
    grid = learnt.basis.grid
    seen = bound(rig, learnt, {grid.cell(1, 0): 0xF3, grid.cell(2, 0): 0x40}).grid("field")
    assert (seen[-1, 1], seen[-1, 2], (seen != 0).sum()) == (3, 0, 1)


def test_a_score_whose_formula_is_in_doubt_is_named_beside_the_map(known: tuple[Rig, Learnt], tmp_path: Path) -> None:
    """A map with it would be contradicted by the rules in each chain."""
    rig, learnt = known
    doubt = "no formula explains what groups are worth"
    score = Score(FREE, Form(3, True, "bcd"), 10, kept=True)
    learnt = replace(learnt, size=4, score=score, formula=Formula(10, [1, 2], doubt=doubt))
    assert "score" not in map_of(learnt, rig, "mine")["entries"]
    written = write_files(tmp_path, learnt, rig, "mine", core=None, use_state=True, draft="").map.read_text()
    assert f"# The score is found, but {doubt}, so no rules file says its points. Its entry would be:\n" in written
    assert "#   score: {address: 0x0700, type: u24le, digits: bcd, scale: 10, source: calibrated" in written
    rows = {name: (what, how) for name, what, how in rows_of(learnt, rig)}
    assert rows["formula"] == ("unknown", doubt)
    # without a doubt it is an entry
    learnt = replace(learnt, formula=Formula(10, [1, 2], per_cell=20, by_step=[5], tests=9))
    assert map_of(learnt, rig, "mine")["entries"]["score"]["address"] == FREE
    rows = {name: (what, how) for name, what, how in rows_of(learnt, rig)}
    assert rows["other points"] == (
        "20 for each cell beyond a group's least; by step 5",
        "9 more trials, 0 not explained",
    )


@pytest.mark.parametrize("lower", [True, False, None])
def test_a_number_of_rows_and_their_parts_is_read_as_the_row_that_the_game_takes(
    lower: bool | None, known: tuple[Rig, Learnt]
) -> None:
    """A piece that came to rest seemed to sink by one more row, and a row with Down held was predicted for it."""
    rig, learnt = known
    basis = learnt.basis
    y = basis.y[0]
    assert basis.cell_y == -1
    learnt = replace(learnt, fraction=1, lower=lower)

    def row(whole: int, parts: int) -> int | None:
        return bound(rig, learnt, {y: whole, y + 1: parts}).value("y")

    at_rest = bound(rig, replace(learnt, fraction=None), {y: 7}).value("y")
    assert at_rest is not None
    assert [row(7, 0), row(7, 1), row(7, 255)] == [at_rest, *[at_rest + bool(lower)] * 2]
    assert row(8, 0) == at_rest + 1
