"""How a budget of boards is spent: depth, futures, and the width of the layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypedDict

from ochibot.puyo.search.chain.search import SEEN

_PER_BOARD: Final = 13.5
"""About how many new boards one board leads to: 22 locks, without those that lead to a known board."""


class ChainBudget(TypedDict, total=False):
    """The limits of a decision. nodes: about how many boards to examine; replaces the player file's number. budget_ms:
    milliseconds by ``clock``, which count instead of any number of boards. threads: how many to search with.
    """

    nodes: int | None
    budget_ms: float | None
    threads: int
    clock: Callable[[], float]


class SearchPlan(NamedTuple):
    """How a budget is spent: the search's depth in pairs, the number of futures, the boards in a layer."""

    plies: int
    futures: int
    width: int


_PLANS: Final = ((45_000, 12, 6), (12_000, 10, 3), (4_000, 8, 2), (0, 6, 1))
"""(boards, depth in pairs, futures): the plan for budgets of this many boards or more. Chosen by measuring
(docs/strength.md).
"""


def plan_of(nodes: float, seen: int = SEEN, ahead: tuple[int, int] | None = None) -> SearchPlan:
    """The plan that examines about ``nodes`` boards, when ``seen`` pairs are known. ``ahead``: the depth in pairs and
    the number of futures; None: they follow from ``nodes``.
    """
    plies, futures = ahead or next(plan[1:] for plan in _PLANS if nodes >= plan[0])
    layers = seen + (plies - seen) * futures
    return SearchPlan(plies, futures, max(2, int(nodes / (_PER_BOARD * layers))))
