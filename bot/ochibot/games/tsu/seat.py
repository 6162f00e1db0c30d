"""A seat of Puyo Puyo Tsu, or of our own cartridge that keeps its state at the same addresses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from ochibot.console import Ram
from ochibot.errors import GameError, MapError
from ochibot.games.protocols import Look
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.table import Table
from ochibot.games.tsu.foresight import Foresight
from ochibot.puyo.pairs.generators import PAIRS
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.dealer import CODES
from ochibot.ram import RamMap

_SHOWN: Final = ("next", "next2", "next3")
_ON_SCREEN: Final = 2
"""How many pairs the screen shows beside the falling one."""
_POOLS: Final = {colors: f"pool{colors}" for colors in (3, 4, 5)}


class Seat(PuyoSeat):
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
