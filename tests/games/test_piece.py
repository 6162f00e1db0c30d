"""Reads the falling pair in every form in which a map can give it, and compares it with a plain computation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import NES, Ram
from ochibot.errors import GameError, MapError
from ochibot.falling.orientation import Orientation
from ochibot.games.nyaaseat import _states as nyaa_states
from ochibot.games.piece import pair_source
from ochibot.games.unread import states
from ochibot.nyaa.rules.pair import halves as nyaa_halves
from ochibot.puyo.rules.pair import halves
from ochibot.ram import ORIENTATIONS, BoundMap

from tests.games.othergame import map_of, seat_of
from tests.puyo import FAMICOM

ASIDE = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
"""Where the partner is, seen from the axis; rows count downwards."""

SIGNED = {name: {"address": 0x10 + at, "type": "s8"} for at, name in enumerate(("x", "y", "partner_x", "partner_y"))}
TURN = {"orientation": {"address": 0x14, "symbols": "turn"}}
WORDS = {0x40: "up", 0x80: "right", 0xC0: "down", 0x01: "left"}


def source(ram: Ram, form: str, entries: dict[str, Any], words: dict[int, str] | None = None) -> Any:
    content = {"pair": {"denotes": form}, "entries": entries, "codes": {"turn": words or WORDS}}
    read, found = pair_source(BoundMap(map_of(content), ram, {}), {}, states(), halves)
    return lambda: found.get(read())


places = st.tuples(st.integers(-2, 9), st.integers(-3, 16), st.sampled_from(sorted(ASIDE)))


def expected(x: int, y: int, turned: str) -> Any:
    """The state that must be read; None unless the axis is in the field and both halves are in its columns."""
    u = x + ASIDE[turned][0]
    return (x, y, Orientation[turned.upper()]) if 1 <= x <= 6 and 1 <= u <= 6 and 0 <= y <= 13 else None


@given(places)
def test_all_forms_read_the_same(place: tuple[int, int, str]) -> None:
    x, y, turned = place
    dx, dy = ASIDE[turned]
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    code = next(byte for byte, word in WORDS.items() if word == turned)
    for at, value in enumerate((x, y, x + dx, y + dy)):
        ram[0x10 + at] = value & 0xFF
    ram[0x14] = code
    axis = {**TURN, "x": SIGNED["x"], "y": SIGNED["y"]}
    partner = {**TURN, "x": SIGNED["partner_x"], "y": SIGNED["partner_y"]}
    assert source(ram, "axis", axis)() == expected(*place)
    assert source(ram, "partner", partner)() == expected(*place)
    assert source(ram, "halves", SIGNED)() == expected(*place)
    # the left column and the lower row of both
    ram[0x15], ram[0x16] = min(x, x + dx) & 0xFF, max(y, y + dy) & 0xFF
    corner = {"x": {"address": 0x15, "type": "s8"}, "y": {"address": 0x16, "type": "s8"}}
    assert source(ram, "box", {**TURN, **corner})() == expected(*place)


@pytest.mark.parametrize("apart", [(0, 0), (2, 0), (1, 1), (0, -2), (-5, 3)])
def test_halves_that_arent_beside_each_other_are_no_pair(apart: tuple[int, int]) -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for at, value in enumerate((3, 5, 3 + apart[0], 5 + apart[1])):
        ram[0x10 + at] = value & 0xFF
    assert source(ram, "halves", SIGNED)() is None


def test_an_unknown_turn_is_no_pair_and_pointers_that_lead_nowhere_are_none() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    ram[0x10], ram[0x11], ram[0x14] = 3, 5, 0x41
    entries = {**TURN, "x": SIGNED["x"], "y": SIGNED["y"]}
    assert source(ram, "axis", entries)() is None
    ram[0x14] = 0x40
    assert source(ram, "axis", entries)() == (3, 5, Orientation.UP)
    pointer = {"pointer": {"address": 0x20, "type": "u16le", "offset": 0x10}}
    read = source(ram, "axis", {**entries, "x": pointer})
    assert read() == (3, 5, Orientation.UP)
    ram[0x21] = 0x90
    assert read() is None


@pytest.mark.parametrize(
    ("form", "missing"), [("axis", "orientation"), ("partner", "orientation"), ("halves", "partner_y"), ("axis", "x")]
)
def test_what_a_form_needs_is_named(form: str, missing: str) -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    entries = {name: entry for name, entry in {**SIGNED, **TURN}.items() if name != missing}
    with pytest.raises(MapError, match=f"no entry '{missing}', which holds where the falling pair is"):
        source(ram, form, entries)


def test_words_that_are_no_orientation_are_reported() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    with pytest.raises(MapError, match="'orientation' has the symbol 'upwards'; give down, left, up, right"):
        source(ram, "axis", {**SIGNED, **TURN}, {0: "upwards", 1: "left"})


def test_the_numbers_of_the_words_are_those_of_orientations() -> None:
    assert {word: Orientation[word.upper()] for word in ORIENTATIONS} == ORIENTATIONS


@given(st.integers(-2, 10), st.integers(-3, 15), st.sampled_from(sorted(ASIDE)), st.booleans())
def test_the_other_family_has_them_all_too(x: int, y: int, turned: str, needle: bool) -> None:
    """Pochi & Nyaa has seven columns and needles; both halves must lie in the visible rows or the hidden row."""
    dx, dy = ASIDE[turned]
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for at, value in enumerate((x, y, x + dx, y + dy)):
        ram[0x10 + at] = value & 0xFF
    ram[0x14] = next(byte for byte, word in WORDS.items() if word == turned)
    ram[0x15] = needle
    inside = all(1 <= a <= 7 and 0 <= b <= 12 for a, b in ((x, y), (x + dx, y + dy)))
    wanted = (x, y, Orientation[turned.upper()], needle) if inside else None
    turn = {**TURN, "needle": {"address": 0x15}}
    for form, entries in (
        ("axis", {**turn, "x": SIGNED["x"], "y": SIGNED["y"]}),
        ("partner", {**turn, "x": SIGNED["partner_x"], "y": SIGNED["partner_y"]}),
        ("halves", {**SIGNED, "needle": {"address": 0x15}}),
    ):
        content = {"pair": {"denotes": form}, "entries": entries, "codes": {"turn": WORDS}}
        bound = BoundMap(map_of(content), ram, {})
        read, found = pair_source(bound, {}, nyaa_states(), nyaa_halves, ("needle",))
        assert found.get(read()) == wanted


def test_a_pair_that_is_nowhere_is_reported_with_its_bytes() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    codes = {"puyo": {0: "empty", 1: "red"}, "turn": WORDS}
    field = {"address": 0x200, "rows": 14, "columns": 6, "row_stride": 6, "column_stride": 1, "codes": "puyo"}
    colors = {
        name: {"address": 0x40 + at, "codes": "puyo"}
        for at, name in enumerate(("axis", "partner", "next_axis", "next_partner"))
    }
    entries = {**TURN, "x": SIGNED["x"], "y": SIGNED["y"], **colors, "field": field, "sign": {"address": 0x50}}
    signs = {"spawn": {"entry": "sign", "is": 1}}
    seat = seat_of(map_of({"entries": entries, "codes": codes, "signs": signs}), ram, FAMICOM)
    for at in range(4):
        ram[0x40 + at] = 1
    ram[0x10], ram[0x11], ram[0x14] = 7, 2, 0x40
    told = r"x is 7 \(0x07 at 0x0010\), y is 2 \(0x02 at 0x0011\), orientation is up \(0x40 at 0x0014\);"
    with pytest.raises(GameError, match=told):
        seat.snapshot()
    ram[0x10], ram[0x14] = 3, 0x41
    with pytest.raises(GameError, match=r"orientation is unknown \(0x41 at 0x0014\); correct these entries"):
        seat.snapshot()
    ram[0x14], ram[0x200 + 6 * 3 + 2] = 0x40, 0x99
    told = r"row 3, column 3 holds 0x99, which the map one doesn't know \(address 0x0214\): .*codes\.puyo"
    with pytest.raises(GameError, match=told):
        seat.snapshot()
