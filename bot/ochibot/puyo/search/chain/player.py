"""The player that builds chains (kind ``beam``).

It searches along the visible pairs, then along several random futures. All first locks are tried with the same futures.
In each future, a lock's value is the best chain found after it: one set off on the way, or one in reach at the end. The
lock's final value is the mean over the futures.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from ochibot.errors import ConfigError
from ochibot.falling.player import FromFile
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import ChainConfig, points_of
from ochibot.puyo.search.chain.draw import Draw, fallen, futures_of, palette
from ochibot.puyo.search.chain.layout import CHAIN, MOST, ROOTS, SCRATCH_WORDS
from ochibot.puyo.search.chain.line import Line, line_of
from ochibot.puyo.search.chain.safety import Keeper
from ochibot.puyo.search.chain.search import (
    CHAIN_KERNELS,
    BeamSearch,
    Floats,
    Layer,
    NuisanceFall,
    SearchPlan,
    can_search,
    plan_of,
    seen_pairs,
)
from ochibot.puyo.search.engine import OVER_NOW, prepare_placements
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import locked, placements, with_path
from ochibot.puyo.search.twoply import Decision

_LOCKS: Final = lock_order()
_FIRST_RATE: Final = 1.5e6
"""The assumed boards per second, until the real speed has been measured."""
_FIRST_BESIDE: Final = 2e-4
"""The assumed fixed costs of a decision in seconds, until they have been measured."""
_LEARNS: Final = 0.2
"""The weight of the last decision in the running averages of the speed."""
_RELIEF: Final = 1000.0
"""The least points of a chain that is set off to make room: about three steps. With a lower limit, the article's player
becomes weaker.
"""
_PUT_OFF: Final = 4
"""A chain that makes room may wait for the next pair while the field holds fewer puyos than ``tidy`` plus this."""
_TRIED: Final = 3
"""If the keeper couldn't save the game after any of this many best locks, the player makes room."""
_TIDY: Final = ROWS * COLUMNS + 1
"""More puyos than a field can hold: never."""
_BLIND: Final = 2
"""With at most this many visible pairs, ``tidy`` applies."""
_FILLED: Final = 0.5, 1.0
"""Limits of the share of a plan's boards that a search is expected to find: not all, as equal fields count once."""
_SPARE: Final = 0.92
"""The share of a time budget that a plan uses; the rest is a reserve."""


@dataclass(frozen=True, slots=True)
class ChainJudgement:
    """The player's opinion of a field: the value of the chain in reach, and the value of the field's shape."""

    chain: float
    stands: float

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """Both values with their names, for display."""
        return ("chain", self.chain), ("shape", self.stands)

    @property
    def total(self) -> float:
        """The sum of both."""
        return self.chain + self.stands


class ChainPlayer(FromFile):
    """The player; the module's text explains how it decides.

    With a budget of nodes, equal snapshots get equal decisions, whatever the number of threads, with one exception: a
    decision also depends on how many decisions were made on a field with many puyos (see ``Deciding``, ``waiting``).
    """

    def __init__(
        self,
        config: ChainConfig,
        rules: Rules,
        seed: int | None = None,
        *,
        nodes: int | None = None,
        budget_ms: float | None = None,
        threads: int = 1,
        clock: Callable[[], float] = time.perf_counter,
        ahead: tuple[int, int] | None = None,
        tidy: int = _TIDY,
    ) -> None:
        """``nodes`` replaces the file's own budget. ``budget_ms``, milliseconds by ``clock`` per decision, replaces
        both. ``ahead``: the depth in pairs and the number of futures; None: they follow from the budget. ``tidy``: for
        matches in games that show one next pair: from this many puyos on, or with a high third column, the player makes
        room.

        Raises ConfigError for rules whose ``clear_size`` isn't four.
        """
        if rules.clear_size != 4:
            raise ConfigError(
                f"the player {config.name} knows groups of four only, and by the rules {rules.name} groups of "
                f"{rules.clear_size} clear: choose a player of the kind two_ply"
            )
        self.config = config
        self.rules = rules
        self.seed = seed or 0
        self._nodes = nodes or config.nodes
        self._budget = budget_ms
        self._threads = threads
        self.clock = clock
        """The clock for time budgets, in seconds."""
        self._rate, self._beside, self._filled = _FIRST_RATE, _FIRST_BESIDE, 1.0
        self._weights = config.vector()
        self._ahead, self._tidy = ahead, tidy
        self._trigger, self._least = (
            points_of(steps, rules) for steps in (config.deciding.trigger, config.deciding.least)
        )
        self._due, self._locks = 0, 1
        self._table = score_table(rules)
        self._searches: list[BeamSearch] = []
        self._pool: ThreadPoolExecutor | None = None
        self._keeper = Keeper(rules)
        self._whole = False
        """Whether the last search tried all the futures that were planned."""
        self._waited = 0
        """How many decisions were made with ``Deciding.waiting`` or more puyos on the field, since it last held fewer
        than half of them.
        """

    def race(self, most: float, due: int = 0, locks: int = 1) -> None:
        """Sets two things for the next decisions: a chain's points beyond ``most`` count nothing, and in each future,
        ``due`` nuisance puyos fall on random columns after the ``locks``-th lock from now (1: the falling pair's).
        """
        self._weights[MOST] = most
        self._due, self._locks = due, locks

    def hurry(self, plies: int, futures: int) -> None:
        """For the next decisions, the search looks ``plies`` pairs (1 or more) ahead and no further, along ``futures``
        futures.
        """
        self._ahead = plies, futures

    def prepare(self) -> None:
        """Loads (or compiles) the kernels, so that the first decision is quick."""
        for name in ("grow", "potential_boards", "shape_boards", "lasting_locks", "outlives"):
            CHAIN_KERNELS.kernel(name, self.rules)
        self._keeper.prepare()
        prepare_placements(self.rules)

    def judge(self, snapshot: Snapshot, decision: Decision) -> ChainJudgement:
        """The player's opinion of the field after the decision. May be called from another thread."""
        colors = palette(snapshot.field, (snapshot.pair, snapshot.next_pair), snapshot.colors)
        return self._judgement(decision.outcome.field, colors)

    def expect(self, snapshot: Snapshot) -> tuple[Decision | None, Line | None]:
        """The decision, and the line expected from it on, along the first random future.

        The line is searched for with the budget of nodes, even if decisions have a time budget.

        The line is None without a decision, for an item, when puyos float, and when the first layer of the search has
        no board that begins with the chosen lock.
        """
        decision = self.choose(snapshot)
        pairs = seen_pairs(snapshot)
        if decision is None or not pairs or not snapshot.field.is_settled():
            return decision, None
        search = BeamSearch(self.rules, self._weights, plan_of(self._nodes, len(pairs), self._ahead).width)
        search.colors(palette(snapshot.field, pairs, snapshot.colors))
        search.look(snapshot.field, snapshot.state, pairs)
        lock = decision.placement.x, decision.placement.orientation
        root = next(number for number, one in enumerate(_LOCKS) if one == lock)
        seen = search.seen[: search.depth]
        if not seen or root not in seen[0].roots[: seen[0].count]:
            return decision, None
        drawn = self._futures(snapshot, pairs, plan_of(self._nodes, len(pairs), self._ahead), search.depth)[0]
        layers = [*seen, *search.layers(seen[-1], drawn)]
        later = self.config.deciding.later
        start = snapshot.state
        line = line_of(snapshot.field, start, [*pairs, *drawn], len(seen), layers, root, later, self.rules)
        return decision, line

    def _futures(self, snapshot: Snapshot, pairs: Sequence[Pair], plan: SearchPlan, depth: int) -> list[list[Pair]]:
        """The random futures for a decision; each continues the first ``depth`` visible pairs."""
        return futures_of(snapshot, pairs, max(0, plan.plies - depth), plan.futures, self.seed)

    def _falls(self, snapshot: Snapshot, futures: int) -> list[list[int]]:
        """How much of the nuisance due falls on each column, in each future; an empty list if none is due."""
        draw = Draw(self.seed, zlib.crc32(snapshot.field.planes.tobytes()), self._due)
        return [fallen(self._due, draw) for _ in range(futures)] if self._due else []

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision for a snapshot; None when there is no lock."""
        pairs = seen_pairs(snapshot)
        if not pairs or not can_search(snapshot):
            return self._choose_plainly(snapshot)
        if self._ahead is not None:
            pairs = pairs[: self._ahead[0]]
        self._wait(snapshot.field)
        began = self.clock()
        wanted = self._nodes if self._budget is None else self._affordable()
        plan = plan_of(wanted if self._budget is None else wanted / self._filled, len(pairs), self._ahead)
        searches = self._memory(plan)
        before = sum(search.nodes for search in searches)
        reached = self._keeper.reached(snapshot)
        allowed = self._keeper.lasting(snapshot) & reached or reached
        root, value = self._decide(snapshot, pairs, plan, searches, began, allowed)
        nodes = sum(search.nodes for search in searches) - before
        taken = self.clock() - began
        if taken > 0 and nodes > 200:
            self._rate += _LEARNS * (nodes / taken - self._rate)
            if self._whole:
                self._learn_filled(nodes * self._filled / max(1.0, wanted))
        if root < 0:
            return self._keeper.choose(snapshot, allowed)
        found = locked(snapshot, _LOCKS[root], self.rules)
        if found is None:
            return self._choose_plainly(snapshot)
        self._beside += _LEARNS * (self.clock() - began - taken - self._beside)
        return Decision(found[0], value, found[1], nodes)

    def _wait(self, field: Field) -> None:
        """Counts a decision if the field holds ``Deciding.waiting`` puyos or more. Fewer than half of them set the
        count back to 0.
        """
        count = field.count()
        if count >= self.config.deciding.waiting:
            self._waited += 1
        elif count < self.config.deciding.waiting // 2:
            self._waited = 0

    def _affordable(self) -> float:
        """How many boards the time budget allows, after the fixed costs of a decision."""
        assert self._budget is not None
        return max(0.0, self._budget / 1000 - self._beside) * self._rate * _SPARE

    def _learn_filled(self, share: float) -> None:
        """Updates the running average of the share of a plan's boards that a search finds."""
        least, most = _FILLED
        self._filled += _LEARNS * (min(max(share, least), most) - self._filled)

    def _memory(self, plan: SearchPlan) -> list[BeamSearch]:
        """Searches of the plan's width: one for each thread, but at most one for each future."""
        if not self._searches or self._searches[0].width != plan.width:
            count = min(self._threads, plan.futures)
            self._searches = [BeamSearch(self.rules, self._weights, plan.width) for _ in range(count)]
        return self._searches

    def _decide(
        self,
        snapshot: Snapshot,
        pairs: Sequence[Pair],
        plan: SearchPlan,
        searches: list[BeamSearch],
        began: float,
        reached: int,
    ) -> tuple[int, float]:
        """(the best first lock, as an index into the order of locks; its value). The index is -1 if every lock ends the
        game, and if the keeper has to make room. ``reached``: the locks that may be chosen, as bits.
        """
        self._whole = False
        deciding = self.config.deciding
        colors = palette(snapshot.field, pairs, snapshot.colors)
        for search in searches:
            search.colors(colors)
        main = searches[0]
        fired = main.look(snapshot.field, snapshot.state, pairs, reached)
        first = main.seen[0]
        if first.count == 0:
            return -1, OVER_NOW
        allowed = np.zeros(ROOTS, bool)
        allowed[first.roots[: first.count]] = True
        sure = np.stack([points * deciding.later**number for number, points in enumerate(fired)])
        sure_points: Floats = np.where(allowed, np.max(sure, axis=0), 0.0)
        surest = int(np.argmax(sure_points))
        at_once: Floats = np.where(allowed, fired[0], 0.0)
        best_now = int(np.argmax(at_once))
        now = float(at_once[best_now])
        if now >= self._trigger:
            return best_now, now
        points = float(sure_points[surest])
        relief = min(_RELIEF, float(self._weights[MOST]))
        if len(pairs) <= _BLIND and self._is_untidy(snapshot.field):
            if now >= relief:
                return best_now, now
            waits = points >= relief and snapshot.field.count() < self._tidy + _PUT_OFF
            return (surest, points) if waits else (-1, 0.0)
        futures = self._futures(snapshot, pairs, plan, main.depth)
        falls = self._falls(snapshot, plan.futures)
        # visible pairs that lock after nuisance has fallen are searched anew in each future
        start = min(self._locks, main.depth) if falls else main.depth
        base, rest = main.seen[start - 1], pairs[start : main.depth]
        known: Floats = np.max(np.stack((*(fired[1:start] if falls else fired[1:]), np.zeros(ROOTS))), axis=0)

        def along(search: BeamSearch, number: int) -> tuple[Floats, float]:
            points = known.copy()
            fall = NuisanceFall(self._locks - start, falls[number]) if falls else None
            last = search.follow(base, [*rest, *futures[number]], deciding.later, points, fall)
            return self._values(last, points), float(np.max(points))

        if len(searches) == 1:
            found = []
            for number in range(plan.futures):
                found.append(along(main, number))
                spent = (self.clock() - began) * 1000
                if self._budget is not None and spent * (number + 2) / (number + 1) > self._budget:
                    break  # another future would take too long
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads)
            shares = [range(start, plan.futures, len(searches)) for start in range(len(searches))]
            done = self._pool.map(lambda job: [along(job[0], n) for n in job[1]], zip(searches, shares, strict=True))
            of_shares = list(done)
            found = [of_shares[number % len(searches)][number // len(searches)] for number in range(plan.futures)]
        self._whole = len(found) == plan.futures
        later = float(np.mean([points for _, points in found]))
        crowded = snapshot.field.count() >= deciding.crowded
        patience = deciding.hurry if crowded else deciding.patience
        patience += deciding.presses * max(0, self._waited - deciding.waits)
        worthy = points > 0 and (points >= self._least or crowded) and points * patience >= later
        if worthy and points >= self._least:
            return surest, points  # a visible pair can set this chain off, so it is certain
        values: Floats = np.where(allowed, np.sum(np.stack([values for values, _ in found]), axis=0), -np.inf)
        best = np.argsort(-values, kind="stable")[:_TRIED].tolist()
        boards = first.boards.reshape(-1, BOARD_WORDS)
        for root in (surest, *best) if worthy else best:
            at = np.flatnonzero(first.roots[: first.count] == root)
            if len(at) and self._keeper.saves(snapshot.field, boards[at[0]], pairs[1:], colors):
                return root, points if worthy and root == surest else float(values[root] / len(found))
        # If it waited for a greater chain although it has one now, it would wait again at the next pair, and so on.
        return (best_now, now) if now >= relief else (surest, points) if points >= relief else (-1, 0.0)

    def _is_untidy(self, field: Field) -> bool:
        """Whether a field holds ``tidy`` puyos or more, or the third column is high."""
        return field.count() >= self._tidy or (self._tidy < _TIDY and self._keeper.is_near(field))

    def _values(self, last: Layer, points: Floats) -> Floats:
        """The value of each root (first lock) in one future, in square roots of points.

        ``points``: for each root, the points of the best chain that it set off. A root with neither such a
        chain nor a board in the last layer is worth less than all others.
        """
        deciding, count = self.config.deciding, last.count
        reach = np.sqrt(last.reach[:count])
        stands = deciding.standing * (last.keys[:count] / self._weights[CHAIN] - reach)
        values = np.full(ROOTS, -np.inf)
        np.maximum.at(values, last.roots[:count], deciding.promise * reach + stands)
        made = np.sqrt(points) + stands.max()
        values = np.where(points > 0, np.maximum(values, made), values)
        least = float(values[np.isfinite(values)].min()) - 10.0
        return np.where(np.isfinite(values), values, least)

    def _judgement(self, field: Field, colors: Sequence[int]) -> ChainJudgement:
        """The player's opinion of one field."""
        board = field.planes.reshape(1, -1).copy()
        points, stands = np.zeros((1, 3), np.int64), np.zeros(1)
        mask = sum(1 << color - 1 for color in colors)
        scratch = np.zeros(SCRATCH_WORDS, np.uint64)
        CHAIN_KERNELS.kernel("potential_boards", self.rules)(board, mask, self._table, self._weights, scratch, points)
        CHAIN_KERNELS.kernel("shape_boards", self.rules)(board, self._weights, stands)
        return ChainJudgement(float(self._weights[CHAIN]) * float(points[0, 0]) ** 0.5, float(stands[0]))

    def _choose_plainly(self, snapshot: Snapshot) -> Decision | None:
        """Decides by the current piece alone: for items, when puyos float, and when the pair is outside the field."""
        colors = palette(snapshot.field, seen_pairs(snapshot), snapshot.colors)
        best: tuple[float, Placement, Outcome] | None = None
        count = 0
        locks = placements(snapshot.field, snapshot.pair, self.rules, snapshot.state)
        reached = [lock for lock in locks if snapshot.hands is None or snapshot.hands(lock)]
        for lock in reached or locks:
            outcome = place(snapshot.field, snapshot.pair, lock, self.rules)
            count += 1
            value = OVER_NOW if outcome.game_over else self._judgement(outcome.field, colors).total
            if best is None or value > best[0]:
                best = value, lock, outcome
        if best is None:
            return None
        lock = with_path(snapshot.field, snapshot.pair, best[1], snapshot.state, self.rules)
        return Decision(lock, best[0], best[2], count)
