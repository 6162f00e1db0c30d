"""The second seat and what is sent to it, from the ROM alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.calibrate.run import calibrate

from tests.calibrate.truth import rom_of
from tests.calibrate.working import VARIANTS

PLACES = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score", "pending")


@pytest.mark.long
@pytest.mark.parametrize("name", ["shifted", pytest.param("moved", marks=pytest.mark.proof)])
def test_a_variant_s_two_seats_are_learnt_and_play_a_round(name: str, tmp_path: Path) -> None:
    truth_file = VARIANTS / name / "truth.yaml"
    truth = yaml.safe_load(truth_file.read_text(encoding="utf-8"))
    outcome = calibrate(rom_of(truth_file), tmp_path, game="mine", pieces=60, versus=True)
    for number in (1, 2):
        seat = truth["seats"][number]
        made = yaml.safe_load((tmp_path / f"mine-versus{number}.yaml").read_text(encoding="utf-8"))
        assert made["seat"] == number
        for entry in PLACES:
            assert made["entries"][entry]["address"] == seat[entry]["address"], (number, entry)
        for part in ("address", "rows", "columns", "row_stride", "column_stride"):
            assert made["entries"]["field"][part] == seat["field"][part], (number, part)
    # as the profile famicom has it: 70 points for one, 30 fall at once, and the others are lost
    assert outcome.seats is not None
    for waits in outcome.seats.pending:
        assert waits is not None
        assert (waits.each, waits.most, waits.queued) == (70, 30, False)
    assert outcome.of_two is not None
    assert outcome.of_two.pieces >= 60
    assert outcome.of_two.agreement >= 0.999
