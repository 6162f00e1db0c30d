"""Ignitions: they agree with the naive reference, and have the properties that must hold on any board."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ochibot.nyaa import Grid, Ignition, Ruleset, attack_of, attack_range, ignite, settled
from ochibot.nyaa.rules.resolve import resolve

from tests.nyaa import reference
from tests.nyaa.agreement import compare
from tests.nyaa.boards import mixture
from tests.nyaa.profiles import MVS
from tests.nyaa.rules.test_grid import grids

few = st.lists(st.sampled_from(".rrrrRo"), min_size=84, max_size=84).map("".join)
"""The 84 cells of boards of one colour, as text. Their needles light many blocks."""
dense = few.map(lambda text: Grid.parse("\n".join(text[i : i + 7] for i in range(0, 84, 7))))
rulesets = pytest.mark.parametrize("ruleset", Ruleset)


@rulesets
def test_agrees_with_the_naive_reference_plain_and_compiled(ruleset: Ruleset) -> None:
    seen = compare(mixture(20_260_101, 250), ruleset)
    assert seen.boards == 250
    assert seen.different == []
    assert seen.tied > 20
    assert seen.not_exact > 10
    assert seen.all_outcomes_compared > 240


@settings(max_examples=40, deadline=None)
@given(grids | dense)
def test_any_board_agrees_with_the_naive_reference(grid: Grid) -> None:
    for ruleset in Ruleset:
        assert compare([grid], ruleset).different == []


def numbers_of(ignition: Ignition, ruleset: Ruleset) -> list[tuple[int, ...]]:
    """The numbers that a ruleset counts. On the PS2, several sums can give one attack, and any of them may be shown."""
    if ruleset is Ruleset.PS2:
        return [(one.attack,) for one in ignition.outcomes]
    return [(one.attack, one.s0, one.s1, one.t) for one in ignition.outcomes]


# On the PS2, two outcomes have the attack 16: one with s0 = 15 and s1 = 16, one with s0 = s1 = 16. ``ignite`` shows one
# of them for this board, and the other for the mirror image.
BY_TWO_SUMS = Grid.parse(
    "..r....\nrrr....\nr.rrrr.\nrRr..R.\n..r....\n..r....\n..R....\n" + ".......\n" * 4 + "......."
)


@settings(max_examples=40, deadline=None)
@given(dense)
@example(BY_TWO_SUMS)
def test_the_mirror_image_has_the_same_outcomes(grid: Grid) -> None:
    mirrored = Grid.parse("\n".join(row[::-1] for row in str(grid).split("\n")))
    for ruleset in Ruleset:
        here, there = ignite(grid, ruleset), ignite(mirrored, ruleset)
        if not here.complete:
            continue
        assert numbers_of(here, ruleset) == numbers_of(there, ruleset)
        assert here.exact == there.exact


@settings(max_examples=40, deadline=None)
@given(dense)
def test_numbers_tails_paths_and_steps_belong_together(grid: Grid) -> None:
    for ruleset in Ruleset:
        found = ignite(grid, ruleset)
        assert attack_range(grid, ruleset) == (found.low, found.high, found.complete)
        assert found.outcomes[0].attack == found.low
        assert found.outcomes[-1].attack == found.high
        for one in found.outcomes:
            values = [tail.value for tail in one.tails]
            assert values == sorted(values)
            assert (one.s1, one.s0) == (sum(values), sum(value for value in values if value > 1))
            owners = [tail.owner for tail in one.tails]
            assert one.t == max(map(owners.count, owners), default=0)
            assert one.attack == attack_of(ruleset, one.s0, one.s1, one.t)
            assert one.bonus == (one.attack - one.s0 if ruleset is Ruleset.MVS else 0)
            assert ((one.steps > 0) == (one.owner > 0)).all()
            assert one.steps.shape == one.owner.shape == (12, 7)
            for tail in one.tails:
                at = [(12 - y, x - 1) for x, y in tail.path]
                steps = [int(one.steps[cell]) for cell in at]
                assert tail.value == len(set(tail.path)) == len(tail.path)
                assert steps == sorted(steps)
                assert steps[0] == 1
                assert tail.path[-1] == (tail.x, tail.y)
                assert {int(one.owner[cell]) for cell in at} == {tail.owner}
                if ruleset is Ruleset.PS2:
                    assert steps == list(range(1, tail.value + 1))
            for number, (x, y) in enumerate(found.starts, 1):
                assert one.steps[12 - y, x - 1] == 1
                assert one.owner[12 - y, x - 1] == number


@rulesets
def test_nothing_to_ignite_is_one_outcome_of_0(ruleset: Ruleset) -> None:
    for drawing in (".......", "rgbyo..", "R......\ng......", "R.r...."):
        found = ignite(Grid.parse(drawing), ruleset)
        assert found.exact
        assert (found.low, found.high, found.starts, found.open_ties) == (0, 0, (), ())
        assert found.outcomes[0].tails == ()
        assert not found.outcomes[0].steps.any()


def test_two_needles_that_touch_the_same_block_light_it_once() -> None:
    found = ignite(Grid.parse("R......\nrR....."), Ruleset.MVS)
    assert found.starts == ((1, 1),)


def test_after_pops_needles_nuisance_and_fall() -> None:
    drawing = """
        y......
        ro.b...
        rR.G..o
        oo.g.Bo
    """
    # The red blocks, the red needle, the nuisance beside them, the green block and the green needle go. The blue needle
    # lights nothing and becomes a block.
    assert str(ignite(Grid.parse(drawing), MVS).after).split("\n")[-2:] == ["......o", "yo.b.bo"]
    gone = replace(MVS, idle_needle="vanish", nuisance_pops=False)
    assert str(ignite(Grid.parse(drawing), gone).after).split("\n")[-2:] == ["yo....o", "oo.b..o"]
    stay = replace(MVS, idle_needle="stay")
    assert str(ignite(Grid.parse(drawing), stay).after).split("\n")[-2:] == ["......o", "yo.b.Bo"]


def test_repeated_ignition_where_a_profile_says_so() -> None:
    grid = Grid.parse("b......\nb......\nr......\nrR.....\nrB.....")
    once = resolve(grid, MVS)
    assert (once.ignitions, once.attack, str(once.after)[-15:]) == (1, 4, "b......\nbb.....")
    again = resolve(grid, replace(MVS, idle_needle="stay", repeated_ignition=True))
    # two tails of 2 in the first ignition; in the second, the blue blocks, now beside their needle, make a tail of 2
    assert (again.ignitions, again.attack, again.starts, again.popped) == (2, 4 + 2, 2, 5)
    assert (again.s0, again.s1, again.t) == (4, 4, 2)
    assert again.after == Grid.empty()
    # ``ignite`` reports one ignition, whatever the profile says
    first = ignite(grid, replace(MVS, idle_needle="stay", repeated_ignition=True))
    assert (first.low, first.high) == (4, 4)
    assert str(first.after)[-15:] == "b......\nbB....."


@settings(max_examples=50, deadline=None)
@given(grids)
def test_what_is_left_is_settled_and_holds_no_needle(grid: Grid) -> None:
    after = resolve(grid, MVS).after
    assert settled(after) == after
    assert not after.has_needle()


def test_absurdly_many_ties_are_said_to_be_incomplete() -> None:
    rows = ["rrrrrrr"] * 12
    for row in (0, 4, 8):  # three needles; between each two lies a row of 7 ties, so there are at least 2^14 outcomes
        rows[row] = "rrrRrrr"
    grid = Grid.parse("\n".join(rows))
    found = ignite(grid, Ruleset.MVS)
    assert not found.complete
    assert not found.exact
    assert found.low <= resolve(grid, MVS).attack <= found.high
    assert ignite(grid, Ruleset.PS2).complete  # on the PS2, which wave gets a cell doesn't affect later cells


def test_fewer_tries_and_fewer_outcomes_where_they_are_asked_for() -> None:
    rows = ["rrrrrrr"] * 12
    for row, drawn in ((0, "rrrRrrr"), (3, "rrrrRrr"), (4, "Rrrrrrr"), (5, "rrrrrRr"), (8, "rrrrRrr")):
        rows[row] = drawn
    grid = Grid.parse("\n".join(rows))
    for ruleset in Ruleset:
        whole = ignite(grid, ruleset)
        assert whole.complete
        assert whole.total == len(whole.outcomes) > 1
        few = ignite(grid, ruleset, most_outcomes=2)
        assert [one.attack for one in few.outcomes] == [whole.low, whole.high] == [few.low, few.high]
        assert (few.total, few.complete, few.exact) == (whole.total, True, False)
        one = ignite(grid, ruleset, most_burns=1)
        assert (one.complete, one.exact) == (False, False)
        # the first try follows the tie rule
        assert one.low == one.high == resolve(grid, ruleset.rules).attack


def test_importing_is_cheap_and_igniting_needs_no_numba() -> None:
    program = (
        "import sys, ochibot.nyaa as n; assert not {'numba', 'pydantic', 'yaml', 'rich'} & set(sys.modules); "
        "g = n.Grid.parse('R......\\nr......\\nrr.....'); n.ignite(g, n.Ruleset.MVS); "
        "n.resolve(g, n.Ruleset.PS2.rules); n.practice_board(1); assert not {'numba', 'rich'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)


def test_the_reference_itself_on_a_shape_worked_out_by_hand() -> None:
    text = str(Grid.parse("b......\nbbB....\nbbb...."))
    (one,) = reference.mvs(text, 9)
    assert one.tails == ((1, 2), (3, 1), (4, 1))
    (two,) = reference.ps2(text, 9)
    assert sorted(value for value, _ in two.tails) == [1, 2, 3, 3]
