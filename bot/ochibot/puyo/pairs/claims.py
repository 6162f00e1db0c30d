"""Measures a generator's pools over many states, and compares them with pools that were shuffled fairly.

The claims that it tests are those of the Puyo Nexus wiki's page on Puyo Puyo Tsu's pairs ("Upcoming Pair Randomizer").

Compares what the wiki's page on Puyo Puyo Tsu's pairs claims with what was measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.puyo.pairs.engine import Pools, States, pools_of
from ochibot.puyo.pairs.generators import LETTERS, PAIRS, Generator, colors_dealt, order_of
from ochibot.puyo.pairs.search import states_of
from ochibot.puyo.pairs.tsu import POOL

CODES: Final = (0, 1, 3, 4, 5)
"""The colour codes that pools have."""

WINDOW: Final = 8
"""The number of successive pairs in a window."""

LONGEST: Final = 8
"""Streaks of this many puyos or more are counted together."""

TREATED: Final = 8
"""How many puyos at the beginning of a pool a game may treat specially (overwrite, or share between the players)."""

MOST_STATES: Final = 10_000_000
_AT_ONCE: Final = 4096

SIGMAS: Final = 4.0
"""A difference of this many standard errors is hardly chance."""

MATTERS: Final = 0.01
"""A relative difference of this size or more matters."""

MEASURES: Final = {
    "doubles": "pairs of one colour in a pool",
    "streak": "puyos in a streak of one colour, on average",
    "longest": "puyos in the longest streak of a pool",
    "drought": "most pairs in a row in a pool that lack a colour",
    "window": f"squared deviation of a colour's puyos among {WINDOW} pairs in a row",
    "halves": "puyos that a colour has more in one half of the pool than in the other",
}
"""The quantities measured for each pool."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One quantity. generator, fair: its average over the generator's pools and over fairly shuffled ones. sigmas: the
    difference in standard errors.
    """

    generator: float
    fair: float
    sigmas: float

    @property
    def more(self) -> bool:
        """Whether the generator has significantly more than a fair shuffle, and by enough to matter."""
        return self.sigmas > SIGMAS and self.generator > (1 + MATTERS) * self.fair

    @property
    def less(self) -> bool:
        """Whether the generator has significantly less than a fair shuffle, and by enough to matter."""
        return self.sigmas < -SIGMAS and self.generator < (1 - MATTERS) * self.fair


@dataclass(frozen=True, slots=True)
class Claims:
    """The measurement.

    most_off: by how many puyos a colour differs at most from its equal share of a pool. equal: the share of pools in
    which the colours are as even as possible. by_color: each colour of CODES as a share of all puyos. by_place: (5,
    256), the same for each place of the pool. streaks, fair_streaks: the shares of streaks that have 1, 2, ... LONGEST
    or more puyos. halves, fair_halves: how often a colour has 0, 1, ... puyos in the first half of a pool, as shares.
    first_two, first_four: the most colours that any pool has in its first two pairs, and in its first four.
    """

    generator: Generator
    colors: int
    player: int
    states: int
    most_off: int
    equal: float
    by_color: npt.NDArray[np.float64]
    by_place: npt.NDArray[np.float64]
    streaks: npt.NDArray[np.float64]
    fair_streaks: npt.NDArray[np.float64]
    halves: npt.NDArray[np.float64]
    fair_halves: npt.NDArray[np.float64]
    measures: dict[str, Measurement]
    first_two: int
    first_four: int

    @property
    def by_place_sigmas(self) -> npt.NDArray[np.float64]:
        """How unevenly colours are distributed over places, (5, 256), in standard errors.

        An entry compares a colour's share at a place with its average over all places but the first TREATED. It is 0 at
        the first TREATED places, and for colours that the pool lacks.
        """
        free = self.by_place[:, TREATED:]
        share = free.mean(axis=1, keepdims=True)
        error = np.sqrt(share * (1 - share) / self.states)
        sigmas = np.zeros(self.by_place.shape)
        np.divide(free - share, error, out=sigmas[:, TREATED:], where=error > 0)
        return sigmas


def sample(generator: Generator, count: int, seed: int = 1) -> States:
    """The states to measure: ``count`` random ones, or all if the generator has no more than that.

    Raises ConfigError for a count below 1 or above MOST_STATES.
    """
    if not 1 <= count <= MOST_STATES:
        raise ConfigError(f"can't measure {count:,} states: give 1 to {MOST_STATES:,}")
    if count >= states_of(generator):
        return np.arange(states_of(generator), dtype=np.uint32)
    return np.random.default_rng(seed).integers(0, states_of(generator), count, dtype=np.uint32)


def measure(generator: Generator, count: int, colors: int = 4, player: int = 1, seed: int = 1) -> Claims:
    """Measures the pools of ``count`` states, and as many pools that hold the same puyos, shuffled fairly."""
    states = sample(generator, count, seed)
    rng = np.random.default_rng((seed, 1))
    kinds = colors_dealt(generator, colors, player)
    ours, fair = _Sum(), _Sum()
    most_off, equal, first_two, first_four = 0, 0, 0, 0
    for begin in range(0, len(states), _AT_ONCE):
        pools = pools_of(generator, states[begin : begin + _AT_ONCE], colors, player)
        ours.add(pools)
        fair.add(_shuffled(pools, rng))
        held = np.sort(_ones(pools).sum(axis=2), axis=1)[:, -kinds:]
        off = np.maximum(held - -(-POOL // kinds), POOL // kinds - held).max(axis=1)
        most_off, equal = max(most_off, int(np.max(off))), equal + int(np.count_nonzero(off <= 0))
        first_two = max(first_two, _kinds(pools[:, :4]))
        first_four = max(first_four, _kinds(pools[:, :8]))
    return Claims(
        generator=generator,
        colors=colors,
        player=player,
        states=len(states),
        most_off=most_off,
        equal=equal / len(states),
        by_color=ours.places.sum(axis=1) / ours.places.sum(),
        by_place=ours.places / len(states),
        streaks=ours.streaks / ours.streaks.sum(),
        fair_streaks=fair.streaks / fair.streaks.sum(),
        halves=ours.halves / ours.halves.sum(),
        fair_halves=fair.halves / fair.halves.sum(),
        measures={name: _compared(ours, fair, name) for name in MEASURES},
        first_two=first_two,
        first_four=first_four,
    )


def _shuffled(pools: Pools, rng: np.random.Generator) -> Pools:
    """The pools after a fair shuffle of their puyos; the first TREATED, which a game may treat specially, stay."""
    return np.concatenate([pools[:, :TREATED], rng.permuted(pools[:, TREATED:], axis=1)], axis=1)


def _ones(pools: Pools) -> npt.NDArray[np.bool_]:
    """(n, 5, m): for each of n pools, 5 colours and m places, whether the colour is at the place."""
    return pools[:, None, :] == np.array(CODES, np.uint8)[None, :, None]


def _kinds(pools: Pools) -> int:
    """The most colours that any pool (row) has."""
    return int(np.max(_ones(pools).any(axis=2).sum(axis=1)))


class _Sum:
    """Sums of all measured quantities over the pools that were added."""

    def __init__(self) -> None:
        self.places = np.zeros((len(CODES), POOL), np.int64)
        self.streaks = np.zeros(LONGEST, np.int64)
        self.halves = np.zeros(POOL // 2 + 1, np.int64)
        self.count = 0
        self.sums = dict.fromkeys(MEASURES, 0.0)
        self.squares = dict.fromkeys(MEASURES, 0.0)

    def add(self, pools: Pools) -> None:
        """Adds n pools."""
        ones = _ones(pools)
        there = ones.any(axis=2)
        self.places += ones.sum(axis=0)
        ends = np.ones(pools.shape, np.bool_)
        ends[:, :-1] = pools[:, 1:] != pools[:, :-1]
        _, at = np.nonzero(ends)
        # each pool's last puyo ends a streak, so that no streak crosses into the next pool
        flat = np.flatnonzero(ends.reshape(-1))
        lengths = np.diff(flat, prepend=-1)
        self.streaks += np.bincount(np.minimum(lengths, LONGEST), minlength=LONGEST + 1)[1:]
        longest = np.maximum.reduceat(lengths, np.concatenate([[0], np.flatnonzero(at == POOL - 1)[:-1] + 1]))
        first = ones[:, :, : POOL // 2].sum(axis=2)
        second = ones[:, :, POOL // 2 :].sum(axis=2)
        self.halves += np.bincount(first[there], minlength=POOL // 2 + 1)
        pairs = ones.reshape(len(pools), len(CODES), PAIRS, 2)
        sums = np.cumsum(pairs.sum(axis=3, dtype=np.int16), axis=2)
        windows = sums[:, :, WINDOW:] - sums[:, :, :-WINDOW]
        kinds = there.sum(axis=1)
        spread = ((windows - 2 * WINDOW / kinds[:, None, None]) ** 2).mean(axis=2)
        self._note("doubles", pairs.all(axis=3).sum(axis=(1, 2)))
        self._note("streak", POOL / ends.sum(axis=1))
        self._note("longest", longest)
        self._note("drought", _droughts(np.asarray(pairs.any(axis=3)), np.asarray(there)))
        self._note("window", (spread * there).sum(axis=1) / kinds)
        self._note("halves", (np.abs(first - second) * there).sum(axis=1) / kinds)
        self.count += len(pools)

    def _note(self, name: str, values: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> None:
        self.sums[name] += float(values.sum())
        self.squares[name] += float((values.astype(np.float64) ** 2).sum())

    def mean(self, name: str) -> float:
        """The average over the pools."""
        return self.sums[name] / self.count

    def variance(self, name: str) -> float:
        """The variance of the average that ``mean`` returns."""
        return max(self.squares[name] / self.count - self.mean(name) ** 2, 0.0) / self.count


def _droughts(has: npt.NDArray[np.bool_], there: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """For each of n pools, the most pairs in a row that lack one of its colours.

    has: (n, 5, 128), whether a pair has the colour. there: (n, 5), whether the pool has it.
    """
    places = np.arange(1, PAIRS + 1)
    last = np.maximum.accumulate(np.where(has, places, 0), axis=2)
    longest: npt.NDArray[np.int64] = ((places - last) * there[:, :, None]).max(axis=(1, 2))
    return longest


def _compared(ours: _Sum, fair: _Sum, name: str) -> Measurement:
    error = (ours.variance(name) + fair.variance(name)) ** 0.5
    return Measurement(ours.mean(name), fair.mean(name), (ours.mean(name) - fair.mean(name)) / error if error else 0.0)


FIELD: Final = 72
"""Cells of the visible field: 12 rows of 6."""

NOT_MORE: Final = "no more so than after a fair shuffle"
_CHANCE: Final = 5.0
"""Among about a thousand places, the most uneven one may be off by this many standard errors by chance."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """One claim. says: the claim in short. measured: the figures. otherwise: the verdict in words if the claim
    doesn't hold.

    holds: whether the measurement confirms the claim. If a fair shuffle shows the effect, too, the generator must show
    more of it.
    """

    says: str
    measured: str
    holds: bool
    otherwise: str = "does not hold"

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return "holds" if self.holds else self.otherwise


def verdicts(claims: Claims) -> list[ClaimVerdict]:
    """The verdicts on all claims of the page."""
    return [_even(claims), _ends(claims), _streaks(claims), _variance(claims), _loop(claims), _first(claims)]


def _even(claims: Claims) -> ClaimVerdict:
    shares = ", ".join(
        f"{LETTERS[code]} {share:.1%}" for code, share in zip(CODES, claims.by_color, strict=True) if share
    )
    return ClaimVerdict(
        "a pool holds equally many puyos of each colour, but for the pairs that are written over",
        f"at most {claims.most_off} more or less than the equal share, none in {claims.equal:.1%} of the pools; of all "
        f"puyos {shares}",
        claims.most_off <= TREATED,
    )


def _ends(claims: Claims) -> ClaimVerdict:
    halves = claims.measures["halves"]
    most = float(np.abs(claims.by_place_sigmas).max())
    return ClaimVerdict(
        "a colour may be shifted towards the beginning or the end, and be rare in the other half",
        f"one half of the pool has {halves.generator:.2f} puyos of a colour more than the other on average, after a "
        f"fair shuffle {halves.fair:.2f}; no place prefers a colour by more than {most:.1f} standard errors",
        halves.more or (most > _CHANCE and _uneven(claims) > MATTERS),
        NOT_MORE,
    )


def _uneven(claims: Claims) -> float:
    """The greatest relative deviation, at any place, of a colour's share from its average over all places.

    Places that a game may overwrite are left out.
    """
    free = claims.by_place[np.any(claims.by_place, axis=1), TREATED:]
    return float(np.max(np.abs(free / free.mean(axis=1, keepdims=True) - 1)))


def _streaks(claims: Claims) -> ClaimVerdict:
    streak, doubles, longest = (claims.measures[name] for name in ("streak", "doubles", "longest"))
    return ClaimVerdict(
        "puyos of the same colour are packed close to each other",
        f"a streak has {streak.generator:.4f} puyos, after a fair shuffle {streak.fair:.4f}; the longest of a pool "
        f"{longest.generator:.3f} and {longest.fair:.3f}; pairs of one colour {doubles.generator:.2f} and "
        f"{doubles.fair:.2f} of {PAIRS}",
        any(measured.more for measured in (streak, doubles, longest)),
        NOT_MORE,
    )


def _variance(claims: Claims) -> ClaimVerdict:
    window, drought = claims.measures["window"], claims.measures["drought"]
    return ClaimVerdict(
        "colours vary little over a short time",
        f"among {WINDOW} pairs in a row the puyos of a colour have a variance of {window.generator:.3f}, after a fair "
        f"shuffle {window.fair:.3f}; the longest wait for a colour is {drought.generator:.2f} and {drought.fair:.2f} "
        "pairs",
        window.less,
        NOT_MORE,
    )


def _loop(claims: Claims) -> ClaimVerdict:
    again = list(islice(order_of(claims.generator), PAIRS, 2 * PAIRS)) == list(range(PAIRS))
    return ClaimVerdict(
        "the pairs begin again after 128, which is about 3.55 full fields",
        f"pairs 129 to 256 are {'' if again else 'not '}the pool from its first pair on; {POOL} puyos fill "
        f"{POOL / FIELD:.2f} fields of {FIELD} cells",
        again,
    )


def _first(claims: Claims) -> ClaimVerdict:
    return ClaimVerdict(
        "the first two pairs have at most 3 colours, the first four of a 5-colour pool at most 4",
        f"at most {claims.first_two} and {claims.first_four}",
        claims.first_two <= 3 and claims.first_four <= 4,
    )
