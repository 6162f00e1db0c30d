"""What drafts, notes and files say of things that are known here."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import CalibrationError
from ochibot.experiments import bare, learn
from ochibot.experiments.bare import MOST_TRIED, MOST_WRITTEN, bare_map
from ochibot.experiments.behind import _several
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.documented import NO_HINTS
from ochibot.experiments.draftfile import _told
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.motion import Motion
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.parts import upright, usual_shape
from ochibot.experiments.told import CELL_MASKS, MOST_IDLE, Told, _like, cell_masks
from ochibot.experiments.views import View
from ochibot.experiments.yamlform import Flow, Hex, Row, dump


def test_addresses_are_written_in_hexadecimal_and_small_things_in_one_line() -> None:
    data = {"b": Hex(0x1F), "a": Flow(x=Hex(0x12345), y=Row([1, 2])), "rows": Row(["é", "b"]), "plain": {"c": [3]}}
    text = dump(data)
    assert text.splitlines()[:3] == ["b: 0x001F", "a: {x: 0x12345, y: [1, 2]}", "rows: [é, b]"]
    assert yaml.safe_load(text) == data


# -- a game whose field wasn't found


class Followed:
    """x at 3 is followed by 7 and 8; 40 moves as x does, but is made anew."""

    def __init__(self) -> None:
        self.counted: list[object] = []
        self.console = SimpleNamespace(rom=SimpleNamespace(system="nes"))

    def count(self, number: object) -> None:
        self.counted.append(number)

    def address(self, offset: int) -> int:
        return 0x6000 + offset


@pytest.mark.parametrize("roots", [[3], [3, 7], []])
def test_what_may_be_x_and_y_is_written_with_how_sure_it_is(roots: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    rig: Any = Followed()
    across, fall = {3: 8, 7: -1, 8: 4, 40: 2}, {20: 8}
    asked: list[dict[int, int]] = []

    def followers(_: object, state: bytes, moves: dict[int, int]) -> dict[int, set[int]]:
        assert state == b"here"
        asked.append(moves)
        return {3: {3, 7, 8}, 7: {7}, 8: set(), 40: set()} if 3 in moves else {20: set()}

    monkeypatch.setattr(bare, "followers", followers)
    monkeypatch.setattr(bare, "roots", lambda follow: roots if 3 in follow else [])
    route: Any = SimpleNamespace(motion=Motion(across, fall), state=b"here")
    made: Any = bare_map(route, rig, "mine")
    assert asked == [across, fall]
    assert rig.counted == [None]
    assert (made["game"], made["name"], made["system"], made["seat"]) == ("mine", "player1", "nes", 1)
    entries = made["entries"]
    places = [*roots, *(place for place in across if place not in roots)][:MOST_WRITTEN]
    assert [name for name in entries if name[0] == "x"] == ["x", "x2", "x3"]
    for name, place in zip(entries, places, strict=False):
        note = entries[name]["note"]
        assert entries[name]["address"] == 0x6000 + place
        assert f"moves by {across[place]:+d} with RIGHT" in note
        assert note.startswith("likely: " if roots == [place] else "unknown: ")
        assert ("doesn't keep what is poked, so it may be a copy" in note) is (place not in roots)
        assert "3 other candidates; no field was found" in note
    if roots:
        assert "keeps what is poked, and 2 other bytes follow it" in entries["x"]["note"]
    assert entries["y"]["address"] == 0x6014
    assert "moves by +8 as something falls" in entries["y"]["note"]
    assert "; 0 other candidates; " in entries["y"]["note"]
    # only so many are tried
    many = dict.fromkeys(range(3, 3 + MOST_TRIED + 9), 1)
    route.motion = Motion(many, fall)
    bare_map(route, rig, "mine")
    assert len(asked[2]) == MOST_TRIED


# -- cells and pieces


def test_what_comes_after_next_is_kept_as_next_is() -> None:
    def told(name: str, ahead: int, values: dict[int, int]) -> Told:
        byte = ColorByte(5, 0xFF, values, followed=True)
        return Told(name, ahead, byte, {1: "red", 2: "blue"}, Evidence(3))

    before = [told("cell1", 0, {1: 50, 2: 60}), told("cell2", 1, {1: 7, 2: 8}), told("cell1", 1, {1: 17, 2: 18})]
    names = {40: "blue", 30: "red", 20: "green"}
    assert _like(before, "cell1", 2, names) == {40: 18, 30: 17}
    assert _like(before, "cell2", 2, names) == {40: 8, 30: 7}
    # the piece itself may have other values than NEXT has
    assert _like(before, "cell1", 1, names) is None
    assert _like(before, "cell1", 3, names) is None
    assert _like(before, "cell3", 2, names) is None


def test_bits_that_tell_a_cell_are_written_as_a_mask() -> None:
    for mask, index, written in ((0x0F, None, 0x0F), (0xFF, None, None), (0x0F, 9, None)):
        byte = ColorByte(5, mask, {1: 7, 2: 3}, followed=True, index=index, step=2)
        told = Told("cell1", 0, byte, {1: "red", 2: "blue"}, Evidence(3))
        made: Any = SimpleNamespace(exchanges={})
        entry: Any = _told(told, made, lambda offset: 0x300 + offset)
        assert entry.get("mask") == written
        assert entry["note"].endswith("; 0x03: blue, 0x07: red")
        if index is None:
            assert entry["address"] == 0x305
        # a button gives each cell another one's code; it doesn't change NEXT
        made.exchanges = {"a": (2, 0, 1), "b": (1, 2, 0)}
        for name, ahead, ends in (
            ("cell1", 0, "0x07: red; a gives it the code of cell3; b gives it the code of cell2"),
            ("cell2", 0, "0x07: red; a gives it the code of cell1; b gives it the code of cell3"),
            ("cell1", 1, "0x07: red"),
        ):
            moved: Any = _told(replace(told, name=name, ahead=ahead), made, lambda offset: offset)
            assert moved["note"].endswith(ends)


@pytest.mark.parametrize("planes", [1, 2, 3])
def test_full_cells_with_bits_in_several_planes_are_counted(planes: int) -> None:
    """Columns of 4, rows of 2, beside a copy with a byte for each cell."""
    dice = np.random.default_rng(planes)
    columns, rows, copied = 4, 3, 2
    copy = Field(Grid(32, 1, columns, columns, 9), copied, 1, 12, 0, 1, 1, (), 0, 0)
    places = tuple(tuple(8 * plane + row for plane in range(planes)) for row in range(rows) for _ in range(columns))
    view = View(columns, places, tuple(column for _ in range(rows) for column in range(columns)), 1)
    rams = dice.integers(0, 256, (30, 64)).astype(np.uint8)
    rams[:, 32:] = np.where(dice.integers(0, 2, (30, 32)) > 0, 9, dice.integers(1, 4, (30, 32)))
    full = several = 0
    for ram in rams:
        for row in range(copied):
            for column in range(columns):
                if ram[32 + column + columns * row] != 9:
                    full += 1
                    several += sum(int(ram[8 * plane + row]) >> column & 1 for plane in range(planes)) > 1
    assert _several(view, copy, rams) == pytest.approx(several / full)
    assert (several > 0) is (planes > 1)


# -- colours of halves, or of a pair


def color(place: int, *, followed: bool) -> ColorByte:
    return ColorByte(place, 0xFF, {1: 1, 2: 2}, followed=followed)


@pytest.mark.parametrize("ahead", [0, 1, 2])
@pytest.mark.parametrize(
    ("near", "far", "both"), list(product([None, False, True], [None, False, True], [False, True]))
)
def test_where_no_byte_has_a_half_s_colour_one_may_stand_for_the_pair(
    ahead: int, near: bool | None, far: bool | None, both: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """near, far: whether the game obeys the half's byte; None: there is none. both: one byte numbers the pair."""
    halves = {
        name: None if followed is None else color(10 + at, followed=followed)
        for at, (name, followed) in enumerate((("near", near), ("far", far)))
    }
    pair = color(20, followed=True), color(21, followed=True)
    later = color(30, followed=True), color(31, followed=True)
    asked = []

    def find_byte(_: object, taken: Any, half: str, number: int, _hints: object, like: Any, refused: set[int]) -> Any:
        asked.append((half, number, like, refused))
        assert taken == ["samples"]
        return halves[half]

    def find_index(_: object, taken: Any, number: int) -> Any:
        assert (taken, number) == (["samples"], ahead)
        if not both:
            raise CalibrationError("no byte numbers the pair")
        return pair

    monkeypatch.setattr(learn, "find_byte", find_byte)
    monkeypatch.setattr(learn, "find_index", find_index)
    monkeypatch.setattr(learn, "joined", lambda *found: found)
    book = Notebook(None, "a game")
    book.turn_down(f"NEXT {ahead}", "a byte", "it is none", [77])
    ground: Any = None
    found = learn._colors(book, ground, lambda _: ["samples"], NO_HINTS, ahead, later)  # type: ignore[list-item]
    assert asked == [("near", ahead, later[0], {77}), ("far", ahead, later[1], {77})]
    alone = None if near is None or far is None else (halves["near"], halves["far"])
    if near and far:
        wanted: Any = alone
    else:
        wanted = pair if both else alone
    assert found == wanted
    names = [f"NEXT {ahead}, {half} half" if ahead else f"colour of the {half} half" for half in ("near", "far")]
    lacking = [name for name, one in zip(names, (near, far), strict=True) if one is None]
    whole = f"NEXT {ahead}, as a pair" if ahead else "colours as a pair"
    if near and far:
        assert not book.failed
    elif both:
        # nobody misses what the game doesn't have
        assert not book.failed
    else:
        assert [*book.failed] == [*lacking, whole]
        pieces = {0: "0 pieces", 1: "1 piece", 2: "2 pieces"}[ahead]
        said = f"no byte holds the colour of this half {pieces} before it falls"
        assert {book.failed[name] for name in lacking} <= {said}


def test_nexts_are_looked_for_until_one_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[int, Any] = {}
    asked: list[tuple[int, Any]] = []

    def colors(*said: Any) -> Any:
        *_, ahead, later = said
        asked.append((ahead, later))
        return shown.get(ahead)

    monkeypatch.setattr(learn, "_colors", colors)
    nothing: Any = None
    for number in range(4):
        asked.clear()
        assert learn._following(nothing, nothing, nothing, nothing) == tuple(shown.values())[: learn.MOST_NEXT]
        assert asked == [(ahead, shown.get(ahead - 1)) for ahead in range(1, min(number + 1, learn.MOST_NEXT) + 1)]
        shown[number + 1] = color(number, followed=True), color(9 + number, followed=True)


# -- shapes of pieces


def left(shape: tuple[tuple[int, int], ...], turns: int = 0, *, gone: bool = False) -> Any:
    return SimpleNamespace(shape=shape, cells=shape, gone=gone, landing=SimpleNamespace(turns=turns))


UP, FLAT, APART, LONE = ((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 2), (1, 0)), ((0, 0),)


def test_the_usual_shape_holds_together() -> None:
    assert usual_shape([]) == usual_shape([left(UP, gone=True)]) == ((0, 0),)
    assert usual_shape([left(FLAT), *[left(UP)] * 2, *[left(FLAT, gone=True)] * 5]) == UP
    # most left a part that had fallen deeper
    assert usual_shape([*[left(APART)] * 5, left(FLAT)]) == FLAT
    assert usual_shape([*[left(APART)] * 5, *[left(LONE)] * 9]) == LONE
    assert usual_shape([*[left(((0, 0), (1, 1)))] * 9, left(UP)]) == UP


@pytest.mark.parametrize("first", range(4))
def test_a_piece_is_stood_upright_by_the_fewest_taps(first: int) -> None:
    seen = [left(UP if (turns - first) % 2 == 0 and turns >= first else FLAT, turns) for turns in range(4)]
    assert upright(seen) == first
    assert upright([*[left(FLAT, turns) for turns in range(4)], *[left(UP, 3)] * 2]) == 3
    bent = ((0, 0), (0, 1), (1, 0))
    assert upright([left(bent, turns) for turns in range(4)]) == 0
    assert upright([left(LONE, turns) for turns in range(4)]) == 0


@given(st.lists(st.integers(0, 255), min_size=1, max_size=12))
def test_bits_that_may_tell_a_piece_leave_out_few_of_those_that_differ(codes: list[int]) -> None:
    masks = cell_masks(codes)
    differ = [1 << bit for bit in range(8) if len({code & 1 << bit for code in codes}) == 2]
    kept = sum(differ)
    own = [mask & kept for mask in masks]
    most = min(MOST_IDLE, len(differ) - 2)
    wanted = {kept - sum(some) for number in range(most + 1) for some in combinations(differ, number)}
    assert set(own) == (wanted | {mask & kept for mask in CELL_MASKS} | ({kept} if not wanted else set())) - {0}
    assert len(own) == len(set(own))
    # those that leave out the fewest come first, the usual ones of them before others
    order = [(-bin(mask & kept).count("1"), mask not in CELL_MASKS) for mask in masks]
    assert order == sorted(order)
