"""Compares the simulated match with our Mega Drive cartridge, like ``python -m tests.lab.megadrive.replay``."""

from __future__ import annotations

import pytest
from ochibot.console import find_cores

from tests.lab.megadrive.replay import prove, settings

NO_CORE = "no genesis_plus_gx core here (make test gets it from stable-retro)"


@pytest.mark.long
@pytest.mark.skipif(not find_cores("genesis_plus_gx"), reason=NO_CORE)
def test_rounds_of_the_cartridge_go_the_same_way_in_the_match() -> None:
    """Three rounds agree in fields, scores, pairs, nuisance, random states, frames, winners and players' choices."""
    report = prove(3, seed=4, max_pieces=60)
    assert report.holds, report.as_dict()
    assert report.locks > 60
    assert report.nuisance_sent > 20
    assert set(report.frames_off) == {0}


def test_the_rounds_are_of_all_sorts() -> None:
    made = settings(50, seed=1)
    assert {one.options["level"] for one in made} == {1, 2, 3, 4, 5}
    assert {one.options["margin"] for one in made} == {0, 1}
    assert {plies for one in made for plies in one.plies} == {0, 1, 2}
    assert {speed for one in made for speed in one.speeds} == {6, 8, 10}
