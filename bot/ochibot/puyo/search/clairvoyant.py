"""The player that knows the coming pairs: a beam search along all the pairs that a snapshot foretells.

It values a field as the two-ply player of the same file does, and adds what chains score on the way. Its depth is
limited by a budget, not by what the screen shows. Where nothing is foretold, the two-ply player decides.

The player kind ``two_ply``: players that search one or two pairs deep and weigh seven metrics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ochibot.errors import ConfigError
from ochibot.falling.family import PLIES, PlayerKind, with_plies
from ochibot.falling.player import FromFile
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.engine import BEAM_BOARDS, BEAM_KERNELS, SPOT_WORDS, prepare
from ochibot.puyo.search.evaluate import Evaluation
from ochibot.puyo.search.locks import find_path, lock_order
from ochibot.puyo.search.placements import known_pairs
from ochibot.puyo.search.player import PlayerConfig, load_player
from ochibot.puyo.search.twoply import Decision, TwoPly
from ochibot.wording import counted

_LOCKS: Final = lock_order()


@dataclass(frozen=True, slots=True)
class BeamBudget:
    """Limits and weights of the search, chosen by playing against the two-ply player (docs/megadrive.md).

    plies: how many pairs deep it searches. width: boards that it keeps after each pair. point: the value of a shown
    point, on the scale of a field's value. later: the factor by which a point loses value for each pair that it comes
    later. promise: the value of a point that two puyos of one colour would set off on a field, relative to a point
    scored.
    """

    plies: int = 8
    width: int = 100
    point: float = 0.03
    later: float = 0.9
    promise: float = 0.95


BUDGET: Final = BeamBudget()


class Clairvoyant(FromFile):
    """Chooses the first lock on the way to the best field that the beam finds. See the module's text.

    An instance has its own scratch memory: use one per thread.
    """

    def __init__(
        self, config: PlayerConfig, rules: Rules, plies: int = 2, seed: int | None = None, budget: BeamBudget = BUDGET
    ) -> None:
        """``plies``, ``seed``: for the two-ply player, which decides where nothing is foretold.

        Raises ConfigError for a budget that allows nothing.
        """
        if budget.plies < 1 or budget.width < 1:
            raise ConfigError(
                f"can't search {counted(budget.plies, 'ply', 'plies')} with {counted(budget.width, 'board')}: give 1 "
                "or more of each"
            )
        self._fallback = TwoPly(config, rules, plies, seed)
        self.config = config
        self.rules = rules
        self.budget = budget
        self.foresees = max(0, budget.plies - 2)
        """How many pairs after the next one the player can use."""
        boards = BEAM_BOARDS * budget.width
        self._factors = np.array(config.factors, np.float64)
        self._weights = np.array((budget.point, budget.later, budget.promise), np.float64)
        self._table = score_table(rules)
        self._root = zeros(BOARD_WORDS)
        self._spots = zeros(SPOT_WORDS)
        self._boards = zeros(boards * BOARD_WORDS)
        self._keys, self._gains = np.zeros((2, boards), np.float64)
        self._firsts, self._heap = np.zeros((2, boards), np.int64)
        self._slots = np.zeros(4 * budget.width, np.int64)
        self._question = np.zeros(3, np.int64)
        self._answer = np.zeros(5, np.int64)

    def prepare(self) -> None:
        """Loads (or compiles) the kernels, so that the first decision is quick."""
        prepare(self.rules)
        BEAM_KERNELS.kernel("beam", self.rules)

    def judge(self, snapshot: Snapshot, decision: Decision) -> Evaluation:
        """The evaluation of the field that the current pair leads to. May be called from another thread."""
        return self._fallback.judge(snapshot, decision)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision; None when there is no lock. Raises FieldError as ``TwoPly.choose`` does."""
        pairs = known_pairs((snapshot.pair, snapshot.next_pair, *snapshot.foreseen), self.budget.plies)
        state = snapshot.state
        inside = 1 <= state.x <= COLUMNS and 0 <= state.y < ROWS
        if len(pairs) < 3 or not inside or not snapshot.field.is_settled():
            return self._fallback.choose(snapshot)
        self._root[:] = snapshot.field.planes
        self._question[:] = state.x - 1, ROWS - 1 - state.y, state.orientation
        value = BEAM_KERNELS.kernel("beam", self.rules)(
            self._root,
            self._question,
            np.array(pairs, np.int64) - 1,
            self._factors,
            self._weights,
            self._table,
            self._spots,
            self._boards,
            self._keys,
            self._gains,
            self._firsts,
            self._heap,
            self._slots,
            self._answer,
        )
        lock, row, leaves, _, _ = self._answer.tolist()
        if lock < 0:
            return None
        x, orientation = _LOCKS[lock]
        placement = Placement(x, ROWS - 1 - row, orientation)
        path = find_path(snapshot.field, state, placement, snapshot.pair, self.rules)
        assert path is not None, "the kernel found a lock that the search in Python can't reach"
        placement = Placement(x, ROWS - 1 - row, orientation, path)
        if snapshot.hands is not None and not snapshot.hands(placement):
            # the beam doesn't ask which placements can be reached in time; the two-ply player does
            return self._fallback.choose(snapshot)
        return Decision(placement, value, place(snapshot.field, snapshot.pair, placement, self.rules), leaves)


KIND: Final = PlayerKind(
    name="two_ply",
    family="puyo",
    options=PLIES,
    load=load_player,
    open=with_plies(TwoPly),
    fits=lambda data: "normalisers" in data,
    from_records=True,
    clairvoyant=with_plies(Clairvoyant),
)
