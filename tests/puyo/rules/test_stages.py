"""The stages of a lock, for display, compared with the lock's outcome and with a flood fill over cells."""

from __future__ import annotations

import itertools

import pytest
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, Placement, place
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.steps import lock_piece, lock_stages
from ochibot.puyo.search.locks import lock_positions

from tests.puyo import FAMICOM, TSU
from tests.puyo.fields import random_cells

STAIRS = Field.parse("""
    .GBY..
    .RGBY.
    .RGBY.
    .RGBY.
""")


def groups(field: Field, rules: Rules) -> set[tuple[int, int]]:
    """The cells (x from 1, y) of coloured groups that clear, and nuisance beside them."""
    cells = field.cells
    top = 14 - rules.visible_rows
    gone: set[tuple[int, int]] = set()
    for y in range(top, 14):
        for x in range(6):
            if not 1 <= cells[y, x] <= 6:
                continue
            group, waiting = {(x, y)}, [(x, y)]
            while waiting:
                a, b = waiting.pop()
                for c, d in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                    if 0 <= c < 6 and top <= d < 14 and (c, d) not in group and cells[d, c] == cells[y, x]:
                        group.add((c, d))
                        waiting.append((c, d))
            if len(group) >= rules.clear_size:
                beside = {(a + i, b + j) for a, b in group for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
                gone |= group
                gone |= {(a, b) for a, b in beside if 0 <= a < 6 and top <= b < 14 and cells[b, a] == 7}
    return {(x + 1, y) for x, y in gone}


def check(field: Field, pair: Pair, lock: Placement, rules: Rules) -> int:
    outcome = place(field, pair, lock, rules)
    made = lock_piece(field, pair, lock, rules)
    assert (made.field, len(made.steps), made.score) == (outcome.field, outcome.chain, outcome.score)
    assert sum(step.cleared for step in made.steps) == outcome.cleared
    assert (made.recolours, made.item_score) == (False, 0)
    assert made.emptied == (outcome.chain > 0 and outcome.field.count() == 0)
    stages = list(lock_stages(field, pair, lock, rules))
    assert len(stages) == outcome.chain + 1
    assert stages[-1] == (outcome.field, frozenset())
    for (before, doomed), (after, _) in itertools.pairwise(stages):
        assert doomed == groups(before, rules)
        assert after.count() == before.count() - len(doomed)
        assert after.is_settled()
    return outcome.chain


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_a_chain_is_shown_step_by_step(rules: Rules) -> None:
    assert check(STAIRS, Pair(1, 1), Placement(1, 13, Orientation.UP), rules) == 4
    assert check(Field.empty(), Pair(1, 1), Placement(1, 13, Orientation.UP), rules) == 0


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
def test_on_drawn_fields_too(rules: Rules) -> None:
    chains = 0
    for cells in random_cells(60, 9):
        cells[:4] = 0
        field = place(Field.from_cells(cells), Pair(6, 6), Placement(1, 1, Orientation.UP), rules).field
        locks = lock_positions(field, Pair(1, 2), rules)
        for lock in locks[:: max(1, len(locks) // 3)]:
            chains += check(field, Pair(1, 2), lock, rules) > 0
    assert chains > 5


@pytest.mark.parametrize(
    ("text", "x", "after", "recolours"),
    [
        ("......", 2, "......", False),  # on the floor
        (".o....\nRoG...", 2, ".o....\nRoG...", False),  # on nuisance
        (".B....\nRBG...", 2, ".B....\nRBG...", True),  # nothing beside it
        ("R.G...\nRBG...", 2, "B.B...\nRBG...", True),
        ("o.G...\nRBG...", 2, "o.B...\nRBG...", True),  # nuisance isn't recoloured
        (".G....\nBG....", 1, ".B....\nBG....", True),  # at the wall
        ("....G.\n....GB", 6, "....B.\n....GB", True),
    ],
)
def test_a_carbuncle_gives_its_neighbours_the_colour_below_it(text: str, x: int, after: str, recolours: bool) -> None:
    carbuncle = Pair(CARBUNCLE, CARBUNCLE)
    height = int(Field.parse(text).heights()[x - 1])
    made = lock_piece(Field.parse(text), carbuncle, Placement(x, 13 - height, Orientation.UP), FAMICOM)
    assert (made.field, made.recolours, made.drop) == (Field.parse(after), recolours, 0)


def test_a_big_puyo_clears_its_two_columns_for_ten_points_each() -> None:
    field = Field.parse("R.....\nRG....\nRGB...")
    made = lock_piece(field, Pair(BIG, BIG), Placement(1, 9, Orientation.UP), FAMICOM)
    assert (made.field, made.item_score, made.chain_score) == (Field.parse("..B..."), 5 * FAMICOM.score_unit, 0)
    assert not made.emptied
    all_gone = lock_piece(Field.parse("RG...."), Pair(BIG, BIG), Placement(1, 9, Orientation.UP), FAMICOM)
    assert all_gone.emptied
    nothing = lock_piece(Field.empty(), Pair(BIG, BIG), Placement(1, 9, Orientation.UP), FAMICOM)
    assert not nothing.emptied, "nothing was cleared"
