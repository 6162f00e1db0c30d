"""Checks each number of the article behind docs/nyaa.md for which a board can be drawn; that page lists the others.

Where the article gives tails but no shape, the shape here is any tree with these tails: only they decide the attack.
"""

from __future__ import annotations

import pytest
from ochibot.nyaa import Grid, Ruleset, WaveOutcome, ignite

MVS, PS2 = Ruleset.MVS, Ruleset.PS2


def only(drawing: str, ruleset: Ruleset) -> WaveOutcome:
    """The one outcome of a drawn board."""
    found = ignite(Grid.parse(drawing), ruleset)
    assert found.exact
    assert found.low == found.high == found.outcomes[0].attack
    return found.outcomes[0]


def tails(outcome: WaveOutcome) -> list[int]:
    return [tail.value for tail in outcome.tails]


def popped(outcome: WaveOutcome) -> int:
    return int((outcome.steps > 0).sum())


def test_wave_increases_in_value_by_1_at_each_step() -> None:
    found = only("R......\nr......\nr......\nr......\nr......", PS2)
    assert found.steps[-4:, 0].tolist() == [1, 2, 3, 4]
    assert tails(found) == [4]
    assert found.attack == 4


TUTORIAL = """
    R.r....
    rrrrr..
    ...r...
"""


def test_tutorial_a_7_block_structure_that_splits_into_3_has_an_attack_value_of_14() -> None:
    found = only(TUTORIAL, PS2)
    assert popped(found) == 7
    assert tails(found) == [4, 5, 5]
    assert found.attack == 14


def test_problem_2_the_tutorial_14_is_not_14_on_mvs_but_an_extra_1() -> None:
    assert only(TUTORIAL, MVS).attack == 15


@pytest.mark.parametrize("ruleset", Ruleset)
def test_a_needle_on_1_block_by_itself_is_worth_0(ruleset: Ruleset) -> None:
    found = only("R......\nr......", ruleset)
    assert tails(found) == [1]
    assert found.attack == 0


def test_problem_1_a_1_tail_and_another_block_counts_on_ps2_and_not_on_mvs() -> None:
    drawing = """
        .Rr....
        .r.....
        .r.....
    """
    assert tails(only(drawing, PS2)) == tails(only(drawing, MVS)) == [1, 2]
    assert only(drawing, PS2).attack == 3
    assert only(drawing, MVS).attack == 2


def test_figure_2_3_wide_rectangle_has_3_tails_on_ps2_two_of_them_unable_to_merge() -> None:
    drawing = """
        R......
        rrr....
        rrr....
        rrr....
    """
    found = only(drawing, PS2)
    assert [(tail.x, tail.y, tail.value) for tail in found.tails] == [(1, 1, 3), (2, 1, 4), (3, 1, 5)]
    assert tails(only(drawing, MVS)) == [9]


def test_figure_2_2x2_square_entered_at_its_corner() -> None:
    drawing = """
        B......
        bb.....
        bb.....
    """
    assert tails(only(drawing, PS2)) == [2, 3]
    assert tails(only(drawing, MVS)) == [4]


def test_problem_1_2x7_has_2_tails_and_7x2_has_7_on_ps2() -> None:
    assert tails(only("R......\n" + "rr.....\n" * 7, PS2)) == [7, 8]
    assert tails(only("R......\n" + "rrrrrrr\n" * 2, PS2)) == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(("width", "height"), [(2, 7), (7, 2), (3, 3), (4, 5), (7, 11)])
def test_problem_1_rectangle_has_as_many_tails_as_it_is_wide_on_ps2_and_one_of_all_blocks_on_mvs(
    width: int, height: int
) -> None:
    drawing = "R......\n" + f"{'r' * width:.<7}\n" * height
    mvs = only(drawing, MVS)
    assert tails(mvs) == [width * height]
    assert set(mvs.tails[0].path) == {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
    assert len(only(drawing, PS2).tails) == width


def test_problem_1_loops_can_be_worked_out() -> None:
    drawing = """
        .R.....
        rrr....
        r.r....
        rrr....
    """
    assert tails(only(drawing, MVS)) == [8]
    # it isn't known whether the left or the right branch gets the last block; the tails are 4 and 5 either way
    assert tails(only(drawing, PS2)) == [4, 5]


@pytest.mark.parametrize(
    ("drawing", "blocks", "values", "ps2", "mvs"),
    [
        (
            """
            .R.....
            rrrr...
            ..r....
            """,
            5,
            [2, 3, 3],
            8,
            8,
        ),
        (
            """
            .R.....
            .r.....
            rrrr...
            ..r....
            """,
            6,
            [3, 4, 4],
            11,
            12,
        ),
        (
            """
            R.r....
            rrrrr..
            .r.r...
            """,
            8,
            [3, 4, 5, 5],
            17,
            19,
        ),
    ],
    ids=["2+3+3 is 8", "3+4+4 is 11, on MVS 12", "3+4+5+5 is 17, on MVS 19"],
)
def test_problem_2_the_extra_1_and_the_extra_2(
    drawing: str, blocks: int, values: list[int], ps2: int, mvs: int
) -> None:
    for ruleset, attack in ((PS2, ps2), (MVS, mvs)):
        found = only(drawing, ruleset)
        assert popped(found) == blocks
        assert tails(found) == values
        assert found.attack == attack


def test_problem_2_a_line_of_24_blocks_is_worth_24_and_of_25_is_worth_26() -> None:
    line = """
        R......
        r......
        rrrrrrr
        ......r
        rrrrrrr
        r......
        rrrrrrr
    """
    found = only(line, MVS)
    assert tails(found) == [24]
    assert found.attack == 24
    longer = """
        R......
        r......
        r......
        rrrrrrr
        ......r
        rrrrrrr
        r......
        rrrrrrr
    """
    found = only(longer, MVS)
    assert tails(found) == [25]
    assert found.attack == 26
    assert only(longer, PS2).attack == 25


STAIRS = """
    b......
    bbB....
    bbb....
"""
"""The needle lights the middle and the bottom step."""

STAIRS_TURNED = """
    bbb....
    bb.....
    bB.....
"""


def test_figures_3_and_5_the_same_structure_turned_by_90_degrees_is_worth_6_and_7() -> None:
    assert tails(only(STAIRS_TURNED, MVS)) == [3, 3]
    assert only(STAIRS_TURNED, MVS).attack == 6
    assert tails(only(STAIRS, MVS)) == [1, 3, 4]
    assert only(STAIRS, MVS).attack == 7


def test_figure_3_caption_11_and_14_are_reachable_by_a_turn_too() -> None:
    drawing = """
        ..b....
        .bb....
        bbbb...
        .bB....
    """
    turned = """
        .b.....
        bbb....
        Bbbb...
        .b.....
    """
    assert only(drawing, MVS).attack == 11
    assert only(turned, MVS).attack == 14


def test_figure_4_the_bottom_step_is_a_1_tail_and_without_it_the_value_is_7_all_the_same() -> None:
    found = only(STAIRS, MVS)
    (wasted,) = (tail for tail in found.tails if tail.value == 1)
    assert (wasted.x, wasted.y) == (3, 1)
    missing = """
        b......
        bbB....
        bb.....
    """
    assert tails(only(missing, MVS)) == [3, 4]
    assert only(missing, MVS).attack == found.attack == 7


def test_problem_4_18_and_16_percent_is_20_and_a_1_tail_makes_it_21_and_another_one_no_more() -> None:
    drawing = """
        ..{}B{}..
        ...b...
        ...bb..
        ...b...
        ..bbb..
        ...b...
    """
    alone, one, two = (only(drawing.format(left, right), MVS) for left, right in ("..", "b.", "bb"))
    assert tails(alone) == [3, 5, 5, 5]
    assert (alone.s0, alone.s1, alone.t, alone.attack) == (18, 18, 4, 20)
    assert (one.s0, one.s1, one.t, one.attack) == (18, 19, 4, 21)
    assert (two.s0, two.s1, two.t, two.attack) == (18, 20, 4, 21)


def test_problem_4_a_5_tailed_structure_of_26_and_a_2_tailed_one_of_4_are_worth_36_together() -> None:
    drawing = """
        ..b....
        .bbB.b.
        ...b.b.
        ...bbbb
        ...b...
        ..bbb..
        ...b...
    """
    found = only(drawing, MVS)
    by_owner = {owner: sorted(t.value for t in found.tails if t.owner == owner) for owner in (1, 2)}
    assert by_owner == {1: [2, 2], 2: [5, 5, 5, 5, 6]}
    assert (found.s0, found.s1, found.t) == (30, 30, 5)
    assert found.attack == 36


@pytest.mark.parametrize(
    ("drawing", "ruleset", "attacks"),
    [
        (
            """
            .R.....
            rrr....
            r.r....
            rrr....
            .r.....
            """,
            PS2,
            [10],
        ),
        (
            """
            .R.....
            rrr....
            r.r....
            rrr....
            r......
            """,
            PS2,
            [10, 14],
        ),
        (
            """
            rRr....
            r.r....
            rrr....
            r......
            """,
            MVS,
            [8, 11],
        ),
    ],
    ids=["spur below", "the smallest on PS2 with one start", "the smallest on MVS"],
)
def test_open_ties_give_every_outcome(drawing: str, ruleset: Ruleset, attacks: list[int]) -> None:
    found = ignite(Grid.parse(drawing), ruleset)
    assert [one.attack for one in found.outcomes] == attacks
    assert (found.low, found.high) == (attacks[0], attacks[-1])
    assert found.exact == (len(attacks) == 1)
    assert found.complete
    assert found.open_ties
