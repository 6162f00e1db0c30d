"""Loading the kernels, and the benchmark that uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.bench import nyaa as bench
from ochibot.nyaa import Ruleset
from ochibot.nyaa.kernels import engine
from ochibot.nyaa.rules.resolve import resolve

from tests.nyaa.boards import mixture


def test_values_of_many_grids_are_those_of_the_plain_engine() -> None:
    grids = mixture(3, 300)
    for ruleset in Ruleset:
        found = engine.values(grids, ruleset)
        plain = [resolve(grid, ruleset.rules) for grid in grids]
        assert found.attack.tolist() == [one.attack for one in plain]
        assert found.s0.tolist() == [one.s0 for one in plain]
        assert found.s1.tolist() == [one.s1 for one in plain]
        assert found.popped.tolist() == [one.popped for one in plain]
        assert found.tied.tolist() == [one.tied for one in plain]
        if ruleset is Ruleset.MVS:
            assert found.t.tolist() == [one.t for one in plain]
        assert found.tied.any()
        assert not found.tied.all()


def test_a_damaged_cache_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    engine.LIBRARY.forget()
    (grid,) = mixture(4, 1)
    wanted = resolve(grid, Ruleset.PS2.rules).attack
    assert engine.values([grid], Ruleset.PS2).attack.tolist() == [wanted]
    assert "compiling the ignition kernels, once" in capsys.readouterr().err
    kept = list(engine.LIBRARY.folder().rglob("*.nbi"))
    assert kept
    engine.LIBRARY.forget()
    assert engine.values([grid], Ruleset.PS2).attack.tolist() == [wanted]
    assert capsys.readouterr().err == ""  # it was kept
    for file in kept:
        file.write_bytes(b"damaged")
    engine.LIBRARY.forget()
    assert engine.values([grid], Ruleset.PS2).attack.tolist() == [wanted]
    assert "can't be used" in capsys.readouterr().err


def test_bench_reports_every_kind_and_checks_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_BOARDS", 50)
    monkeypatch.setattr(bench, "_PLAIN_BOARDS", 20)
    monkeypatch.setattr(bench, "_BATCH", 0.001)
    report = bench.measure(rounds=1)
    assert [(row.kind, row.ruleset) for row in report.rows] == [(k, str(r)) for k in bench.KINDS for r in Ruleset]
    assert report.slowest == min(row.values for row in report.rows) > 0
    assert report.holds == (report.slowest >= report.budget)
    assert all(row.kind in report.table() for row in report.rows)
    assert report.as_dict()["boards"] == 50
