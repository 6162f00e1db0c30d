"""The beam along the pairs that are seen and along drawn futures, in numbers; ``player`` decides by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import BOARD_WORDS, ROWS, Field
from ochibot.puyo.rules.pair import Pair, PairState
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.chain.engine import CHAIN_KERNELS
from ochibot.puyo.search.chain.layout import COUNTS, NODES, ROOTS, SCRATCH_WORDS

_LOCKS: Final = 22


@dataclass(slots=True)
class Layer:
    """Boards of one depth, their values and the chains in their reach."""

    boards: npt.NDArray[np.uint64]
    costs: npt.NDArray[np.float64]
    roots: npt.NDArray[np.int64]
    keys: npt.NDArray[np.float64]
    reach: npt.NDArray[np.float64]
    count: int = 0

    @classmethod
    def of(cls, width: int) -> Layer:
        """Room for so many boards."""
        return cls(
            zeros(width * BOARD_WORDS),
            np.zeros(width),
            np.zeros(width, np.int64),
            np.zeros(width),
            np.zeros(width),
        )


class Search:
    """The memory of a search of one width. One thread at a time may use it."""

    def __init__(self, rules: Rules, weights: npt.NDArray[np.float64], width: int) -> None:
        self._rules = rules
        self._weights = weights
        self._table = score_table(rules)
        self._width = width
        self._start = Layer.of(1)
        self.seen = [Layer.of(width) for _ in range(3)]
        """The layers of the pairs that are seen."""
        self._drawn = [Layer.of(width), Layer.of(width)]
        slots = 64
        while slots < 2 * _LOCKS * width:
            slots *= 2
        self._slots = zeros(slots)
        self._heap = np.zeros(width, np.int64)
        self._scratch = zeros(SCRATCH_WORDS)
        self._question = np.zeros(9, np.int64)
        self._counts = np.zeros(COUNTS, np.int64)
        self.colors = 0

    @property
    def nodes(self) -> int:
        """Boards looked at so far."""
        return int(self._counts[NODES])

    def grow(self, layer: Layer, pair: Pair, into: Layer, fired: npt.NDArray[np.float64], first: bool = False) -> None:
        """Makes a layer of the one before and a pair. ``fired``: points of the best chain by root, raised."""
        question = self._question
        question[:6] = pair.axis - 1, pair.partner - 1, layer.count, self._width, self.colors, first
        into.count = CHAIN_KERNELS.kernel("grow", self._rules)(
            question,
            layer.boards,
            layer.costs,
            layer.roots,
            into.boards,
            into.costs,
            into.roots,
            into.keys,
            into.reach,
            fired,
            self._weights,
            self._table,
            self._slots,
            self._heap,
            self._scratch,
            self._counts,
        )

    def look(self, field: Field, state: PairState, pairs: list[Pair]) -> list[npt.NDArray[np.float64]]:
        """Grows the layers of up to three pairs that are seen; for each the points that a chain makes, by root."""
        self._start.boards[:] = field.planes
        self._start.count = 1
        self._question[6:9] = state.x - 1, ROWS - 1 - state.y, state.orientation
        layer, fired = self._start, []
        for number, pair in enumerate(pairs):
            points = np.full(ROOTS, 0.0)
            self.grow(layer, pair, self.seen[number], points, first=number == 0)
            layer = self.seen[number]
            fired.append(points)
        return fired

    def follow(
        self, layer: Layer, pairs: list[Pair], fired: npt.NDArray[np.float64]
    ) -> Layer:
        """Grows on along a future; returns the last layer that has any board."""
        for number, pair in enumerate(pairs):
            into = self._drawn[number & 1]
            self.grow(layer, pair, into, fired)
            if into.count == 0:
                break
            layer = into
        return layer
