"""How a score is written to RAM, which limits are tried, and how chain powers continue beyond those seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.experiments.cap import limits
from ochibot.experiments.digits import FORMS, Form
from ochibot.experiments.families import MOST_STEPS
from ochibot.experiments.rulesfile import continued


@given(st.sampled_from(FORMS), st.integers(0, 99_999))
def test_what_is_written_reads_as_the_same_number(form: Form, number: int) -> None:
    number %= limits(form)[-1] + 1
    ram = np.array(form.written(number), np.uint8)
    assert len(ram) == form.width
    assert form.read(ram)[0] == number


@pytest.mark.parametrize(
    ("form", "tried"),
    [
        (Form(6, True, "decimal"), [999_999]),
        (Form(4, True, "bcd"), [99_999_999]),
        (Form(2, True), [9_999, 65_535]),
        (Form(3, False), [9_999, 99_999, 999_999, 9_999_999, 0xFFFFFF]),
    ],
)
def test_limits_are_numbers_of_nines_and_all_that_fits(form: Form, tried: list[int]) -> None:
    assert limits(form) == tried


def test_chain_powers_go_on_as_they_grew() -> None:
    doubled, how = continued([0, 2, 4, 8, 16, 32])
    assert doubled[:10] == [0, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert (max(doubled), how) == (999, "doubled on")
    assert continued([0, 5, 10, 15, 20])[0][:8] == [0, 5, 10, 15, 20, 25, 30, 35]
    # three steps are too few to see how the powers grow, and growth of another kind isn't continued
    assert continued([0, 2, 4])[0] == [0, 2, 4]
    assert continued([0, 8, 16, 40, 64]) == ([0, 8, 16, 40, 64], "like the last step seen")


@given(st.lists(st.integers(0, 300), max_size=14), st.integers(1, 60), st.sampled_from([2, 3, 4, 5]), st.booleans())
def test_only_four_steps_that_grew_alike_tell_the_next_ones(
    first: list[int], start: int, length: int, doubles: bool
) -> None:
    grown = [start << at if doubles else start + 7 * at for at in range(length)]
    table = [*first, *grown]
    longer, how = continued(table)
    assert longer[: len(table)] == table
    last = table[-4:]
    steady = {b - a for a, b in pairwise(last)}
    if len(last) == 4 and all(b == 2 * a for a, b in pairwise(last)):
        assert (len(longer), how) == (MOST_STEPS, "doubled on")
        assert all(after == min(999, 2 * before) or after == before == 999 for before, after in pairs(longer, table))
    elif len(last) == 4 and len(steady) == 1 and min(steady) > 0:
        assert (len(longer), how) == (MOST_STEPS, f"{min(steady)} more a step")
        assert all(after == min(999, before + min(steady)) for before, after in pairs(longer, table))
    else:
        assert (longer, how) == (table, "like the last step seen")


def pairs(longer: list[int], table: list[int]) -> list[tuple[int, int]]:
    """Each step that was added, with the one before it. The first ones may be more than three digits."""
    return [(min(999, before), after) for before, after in pairwise(longer)][len(table) - 1 :]
