"""Maps for tools: what an entry reads as, and which bytes of RAM it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.console import NES
from ochibot.console.ram import Ram
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.mapping import AnySymbols, shown
from ochibot.ramtools.proposals import patched_map


def map_of(entries: dict[str, Any]) -> RamMap:
    return RamMap.model_validate(
        {
            "name": "a map for a test",
            "game": "famicom_puyo",
            "system": "nes",
            "seat": 1,
            "mode": 0,
            "codes": {"color": {"source": "calibrated", "values": {0: "empty", 1: "red"}}},
            "entries": {name: {"source": "calibrated", **entry} for name, entry in entries.items()},
        }
    )


@pytest.mark.parametrize(("memory", "expected"), [(0, "empty"), (1, "red"), (0x2A, "unknown (2a)")])
def test_a_code_is_shown_by_its_name_or_by_its_byte(memory: int, expected: str) -> None:
    """Before, the brackets were always empty."""
    ram, symbols = Ram(np.zeros(0x800, np.uint8), NES.ram), AnySymbols()
    ram[0x70] = memory
    bound = BoundMap(map_of({"axis": {"address": 0x70, "codes": "color"}}), ram, symbols)
    assert shown(bound, symbols, "axis") == expected


def test_a_score_of_digits_takes_the_place_of_all_entries_in_its_bytes() -> None:
    """Before, only its first byte counted."""
    there = {"score": {"address": 0x40}, "level": {"address": 0x53}, "chain": {"address": 0x54}}
    score = {"address": 0x50, "count": 4, "digits": "decimal"}
    patched = patched_map(map_of(there), [Finding("score", (), "", "", None, {"score": score})])
    assert patched.entries.keys() == {"score", "chain"}
