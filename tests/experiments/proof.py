"""Calibrates games and compares the results with the truth. Prints a report as JSON on stdout.

All variants and the shipped games are learnt blind; five variants also from documented addresses, two also with both
seats. Each run does what a user would do: ``calibrate`` from the ROM alone, or with the documented map, and the exam of
300 pieces (60 with both seats).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from ochibot.data import data_path
from ochibot.experiments.run import Outcome, calibrate

from tests.experiments.test_blind import TRUTHS
from tests.experiments.test_documented import TOLD, documented
from tests.experiments.test_versus import assert_two_seats, learnt_for_two
from tests.experiments.truth import assert_equals_truth, rom_of

SHIPPED = {
    "famicom": ("roms/homebrew/famicom/ochidama.nes", "ram_maps/famicom_puyo/player1.yaml"),
    "neogeo": ("roms/homebrew/neogeo/togetama.zip", "ram_maps/nyaa_homebrew/player1.yaml"),
    "megadrive": ("roms/homebrew/megadrive/nijidama.bin", "ram_maps/tsu/player1.yaml"),
}
"""For each system, the ROM of our own game and its shipped map."""
SAME = ("x", "y", "orientation", "axis", "partner", "next_axis", "next_partner")
"""Entries whose addresses must be the shipped map's. The score isn't one: it may be learnt at any of its digits."""


def _run(learn: Callable[[Path], Outcome], check: Callable[[Outcome, Path], None]) -> dict[str, Any]:
    """Runs a calibration in a temporary folder. Returns its exam, how long it took, and what differs from the truth."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = learn(Path(folder))
        seconds = time.monotonic() - began
        try:
            check(outcome, Path(folder))
            different = ""
        except AssertionError as error:
            different = str(error)[:300] or "differs from the truth"
    exam = outcome.exam
    return {"pieces": exam.pieces, "agreement": exam.agreement, "seconds": round(seconds, 1), "different": different}


def _like_shipped(map_file: str) -> Callable[[Outcome, Path], None]:
    shipped = yaml.safe_load(data_path(map_file).read_text(encoding="utf-8"))["entries"]

    def check(outcome: Outcome, folder: Path) -> None:
        del folder
        made = yaml.safe_load(outcome.files.map.read_text(encoding="utf-8"))["entries"]
        assert outcome.exam.agreement >= 0.999
        assert outcome.exam.pieces >= 300
        for name in SAME:
            assert made[name]["address"] == shipped[name]["address"], name
        # calibration doesn't see a top row that keeps no cells, so its field may begin below that row
        field, whole = made["field"], shipped["field"]
        assert field["address"] == whole["address"] + field.get("top", 0) * whole.get("row_stride", 0), "field"

    return check


def _runs() -> dict[str, tuple[Callable[[Path], Outcome], Callable[[Outcome, Path], None]]]:
    def like(truth_file: Path) -> Callable[[Outcome, Path], None]:
        return lambda outcome, folder: assert_equals_truth(truth_file, outcome, folder)

    def blind(rom: Path) -> Callable[[Path], Outcome]:
        return lambda folder: calibrate(rom, folder, game="mine")

    def from_documents(rom: Path) -> Callable[[Path], Outcome]:
        return lambda folder: calibrate(rom, folder, game="mine", documented=documented(rom))

    runs = {f"blind {path.parent.name}": (blind(rom_of(path)), like(path)) for path in TRUTHS}
    runs |= {f"documented {path.parent.name}": (from_documents(rom_of(path)), like(path)) for path in TOLD}
    for name in ("moved", "shifted"):
        runs[f"two seats {name}"] = (partial(learnt_for_two, name), partial(assert_two_seats, name))
    return runs | {
        f"blind {system}": (blind(data_path(rom)), _like_shipped(ram_map)) for system, (rom, ram_map) in SHIPPED.items()
    }


def main() -> int:
    """Prints the report. Returns 0, or 1 when anything differs from the truth."""
    report: dict[str, Any] = {"runs": {}}
    for name, (learn, check) in _runs().items():
        report["runs"][name] = _run(learn, check)
        print(f"{name}: {report['runs'][name]}", file=sys.stderr, flush=True)
    report["holds"] = not any(run["different"] for run in report["runs"].values())
    report["slowest"] = max(run["seconds"] for run in report["runs"].values())
    print(json.dumps(report, indent=2))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
