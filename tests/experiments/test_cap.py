"""How a score is written to RAM, which limits are tried, and how chain powers continue beyond those seen."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.experiments.cap import limits
from ochibot.experiments.digits import FORMS, Form
from ochibot.experiments.formula import MOST_STEPS, continued


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
    assert continued([1, 3, 6, 10], 6) == ([1, 3, 6, 10, 15, 21], "5 more, and each time 1 more than that")
    assert continued([0, 8, 16, 40, 64]) == ([0, 8, 16, 40, 64], "like the last one seen")


@given(
    st.lists(st.integers(0, 300), max_size=14),
    st.integers(1, 60),
    st.sampled_from([2, 3, 4, 5]),
    st.sampled_from([None, 0, 3]),
)
def test_only_four_steps_that_grew_alike_tell_the_next_ones(
    first: list[int], start: int, length: int, grows: int | None
) -> None:
    """grows: by how much more each step is than the step before was; None: each is twice the one before."""
    more = 0 if grows is None else grows
    ends = [start << at if grows is None else start + 7 * at + more * at * (at - 1) // 2 for at in range(length)]
    table = [*first, *ends]
    longer, how = continued(table)
    assert longer[: len(table)] == table
    last = table[-4:]
    steps = [b - a for a, b in pairwise(last)]
    bends = {b - a for a, b in pairwise(steps)}
    added = longer[len(table) - 2 :]
    if len(last) == 4 and steps[0] > 0 and all(b == 2 * a for a, b in pairwise(last)):
        assert (len(longer), how) == (MOST_STEPS, "doubled on")
        assert all(after == min(999, 2 * before) for before, after in pairwise(added[1:]))
    elif len(last) == 4 and steps[0] > 0 and len(bends) == 1 and min(bends) >= 0:
        bend = min(bends)
        each = f"{steps[-1] + bend} more, and each time {bend} more than that" if bend else f"{steps[-1]} more for each"
        assert (len(longer), how) == (MOST_STEPS, each)
        rise = [b - a for a, b in pairwise(added)]
        assert all(b == a + bend or after == 999 for (a, b), after in zip(pairwise(rise), added[2:], strict=True))
        assert max(longer[len(table) :], default=0) <= 999
    else:
        assert (longer, how) == (table, "like the last one seen")
