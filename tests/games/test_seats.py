"""Compares what a seat reads with a plain reading of the bytes at documented addresses. No core is needed."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import NEOGEO, NES, Ram
from ochibot.data import data_path
from ochibot.errors import ConfigError, FieldError, GameError, OchibotError
from ochibot.games import Game
from ochibot.games.choosing import find_rules, resolve_game
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.games.puyoseat import PuyoSeat
from ochibot.nyaa import Grid
from ochibot.puyo import COLORS, Field, Orientation
from ochibot.ram import load_map

from tests import titles as famicom_puyo
from tests.games.test_unread import sit_down
from tests.puyo import FAMICOM

NES_MAP = famicom_puyo.load_seat_map("player1")
NYAA_MAP = load_map(data_path("ram_maps/nyaa_homebrew/player1.yaml"), famicom_puyo.NYAA_TABLE.codes)

NES_FIELD = 0x303
NYAA_FIELD = 0x100268
# block codes in our Neo Geo game's RAM, and the letters of a Grid
NYAA_LETTERS = {0: ".", 1: "r", 2: "g", 3: "b", 4: "y", 5: "o", 9: "R", 10: "G", 11: "B", 12: "Y"}


def nes() -> tuple[Ram, PuyoSeat]:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    return ram, famicom_puyo.famicom_seat(NES_MAP, ram)


def neogeo() -> tuple[Ram, NyaaSeat]:
    ram = Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram)
    return ram, famicom_puyo.neogeo_seat(NYAA_MAP, ram, famicom_puyo.rules_of(famicom_puyo.NYAA))


@given(st.data())
def test_a_famicom_seat_reads_the_bytes_of_its_pair(data: st.DataObject) -> None:
    ram, seat = nes()
    entries = NES_MAP.entries
    x, y, orientation = (data.draw(st.integers(0, last)) for last in (8, 15, 5))
    for name, value in (("x", x), ("y", y), ("orientation", orientation)):
        ram[entries[name].byte_addresses()[0]] = value
    aside = {Orientation.LEFT: -1, Orientation.RIGHT: 1}
    known = orientation < 4
    inside = known and y < 14 and 1 <= x <= 6 and 1 <= x + aside.get(Orientation(orientation), 0) <= 6
    assert seat.pair_state() == ((x, y, orientation) if inside else None)


@given(st.data())
def test_a_neo_geo_seat_reads_the_bytes_of_its_pair(data: st.DataObject) -> None:
    ram, seat = neogeo()
    x, y, orientation, needle = (data.draw(st.integers(0, last)) for last in (9, 14, 5, 2))
    for address, value in zip(range(0x100204, 0x100208), (x, y, orientation, needle), strict=True):
        ram[address] = value
    # orientations 0 to 3: the partner lies below, left, above, right of the axis
    u, v = x + {1: -1, 3: 1}.get(orientation, 0), y + {0: 1, 2: -1}.get(orientation, 0)
    inside = orientation < 4 and needle < 2 and all(1 <= a <= 7 and 0 <= b <= 12 for a, b in ((x, y), (u, v)))
    assert seat.pair_state() == ((x, y, orientation, bool(needle)) if inside else None)


@given(st.lists(st.sampled_from([*COLORS, 0, 7]), min_size=84, max_size=84))
def test_a_famicom_field_is_read_cell_by_cell(codes: list[int]) -> None:
    ram, seat = nes()
    values = {famicom_puyo.TABLE.codes[symbol]: value for value, symbol in NES_MAP.codes["puyo"].values.items()}
    for place, code in enumerate(codes):
        ram[NES_FIELD + 16 * (place // 6) + 2 * (place % 6)] = values[code]
    letters = ".RGBYPCo"
    rows = ["".join(letters[code] for code in codes[row : row + 6]) for row in range(0, 84, 6)]
    assert seat.field() == Field.parse("\n".join(rows))
    assert seat.map.cells_reader("field")() == seat.map.grid("field").tobytes() == bytes(codes)


@given(st.lists(st.sampled_from(sorted(NYAA_LETTERS)), min_size=84, max_size=84))
def test_a_neo_geo_field_is_read_cell_by_cell(values: list[int]) -> None:
    ram, seat = neogeo()
    for place, value in enumerate(values):
        ram[NYAA_FIELD + 8 * (place // 7) + place % 7] = value
    rows = ["".join(NYAA_LETTERS[value] for value in values[row : row + 7]) for row in range(0, 84, 7)]
    assert seat.field() == Grid.parse("\n".join(rows))
    # the grid ``steps`` has no codes, so its bytes are read unchanged
    assert seat.map.cells_reader("steps")() == seat.map.grid("steps").tobytes()


def test_an_unknown_byte_is_named_with_its_place() -> None:
    ram, seat = nes()
    ram[NES_FIELD + 16 * 9 + 2 * 4] = 0x42
    with pytest.raises(GameError, match=r"row 9, column 5 holds 0x42, .*--map"):
        seat.field()
    ram, other = neogeo()
    ram[NYAA_FIELD + 8 * 2 + 6] = 0x42
    with pytest.raises(GameError, match=r"row 3, column 7 holds 0x42, .*--map"):
        other.field()
    ram[NYAA_FIELD + 8 * 2 + 6] = 15  # the code of a wall, which no cell of the field can hold
    with pytest.raises(GameError, match=r"row 3, column 7 holds 0x0f"):
        other.field()


@pytest.mark.parametrize("colors", [(0, 1), (1, 7), (7, 7), (8, 1), (9, 10), (9, 1)])
def test_what_is_no_pair_is_refused(colors: tuple[int, int]) -> None:
    ram, seat = nes()
    values = {famicom_puyo.TABLE.codes[symbol]: value for value, symbol in NES_MAP.codes["puyo"].values.items()}
    for name, value in (("x", 3), ("y", 1), ("orientation", 2)):
        ram[NES_MAP.entries[name].byte_addresses()[0]] = value
    for name, color in zip(("axis", "partner"), colors, strict=True):
        ram[NES_MAP.entries[name].byte_addresses()[0]] = values[color]
    axis, partner = (values[color] for color in colors)
    with pytest.raises(GameError, match=r"0x06(79|7d)") as caught:
        seat.snapshot()
    if colors[0] in (9, 1) and colors[1] in (10, 1):
        assert f"axis holds {axis:#04x} at 0x0679 and partner holds {partner:#04x} at 0x067d" in str(caught.value)
    else:
        assert "no colour" in str(caught.value)


def test_an_unknown_colour_is_named_with_its_byte_and_address() -> None:
    """The message once named "colours 255 and 1", but no byte held these values."""
    ram, seat = nes()
    for name, value in (("x", 3), ("y", 1), ("orientation", 2), ("axis", 1), ("partner", 1)):
        ram[NES_MAP.entries[name].byte_addresses()[0]] = value
    ram[NES_MAP.entries["next_axis"].byte_addresses()[0]] = 1
    at = NES_MAP.entries["next_partner"].byte_addresses()[0]
    ram[at] = 0xB7
    with pytest.raises(
        GameError, match=rf"next_partner holds 0xb7 at {at:#06x}, which is no colour by the map player1"
    ):
        seat.snapshot()
    ram[at] = next(value for value, symbol in NES_MAP.codes["puyo"].values.items() if symbol == "nuisance")
    with pytest.raises(GameError, match="which means nuisance, no colour, by the map player1: give that byte a colour"):
        seat.snapshot()


@pytest.mark.parametrize("codes", [bytes(83), bytes(85), bytes(83) + b"\x08", b"\xff" + bytes(83)])
def test_what_are_no_codes_of_a_field(codes: bytes) -> None:
    with pytest.raises(FieldError):
        Field.from_codes(codes)
    with pytest.raises(FieldError):
        Grid(codes.replace(b"\x08", b"\x0a"))


SHAPES: dict[str, dict[str, object]] = {
    "a small grid": {"type": "u8", "rows": 2, "columns": 3, "row_stride": 3, "column_stride": 1, "scale": 1},
    "a single value": {"rows": None, "columns": None, "row_stride": None, "column_stride": None},
    "no codes": {"codes": None},
}
SANE = {"x": 3, "y": 3, "orientation": 0, "needle": 0} | {
    f"{whose}{half}": 1
    for whose in ("", "next_", "next2_", "opponent_", "opponent_next_")
    for half in ("axis", "partner")
}
"""Valid values for the entries of the falling pair, which is inside the field, and of the pairs to come."""


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["player1", "player2", "player12"])
@pytest.mark.parametrize("title", [famicom_puyo.PUYO, famicom_puyo.NYAA], ids=["puyo", "nyaa"])
def test_an_entry_of_another_shape_is_reported_and_never_a_bug(title: Game, name: str, shape: str) -> None:
    """Reading the opponent's field once raised StopIteration when its entry had only two rows."""
    whole, layout, size = title.load_map(name), NES.ram, 0x800
    if title is famicom_puyo.NYAA:
        layout, size = NEOGEO.ram, 0x10000
    filling = np.random.default_rng(1)
    for entry, old in whole.entries.items():
        place = {"address": old.byte_addresses()[0], "addresses": None} if shape == "a small grid" else {}
        other = old.model_copy(update={**SHAPES[shape], **place})
        changed = whole.model_copy(update={"entries": {**whole.entries, entry: other}})
        for most in (1, 256):
            ram = Ram(filling.integers(0, most, size, np.uint8), layout)
            for known in SANE.keys() & whole.entries.keys():
                ram[whole.entries[known].byte_addresses()[0]] = SANE[known]
            with contextlib.suppress(OchibotError):
                seat = title.seat(changed, ram, famicom_puyo.rules_of(title))
                for look in (seat.update, seat.pair_state, seat.over, seat.score, seat.pending, seat.settled):
                    with contextlib.suppress(OchibotError):
                        look()
                seat.snapshot()


def test_what_is_received_is_what_pending_has_grown_by() -> None:
    ram, seat = sit_down(FAMICOM, 1)
    seat.resync()
    received = []
    for waiting in (0, 3, 5, 0, 2, 2):
        ram[0x31] = waiting
        seat.update()
        received.append(seat.received)
    assert received == [0, 3, 5, 5, 7, 7]


def test_rules_of_another_family_are_reported_as_that() -> None:
    assert find_rules(famicom_puyo.PUYO, "tsu").clear_size == 4
    with pytest.raises(
        ConfigError, match=r"nyaa_mvs is a rules profile of nyaa, not of puyo; give famicom, puyo1, tsu or"
    ):
        find_rules(famicom_puyo.PUYO, "nyaa_mvs")
    with pytest.raises(ConfigError) as caught:
        find_rules(famicom_puyo.PUYO, "mine")
    assert "profile of" not in str(caught.value)


def test_a_module_s_game_is_meant_where_no_other_is_named() -> None:
    module = Path(__file__).parent.parent / "outside/kakera/game.py"
    for game in (None, "puyo", "kakera"):
        assert resolve_game(game, module).name == "kakera"
    assert resolve_game("nyaa", module).name == "nyaa"
    assert resolve_game(None).name == "puyo"
