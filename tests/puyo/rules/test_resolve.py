"""Tests of dropping, groups, chains and score: three implementations agree with each other and with the rules."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from ochibot.errors import FieldError
from ochibot.puyo import Field, Orientation, Outcome, Pair, Placement, place
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.profile import score_table
from ochibot.puyo.rules.resolve import resolve

from tests.puyo import FAMICOM, reference
from tests.puyo.fields import FIELDS, boards_of, cells_of, random_cells, sampled

# The 19-chain that Puyo simulators are commonly measured with: 76 puyos, every step clears one group of four.
CHAIN_19 = """
    .G.BRG
    GBRRYR
    RRYYBY
    RGYRBR
    YGYRBY
    YGBGYR
    GRBGYR
    BRBYBY
    RYYBYY
    BRBYBR
    BGBYRR
    YGBGBG
    RBGBGG
"""


Resolve = Callable[[Field], Outcome]


def python_outcome(field: Field) -> Outcome:
    return resolve(field, FAMICOM)


def kernel_outcome(field: Field) -> Outcome:
    boards = boards_of(field.cells[None])
    results = np.zeros((1, 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM)(boards, score_table(FAMICOM), results)
    score, chain, cleared = results[0].tolist()
    after = Field.from_cells(cells_of(boards[0]))
    return Outcome(after, score, chain, cleared, bool(after.cells[1, 2]))


@pytest.mark.long
@sampled(5_000, FIELDS)
def test_kernel_and_python_resolve_like_the_reference(fields: int) -> None:
    cells = random_cells(fields)
    boards = boards_of(cells)
    results = np.zeros((fields, 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", FAMICOM)(boards, score_table(FAMICOM), results)
    chains = set()
    for i in range(fields):
        grid, score, chain, cleared = reference.resolve(cells[i].tolist())
        assert (score, chain, cleared) == tuple(results[i].tolist()), Field.from_cells(cells[i])
        assert cells_of(boards[i]).tolist() == grid, Field.from_cells(cells[i])
        if i % 4 == 0:
            expected = Outcome(Field.from_cells(grid), score, chain, cleared, reference.is_over(grid))
            assert resolve(Field.from_cells(cells[i]), FAMICOM) == expected
        chains.add(chain)
    assert chains >= {0, 1, 2, 3, 4, 5, 6}  # the fields have chains of many lengths


@pytest.mark.parametrize("outcome", [python_outcome, kernel_outcome], ids=["resolve", "kernel"])
class TestRules:
    def test_known_19_chain(self, outcome: Resolve) -> None:
        # Powers 1 (0, at least 1), 8 … 512, then 999 for steps 9 to 19, times 40 points.
        score = 40 * (1 + 8 + 16 + 32 + 64 + 128 + 256 + 512 + 11 * 999)
        assert outcome(Field.parse(CHAIN_19)) == Outcome(Field.empty(), score, 19, 76, False)

    def test_three_do_not_clear(self, outcome: Resolve) -> None:
        field = Field.parse("RG....\nRRGG..")
        assert outcome(field) == Outcome(field, 0, 0, 0, False)

    def test_hidden_row_neither_counts_nor_clears(self, outcome: Resolve) -> None:
        column = "RRRRoGBYPCGBYP"
        field = Field.parse("\n".join(code + "....." for code in column))
        assert outcome(field) == Outcome(field, 0, 0, 0, False)
        # Above, only three of the four reds were visible. One row lower, all four are, and they clear.
        column = "oRRRRGBYPCGBYP"
        after = outcome(Field.parse("\n".join(code + "....." for code in column)))
        assert (after.chain, after.cleared, after.field.heights()) == (1, 4, (10, 0, 0, 0, 0, 0))

    def test_hidden_nuisance_stays(self, outcome: Resolve) -> None:
        rows = ["o.....", "RRRR.."] + ["GBYG..", "YGBY.."] * 6
        after = outcome(Field.parse("\n".join(rows)))
        assert after.cleared == 4
        assert after.field.cells[1].tolist() == [7, 0, 0, 0, 0, 0]

    def test_nuisance_beside_a_cleared_group_goes_without_points(self, outcome: Resolve) -> None:
        after = outcome(Field.parse(".oo...\nRRRRo.\nGBGBYo"))
        assert after == Outcome(Field.parse("GBGBYo"), 40, 1, 7, False)

    @pytest.mark.parametrize(
        ("text", "points"),
        [
            ("RRRR..", 40),
            ("RRRRR.", 50 * 2),
            ("RRRRRR", 60 * 3),
            ("R.....\nRRRRRR", 70 * 4),
            ("RR....\nRRRRRR", 80 * 5),
            ("RRR...\nRRRRRR", 90 * 6),
            ("RRRR..\nRRRRRR", 100 * 7),
            ("RRRRR.\nRRRRRR", 110 * 10),
            ("RRRRRR\nRRRRRR", 120 * 10),
            ("GGGG..\nRRRR..", 80 * 3),
            ("BBBB..\nGGGG..\nRRRR..", 120 * 6),
            ("R.G..R\nR.G..R\nR.G..R\nR.G..R", 120 * 3),
            ("R....R\nR....R\nRR...R\nRR...R", 100 * 3),
        ],
    )
    def test_points_of_one_step(self, outcome: Resolve, text: str, points: int) -> None:
        assert outcome(Field.parse(text)).score == points

    def test_game_over_only_by_the_spawn_cell(self, outcome: Resolve) -> None:
        tower = ["..o...", "..o..."] * 6
        assert not outcome(Field.parse("\n".join(tower))).game_over
        assert outcome(Field.parse("\n".join([*tower, "..o..."]))).game_over


def test_place_drops_each_half_by_itself() -> None:
    field = Field.parse("o.....")
    after = place(field, Pair.parse("RG"), Placement(1, 12, Orientation.RIGHT), FAMICOM)
    assert after.field == Field.parse("R.....\noG....")
    after = place(field, Pair.parse("RG"), Placement(1, 11, Orientation.DOWN), FAMICOM)
    assert after.field == Field.parse("R.....\nG.....\no.....")


@pytest.mark.parametrize("placement", [(1, 13, Orientation.UP), (1, 5, Orientation.LEFT), (2, 0, Orientation.UP)])
def test_place_refuses_cells_that_are_not_free(placement: tuple[int, int, Orientation]) -> None:
    with pytest.raises(FieldError, match="isn't free"):
        place(Field.parse("o....."), Pair.parse("RG"), Placement(*placement), FAMICOM)
