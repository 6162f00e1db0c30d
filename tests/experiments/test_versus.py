"""Blind calibration of the mode for two: both seats, and the nuisance that they send."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.experiments.run import Outcome, calibrate

from tests.experiments.truth import rom_of
from tests.experiments.working import VARIANTS

PLACES = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score", "pending")


@pytest.mark.long
@pytest.mark.parametrize("name", ["shifted", pytest.param("moved", marks=pytest.mark.proof)])
def test_a_variant_s_two_seats_are_learnt_and_play_a_round(name: str, tmp_path: Path) -> None:
    assert_two_seats(name, learnt_for_two(name, tmp_path), tmp_path)


def learnt_for_two(name: str, folder: Path) -> Outcome:
    """Calibrates a variant blind, with its mode for two."""
    return calibrate(rom_of(VARIANTS / name / "truth.yaml"), folder, game="mine", pieces=60, versus=True)


def assert_two_seats(name: str, outcome: Outcome, folder: Path) -> None:
    """Asserts that both seats equal the variant's truth, and that a round of two agrees with the predictions."""
    truth = yaml.safe_load((VARIANTS / name / "truth.yaml").read_text(encoding="utf-8"))
    for number in (1, 2):
        seat = truth["seats"][number]
        made = yaml.safe_load((folder / f"mine-versus{number}.yaml").read_text(encoding="utf-8"))
        assert made["seat"] == number
        for entry in PLACES:
            assert made["entries"][entry]["address"] == seat[entry]["address"], (number, entry)
        for part in ("address", "rows", "columns", "row_stride", "column_stride"):
            assert made["entries"]["field"][part] == seat["field"][part], (number, part)
    # as in the profile famicom: 70 points make one nuisance, at most 30 fall at once, and the rest is lost
    assert outcome.seats is not None
    for waits in outcome.seats.pending:
        assert waits is not None
        assert (waits.each, waits.most, waits.queued) == (70, 30, False)
    assert outcome.of_two is not None
    assert outcome.of_two.pieces >= 60
    assert outcome.of_two.agreement >= 0.999
