"""Keeps a player alive: finds the locks that can't end the game soon, and takes over when the field is in danger."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.data import data_path
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import ROWS, Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.draw import palette
from ochibot.puyo.search.chain.layout import FLOOD, GUARDED
from ochibot.puyo.search.chain.search import CHAIN_KERNELS
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import Decision, TwoPly

_NUMBERS: Final = {lock: number for number, lock in enumerate(lock_order())}
_ALL: Final = (1 << len(_NUMBERS)) - 1
_ROOM: Final = 6
"""With more free rows than this in the third column, spawn cell included, three pairs can't end the game."""
_NEAR: Final = 4
"""With this many free rows or fewer in the third column, the field is in danger, whatever the other columns hold."""
_FEW: Final = {3: 64, 4: 60, 5: 48, 6: 36}
"""From fields with at most this many puyos, by the number of colours, the article's player lost no game in 200,000
or more (docs/strength.md).
"""
_TRIALS: Final = 1
"""How many trials each pair gets that may come after the visible ones."""
_PAIRS: Final = 16
"""How many pairs a trial has."""
_DRAWN: Final = 4
"""The worst of this many random pairs comes in a trial."""


class Keeper:
    """Decides in place of the chain builder when the field is in danger.

    It asks the article's two-ply player, which by itself lost no game in 50 million pieces, and forbids it the locks
    that aren't lasting. An instance has its own scratch memory: use one per thread.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._tidy: TwoPly | None = None
        self._question = np.zeros(GUARDED, np.int64)
        self._board = zeros(len(Field.empty().planes))
        self._spots = zeros(FLOOD)
        self._work = zeros(WORK_WORDS)
        self._ranks = np.arange(len(_NUMBERS), dtype=np.int64)

    def prepare(self) -> None:
        """Loads (or compiles) the kernels."""
        self._player().prepare()

    def _player(self) -> TwoPly:
        if self._tidy is None:
            self._tidy = TwoPly(load_player(data_path("configs/players/article.yaml")), self.rules)
        return self._tidy

    def free(self, field: Field) -> int:
        """The free rows of the third column, from its highest puyo up to and including the spawn cell."""
        return ROWS - self.rules.spawn.y - int(field.heights()[SPAWN_COLUMN - 1])

    def is_near(self, field: Field) -> bool:
        """Whether the third column is so high that the field is in danger, whatever the other columns hold."""
        return self.free(field) <= _NEAR

    def lasting(self, snapshot: Snapshot) -> int:
        """The lasting locks (see ``guard.lasting_locks``), one bit for each lock in the order of ``lock_order``.

        All bits are set for items, when puyos float, when the third column is low, and when no lock is lasting.
        """
        pairs, field = (snapshot.pair, snapshot.next_pair), snapshot.field
        if snapshot.pair.is_item or not field.is_settled() or self.free(field) > _ROOM:
            return _ALL
        pair, following = pairs
        colors = palette(field, [one for one in pairs if not one.is_item], snapshot.colors)
        behind = (-1, -1) if following.is_item or following.is_unknown else (following.axis - 1, following.partner - 1)
        state = snapshot.state
        mask = sum(1 << color - 1 for color in colors)
        self._question[:] = (
            pair.axis - 1,
            pair.partner - 1,
            *behind,
            mask,
            state.x - 1,
            ROWS - 1 - state.y,
            state.orientation,
        )
        self._board[:] = field.planes
        kernel = CHAIN_KERNELS.kernel("lasting_locks", self.rules)
        return int(kernel(self._question, self._board, self._spots)) or _ALL

    def reached(self, snapshot: Snapshot) -> int:
        """The locks that the snapshot's ``hands`` reach in time, as bits in the order of locks.

        All locks, if the snapshot has no ``hands``, the piece is an item, or the hands reach none.
        """
        hands = snapshot.hands
        if hands is None or snapshot.pair.is_item:
            return _ALL
        found = 0
        for lock in placements(snapshot.field, snapshot.pair, self.rules, snapshot.state):
            number = _NUMBERS.get((lock.x, lock.orientation))
            if number is not None and hands(lock):
                found |= 1 << number
        return found or _ALL

    def allows(self, lasting: int, placement: Placement) -> bool:
        """Whether a placement is one of the locks whose bits are set in ``lasting``."""
        number = _NUMBERS.get((placement.x, placement.orientation))
        return number is None or bool(lasting >> number & 1)

    def saves(self, field: Field, board: npt.NDArray[np.uint64], known: Sequence[Pair], colors: Sequence[int]) -> bool:
        """Whether the article's player could play on from a board without losing the game, though bad pairs come.

        It must live through some trials (see ``guard.outlives``), unless the board has few puyos. board: resolved,
        BOARD_WORDS words. known: the next pairs that are visible. colors: those dealt. field: the field before the
        lock; with the known pairs, it is the seed.
        """
        sides = (int(board[side]) | int(board[side + 2]) | int(board[side + 4]) for side in (0, 1))
        few = _FEW[min(max(len(colors), min(_FEW)), max(_FEW))]
        if sum(side.bit_count() for side in sides) <= few:
            return True
        pairs = np.array([(pair.axis - 1, pair.partner - 1) for pair in known], np.int64).reshape(-1, 2)
        seed = zlib.crc32(bytes(code for pair in known for code in pair), zlib.crc32(field.planes.tobytes()))
        return bool(
            CHAIN_KERNELS.kernel("outlives", self.rules)(
                board,
                pairs,
                np.array(colors, np.int64) - 1,
                np.array([_TRIALS, _PAIRS, few, _DRAWN], np.int64),
                np.array([seed], np.uint64),
                np.array(self._player().config.factors, np.float64),
                self._work,
                self._ranks,
            )
        )

    def choose(self, snapshot: Snapshot, lasting: int | None = None) -> Decision | None:
        """The article's player's decision; None when there is no lock.

        Only locks whose bits are set in ``lasting`` (None: the lasting locks) are allowed, unless it can make none of
        them.
        """
        tidy = self._player()
        allowed = self.lasting(snapshot) if lasting is None else lasting
        if allowed == _ALL:
            return tidy.choose(replace(snapshot, hands=None))
        return tidy.choose(replace(snapshot, hands=lambda placement: self.allows(allowed, placement)))
