"""Games of no family are drafted: over unseen play, every entry reads what the machine says of itself."""

from __future__ import annotations

import pytest

from tests.strangers.judge import judge
from tests.strangers.maker import draw


@pytest.mark.parametrize(
    ("seed", "only", "rules", "cells"),
    [
        (2, "two_next", "capsules", ("cell1", "cell2")),
        (1, "by_columns", "tetrominoes", ("piece",)),
    ],
)
def test_all_entries_of_a_draft_are_right(seed: int, only: str, rules: str, cells: tuple[str, ...]) -> None:
    spec = draw(seed, "other", only)
    assert spec.rules == rules
    verdict = judge(spec)
    assert verdict.drafted, verdict.why
    ahead = 2 if only == "two_next" else 1
    beside = {"after": "none"} if ahead == 1 else {}
    assert verdict.entries == dict.fromkeys(verdict.entries, "right") | beside
    assert len(verdict.entries) == 10
    # the colours, or the shapes, of the falling piece and of those that come next
    assert [name for name in verdict.known if name not in ("field", "x", "y")] == [*cells] * (1 + ahead)
    assert verdict.landings > 0.9
    assert 4_000 < verdict.frames < 100_000
