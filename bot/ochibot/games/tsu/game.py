"""A seat of Puyo Puyo Tsu, or of our own cartridge that keeps its state at the same addresses.

Foretells pairs from the pools in RAM, where all 128 pairs of a round lie before its first one falls.

It relies only on what is seen: the pairs that have fallen in the round and those shown as next must match a pool, in
the pool's order. So it also works with ROMs whose counters nobody has published.

Puyo Puyo Tsu on the Mega Drive as a Game (``ochibot.games.protocols``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ochibot.console import Ram
from ochibot.errors import GameError, MapError, UsageError
from ochibot.games.filed.read import read_shipped
from ochibot.games.filed.title import MadeTitle
from ochibot.games.protocols import Game, Look
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.table import Table
from ochibot.keeping import Keeps
from ochibot.puyo.pairs.generators import PAIRS, place_of
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.dealer import CODES
from ochibot.ram import RamMap

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


_SHOWN: Final = ("next", "next2", "next3")
_ON_SCREEN: Final = 2
"""How many pairs the screen shows beside the falling one."""
_POOLS: Final = {colors: f"pool{colors}" for colors in (3, 4, 5)}


class TsuSeat(PuyoSeat):
    """One player's side of the running game, read through its map; see ``ochibot.games.protocols.Seat``."""

    _changing = ("_foresight",)

    def __init__(self, table: Table, look: Look[Any, Any], ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        super().__init__(table, look, ram_map, ram, rules)
        self._foresight = Foresight()
        self._colors_dealt = self._optional("colors")
        self._locks = self._optional("locks")
        self._shown_next = self._next_readers()

    def resync(self) -> None:
        """Forgets what earlier frames showed, after a savestate was loaded or RAM was written."""
        super().resync()
        self._foresight.forget()

    def _shown_later(self) -> tuple[Pair, ...]:
        """The screen shows two pairs beside the falling one, so this is one pair, if the map has it."""
        if len(self._shown_next) < _ON_SCREEN:
            return ()
        return tuple(self._colors_of(read, which) for which, read in self._shown_next[1:_ON_SCREEN])

    def foresee(self, snapshot: Snapshot, pieces: int) -> Snapshot:
        """The snapshot with up to ``pieces`` pairs after the next one, read from the pools. Call it once per spawn.

        Raises GameError when the pools don't deal the pairs that have been seen, MapError when the map has no pools.
        """
        if self._locks is not None and self._locks() == 0:
            self._foresight.begin()
        shown = [self._colors_of(read, which) for which, read in self._shown_next]
        self._foresight.saw(snapshot.pair)
        more = self._foresight.coming(self._pools(), shown, max(0, pieces + 1 - len(shown)))
        return replace(snapshot, foreseen=(*shown[1:], *more)[:pieces])

    def _next_readers(self) -> list[tuple[str, Callable[[], tuple[int, ...]]]]:
        several = self.map.several
        shown = (f"{which}_" for which in _SHOWN if f"{which}_axis" in self.map)
        return [(which, several(f"{which}axis", f"{which}partner")) for which in shown]

    def _pools(self) -> dict[int, Sequence[Pair]]:
        """The pools that the game may deal from; only one pool if RAM shows how many colours are dealt."""
        known = {colors: name for colors, name in _POOLS.items() if name in self.map}
        if not known:
            raise MapError(f"the map {self.map.map.name} has no pools (pool3, pool4, pool5): nothing foretells pairs")
        if self._colors_dealt is not None and self._colors_dealt() in known:
            known = {colors: name for colors, name in known.items() if colors == self._colors_dealt()}
        return {colors: _pairs(self.map.raw_grid(name).tobytes()) for colors, name in known.items()}


def _pairs(pool: bytes) -> list[Pair]:
    """The pairs of a pool, given its bytes in RAM. Raises GameError when they are no pairs."""
    if len(pool) != 2 * PAIRS or max(pool) >= len(CODES):
        raise GameError("a pool in RAM holds no pairs: the game hasn't made it yet, or the map is for another game")
    return [Pair(CODES[pool[2 * at]], CODES[pool[2 * at + 1]]) for at in range(PAIRS)]


DIFFICULTY_OF_COLORS: Final = {3: 2, 4: 3, 5: 4}
"""The difficulty for a number of colours: difficulties 1 and 2 have three, 3 has four, 4 and 5 have five."""


class Tsu(MadeTitle):
    """The title: what its game file says, a seat that reads pools, and a menu whose level fixes the colours."""

    foretells = True
    """The pools in RAM show all pairs to come (``TsuSeat.foresee``)."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> TsuSeat:
        """One player's side. Raises MapError when the map is for something else."""
        return TsuSeat(self.table, self.look, ram_map, ram, rules)

    def on_menu(self, options: Mapping[str, int]) -> Mapping[str, int]:
        """The menu offers the difficulty (``level``), which fixes the number of colours.

        Raises UsageError when ``level`` and ``colors`` are both chosen and contradict each other.
        """
        chosen = dict(options)
        colors = chosen.pop("colors", None)
        if colors is not None:
            level = chosen.setdefault("level", DIFFICULTY_OF_COLORS[colors])
            if _colors_of(level) != colors:
                raise UsageError(
                    f"--level {level} has {_colors_of(level)} colours, not {colors}: leave --level or --colors out"
                )
        return chosen


def _colors_of(level: int) -> int:
    return (3, 3, 4, 5, 5)[level - 1]


GAME: Game = Tsu(read_shipped("tsu"))
