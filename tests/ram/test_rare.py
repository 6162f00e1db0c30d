"""Rare cases of maps: pointers with many targets, maps with many values, a closed console, unusual forms of entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.console import NES, Ram
from ochibot.errors import ConsoleError, MapError
from ochibot.ram import load_map
from ochibot.ram.bound import NamedRam
from ochibot.ram.entry import Entry
from ochibot.ram.values import meaning, stored
from pydantic import ValidationError

from tests.ram.test_forms import GRID, HEAD, bound, nes


def test_a_pointer_that_has_led_to_many_places_leads_to_each_of_them() -> None:
    ram = nes()
    game = bound(ram, far={"pointer": {"address": 0x10, "type": "u16le"}})
    read = game.reader("far")
    for address in range(0x100, 0x200):
        ram[address] = address & 0xFF
    for address in (*range(0x100, 0x200), 0x100, 0x1FF, 0x100):
        ram[0x10], ram[0x11] = address & 0xFF, address >> 8
        assert read() == address & 0xFF


def test_values_read_together_are_right_however_many_there_have_been() -> None:
    ram = nes()
    game = bound(ram, wide={"address": 0x10, "type": "u16le", "scale": 3}, other={"address": 0x12})
    read = game.several("wide", "other")
    for number in (*range(0, 5000), 0, 1, 4999):
        ram[0x10], ram[0x11], ram[0x12] = number & 0xFF, number >> 8, number % 7
        assert read() == (3 * number, number % 7)


def test_a_closed_console_is_reported_as_that_and_not_as_a_wrong_map() -> None:
    class Closed(Ram):
        closed = False

        def index(self, address: int) -> int:
            if self.closed:
                raise ConsoleError("the console is closed")
            return super().index(address)

    ram = Closed(np.zeros(0x800, np.uint8), NES.ram)
    game = bound(ram, near={"address": 0x10}, far={"pointer": {"address": 0x12, "type": "u16le"}})
    ram.closed = True
    with pytest.raises(ConsoleError, match=r"^the console is closed$"):
        game.addresses("near")


def test_words_of_plain_bytes_are_read_as_numbers() -> None:
    grid = {"address": 0x20, "rows": 2, "columns": 2, "row_stride": 2, "column_stride": 1}
    ram = nes(a20=[1, 200, 3, 255])
    game = bound(ram, cells=grid)
    assert game.raw_grid("cells").tolist() == [[1, 200], [3, 255]]
    assert game.cells_reader("cells")() == bytes([1, 200, 3, 255])


def test_ram_by_names_and_addresses() -> None:
    ram = nes(a10=[7])
    named = NamedRam(bound(ram, score={"address": 0x10}, cells=GRID), ram)
    assert (named["score"], named[0x10], named.names()) == (7, 7, ("score", "cells"))
    named[0x10] = 9
    assert named["score"] == 9
    named["score"] = 11
    assert ram[0x10] == 11
    assert isinstance(named["cells"], np.ndarray)
    with pytest.raises(MapError, match="has no entry 'scoer'; it has score, cells"):
        named["scoer"]


@pytest.mark.parametrize(
    ("how", "value", "number"),
    [
        ({"digits": "decimal", "count": 2}, 42, 0x0402),
        ({"digits": "decimal", "count": 2}, 99, 0x0909),
        ({"digits": "decimal", "count": 2}, 100, None),
        ({"digits": "decimal", "count": 2}, -1, None),
        ({"digits": "decimal", "count": 2, "zero": 0x30}, 42, 0x3432),
        ({"digits": "decimal", "count": 2, "zero": 0xFA}, 42, 0xFEFC),
        ({"digits": "decimal", "count": 2, "zero": 0xFA}, 96, None),
        ({"digits": "decimal", "count": 2, "mask": 0x07}, 78, None),
        ({"digits": "decimal", "count": 2, "mask": 0x07}, 77, 0x0707),
        ({"digits": "bcd"}, 42, 0x42),
        ({"digits": "bcd"}, 100, None),
        ({"type": "s8"}, -128, 0x80),
        ({"type": "s8"}, -129, None),
        ({"type": "s8"}, 127, 0x7F),
        ({"type": "s8"}, 128, None),
        ({"divide": 16}, 3, 48),
        ({"divide": 16, "origin": 5}, 0, 5),
        ({"divide": 16}, 16, None),
        ({"scale": 3}, 9, 3),
        ({"scale": 3}, 10, None),
        ({"scale": -1, "offset": 13}, 8, 5),
        ({"modulo": 12}, 3, None),
        ({"mask": 0xF0, "shift": 4}, 15, 0xF0),
        ({"mask": 0xF0, "shift": 4}, 16, None),
    ],
)
def test_the_bytes_that_mean_a_value(how: dict[str, Any], value: int, number: int | None) -> None:
    entry = Entry.model_validate({"address": 0x10, "source": "calibrated", **how})
    assert stored(entry, value, 0) == number
    if number is not None:
        assert meaning(entry)(number) == value


def test_a_byte_that_is_no_digit_counts_as_nothing() -> None:
    """Games blank leading zeros, so a byte that is no digit counts as 0."""
    decimal = Entry.model_validate({"address": 1, "source": "calibrated", "digits": "decimal", "count": 3})
    packed = Entry.model_validate({"address": 1, "source": "calibrated", "digits": "bcd", "type": "u16le"})
    assert [meaning(decimal)(number) for number in (0x0A0102, 0x090102, 0xFF0909)] == [12, 912, 99]
    assert [meaning(packed)(number) for number in (0x0A12, 0xA912, 0x9999)] == [12, 912, 9999]


def above(**more: Any) -> dict[str, Any]:
    first = {"address": 0x80, "column_stride": 1, **more.pop("above", {})}
    grid = {"address": 0x20, "rows": 3, "columns": 2, "row_stride": 2, "column_stride": 1}
    return {**grid, "above": first, **more}


def test_rows_above_lie_apart_and_there_is_one_more_below_them() -> None:
    ram = nes(a80=[1, 2], a20=[3, 4, 5, 6], a90=[7, 8])
    assert bound(ram, cells=above()).grid("cells").tolist() == [[1, 2], [3, 4], [5, 6]]
    two = above(above={"rows": 2, "row_stride": 0x10})
    assert bound(ram, cells=two).grid("cells").tolist() == [[1, 2], [7, 8], [3, 4]]
    for wrong in (
        above(above={"rows": 3, "row_stride": 0x10}),
        above(above={"rows": 2}),
        above(above={"column_stride": 0}),
        above(cells_per_byte=2),
        {"address": 0x20, "above": {"address": 0x80, "column_stride": 1}},
    ):
        with pytest.raises(ValidationError, match="above tells where the first rows"):
            bound(nes(), cells=wrong)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("entries: 7\nextra: {a: {address: 1, source: calibrated}}\n", "entries"),
        (
            "entries: {a: {address: 1, source: calibrated}}\nextra: 7\n",
            "extra: is a mapping of names to entries",
        ),
        (
            "entries: {a: {address: 1, source: calibrated}}\nextra: {a: {address: 1, source: calibrated}}\n",
            "extra.a: is given in entries too; leave one of them out",
        ),
    ],
)
def test_tables_of_ones_own_that_make_no_sense(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("game: g\nname: m\nsystem: nes\nseat: 1\n" + text)
    with pytest.raises(MapError, match=words):
        load_map(path, {})


def test_a_map_of_another_system_or_of_none() -> None:
    with pytest.raises(ValidationError, match="there is no system 'abacus'; known are"):
        bound(nes(), system="abacus", v={"address": 0x10})
    assert HEAD["system"] == "nes"


def test_a_map_for_another_system_is_refused_by_both_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("game: g\nname: m\nsystem: nes\nseat: 1\nentries: {a: {address: 1, source: calibrated}}\n")
    assert load_map(path, {}, "nes").system == "nes"
    with pytest.raises(MapError, match=r"is a map of the game g \(system nes\), not of one for megadrive"):
        load_map(path, {}, "megadrive")
