"""The notebook on exported positions runs from top to bottom, and what it draws and fits makes sense.

So does the page about them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.lab.positions.files import columns_of

from tests.commands import ROOT, ochibot

NOTEBOOK = json.loads((ROOT / "docs/notebooks/positions.ipynb").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/data.md").read_text(encoding="utf-8")
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small export, made as the notebook says."""
    words = "".join("".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown")
    (command,) = re.findall(r"^    ochibot (lab export .*)$", words, re.MULTILINE)
    few = command.replace("200_000", "20_000").split()
    assert few != command.split()
    folder = tmp_path_factory.mktemp("desk")
    done = ochibot(*few, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.long
def test_it_runs_on_an_export(desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    monkeypatch.chdir(desk)
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


@pytest.mark.long
def test_the_program_of_the_page_runs(desk: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], cwd=desk, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("(20000, 14, 6) ")


def test_the_page_lists_the_columns() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (\w+) \| ([^|]*?) ?\| (.*) \|$", PAGE, re.MULTILINE)
    assert listed == [
        (column.name, column.type, " × ".join(map(str, column.shape)), column.what) for column in columns_of(True)
    ]
    row, more = (
        sum(np.dtype(column.type).itemsize * column.size for column in columns_of(whole)) for whole in (False, True)
    )
    assert f"({row} bytes a position, {more} with `values`)" in PAGE
