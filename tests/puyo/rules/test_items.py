"""Items: their shapes and moves, what they do where they come to rest, when they are dealt, how they are drawn."""

from __future__ import annotations

from itertools import islice

import pytest
from ochibot.errors import ConfigError, FieldError
from ochibot.puyo import (
    BIG,
    CARBUNCLE,
    Action,
    Field,
    Items,
    Orientation,
    Pair,
    PairState,
    Placement,
    Snapshot,
    UniformDealer,
    move,
    place,
    shape,
)

from tests.puyo import FAMICOM, SPAWN, reference
from tests.puyo.fields import random_cells, sampled

UP = Orientation.UP
BIG_PUYO, CARBUNCLES = Pair(BIG, BIG), Pair(CARBUNCLE, CARBUNCLE)


def at(x: int, y: int) -> Placement:
    return Placement(x, y, UP)


@pytest.mark.parametrize(("text", "piece"), [("**", BIG_PUYO), ("&&", CARBUNCLES)])
def test_items_as_text(text: str, piece: Pair) -> None:
    assert Pair.parse(text) == piece
    assert str(piece) == text
    assert piece.is_item


@pytest.mark.parametrize("text", ["*", "*&", "R*", "&", "***"])
def test_half_an_item_is_no_piece(text: str) -> None:
    with pytest.raises(FieldError, match="is not a pair"):
        Pair.parse(text)


def test_shapes() -> None:
    state = PairState(3, 5, UP)
    assert set(shape(BIG_PUYO, state)) == {(3, 5), (4, 5), (3, 4), (4, 4)}
    assert shape(CARBUNCLES, state) == ((3, 5),)
    assert shape(Pair(1, 2), state) == shape(None, state) == ((3, 5), (3, 4))


@pytest.mark.parametrize("pair", [BIG_PUYO, CARBUNCLES])
def test_every_move_is_the_reference_s(pair: Pair) -> None:
    for cells in random_cells()[:150]:
        grid = cells.tolist()
        for x in range(1, 7):
            for y in range(14):
                if reference.may_start(grid, (x, y, 2), pair):
                    after = [tuple(move(cells, PairState(x, y, UP), action, pair, FAMICOM)) for action in Action]
                    assert after == reference.moves(grid, (x, y, 2), pair)


@sampled(500, 1500)
def test_every_effect_is_the_reference_s(fields: int) -> None:
    chains = set()
    for cells in random_cells()[:fields]:
        grid = cells.tolist()
        for pair in (BIG_PUYO, CARBUNCLES):
            for lock in list(reference.locks(grid, (3, 1, 2), pair))[:6]:
                rows, score, chain, cleared = reference.place(grid, pair, lock)
                after = place(Field.from_cells(cells), pair, at(*lock[:2]), FAMICOM)
                assert (after.score, after.chain, after.cleared) == (score, chain, cleared)
                assert after.field.cells.tolist() == rows
                assert after.game_over == reference.is_over(rows)
                chains.add(chain)
    assert len(chains) > 3


def test_the_big_puyo_empties_two_columns_for_ten_points_a_puyo() -> None:
    after = place(Field.parse("GR.o..\nGRBo.."), BIG_PUYO, at(2, 11), FAMICOM)
    assert after.field == Field.parse("G..o..\nG..o..")
    assert (after.score, after.chain, after.cleared, after.game_over) == (30, 0, 3, False)
    full = Field.parse("RRGBBB\n" + "GGRYYY\nYYBGGG\n" * 6 + "BBYRRR")
    # the item overlaps puyos; it empties the hidden row of its columns, too
    after = place(full, BIG_PUYO, at(3, 1), FAMICOM)
    assert after.field.heights() == (14, 14, 0, 0, 14, 14)
    assert after.score == 280


def test_the_carbuncle_recolours_its_neighbours_and_leaves() -> None:
    field = Field.parse("R.B...\nYGo...\nGYG...")
    after = place(field, CARBUNCLES, at(2, 11), FAMICOM)
    assert after.field == Field.parse("G.G...\nYGo...\nGYG...")
    assert (after.score, after.chain, after.cleared) == (0, 0, 0)
    assert place(field, CARBUNCLES, at(2, 4), FAMICOM) == after  # placed higher, it first drops
    field = Field.parse("R.B...\nGGo...\nGYG...")  # a puyo that it recolours completes a group
    after = place(field, CARBUNCLES, at(2, 11), FAMICOM)
    assert (after.score, after.chain, after.cleared) == (40, 1, 5)
    assert after.field == Field.parse("..G...\n.YG...")


@pytest.mark.parametrize("text", ["R.B...", "R.B...\nRoB...", "......"])
def test_on_the_floor_or_nuisance_the_carbuncle_only_vanishes(text: str) -> None:
    field = Field.parse(text)
    after = place(field, CARBUNCLES, at(2, 13 if "o" not in text else 12), FAMICOM)
    assert (after.field, after.score, after.chain) == (field, 0, 0)


def test_the_carbuncle_works_in_the_hidden_row_and_spares_nuisance() -> None:
    rows = ["R.o...", "YGo..."] + ["CBo...", "PRo..."] * 6
    after = place(Field.parse("\n".join(rows)), CARBUNCLES, at(2, 0), FAMICOM)
    assert after.field == Field.parse("\n".join(["G.o...", *rows[1:]]))


@pytest.mark.parametrize("placement", [at(6, 5), at(0, 5), at(3, 0), at(3, 14)])
def test_the_big_puyo_stays_inside(placement: Placement) -> None:
    with pytest.raises(FieldError, match="doesn't fit"):
        place(Field.empty(), BIG_PUYO, placement, FAMICOM)


def test_the_carbuncle_needs_an_empty_cell() -> None:
    with pytest.raises(FieldError, match="doesn't fit"):
        place(Field.parse("R....."), CARBUNCLES, at(1, 13), FAMICOM)


def test_items_are_dealt_every_so_many_pieces_and_draw_nothing() -> None:
    plain = list(islice(UniformDealer(3, 4), 60))
    for items, expected in (
        ("big", [BIG_PUYO] * 4),
        ("carbuncle", [CARBUNCLES] * 4),
        ("both", [BIG_PUYO, CARBUNCLES] * 2),
    ):
        dealt = list(islice(UniformDealer(3, 4, items, 16), 64))  # type: ignore[arg-type]
        assert [i for i, pair in enumerate(dealt, 1) if pair.is_item] == [16, 32, 48, 64]
        assert [pair for pair in dealt if pair.is_item] == expected
        assert [pair for pair in dealt if not pair.is_item] == plain
    assert all(pair.is_item for pair in islice(UniformDealer(3, 4, "both", 1), 5))


@pytest.mark.parametrize(("items", "interval"), [("all", 16), ("big", 0)])
def test_other_items_are_refused(items: Items, interval: int) -> None:
    with pytest.raises(ConfigError, match="can't deal"):
        UniformDealer(1, 4, items, interval)


def test_snapshots_draw_items() -> None:
    lines = str(Snapshot(Field.empty(), BIG_PUYO, CARBUNCLES, 0, SPAWN)).split("\n")
    assert lines[0].startswith("..**..")
    assert lines[1].startswith("..**..")
    assert "next  &&" in lines[2]
    lines = str(Snapshot(Field.empty(), CARBUNCLES, BIG_PUYO, 0, SPAWN)).split("\n")
    assert lines[0].startswith("......")
    assert lines[1].startswith("..&...")
