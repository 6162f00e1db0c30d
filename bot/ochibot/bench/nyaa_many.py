"""Measures how many boards per second are valued under both rulesets: in memory, as CSV lines and as JSON lines.

All outcomes of open ties are computed too.

Imports numba.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import OchibotError
from ochibot.nyaa.bulk import bulk_values, csv_lines, json_lines, read_codes
from ochibot.nyaa.calculator.ignition import ignite, summary
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.profile import Ruleset

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
        _check(codes[:_CHECKED])
    mixed = list(arrays)[:-1]
    mixture = np.random.default_rng(1).permutation(np.concatenate([arrays[kind] for kind in mixed]))
    text, both = drawn(mixture), list(Ruleset)
    rows = [_row(kind, "arrays", codes, partial(bulk_values, codes), rounds) for kind, codes in arrays.items()]
    ways: dict[str, Callable[[], object]] = {
        "arrays": lambda: bulk_values(mixture),
        "csv": lambda: sum(map(len, csv_lines(read_codes(text), both))),
        "json lines": lambda: sum(map(len, json_lines(read_codes(text), both))),
    }
    rows += [_row(MIXTURE, way, mixture, work, rounds) for way, work in ways.items()]
    holds = all(row.processor >= BUDGETS[row.way] for row in rows if row.kind == MIXTURE)
    return Many(tuple(rows), tuple(mixed), dict(BUDGETS), holds)


def _codes(grids: Sequence[Grid]) -> Codes:
    return np.frombuffer(b"".join(grid.codes for grid in grids), np.uint8).reshape(len(grids), -1)


def _check(codes: Codes) -> None:
    found = bulk_values(codes)
    for number, one in enumerate(codes):
        grid = Grid(one.tobytes())
        for ruleset in Ruleset:
            if found.summary(number, ruleset) != summary(ignite(grid, ruleset)):
                raise OchibotError(f"kernel and plain engine differ on a board, so there is nothing to time: {grid!r}")


def _row(kind: str, way: str, codes: Codes, work: Callable[[], object], rounds: int) -> ManyRow:
    doubtful = float((~bulk_values(codes).exact).any(axis=1).mean())
    seen = []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.process_time()
        work()
        seen.append((len(codes) / (time.perf_counter() - clock), len(codes) / (time.process_time() - processor)))
    seconds, processors = (statistics.median(column) for column in zip(*seen, strict=True))
    return ManyRow(kind, way, doubtful, seconds, processors)
