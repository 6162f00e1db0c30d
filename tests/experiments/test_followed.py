"""What follows a plain copy of a field, bit by bit, beside a slow count; and planes that explain landings."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from ochibot.experiments.behind import _followers
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.lattice import Spots
from ochibot.experiments.layouts import NOISE, _apart_from_each_other, _within_a_plane

SIZE, COLUMNS, ROWS = 48, 4, 3
COPY = Field(Grid(0, 1, COLUMNS, COLUMNS, 0), ROWS, 1, 12, 0, 1, 1, (), 0, 0)


def rams(high_first: bool) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """A copy at 0, nibbles from 16 on that tell the same cells, a byte that has hardly anything to do with them."""
    dice = np.random.default_rng(2)
    found = np.zeros((40, SIZE), np.uint8)
    for ram in found:
        cells = dice.integers(0, 4, COLUMNS * ROWS)
        # this one never changes
        cells[5] = 2
        ram[: COLUMNS * ROWS] = cells
        for at, code in enumerate(cells):
            ram[16 + at // 2] |= int(code) << (4 * (at % 2 ^ high_first))
        ram[30:40] = dice.integers(0, 256, 10)
    return found


@pytest.mark.parametrize("high_first", [False, True])
def test_bits_follow_a_cell_that_have_one_value_for_each_of_its_kinds(high_first: bool) -> None:
    seen, taken = rams(high_first), np.zeros(SIZE, bool)
    taken[:12] = taken[34] = True
    found = _followers(seen, COPY, taken, "big" if high_first else "little")
    assert found.cells == [(at // COLUMNS, at % COLUMNS) for at in range(12) if at != 5]

    def bit(number: int) -> list[int]:
        shift = 7 - number % 8 if high_first else number % 8
        return [int(ram[number // 8]) >> shift & 1 for ram in seen]

    varies = [not taken[number // 8] and len(set(bit(number))) == 2 for number in range(8 * SIZE)]
    assert found.varies.tolist() == varies
    follow = {}
    for cell, mine in zip(found.cells, found.bits, strict=True):
        kinds = seen[:, cell[0] * COLUMNS + cell[1]].tolist()
        wanted = [
            varies[number] and len(set(zip(kinds, bit(number), strict=True))) == len(set(kinds))
            for number in range(8 * SIZE)
        ]
        assert mine.tolist() == wanted
        follow[cell] = {number for number, one in enumerate(wanted) if one}
        at = cell[0] * COLUMNS + cell[1]
        assert follow[cell] >= {8 * 16 + 4 * at + low for low in ((2, 3) if high_first else (0, 1))}
    # the next cell is four bits on, the one above it sixteen; each has two bits, so their neighbours fit as often
    for across, up, stride in ((1, 0, 4), (0, 1, 16), (2, 0, 8), (-1, 0, -4)):
        assert set(found.strides(across, up)[:3]) == {stride - 1, stride, stride + 1}
    for across, up, row, column in ((4, 16, None, None), (4, 0, 1, None), (0, 16, None, 2), (-4, 16, None, None)):
        right, wrong = found.starts(across, up, row, column)
        for start in range(0, 8 * SIZE, 3):
            some = [cell for cell in found.cells if row in (None, cell[0]) and column in (None, cell[1])]
            there = [(cell, start + across * cell[1] + up * cell[0]) for cell in some]
            inside = [(cell, at) for cell, at in there if 0 <= at < 8 * SIZE]
            assert right[start] == sum(at in follow[cell] for cell, at in inside)
            assert wrong[start] == sum(varies[at] and at not in follow[cell] for cell, at in inside)


@pytest.mark.parametrize("slack", [0, 1, 2])
def test_planes_that_together_explain_most_landings_are_chosen(slack: int) -> None:
    for seed in range(12):
        dice = np.random.default_rng(seed)
        owners = {8 * name: set(dice.integers(0, 40, int(dice.integers(3, 14))).tolist()) for name in range(7)}
        near = {8, -8} if seed % 2 else set()
        ways = []
        for number in range(len(owners) + 1):
            for chosen in combinations(owners, number):
                told: set[int] = set()
                good = not any(one - other in near for one, other in combinations(chosen, 2))
                for name in chosen:
                    good &= len(owners[name] & told) <= slack
                    told |= owners[name]
                if good:
                    ways.append((len(told) - NOISE * number, chosen))
        most, found = _apart_from_each_other(owners, slack, near)
        assert most == max(ways)[0]
        assert (most, tuple(found)) in ways


def test_how_far_the_cells_of_a_plane_are_from_each_other() -> None:
    spots = Spots(np.array([1, 3, 2]), np.array([0, 1, 1]), 1, 12)
    assert _within_a_plane(spots, 1, 16) == {column + 16 * row for column in range(-2, 3) for row in (-1, 0, 1)}
