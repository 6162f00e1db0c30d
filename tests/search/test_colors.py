"""Kernels for four colours give what those for all colours give, and are used only where no others come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bot.bench.boards import boards, colors_of
from bot.bench.search import Game
from bot.data import data_path
from bot.lab import selfplay
from bot.puyo import COLORS, FAMICOM, NUISANCE, Field, Rules, resolve
from bot.puyo.rules import score_table
from bot.search import load_player
from bot.search.engine import WORK_WORDS, kernel, kernel_colors, zeros
from tests.puyo import reference
from tests.puyo.fields import Cells, boards_of, cells_of, random_cells

PLAYER = load_player(data_path("configs/players/article.yaml"))


def four_colors(n: int) -> Cells:
    """Floating and settled fields of at most four colours, most of them with nuisance."""
    cells = random_cells()
    few = cells[((cells <= 4) | (cells == NUISANCE)).all(axis=(1, 2))]
    assert (few == 4).any()
    assert (few == NUISANCE).any()
    chosen: Cells = few[:n]
    return chosen


def test_four_colors_resolve_like_the_reference_and_like_all_colors() -> None:
    cells = four_colors(3_000)
    found = []
    for colors in (4, 6):
        rows, results = boards_of(cells), np.zeros((len(cells), 3), np.int64)
        kernel("resolve_boards", FAMICOM, colors)(rows, score_table(FAMICOM), results)
        found.append((rows, results))
    (rows, results), (rows_of_all, results_of_all) = found
    assert np.array_equal(rows, rows_of_all)  # words of absent colours too
    assert np.array_equal(results, results_of_all)
    assert results[:, 1].max() >= 4
    for one, row, result in zip(cells[:400], rows, results, strict=False):
        outcome = resolve(Field.from_cells(one))
        assert np.array_equal(cells_of(row), outcome.field.cells)
        assert result.tolist() == [outcome.score, outcome.chain, outcome.cleared]


def test_four_colors_measure_like_the_reference() -> None:
    grids = [reference.resolve(one.tolist())[0] for one in four_colors(300)]
    results = np.zeros((len(grids), 7), np.int64)
    kernel("measure_boards", FAMICOM, 4)(boards_of(np.array(grids, np.uint8)), results)
    assert results.tolist() == [reference.metrics(grid) for grid in grids]


def test_a_game_is_the_same_with_both() -> None:
    games = []
    for colors in (4, 6):
        game = Game(PLAYER, 4, FAMICOM)
        game.state[0] = 3_000
        kernel("self_play", FAMICOM, colors)(*game.arrays, zeros(WORK_WORDS))
        games.append(game)
    for a, b in zip(games[0].arrays, games[1].arrays, strict=True):
        assert np.array_equal(a, b)
    assert games[0].state[6] == 3_000


@pytest.mark.parametrize("colors", [1, 4, 5, 6])
def test_self_play_asks_for_its_colors(colors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noted(name: str, rules: Rules, colors: int) -> Callable[..., Any]:
        asked.append((name, colors))
        return kernel(name, rules)

    monkeypatch.setattr(selfplay, "kernel", noted)
    selfplay.SelfPlay(PLAYER, colors, 1).play(1)
    assert asked == [("self_play", colors)]


def test_a_fifth_color_never_reaches_a_kernel_for_four() -> None:
    assert [kernel_colors(n) for n in (1, 4, 5, len(COLORS))] == [4, 4, 6, 6]
    assert colors_of(boards("full_boards", FAMICOM)) == 6
    for color in COLORS:
        for x in (0, 5):
            cells = np.zeros((1, 14, 6), np.uint8)
            cells[0, 13, x] = color
            assert colors_of(boards_of(cells)) == (4 if color <= 4 else 6)
    assert kernel("resolve_boards") is kernel("resolve_boards", FAMICOM, 5)
    assert kernel("resolve_boards") is not kernel("resolve_boards", FAMICOM, 4)
