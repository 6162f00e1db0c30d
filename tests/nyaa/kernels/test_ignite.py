"""Loading a kernel, and the benchmark of ignitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ochibot.bench import nyaa as bench
from ochibot.jit.lanes import entry
from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.nyaa.kernels.ignite import ignite
from ochibot.nyaa.kernels.packed import WORK_WORDS, boards_of
from ochibot.nyaa.rules.grid import CELLS, NUISANCE, Grid
from ochibot.nyaa.rules.resolve import resolve

from tests.nyaa.boards import mixture
from tests.nyaa.profiles import MVS

_ignited = entry(ignite.py_func)


def test_a_damaged_cache_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernel = {"ignite": Kernel("ochibot.nyaa.kernels.ignite", "u8[::1], u8[::1]", 1)}
    library = KernelLibrary("nyaa-test", "an ignition", kernel)
    (grid,) = mixture(4, 1)
    (board,) = boards_of([grid])

    def attack() -> int:
        found: int = library.load("ignite")(board, np.zeros(WORK_WORDS, np.uint64))[0]
        return found

    wanted = resolve(grid, MVS).attack
    assert attack() == wanted
    assert "compiling an ignition, once" in capsys.readouterr().err
    kept = list(library.folder().rglob("*.code"))
    assert kept
    library.forget()
    assert attack() == wanted
    assert capsys.readouterr().err == ""  # the kernel was loaded from the cache
    for file in kept:
        file.write_bytes(b"damaged")
    library.forget()
    assert attack() == wanted
    assert "can't be used" in capsys.readouterr().err


@pytest.mark.parametrize("needles", [2, 8, 40])
def test_many_waves_that_meet_are_settled_as_the_rules_say(needles: int) -> None:
    dice = np.random.default_rng(needles)
    for _ in range(60):
        codes = np.ones(CELLS, np.uint8)
        codes[dice.random(CELLS) < dice.random() / 2] = 0
        codes[dice.choice(CELLS, needles, replace=False)] = NUISANCE + 1
        grid = Grid(codes.tobytes())
        (board,) = boards_of([grid])
        attack, t, low, high = _ignited(board, np.zeros(WORK_WORDS, np.uint64))
        wanted = resolve(grid, MVS)
        assert (attack, t, int(low).bit_count() + int(high).bit_count()) == (wanted.attack, wanted.t, wanted.popped)


@pytest.mark.long
def test_bench_reports_every_kind_and_checks_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_BOARDS", 50)
    monkeypatch.setattr(bench, "_PLAIN_BOARDS", 50)
    monkeypatch.setattr(bench, "_BATCH", 0.001)
    monkeypatch.setattr(bench, "_MANY", dict.fromkeys(bench.KINDS, 60))
    report = bench.measure(rounds=1)
    assert [(row.kind, row.ruleset) for row in report.rows] == [(kind, "mvs") for kind in bench.KINDS]
    assert report.slowest == min(row.values for row in report.rows) > 0
    assert report.holds == (report.slowest >= report.budget and report.many.holds)
    ways = [(row.kind, row.way) for row in report.many.rows]
    assert ways == [(kind, "arrays") for kind in bench.KINDS] + [("mixture", way) for way in report.many.budgets]
    assert report.many.rows[-1].doubtful > 0
    assert all(row.processor > 0 for row in report.many.rows)
    assert all(row.kind in report.table() for row in report.rows)
    assert report.as_dict()["boards"] == 50
