"""The other side of a match of the nyaa family, read from RAM through the own seat's map (entries ``opponent_…``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ochibot.errors import FieldError
from ochibot.games.piece import place_entries
from ochibot.games.table import Phases
from ochibot.keeping import Keeps
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Burning
from ochibot.ram import BoundMap

PREFIX: Final = "opponent_"


class OtherSide(Keeps):
    """Readers of the other seat's values, and its last lock.

    cells, phase, pair, following, pending: the readers. ``following`` reads the pair after the present one.
    """

    _changing = ("_before", "_lock")

    def __init__(
        self,
        bound: BoundMap,
        cells: Callable[[], bytes],
        phases: Phases,
        rules: Rules,
        states: Mapping[tuple[int, ...], NyaaState],
    ) -> None:
        """``cells``: reads its playfield. ``states``: the states by the values of the entries that locate a pair."""
        self.cells = cells
        self.phase = bound.reader(PREFIX + "phase")
        self.pair = bound.several(PREFIX + "axis", PREFIX + "partner")
        self.following = bound.several(PREFIX + "next_axis", PREFIX + "next_partner")
        self.pending = bound.reader(PREFIX + "pending")
        where = tuple(PREFIX + name for name in (*place_entries(bound.map.pair.denotes), "needle"))
        self._where = bound.several(*where) if all(name in bound for name in where) else None
        self._states, self._rules = states, rules
        self._hand: Final = phases.spawn, phases.control
        self._over: Final = phases.over
        self._before = b""
        self._lock: tuple[bytes, NyaaState, tuple[int, ...]] | None = None
        """The grid's cells before the last lock, where its pair locked, and the pair's colours."""

    def in_hand(self) -> bool:
        """Whether a pair has spawned there and not locked yet."""
        return self.phase() in self._hand

    def saw(self) -> None:
        """Reads RAM after a frame."""
        if self._where is None:
            return
        if (phase := self.phase()) in self._hand:
            if self._lock is not None or not self._before:
                self._before, self._lock = self.cells(), None
        elif self._before and self._lock is None and phase != self._over:
            state = self._states.get(self._where())
            if state is not None:
                self._lock = self._before, state, self.pair()

    def forget(self) -> None:
        """Forgets what earlier frames showed."""
        self._before, self._lock = b"", None

    def burning(self, coming: Pair) -> Burning | None:
        """How the ignition of the last lock ends; None if it lit nothing, or has ended. ``coming``: the pair after."""
        if self._lock is None or self.in_hand():
            return None
        cells, state, colors = self._lock
        if not state.needle:
            return None
        try:
            outcome = place(Grid(cells), Pair(*colors), Placement(*state), self._rules)
        except FieldError:
            return None  # the pair wasn't where it was seen last
        return Burning(outcome.grid, coming, outcome.attack) if outcome.ignited else None
