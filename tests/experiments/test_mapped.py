"""What a map says of games that keep things in other ways: it is read by the bot's own reader of maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from ochibot.console import Button, Ram, find_system
from ochibot.experiments.again import guesses, turn_down, words_of
from ochibot.experiments.basis import ground_of
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Sort
from ochibot.experiments.exam import Exam
from ochibot.experiments.facts import Above, Kicks, Moments, Timing
from ochibot.experiments.formula import Formula
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import color_names, map_of, where_of
from ochibot.experiments.needles import Needles
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.pad import Tap
from ochibot.experiments.report import compared_rows, report_of, rows_of
from ochibot.experiments.rig import Numbered, Rig
from ochibot.experiments.rulesfile import game_of, menu_of, route_of, rules_of
from ochibot.experiments.score import Score
from ochibot.experiments.shots import pictures_of
from ochibot.experiments.signs import OverByte, SignByte
from ochibot.experiments.versus import Seats
from ochibot.experiments.views import View, with_row
from ochibot.experiments.waiting import Pending
from ochibot.experiments.write import Files, write_files
from ochibot.ram import BoundMap, RamMap
from PIL import Image

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
    box = replace(learnt, stance=replace(learnt.stance, denotes="box"))
    for one, wanted in ((learnt, {}), (other, {"denotes": "partner"}), (box, {"denotes": "box"})):
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


@pytest.mark.parametrize(("codes", "named"), [((1, 2, 4, 8), False), ((1, 2, 4, 6), True)])
def test_where_each_colour_is_a_bit_of_its_own_several_bits_are_none(
    codes: tuple[int, ...], named: bool, known: tuple[Rig, Learnt]
) -> None:
    _, learnt = known
    near = ColorByte(FREE, 0xFF, {code: code for code in codes}, followed=True)
    learnt = replace(learnt, near=near, shape=replace(learnt.shape, colors=codes), sort=Sort((), (5, 7)))
    assert (5 in color_names(learnt)) == named


@pytest.mark.parametrize(("columns", "visible"), [(6, 12), (6, 14), (8, 14)])
def test_a_field_that_is_larger_than_a_familys_has_all_its_rows(
    columns: int, visible: int, known: tuple[Rig, Learnt]
) -> None:
    rig, learnt = known
    basis = learnt.basis
    grid = replace(basis.grid, floor=FREE, up=-8, columns=columns)
    wide = replace(basis, columns=tuple(range(columns)), visible=visible, grid=grid)
    learnt = replace(learnt, basis=wide, above=Above(2, "solid"))
    made = map_of(learnt, rig, "mine")["entries"]
    assert made["field"]["rows"] == visible + 2
    assert "top" not in made["field"]
    near = -learnt.stance.near_row
    assert bound(rig, learnt, {basis.y[0]: basis.floor_y}).value("y") == made["field"]["rows"] - 1 + near


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


def test_a_score_without_a_formula_is_reported(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    rows = {what: (value, how) for what, value, how in rows_of(replace(learnt, formula=None), rig)}
    assert rows["score"][1] == "keeps what is poked"
    assert "chain power" not in rows


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


# -- what is written of a game of two, and without rules


def seats_of(learnt: Learnt) -> Seats:
    """The other seat has its field and its x elsewhere."""
    x = FREE + 50, learnt.basis.x[1]
    other = replace(learnt, basis=replace(learnt.basis, x=x, grid=replace(learnt.basis.grid, floor=FREE + 90)))
    waits = Pending(FREE + 8, 70, "u16le", most=30, queued=True, plus=FREE + 12, offset=False)
    return Seats(learnt.route, (learnt, other), (waits, None), at_once=False)


def written(rig: Rig, learnt: Learnt, folder: Path, **said: Any) -> tuple[Files, dict[str, Any]]:
    usual: dict[str, Any] = {"core": None, "use_state": False, "draft": ""}
    files = write_files(folder, learnt, rig, "mine", **{**usual, **said})
    return files, {} if files.game is None else yaml.safe_load(files.game.read_text(encoding="utf-8"))


def test_a_game_of_two_has_a_mode_with_a_map_for_each_seat(known: tuple[Rig, Learnt], tmp_path: Path) -> None:
    rig, learnt = known
    seats = seats_of(learnt)
    files, game = written(rig, learnt, tmp_path, seats=seats)
    assert game["versus"] == "versus"
    assert game["modes"]["versus"]["maps"] == ["mine-versus1.yaml", "mine-versus2.yaml"]
    assert game["modes"]["versus"]["menu"] == route_of(learnt.route, learnt.tap)
    maps = [yaml.safe_load((tmp_path / name).read_text(encoding="utf-8")) for name in game["modes"]["versus"]["maps"]]
    assert [(made["seat"], made["name"], made["entries"]["x"]["address"]) for made in maps] == [
        (1, "versus1", learnt.basis.x[0]), (2, "versus2", FREE + 50),
    ]  # fmt: skip
    # two numbers of points are what waits
    ram = np.zeros(0x800, np.uint8)
    ram[[FREE + 8, FREE + 9, FREE + 12]] = 70, 1, 84
    first = BoundMap(RamMap.model_validate(maps[0]), Ram(ram, find_system("nes").ram, []), SYMBOLS)
    assert first.value("pending") == (256 + 70 + 84) // 70
    assert "pending" not in maps[1]["entries"]
    assert files.rules is not None
    nuisance = yaml.safe_load(files.rules.read_text(encoding="utf-8"))["nuisance"]
    assert (nuisance["points_each"], nuisance["most_per_fall"], nuisance["excess"], nuisance["offset"]) == (
        *(70, 30, "queue", False),
    )
    held = written(rig, learnt, tmp_path, seats=replace(seats, at_once=True))[1]
    assert held["modes"]["versus"]["menu"] == route_of(learnt.route, learnt.tap, at_once=True)


def test_the_report_of_two_seats_has_both_places_of_each_entry(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    two = Exam("play", 60, 59, "it broke", asked=60)
    head, tables = report_of(learnt, rig, Notebook(None, "x"), Exam("play", 9, 9, asked=9), [], seats_of(learnt), two)
    assert "Exam of two seats: 59 of 60 pieces did what was predicted. it broke" in head
    (rows,) = [rows for title, _, rows in tables if title == "A game of two"]
    made = {what: (here, there) for what, here, there in rows}
    assert made["the way there"] == (", ".join(learnt.route.buttons), "")
    assert made["x"] == (f"{learnt.basis.x[0]:04X}", f"{FREE + 50:04X}")
    assert made["pending"] == (f"{FREE + 8:04X}", "-")
    assert made["y"][0] == made["y"][1]
    alone = report_of(learnt, rig, Notebook(None, "x"), Exam("play", 9, 9, asked=9), [])
    assert [rows for title, _, rows in alone[1] if title == "A game of two"] == [[]]
    assert not any("two seats" in line for line in alone[0])


def test_a_game_starts_through_its_menu_or_from_a_savestate(known: tuple[Rig, Learnt], tmp_path: Path) -> None:
    rig, learnt = known
    files, game = written(rig, learnt, tmp_path)
    assert ("state" in game, game["menu"]) == (False, menu_of(learnt))
    assert files.state.read_bytes() == learnt.route.state
    for said, one in (({"use_state": True}, learnt), ({}, replace(learnt, route=replace(learnt.route, buttons=())))):
        _, game = written(rig, one, tmp_path, **said)
        assert ("menu" in game, game["state"]) == (False, "mine.state")


def test_without_rules_a_game_file_of_an_earlier_calibration_is_removed(
    known: tuple[Rig, Learnt], tmp_path: Path
) -> None:
    rig, learnt = known
    first, _ = written(rig, learnt, tmp_path, draft="it is\n not over")
    assert first.game is not None
    assert first.game.read_text(encoding="utf-8").splitlines()[1] == "# DRAFT: it is not over"
    files, _ = written(rig, replace(learnt, size=None), tmp_path)
    assert (files.game, files.rules) == (None, None)
    assert files.map.exists()
    assert not first.game.exists()
    # and where there was none, none is missed
    (tmp_path / "new").mkdir()
    assert written(rig, replace(learnt, size=None), tmp_path / "new")[0].game is None


def test_a_view_gets_the_row_that_lies_apart_if_its_cells_are_as_far_apart(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    basis = learnt.basis
    # rows in another order
    starts = [FREE + 8 * row for row in (3, 0, 5, 1, 9, 2, 4, 8, 7, 6, 11, 10)]
    view = View(6, tuple((start + column,) for start in starts for column in range(6)), (0,) * 72)
    learnt = replace(learnt, basis=replace(basis, view=view, visible=12, grid=replace(basis.grid, columns=6)))
    for stride, rows in ((1, 13), (2, 12)):
        above = Above(1, "solid", False, (FREE + 0x80, stride), True)
        ram = {start + column: 1 + (row + column) % 4 for row, start in enumerate(starts) for column in range(6)}
        ram |= {FREE + 0x80 + column: 4 - column % 4 for column in range(6)}
        seen = bound(rig, replace(learnt, above=above), ram).grid("field")
        assert seen.shape == (rows, 6)
        assert seen[-1].tolist() == [1 + column % 4 for column in range(6)]
        assert seen[-12].tolist() == [1 + (11 + column) % 4 for column in range(6)]
        if stride == 1:
            assert seen[0].tolist() == [4 - column % 4 for column in range(6)]
    # one of bits has no room for such a row
    bits = View(6, tuple((FREE + number,) for number in range(72)), (0,) * 72, 4)
    assert with_row(bits, 12, FREE + 0x80, 1) is None
    planes = View(6, tuple((FREE + number, FREE + 200 + number) for number in range(72)), (0,) * 72)
    assert with_row(planes, 12, FREE + 0x80, 1) is None


@pytest.mark.parametrize("way", [1, -1])
def test_a_y_with_parts_of_a_row_is_a_number_of_two_bytes(way: int, known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    basis = learnt.basis
    assert basis.cell_y == -1
    plain = bound(rig, learnt, {basis.y[0]: 7}).value("y")
    learnt = replace(learnt, fraction=way)
    for part in (0, 100, 255):
        assert bound(rig, learnt, {basis.y[0]: 7, basis.y[0] + way: part}).value("y") == plain


def test_without_signs_the_map_has_none(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    assert map_of(replace(learnt, moments=None), rig, "mine")["signs"] == {}


# -- guesses


def test_what_needs_no_experiment_is_guessed_unless_it_was_turned_down(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known
    book = Notebook(None, "x")
    kicks = Kicks(wall=True, floor=True)
    learnt = replace(learnt, kicks=kicks, above=Above(1, "solid"), tap=Tap(1, 1))
    assert guesses(book, learnt, "kicks") == [replace(kicks, wall=False)]
    assert guesses(book, learnt, "hidden rows") == [Above(1, "vanish"), Above(0, "vanish")]
    assert guesses(book, learnt, "the fastest taps") == [learnt.basis.tap]
    assert guesses(book, replace(learnt, tap=learnt.basis.tap), "the fastest taps") == []
    assert guesses(book, learnt, "signs") == []
    # with a view of the visible rows alone there is no room for another one
    view = View(6, ((1,),) * 6 * learnt.basis.visible, (0,) * 6 * learnt.basis.visible)
    tight = replace(learnt, basis=replace(learnt.basis, view=view))
    assert guesses(book, tight, "hidden rows") == [Above(0, "vanish")]
    exam = Exam("play", 40, 30, asked=40)
    for fact, told in (("kicks", "from walls"), ("hidden rows", "1, what is above them: solid")):
        turn_down(rig, book, fact, learnt, exam)
        assert book.turned_down[-1][0] == fact
        assert book.turned_down[-1][1].startswith(f"{told} (")
        assert words_of(learnt, fact) == told
    assert guesses(book, replace(learnt, kicks=replace(kicks, wall=False)), "kicks") == []
    assert words_of(replace(learnt, kicks=replace(kicks, wall=False)), "kicks") == "not from walls"
    assert guesses(book, replace(learnt, above=Above(0, "vanish")), "hidden rows") == [Above(1, "vanish")]
    assert words_of(learnt, "the fastest taps") == "1 on, 1 off"
    assert words_of(replace(learnt, tap=None, above=None, kicks=None), "kicks") == "nothing"


# -- pictures


def test_pictures_show_the_piece_in_all_ways_and_what_vanishes(known: tuple[Rig, Learnt], tmp_path: Path) -> None:
    rig, learnt = known
    ground = ground_of(rig, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
    shown = pictures_of(tmp_path, ground, learnt, None)
    words = list(learnt.stance.ways)
    assert list(shown) == [*(f"piece-{word}.png" for word in words), "vanish-before.png", "vanish-after.png"]
    assert all(word in shown[f"piece-{word}.png"] for word in words)
    assert shown["vanish-before.png"].startswith("what vanishes: 3 equal cells were painted")
    assert {path.name for path in tmp_path.iterdir()} == set(shown)
    ways = [np.asarray(Image.open(tmp_path / f"piece-{word}.png")) for word in words]
    assert all((one != other).any() for number, one in enumerate(ways) for other in ways[:number])
    before, after = (np.asarray(Image.open(tmp_path / f"vanish-{when}.png")) for when in ("before", "after"))
    assert (before != after).any()
    assert list(pictures_of(tmp_path, ground, replace(learnt, size=None), None)) == list(shown)[:4]


# -- the game file and the rules


@pytest.mark.parametrize("appears", [11, 12])
@pytest.mark.parametrize("near_row", [0, 1])
@pytest.mark.parametrize("denotes", ["axis", "partner"])
@pytest.mark.parametrize("way", ["up", "down"])
def test_the_axis_of_a_piece_that_appears(
    way: str, denotes: str, near_row: int, appears: int, known: tuple[Rig, Learnt]
) -> None:
    rig, learnt = known
    ways = (way, *learnt.stance.ways[1:])
    stance = replace(learnt.stance, denotes=denotes, near_row=near_row, ways=ways, start="left")
    learnt = replace(learnt, stance=stance, basis=replace(learnt.basis, spawn_column=3, appears=appears))
    # the floor is the thirteenth row; the lowest cell is in the row ``appears``, counted from it
    lowest = 13 - (appears - 1)
    near = lowest - near_row
    axis = near if denotes == "axis" else near + (1 if way == "up" else -1)
    spawn = game_of(learnt, rig, "mine", rules="r.yaml", core="any")["spawn"]
    assert spawn == {"x": 4, "y": axis, "orientation": "left"}
    # what an exam saw is right
    seen = replace(learnt, appears=(2, 7, "right"))
    assert game_of(seen, rig, "mine", rules="r.yaml", core=None)["spawn"] == {"x": 2, "y": 7, "orientation": "right"}


@pytest.mark.parametrize(("start", "across", "up"), [("up", 0, 0), ("down", 0, 1), ("right", 0, 0), ("left", 1, 0)])
def test_the_axis_of_a_piece_that_appears_in_a_box(start: str, across: int, up: int, known: tuple[Rig, Learnt]) -> None:
    """The box's lower left cell appears in the fourth column, two rows below the top."""
    rig, learnt = known
    stance = replace(learnt.stance, denotes="box", near_row=0, ways=("up", *learnt.stance.ways[1:]), start=start)
    learnt = replace(learnt, stance=stance, basis=replace(learnt.basis, spawn_column=3, appears=12))
    spawn = game_of(learnt, rig, "mine", rules="r.yaml", core="any")["spawn"]
    assert spawn == {"x": 4 + across, "y": 2 - up, "orientation": start}


def test_buttons_taps_and_times_of_a_game_file(known: tuple[Rig, Learnt]) -> None:
    rig, learnt = known

    def game(**said: Any) -> dict[str, Any]:
        return game_of(replace(learnt, **said), rig, "mine", rules="r.yaml", core=None)

    assert "core" not in game()
    one = replace(learnt.stance, counter=None)
    assert game(stance=one)["buttons"]["rotate_ccw"] is None
    needles = Needles(Button.X, FREE, (0, 1), "vanish", (), 7)
    wide = replace(learnt.basis, columns=tuple(range(7)), visible=12)
    nyaa = game(needles=needles, size=None, stance=one, basis=wide)
    assert (nyaa["family"], nyaa["buttons"]["needle"], "rotate_ccw" in nyaa["buttons"]) == ("nyaa", "x", False)
    for tap, said in ((None, None), (Tap(1, 1), None), (Tap(2, 2), {"hold": 2, "release": 2})):
        assert game(tap=tap).get("tap") == said
    assert "timing" not in game(timing=None)
    assert game(timing=Timing(fall=9, control=0))["timing"] == {"fall": 9, "control": 0}
    assert game(size=None)["family"] == "puyo"


def test_what_was_not_measured_is_taken_from_published_rules(known: tuple[Rig, Learnt]) -> None:
    _, learnt = known
    found = rules_of(learnt, "mine")
    assert found is not None
    usual, taken = found

    def without(**said: Any) -> tuple[dict[str, Any], list[str]]:
        one = rules_of(replace(learnt, **said), "mine")
        assert one is not None
        return one[0], [line for line in one[1] if line not in taken]

    made, more = without(kicks=None)
    assert (made["kicks"], made["quick_turn"], more) == (False, False, ["kicks and quick turn: none"])
    made, more = without(kicks=Kicks(wall=None, quick_turn=True))
    assert (made["kicks"], made["quick_turn"], more) == (False, True, ["kicks: none, for no blocked turn was seen"])
    made, more = without(kicks=Kicks(wall=True, quick_turn=None))
    assert (made["kicks"], made["quick_turn"]) == (True, False)
    assert more == ["quick turn: none, for the piece turned in the shaft that was built around it"]
    made, more = without(above=None)
    assert (made["hidden_rows"], made["ceiling"], made["hidden_clear"]) == (1, "solid", False)
    assert more == ["the hidden row: one, as in all games of the family that are known"]
    made, more = without(above=Above(0, "vanish", True))
    assert (made["hidden_rows"], made["ceiling"], made["hidden_clear"]) == (0, "vanish", True)
    assert more == ["what is above the hidden row: as in games with as many rows"]
    made, more = without(cap=None)
    assert (made["score"]["cap"], more) == (99_999_999, ["the score's cap: as published"])
    assert learnt.score is not None
    assert without(cap=None, score=replace(learnt.score, scale=10))[0]["score"]["cap"] == 99_999_990
    assert without(cap=5_000_000_000)[0]["score"]["cap"] == 1_000_000_000
    made, _ = without(formula=None)
    assert (made["score"]["drop_bonus"], made["score"]["unit"], made["score"]["max_multiplier"]) == (0, 10, 999)
    assert made["score"]["chain_power"][:4] == [0, 8, 16, 32]
    assert made["score"]["group_bonus"] == [0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10]
    assert made["score"]["color_bonus"][:5] == [0, 0, 3, 6, 12]
    made, _ = without(owed=2100)
    assert (made["score"]["all_clear_bonus"], made["score"]["all_clear_paid"]) == (2100, "next_chain")
    assert usual["score"]["all_clear_paid"] == "now"
    assert rules_of(replace(learnt, size=None), "mine") is None


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
    # six digits take more than a line
    long = replace(learnt, score=Score(FREE, Form(6, False, "decimal"), 10, kept=True))
    yaml.safe_load(write_files(tmp_path, long, rig, "mine", core=None, use_state=True, draft="").map.read_text())
    rows = {name: (what, how) for name, what, how in rows_of(learnt, rig)}
    assert rows["formula"] == ("unknown", doubt)
    # without a doubt it is an entry
    learnt = replace(learnt, formula=Formula(10, [1, 2], {}, {4: 2}, per_cell=20, by_step=[5], per_group=25, tests=9))
    learnt = replace(learnt, formula=replace(learnt.formula or Formula(), all_clear=500, all_clear_per="step"))
    assert map_of(learnt, rig, "mine")["entries"]["score"]["address"] == FREE
    rows = {name: (what, how) for name, what, how in rows_of(learnt, rig)}
    assert rows["emptied"][0] == "500 for the field, times the chain's step"
    assert rows["other points"] == (
        "bonus by size 4: 2; 20 for each cell beyond a group's least; by step 5; 25 for each further group of a step",
        "9 more trials, 0 not explained",
    )


def test_the_report_says_where_the_number_of_a_cell_is(known: tuple[Rig, Learnt]) -> None:
    # x and y of the piece's sprites aren't those of the map
    rig, learnt = known
    assert "the number of its cell" not in {name for name, *_ in rows_of(learnt, rig)}
    found = rows_of(replace(learnt, numbered=Numbered(FREE, 16, -1, 0)), rig)
    steps = "+16 for a column to the right, -1 for a row down; the map reads x and y from it"
    assert ("the number of its cell", "0700", steps) in found


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


def test_each_entry_stands_beside_the_documented_one() -> None:
    grid = {"rows": 13, "columns": 6, "row_stride": 8, "column_stride": 1, "source": "documented"}
    documented = RamMap.model_validate({
        "game": "mine", "name": "a", "system": "nes", "seat": 1, "signs": {},
        "entries": {
            "field": {"address": 0x300, "top": 0, **grid}, "x": {"address": 0x20, "source": "documented"},
            "y": {"address": 0x21, "source": "documented"},
            "axis": {"pointer": {"address": 0x40, "type": "u8", "offset": 0x300, "scale": 3}, "source": "documented"},
            "score": {"addresses": [0x50, 0x60], "source": "documented"},
        },
    })  # fmt: skip
    # the learnt field begins a row lower, where the documented one has its second row
    learnt: dict[str, Any] = {"entries": {
        "field": {"address": 0x308, "top": 1, **grid}, "x": {"address": 0x20}, "y": {"address": 0x22},
        "axis": {"pointer": {"address": 0x40, "type": "u8", "offset": 0x300, "scale": 3}},
        "score": {"address": 0x50}, "level": {"address": 0x99},
        "phase_byte": {"address": 0x77},
    }}  # fmt: skip
    assert [(name, *rest) for name, *rest in compared_rows(learnt, documented)] == [
        ("field", "0308", "0300", "confirmed"), ("x", "0020", "0020", "confirmed"),
        ("y", "0022", "0021", "CONTRADICTED"),
        ("axis", where_of(learnt["entries"]["axis"]), where_of(learnt["entries"]["axis"]), "confirmed"),
        ("score", "0050", "0050", "confirmed"), ("level", where_of(learnt["entries"]["level"]), "-", "new"),
    ]  # fmt: skip
    learnt["entries"]["field"]["top"] = 2
    learnt["entries"]["axis"]["pointer"]["address"] = 0x41
    verdicts = {name: verdict for name, *_, verdict in compared_rows(learnt, documented)}
    assert (verdicts["field"], verdicts["axis"]) == ("CONTRADICTED", "CONTRADICTED")
