"""Writes a dull stranger's map, rules and game file by its own truth, with nothing learnt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.strangers.maker import Spec, Truth
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.maker.profile import ROWS, family_rules, family_spawn


def map_by_truth(spec: Spec) -> dict[str, Any]:
    """The content of the map. The stranger must have plain bytes for all of it."""
    console = StrangerConsole(spec)
    said = Truth(console.game).describe()
    (field,) = said["field"]["places"]
    place, phase = said["place"], said["phase"]["codes"]
    colors = {"source": "calibrated", "values": {**said["piece"]["codes"], 0: "empty"}}
    entries: dict[str, Any] = {
        "field": {
            "address": field["cells"][0],
            "rows": spec.height,
            "columns": spec.width,
            "row_stride": field["row_stride"],
            "column_stride": field["column_stride"],
            "codes": "cells",
            "top": ROWS - spec.height,
        },
        "x": {"address": place["x"][0], "offset": 1},
        "y": {"address": place["y"][0], "offset": ROWS - spec.height},
        "orientation": {"address": place["orientation"]["address"], "symbols": "sides"},
        "score": {"address": said["score"]["address"], "type": "u24le"},
        "phase_byte": {"address": said["phase"]["address"], "note": "the phase"},
    }
    for prefix, part in (("", "piece"), ("next_", "next")):
        for half, address in zip(("axis", "partner"), said[part]["addresses"], strict=True):
            entries[prefix + half] = {"address": address, "codes": "cells"}
    return {
        "game": "dull",
        "name": "player1",
        "system": "nes",
        "seat": 1,
        **({"pair": {"denotes": "box"}} if spec.boxed else {}),
        "entries": {name: {**entry, "source": "calibrated"} for name, entry in entries.items()},
        "codes": {
            "cells": colors,
            "sides": {"source": "calibrated", "values": place["orientation"]["codes"]},
        },
        "signs": {
            "spawn": {"entry": "phase_byte", "is": [phase["announce"]]},
            "control": {"entry": "phase_byte", "is": [phase["control"]]},
            "over": {"entry": "phase_byte", "is": [phase["over"]]},
        },
    }


def write_by_truth(spec: Spec, folder: Path, made_map: dict[str, Any] | None = None) -> tuple[Path, Path]:
    """Writes all files. Returns the game file's path and the ROM's. ``made_map``: a map to be written instead."""
    console = StrangerConsole(spec)
    game = {
        "game": "dull",
        "system": "nes",
        "family": "puyo",
        "sha1": [console.rom.sha1],
        "rules": "dull-rules.yaml",
        "modes": {"solo": {"maps": ["dull-p1.yaml"]}},
        "solo": "solo",
        "spawn": family_spawn(spec),
        "buttons": {"left": "left", "right": "right", "down": "down", "rotate_cw": "a", "rotate_ccw": "b"},
        "menu": [f"wait {spec.boot + 8}", "start", "wait until spawn"],
    }
    parts = {"dull": game, "dull-rules": family_rules(spec), "dull-p1": made_map or map_by_truth(spec)}
    for name, part in parts.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(part, sort_keys=False), encoding="utf-8")
    rom = folder / console.rom.name
    rom.write_bytes(console.rom.data)
    return folder / "dull.yaml", rom
