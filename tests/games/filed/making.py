"""Makes a game that no shipped title describes: our cartridge by another name, with its own game file and maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from ochibot.data import data_path

CELLS = {0: "empty", 1: "red", 2: "green", 3: "blue", 4: "yellow", 5: "purple", 6: "cyan", 7: "nuisance"}


def _map(seat: int, first: int, pair: int, others: dict[str, Any]) -> dict[str, Any]:
    """A map without the entries mode, state and level. Its signs recognise spawn, control and the end of the game.

    first: the field's address. pair: what is added to the addresses of player 1's falling pair (0 or 1).
    """
    grid = {"rows": 14, "columns": 6, "row_stride": 16, "column_stride": 2, "codes": "cells"}
    entries = {
        "field": {"address": first, **grid},
        "axis": {"address": 0x0679 + pair, "codes": "cells"},
        "partner": {"address": 0x067D + pair, "codes": "cells"},
        "x": {"address": 0x0669 + pair},
        "y": {"address": 0x066D + pair},
        "orientation": {"address": 0x06D5 + pair, "symbols": "sides"},
        **others,
    }
    return {
        "game": "kumi",
        "name": f"seat{seat}",
        "system": "nes",
        "seat": seat,
        "entries": {name: {**entry, "source": "calibrated"} for name, entry in entries.items()},
        "codes": {
            "cells": {"source": "calibrated", "values": CELLS},
            "sides": {"source": "calibrated", "values": {0: "down", 1: "left", 2: "up", 3: "right"}},
        },
        "signs": {
            "spawn": {"entry": "phase", "is": 1},
            "control": {"entry": "phase", "is": 2},
            "over": {"entry": "phase", "is": 5},
        },
    }


def one_player() -> dict[str, Any]:
    """The map for the only player in the mode Endless."""
    others = {
        "next_axis": {"address": 0x0067, "codes": "cells"},
        "next_partner": {"address": 0x0068, "codes": "cells"},
        "phase": {"address": 0x0705},
        "score": {"address": 0x007A, "type": "u24le", "scale": 10},
        # only the menu route reads this entry
        "screen": {"address": 0x0700, "note": True},
    }
    return _map(1, 0x0303, 0, others)


def write(folder: Path, name: str, data: dict[str, Any]) -> Path:
    """Writes a YAML file."""
    path = folder / name
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return path


def rom(folder: Path) -> Path:
    """Writes our cartridge's ROM with a byte added, so that no title knows the ROM's hash."""
    path = folder / "kumi.nes"
    path.write_bytes(data_path("roms/homebrew/famicom/ochidama.nes").read_bytes() + b"\0")
    return path


GAME: dict[str, Any] = {
    "game": "kumi",
    "system": "nes",
    "family": "puyo",
    "rom": "kumi.nes",
    "rules": "famicom",
    "modes": {"endless": {"maps": ["one.yaml"]}},
    "menu": ["start until screen = 2", "start until spawn"],
}


def game(folder: Path, **changes: Any) -> Path:
    """Writes the game file, with its ROM and map beside it. changes: parts of GAME to replace; None removes a part."""
    rom(folder)
    write(folder, "one.yaml", one_player())
    said = {name: part for name, part in {**GAME, **changes}.items() if part is not None}
    return write(folder, "kumi.yaml", said)


def two_players() -> dict[str, Any]:
    """The mode of two players, with its maps inside the game file. No entry of these maps tells who has lost."""
    first = _map(1, 0x0303, 0, {**_next(0x0067), **_own(0x0705, 0x0715, 0x007A)})
    second = _map(2, 0x0403, 1, {**_next(0x0069), **_own(0x0706, 0x0716, 0x007D)})
    told = ("game", "name", "system", "seat")
    maps = [{part: said for part, said in one.items() if part not in told} for one in (first, second)]
    # these maps have no entry for the screen's byte, so the route gives its address
    menu = ["start until 0x0700 = 2", "down until 0x006F = 2", "start until spawn"]
    return {"value": 2, "maps": maps, "menu": menu}


def _next(address: int) -> dict[str, Any]:
    return {
        "next_axis": {"address": address, "codes": "cells"},
        "next_partner": {"address": address + 1, "codes": "cells"},
    }


def _own(phase: int, pending: int, score: int) -> dict[str, Any]:
    return {
        "phase": {"address": phase},
        "pending": {"address": pending},
        "score": {"address": score, "type": "u24le", "scale": 10},
    }
