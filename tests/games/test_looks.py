"""Tests of both families' looks: colours, words, cells of a cropped picture, places in game files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import NEOGEO, NES, Ram
from ochibot.errors import ConfigError
from ochibot.games.filed.families import family_names, find_kind
from ochibot.games.filed.title import shipped_title
from ochibot.games.nyaalook import NyaaLook
from ochibot.games.puyolook import PuyoLook
from ochibot.games.table import OnPicture
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, Placement

from tests.titles import NYAA, PUYO, rules_of

SHOWN = OnPicture({1: (10, 20), 2: (150, 20)}, cell=8, top=2, screen=(320, 240), colors={3: (1, 2, 3)})


def test_a_cell_of_the_puyo_family_lies_below_the_first_row_in_sight() -> None:
    look = PuyoLook(SHOWN, 5)
    assert look.box(1, 1, 2, (320, 240)) == (10, 20, 8)
    assert look.box(2, 6, 13, (320, 240)) == (150 + 5 * 8, 20 + 11 * 8, 8)
    # a core crops the same amount from both sides
    assert look.box(1, 3, 4, (300, 224)) == (10 + 16 - 10, 20 + 16 - 8, 8)
    for seat, x, y in ((3, 1, 5), (1, 0, 5), (1, 7, 5), (1, 1, 1), (1, 1, 14)):
        assert look.box(seat, x, y, (320, 240)) is None
    other = PuyoLook(OnPicture({1: (0, 0)}), 1)
    assert other.box(1, 1, 1, (99, 77)) == (0, 0, 16), "no core crops it"
    assert other.box(1, 1, 0, (99, 77)) is None
    assert PuyoLook(None, 1).box(1, 1, 5, (320, 240)) is None


def test_a_cell_that_is_no_square_has_the_largest_one_in_its_middle() -> None:
    flat = PuyoLook(OnPicture({1: (10, 20)}, cell=16, top=2, height=12), 2)
    assert flat.box(1, 1, 2, (320, 240)) == (12, 20, 12)
    assert flat.box(1, 3, 5, (320, 240)) == (12 + 32, 20 + 36, 12)
    high = NyaaLook(OnPicture({1: (10, 20)}, cell=8, height=14))
    assert high.box(1, 2, 11, (320, 240)) == (10 + 8, 20 + 14 + 3, 8)


def test_a_cell_of_the_nyaa_family_counts_from_the_floor() -> None:
    look = NyaaLook(SHOWN)
    assert look.box(1, 1, 12, (320, 240)) == (10, 20, 8)
    assert look.box(2, 7, 1, (320, 240)) == (150 + 6 * 8, 20 + 11 * 8, 8)
    assert look.box(1, 2, 11, (304, 224)) == (10 + 8 - 8, 20 + 8 - 8, 8)
    for seat, x, y in ((3, 1, 5), (1, 0, 5), (1, 8, 5), (1, 1, 0), (1, 1, 13)):
        assert look.box(seat, x, y, (320, 240)) is None
    assert NyaaLook(None).box(1, 1, 5, (320, 240)) is None


def test_colours_are_the_games_or_the_familys_and_each_is_another() -> None:
    for look, codes in ((PuyoLook(SHOWN, 1), range(1, 7)), (NyaaLook(SHOWN), range(1, 5))):
        colors = {look.color(code) for code in codes}
        assert len(colors) == len(codes)
        assert look.color(3) == (1, 2, 3)
        assert all(0 <= part <= 255 for color in colors for part in color)
    assert PuyoLook(None, 1).color(3) != (1, 2, 3)
    assert {PuyoLook(None, 1).color(code) for code in (BIG, CARBUNCLE)} == {(255, 255, 255)}
    assert NyaaLook(None).color(5) == (255, 255, 255)
    # in red, green and blue, the part of that name is the greatest; in yellow, blue is the least
    for look in (PuyoLook(None, 1), NyaaLook(None)):
        red, green, blue, yellow = (look.color(code) for code in range(1, 5))
        assert max(red) == red[0]
        assert max(green) == green[1]
        assert max(blue) == blue[2]
        assert min(yellow) == yellow[2]


def test_plans_in_words() -> None:
    where = Placement(3, 12, Orientation.LEFT)
    decision: Any = SimpleNamespace(placement=where, outcome=SimpleNamespace(chain=4))
    look = PuyoLook(None, 1)
    assert look.in_words(decision) == [("plan", "column 3, left"), ("chain now", "4")]
    decision.outcome.chain = 0
    assert look.in_words(decision)[1] == ("chain now", "–")
    other: Any = SimpleNamespace(
        placement=SimpleNamespace(x=7, orientation=Orientation.DOWN, needle=True),
        outcome=SimpleNamespace(ignited=True, attack=13, tails=1),
    )
    needles = NyaaLook(None)
    assert needles.in_words(other) == [("plan", "column 7, down"), ("as", "needles"), ("attack now", "13 (1 tail)")]
    other.placement.needle, other.outcome.ignited = False, False
    assert needles.in_words(other)[1:] == [("as", "blocks"), ("attack now", "–")]


def test_plans_of_pairs_rest_and_those_of_items_are_their_cells() -> None:
    look = PuyoLook(None, 1)
    field = Field.parse("..o...")
    decision: Any = SimpleNamespace(placement=Placement(3, 11, Orientation.UP))
    snapshot: Any = SimpleNamespace(field=field, pair=Pair(1, 2))
    assert look.planned(snapshot, decision) == {(3, 12, 1), (3, 11, 2)}
    snapshot.pair = Pair(BIG, BIG)
    assert look.planned(snapshot, decision) == {(x, y, BIG) for x in (3, 4) for y in (10, 11)}
    snapshot.pair = Pair(CARBUNCLE, CARBUNCLE)
    assert look.planned(snapshot, decision) == {(3, 11, CARBUNCLE)}


@pytest.mark.parametrize(("family", "columns", "rows"), [("puyo", 6, 14), ("nyaa", 7, 13)])
def test_both_halves_of_a_place_are_in_the_field(family: str, columns: int, rows: int) -> None:
    """In the puyo family the partner may be one row above the field."""
    kind = find_kind(family)
    for x in range(-1, columns + 3):
        for y in range(-1, rows + 2):
            for orientation in Orientation:
                across, down = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}[int(orientation)]
                lowest = -1 if family == "puyo" else 0
                inside = (
                    1 <= x <= columns and 1 <= x + across <= columns and 0 <= y < rows and lowest <= y + down < rows
                )
                if inside:
                    place = kind.place(x, y, orientation)
                    assert (place.x, place.y, place.orientation) == (x, y, orientation)
                else:
                    with pytest.raises(ValueError, match=f"columns 1 to {columns}"):
                        kind.place(x, y, orientation)


def ram_of(game: Any) -> Ram:
    """The RAM of a game's system, filled with zeros."""
    size, system = (0x800, NES) if game.system == "nes" else (0x10000, NEOGEO)
    return Ram(np.zeros(size, np.uint8), system.ram)


def test_families_are_found_by_their_names() -> None:
    assert family_names() == ("puyo", "nyaa")
    for name, game in (("puyo", PUYO), ("nyaa", NYAA)):
        kind = find_kind(name)
        assert kind.family.name == name
        ram_map = game.load_map(game.map_names(game.solo_mode)[0])
        assert game.seat(ram_map, ram_of(game), rules_of(game)).starts_at(kind.spawn(rules_of(game)))
        assert sorted(kind.codes.values()) == list(range(11))
        assert set(kind.buttons) == set(kind.actions.values())
        assert len(set(kind.buttons.values())) == len(kind.buttons)
    with pytest.raises(ConfigError, match="there is no family 'columns'; known are puyo, nyaa"):
        find_kind("columns")


@pytest.mark.parametrize(("game", "look", "count"), [("tsu", PuyoLook(None, 1), 5), ("nyaa", NyaaLook(None), 4)])
def test_where_a_file_gives_no_colours_they_are_those_of_our_own_game(game: str, look: Any, count: int) -> None:
    made = shipped_title(game)
    assert made.table.shown is not None
    shown = {code: color for code, color in made.table.shown.colors.items() if code <= count}
    assert {code: look.color(code) for code in range(1, count + 1)} == shown
    # cyan is compared with the Famicom game, because Tsu has no cyan puyo
    famicom = shipped_title("puyo").table.shown
    assert famicom is not None
    assert PuyoLook(None, 1).color(6) == famicom.colors[6]
