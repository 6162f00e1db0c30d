"""Runs the beam along the visible pairs and along random futures. It returns numbers; ``player`` decides by them.

A plan says how a budget is spent: on depth, on futures, and on the width of the layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RoomKernels, zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import Pair, PairState
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules, score_table
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.layout import ALL_ROOTS, COUNTS, NODES, QUESTION, ROOTS, SCRATCH_WORDS
from ochibot.puyo.search.placements import known_pairs

_HERE: Final = "ochibot.puyo.search.chain"

CHAIN_KERNELS: Final = RoomKernels(
    "puyo-chain",
    "the search for chains",
    {
        "grow": Kernel(
            f"{_HERE}.beam",
            "i8[::1], u8[::1], f8[::1], i8[::1], u8[::1], f8[::1], i8[::1], f8[::1], f8[::1], f8, f8[::1], "
            "f8[::1], i8[::1], u8[::1], i8[::1], u8[::1], i8[::1]",
            10,
        ),
        "potential_boards": Kernel(f"{_HERE}.potential", "u8[:,::1], i8, i8[::1], f8[::1], u8[::1], i8[:,::1]", 4),
        "lasting_locks": Kernel(f"{_HERE}.guard", "i8[::1], u8[::1], u8[::1]", 3),
        "outlives": Kernel(
            f"{_HERE}.guard", "u8[::1], i8[:,::1], i8[::1], i8[::1], u8[::1], f8[::1], u8[::1], i8[::1]", 14
        ),
        "shape_boards": Kernel(f"{_HERE}.shape", "u8[:,::1], f8[::1], f8[::1]", 1),
    },
)
"""These kernels are separate from the two-ply player's, because only players that build chains need them."""


SEEN: Final = 3
"""The most visible pairs that the search uses, the falling one included."""
_PER_BOARD: Final = 13.5
"""About how many new boards one board leads to: 22 locks, without those that lead to a known board."""


class ChainBudget(TypedDict, total=False):
    """The limits of a decision. nodes: about how many boards to examine; replaces the player file's number. budget_ms:
    milliseconds by ``clock``, which count instead of any number of boards. threads: how many to search with.
    """

    nodes: int | None
    budget_ms: float | None
    threads: int
    clock: Callable[[], float]


class SearchPlan(NamedTuple):
    """How a budget is spent: the search's depth in pairs, the number of futures, the boards in a layer."""

    plies: int
    futures: int
    width: int


_PLANS: Final = ((45_000, 12, 6), (12_000, 10, 3), (4_000, 8, 2), (0, 6, 1))
"""(boards, depth in pairs, futures): the plan for budgets of this many boards or more. Chosen by measuring
(docs/strength.md).
"""


def plan_of(nodes: float, seen: int = SEEN, ahead: tuple[int, int] | None = None) -> SearchPlan:
    """The plan that examines about ``nodes`` boards, when ``seen`` pairs are known. ``ahead``: the depth in pairs and
    the number of futures; None: they follow from ``nodes``.
    """
    plies, futures = ahead or next(plan[1:] for plan in _PLANS if nodes >= plan[0])
    layers = seen + (plies - seen) * futures
    return SearchPlan(plies, futures, max(2, int(nodes / (_PER_BOARD * layers))))


Floats = npt.NDArray[np.float64]


def can_search(snapshot: Snapshot) -> bool:
    """Whether the search can begin here: nothing floats, and the pair is inside the field."""
    state = snapshot.state
    return 1 <= state.x <= COLUMNS and 0 <= state.y < ROWS and snapshot.field.is_settled()


def seen_pairs(snapshot: Snapshot) -> list[Pair]:
    """The pairs that the search uses, the falling one first."""
    return known_pairs((snapshot.pair, snapshot.next_pair, *snapshot.foreseen), SEEN)


class NuisanceFall(NamedTuple):
    """Nuisance that falls on all boards of a search. before: the index of the pair before which it falls. columns: how
    many puyos fall on each column.
    """

    before: int
    columns: Sequence[int]


@dataclass(slots=True)
class Layer:
    """The boards of one depth. For each board: the cost of the locks that led to it, its root (the first lock), its
    value, and the points of the chain in reach.
    """

    boards: npt.NDArray[np.uint64]
    costs: Floats
    roots: npt.NDArray[np.int64]
    keys: Floats
    reach: Floats
    count: int = 0

    @classmethod
    def of(cls, width: int) -> Layer:
        """An empty layer with room for ``width`` boards."""
        costs, keys, reach = np.zeros((3, width))
        return cls(zeros(width * BOARD_WORDS), costs, np.zeros(width, np.int64), keys, reach)


class BeamSearch:
    """A search with its memory. Only one thread at a time may use it."""

    def __init__(self, rules: Rules, weights: Floats, width: int) -> None:
        """``width``: the most boards in a layer."""
        self.width = width
        self.seen = [Layer.of(width) for _ in range(SEEN)]
        """One layer for each visible pair."""
        self.depth = 0
        """How many of these layers have boards."""
        self._kernel = CHAIN_KERNELS.kernel("grow", rules)
        self._weights = weights
        self._table = score_table(rules)
        self._start = Layer.of(1)
        self._buried = Layer.of(width)
        self._rules = rules
        self._drawn = [Layer.of(width), Layer.of(width)]
        self._slots = zeros(1 << (2 * ROOTS * width).bit_length())
        self._heap = np.zeros(width, np.int64)
        self._scratch = zeros(SCRATCH_WORDS)
        self._question = np.zeros(QUESTION, np.int64)
        self._counts = np.zeros(COUNTS, np.int64)

    @property
    def nodes(self) -> int:
        """How many boards the search has examined so far."""
        return int(self._counts[NODES])

    def colors(self, colors: Sequence[int]) -> None:
        """Sets the colours that the game deals."""
        self._question[4] = sum(1 << color - 1 for color in colors)

    def look(self, field: Field, state: PairState, pairs: Sequence[Pair], roots: int = ALL_ROOTS) -> list[Floats]:
        """Grows one layer for each visible pair, from a field where nothing floats.

        ``roots``: the first locks that are tried, as bits. Returns one array for each pair: the points of the best
        chain that the pair sets off, by root (first lock). The first pair that leaves no board is the last.
        """
        self._start.boards[:] = field.planes
        self._start.count = 1
        self._question[6:9] = state.x - 1, ROWS - 1 - state.y, state.orientation
        self._question[9] = roots
        layer, fired = self._start, []
        self.depth = 0
        for number, pair in enumerate(pairs[:SEEN]):
            fired.append(np.zeros(ROOTS))
            self._grow(layer, pair, self.seen[number], 1.0, fired[-1], first=number == 0)
            layer = self.seen[number]
            if layer.count == 0:
                break
            self.depth += 1
        return fired

    def follow(
        self, layer: Layer, pairs: Sequence[Pair], later: float, fired: Floats, fall: NuisanceFall | None = None
    ) -> Layer:
        """Grows further layers along a future; returns the last one that has any board. The next call may overwrite it.

        ``later``: the factor by which a point loses value for each pair that it comes later. ``fired``: one number for
        each root, which is raised to the value of the root's best chain. ``fall``: nuisance that falls on the way.
        """
        worth = 1.0
        for number, pair in enumerate(pairs):
            if fall is not None and fall.before == number:
                layer = self.bury(layer, fall.columns)
            worth *= later
            into = self._drawn[number & 1]
            self._grow(layer, pair, into, worth, fired)
            if into.count == 0:
                break
            layer = into
        return layer

    def bury(self, layer: Layer, columns: Sequence[int]) -> Layer:
        """The boards of a layer after ``columns[x]`` nuisance puyos fell on each column x; those above the field are
        lost. Boards where this ends the game are left out, unless it does so on all of them. The boards keep the values
        that they had. The next call overwrites the result.
        """
        into, count, kept = self._buried, layer.count, np.uint64((1 << self._rules.kept_rows) - 1)
        boards = layer.boards.reshape(-1, BOARD_WORDS)[:count].copy()
        for x, number in enumerate(columns):
            side, shift = x >> 2, np.uint64(16 * (x & 3))
            column = (boards[:, side] | boards[:, side + 2] | boards[:, side + 4]) >> shift & np.uint64(0xFFFF)
            # the bits of a column without gaps, plus 1, are the bit of its lowest free cell
            more = ((column + np.uint64(1)) * np.uint64((1 << number) - 1) & kept) << shift
            for plane in (side, side + 2, side + 4):
                boards[:, plane] |= more
        spawn = np.uint64(1 << 16 * (SPAWN_COLUMN - 1) + self._rules.visible_rows - 1)
        lives = np.flatnonzero((boards[:, 0] | boards[:, 2] | boards[:, 4]) & spawn == 0)
        lives = lives if len(lives) else np.arange(count)
        into.count = len(lives)
        into.boards.reshape(-1, BOARD_WORDS)[: into.count] = boards[lives]
        into.costs[: into.count], into.roots[: into.count] = layer.costs[lives], layer.roots[lives]
        into.keys[: into.count], into.reach[: into.count] = layer.keys[lives], layer.reach[lives]
        return into

    def layers(self, layer: Layer, pairs: Sequence[Pair]) -> list[Layer]:
        """All layers along a future, up to the last one that has any board. Each has memory of its own."""
        grown: list[Layer] = []
        for pair in pairs:
            into = Layer.of(self.width)
            self._grow(layer, pair, into, 0.0, np.zeros(ROOTS))
            if into.count == 0:
                break
            grown.append(into)
            layer = into
        return grown

    def _grow(self, layer: Layer, pair: Pair, into: Layer, worth: float, fired: Floats, first: bool = False) -> None:
        question = self._question
        question[:4] = pair.axis - 1, pair.partner - 1, layer.count, self.width
        question[5] = first
        into.count = self._kernel(
            question,
            layer.boards,
            layer.costs,
            layer.roots,
            into.boards,
            into.costs,
            into.roots,
            into.keys,
            into.reach,
            worth,
            fired,
            self._weights,
            self._table,
            self._slots,
            self._heap,
            self._scratch,
            self._counts,
        )
