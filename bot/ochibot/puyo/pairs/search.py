"""Finds the states that deal the first pairs that somebody saw. One pass covers all states of a generator, or a range.

Puyo Puyo 1's generator multiplies by a constant, and player 1's pool is shuffled by bits 16 to 23 of the states. So the
upper eight bits never matter: examining 2^24 states covers all 2^32. Puyo Puyo Tsu's states meet within a few steps
(``marks``), so a search over all of them examines some 900 million values.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError, UsageError
from ochibot.puyo.pairs import marks
from ochibot.puyo.pairs.engine import PAIRS_KERNELS, States, modern_pools, puyo1_pools, tsu_pools
from ochibot.puyo.pairs.generators import Generator
from ochibot.puyo.pairs.modern import SEEDS
from ochibot.puyo.pairs.observation import Observation
from ochibot.puyo.pairs.plan import SievePlan, plan, seen_of
from ochibot.puyo.pairs.sieve import LANES
from ochibot.puyo.pairs.tsu import POOL

Masks = npt.NDArray[np.uint64]

LISTED: Final = 1 << 20
"""How many candidates are kept for an observation; further ones are only counted."""

MOST_OBSERVATIONS: Final = 64
_KEPT: Final = LISTED + 1
_BLOCK: Final = 1 << 20
_TOLD_EVERY: Final = 0.25
_CHECKED_AT_ONCE: Final = 1 << 12
_FEW: Final = 9
"""About one state in ten thousand fits an observation of this many puyos: few enough to keep them all."""

_LOW: Final = 1 << 24
"""The number of states of Puyo Puyo 1 that must be examined for player 1: only their lower 24 bits affect the pool."""


def states_of(generator: Generator) -> int:
    """How many states a generator has."""
    return SEEDS if generator == "modern" else 1 << 32


@dataclass(frozen=True, slots=True)
class StateSearch:
    """What to search for, and where: the observations, and the states from ``first`` to ``last`` (both included).

    device: ``cpu`` or ``cuda``. Raises ConfigError for impossible states, UsageError for a device that the generator
    doesn't support.
    """

    generator: Generator
    observations: tuple[Observation, ...]
    colors: int
    player: int
    first: int
    last: int
    device: str = "cpu"

    def __post_init__(self) -> None:
        most = states_of(self.generator) - 1
        if not 0 <= self.first <= self.last <= most:
            raise ConfigError(
                f"there is nothing from {self.first:#x} to {self.last:#x}: give a range within 0x0-{most:#x}"
            )
        if self.device == "cuda" and self.generator == "modern":
            raise UsageError("the 65,536 seeds of modern take less than a second without a GPU: leave --device out")
        if not 1 <= len(self.observations) <= MOST_OBSERVATIONS:
            raise ConfigError(
                f"can't look for {len(self.observations)} games at once: give 1 to {MOST_OBSERVATIONS} observations"
            )

    @property
    def states(self) -> int:
        """How many states the search covers."""
        return self.last - self.first + 1

    @property
    def alike(self) -> bool:
        """Whether each examined state stands for all states with the same lower 24 bits (up to 256)."""
        if self.generator != "puyo1" or self.states <= _LOW or self.first % _LOW or self.states % _LOW:
            return False
        return self.player == 1 or all(observation.pairs <= 4 for observation in self.observations)

    @property
    def meets(self) -> bool:
        """Whether the search examines the values that Tsu's states become (see ``marks``) instead of the states.

        It does so when it covers all states, and only few of them can fit.
        """
        known = (len(dict(seen)) for seen in seen_of(self.generator, self.observations))
        whole = self.generator == "tsu" and self.states == 1 << 32
        return whole and self.device == "cpu" and min(known) >= _FEW

    @property
    def name(self) -> str:
        """A digest of everything that the answer depends on."""
        signs = [observation.signs for observation in self.observations]
        version = 1 if self.device == "cpu" else self.device
        asked = [
            version,
            self.generator,
            signs,
            self.colors,
            self.player,
            self.first,
            self.last,
            PAIRS_KERNELS.folder().name,
        ]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32]


@dataclass
class FoundStates:
    """What a search has found. counts: how many states fit each observation. kept: the first ``room`` of these states.

    done: how many of ``total`` states have been examined. under_way: roughly how many others have been examined, in
    parts that aren't finished.
    """

    total: int
    done: int = 0
    under_way: int = 0
    room: int = _KEPT
    counts: list[int] = field(default_factory=list)
    kept: list[list[States]] = field(default_factory=list)

    def candidates(self, observation: int) -> States:
        """The states that fit the observation, in rising order; at most the lowest LISTED."""
        return self.all_kept(observation)[:LISTED]

    def all_kept(self, observation: int) -> States:
        """All states kept for an observation. If more than LISTED fit, more than LISTED are kept."""
        return np.concatenate([np.empty(0, np.uint32), *self.kept[observation]])

    def add(self, states: States, masks: Masks) -> None:
        """Adds states that fit. masks: for each state, the observations that it fits, as bits."""
        for observation in range(len(self.counts)):
            fits = states[masks >> np.uint64(observation) & np.uint64(1) == 1]
            room = self.room - min(self.counts[observation], self.room)
            self.counts[observation] += len(fits)
            if len(fits) and room > 0:
                self.kept[observation].append(fits[:room].copy())


class _Looker:
    """Examines blocks of states for a search. Several threads may call it at once."""

    def __init__(self, search: StateSearch) -> None:
        self.search = search
        seen = seen_of(search.generator, search.observations)
        if search.generator == "modern":
            self.plan: SievePlan | None = None
        else:
            self.plan = plan(search.generator, search.colors, search.player, seen)
            self._sieve = PAIRS_KERNELS.load(f"{search.generator}_sieve")
        self._gpu = None
        if search.device == "cuda" and self.plan is not None:
            from ochibot.puyo.pairs.cuda import SieveDevice

            self._gpu = SieveDevice(search.generator, self.plan)
        self._fitting = PAIRS_KERNELS.load("fitting")
        self._places = np.array([place for puyos in seen for place, _ in puyos], np.int64)
        self._names = np.array([name for puyos in seen for _, name in puyos], np.int64)
        self._ends = np.cumsum([len(puyos) for puyos in seen]).astype(np.int64)
        self._all = np.uint64((1 << len(seen)) - 1)

    def look(self, values: States, begun: bool = False) -> tuple[States, Masks]:
        """The values that fit any observation, and for each of them the observations that it fits, as bits.

        ``values``: states, or with ``begun`` the values that Tsu's states have after the draws for the colour set.
        """
        if self.plan is None:
            states, masks = values, np.full(len(values), self._all)
        else:
            states, masks = np.empty(len(values), np.uint32), np.empty(len(values), np.uint64)
            found, work = np.zeros(1, np.int64), np.empty((2, LANES), np.uint32)
            draws, place = np.empty(2 * POOL * LANES, np.uint8), np.empty(LANES, np.uint8)
            sieve, made = self._sieve, self.plan
            sieve(
                values, begun, made.both, made.cells, made.table, work[0], draws, place, work[1], states, masks, found
            )
            states, masks = states[: found[0]], masks[: found[0]]
            if made.decided:
                return states, masks
        return self._checked(states, masks, begun)

    def _checked(self, states: States, masks: Masks, begun: bool) -> tuple[States, Masks]:
        """The states whose whole pools fit an observation, and their masks of observations."""
        for begin in range(0, len(states), _CHECKED_AT_ONCE):
            end = begin + _CHECKED_AT_ONCE
            self._check(states[begin:end], begun, masks[begin:end])
        return states[masks != 0], masks[masks != 0]

    def look_at(self, first: int, count: int) -> tuple[States, Masks]:
        """Examines ``count`` states from ``first`` on. Returns the states that fit, and their masks of observations."""
        if self._gpu is not None and self.plan is not None:
            states, masks = self._gpu.look_at(first, count)
            return (states, masks) if self.plan.decided else self._checked(states, masks, False)
        return self.look(np.arange(count, dtype=np.uint32) + np.uint32(first))

    def look_at_part(self, part: int, shares: dict[int, float], stop: threading.Event) -> tuple[States, Masks]:
        """Examines the states whose values are in a part (see ``marks``). Returns those that fit, and their masks.

        It writes the part's progress (0 to 1) to ``shares``, and ends early once ``stop`` is set.
        """
        values, masks = [np.empty(0, np.uint32)], [np.empty(0, np.uint64)]
        for share, some in marks.values_of(part):
            shares[part] = share
            if stop.is_set():
                break
            fitting, their_masks = self.look(some, begun=True)
            values.append(fitting)
            masks.append(their_masks)
        states, numbers = marks.states_of(np.concatenate(values))
        return states, np.concatenate(masks)[numbers]

    def _check(self, states: States, begun: bool, masks: Masks) -> None:
        """Clears the bits in ``masks`` of the observations that the states' whole pools contradict."""
        search = self.search
        if search.generator == "puyo1":
            pools, first = puyo1_pools(states, search.colors), (search.player - 1) * POOL
        else:
            pools = tsu_pools(states, begun) if search.generator == "tsu" else modern_pools(states)
            first = (search.colors - 3) * POOL
        self._fitting(pools.reshape(len(states), -1), first, self._places, self._names, self._ends, masks)


def find(
    search: StateSearch,
    threads: int | None = None,
    checkpoint: Path | None = None,
    report: Callable[[FoundStates], None] = lambda _: None,
) -> FoundStates:
    """Examines all states of a search. threads: the number of processors unless given.

    checkpoint: a file that keeps the progress every few seconds. A search with the same file resumes; the file is
    removed at the end. report: called at the beginning and after each block with what has been found so far. If the
    search is ``alike``, reports hold one state for up to 256; only the returned value has the candidates.

    Raises ConfigError for a checkpoint of another search, OutputError for one that can't be written.
    """
    from ochibot.puyo.pairs.checkpoint import Checkpoint

    looker = _Looker(search)
    alike = search.alike
    # the upper eight bits don't matter; here they are 1, not 0, because the game replaces the state 0
    first, total = (_LOW, _LOW) if alike else (search.first, search.states)
    found = FoundStates(total, counts=[0 for _ in search.observations], kept=[[] for _ in search.observations])
    if search.meets:
        found.room = total
    kept = Checkpoint(checkpoint, search.name) if checkpoint is not None else None
    if kept is not None:
        kept.load(found)
    report(found)
    workers = threads or os.cpu_count() or 1
    blocks: Iterator[tuple[States, Masks, int]]
    if search.meets:
        blocks = _parts(looker, found, workers, report)
    elif search.device == "cuda":
        blocks = _on_the_gpu(looker, first + found.done, total - found.done)
    else:
        blocks = _in_order(looker, first + found.done, total - found.done, workers)
    for states, masks, count in blocks:
        found.add(states, masks)
        found.done += count
        report(found)
        if kept is not None and found.done < total:
            kept.save_now_and_then(found)
    if alike:
        found = _spread(found, looker)
    if search.meets:
        found.kept = [[np.sort(found.all_kept(k))[:_KEPT]] for k in range(len(found.counts))]
    if kept is not None:
        kept.remove()
    return found


def _in_order(looker: _Looker, first: int, count: int, threads: int) -> Iterator[tuple[States, Masks, int]]:
    """Yields (states that fit, their masks, the block's length) for each block, in order, from several threads."""
    starts = iter(range(first, first + count, _BLOCK))
    waiting: deque[tuple[Future[tuple[States, Masks]], int]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                while len(waiting) < 2 * threads and (start := next(starts, None)) is not None:
                    length = min(_BLOCK, first + count - start)
                    waiting.append((pool.submit(looker.look_at, start, length), length))
                if not waiting:
                    return
                future, length = waiting.popleft()
                yield *future.result(), length
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _on_the_gpu(looker: _Looker, first: int, count: int) -> Iterator[tuple[States, Masks, int]]:
    """Does the same as ``_in_order`` on a GPU, one launch at a time."""
    from ochibot.puyo.pairs.cuda import BLOCK

    for start in range(first, first + count, BLOCK):
        length = min(BLOCK, first + count - start)
        yield *looker.look_at(start, length), length


def _parts(
    looker: _Looker, found: FoundStates, threads: int, report: Callable[[FoundStates], None]
) -> Iterator[tuple[States, Masks, int]]:
    """Yields (states that fit, their masks, the number of states to count as done) for each part of the values."""
    each = found.total // marks.PARTS
    stop, shares = threading.Event(), dict[int, float]()
    with ThreadPoolExecutor(threads) as pool:
        begun = range(found.done // each, marks.PARTS)
        waiting = deque(pool.submit(looker.look_at_part, part, shares, stop) for part in begun)
        try:
            while waiting:
                try:
                    states, masks = waiting[0].result(_TOLD_EVERY)
                except TimeoutError:
                    found.under_way = int(each * sum(shares.values())) - found.done + begun.start * each
                    report(found)
                    continue
                waiting.popleft()
                found.under_way = 0
                yield states, masks, each
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def _spread(found: FoundStates, looker: _Looker) -> FoundStates:
    """Replaces each state found by all states of the search's range that have the same lower 24 bits.

    The state 0 is examined by itself, because the game replaces it by another state.
    """
    search = looker.search
    fits_zero = looker.look_at(0, 1)[1].sum()
    highs = np.arange(search.first // _LOW, search.last // _LOW + 1)
    spread = FoundStates(found.total, found.done)
    for observation, count in enumerate(found.counts):
        low = found.all_kept(observation).astype(np.int64) % _LOW
        blocks = highs[: _KEPT // max(len(low), 1) + 1]
        states = (blocks[:, None] * _LOW + low).reshape(-1)
        count *= len(highs)
        if search.first == 0:
            zero = int(fits_zero) >> observation & 1
            began = int(len(states) > 0 and states[0] == 0)
            count += zero - began
            states = np.concatenate([np.zeros(zero, np.int64), states[began:]])
        spread.counts.append(count)
        spread.kept.append([states[:_KEPT].astype(np.uint32)])
    return spread
