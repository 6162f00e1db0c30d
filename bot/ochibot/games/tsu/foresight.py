"""Foretells pairs from the pools in RAM, where all 128 pairs of a round lie before its first one falls.

It relies only on what is seen: the pairs that have fallen in the round and those shown as next must match a pool, in
the pool's order. So it also works with ROMs whose counters nobody has published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ochibot.errors import GameError
from ochibot.keeping import Keeps
from ochibot.puyo.pairs.generators import PAIRS, place_of
from ochibot.puyo.rules.pair import Pair

LONGEST: Final = 3 * PAIRS
"""How many pairs of a round are kept for comparison; older ones add no information."""

Pools = Mapping[int, Sequence[Pair]]
"""For each number of colours, the 128 pairs of the pool that a game deals from."""


class Foresight(Keeps):
    """The foresight of one seat. Call ``saw`` for each pair that spawns; ``coming`` returns the pairs after those
    shown.
    """

    _changing = ("_seen", "_first")

    def __init__(self) -> None:
        self._seen: list[Pair] = []
        self._first: int | None = None
        """How many pairs of the round spawned before the first one in ``_seen``; None when that isn't known."""

    def forget(self) -> None:
        """Forgets all pairs seen, after a savestate was loaded or RAM was written."""
        self._seen.clear()
        self._first = None

    def begin(self) -> None:
        """Begins a new round: the next pair that spawns is its first."""
        self._seen.clear()
        self._first = 0

    def saw(self, pair: Pair) -> None:
        """Adds a pair that has spawned."""
        self._seen.append(pair)
        if len(self._seen) > LONGEST:
            self._seen.pop(0)
            self._first = None if self._first is None else self._first + 1

    def coming(self, pools: Pools, shown: Sequence[Pair], count: int) -> tuple[Pair, ...]:
        """Up to ``count`` pairs after those ``shown`` as next.

        Several places in the pools may fit the pairs seen and shown. Only the pairs before the first difference between
        these places are returned. Raises GameError when no place fits.
        """
        found = self._fitting(pools, shown, count)
        if not found and len(self._seen) > 1 and self._first is None:
            # a new round may have begun with the last pair seen
            del self._seen[:-1]
            self._first = 0
            found = self._fitting(pools, shown, count)
        if not found:
            last = " ".join(str(pair) for pair in (*self._seen, *shown)[-6:])
            raise GameError(
                f"the pools in RAM don't foretell the pairs of this game (the last ones seen: {last}): it deals "
                "otherwise, or the map is for another game; play without --clairvoyant"
            )
        sure = 0
        while sure < count and len({pairs[sure] for pairs in found}) == 1:
            sure += 1
        return next(iter(found))[:sure]

    def _fitting(self, pools: Pools, shown: Sequence[Pair], count: int) -> set[tuple[Pair, ...]]:
        """The pairs that may come: for each place in a pool that deals what was seen, the next ``count`` pairs."""
        seen = (*self._seen, *shown)
        starts = range(PAIRS + 3) if self._first is None else (self._first,)
        found: set[tuple[Pair, ...]] = set()
        for pairs in pools.values():
            for start in starts:
                if all(pairs[place_of("tsu", start + at)] == pair for at, pair in enumerate(seen)):
                    last = start + len(seen)
                    found.add(tuple(pairs[place_of("tsu", piece)] for piece in range(last, last + count)))
        return found
