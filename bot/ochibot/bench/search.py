"""Measures the search and the resolving of boards: leaves, decisions and boards per second, beside a yardstick in C."""

from __future__ import annotations

import platform
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from ochibot.bench.boards import FLAGS, KINDS, Boards, NoBoardsError, NoYardstickError, Yardstick, boards, compiler
from ochibot.errors import OchibotError
from ochibot.jit.library import named_features
from ochibot.leftovers import TemporaryFolder
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS, uses_pext, zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer
from ochibot.puyo.sim.engine import SELF_PLAY_KERNELS, STATE_NUMBERS
from ochibot.report import Reported
from ochibot.wording import counted

_BATCH: Final = 0.05
"""About how many seconds one timing of resolving takes."""


@dataclass(frozen=True)
class SearchReport(Reported):
    """Medians of the rounds, per second of processor time.

    features: the processor's features that the kernels may use. c_…: the speeds of the C yardstick; None if there is
    none, and then ``no_yardstick`` says why. left_out: the reasons why kinds of boards are missing. leaves_per_second:
    leaves actually evaluated; equal fields after a lock count once. ratio, boards_ratio: our speed divided by C's,
    computed in each round. threads_speedup: decisions by several threads divided by those of one, by the clock.
    """

    processor: str
    rules: str
    dealer: str
    colors: int
    rounds: int
    pext: bool
    features: tuple[str, ...]
    compiler: str | None
    no_yardstick: str | None
    leaves_per_second: float
    decisions_per_second: float
    boards_per_second: dict[str, float]
    chain_lengths: dict[str, float]
    c_leaves_per_second: float | None = None
    c_decisions_per_second: float | None = None
    c_boards_per_second: dict[str, float] | None = None
    ratio: float | None = None
    boards_ratio: dict[str, float] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    threads: int = 1
    threads_speedup: float | None = None

    def table(self) -> str:
        """The report as text for a terminal."""
        c_boards = self.c_boards_per_second or {}
        lines = [
            f"{self.processor}; rules {self.rules}, {counted(self.colors, 'colour')} dealt by {self.dealer}, one "
            f"thread, medians of {counted(self.rounds, 'round')}",
            f"kernels may use {' '.join(self.features) or 'no known feature'}; pext {'yes' if self.pext else 'no'}",
            f"{'per second of processor':30}{'ours':>12}{'C':>12}{'ratio':>9}",
            _line("leaves", self.leaves_per_second, self.c_leaves_per_second, self.ratio),
            _line("decisions", self.decisions_per_second, self.c_decisions_per_second, self.ratio),
        ]
        for kind, speed in self.boards_per_second.items():
            name = f"{kind.replace('_', ' ')} ({self.chain_lengths[kind]:.1f}-chains)"
            lines.append(_line(name, speed, c_boards.get(kind), self.boards_ratio.get(kind)))
        lines.append(
            f"C: {self.compiler}, {' '.join(FLAGS)}; same results on the same boards and games"
            if self.compiler
            else f"C: skipped: {self.no_yardstick}"
        )
        lines += [f"{kind.replace('_', ' ')}: left out, {why}" for kind, why in self.left_out.items()]
        if self.threads_speedup is not None:
            lines.append(f"{counted(self.threads, 'thread')}: {self.threads_speedup:.2f} times the decisions of one")
        return "\n".join(lines)


def _line(name: str, ours: float, c: float | None, ratio: float | None) -> str:
    other = f"{c:12,.0f}{ratio:9.1%}" if c is not None and ratio is not None else f"{'-':>12}{'-':>9}"
    return f"{name:30}{ours:12,.0f}{other}"


def processor() -> str:
    """The processor's name."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


_YARDSTICK_NUMBERS: Final = 13
"""The yardstick keeps only this many numbers of a self-play's state, the first ones."""


class SearchedGame:
    """A self-play that both the kernel and the yardstick can play."""

    def __init__(
        self, player: PlayerConfig, colors: int, rules: Rules, seed: int = 1, source: PlainSource = "uniform"
    ) -> None:
        dealer = self_play_dealer(source, seed, colors)
        first, second = next(dealer), next(dealer)
        self.board = zeros(BOARD_WORDS)
        self.random = dealer.words
        self.state = np.zeros(STATE_NUMBERS, np.int64)
        self.state[1:6] = (colors if source == "uniform" else 0, *(color - 1 for color in (*first, *second)))
        self.counts, self.chains = np.zeros(85, np.int64), np.zeros(20, np.int64)
        self._heights = np.zeros(COLUMNS * (ROWS + 1), np.int64)
        self.factors, self.table = np.array(player.factors, np.float64), score_table(rules)
        self._rules = rules
        self._work = zeros(WORK_WORDS)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The yardstick's arguments."""
        return self.board, self.random, self.state, self.counts, self.chains, self.factors, self.table

    @property
    def compared(self) -> tuple[Any, ...]:
        """The arrays that must be equal after both have played. The yardstick doesn't count field clears that are paid
        later, so those numbers are left out.
        """
        return tuple(array[:_YARDSTICK_NUMBERS] if array is self.state else array for array in self.arrays)

    def play(self, pieces: int, yardstick: Yardstick | None = None) -> tuple[float, int]:
        """Plays ``pieces`` pieces: (seconds of processor time, leaves evaluated)."""
        self.state[0] = pieces
        before = int(self.state[12])
        run = SELF_PLAY_KERNELS.kernel("self_play", self._rules)
        began = time.thread_time()
        if yardstick is None:
            run(*self.arrays[:5], self._heights, *self.arrays[5:], self._work)
        else:
            yardstick.self_play(*self.arrays)
        return time.thread_time() - began, int(self.state[12]) - before


def measure(
    player: PlayerConfig,
    rules: Rules,
    colors: int = 4,
    pieces: int = 5_000,
    rounds: int = 7,
    threads: int = 1,
    source: PlainSource = "uniform",
) -> SearchReport:
    """Times kernel and yardstick in turns. Raises OchibotError when their results differ."""

    def game(seed: int) -> SearchedGame:
        return SearchedGame(player, colors, rules, seed, source)

    kinds, left_out = _kinds(rules)
    with TemporaryFolder(prefix="ochibot-bench-") as folder:
        yardstick = cc = none = None
        try:
            yardstick = Yardstick(rules, Path(folder))
            cc = compiler()
        except NoYardstickError as error:
            none = str(error)
        single, speeds = _search(game, pieces, rounds, yardstick)
        resolving = {kind: _resolving(rows, rules, rounds, yardstick) for kind, rows in kinds.items()}
    ours, c = speeds
    return SearchReport(
        processor=processor(),
        rules=rules.name,
        dealer=source,
        colors=colors,
        rounds=rounds,
        pext=uses_pext(),
        features=named_features(),
        compiler=cc,
        no_yardstick=none,
        leaves_per_second=_median([leaves / seconds for seconds, leaves in ours]),
        decisions_per_second=_median([pieces / seconds for seconds, _ in ours]),
        boards_per_second={kind: _median(row[0]) for kind, row in resolving.items()},
        chain_lengths={kind: row[2] for kind, row in resolving.items()},
        c_leaves_per_second=_median([leaves / seconds for seconds, leaves in c]) if c else None,
        c_decisions_per_second=_median([pieces / seconds for seconds, _ in c]) if c else None,
        c_boards_per_second={kind: _median(row[1]) for kind, row in resolving.items()} if yardstick else None,
        ratio=round(statistics.median(b[0] / a[0] for a, b in zip(ours, c, strict=True)), 4) if c else None,
        boards_ratio={
            kind: round(statistics.median(a / b for a, b in zip(row[0], row[1], strict=True)), 4)
            for kind, row in resolving.items()
            if row[1]
        },
        left_out=left_out,
        threads=threads,
        threads_speedup=_threads(single, game, pieces, rounds, threads) if threads > 1 else None,
    )


def _kinds(rules: Rules) -> tuple[dict[str, Boards], dict[str, str]]:
    """Makes the boards: (the boards of each kind, the reasons why kinds are missing)."""
    found, left_out = {}, {}
    for kind in KINDS:
        try:
            found[kind] = boards(kind, rules)
        except NoBoardsError as error:
            left_out[kind] = str(error)
    return found, left_out


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 1)


Timed = list[tuple[float, int]]


def _search(
    game: Callable[[int], SearchedGame], pieces: int, rounds: int, yardstick: Yardstick | None
) -> tuple[SearchedGame, tuple[Timed, Timed]]:
    ours, theirs = game(1), game(1)
    ours.play(200)
    theirs.play(200, yardstick)
    timed: tuple[Timed, Timed] = ([], [])
    for _ in range(rounds):
        timed[0].append(ours.play(pieces))
        if yardstick is not None:
            timed[1].append(theirs.play(pieces, yardstick))
            _same(ours.compared, theirs.compared, "self-play")
    return ours, timed


def _same(ours: tuple[Any, ...], theirs: tuple[Any, ...], what: str) -> None:
    if not all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True)):
        raise OchibotError(f"the engine and the C yardstick disagree about {what}: this is a bug, please report it")


def _resolving(
    rows: Boards, rules: Rules, rounds: int, yardstick: Yardstick | None
) -> tuple[list[float], list[float], float]:
    """Times resolving: (our boards per second in each round, C's boards per second in each round, the
    average chain).
    """
    table = score_table(rules)
    results = np.zeros((len(rows), 3), np.int64)
    resolved = rows.copy()
    RESOLVE_KERNELS.kernel("resolve_boards", rules)(resolved, table, results)
    if yardstick is not None:
        other, other_results = rows.copy(), np.zeros_like(results)
        yardstick.resolve_boards(other, table, other_results)
        _same((resolved, results), (other, other_results), "resolving")
    runs: list[Callable[..., None]] = [RESOLVE_KERNELS.kernel("repeat_resolve", rules)]
    if yardstick is not None:
        runs.append(yardstick.repeat_resolve)
    times = 1
    while _timed(runs[0], rows, table, times)[0] < _BATCH:
        times *= 2
    speeds: list[list[float]] = [[], []]
    for _ in range(rounds):
        sums = []
        for i, run in enumerate(runs):
            seconds, total = _timed(run, rows, table, times)
            speeds[i].append(times * len(rows) / seconds)
            sums.append(total)
        _same(tuple(sums[0]), tuple(sums[-1]), "resolving")
    return speeds[0], speeds[1], float(results[:, 1].mean())


def _timed(run: Callable[..., None], rows: Boards, table: Any, times: int) -> tuple[float, list[int]]:
    sums = np.zeros(3, np.int64)
    began = time.thread_time()
    run(rows.reshape(-1), table, times, zeros(BOARD_WORDS), sums)
    return time.thread_time() - began, sums.tolist()


def _threads(
    single: SearchedGame, game: Callable[[int], SearchedGame], pieces: int, rounds: int, threads: int
) -> float:
    """How many times as many decisions several threads make as one thread in the same time. Each plays its own game.

    It compares the shortest times of all rounds, which other programs disturbed the least.
    """
    games = [game(seed) for seed in range(1, threads + 1)]
    alone, together = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        single.play(pieces)
        alone.append(time.perf_counter() - began)
        workers = [threading.Thread(target=game.play, args=(pieces,)) for game in games]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        together.append(time.perf_counter() - began)
    return round(threads * min(alone) / min(together), 3)
