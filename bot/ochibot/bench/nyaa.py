"""Ignitions of Pochi & Nyaa per second: the kernels on random boards, beside the plain engine on the same boards."""

from __future__ import annotations

import statistics
import time
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from ochibot.bench.search import processor
from ochibot.errors import OchibotError
from ochibot.nyaa.kernels.engine import kernel
from ochibot.nyaa.kernels.packed import BOARD_WORDS, boards_of
from ochibot.nyaa.rules.grid import CELLS, Grid
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.nyaa.rules.resolve import resolve

KINDS: Final = {
    "four colours, one needle": (4, 0.6, 1),
    "four colours, a pair": (4, 0.6, 2),
    "two colours, a pair": (2, 0.8, 2),
    "one colour, a pair": (1, 0.85, 2),
}
"""Random boards: how many colours, how full, how many needles; 5 % of the cells are nuisance."""

BUDGET: Final = 1_000_000
_BOARDS: Final = 2000
_PLAIN_BOARDS: Final = 200
_BATCH: Final = 0.1
"""Seconds that one timing of the kernel takes, about."""


@dataclass(frozen=True)
class Row:
    """One kind of boards under one ruleset. Medians of the rounds, per second of processor time.

    values: ignitions, all numbers of them. resolved: the same with pops, nuisance and the fall. plain: by the engine in
    plain Python, with the fall. popped: blocks per ignition, on average.
    """

    kind: str
    ruleset: str
    popped: float
    values: float
    resolved: float
    plain: float


@dataclass(frozen=True)
class Report:
    """All rows. slowest: the least values per second of any; holds: that reaches the budget."""

    processor: str
    rounds: int
    boards: int
    budget: int
    rows: tuple[Row, ...]
    slowest: float
    holds: bool

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return asdict(self)

    def table(self) -> str:
        """The report for people."""
        head = (
            f"{'per second of processor':28}{'':4}{'popped':>8}{'values':>13}{'resolved':>13}{'plain':>9}{'ratio':>8}"
        )
        lines = [f"{self.processor}; one thread, medians of {self.rounds} rounds, {self.boards} boards each", head]
        lines += [
            f"{row.kind:28}{row.ruleset.upper():4}{row.popped:8.1f}{row.values:13,.0f}{row.resolved:13,.0f}"
            f"{row.plain:9,.0f}{row.resolved / row.plain:8,.0f}"
            for row in self.rows
        ]
        lines.append("plain: the same in plain Python; ratio: resolved by plain; same results on the same boards")
        verdict = "reached" if self.holds else "NOT reached"
        lines.append(f"budget of {self.budget:,} ignitions per second on random boards: {verdict}")
        return "\n".join(lines)


def random_boards(kind: str, count: int = _BOARDS, seed: int = 1) -> list[Grid]:
    """That many boards of a kind."""
    colors, full, needles = KINDS[kind]
    dice = np.random.default_rng(seed)
    grids: list[Grid] = []
    for _ in range(count):
        codes = (dice.integers(1, colors + 1, CELLS) * (dice.random(CELLS) < full)).astype(np.uint8)
        codes[dice.random(CELLS) < 0.05] = 5
        codes[dice.choice(CELLS, needles, replace=False)] = 5 + dice.integers(1, colors + 1, needles)
        grids.append(Grid(codes.tobytes()))
    return grids


def measure(rounds: int = 5) -> Report:
    """Times everything, after checking that kernel and plain engine give the same results."""
    rows = tuple(_row(kind, ruleset, rounds) for kind in KINDS for ruleset in Ruleset)
    slowest = min(row.values for row in rows)
    return Report(processor(), rounds, _BOARDS, BUDGET, rows, slowest, slowest >= BUDGET)


def _row(kind: str, ruleset: Ruleset, rounds: int) -> Row:
    grids = random_boards(kind)
    boards = boards_of(grids)
    _check(grids, ruleset)
    is_mvs = ruleset is Ruleset.MVS
    run, board, work = kernel("repeat_resolve"), np.zeros(BOARD_WORDS, np.uint64), np.zeros(4 * CELLS, np.uint64)
    sums = np.zeros(2, np.int64)
    run(boards, is_mvs, 1, False, board, work, sums)
    popped = int(sums[1]) / len(grids)

    def speed(times: int, fall: bool) -> float:
        began = time.thread_time()
        run(boards, is_mvs, times, fall, board, work, sums)
        return times * len(grids) / (time.thread_time() - began)

    def plain() -> float:
        began = time.thread_time()
        for grid in grids[:_PLAIN_BOARDS]:
            resolve(grid, ruleset.rules)
        return _PLAIN_BOARDS / (time.thread_time() - began)

    times = max(1, int(_BATCH * speed(5, True) / len(grids)))
    seen = [(speed(times, False), speed(times, True), plain()) for _ in range(rounds)]
    values, resolved, slow = (statistics.median(column) for column in zip(*seen, strict=True))
    return Row(kind, str(ruleset), popped, values, resolved, slow)


def _check(grids: list[Grid], ruleset: Ruleset) -> None:
    some = grids[:_PLAIN_BOARDS]
    results = np.zeros((len(some), 6), np.int64)
    work = np.zeros(4 * CELLS, np.uint64)
    kernel("value_boards")(boards_of(some), ruleset is Ruleset.MVS, work, results)
    for grid, result in zip(some, results, strict=True):
        one = resolve(grid, ruleset.rules)
        if (one.attack, one.s0, one.s1, one.popped, int(one.tied)) != tuple(result[[0, 1, 2, 4, 5]]):
            raise OchibotError(f"kernel and plain engine differ on a board, so there is nothing to time: {grid!r}")
