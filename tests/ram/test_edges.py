"""Details of maps that the other tests missed: with each one, mutated code had passed those tests."""

from __future__ import annotations

from typing import Any

import pytest
from ochibot.errors import MapError
from ochibot.ram.entry import Entry
from pydantic import ValidationError

from tests.ram.test_forms import CELLS, GRID, GRIDS, bound, nes


@pytest.mark.parametrize(
    ("there", "how", "value"),
    [
        ([7], {}, 7),
        ([7], {"scale": 2}, 14),
        ([7], {"offset": 1}, 8),
        ([7], {"offset": -1}, 6),
        ([1, 1], {"type": "u16le"}, 257),
    ],
)
def test_a_value_read_by_itself_as_one_of_several(there: list[int], how: dict[str, Any], value: int) -> None:
    assert bound(nes(a10=there), v={"address": 0x10, **how}).several("v")() == (value,)


@pytest.mark.parametrize(("there", "how"), GRIDS)
def test_a_raw_grid_is_what_stands_in_ram_before_mask_and_shift(there: list[int], how: dict[str, Any]) -> None:
    game = bound(nes(a10=there), plain={"rows": 2, "columns": 3, **how})
    raw = game.raw_grid("plain")
    assert raw.shape == CELLS.shape
    mask, shift = how.get("mask", -1), how.get("shift", 0)
    assert ((raw.astype(int) & mask) >> shift).tolist() == CELLS.tolist()
    if how.get("type", "u8") != "u8":
        # a raw cell of two bytes is the whole word, in the byte order of its type
        assert raw[0, 0] == int.from_bytes(there[:2], "little" if how["type"] == "u16le" else "big")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"addresses": [1, 2], "rows": 1, "columns": 2, "row_stride": 2, "column_stride": 1}, "lists the first cell"),
        ({"addresses": [1, 2], "count": 2, "digits": "decimal"}, "lists single bytes"),
        ({"addresses": [1, 2], "type": "u16le"}, "lists single bytes"),
        ({"address": 1, "symbols": "moods"}, r"entries\.thing\.symbols: there is no code table 'moods'"),
        ({"address": 1, "codes": "moods"}, r"entries\.thing\.codes: there is no code table 'moods'"),
    ],
)
def test_what_makes_no_sense_is_refused_by_its_own_name(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        bound(nes(), thing=entry)


@pytest.mark.parametrize("kind", ["u16le", "u16be", "u24le"])
def test_each_byte_of_a_number_is_its_own(kind: str) -> None:
    width = {"u16le": 2, "u16be": 2, "u24le": 3}[kind]
    for at in range(width):
        with pytest.raises(ValidationError, match=f"address {0x10 + at:#06x} overlaps"):
            bound(nes(), x={"address": 0x10, "type": kind}, y={"address": 0x10 + at})
    assert bound(nes(), x={"address": 0x10, "type": kind}, y={"address": 0x10 + width}).value("y") == 0


def test_a_grid_is_no_single_value_and_a_single_value_no_grid() -> None:
    game = bound(nes(), cells=GRID, one={"address": 0x10})
    with pytest.raises(MapError, match="is a grid"):
        game.write("cells", 1)
    with pytest.raises(MapError, match="is a single value"):
        game.raw_grid("one")


def test_two_values_share_bits_by_parts_of_a_number_or_by_tables_of_their_own() -> None:
    def entry(**said: object) -> Entry:
        return Entry.model_validate({"address": 5, "source": "homebrew", **said})

    plain, other = entry(), entry(address=6)
    tens, ones = entry(divide=10), entry(modulo=10)
    red, blue = entry(codes="red"), entry(codes="blue")
    cell = {"rows": 1, "columns": 1, "row_stride": 1, "column_stride": 1}
    grid = entry(**cell)
    for one, two, shared in (
        (tens, ones, True),
        (plain, ones, True),
        (plain, plain, False),
        (red, blue, True),
        (red, red, False),
        (red, plain, False),
        (other, ones, False),
        (grid, ones, False),
        (entry(**cell, codes="red"), blue, False),
        (grid, grid, False),
    ):
        assert one.shares(two) is shared
        assert two.shares(one) is shared
