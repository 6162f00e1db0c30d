"""Entries of a map under check, of games that keep the places of both halves, or colours in tables: by moments of play
whose truth is written down here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments.checking.entries import Entries, in_words, plain, raw_table
from ochibot.experiments.checking.field import Cells
from ochibot.experiments.checking.scenes import Fall, Reading, Scene, Truth
from ochibot.experiments.grid import Grid
from ochibot.experiments.yamlform import Flow, Hex, Row
from ochibot.falling.orientation import Orientation
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Report
from ochibot.ramtools.kinds import Symbols

X, Y, U, V, COLOR, TABLE, INDEX = 0x10, 0x11, 0x12, 0x13, 0x20, 0x40, 0x30
SIDES = {Orientation.UP: (0, -1), Orientation.RIGHT: (1, 0), Orientation.DOWN: (0, 1), Orientation.LEFT: (-1, 0)}
CONSOLE = SimpleNamespace(
    rom=SimpleNamespace(system="nes"), ram=SimpleNamespace(raw=np.zeros(0x800, np.uint8), banks=[])
)
RIG: Any = SimpleNamespace(console=CONSOLE, offset=lambda address: address, address=lambda offset: offset)
SYMBOLS = {"empty": 0, "red": 1, "green": 2, "blue": 3}
MOMENTS = [
    (column, row, side)
    for number, (column, row) in enumerate([(1, 2), (3, 5), (6, 13), (4, 9), (2, 7), (5, 11)])
    for side in list(Orientation)[number % 2 :: 2]
]


def place(at: int, **said: Any) -> dict[str, Any]:
    return {"address": at, "source": "calibrated", **said}


TRUE = {
    "x": place(X, divide=8), "y": place(Y), "partner_x": place(U, divide=8), "partner_y": place(V),
}  # fmt: skip


def ram_of(column: int, row: int, side: Orientation) -> Any:
    across, down = SIDES[side]
    ram = np.zeros(0x800, np.uint8)
    ram[[X, Y, U, V]] = 8 * column, row, 8 * (column + across), row + down
    # a copy of the orientation, and bytes that mean nothing
    ram[0x60] = list(Orientation).index(side)
    ram[0x70:0x80] = column * row % 7
    return ram


def map_of(entries: Mapping[str, Any], **said: Any) -> RamMap:
    return RamMap.model_validate(
        {"game": "mine", "name": "a", "system": "nes", "seat": 1, "entries": entries, "signs": {}, **said}
    )


def truth_of(entries: Mapping[str, Any], codes: Mapping[str, Any] | None = None, **said: Any) -> Truth:
    found = Truth.__new__(Truth)
    found.data = {"entries": entries, "codes": codes or {}}
    found.reading = Reading(map_of(entries, codes=codes or {}, **said), RIG, SYMBOLS)
    found.learnt = SimpleNamespace()  # type: ignore[assignment]
    return found


def compared(entries: Mapping[str, Any], truth: Truth, **said: Any) -> Entries:
    reading = Reading(map_of(entries, **said), RIG, SYMBOLS)
    return Entries(reading, truth, Report(), {}, lambda address: address)


FALLS = [Fall((Scene(ram_of(*moment), True), Scene(np.zeros(0x800, np.uint8), False)), None, ram_of(*moment))
         for moment in MOMENTS]  # fmt: skip
HALVES = {"pair": {"denotes": "halves"}}


@pytest.mark.parametrize(
    ("wrong", "about", "mend"),
    [
        ({}, None, None),
        ({"x": place(X, divide=8, offset=1)}, "x", {"address": X, "divide": 8}),
        ({"y": place(Y, offset=2)}, "y", {"address": Y}),
        ({"partner_x": place(X, divide=8)}, "partner_x", {"address": U, "divide": 8}),
        ({"partner_y": place(0x70)}, "partner_y", {"address": V}),
        ({"partner_y": place(V, scale=-1)}, "partner_y", {"address": V}),
    ],
)
def test_places_of_both_halves_are_compared(wrong: dict[str, Any], about: str | None, mend: Any) -> None:
    entries = compared({**TRUE, **wrong}, truth_of(TRUE, **HALVES), **HALVES)
    entries.place(FALLS)
    report = entries.report
    assert sorted(report.holds) == sorted(name for name in TRUE if name != about)
    assert [one.about for one in report.findings] == ([] if about is None else [about])
    for one in report.findings:
        made = {word: value for word, value in one.entries[str(about)].items() if word != "source"}
        assert made == mend
        # the mended map reads what is true
        fixed = compared({**TRUE, str(about): one.entries[str(about)]}, truth_of(TRUE, **HALVES), **HALVES)
        fixed.place(FALLS)
        assert (fixed.report.findings, len(fixed.report.holds)) == ([], 4)
        assert one.addresses == tuple(dict.fromkeys([wrong[str(about)]["address"], mend["address"]]))


def test_the_truth_tells_where_a_pair_is_by_both_halves() -> None:
    truth = truth_of(TRUE, **HALVES)
    for moment in MOMENTS:
        assert truth.place(ram_of(*moment)) == moment
    far = ram_of(*MOMENTS[0])
    far[U] += 16
    assert truth.place(far) is None


CORNERS = {"x": place(U, divide=8), "y": place(V), "orientation": place(0x60, symbols="sides")}
SIDES_OF = {"codes": {"sides": {"source": "calibrated", "values": {0: "down", 1: "left", 2: "up", 3: "right"}}}}


def test_a_map_of_the_axis_is_contradicted_where_x_and_y_are_of_the_box() -> None:
    """In RAM are the left column and the lower row of a pair that turns within a box."""
    falls = []
    for column, row, side in MOMENTS:
        ram, (across, down) = ram_of(column, row, side), SIDES[side]
        ram[[U, V]] = 8 * min(column, column + across), max(row, row + down)
        falls.append(Fall((Scene(ram, True),), None, ram))
    boxed: dict[str, Any] = {**SIDES_OF, "pair": {"denotes": "box"}}
    truth = truth_of(CORNERS, **boxed)
    assert [truth.place(fall.end) for fall in falls] == MOMENTS
    right = compared(CORNERS, truth, **boxed)
    right.place(falls)
    assert (sorted(right.report.holds), right.report.findings) == (["orientation", "x", "y"], [])
    for wrong in ("axis", "partner"):
        entries = compared(CORNERS, truth, **SIDES_OF, pair={"denotes": wrong})
        entries.place(falls)
        (found,) = entries.report.findings
        assert (found.about, found.pair, found.mend) == ("pair", {"denotes": "box"}, "pair: {denotes: box}")
        assert sorted(entries.report.holds) == ["orientation", "x", "y"]


@pytest.mark.parametrize(("too", "words"), [(1, "1 too large"), (-3, "3 too small")])
def test_an_entry_that_is_off_by_a_number_is_told_so(too: int, words: str) -> None:
    entries = compared({**TRUE, "y": place(Y, offset=too)}, truth_of(TRUE, **HALVES), **HALVES)
    told = [(ram_of(*moment), moment[1]) for moment in MOMENTS]
    entries.number("y", told, None, "it is elsewhere")
    (found,) = entries.report.findings
    first = MOMENTS[0][1]
    wanted = f"it reads {first + too} where it must be {first}: "
    assert found.says == wanted + (f"{abs(too)} too {'small' if too < 0 else 'large'}")
    assert words in found.says
    assert found.mend == "no offset and no scale"
    # a number that no form of its byte is
    entries.number("x", told, None, "it is elsewhere")
    assert entries.report.findings[-1].says.startswith("it is elsewhere: it reads ")
    assert entries.report.findings[-1].mend is None


# -- colours

WORDS = ("red", "green", "blue")


def colored(number: int) -> Any:
    ram = np.zeros(0x800, np.uint8)
    ram[COLOR] = 0x10 * (number % 3 + 1) + number % 2
    ram[INDEX] = number % 8
    ram[TABLE : TABLE + 16 : 2] = [1 + (at + at // 3) % 3 for at in range(8)]
    return ram


BYTES = [(colored(number), WORDS[number % 3]) for number in range(12)]
IN_A_TABLE = [(ram, WORDS[int(ram[TABLE + 2 * int(ram[INDEX])]) - 1]) for ram, _ in BYTES]
CODES = {"cells": {"source": "calibrated", "values": {1: "red", 2: "green", 3: "blue"}}}


def color_entries(entry: Mapping[str, Any], learnt: Mapping[str, Any] | None) -> Entries:
    truth = truth_of({} if learnt is None else {"next_axis": learnt}, CODES)
    return compared({"next_axis": entry}, truth, codes=CODES)


def test_a_colour_in_the_high_bits_of_a_byte_gets_a_shift() -> None:
    entries = color_entries(place(COLOR, codes="cells", mask=0x0F), None)
    entries.colors("next_axis", BYTES, {}, "colors")
    (found,) = entries.report.findings
    fixed = color_entries(found.entries["next_axis"], None)
    fixed.colors("next_axis", BYTES, {}, "colors")
    assert (fixed.report.holds, fixed.report.findings) == (["next_axis"], [])
    assert found.mend == "shift: 4"
    assert found.says == "the byte 0x10 is unknown; it was red"


def test_a_colour_that_is_in_a_table_gets_a_pointer() -> None:
    pointer = {"address": INDEX, "type": "u8", "scale": 2, "offset": TABLE}
    learnt = {"pointer": pointer, "codes": "cells", "source": "calibrated", "note": "the game obeys it"}
    entries = color_entries(place(COLOR, codes="cells"), learnt)
    entries.colors("next_axis", IN_A_TABLE, {}, "colors")
    (found,) = entries.report.findings
    assert (found.says, found.addresses) == ("the colour is in a table", (COLOR,))
    assert found.entries == {"next_axis": {"pointer": pointer, "codes": "learnt_cells", "source": "calibrated"}}
    assert found.codes == {"learnt_cells": CODES["cells"]}
    assert found.mend == f"pointer: {pointer}"
    # without such a table nothing can be proposed
    other = color_entries(place(COLOR, codes="cells"), None)
    other.colors("next_axis", IN_A_TABLE, {}, "colors")
    (found,) = other.report.findings
    assert (found.says, found.mend, found.entries, found.codes) == ("no byte holds that colour", None, {}, {})
    assert found.seen.startswith(f"at {COLOR:04X} 0x10 is ")


def test_a_colour_that_nothing_foretells_is_reported() -> None:
    entries = color_entries(place(COLOR, codes="cells"), None)
    entries.missing("next_axis")
    entries.missing("next2_axis")
    one, other = entries.report.findings
    assert (one.about, one.addresses, one.mend) == ("next_axis", (COLOR,), None)
    assert (other.about, other.addresses) == ("next2_axis", ())


# -- the field's codes


def cells_of(form: Symbols | None, table: str | None = "cells") -> Cells:
    found = Cells.__new__(Cells)
    entry = place(
        0x300, rows=12, columns=6, row_stride=6, column_stride=1, **({} if table is None else {"codes": table})
    )
    found.map = map_of({"field": entry}, codes=CODES)
    found.report, found.form, found.codes = Report(), form, {}
    found.report.holds = ["x", "field"]
    found.truth = SimpleNamespace(learnt=SimpleNamespace(basis=SimpleNamespace(view=None)))  # type: ignore[assignment]
    found.ground = SimpleNamespace(grid=Grid(0x342, 1, -6, 6, 0), visible=12, rig=RIG)  # type: ignore[assignment]
    return found


@pytest.mark.parametrize(("own", "table"), [(False, "cells"), (True, "cells_field")])
def test_further_codes_of_the_field_are_compared(own: bool, table: str) -> None:
    form = Symbols({0: "empty", 1: "red", 2: "green", 9: "nuisance"}, 0x1E, 1, own)
    cells = cells_of(form)
    # the byte's lowest bit means nothing here: 0x12 and 0x13 are the number 9
    cells.more({0x12: "nuisance", 0x13: "nuisance"}, "field's nuisance")
    assert cells.report.holds == ["x", "field", "field's nuisance"]
    cells.more({0x08: "nuisance", 0x02: "red"}, "field's nuisance")
    (found,) = cells.report.findings
    assert (found.about, found.addresses) == ("field", (0x300,))
    assert found.says == "the byte 0x08 is unknown; it was nuisance"
    assert found.mend == "codes: {0x04: nuisance}"
    assert found.codes == {table: {"source": "calibrated", "values": {0: "empty", 1: "red", 2: "green", 4: "nuisance"}}}
    assert cells.report.holds == ["x", "field's nuisance"]
    # what was mended holds now
    cells.more({0x09: "nuisance"}, "more")
    assert cells.report.holds[-1] == "more"
    cells.more({0x04: "nuisance"}, "wrong")
    assert cells.report.findings[-1].says == "the byte 0x04 is taken for green; it was nuisance"


def test_without_a_form_of_the_field_s_bytes_nothing_more_is_compared() -> None:
    cells = cells_of(None)
    cells.more({8: "nuisance"}, "field's nuisance")
    assert (cells.report.holds, cells.report.findings) == (["x", "field"], [])


def test_parts_of_entries_in_words_and_as_plain_values() -> None:
    entry = Flow(
        address=Hex(0x300), mask=0x0F, rows=12, addresses=Row([Hex(1), 2]), above=Flow(address=Hex(2)), codes="a"
    )
    made = plain(entry)
    assert made == {
        "address": 0x300,
        "mask": 15,
        "rows": 12,
        "addresses": [1, 2],
        "above": {"address": 2},
        "codes": "a",
    }
    assert type(made["address"]) is int
    assert type(made["above"]) is dict
    assert in_words({"address": 0x3F, "mask": 7, "rows": 12}) == ["address: 0x003f", "mask: 0x07", "rows: 12"]


@pytest.mark.parametrize(("most", "more"), [(2, ", and 2 more"), (3, ", and 1 more"), (4, ""), (9, "")])
def test_bytes_are_listed_up_to_some(most: int, more: str) -> None:
    samples: Sequence[tuple[int, str]] = [(9, "d"), (1, "a"), (3, "c"), (1, "a"), (2, "b")]
    shown = ", ".join(f"0x0{byte} is {word}" for byte, word in [(1, "a"), (2, "b"), (3, "c"), (9, "d")][:most])
    assert raw_table(samples, 0x30, most) == f"at 0030 {shown}{more}"
