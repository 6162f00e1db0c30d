"""The two-ply player: every lock of the current pair, then every lock of the next one, then the evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ochibot.errors import ConfigError, FieldError
from ochibot.falling.deciding import tie_order
from ochibot.falling.player import FromFile
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLORS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, Pair, Placement
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.rules.resolve import Outcome
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.engine import OVER_NOW, SEARCH_KERNELS, WORK_WORDS, prepare
from ochibot.puyo.search.evaluate import Evaluation, evaluate
from ochibot.puyo.search.locks import Path, find_path, is_open, lock_order, open_paths
from ochibot.puyo.search.player import PlayerConfig

_LOCKS: Final = lock_order()
_ALL: Final = (1 << len(_LOCKS)) - 1


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's decision.

    placement: where the current pair goes. value: the value of the best field that it can lead to (OVER_NEXT = -1e9 if
    every lock of the next pair ends the game, OVER_NOW = -2e9 if this lock does). outcome: the result of this lock
    alone. leaves: how many fields the search reached, ended games included. Equal fields are evaluated once, but each
    counts.
    """

    placement: Placement
    value: float
    outcome: Outcome
    leaves: int


class TwoPly(FromFile):
    """Chooses the lock of the current pair with the best evaluation after both pairs' chains are resolved.

    A field on which the game is over is worse than any other. Ties go to the first lock in the order of lock positions
    (``ochibot.puyo.search.locks``). With a seed, that order is shuffled. So two equal players in one game need not play
    alike, yet equal snapshots always get equal decisions. (Locks that lead to the same field count as the first of
    them.) An instance has its own scratch memory: use one per thread.
    """

    def __init__(self, config: PlayerConfig, rules: Rules, plies: int = 2, seed: int | None = None) -> None:
        """``plies``: 2, or 1 to search the current pair only. ``seed`` decides between locks of equal value.

        Raises ConfigError for another number of plies.
        """
        if plies not in (1, 2):
            raise ConfigError(f"can't search {plies} plies: choose 1 or 2")
        self.config = config
        self.plies = plies
        self.seed = seed
        self.rules = rules
        self._spawn = rules.spawn
        self._factors = np.array(config.factors, np.float64)
        self._work = zeros(WORK_WORDS)
        self._root = zeros(BOARD_WORDS)
        self._board = zeros(BOARD_WORDS)
        self._question = np.concatenate((np.zeros(9, np.int64), tie_order(len(_LOCKS), seed)))
        self._answer = np.zeros(8, np.int64)
        self._table = score_table(rules)
        self._emptied = rules.all_clear_now

    def prepare(self) -> None:
        """Loads (or compiles) the kernels, so that the first decision is quick."""
        prepare(self.rules)
        evaluate(Field.empty(), self.config, self.rules)

    def judge(self, snapshot: Snapshot, decision: Decision) -> Evaluation:  # noqa: ARG002
        """The evaluation of the field that the current pair leads to. May be called from another thread."""
        return evaluate(decision.outcome.field, self.config, self.rules)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision; None when the pair can't be where the snapshot says it is, so that there is no lock.

        Locks that the snapshot's ``hands`` can't reach in time are left out, unless no other lock exists. Raises
        FieldError when a piece is neither a pair of colours 1..6 nor an item.
        """
        if snapshot.next_pair.is_unknown:
            return self._expected(snapshot)
        first = self._best(snapshot, 0)
        if snapshot.hands is None:
            return first
        found, barred = first, 0
        while found is not None and not snapshot.hands(found.placement):
            barred |= 1 << int(self._answer[0])
            found = self._best(snapshot, barred)
        return found or first

    def _expected(self, snapshot: Snapshot) -> Decision | None:
        """The decision without a known next pair: each lock's value is the mean over all pairs that may come, those of
        two colours counted twice.
        """
        codes = [color for color in COLORS if color <= snapshot.colors or color in snapshot.pair]
        pairs = [Pair(a, b) for a in codes for b in codes if a <= b]
        chances = [1 if a == b else 2 for a, b in pairs]
        best: Decision | None = None
        barred = 0
        # with one possible pair all locks are found in turn; then each lock alone is tried with the others
        while (found := self._best(replace(snapshot, next_pair=pairs[0]), barred)) is not None:
            lock = int(self._answer[0])
            others = [self._best(replace(snapshot, next_pair=pair), ~(1 << lock) & _ALL) for pair in pairs[1:]]
            values = [found.value, *(OVER_NOW if one is None else one.value for one in others)]
            mean = sum(chance * value for chance, value in zip(chances, values, strict=True)) / sum(chances)
            reached = snapshot.hands is None or snapshot.hands(found.placement)
            if best is None or (reached and mean > best.value):
                best = replace(found, value=mean if reached else 2 * OVER_NOW)
            barred |= 1 << lock
        return best

    def _best(self, snapshot: Snapshot, barred: int) -> Decision | None:
        """The best decision among locks that aren't barred (bit i bars the i-th lock)."""
        field, pair, following, state = snapshot.field, snapshot.pair, snapshot.next_pair, snapshot.state
        if not (1 <= state.x <= COLUMNS and 0 <= state.y < ROWS):
            return None
        for piece in (pair, following):
            if not piece.is_item and (wrong := [code for code in piece if code not in COLORS]):
                raise FieldError(
                    f"can't place a puyo of code {wrong[0]}: pairs are of the colours 1..{len(COLORS)}, "
                    f"an item is twice the code {BIG} or {CARBUNCLE}"
                )
        self._question[:9] = (
            pair.axis - 1,
            pair.partner - 1,
            following.axis - 1,
            following.partner - 1,
            state.x - 1,
            ROWS - 1 - state.y,
            state.orientation,
            self.plies,
            barred,
        )
        self._root[:] = field.planes
        value = SEARCH_KERNELS.kernel("two_ply", self.rules)(
            self._root, self._question, self._factors, self._table, self._work, self._answer, self._board
        )
        lock, row, leaves, score, chain, cleared, over, _ = self._answer.tolist()
        if lock < 0:
            return None
        x, orientation = _LOCKS[lock]
        placement = Placement(x, ROWS - 1 - row, state.orientation if pair.is_item else orientation)
        if state == self._spawn and not pair.is_item and is_open(field, self.rules) and field.is_settled():
            path: Path | None = open_paths(self.rules)[x, orientation]
        else:
            path = find_path(field, state, placement, pair, self.rules)
        assert path is not None, "the kernel found a lock that the search in Python can't reach"
        if self._emptied and cleared and not self._board.any():
            score += self._emptied
        outcome = Outcome(Field.from_planes(self._board), score, chain, cleared, bool(over))
        return Decision(replace(placement, path=path), value, outcome, leaves)
