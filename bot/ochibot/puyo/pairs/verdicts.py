"""Compares what the wiki's page on Puyo Puyo Tsu's pairs claims with what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from ochibot.puyo.pairs.claims import CODES, MATTERS, TREATED, WINDOW, Claims
from ochibot.puyo.pairs.generators import LETTERS, PAIRS, order_of
from ochibot.puyo.pairs.tsu import POOL

FIELD: Final = 72
"""Cells of the visible field: 12 rows of 6."""

NOT_MORE: Final = "no more so than after a fair shuffle"
_CHANCE: Final = 5.0
"""Among about a thousand places, the most uneven one may be off by this many standard errors by chance."""


@dataclass(frozen=True, slots=True)
class Verdict:
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


def verdicts(claims: Claims) -> list[Verdict]:
    """The verdicts on all claims of the page."""
    return [_even(claims), _ends(claims), _streaks(claims), _variance(claims), _loop(claims), _first(claims)]


def _even(claims: Claims) -> Verdict:
    shares = ", ".join(
        f"{LETTERS[code]} {share:.1%}" for code, share in zip(CODES, claims.by_color, strict=True) if share
    )
    return Verdict(
        "a pool holds equally many puyos of each colour, but for the pairs that are written over",
        f"at most {claims.most_off} more or less than the equal share, none in {claims.equal:.1%} of the pools; of all "
        f"puyos {shares}",
        claims.most_off <= TREATED,
    )


def _ends(claims: Claims) -> Verdict:
    halves = claims.measures["halves"]
    most = float(np.abs(claims.by_place_sigmas).max())
    return Verdict(
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


def _streaks(claims: Claims) -> Verdict:
    streak, doubles, longest = (claims.measures[name] for name in ("streak", "doubles", "longest"))
    return Verdict(
        "puyos of the same colour are packed close to each other",
        f"a streak has {streak.generator:.4f} puyos, after a fair shuffle {streak.fair:.4f}; the longest of a pool "
        f"{longest.generator:.3f} and {longest.fair:.3f}; pairs of one colour {doubles.generator:.2f} and "
        f"{doubles.fair:.2f} of {PAIRS}",
        any(measured.more for measured in (streak, doubles, longest)),
        NOT_MORE,
    )


def _variance(claims: Claims) -> Verdict:
    window, drought = claims.measures["window"], claims.measures["drought"]
    return Verdict(
        "colours vary little over a short time",
        f"among {WINDOW} pairs in a row the puyos of a colour have a variance of {window.generator:.3f}, after a fair "
        f"shuffle {window.fair:.3f}; the longest wait for a colour is {drought.generator:.2f} and {drought.fair:.2f} "
        "pairs",
        window.less,
        NOT_MORE,
    )


def _loop(claims: Claims) -> Verdict:
    again = list(islice(order_of(claims.generator), PAIRS, 2 * PAIRS)) == list(range(PAIRS))
    return Verdict(
        "the pairs begin again after 128, which is about 3.55 full fields",
        f"pairs 129 to 256 are {'' if again else 'not '}the pool from its first pair on; {POOL} puyos fill "
        f"{POOL / FIELD:.2f} fields of {FIELD} cells",
        again,
    )


def _first(claims: Claims) -> Verdict:
    return Verdict(
        "the first two pairs have at most 3 colours, the first four of a 5-colour pool at most 4",
        f"at most {claims.first_two} and {claims.first_four}",
        claims.first_two <= 3 and claims.first_four <= 4,
    )
