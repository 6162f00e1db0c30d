"""The notebook on exported positions runs from top to bottom, and what it draws and fits makes sense."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ROOT, ochibot

NOTEBOOK = json.loads((ROOT / "docs/notebooks/positions.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_it_runs_on_an_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    words = "".join("".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown")
    (command,) = re.findall(r"^    ochibot (lab export .*)$", words, re.MULTILINE)
    few = command.replace("200_000", "20_000").split()
    assert few != command.split()
    done = ochibot(*few, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(tmp_path)
    pyplot.close("all")
    names: dict[str, Any] = {}
    try:
        for number, cell in enumerate(CELLS, 1):
            exec(compile(cell, f"cell {number}", "exec"), names)
        figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
        assert len(figures) == 3
        for figure in figures:
            figure.canvas.draw()
    finally:
        pyplot.close("all")
    assert "20,000 positions of 100 games" in capsys.readouterr().out
    assert 0.1 < names["explained"] < 0.5
    heights = dict(zip(names["names"], names["weights"], strict=True))
    assert all(weight > 0 for name, weight in heights.items() if name.startswith("height"))
    assert max(names["explained_by"]) == max(names["explained_by"][2:5])
    fullest = names["fullest"]
    assert names["puyos"][fullest] == names["puyos"].max()


def test_it_is_kept_without_results_of_somebody_s_machine() -> None:
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
    assert NOTEBOOK["nbformat"] == 4
    assert not re.search(r'"/\w', json.dumps(NOTEBOOK))
