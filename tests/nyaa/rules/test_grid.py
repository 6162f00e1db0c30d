"""Grids as text and as cells."""

from __future__ import annotations

import contextlib
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.nyaa import Grid, cell_of, parse_boards, place_of
from ochibot.nyaa.kernels.packed import boards_of
from ochibot.nyaa.rules.grid import CELLS, SYMBOLS

from tests.nyaa.boards import grid_of
from tests.working import lines_run

grids = st.binary(min_size=CELLS, max_size=CELLS).map(lambda raw: Grid(bytes(byte % len(SYMBOLS) for byte in raw)))


@settings(max_examples=40, deadline=None)
@given(grids)
def test_text_cells_planes_and_pickle_round_trip(grid: Grid) -> None:
    assert Grid.parse(str(grid)) == grid
    assert Grid.from_cells(grid.blocks, grid.needles) == grid
    assert grid_of(boards_of([grid])[0]) == grid
    assert eval(repr(grid)) == grid
    assert pickle.loads(pickle.dumps(grid)) == grid
    assert hash(Grid.parse(str(grid))) == hash(grid)


def test_letters_and_places() -> None:
    grid = Grid.parse("rgbyo.R\nGBY....")
    assert grid.blocks[-2].tolist() == [1, 2, 3, 4, 5, 0, 0]
    assert grid.needles[-2].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert grid.needles[-1].tolist() == [2, 3, 4, 0, 0, 0, 0]
    assert grid.blocks.dtype == grid.needles.dtype == np.int8
    assert (grid.blocks[:-2] == 0).all()
    assert grid.block(cell_of(1, 2)) == 1
    assert grid.needle(cell_of(3, 1)) == 4
    assert cell_of(1, 12) == 0
    assert [place_of(cell_of(x, y)) for x in range(1, 8) for y in range(1, 13)] == [
        (x, y) for x in range(1, 8) for y in range(1, 13)
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_command_s_own_drawing_is_read(end: str) -> None:
    drawn = [" 2  r  .  o  .  .  G  .", " 1  r  b  g  y  .  g  . ", "    1  2  3  4  5  6  7 "]
    wanted = Grid.parse("r.o..G.\nrbgy.g.")
    assert Grid.parse(end.join(drawn)) == wanted
    assert parse_boards(end.join([*drawn, "", *drawn, ""])) == (wanted, wanted)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no row"),
        ("  \n\n", "has no row"),
        (".......\n......", "line 2, column 7: the row is 6 wide"),
        ("..........", "line 1, column 8: the row is 10 wide"),
        ("   ....x..", "line 1, column 8: 'x' is unknown"),
        ("\n\nrgby.O.", "line 3, column 6: 'O' is unknown"),
        (".......\n" * 13, "line 13, column 1: this is row 13"),
        ("...\0...", r"line 1, column 4: '\x00' is unknown"),
        ("..\u2028....", "line 1, column 3"),
    ],
)
def test_what_is_no_grid_is_reported_with_line_and_column(text: str, words: str) -> None:
    with pytest.raises(FieldError) as caught:
        Grid.parse(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
    with pytest.raises(FieldError):
        parse_boards(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300) | st.text("rgbyoRGBY.\n x", max_size=300))
def test_any_text_is_a_grid_or_a_field_error(text: str) -> None:
    for read in (Grid.parse, parse_boards):
        with contextlib.suppress(FieldError):  # any other exception fails
            read(text)


@settings(max_examples=30, deadline=None)
@given(st.lists(grids, min_size=1, max_size=4), st.sampled_from(["\n\n", "\n \n\n", "\r\n\r\n"]))
def test_boards_with_empty_lines_between(boards: list[Grid], between: str) -> None:
    text = between.join(str(board) for board in boards)
    assert parse_boards(text) == tuple(boards)
    assert parse_boards(f"\n\n{text}\n\n") == tuple(boards)


def test_boards_of_fewer_rows_and_errors_name_the_board() -> None:
    first, second = parse_boards("  r......\n\n  .b.....\n  RB.....\n")
    assert first == Grid.parse("r......")
    assert second == Grid.parse(".b.....\nRB.....")
    with pytest.raises(FieldError, match="line 3, column 2 of board 2: 'z' is unknown"):
        parse_boards("r......\n\nrz.....")


def test_a_megabyte_of_junk_is_refused_at_once() -> None:
    for junk in ("x" * (1 << 20), ".\n" * (1 << 19), "." * (1 << 20), ".......\n" * (1 << 17), "\0" * (1 << 20)):
        messages: list[str] = []

        def read(junk: str = junk, messages: list[str] = messages) -> None:
            with pytest.raises(FieldError) as caught:
                parse_boards(junk)
            messages.append(str(caught.value))

        assert lines_run(read) < 5_000, "of a million signs only the first few rows are looked at"
        assert len(messages[0]) < 200


def test_arrays_that_are_no_grid() -> None:
    blocks = np.zeros((12, 7), np.int8)
    for wrong in (blocks[1:], blocks.astype(float), blocks - 1, blocks + 6):
        with pytest.raises(FieldError):
            Grid.from_cells(wrong)
    with pytest.raises(FieldError, match="needle"):
        Grid.from_cells(blocks + 1, blocks + 1)
    with pytest.raises(FieldError):
        Grid.from_cells(blocks, blocks + 5)
    for codes in (b"", bytes(83), bytes([10] * 84)):
        with pytest.raises(FieldError):
            Grid(codes)
