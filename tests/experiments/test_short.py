"""A draft whose frames run out has what was learnt until then."""

from __future__ import annotations

from pathlib import Path

from ochibot.experiments.draft import draft
from ochibot.experiments.learn import begin
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig

from tests.strangers.maker import draw
from tests.strangers.maker.console import StrangerConsole


def test_a_draft_that_runs_out_of_frames_keeps_what_it_has(tmp_path: Path) -> None:
    rig = Rig(StrangerConsole(draw(3, "other", "curtain")))
    rig.step()
    route, bases = begin(rig, Notebook(tmp_path, "test"))
    basis = bases.first()
    before = rig.frames
    whole, passed = draft(rig, route, basis, "no rules")
    took = rig.frames - before
    assert passed.pieces
    rig.limit(took * 4 // 5, hard=True)
    part, exam = draft(rig, route, basis, "no rules")
    assert rig.ran_out
    assert exam.pieces == 0
    assert "frames" in exam.broke
    assert part.codes == whole.codes
    assert part.told == whole.told
