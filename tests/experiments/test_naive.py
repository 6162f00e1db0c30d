"""Fast ways of counting beside slow ones that say what is meant."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments.fields import Field, ended, is_near, resting
from ochibot.experiments.grid import Grid
from ochibot.experiments.heights import Heights, find_heights
from ochibot.experiments.landings import Landing, finer
from ochibot.experiments.lattice import MOST_APART, MOST_STRIDE, changed_bytes, stride_votes
from ochibot.experiments.motion import followers, roots
from ochibot.experiments.pointers import MOST, pointed
from ochibot.experiments.signs import times_of

DICE = np.random.default_rng(11)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_landings_vote_for_strides(seed: int) -> None:
    dice = np.random.default_rng(seed)
    along, still = dice.integers(0, 9, 30), dice.integers(0, 3, 30)
    # one true stride among bytes at random, some of them very far away
    changed = [np.unique(np.append(dice.integers(0, 12_000, 6), 400 + 24 * at)) for at in along]
    wanted: Counter[int] = Counter()
    for first in range(30):
        for second in range(first + 1, 30):
            step = int(along[second] - along[first])
            if still[first] != still[second] or not 0 < abs(step) <= MOST_APART:
                continue
            away = {int(b) - int(a) for a in changed[first] for b in changed[second]} - {0}
            wanted.update({one // step for one in away if one % step == 0 and abs(one // step) <= MOST_STRIDE})
    found = stride_votes(changed, along, still)
    assert found == wanted
    assert found.most_common(1)[0][0] == 24


def test_no_pair_of_landings_is_no_vote() -> None:
    one = np.array([3])
    assert stride_votes([one, one], np.array([1, 1]), np.array([0, 0])) == Counter()
    assert stride_votes([one, one + 8], np.array([1, 2]), np.array([0, 1])) == Counter()


def landing(before: Any, after: Any) -> Landing:
    return Landing(b"", before, before, after, 0, 0, 0, 0, 0)


def test_bytes_that_nearly_always_change_are_no_cells() -> None:
    before = np.zeros((10, 12), np.uint8)
    after = before.copy()
    for place in range(12):
        # the byte n changes with n of the ten landings
        after[: min(place, 10), place] = 1
    restless = np.zeros(12, bool)
    restless[[2, 5]] = True
    found = changed_bytes([landing(*pair) for pair in zip(before, after, strict=True)], restless)
    times = Counter(int(place) for places in found for place in places)
    assert times == {place: place for place in (1, 3, 4, 6, 7)}
    every = changed_bytes([landing(*pair) for pair in zip(before, after, strict=True)], None)
    assert Counter(int(place) for places in every for place in places) == {place: place for place in range(1, 8)}


def test_how_often_bytes_have_values() -> None:
    parts = [DICE.integers(0, 5, (size, 7), np.uint8) for size in (1, 4, 9, 0)]
    found = times_of(parts)
    for place in range(7):
        for value in range(256):
            assert found[value, place] == sum(value in part[:, place] for part in parts)


SHAPES = [
    ((0, 0),), ((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (1, 0), (1, 1)), ((0, 1), (1, 0), (1, 1), (2, 0)),
    ((0, 0), (0, 1), (0, 2), (1, 2)), ((0, 0), (1, 0), (2, 0), (3, 0)),
]  # fmt: skip


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_sinks_row_by_row(shape: tuple[tuple[int, int], ...], apart: bool) -> None:
    for seed in range(8):
        dice = np.random.default_rng(seed)
        heights = dice.integers(0, 6, 7).tolist()
        taken = {(column, row) for column, height in enumerate(heights) for row in range(height)}
        column = int(dice.integers(0, 4))
        parts = [[(c, r) for c, r in shape if c == one] for one in {c for c, _ in shape}] if apart else [list(shape)]
        wanted = set()
        for part in parts:
            now = {(column + c, 20 + r) for c, r in part}
            while min(r for _, r in now) > 0 and not {(c, r - 1) for c, r in now} & taken:
                now = {(c, r - 1) for c, r in now}
            wanted |= now
        assert resting(shape, column, taken, 20, apart=apart) == wanted


def field(rows: int = 12) -> Field:
    return Field(Grid(0, 1, 6, 6, 0), rows, 1, 12, 0, 1, 1, (), 0, 0)


@pytest.mark.parametrize(
    ("before", "after", "over"),
    [
        (60, 0, True), (60, 29, True), (60, 30, False), (12, 0, True), (11, 0, False), (24, 12, False),
        (25, 12, True), (0, 12, True), (0, 11, False), (30, 41, False), (5, 5, False),
        # all that lay there lies a row higher, too, as where garbage came from below
        (30, 42, False),
    ],
)  # fmt: skip
def test_a_game_has_ended_where_most_cells_are_gone_or_many_came(before: int, after: int, over: bool) -> None:
    rams = np.zeros((2, 72), np.uint8)
    rams[0, :before] = rams[1, :after] = 1
    assert ended(field(), landing(*rams)) is over


@pytest.mark.parametrize(
    ("spots", "near"),
    [
        ([(2, 3), (3, 3)], True),
        ([(5, 6), (0, 7)], False),
        ([(5, 6), (2, 3)], True),
        ([(2, 7)], False),
        # far below the piece's own place, on the floor, on a cell, and in the air
        ([(2, 3), (3, 0)], True),
        ([(2, 9), (3, 5)], False),
        ([(2, 9), (3, 4)], False),
    ],
)
def test_a_cell_is_near_the_piece_or_fell_from_there(spots: list[tuple[int, int]], near: bool) -> None:
    after = np.zeros(72, np.uint8)
    after[[column + 6 * row for column, row in spots]] = 1
    shape = tuple((column - 2, row - 3) for column, row in spots)
    one: Any = SimpleNamespace(shape=shape, column=2, row=3, landing=SimpleNamespace(after=after))
    assert is_near(field(), one) is near


@pytest.mark.parametrize(("base", "step"), [(0, 1), (12, -1), (250, 3), (5, 16)])
@pytest.mark.parametrize(("first", "stride"), [(100, 1), (130, -2), (90, 7)])
@pytest.mark.parametrize("flat", [0, 1, 2])
def test_a_row_of_heights_is_found(first: int, stride: int, base: int, step: int, flat: int) -> None:
    """flat: in so many columns pieces never land, so that only the others can tell where the row is."""
    landings = []
    for number in range(60):
        dice = np.random.default_rng(number)
        heights = dice.integers(0, 8, 6)
        heights[:flat] = 3
        ram = dice.integers(0, 256, 200, np.uint8)
        ram[:72] = 0
        for column, height in enumerate(heights):
            ram[[column + 6 * row for row in range(height)]] = 1
            # some are late
            late = number % 20 == 0
            ram[first + column * stride] = base + step * (int(height) + late) & 255
        landings.append(landing(ram, ram))
    found = list(find_heights(field(), landings))
    assert Heights(first, stride, base, step) in found
    # of bytes at random none are
    assert [one for one in found if one.first != first] == []
    for one in landings[:20]:
        one.before[first] = 99
    assert list(find_heights(field(), landings)) == []


@pytest.mark.parametrize("step", [-1, 1, -2, 2])
@pytest.mark.parametrize("high", [1, 40, -40])
@pytest.mark.parametrize("wrong", [0, 1])
def test_a_table_of_pointers_tells_all_rows(step: int, high: int, wrong: int) -> None:
    dice = np.random.default_rng(7)
    ram = dice.integers(0, 256, 0x400, np.uint8)
    if high == 1 and abs(step) == 1:
        high = 20
    # the rows lie in any order, twelve of them, of which pieces have reached the fourth to the tenth
    rows = [0x100 + 8 * one for one in dice.permutation(12)]
    base, low = 0x6000, 0x80
    for number, start in enumerate(rows):
        ram[low + step * number] = start + base & 255
        ram[low + high + step * number] = start + base >> 8
    known = {number: rows[number] for number in range(3, 10)}
    if wrong:
        known[5] += 3
    found = pointed(ram, known, 6)
    assert [found[number] for number in range(12)] == rows
    assert len(found) <= 12 + 2 * MOST
    # rows must have room, and enough of them must be known
    assert pointed(ram, known, 9) == {}
    assert pointed(ram, {number: rows[number] for number in range(3, 6)}, 6) == {}


class Console:
    """Bytes that follow others: 1 and 2 follow 0; 4 follows 3 only while a button is held; 5 is written anew."""

    def __init__(self) -> None:
        self.now = [10, 10, 10, 50, 50, 7, 90]

    def after(self, _: bytes, pads: list[int], pokes: dict[int, int] | None = None) -> Any:
        ram = list(self.now)
        for place, value in (pokes or {}).items():
            ram[place] = value & 255
        for pad in pads:
            ram[1] = ram[2] = ram[0]
            ram[4] = ram[3] if pad else ram[4]
            ram[5] = 7
        return np.array(ram, np.uint8)


def test_bytes_that_keep_what_is_poked_are_told_from_their_copies() -> None:
    console: Any = Console()
    shifts = dict.fromkeys(range(7), 3)
    idle, held = followers(console, b"", shifts), followers(console, b"", shifts, 16)
    assert idle == {0: {0, 1, 2}, 1: set(), 2: set(), 3: {3}, 4: {4}, 5: set(), 6: {6}}
    assert held == idle | {3: {3, 4}, 4: set()}
    both = {place: idle[place] | held[place] for place in idle}
    assert roots(both) == [0, 3, 6]
    assert roots(idle) == [0, 3, 4, 6]
    # each amount is a byte's own
    assert followers(console, b"", {0: 3, 1: 3, 2: 4}) == {0: {0, 1}, 1: set(), 2: set()}


@pytest.mark.parametrize(("between", "columns"), [(2, (24, 56, 88)), (3, (24, 40, 56, 72, 88))])
def test_some_pieces_must_rest_between_columns(between: int, columns: tuple[int, ...]) -> None:
    ram = np.zeros(1, np.uint8)
    places = [24, 56, 88] * 10 + [40] * between
    landings = [Landing(b"", ram, ram, ram, x, 0, 0, 0, 0) for x in places]
    assert finer((24, 56, 88), landings) == columns
    mirrored = [Landing(b"", ram, ram, ram, 112 - x, 0, 0, 0, 0) for x in places]
    assert finer((88, 56, 24), mirrored) == tuple(112 - x for x in columns)
