"""``ochibot bench console``: what it reports, not how fast anything is."""

from __future__ import annotations

import json

import pytest
from ochibot.console import Made

from tests.cli.test_bad_input import refused
from tests.commands import ochibot

LOOPS = ("bare", "console", "play", "snapshots", "pads")


@pytest.mark.parametrize(
    ("words", "made"),
    [(["puyo"], Made.ALL), (["nyaa"], Made.NOTHING), (["nyaa", "--av"], Made.ALL)],
    ids=" ".join,
)
def test_it_reports_all_loops_by_medians_and_by_fastest_turns(words: list[str], made: Made) -> None:
    done = ochibot("bench", "console", *words, "--frames", 200, "--stretch", 100, "--rounds", 1, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["frames"], report["rounds"], report["stretch"], report["made"]) == (200, 1, 100, made)
    assert f"the core makes {made}" in done.stderr
    for kind in ("", "fastest_"):
        bare = report[f"{kind}bare_fps"]
        for loop in LOOPS[1:]:
            # rates are kept with one decimal place, ratios with four
            assert report[f"{kind}{loop}_ratio"] == pytest.approx(report[f"{kind}{loop}_fps"] / bare, abs=1e-3)
    for loop in LOOPS:
        # the round has two turns, and the faster one is at least as fast as both together
        assert report[f"fastest_{loop}_fps"] >= report[f"{loop}_fps"] > 0
    longer = 1e6 / report["play_fps"] - 1e6 / report["pads_fps"]
    assert report["python_us"] == pytest.approx(longer, abs=1)
    assert f"play's loop takes {report['python_us']:.1f} microseconds a frame more" in done.stderr
    assert report["frame_us"] >= report["fastest_frame_us"] > 0
    assert f"play's own code takes {report['frame_us']:.1f} microseconds a frame" in done.stderr


def test_what_it_refuses() -> None:
    assert "--stretch" in refused("bench", "console", "--stretch", 1001)
    assert "FCEUmm can't leave out" in refused("bench", "console", "--no-av")
