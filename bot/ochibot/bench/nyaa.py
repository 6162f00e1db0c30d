"""Measures ignitions of Pochi & Nyaa per second: the search's kernels on random boards, beside the plain engine.

It also measures how many boards per second are valued under both rulesets: in memory, as CSV lines and as JSON lines,
with all outcomes of open ties. Imports numba.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.bench.search import processor
from ochibot.errors import OchibotError
from ochibot.jit.lanes import entry
from ochibot.nyaa.bulk import bulk_values, csv_lines, json_lines, read_codes
from ochibot.nyaa.calculator.ignition import ignite as plainly_ignited
from ochibot.nyaa.calculator.ignition import summary
from ochibot.nyaa.kernels.bits import burn_out, count
from ochibot.nyaa.kernels.ignite import ignite
from ochibot.nyaa.kernels.packed import BOARD_WORDS, WORK_WORDS, boards_of
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import CELLS, Grid
from ochibot.nyaa.rules.profile import Rules, Ruleset
from ochibot.nyaa.rules.resolve import resolve
from ochibot.nyaa.search.question import IDLE_VANISHES, NUISANCE_POPS, rule_words
from ochibot.report import Reported
from ochibot.wording import counted

KINDS: Final = {
    "four colours, one needle": (4, 0.6, 1),
    "four colours, a pair": (4, 0.6, 2),
    "two colours, a pair": (2, 0.8, 2),
    "one colour, a pair": (1, 0.85, 2),
    "one colour, eight needles": (1, 1.0, 8),
}
"""Kinds of random boards: the number of colours, how full they are, the number of needles. 5 % of the cells are
nuisance. The last kind is the hardest for many boards under both rulesets; for the search's kernel, whose time grows
with the steps, it is the pair of one colour."""

BUDGET: Final = 400_000
_BOARDS: Final = 2000
_PLAIN_BOARDS: Final = 200
_MANY: Final = {kind: 1000 if kind.endswith("eight needles") else 10_000 for kind in KINDS}
"""How many boards of each kind are valued under both rulesets."""
_BATCH: Final = 0.1
"""About how many seconds one timing of the kernel takes."""


@dataclass(frozen=True)
class SpeedRow:
    """One kind of boards. All speeds are medians of the rounds, per second of processor time.

    ruleset: the rules used; the search's kernels know only those of MVS. popped: blocks popped per ignition, on
    average. values: ignitions valued. resolved: ignitions valued and then resolved (pops, nuisance and fall). plain:
    ignitions resolved by the engine in plain Python.
    """

    kind: str
    ruleset: str
    popped: float
    values: float
    resolved: float
    plain: float


@dataclass(frozen=True)
class SpeedReport(Reported):
    """All rows. slowest: the lowest ``values`` of any row. many: the measurements of many boards under both rulesets.

    holds: whether ``slowest`` and ``many`` reach their budgets.
    """

    processor: str
    rounds: int
    boards: int
    budget: int
    rows: tuple[SpeedRow, ...]
    slowest: float
    many: Many
    holds: bool

    def table(self) -> str:
        """The report as text for a terminal."""
        head = (
            f"{'per second of processor':28}{'':4}{'popped':>8}{'values':>13}{'resolved':>13}{'plain':>9}{'ratio':>8}"
        )
        lines = [
            f"{self.processor}; one thread, medians of {counted(self.rounds, 'round')}, "
            f"{counted(self.boards, 'board')} each",
            head,
        ]
        lines += [
            f"{row.kind:28}{row.ruleset.upper():4}{row.popped:8.1f}{row.values:13,.0f}{row.resolved:13,.0f}"
            f"{row.plain:9,.0f}{row.resolved / row.plain:8,.0f}"
            for row in self.rows
        ]
        lines.append("plain: the same in plain Python; ratio: resolved by plain; same results on the same boards")
        verdict = "reached" if self.slowest >= self.budget else "NOT reached"
        lines.append(f"budget of {counted(self.budget, 'ignition')} per second on random boards: {verdict}")
        lines += ["", *self.many.lines()]
        return "\n".join(lines)


def random_boards(kind: str, count: int = _BOARDS, seed: int = 1) -> list[Grid]:
    """``count`` random boards of a kind."""
    colors, full, needles = KINDS[kind]
    dice = np.random.default_rng(seed)
    grids: list[Grid] = []
    for _ in range(count):
        codes = (dice.integers(1, colors + 1, CELLS) * (dice.random(CELLS) < full)).astype(np.uint8)
        codes[dice.random(CELLS) < 0.05] = 5
        codes[dice.choice(CELLS, needles, replace=False)] = 5 + dice.integers(1, colors + 1, needles)
        grids.append(Grid(codes.tobytes()))
    return grids


def measure(rounds: int = 5) -> SpeedReport:
    """Times all kinds of boards, once the kernel agrees with the plain engine. Raises OchibotError when they differ."""
    rules = load_rules("nyaa_mvs")
    rows = tuple(_row(kind, rules, rounds) for kind in KINDS)
    slowest = min(row.values for row in rows)
    many = measure_many({kind: random_boards(kind, each) for kind, each in _MANY.items()}, rounds)
    return SpeedReport(processor(), rounds, _BOARDS, BUDGET, rows, slowest, many, slowest >= BUDGET and many.holds)


def _ignite_all(boards: Any, times: Any, fall: Any, rules: Any, board: Any, work: Any, sums: Any) -> None:
    """Ignites copies of many boards, ``times`` times over. ``fall``: whether the blocks fall afterwards.

    rules: the rules as the kernels take them. board: scratch for one board. sums: receives the sums of all attacks and
    of all blocks popped.
    """
    attacks = popped = 0
    for _ in range(times):
        for i in range(boards.shape[0]):
            for k in range(BOARD_WORDS):
                board[k] = boards[i, k]
            attack, _, pop_low, pop_high = ignite(board, work)
            if fall:
                burn_out(board, pop_low, pop_high, rules[IDLE_VANISHES], rules[NUISANCE_POPS])
            attacks += attack
            popped += count(pop_low, pop_high)
    sums[0] = attacks
    sums[1] = popped


_ignited: Final = entry(_ignite_all)


def _row(kind: str, rules: Rules, rounds: int) -> SpeedRow:
    grids = random_boards(kind)
    boards, words = boards_of(grids), np.array(rule_words(rules), np.int64)
    board, work, sums = np.zeros(BOARD_WORDS, np.uint64), np.zeros(WORK_WORDS, np.uint64), np.zeros(2, np.int64)

    def run(some: Any, times: int, fall: bool) -> None:
        _ignited(some, times, fall, words, board, work, sums)

    for grid, one in zip(grids[:_PLAIN_BOARDS], boards, strict=False):
        run(one.reshape(1, -1), 1, True)
        plain = resolve(grid, rules)
        if sums.tolist() != [plain.attack, plain.popped] or not (boards_of([plain.after])[0] == board).all():
            raise OchibotError(f"kernel and plain engine differ on a board, so there is nothing to time: {grid!r}")
    run(boards, 1, False)
    popped = int(sums[1]) / len(grids)

    def speed(times: int, fall: bool) -> float:
        began = time.thread_time()
        run(boards, times, fall)
        return times * len(grids) / (time.thread_time() - began)

    def by_hand() -> float:
        began = time.thread_time()
        for grid in grids[:_PLAIN_BOARDS]:
            resolve(grid, rules)
        return _PLAIN_BOARDS / (time.thread_time() - began)

    times = max(1, int(_BATCH * speed(5, True) / len(grids)))
    seen = [(speed(times, False), speed(times, True), by_hand()) for _ in range(rounds)]
    values, resolved, slow = (statistics.median(column) for column in zip(*seen, strict=True))
    return SpeedRow(kind, str(rules.ruleset), popped, values, resolved, slow)


BUDGETS: Final = {"arrays": 200_000, "csv": 200_000, "json lines": 50_000}
"""How many boards of the mixture each way must value per second of processor time, under both rulesets."""
MIXTURE: Final = "mixture"
_CHECKED: Final = 60
"""How many boards of each kind are compared with the plain engine."""

Codes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class ManyRow:
    """One kind of boards, valued in one way. Speeds are medians of the rounds.

    doubtful: the share of boards whose value depends on open ties under some ruleset. seconds: boards per second by
    the clock, on all threads. processor: boards per second of one processor's time.
    """

    kind: str
    way: str
    doubtful: float
    seconds: float
    processor: float


@dataclass(frozen=True)
class Many:
    """All rows. mixture: the kinds of boards that the mixture has in equal parts. holds: whether the mixture's rows
    reach their budgets in processor time, which other programs on the machine don't change.
    """

    rows: tuple[ManyRow, ...]
    mixture: tuple[str, ...]
    budgets: dict[str, int]
    holds: bool

    def lines(self) -> list[str]:
        """The report as lines of text."""
        found = [f"{'many boards, both rulesets':28}{'way':12}{'doubtful':>9}{'per second':>13}{'of processor':>14}"]
        found += [
            f"{row.kind:28}{row.way:12}{row.doubtful:9.1%}{row.seconds:13,.0f}{row.processor:14,.0f}"
            for row in self.rows
        ]
        wanted = ", ".join(f"{way} {least:,}" for way, least in self.budgets.items())
        verdict = "reached" if self.holds else "NOT reached"
        found.append(f"mixture: {'; '.join(self.mixture)}")
        found.append(f"budgets on the mixture, each second of a processor: {wanted}: {verdict}")
        return found


def drawn(codes: Codes) -> str:
    """The boards as text, as ``ochibot nyaa value`` reads it."""
    return "\n\n".join(str(Grid(one.tobytes())) for one in codes) + "\n"


def measure_many(kinds: Mapping[str, Sequence[Grid]], rounds: int) -> Many:
    """Times each kind of boards as arrays, and a mixture of kinds in all ways. The mixture leaves out the last kind,
    which is the hardest.

    Raises OchibotError when a result differs from the plain engine's.
    """
    arrays = {kind: _codes(grids) for kind, grids in kinds.items()}
    for codes in arrays.values():
        _check_many(codes[:_CHECKED])
    mixed = list(arrays)[:-1]
    mixture = np.random.default_rng(1).permutation(np.concatenate([arrays[kind] for kind in mixed]))
    text, both = drawn(mixture), list(Ruleset)
    rows = [_many_row(kind, "arrays", codes, partial(bulk_values, codes), rounds) for kind, codes in arrays.items()]
    ways: dict[str, Callable[[], object]] = {
        "arrays": lambda: bulk_values(mixture),
        "csv": lambda: sum(map(len, csv_lines(read_codes(text), both))),
        "json lines": lambda: sum(map(len, json_lines(read_codes(text), both))),
    }
    rows += [_many_row(MIXTURE, way, mixture, work, rounds) for way, work in ways.items()]
    holds = all(row.processor >= BUDGETS[row.way] for row in rows if row.kind == MIXTURE)
    return Many(tuple(rows), tuple(mixed), dict(BUDGETS), holds)


def _codes(grids: Sequence[Grid]) -> Codes:
    return np.frombuffer(b"".join(grid.codes for grid in grids), np.uint8).reshape(len(grids), -1)


def _check_many(codes: Codes) -> None:
    found = bulk_values(codes)
    for number, one in enumerate(codes):
        grid = Grid(one.tobytes())
        for ruleset in Ruleset:
            if found.summary(number, ruleset) != summary(plainly_ignited(grid, ruleset)):
                raise OchibotError(f"kernel and plain engine differ on a board, so there is nothing to time: {grid!r}")


def _many_row(kind: str, way: str, codes: Codes, work: Callable[[], object], rounds: int) -> ManyRow:
    doubtful = float((~bulk_values(codes).exact).any(axis=1).mean())
    seen = []
    for _ in range(rounds):
        clock, busy = time.perf_counter(), time.process_time()
        work()
        seen.append((len(codes) / (time.perf_counter() - clock), len(codes) / (time.process_time() - busy)))
    seconds, processors = (statistics.median(column) for column in zip(*seen, strict=True))
    return ManyRow(kind, way, doubtful, seconds, processors)
