"""The player of Pochi & Nyaa that tries every lock of the current pair and then every lock of the next one.

The player kind ``nyaa_two_ply``: players of Pochi & Nyaa that search one or two pairs deep and weigh metrics.

These players need to see the other side, which records don't keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError, FieldError
from ochibot.falling.deciding import tie_order
from ochibot.falling.family import PLIES, PlayerKind, with_plies
from ochibot.falling.orientation import Orientation
from ochibot.falling.player import FromFile
from ochibot.nyaa.kernels.packed import boards_of
from ochibot.nyaa.rules.grid import COLORS, NUISANCE, Grid
from ochibot.nyaa.rules.lock import Outcome, heights, is_settled, place
from ochibot.nyaa.rules.pair import SPAWN, NyaaState, Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.resolve import settled
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.engine import search_kernel
from ochibot.nyaa.search.locks import find_path, is_open, lock_order, open_paths, rest_row
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import NyaaPlayerConfig, load_nyaa_player
from ochibot.nyaa.search.question import (
    ANSWER_LEAVES,
    ANSWER_LOCK,
    ANSWER_METRICS,
    ASKED_RULES,
    MEMORY_WORDS,
    NUMBERS,
    SEARCH_WORK_WORDS,
    rule_words,
)

_LOCKS: Final = lock_order()
_EMPTY: Final = Grid.empty()


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's decision.

    placement: where the current pair goes. value: the value of the best leaf that it can lead to (OVER_NEXT = -1e9 if
    every lock of the next pair loses, OVER_NOW = -2e9 if this lock does). outcome: the result of this lock alone,
    before nuisance falls. leaves: how many leaves were reached, lost games included.
    """

    placement: Placement
    value: float
    outcome: Outcome
    leaves: int


class Measured(NamedTuple):
    """The evaluation of a grid. metrics: their values by name. value: their weighted sum."""

    metrics: dict[str, int]
    value: float


TERMS_SHOWN: Final = 8


@dataclass(frozen=True)
class Judgement:
    """A player's evaluation of a grid: the largest terms, and the sum of all."""

    terms: tuple[tuple[str, float], ...]
    total: float


def _weight(term: tuple[str, float]) -> float:
    return -abs(term[1])


class NyaaPlayer(FromFile):
    """Chooses the lock of the current pair that leads to the best leaf. At a leaf, both pairs have locked and waiting
    nuisance has fallen.

    If needles that light nothing become blocks, locks of such needles are left out. Ties go to the first lock in
    the order of lock positions (``ochibot.nyaa.search.locks``). With a seed, that order is shuffled. Equal snapshots
    always get equal decisions. An instance has its own scratch memory: use one per thread.
    """

    def __init__(self, config: NyaaPlayerConfig, rules: Rules, plies: int = 2, seed: int | None = None) -> None:
        """``plies``: 2, or 1 to search the current pair only. ``seed`` decides between locks of equal value.

        Raises ConfigError for another number of plies, or for rules that the search can't play by; it names the entry
        and what to give.
        """
        if plies not in (1, 2):
            raise ConfigError(f"can't search {plies} plies: choose 1 or 2")
        words = rule_words(rules)
        self.config = config
        self.rules = rules
        self.plies = plies
        self.seed = seed
        self._second: NyaaPlayer | None = None  # for ``judge``: a second player with its own memory
        self._spawn = SPAWN._replace(x=rules.spawn_column)
        self._factors = np.array(config.weights.factors, np.float64)
        self._question = np.array([*[0] * ASKED_RULES, *words, *tie_order(len(_LOCKS), seed)], np.int64)
        self._numbers = np.zeros(NUMBERS, np.int64)
        self._memory = np.zeros(MEMORY_WORDS, np.uint64)
        self._work = np.zeros(SEARCH_WORK_WORDS, np.uint64)
        self._answer = np.zeros(ANSWER_METRICS + len(METRICS), np.int64)
        open_paths()  # fills its cache now (some milliseconds), so that the first decision needn't

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision; None if the pair has no lock, because it doesn't fit where the snapshot says it is.

        Locks that the snapshot's ``hands`` can't reach in time are left out, unless no other lock exists. Raises
        FieldError for a pair that isn't of colours 1..4, or a grid with needles or floating cells.
        """
        found = first = self._best(snapshot, 0)
        if snapshot.hands is None:
            return first
        barred = 0
        while found is not None and not snapshot.hands(found.placement):
            barred |= 1 << int(self._answer[ANSWER_LOCK])
            found = self._best(snapshot, barred)
        return found or first

    def _best(self, snapshot: Snapshot, barred: int) -> Decision | None:
        """The best decision among locks that aren't barred (bit i bars the i-th lock)."""
        value, answer = self._search(snapshot, self.plies, barred)
        lock, leaves = answer[ANSWER_LOCK], answer[ANSWER_LEAVES]
        if lock < 0:
            return None
        placement = placement_of(snapshot, *_LOCKS[lock])
        return Decision(placement, value, place(snapshot.grid, snapshot.pair, placement, self.rules), leaves)

    def prepare(self) -> None:
        """Loads (or compiles) the kernel, so that the first decision is quick."""
        search_kernel()

    def judge(self, snapshot: Snapshot, decision: Decision) -> Judgement:
        """The largest terms of the evaluation of the grid after the decision. May be called from another thread."""
        if self._second is None:
            self._second = NyaaPlayer(self.config, self.rules, self.plies, self.seed)
        first, second = snapshot.nexts
        after = Snapshot(
            decision.outcome.grid, first, (second, second), self._spawn, snapshot.pending, snapshot.opponent
        )
        seen = self._second.measure(after)
        weights = self.config.weights.model_dump()
        terms = sorted(((name, weights[name] * value) for name, value in seen.metrics.items()), key=_weight)
        return Judgement(tuple(terms[:TERMS_SHOWN]), seen.value)

    def value(self, snapshot: Snapshot) -> float | None:
        """The value of the best decision, without the decision. Locks that hands can't reach count, too. None if the
        pair has no lock. Raises FieldError as ``choose`` does.
        """
        value, answer = self._search(snapshot, self.plies)
        return value if answer[ANSWER_LOCK] >= 0 else None

    def measure(self, snapshot: Snapshot) -> Measured:
        """Evaluates the present grid as a leaf. The metric ``ready`` is for the colours of ``snapshot.pair``."""
        value, answer = self._search(snapshot, 0)
        return Measured(dict(zip(METRICS, answer[ANSWER_METRICS:], strict=True)), value)

    def _search(self, snapshot: Snapshot, plies: int, barred: int = 0) -> tuple[float, list[int]]:
        check(snapshot)
        pairs = snapshot.pair, *snapshot.nexts
        ready = pairs[1:] if plies else pairs[:2]
        self._question[:ASKED_RULES] = asked(snapshot, self._spawn, (ready[0], ready[1]), plies, barred)
        boards = both_boards(snapshot)
        value: float = search_kernel()(
            boards[0],
            boards[1],
            self._question,
            self._factors,
            self._numbers,
            self._memory,
            self._work,
            self._answer,
        )
        return value, self._answer.tolist()


def asked(snapshot: Snapshot, spawn: NyaaState, ready: tuple[Pair, Pair], plies: int, barred: int) -> tuple[int, ...]:
    """The words of a question before those of the rules (``ochibot.nyaa.search.question``).

    ready: the pairs whose colours the metric ``ready`` uses after one ply and after two. barred: locks, as bits.
    """
    other = snapshot.opponent
    return (
        *(color - 1 for pair in (snapshot.pair, snapshot.nexts[0]) for color in pair),
        *(number for at in (snapshot.state, spawn) for number in (at.x - 1, at.y, at.orientation)),
        snapshot.pending,
        0 if other is None else other.pending,
        *map(bits_of, ready),
        plies,
        barred,
    )


def both_boards(snapshot: Snapshot) -> npt.NDArray[np.uint64]:
    """The boards of the player's own side and of the other side, (2, BOARD_WORDS)."""
    other = snapshot.opponent
    return boards_of((snapshot.grid, _EMPTY if other is None else as_it_will_lie(other.grid)))


def bits_of(pair: Pair) -> int:
    """A pair's colours as bits."""
    return 1 << pair.axis - 1 | 1 << pair.partner - 1


def check(snapshot: Snapshot) -> None:
    """Raises FieldError for a snapshot that the kernels don't support."""
    for pair in (snapshot.pair, *snapshot.nexts):
        if wrong := [color for color in pair if color not in COLORS]:
            raise FieldError(f"can't place a block of code {wrong[0]}: pairs are of the colours 1..{len(COLORS)}")
    if snapshot.grid.has_needle() or not is_settled(snapshot.grid):
        raise FieldError(
            "this grid has floating blocks or a needle: a player decides only on a grid at rest without needles"
        )


def as_it_will_lie(grid: Grid) -> Grid:
    """The other side's grid, which may be in any state, brought to rest; its needles count as blocks."""
    if not grid.has_needle() and is_settled(grid):
        return grid
    return settled(Grid(bytes(code - NUISANCE if code > NUISANCE else code for code in grid.codes)))


def placement_of(snapshot: Snapshot, x: int, orientation: Orientation, needle: bool) -> Placement:
    """The lock with its row and shortest path. On a grid at rest, column and orientation determine the row."""
    target = Placement(x, rest_row(heights(snapshot.grid), x, orientation), orientation, needle)
    if snapshot.state == SPAWN and is_open(snapshot.grid):
        return replace(target, path=open_paths()[x, orientation, needle])
    path = find_path(snapshot.grid, snapshot.state, target)
    assert path is not None  # the kernel chooses only among locks that can be reached
    return replace(target, path=path)


def _fits(data: Mapping[str, Any]) -> bool:
    """Whether there are weights of these metrics only, and no normalisers."""
    weights = data.get("weights")
    return isinstance(weights, Mapping) and "normalisers" not in data and set(weights) <= set(METRICS)


KIND: Final = PlayerKind(
    name="nyaa_two_ply", family="nyaa", options=PLIES, load=load_nyaa_player, open=with_plies(NyaaPlayer), fits=_fits
)
