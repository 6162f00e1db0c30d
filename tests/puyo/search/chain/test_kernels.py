"""Tests of the chain search's kernels against the same computations in Python, cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.search.chain.layout import MOST, PROFILE, SCRATCH_WORDS, WEIGHT_COUNT, WEIGHTS
from ochibot.puyo.search.chain.search import CHAIN_KERNELS, BeamSearch
from ochibot.puyo.search.locks import lock_positions

from tests.puyo import reference
from tests.puyo.reference import Grid, Law

TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
TSU_LAW = Law(first=2, top=1, roof=0, flips=True, power=TSU.chain_power)
LAWS = [(TSU, TSU_LAW), (FAMICOM, reference.FAMICOM)]
COLORS = range(1, 5)


def weights(most: float = np.inf, **given: float) -> Any:
    """The kernels' weights; weights not given are 0. ``most``: a chain's points beyond this number don't count."""
    vector = np.zeros(WEIGHT_COUNT)
    vector[MOST] = most
    for name, value in given.items():
        vector[WEIGHTS.index(name)] = value
    return vector


@some.composite
def fields(draw: Any, tallest: int = 13) -> Grid:
    """Resolved grids of four colours, with some nuisance."""
    heights = draw(some.lists(some.integers(0, tallest), min_size=6, max_size=6))
    cells = draw(some.lists(some.integers(0, 20), min_size=84, max_size=84))
    grid = [[0] * 6 for _ in range(14)]
    for x, height in enumerate(heights):
        for up in range(height):
            number = cells[6 * up + x]
            grid[13 - up][x] = 7 if number == 20 else 1 + number % 4
    return reference.resolve(grid, TSU_LAW)[0]


def field_of(grid: Grid) -> Field:
    return Field.from_cells(np.array(grid, np.uint8))


def tall(grid: Grid) -> list[int]:
    return [sum(grid[y][x] != 0 for y in range(14)) for x in range(6)]


def columns_in_reach(grid: Grid, law: Law) -> list[int]:
    """The columns that a pair reaches from the third one. A column as high as the spawn cell is a wall."""
    heights, wall = tall(grid), 14 - law.first
    found = []
    for way in (range(2, -1, -1), range(2, 6)):
        for x in way:
            if heights[x] >= wall:
                break
            found.append(x)
    return sorted(set(found))


def best_chain(grid: Grid, law: Law, most: int) -> tuple[float, int]:
    """(points, chain) of the highest-scoring chain that can be set off by 1 to ``most`` puyos of one colour in one
    column.

    Two puyos are tried only in columns where one sets nothing off. For each colour, columns in which puyos clear the
    same cells of the grid as an earlier try are skipped.
    """
    best = 0.0, 0
    for color in COLORS:
        known = []
        enough = set()
        for need in range(1, most + 1):
            for x in columns_in_reach(grid, law):
                at = [(x, 13 - tall(grid)[x] - up) for up in range(need)]
                if x in enough or min(y for _, y in at) < law.first:
                    continue
                after = [row[:] for row in grid]
                for u, v in at:
                    after[v][u] = color
                clearing = [group for group in reference.groups(after, law) if len(group) >= 4]
                if not clearing:
                    continue
                enough.add(x)
                gone = set().union(*clearing) - set(at)
                if gone in known:
                    continue
                known.append(gone)
                _, score, chain, _ = reference.resolve(after, law)
                best = max(best, (score, chain))
    return best


@pytest.mark.parametrize(("rules", "law"), LAWS, ids=["tsu", "famicom"])
@pytest.mark.parametrize("most", [1, 2])
@settings(max_examples=80, deadline=None)
@given(grid=fields())
def test_the_best_chain_in_reach(rules: Rules, law: Law, most: int, grid: Grid) -> None:
    grid = reference.resolve(grid, law)[0]
    board, found = field_of(grid).planes.reshape(1, -1).copy(), np.zeros((1, 3), np.int64)
    wanted = weights(chain=1, need=0 if most == 2 else -1e9)
    scratch = np.zeros(SCRATCH_WORDS, np.uint64)
    CHAIN_KERNELS.kernel("potential_boards", rules)(board, 0b1111, score_table(rules), wanted, scratch, found)
    score, chain = best_chain(grid, law, most)
    assert found[0, 0] == score
    assert (found[0, 1] > 0) == (chain > 0)


@pytest.mark.parametrize(("rules", "law"), LAWS, ids=["tsu", "famicom"])
@settings(max_examples=80, deadline=None)
@given(grid=fields())
def test_how_a_field_stands(rules: Rules, law: Law, grid: Grid) -> None:
    grid = reference.resolve(grid, law)[0]
    wanted = weights(link=100, triple=1, uneven=-7, well=-1000, danger=-0.01)
    wanted[PROFILE:MOST] = profile = [2, 0.5, -1, -1.5, 0, 1]
    found = np.zeros(1)
    CHAIN_KERNELS.kernel("shape_boards", rules)(field_of(grid).planes.reshape(1, -1).copy(), wanted, found)
    heights = tall(grid)
    triples = 0
    for y in range(law.first, 14):
        for x in range(6):
            around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            own = [(u, v) for u, v in around if 0 <= u < 6 and law.first <= v < 14 and grid[v][u] == grid[y][x]]
            triples += 1 <= grid[y][x] <= 6 and len(own) >= 2
    uneven = sum(abs(height - sum(heights) / 6 - more) for height, more in zip(heights, profile, strict=True))
    wells = 0
    for x in range(6):
        beside = [heights[u] for u in (x - 1, x + 1) if 0 <= u < 6]
        wells += max(0, min(beside) - heights[x] - 1)
    over = max(0, heights[2] + 4 - (13 - law.first))
    links = reference.metrics(grid, law)[6]
    assert found[0] == pytest.approx(100 * links + triples - 7 * uneven - 1000 * wells - 0.01 * over**2)


@pytest.mark.parametrize(("rules", "law"), LAWS, ids=["tsu", "famicom"])
@settings(max_examples=60, deadline=None)
@given(grid=fields(11), axis=some.integers(1, 4), partner=some.integers(1, 4))
def test_a_layer_holds_the_boards_that_a_pair_leads_to(
    rules: Rules, law: Law, grid: Grid, axis: int, partner: int
) -> None:
    field, pair = field_of(reference.resolve(grid, law)[0]), Pair(axis, partner)
    if any(row[2] for row in field.cells[: law.first + 1].tolist()):
        return  # the pair can't appear
    search = BeamSearch(rules, weights(chain=1), 30)
    search.colors(COLORS)
    (fired,) = search.look(field, rules.spawn, [pair])
    outcomes = [place(field, pair, lock, rules) for lock in lock_positions(field, pair, rules)]
    layer = search.seen[0]
    boards = layer.boards.reshape(-1, 6)[: layer.count]
    assert {Field.from_planes(board) for board in boards} == {out.field for out in outcomes if not out.game_over}
    assert np.max(fired) == max((out.score for out in outcomes), default=0)


def test_a_narrow_layer_keeps_the_best() -> None:
    field = Field.parse("R.....\nRG..BB\nGGBRRB")
    kept = []
    for width in (100, 5):
        search = BeamSearch(TSU, weights(chain=1, link=2.5, uneven=-1.1, row=0.3), width)
        search.colors(COLORS)
        search.look(field, TSU.spawn, [Pair(1, 2)])
        layer = search.seen[0]
        kept.append(sorted(layer.keys[: layer.count].tolist(), reverse=True))
    assert kept[1] == kept[0][:5]


def test_the_picture_of_docs_strength() -> None:
    field = Field.parse("GR....\nGGRRR.")
    board, found = field.planes.reshape(1, -1).copy(), np.zeros((1, 3), np.int64)
    scratch = np.zeros(SCRATCH_WORDS, np.uint64)
    kernel = CHAIN_KERNELS.kernel("potential_boards", TSU)
    kernel(board, 0b11, score_table(TSU), weights(chain=1), scratch, found)
    assert found.tolist() == [[40 + 8 * 40, 2, 1]]
    kernel(board, 0b00, score_table(TSU), weights(chain=1), scratch, found)
    assert found[0, 0] == 0  # no colour is dealt


def reached(field: Field, pair: Pair, rules: Rules, most: float) -> tuple[list[float], list[dict[Field, float]]]:
    """Searches with the same pair twice. Returns two lists with an entry for each layer: the most points set off, and
    the points in reach of each board.
    """
    search = BeamSearch(rules, weights(chain=1, most=most), 1000)
    search.colors(COLORS)
    fired = search.look(field, rules.spawn, [pair, pair])
    found = []
    for layer in search.seen[: search.depth]:
        boards = layer.boards.reshape(-1, 6)
        found.append({Field.from_planes(boards[n]): float(layer.reach[n]) for n in range(layer.count)})
    return [float(np.max(points)) for points in fired], found


@settings(max_examples=15, deadline=None)
@given(most=some.sampled_from([40.0, 300.0, 1000.0]), axis=some.integers(1, 4), partner=some.integers(1, 4))
def test_points_beyond_the_most_count_nothing(most: float, axis: int, partner: int) -> None:
    field, pair = Field.parse("G.....\nRG....\nRGB...\nRGBBY.\nGBYYY."), Pair(axis, partner)
    all_fired, all_reach = reached(field, pair, FAMICOM, np.inf)
    fired, reach = reached(field, pair, FAMICOM, most)
    assert fired == [min(points, most) for points in all_fired]
    assert reach == [{board: min(points, most) for board, points in layer.items()} for layer in all_reach]


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
@settings(max_examples=40, deadline=None)
@given(grid=fields(11), columns=some.lists(some.integers(0, 6), min_size=6, max_size=6))
def test_nuisance_buries_all_boards_of_a_layer(rules: Rules, grid: Grid, columns: list[int]) -> None:
    """Nuisance above the field is lost. Boards whose spawn cell gets covered are left out, unless this is so for all
    boards.
    """
    field = field_of(reference.resolve(grid, TSU_LAW)[0])
    if any(row[2] for row in field.cells[: rules.spawn.y + 1].tolist()):
        return  # the pair can't appear
    search = BeamSearch(rules, weights(chain=1, link=1), 200)
    search.colors(COLORS)
    search.look(field, rules.spawn, [Pair(1, 2)])
    layer = search.seen[0]

    def rows(of: Any) -> list[tuple[Field, int, float]]:
        boards = of.boards.reshape(-1, 6)
        return [(Field.from_planes(boards[n]), int(of.roots[n]), float(of.costs[n])) for n in range(of.count)]

    expected = []
    for before, root, cost in rows(layer):
        cells = before.cells.copy()
        for x in range(6):
            for _ in range(columns[x]):
                free = [y for y in range(rules.kept_top, 14) if not cells[y, x]]
                if free:
                    cells[max(free), x] = 7
        expected.append((Field.from_cells(cells), root, cost))
    lives = [one for one in expected if not one[0].cells[rules.spawn.y, 2]]
    assert rows(search.bury(layer, columns)) == (lives or expected)
