"""The player of Pochi & Nyaa that looks ahead along all visible pairs (kind ``nyaa_beam``).

It makes one layer of boards for each visible pair: every lock of the pair on each of the best boards of the layer
before. It then evaluates the best boards of the last layer again, by the mean over all pairs that can come next, each
locked as well as possible. Single boards are evaluated as by the two-ply player.

The player kind ``nyaa_beam``: players that search a beam along all visible pairs (``ochibot.nyaa.search.beam``).

They need to see the other side, which records don't keep. A player file with their weights but without ``kind`` belongs
to the two-ply player.

A player file of the kind has the weights of a leaf and the budget.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field

from ochibot.errors import ConfigError
from ochibot.falling.deciding import tie_order
from ochibot.falling.family import PlayerKind, with_budget
from ochibot.falling.player import FromFile
from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.nyaa.kernels.packed import BOARD_WORDS
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import SPAWN, Pair
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.engine import OVER_NEXT
from ochibot.nyaa.search.locks import lock_order, open_paths
from ochibot.nyaa.search.player import NyaaPlayerConfig, NyaaWeights
from ochibot.nyaa.search.question import (
    ALL_READY,
    ASKED_RULES,
    BARRED,
    COUNTS,
    LEAVES,
    MEMORY_WORDS,
    NUMBERS,
    PAIRS,
    PENDING,
    PENDING_THEN,
    PLACE,
    PLIES,
    READY_1,
    ROOT,
    SEARCH_WORK_WORDS,
    SPAWN_PLACE,
    WAY,
    rule_words,
)
from ochibot.nyaa.search.twoply import (
    Decision,
    Judgement,
    Measured,
    NyaaPlayer,
    asked,
    bits_of,
    both_boards,
    check,
    placement_of,
)
from ochibot.yamlfile import Name, Strict, load_model, whole

MOST_NODES = 1_000_000
"""The most boards that a decision may examine."""


class NyaaBeamConfig(Strict):
    """A player file of the kind ``nyaa_beam``.

    nodes: about how many boards a decision may examine. plies: how many of the three visible pairs the beam follows.
    expecting: the share of ``nodes`` spent on the pairs that can come after the visible ones. weights: as in files of
    the two-ply player; missing ones are 0.
    """

    kind: Literal["nyaa_beam"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES), BeforeValidator(whole)]
    plies: Annotated[Literal[2, 3], BeforeValidator(whole)] = 3
    expecting: Annotated[float, Field(ge=0, lt=1)] = 0.0
    weights: NyaaWeights
    provenance: str

    def plainly(self) -> NyaaPlayerConfig:
        """The player file of a two-ply player with the same weights."""
        return NyaaPlayerConfig(name=self.name, plies=2, weights=self.weights, provenance=self.provenance)


def load_nyaa_beam(path: Path | str) -> NyaaBeamConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), NyaaBeamConfig, "a Pochi & Nyaa player file", ConfigError)


_HERE: Final = "ochibot.nyaa.search.beam.kernels"
_MEMORY: Final = "i8[::1], f8[::1], i8[::1], u8[::1], u8[::1]"
"""The types of the kernels' common arguments: question, factors, numbers, memory and work."""

LIBRARY: Final = KernelLibrary(
    "nyaa-beam",
    "the beam of Pochi & Nyaa",
    {
        "grow": Kernel(
            _HERE,
            f"u8[::1], u8[:,::1], i8[:,::1], i8, i8, {_MEMORY}, i8[::1], u8[:,::1], i8[:,::1], f8[::1], i8, i8[::1]",
            11,
        ),
        "expect": Kernel(_HERE, f"u8[:,::1], i8[:,::1], i8, i8, {_MEMORY}, f8[::1], i8[::1]", 10),
    },
)
"""Separate from the two-ply player's library, because only the beam needs these kernels."""

_LOCKS: Final = lock_order()
_PER_BOARD: Final = 28
"""About how many boards of the next layer come from one board of a layer."""
_COMING: Final = 10
"""How many kinds of pairs there are: four of one colour and six of two colours."""
_WIDEST: Final = 2_000
"""The most boards of a layer that are expanded (on which every lock of the next pair is tried)."""
_CHUNK: Final = 8
"""How many boards are expanded between two readings of the clock."""


class BeamPlan(NamedTuple):
    """How a budget is spent. width: how many boards of a layer are expanded. finalists: how many boards of the last
    layer are evaluated again over all pairs that can come next.
    """

    width: int
    finalists: int


def plan_of(nodes: int, expecting: float) -> BeamPlan:
    """The plan for a budget of boards. expecting: the share of the budget for the pairs that can come next."""
    finalists = int(nodes * expecting / (_COMING * _PER_BOARD))
    growing = int(nodes - finalists * _COMING * _PER_BOARD) // _PER_BOARD
    # With three plies, the first layer has about 28 boards, of which at most ``width`` are expanded; then ``width`` of
    # the second layer are. The two numbers add up to ``growing``.
    width = growing // 2 if growing <= 2 * _PER_BOARD else growing - _PER_BOARD
    return BeamPlan(min(max(1, width), _WIDEST), finalists)


class _Layer(NamedTuple):
    """Boards, their ways (see ``layout``) and their values. The best board comes first."""

    boards: npt.NDArray[np.uint64]
    ways: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]

    def of(self, which: Any) -> _Layer:
        """The part of the layer that a numpy index selects. A slice shares the memory; other indices copy it."""
        return _Layer(self.boards[which], self.ways[which], self.values[which])


class NyaaBeamPlayer(FromFile):
    """The player; the module's text explains how it decides.

    Ties go to the first lock in the order of lock positions (``ochibot.nyaa.search.locks``). With a seed, that order is
    shuffled. With a budget of nodes, equal snapshots get equal decisions. An instance has its own scratch memory: use
    one per thread.
    """

    def __init__(
        self,
        config: NyaaBeamConfig,
        rules: Rules,
        seed: int | None = None,
        *,
        nodes: int | None = None,
        budget_ms: float | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """nodes: how many boards a decision may examine, instead of the player file's number. budget_ms: the time for
        a decision, in milliseconds by ``clock``; it replaces the limit on boards.

        Raises ConfigError for rules that the search can't play by.
        """
        words = rule_words(rules)
        self.config = config
        self.rules = rules
        self.seed = seed
        self.clock = clock
        """Returns the time in seconds. Time budgets are measured with it."""
        self._budget = budget_ms
        self.plan = plan_of(nodes or config.nodes, config.expecting)
        self._width = _WIDEST if budget_ms is not None else self.plan.width
        self._plain = NyaaPlayer(config.plainly(), rules, 2, seed)
        self._spawn = SPAWN._replace(x=rules.spawn_column)
        self._factors = np.array(config.weights.factors, np.float64)
        self._ranks = tie_order(len(_LOCKS), seed)
        self._question = np.array([*[0] * ASKED_RULES, *words, *self._ranks], np.int64)
        self._scratch = (
            np.zeros(NUMBERS, np.int64),
            np.zeros(MEMORY_WORDS, np.uint64),
            np.zeros(SEARCH_WORK_WORDS, np.uint64),
        )
        room = len(_LOCKS) * self._width + 1
        self._slots = np.zeros(1 << (2 * room).bit_length(), np.int64)
        self._into = np.zeros((room, BOARD_WORDS), np.uint64)
        self._ways = np.zeros((room, WAY), np.int64)
        self._values = np.zeros(room)
        self._counts = np.zeros(COUNTS, np.int64)
        open_paths()  # fills its cache now (some milliseconds), so that the first decision needn't

    def prepare(self) -> None:
        """Loads (or compiles) the kernels, so that the first decision is quick."""
        for name in LIBRARY.kernels:
            LIBRARY.load(name)
        self._plain.prepare()

    def judge(self, snapshot: Snapshot, decision: Decision) -> Judgement:
        """The largest terms of the evaluation of the grid after the decision. May be called from another thread."""
        return self._plain.judge(snapshot, decision)

    def measure(self, snapshot: Snapshot) -> Measured:
        """Evaluates the present grid as a leaf. The metric ``ready`` is for the colours of ``snapshot.pair``."""
        return self._plain.measure(snapshot)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision; None if the pair has no lock, because it doesn't fit where the snapshot says it is.

        Locks that the snapshot's ``hands`` can't reach in time are left out, unless no other lock exists. Raises
        FieldError for a pair that isn't of colours 1..4, or a grid with needles or floating cells.
        """
        check(snapshot)
        began = self.clock()
        self._counts[:] = 0
        found = self._search(snapshot, began)
        if found is None:
            return self._plain.choose(snapshot)  # by two plies, because there is no lock or every lock ends the game
        lock, value = found
        placement = placement_of(snapshot, *_LOCKS[lock])
        outcome = place(snapshot.grid, snapshot.pair, placement, self.rules)
        return Decision(placement, value, outcome, int(self._counts[LEAVES]))

    def _search(self, snapshot: Snapshot, began: float) -> tuple[int, float] | None:
        """(the number of the best first lock, its value); None if every lock ends the game, or there is none."""
        pairs = (snapshot.pair, *snapshot.nexts)
        self._question[:ASKED_RULES] = asked(snapshot, self._spawn, snapshot.nexts, 1, 0)
        root, there = both_boards(snapshot)
        way = np.zeros((1, WAY), np.int64)
        way[0, PENDING_THEN] = snapshot.pending
        layer = _Layer(root.reshape(1, -1), way, np.zeros(1))
        ends = self._ends(began, 1 - self.config.expecting)
        for depth in range(self.config.plies):
            after = bits_of(pairs[depth + 1]) if depth + 1 < len(pairs) else ALL_READY
            grown = self._grown(layer, there, pairs[depth], after, depth, ends)
            if depth == 0 and snapshot.hands is not None:
                grown = self._in_reach(snapshot, grown)
            if not len(grown.boards):
                return (int(layer.ways[0, ROOT]), OVER_NEXT) if depth else None
            layer = grown
        if self.plan.finalists or (self._budget is not None and self.config.expecting):
            layer = self._expecting(layer, self._ends(began, 1.0))
        return int(layer.ways[0, ROOT]), float(layer.values[0])

    def _ends(self, began: float, share: float) -> float | None:
        """The time at which a share of the time budget is used up; None without a time budget."""
        return None if self._budget is None else began + share * self._budget / 1000

    def _is_over(self, ends: float | None) -> bool:
        return ends is not None and self.clock() >= ends

    def _grown(
        self, layer: _Layer, there: npt.NDArray[np.uint64], pair: Pair, after: int, depth: int, ends: float | None
    ) -> _Layer:
        """The next layer, the best board first. after: the colours, as bits, of the pair after this one."""
        question = self._question
        question[PAIRS : PAIRS + 2] = pair.axis - 1, pair.partner - 1
        question[READY_1], question[PLIES] = after, depth + 1
        if depth:
            question[PLACE:SPAWN_PLACE] = question[SPAWN_PLACE:PENDING]
            question[BARRED] = 0
        self._slots[:] = 0
        made = 0
        parents = min(len(layer.boards), self._width)
        step = parents if ends is None else _CHUNK
        kernel: Any = LIBRARY.load("grow")
        for begin in range(0, parents, step):
            if begin and self._is_over(ends):
                break
            made = kernel(
                there,
                layer.boards,
                layer.ways,
                begin,
                min(begin + step, parents),
                question,
                self._factors,
                *self._scratch,
                self._slots,
                self._into,
                self._ways,
                self._values,
                made,
                self._counts,
            )
        return self._sorted(_Layer(self._into, self._ways, self._values).of(slice(made)))

    def _sorted(self, layer: _Layer) -> _Layer:
        """A copy with the best board first. Ties go to the board whose root has the lowest rank, then to the first."""
        order = np.lexsort((self._ranks[layer.ways[:, ROOT]], -layer.values))
        return layer.of(order)

    def _in_reach(self, snapshot: Snapshot, layer: _Layer) -> _Layer:
        """The first layer without boards whose lock the hands can't reach in time; unchanged if they reach none."""
        hands = snapshot.hands
        assert hands is not None
        reached = [hands(placement_of(snapshot, *_LOCKS[root])) for root in layer.ways[:, ROOT].tolist()]
        return layer.of(reached) if any(reached) else layer

    def _expecting(self, layer: _Layer, ends: float | None) -> _Layer:
        """The best boards, evaluated by all pairs that can come next; the layer unchanged if the time is used up."""
        finalists = min(self.plan.finalists if ends is None else len(layer.boards), len(layer.boards))
        boards, ways, values = layer.of(slice(finalists))
        step = finalists if ends is None else 1
        kernel: Any = LIBRARY.load("expect")
        done = 0
        for begin in range(0, finalists, step):
            if self._is_over(ends):
                break
            done = begin + step
            kernel(boards, ways, begin, done, self._question, self._factors, *self._scratch, values, self._counts)
        if done == 0:
            return layer
        return self._sorted(layer.of(slice(done)))


KIND: Final = PlayerKind(
    name="nyaa_beam",
    family="nyaa",
    options={"nodes": range(1, MOST_NODES + 1), "budget_ms": range(1, 600_001)},
    load=load_nyaa_beam,
    open=with_budget(NyaaBeamPlayer),
)
