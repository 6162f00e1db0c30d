"""What a review's page is told of a field."""

from __future__ import annotations

import json
from dataclasses import replace

from ochibot.falling.orientation import Orientation
from ochibot.nyaa.notes import board_of as grid_of
from ochibot.nyaa.rules.file import load_rules as load_nyaa
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import NyaaState, cells_of, fits
from ochibot.puyo.notes import board_of
from ochibot.puyo.reviewing import PuyoReviewer
from ochibot.puyo.rules.file import load_rules


def test_the_board_is_that_of_the_rules() -> None:
    rules = load_rules("tsu")
    board = board_of(rules)
    assert json.loads(json.dumps(board)) == board
    assert (board["hidden"], board["spawn"], board["axis_top"], board["partner_top"]) == (2, [2, 2], 1, 0)
    assert board["chain"]["grouping"] == 2
    assert board_of(replace(rules, hidden_clear=True))["chain"]["grouping"] == 1
    famicom = board_of(load_rules("famicom"))
    assert (famicom["hidden"], famicom["spawn"], famicom["chain"]["kept"]) == (1, [2, 1], 0)
    reviewer = PuyoReviewer(rules, 1000)
    assert (reviewer.board, reviewer.hidden) == (board, board["hidden"])


def test_a_pair_fits_where_the_grid_s_board_says_it_appears() -> None:
    board = grid_of(load_nyaa("nyaa_mvs"))
    x, y = board["spawn"]
    cells = cells_of(Grid.parse("......."))
    assert fits(cells, NyaaState(x + 1, y - board["axis_top"], Orientation.UP))
    assert not fits(cells, NyaaState(x + 1, -1, Orientation.DOWN))
    assert board["rows"] - board["axis_top"] == len(cells)
