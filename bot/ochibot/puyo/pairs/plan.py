"""Plans a search for states: which places of the pool the sieve follows, and which keys let a state pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.pairs.generators import Generator
from ochibot.puyo.pairs.observation import Observation
from ochibot.puyo.pairs.puyo1 import SECOND_COLORS, SHARED
from ochibot.puyo.pairs.tsu import POOL

Seen = list[tuple[int, int]]
"""Puyos that were seen, each as (place in the pool, index of its sign in ``Observation.names``)."""

_LARGEST_TABLE: Final = 1 << 17
"""The most keys that a table may have: as many masks fit into a core's second-level cache."""

_ONE_SHUFFLE, _TWO_SHUFFLES, _PER_CELL, _PER_CHECK, _PER_HIT = 25.0, 50.0, 6.0, 1100.0, 10.0
"""Costs in nanoseconds, measured on one machine; only their ratios matter. For each state: the draws of one shuffle or
of both, and each cell. For each state that passes: the check of its pool, or storing it (if the plan is ``decided``).
"""


@dataclass(frozen=True, slots=True)
class SievePlan:
    """The sieve's arguments. cells, table and both: see ``ochibot.puyo.pairs.sieve.tsu_sieve``.

    decided: whether the masks are already the answer. If not, the pools of the states that pass are made and compared.
    """

    cells: npt.NDArray[np.int64]
    table: npt.NDArray[np.uint64]
    both: bool
    decided: bool


def cell_of(generator: Generator, colors: int, player: int, place: int) -> tuple[int, int, int, int]:
    """Which shuffle fills a place of a player's pool, for tsu and puyo1. Returns (the shuffle's number, its length, the
    place in it, the number of colours that it shuffles).
    """
    if generator == "tsu":
        # puyos 0 to 3 are copied from the 3-colour pool, puyos 4 to 7 of the 5-colour pool from the 4-colour pool
        of = 3 if place < 4 else min(colors, 4) if place < 8 else colors
        return (0 if of == 4 else 1), POOL, place, of
    if player == 2 and place >= SHARED:
        return 1, POOL - SHARED, place - SHARED, SECOND_COLORS
    return 0, POOL, place, colors


def plan(generator: Generator, colors: int, player: int, observations: Sequence[Seen]) -> SievePlan:
    """The plan with the least expected cost for these observations (at most 64)."""
    places = Counter(place for seen in observations for place in dict(seen))
    order = {place: number for number, place in enumerate(dict.fromkeys(p for seen in observations for p, _ in seen))}
    ranked = sorted(places, key=lambda place: (-places[place], order[place]))
    cells = {place: cell_of(generator, colors, player, place) for place in ranked}
    choices = [[place for place in ranked if cells[place][0] == 0], ranked]
    best: SievePlan | None = None
    least = float("inf")
    for chosen in choices:
        for count in range(len(chosen) + 1):
            if prod(cells[place][3] for place in chosen[:count]) > _LARGEST_TABLE:
                break
            made = _plan(observations, chosen[:count], cells)
            passing = int(np.count_nonzero(made.table)) / len(made.table)
            each = _PER_HIT if made.decided else _PER_CHECK
            cost = (_TWO_SHUFFLES if made.both else _ONE_SHUFFLE) + count * _PER_CELL + passing * each
            if cost < least:
                best, least = made, cost
    assert best is not None
    return best


def _plan(
    observations: Sequence[Seen], chosen: Sequence[int], cells: dict[int, tuple[int, int, int, int]]
) -> SievePlan:
    rows = [cells[place] for place in chosen]
    scales = [prod(row[3] for row in rows[:k]) for k in range(len(rows) + 1)]
    keys = np.arange(scales[-1])
    numbers = {place: keys // scales[k] % rows[k][3] for k, place in enumerate(chosen)}
    table = np.zeros(scales[-1], np.uint64)
    for bit, seen in enumerate(observations):
        fits = np.ones(scales[-1], np.bool_)
        for (one, name), (other, another) in combinations([item for item in seen if item[0] in numbers], 2):
            fits &= (numbers[one] == numbers[other]) == (name == another)
        table[fits] |= np.uint64(1 << bit)
    decided = all(place in numbers for seen in observations for place, _ in seen)
    array = np.array([(*row, scale) for row, scale in zip(rows, scales, strict=False)], np.int64).reshape(-1, 5)
    return SievePlan(array, table, any(row[0] for row in rows), decided)


def seen_of(generator: Generator, observations: Sequence[Observation]) -> list[Seen]:
    """The puyos of the pool that each observation shows. A place that was seen twice is listed twice."""
    return [observation.seen(generator) for observation in observations]
