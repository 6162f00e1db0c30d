"""``ram check`` of a game of a family from outside: columns of three gems on a machine that tells what is right.

Single entries are compared in test_gems.py.
"""

from __future__ import annotations

from typing import Any

from ochibot.experiments.checking.pieces import PieceEntries
from ochibot.experiments.documented import NO_HINTS
from ochibot.experiments.draft import Draft, draft
from ochibot.experiments.learn import begin
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.games.filed.families import Piece
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Report

from tests.strangers.maker import Truth, series
from tests.strangers.maker.console import StrangerConsole

SPEC = next(spec for spec in series("other", "two_next") if spec.rules == "triplets")
CELLS = ("lower", "middle", "upper")
PIECE = Piece(CELLS, tuple(f"next_{name}" for name in CELLS), column=1, row=1)
WORDS = {0: "empty", 1: "ruby", 2: "jade", 3: "opal", 4: "gold", 5: "onyx", 6: "pearl"}


def entries_by_truth(truth: dict[str, Any]) -> dict[str, Any]:
    (field,) = truth["field"]["places"]
    place = truth["place"]
    entries: dict[str, Any] = {
        "field": {
            "address": field["cells"][0], "rows": SPEC.height, "columns": SPEC.width,
            "row_stride": field["row_stride"], "column_stride": field["column_stride"], "codes": "cells",
        },
        "x": {"address": place["x"][0], "offset": 1},
        "y": {"address": place["y"][0], "offset": 1},
        "score": {"address": truth["score"]["address"], "type": "u24le"},
    }  # fmt: skip
    for names, part in ((PIECE.cells, "piece"), (PIECE.following, "next")):
        entries |= {
            name: {"address": address, "codes": "cells"}
            for name, address in zip(names, truth[part]["addresses"], strict=True)
        }
    return entries


def compared(rig: Rig, made: Draft, entries: dict[str, Any]) -> Report:
    data = {
        "game": "gems", "name": "player1", "system": "nes", "seat": 1,
        "entries": {name: {**entry, "source": "calibrated"} for name, entry in entries.items()},
        "codes": {"cells": {"source": "calibrated", "values": WORDS}},
    }  # fmt: skip
    report = Report()
    PieceEntries(RamMap.model_validate(data), PIECE, rig, made, report).compare()
    return report


def places(entries: dict[str, Any]) -> None:
    entries["field"]["rows"] -= 1
    entries["x"]["address"], entries["y"]["address"], entries["score"]["address"] = 0x600, 0x601, 0x610
    entries["next_middle"]["address"] = 0x602


WRONG = {
    "field": "field (0301): it has 12 rows and 6 columns\n  seen: pieces come to rest in 13 rows and 6 columns",
    "x": "x (0600, 00F0): its byte doesn't follow the piece",
    "y": "y (0601, 00F3): its byte doesn't follow the piece",
    "next_middle": "next_middle (0602, 00E9): it reads ",
    "score": "mend: address: 0x007f, type: u24le",
}


def test_entries_that_are_wrong_are_found_in_a_game_without_rules() -> None:
    """One test, because the game is learnt once."""
    with StrangerConsole(SPEC) as console:
        rig = Rig(console)
        rig.step()
        route, bases = begin(rig, Notebook(None, "triplets"), None, NO_HINTS)
        made, _ = draft(rig, route, bases.first(), "the rules aren't looked at")
        right = entries_by_truth(Truth(console.game).describe())
        report = compared(rig, made, right)
        assert not report.findings
        assert not report.notes
        assert set(report.holds) == set(right)
        entries = {name: dict(entry) for name, entry in right.items()}
        places(entries)
        report = compared(rig, made, entries)
        said = {finding.about: finding.text() for finding in report.findings}
        assert said.keys() == WRONG.keys()
        assert all(words in said[name] for name, words in WRONG.items())
        assert set(report.holds) == entries.keys() - WRONG.keys()
