"""What comes, from the pools in RAM: all 128 pairs of a round are there before its first one falls.

It believes nothing that isn't seen: the pairs that have fallen in the round and those shown as next must be the pool's,
in its order. So it holds for other ROMs too, whose counters nobody has published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ochibot.errors import GameError
from ochibot.puyo.pairs.generators import PAIRS, place_of
from ochibot.puyo.rules.pair import Pair

LONGEST: Final = 3 * PAIRS
"""Pairs of a round that are kept to compare: older ones tell nothing new."""


class Foresight:
    """One seat's. Tell it each spawn with ``saw``; ``coming`` tells the pairs after those shown."""

    def __init__(self) -> None:
        self._seen: list[Pair] = []
        self._first = 0
        """The number in the round of the first pair in ``_seen``."""

    def forget(self) -> None:
        """RAM has jumped, or a round begins: nothing seen so far counts."""
        self._seen.clear()
        self._first = 0

    def saw(self, pair: Pair) -> None:
        """A pair has spawned."""
        self._seen.append(pair)
        if len(self._seen) > LONGEST:
            self._seen.pop(0)
            self._first += 1

    def coming(self, pools: Mapping[int, Sequence[Pair]], shown: Sequence[Pair], count: int) -> tuple[Pair, ...]:
        """``count`` pairs behind those ``shown`` as next.

        ``pools``: the 128 pairs of each pool that the game may deal from, by its number of colours. Raises GameError
        when none of them deals what has been seen.
        """
        seen = (*self._seen, *shown)
        found: set[tuple[Pair, ...]] = set()
        for pairs in pools.values():
            for start in self._starts(pairs, seen):
                last = start + len(seen)
                found.add(tuple(pairs[place_of("tsu", piece)] for piece in range(last, last + count)))
        if not found:
            told = " ".join(str(pair) for pair in seen[-6:])
            raise GameError(
                f"the pools in RAM don't foretell the pairs of this game (the last ones seen: {told}): it deals "
                "otherwise, or the map is for another game; play without --clairvoyant"
            )
        # as far as all that fits agrees
        sure = 0
        while sure < count and len({pairs[sure] for pairs in found}) == 1:
            sure += 1
        return next(iter(found))[:sure]

    def _starts(self, pairs: Sequence[Pair], seen: Sequence[Pair]) -> list[int]:
        """The numbers that the first pair seen may have in its round; the likeliest alone when it fits."""
        fits = [
            start
            for start in range(PAIRS + 3)
            if all(pairs[place_of("tsu", start + at)] == pair for at, pair in enumerate(seen))
        ]
        return [self._first] if self._first in fits else fits
