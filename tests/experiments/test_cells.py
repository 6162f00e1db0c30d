"""The field of a map under check, beside moments in which each cell is known."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments.checking.field import Cells
from ochibot.experiments.checking.scenes import Fall, Reading, Scene
from ochibot.experiments.facts import Above
from ochibot.experiments.grid import Grid
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.proposals import patched_map

FIRST, ROWS, WIDTH, COPY, APART = 0x300, 12, 6, 0x400, 0x500
CODES = {0: "empty", 0x11: "red", 0x12: "green", 0x21: "blue"}
SYMBOLS = {word: number for number, word in enumerate(CODES.values())} | {"nuisance": 9}
CONSOLE = SimpleNamespace(
    rom=SimpleNamespace(system="nes"), ram=SimpleNamespace(raw=np.zeros(0x800, np.uint8), banks=[])
)
RIG: Any = SimpleNamespace(console=CONSOLE, offset=lambda address: address, address=lambda offset: offset)
TRUE = {"address": FIRST, "rows": ROWS, "columns": WIDTH, "row_stride": WIDTH, "column_stride": 1, "top": 2}
ELSEWHERE = "pairs that fell into each column aren't in the cells that the map says"
TABLES = {
    "cells": CODES | {0x31: "nuisance"},
    "swapped": {0: "empty", 0x12: "red", 0x11: "green", 0x21: "blue", 0x31: "nuisance"},
    "few": {0: "empty", 0x11: "red", 0x12: "green"},
    "low": {0: "empty", 1: "red", 2: "green"},
}
RANDOM = np.random.default_rng(3)
RAMS: list[Any] = []
for _ in range(12):
    ram = RANDOM.integers(0, 256, 0x800, np.uint8)
    cells = RANDOM.choice([*CODES], (ROWS, WIDTH))
    ram[FIRST : FIRST + ROWS * WIDTH] = cells.ravel()
    # another table has the same cells some moments later
    ram[COPY : COPY + ROWS * WIDTH] = (RAMS[-1] if RAMS else ram)[FIRST : FIRST + ROWS * WIDTH]
    RAMS.append(ram)
FALLS = [Fall((Scene(one, True), Scene(other, False)), None, other) for one, other in pairwise(RAMS)]
IDLE = [one | RANDOM.choice(np.array([0, 0x80], np.uint8), 0x800) for one in RAMS]
JUNK = [Fall((Scene(one, True),), None, one) for one in IDLE]


def map_of(entry: dict[str, Any] | None) -> RamMap:
    return RamMap.model_validate(
        {
            "game": "mine", "name": "a", "system": "nes", "seat": 1, "signs": {},
            "entries": {"x": {"address": 1, "source": "calibrated"}}
            | ({} if entry is None else {"field": {"source": "calibrated", **entry}}),
            "codes": {name: {"source": "calibrated", "values": values} for name, values in TABLES.items()},
        }
    )  # fmt: skip


def compared(
    entry: dict[str, Any] | RamMap | None,
    *,
    above: Above | None = None,
    decoys: tuple[int, ...] = (),
    junk: bool = False,
) -> Cells:
    """The comparison of a map's field, of a game whose field is the true one. junk: a bit of cells means nothing."""
    ram_map = entry if isinstance(entry, RamMap) else map_of(entry)
    learnt = {**TRUE, "codes": "cells", "source": "calibrated", "note": "pieces land on what is poked here"}
    if above is not None and above.apart is not None:
        learnt |= {"rows": 13, "top": 1, "above": {"address": above.apart[0], "column_stride": above.apart[1]}}
    basis = SimpleNamespace(view=None, decoys=decoys, columns=tuple(range(WIDTH)), visible=12)
    truth: Any = SimpleNamespace(
        learnt=SimpleNamespace(basis=basis, above=above, size=4), data={"entries": {"field": learnt}}
    )
    floor = FIRST + (ROWS - 1) * WIDTH
    ground: Any = SimpleNamespace(
        grid=Grid(floor, 1, -WIDTH, WIDTH, 0), visible=ROWS, mask=0x7F if junk else 0xFF, rig=RIG
    )
    found = Cells(Reading(ram_map, RIG, SYMBOLS), truth, Report(), ground, CODES)
    found.compare(JUNK if junk else FALLS)
    return found


def found_in(entry: dict[str, Any] | None, **said: Any) -> Finding:
    cells = compared(entry, **said)
    assert cells.report.holds == []
    (one,) = cells.report.findings
    assert one.about == "field"
    # what is proposed is right
    again = compared(patched_map(cells.map, cells.report.findings), **said)
    assert (again.report.holds, again.report.findings) == (["field"], [])
    return one


def test_a_field_that_is_right_holds() -> None:
    cells = compared({**TRUE, "codes": "cells"})
    assert (cells.report.holds, cells.report.findings) == (["field"], [])
    assert cells.form is not None
    assert [cells.form.of(code) for code in CODES] == [*CODES.values()]


@pytest.mark.parametrize(
    ("entry", "says", "mend"),
    [
        (
            {**TRUE, "codes": "swapped"},
            "the byte 0x11 is taken for green; it was red",
            "codes: {0x00: empty, 0x11: red, 0x12: green, 0x21: blue, 0x31: nuisance}",
        ),
        (
            {**TRUE, "codes": "few"},
            "the byte 0x21 is unknown; it was blue",
            "codes: {0x00: empty, 0x11: red, 0x12: green, 0x21: blue}",
        ),
        # the low bits alone don't tell blue from red
        (
            {**TRUE, "codes": "low", "mask": 0x0F},
            "the byte 0x21 is taken for red; it was blue",
            "mask: 0xff, codes: {0x00: empty, 0x11: red, 0x12: green, 0x21: blue}",
        ),
        ({**TRUE, "address": FIRST + 1, "codes": "cells"}, ELSEWHERE, "address: 0x0300"),
        ({**TRUE, "row_stride": 8, "codes": "cells"}, ELSEWHERE, "row_stride: 6"),
        ({**TRUE, "columns": 5, "codes": "cells"}, ELSEWHERE, "columns: 6"),
        (
            None,
            ELSEWHERE,
            "address: 0x0300, rows: 12, columns: 6, row_stride: 6, column_stride: 1, top: 2, "
            "codes: {0x00: empty, 0x11: red, 0x12: green, 0x21: blue}",
        ),
    ],
)
def test_a_field_that_is_wrong_is_mended(entry: dict[str, Any] | None, says: str, mend: str) -> None:
    one = found_in(entry)
    assert (one.says, one.mend) == (says, mend)
    old = None if entry is None else entry["address"]
    assert one.addresses == tuple(dict.fromkeys(at for at in (old, FIRST) if at is not None))
    where = "the floor of column 1 is at 0342, that of column 2 at 0343, the cell above the first at 033C"
    assert one.seen == f"{where}; at 0342 0x00 is empty, 0x11 is red, 0x12 is green, 0x21 is blue"


def test_a_copy_on_which_nothing_lands_is_told() -> None:
    entry = {**TRUE, "address": COPY, "codes": "cells"}
    floor = COPY + (ROWS - 1) * WIDTH
    assert found_in(entry, decoys=(floor,)).says == "its cells are a copy: what is written there holds nothing up"
    assert found_in(entry, decoys=(floor + 1,)).says.startswith("pairs that fell into each column")


@pytest.mark.parametrize(
    ("entry", "holds"),
    [
        ({**TRUE, "rows": 13, "address": FIRST - WIDTH, "top": 1}, False),
        (TRUE, True),
        ({**TRUE, "rows": 13, "top": 1, "above": {"address": APART, "column_stride": 2}}, True),
        ({**TRUE, "rows": 13, "top": 1, "above": {"address": APART + 2, "column_stride": 2}}, False),
    ],
)
def test_a_hidden_row_that_lies_apart_is_wanted_where_the_map_has_one(entry: dict[str, Any], holds: bool) -> None:
    entry = {**entry, "codes": "cells"}
    above = Above(1, "solid", False, (APART, 2), True)
    cells = compared(entry, above=above)
    if holds:
        assert (cells.report.holds, cells.report.findings) == (["field"], [])
        return
    (one,) = cells.report.findings
    assert one.says == "its first row isn't the field's: a half that comes to lie in the hidden row isn't seen there"
    assert one.mend is not None
    assert "above: {address: 0x0500, column_stride: 2}" in one.mend
    assert one.entries["field"]["above"] == {"address": APART, "column_stride": 2}
    # where nothing lies apart, a map may well have the row
    assert compared(entry, above=Above(1, "solid")).report.findings == []


def test_entries_of_other_widths_become_bytes() -> None:
    wide = found_in({**TRUE, "row_stride": 12, "column_stride": 2, "type": "u16le", "codes": "cells"})
    assert wide.entries["field"]["type"] == "u8"
    assert wide.mend is not None
    assert "type: u8" in wide.mend
    packed = found_in({**TRUE, "cells_per_byte": 2, "codes": "cells"})
    assert packed.entries["field"]["cells_per_byte"] == 1
    plain = found_in({**TRUE, "address": FIRST + 1, "codes": "cells"})
    assert "type" not in plain.entries["field"]


def test_a_mask_that_is_right_stays_where_the_field_is_elsewhere() -> None:
    one = found_in({**TRUE, "address": FIRST + 1, "codes": "cells", "mask": 0x7F}, junk=True)
    assert (one.says, one.mend) == (ELSEWHERE, "address: 0x0300, mask: 0x7f")
    # where it was missing, a narrower one may tell the cells as well
    other = found_in({**TRUE, "codes": "cells"}, junk=True)
    assert other.entries["field"]["mask"] & 0x80 == 0
    assert compared({**TRUE, "codes": "cells", "mask": 0x7F}, junk=True).report.holds == ["field"]
