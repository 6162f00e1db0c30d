"""Calibrates games that others wrote, from a folder that OCHIBOT_FOREIGN names. Prints a report as JSON on stdout.

docs/calibration.md names the games and where they come from; none of them is in this repository. Each is learnt from
its ROM alone. What is known of a game from its source is compared: addresses, sizes, codes. A game without such a
truth has its exam, and its picture.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from ochibot.errors import OchibotError
from ochibot.experiments.draft import Draft
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.run import calibrate

from tests.experiments.shown import agreement, settled

SHOWN = 0.99
"""The share of the cells that the picture has to show as the map says."""


@dataclass(frozen=True)
class Foreign:
    """A game. sha1: of its ROM. truth: parts of entries of the map, from the game's source. plays: whether a family of
    rules fits it, so that the exam plays it. landed: the share of the exam that has to agree. shown: whether the map is
    compared with the picture, because nobody knows the game's source.
    """

    sha1: str
    landed: float
    plays: bool = False
    truth: dict[str, dict[str, Any]] = field(default_factory=dict)
    shown: bool = False


GAMES = {
    "puyovnes": Foreign(
        "8b29fbf7819c4bd5d4af1aba2cb2cb99895530de",
        0.99,
        plays=True,
        truth={
            "field": {"address": 0x393, "rows": 13, "columns": 6, "row_stride": 1, "column_stride": 13},
            "x": {"address": 0x583},
            "y": {"address": 0x589},
            "partner_x": {"address": 0x582},
            "partner_y": {"address": 0x588},
            "axis": {"address": 0x577},
            "partner": {"address": 0x576},
            "next_axis": {"address": 0x579},
            "next_partner": {"address": 0x578},
            "phase_byte": {"address": 0x343},
            "score": {"address": 0x59D, "type": "u32le"},
        },
    ),
    "dushlan": Foreign(
        "0d9d9fbf29305445710d2a8f583c39b3785aa517",
        0.99,
        truth={
            # the upper four of the 24 rows lie above the screen
            "field": {"address": 0x4DE - 10, "rows": 20, "columns": 10, "row_stride": 10, "column_stride": 1},
            "piece": {"address": 0x56},
            "next_piece": {"address": 0x57},
        },
    ),
    "petris": Foreign("8c1ed5560b9fd6f87e4bd69346a0a5c1f96d184d", 0.95, shown=True),
    "dropini": Foreign("d83d3ac254c97266272ea3938f81c8d2c086569e", 0.9, shown=True),
}


def rom_in(folder: Path, game: Foreign) -> Path | None:
    """The file in the folder with this game's hash; None when there is none."""
    import hashlib

    for path in sorted(folder.iterdir()):
        if path.is_file() and hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest() == game.sha1:
            return path
    return None


def learnt(name: str, game: Foreign, rom: Path) -> dict[str, Any]:
    """Calibrates one game and compares its map with the truth."""
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            outcome = calibrate(rom, Path(folder), game=name)
        except OchibotError as error:
            return {"holds": False, "different": [str(error)]}
        entries = yaml.safe_load(outcome.files.map.read_text(encoding="utf-8"))["entries"]
    exam = outcome.exam
    different = [
        f"{entry}.{part}: {entries.get(entry, {}).get(part)} instead of {value}"
        for entry, parts in game.truth.items()
        for part, value in parts.items()
        if entries.get(entry, {}).get(part) != value
    ]
    good = exam.agreement >= game.landed and (exam.kind == "play") == game.plays
    shown, compared = _shown(rom, outcome.learnt) if game.shown else (1.0, 0)
    good &= shown >= SHOWN
    return {
        "holds": good and not different,
        "exam": exam.kind,
        "pieces": exam.pieces,
        "agreement": round(exam.agreement, 4),
        "processor_seconds": round(time.process_time() - began, 1),
        "different": different,
        "broke": exam.broke,
        "shown": round(shown, 4),
        "cells_compared": compared,
    }


def _shown(rom: Path, made: Learnt | Draft | None) -> tuple[float, int]:
    """The share of the field's cells that the picture shows as the map says, and how many were compared."""
    if made is None:
        return 0.0, 0
    turning = made.turning if isinstance(made, Draft) else made.stance.turning
    return agreement(*settled(rom, made.route, made.basis, turning))


def main() -> int:
    """Learns all games that are there."""
    folder = os.environ.get("OCHIBOT_FOREIGN")
    if not folder:
        print("name the folder with the practice games in OCHIBOT_FOREIGN", file=sys.stderr)
        return 2
    found = {name: rom_in(Path(folder), game) for name, game in GAMES.items()}
    games = {name: learnt(name, GAMES[name], rom) for name, rom in found.items() if rom is not None}
    missing = [name for name, rom in found.items() if rom is None]
    holds = not missing and all(one["holds"] for one in games.values())
    json.dump({"holds": holds, "games": games, "missing": missing}, sys.stdout, indent=1)
    print()
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
