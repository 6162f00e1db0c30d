"""``ram check`` of entries in games without rules: what is proposed for a wrong entry reads what is true."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.experiments.checking.pieces import PieceEntries
from ochibot.experiments.checking.scenes import Reading
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.grid import Grid
from ochibot.games.filed.families import Piece
from ochibot.ramtools.findings import Report

from tests.experiments.test_entries import RIG, map_of

X, Y, LOWER, UPPER, SCORE, COPY, FIELD, WIDE, HIGH = 0x10, 0x11, 0x20, 0x21, 0x30, 0x40, 0x100, 5, 8
WORDS = {0: "empty", 0x11: "ruby", 0x12: "jade", 0x13: "opal"}
KINDS = (0x11, 0x12, 0x13)
CODES = {
    "cells": {"source": "calibrated", "values": WORDS},
    "piece": {"source": "calibrated", "values": {1: "ruby", 2: "jade", 3: "opal"}},
}
PIECE = Piece(("lower", "upper"), ("next_lower",), column=1, row=1)
MOMENTS = [(column, row, (column + 2 * row) % 3, row % 3) for row in range(HIGH) for column in range(WIDE)]
"""The piece's column and row from the lowest, and the numbers of its cells' kinds."""
TRUE: dict[str, Any] = {
    "x": {"address": X, "divide": 8, "offset": 1}, "y": {"address": Y, "origin": 40, "divide": 8, "offset": 1},
    "lower": {"address": LOWER, "codes": "piece"}, "upper": {"address": UPPER, "codes": "piece"},
    "field": {
        "address": FIELD, "rows": HIGH, "columns": WIDE, "row_stride": WIDE, "column_stride": 1, "codes": "cells",
    },
    "score": {"address": SCORE, "type": "u16le"},
}  # fmt: skip


def ram_of(column: int, row: int, lower: int, upper: int) -> Any:
    ram = np.zeros(0x800, np.uint8)
    ram[[X, Y, LOWER, UPPER]] = 8 * column, 40 + 8 * (HIGH - 1 - row), lower + 1, upper + 1
    ram[[SCORE, SCORE + 1]] = 70 * row & 255, 70 * row >> 8
    # a number of each place, the other's byte, and a copy of a kind's
    ram[COPY : COPY + 3] = 7 * row + column, 8 * column + row, lower + 1
    # the field's first row is the highest one; something else lies behind it
    rows = np.zeros((HIGH, WIDE), np.uint8)
    for at in range(row):
        rows[HIGH - 1 - at] = [KINDS[(at + c + column) % 3] for c in range(WIDE)]
    ram[FIELD : FIELD + HIGH * WIDE] = rows.ravel()
    ram[FIELD + HIGH * WIDE :][:WIDE] = 0x12
    return ram


RAMS = [ram_of(*moment) for moment in MOMENTS]


def checked(entries: dict[str, Any], *, score: bool = True, cells: int = 2) -> PieceEntries:
    made = PieceEntries.__new__(PieceEntries)
    data = {name: {"source": "calibrated", **entry} for name, entry in entries.items()}
    made.map, made.piece, made.rig, made.report = map_of(data, codes=CODES), PIECE, RIG, Report()
    made.reading = Reading(made.map, RIG, {})
    made.learnt = {"entries": {
        "field": {**TRUE["field"], "note": "seen"}, "x": {"address": X}, "y": {"address": Y}, "score": TRUE["score"],
    }}  # fmt: skip
    made.truth = Reading(map_of({"score": {"source": "calibrated", **TRUE["score"]}}), RIG, {})
    made.symbols = {}
    shapes = {(None, 0): tuple((0, row) for row in range(cells))}
    byte = [ColorByte(at, 0xFF, {kind: n + 1 for n, kind in enumerate(KINDS)}, followed=True) for at in (LOWER, UPPER)]
    grid = Grid(FIELD + WIDE * (HIGH - 1), 1, -WIDE, WIDE, 0)
    basis = SimpleNamespace(
        place=SimpleNamespace(grid=grid, rows=HIGH, spot=lambda x, y: (x // 8, HIGH - 1 - (y - 40) // 8)),
        x=(X, 8), y=(Y, 8),
    )  # fmt: skip
    some: Any = SimpleNamespace(
        basis=basis, codes=dict.fromkeys(KINDS, 9), shapes=shapes, score=object() if score else None,
        told=[SimpleNamespace(name=f"cell{n + 1}", ahead=0, byte=one) for n, one in enumerate(byte)],
    )  # fmt: skip
    made.made = some
    landings: Any = [SimpleNamespace(after=ram) for ram in RAMS]
    made._field(landings)
    made.symbols = made.symbols or {kind: WORDS[kind] for kind in KINDS}
    made._place("x", "x", [(ram, made._spot(ram)[0]) for ram in RAMS])
    made._place("y", "y", [(ram, -made._spot(ram)[1]) for ram in RAMS])
    made._cells(PIECE.cells, 0, RAMS)
    made._cells(PIECE.following, 1, RAMS)
    made._score(RAMS)
    return made


def test_true_entries_hold() -> None:
    made = checked(TRUE)
    assert made.report.findings == []
    assert set(made.report.holds) == TRUE.keys()
    # the family may take another of the piece's cells for its place
    for cell in range(3):
        other = checked({**TRUE, "y": {**TRUE["y"], "offset": 1 - cell}}, cells=2)
        assert ("y" in other.report.holds) is (cell < 2)


wrongs = st.one_of(
    st.tuples(st.just("x"), st.sampled_from([X, COPY, COPY + 1]), st.integers(-3, 4), st.sampled_from([1, -1])),
    st.tuples(st.just("y"), st.sampled_from([Y, COPY, COPY + 1]), st.integers(-3, 4), st.sampled_from([1, -1])),
    st.tuples(st.sampled_from(["lower", "upper"]), st.sampled_from([COPY, COPY + 2, 0x50]), st.just(0), st.just(1)),
    st.tuples(st.just("score"), st.sampled_from([SCORE, SCORE + 1, COPY]), st.just(0), st.sampled_from([1, 10])),
    st.tuples(st.just("field"), st.integers(FIELD - 2, FIELD + 6), st.integers(-1, 1), st.sampled_from([1, 2])),
)


def other(name: str, address: int, more: int, scale: int) -> dict[str, Any]:
    entry = {**TRUE[name], "address": address}
    if name in ("x", "y"):
        entry |= {"offset": 1 + more, "scale": scale}
    elif name == "score":
        entry |= {"scale": scale}
    elif name == "field":
        entry |= {"rows": HIGH + more, "column_stride": scale}
    return entry


@settings(max_examples=40)
@given(wrongs)
def test_what_is_proposed_for_a_wrong_entry_reads_what_is_true(wrong: tuple[str, int, int, int]) -> None:
    name, *how = wrong
    entry = other(name, *how)
    made = checked({**TRUE, name: entry})
    reads = Reading(made.map, RIG, {})
    truth = Reading(map_of({one: {"source": "calibrated", **said} for one, said in TRUE.items()}, codes=CODES), RIG, {})
    if name == "field":
        same = entry["rows"] == HIGH and all(reads.cells(name, ram) == truth.cells(name, ram) for ram in RAMS)
    else:
        same = all(reads.value(name, ram) == truth.value(name, ram) for ram in RAMS)
        if name == "score":
            same |= all((reads.value(name, ram) or 0) == how[2] * (truth.value(name, ram) or 0) for ram in RAMS)
        if name == "y":
            # the upper of the piece's two cells
            same |= all((reads.value(name, ram) or 0) + 1 == truth.value(name, ram) for ram in RAMS)
    assert (name in made.report.holds) is same
    assert set(made.report.holds) == TRUE.keys() - (set() if same else {name})
    assert [finding.about for finding in made.report.findings] == ([] if same else [name])
    for finding in made.report.findings:
        patch = finding.entries[name]
        kept = {part: TRUE[name][part] for part in ("codes",) if part in TRUE[name]}
        mended = checked({**TRUE, name: {**kept, **patch}})
        assert mended.report.findings == []
        assert set(mended.report.holds) == TRUE.keys()
        # of a single byte the old and the new place are told
        assert set(finding.addresses) == {patch["address"], *([] if name in ("field", "score") else [entry["address"]])}


@pytest.mark.parametrize(
    ("entry", "says", "seen"),
    [
        ({"x": {"address": X, "divide": 8, "offset": 3}}, "it reads 3 where it must be 1", "from another number"),
        ({"x": {"address": 0x50}}, "its byte doesn't follow the piece: it reads 0 and 0", "was 1 column apart"),
        ({"y": {"address": 0x50}}, "its byte doesn't follow the piece: it reads 0 and 0", "was 1 row apart"),
        ({"score": {"address": 0x50}}, "it read 0", "the number that grew as cells vanished was 490"),
        ({"lower": {"address": 0x50, "codes": "piece"}}, "it reads None", "that cell of the piece was ruby"),
        ({"field": {**TRUE["field"], "columns": 4}}, "it has 8 rows and 4 columns", "to rest in 8 rows and 5 columns"),
        ({"field": {**TRUE["field"], "address": FIELD + 1}}, "its cells are elsewhere", "where a cell holds 0x00, the"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_words(entry: dict[str, Any], says: str, seen: str) -> None:
    (finding,) = checked({**TRUE, **entry}).report.findings
    assert finding.says.startswith(says)
    assert seen in finding.seen


def test_what_is_not_there_is_not_compared() -> None:
    made = checked({"field": TRUE["field"]})
    assert (made.report.holds, made.report.findings, made.report.notes) == (["field"], [], [])
    made = checked({**TRUE, "next_lower": {"address": 0x60, "codes": "piece"}}, score=False)
    assert set(made.report.holds) == TRUE.keys() - {"score"}
    assert made.report.notes == [
        "next_lower: not checked, no byte tells that cell of the piece",
        "score: not checked, no number in RAM grows as a score does",
    ]
    (finding,) = checked({name: entry for name, entry in TRUE.items() if name != "field"}).report.findings
    assert finding.says == "the map has none"


def test_different_bytes_of_cells_need_different_words() -> None:
    for values, lacking in (({0: "empty", 0x11: "ruby", 0x12: "ruby", 0x13: "opal"}, False), ({0: "empty"}, True)):
        made = checked(TRUE)
        codes = {**CODES, "cells": {"source": "calibrated", "values": values}}
        made.map = map_of({"field": {"source": "calibrated", **TRUE["field"]}}, codes=codes)
        made.reading, made.report, made.symbols = Reading(made.map, RIG, {}), Report(), {}
        made._field([SimpleNamespace(after=ram) for ram in RAMS])  # type: ignore[misc]
        (finding,) = made.report.findings
        assert (finding.says, finding.entries) == ("different bytes of cells have one word, or none", {})
        assert ("unknown" in finding.seen) is lacking
        assert "0x00: empty" in finding.seen
