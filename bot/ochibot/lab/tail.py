"""Estimates how probable very full fields are, by multilevel splitting: far beyond what direct play ever reaches.

Levels T1 < T2 < ... are numbers of puyos. An *excursion* above a level begins with an *entrance*, a lock that brings
the number of puyos on the field up to that level or above. It ends when there are fewer puyos again. In endless play

    P(n) = (entrances to T1 per lock) x (entrances to T2 per excursion above T1) x ...
           x (locks at n per excursion above Tk)

for every n from Tk to below Tk+1. This is exact, because every lock at n belongs to one excursion above each level up
to n. A replica estimates the factors one after another. Direct play gives entrances to T1. Then, for each level, a
fixed number of excursions is played from its entrances, and they give entrances to the next level. An entrance keeps
the field and the next pair; later pairs are dealt anew. Starts are drawn evenly from the entrances, so that the
expectation of the product is P(n) (fixed-effort splitting; see M. J. J. Garvels, "The splitting method in rare event
simulation", 2000). A game over ends the excursion; direct play continues with an empty field.

Replicas are independent of each other. The intervals follow from how much their estimates differ.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import Field

from ochibot.lab.sharded.folder import Check, CheckedModel, Count
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.engine import EXCURSION_KERNELS, EXCURSION_WORDS

WARM_UP: Final = 500
"""How many locks at the beginning aren't counted: until the initially empty field is as full as usual."""
_NUMBERS: Final = COLUMNS * ROWS + 1
_Estimate = Annotated[float, Field(ge=0, le=1000)]
"""An estimate of a probability. Chance may bring it above 1, but never far."""


@dataclass(frozen=True)
class Splitting:
    """The settings of a replica. pieces: how many pieces direct play has. first: the first level, in puyos. step: the
    distance between levels. runs: how many excursions are played from each level.
    """

    pieces: int
    first: int
    step: int
    runs: int

    @property
    def levels(self) -> range:
        """All levels, in puyos."""
        return range(self.first, _NUMBERS, self.step)


@dataclass(frozen=True)
class TailTask:
    """One replica to play. seed: the experiment's seed."""

    player: PlayerConfig
    rules: Rules
    colors: int
    splitting: Splitting
    seed: int
    number: int


def tail_tasks(
    player: PlayerConfig, rules: Rules, colors: int, splitting: Splitting, seed: int, replicas: int
) -> Iterator[tuple[int, TailTask]]:
    """The replicas as tasks, with their numbers."""
    for number in range(replicas):
        yield number, TailTask(player, rules, colors, splitting, seed, number)


def tail_identity(
    player: PlayerConfig, rules: Rules, colors: int, splitting: Splitting, seed: int, replicas: int
) -> dict[str, Any]:
    """Everything that the result depends on, as plain values."""
    return {
        "experiment": "tail",
        "replicas": replicas,
        "splitting": asdict(splitting),
        "player": player.model_dump(mode="json"),
        "rules": asdict(rules),
        "colors": colors,
        "seed": seed,
    }


class _Replica(CheckedModel):
    """The result of a replica, as ``play_replica`` returns it."""

    number: Count
    locks: Count
    frequencies: list[_Estimate] = Field(min_length=_NUMBERS, max_length=_NUMBERS)
    overs: list[_Estimate] = Field(min_length=_NUMBERS, max_length=_NUMBERS)
    entrances: list[Count] = Field(min_length=1)


def tail_check(identity: Mapping[str, Any]) -> Check:
    """The check of a replica's number and result. identity: see ``tail_identity``."""
    splitting, replicas = Splitting(**identity["splitting"]), int(identity["replicas"])

    def check(number: int, result: dict[str, Any]) -> None:
        replica = _Replica.model_validate(result)
        if not number == replica.number < replicas:
            raise ValueError(f"it is replica {replica.number} of {replicas}, in the place of number {number}")
        if replica.locks < splitting.pieces or len(replica.entrances) > len(splitting.levels):
            raise ValueError("it was played with other levels, or fewer pieces")

    return check


class _TailStage:
    """One stage of a replica: direct play, or all excursions from one level."""

    def __init__(self, task: TailTask, random: npt.NDArray[np.uint64]) -> None:
        self._task, self._random = task, random
        self.counts, self.overs = np.zeros(_NUMBERS, np.int64), np.zeros(_NUMBERS, np.int64)
        self.found = self.locks = 0
        self.entrances = np.zeros((task.splitting.runs, EXCURSION_WORDS), np.uint64)
        self.last = np.zeros((1, EXCURSION_WORDS), np.uint64)
        self.before = 0

    def play(
        self, starts: npt.NDArray[np.uint64], chosen: npt.NDArray[np.int64], floor: int, ceiling: int, limit: int = 0
    ) -> None:
        """Plays the chosen excursions; see the kernel ``ochibot.puyo.sim.excursions.excursions`` for the arguments."""
        task = self._task
        how = np.array([floor, ceiling, task.colors, limit, self.before, 0, 0], np.int64)
        EXCURSION_KERNELS.kernel("excursions", task.rules)(
            starts,
            chosen,
            self.entrances,
            self.last[0],
            self._random,
            how,
            self.counts,
            self.overs,
            np.array(task.player.factors, np.float64),
            zeros(WORK_WORDS),
        )
        self.before, self.found, locks = how[4:].tolist()
        self.locks += locks


def play_replica(task: TailTask) -> dict[str, Any]:
    """Plays one replica.

    ``frequencies[n]``: the probability of n puyos after a lock. ``overs[n]``: the probability that a lock leads to n
    puyos and ends the game. ``locks``: how many locks were played. ``entrances``: how many entrances each level had.
    """
    splitting = task.splitting
    text = f"tail {task.seed} {task.number}"
    random = np.frombuffer(hashlib.blake2b(text.encode(), digest_size=24).digest(), np.uint64).copy()
    draw = np.random.default_rng(int(random[2]))
    one = np.zeros(1, np.int64)
    warm = _TailStage(task, random)
    first_pair = sum(int(draw.integers(task.colors)) << (3 * half) for half in range(2))
    start = np.zeros((1, EXCURSION_WORDS), np.uint64)
    start[0, BOARD_WORDS] = first_pair
    warm.play(start, one, 0, splitting.first, WARM_UP)
    stage = _TailStage(task, random)
    stage.before = warm.before
    stage.play(warm.last, one, 0, splitting.first, splitting.pieces)
    locks = warm.locks + stage.locks
    share = 1 / splitting.pieces
    frequencies, overs = np.zeros(_NUMBERS), np.zeros(_NUMBERS)
    frequencies[: splitting.first] = stage.counts[: splitting.first] * share
    overs[: splitting.first] = stage.overs[: splitting.first] * share
    entrances = []
    for level in splitting.levels:
        entrances.append(stage.found)
        share *= stage.found
        if not stage.found:
            break
        kept = min(stage.found, splitting.runs)
        # systematic sampling: how often two entrances are used differs by one at most; a random offset decides which
        chosen = ((np.arange(splitting.runs) + draw.random()) * kept / splitting.runs).astype(np.int64)
        starts = stage.entrances
        stage = _TailStage(task, random)
        above = level + splitting.step
        stage.play(starts, np.minimum(chosen, kept - 1), level, above)
        share /= splitting.runs
        frequencies[level:above] = stage.counts[level:above] * share
        overs[level:above] = stage.overs[level:above] * share
        locks += stage.locks
    return {
        "number": task.number,
        "locks": locks,
        "frequencies": frequencies.tolist(),
        "overs": overs.tolist(),
        "entrances": entrances,
    }


@dataclass(frozen=True)
class Estimate:
    """A probability, its 95 % interval, and the share of replicas in which the event happened."""

    value: float
    low: float
    high: float
    seen: float


def estimate(values: Sequence[float]) -> Estimate:
    """Combines independent, unbiased estimates (of replicas, or of shards of direct play), none below 0.

    The interval is Student's for the logarithm of the mean (delta method), so it lies above 0. It can be trusted only
    if many values are above 0. If fewer than two values are above 0, the interval is (0, 1); if none is, the estimate
    is 0.
    """
    from scipy import stats

    numbers = np.array(values, np.float64)
    seen = int(np.count_nonzero(numbers))
    mean = float(numbers.mean())
    if seen < 2:
        return Estimate(mean, 0.0, 1.0, seen / len(numbers))
    error = float(numbers.std(ddof=1)) / math.sqrt(len(numbers))
    spread = math.exp(float(stats.t.ppf(0.975, seen - 1)) * error / mean)
    return Estimate(mean, mean / spread, min(mean * spread, 1.0), seen / len(numbers))


def tail_summary(replicas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The result as plain values. The order of the replicas doesn't matter.

    frequencies: for each number of puyos, [estimate, low, high, seen]. game_over: the same four numbers for the
    probability that a lock ends the game; game_over_by_puyos: for the probability that it does so at each number of
    puyos. entrances: how many each level had in all replicas together.
    """
    ordered = sorted(replicas, key=lambda replica: int(replica["number"]))
    frequencies = np.array([replica["frequencies"] for replica in ordered])
    overs = np.array([replica["overs"] for replica in ordered])
    deepest = max(len(replica["entrances"]) for replica in ordered)
    found = [sum(each["entrances"][k] for each in ordered if k < len(each["entrances"])) for k in range(deepest)]
    return {
        "replicas": len(ordered),
        "pieces": sum(int(replica["locks"]) for replica in ordered),
        "frequencies": [_row(frequencies[:, puyos]) for puyos in range(_NUMBERS)],
        "game_over": _row(overs.sum(axis=1)),
        "game_over_by_puyos": [_row(overs[:, puyos]) for puyos in range(_NUMBERS)],
        "entrances": found,
    }


def _row(values: npt.NDArray[np.float64]) -> list[float]:
    one = estimate(values.tolist())
    return [one.value, one.low, one.high, one.seen]
