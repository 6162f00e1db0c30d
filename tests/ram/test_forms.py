"""Every form of the map language, tested on RAM bytes that are written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import MEGADRIVE, NES, Ram
from ochibot.errors import MapError, PointerError
from ochibot.ram import ORIENTATIONS, UNKNOWN, BoundMap, RamMap
from pydantic import ValidationError

from tests.ram.writing import write_grid

COLORS = {"empty": 0, "red": 1, "green": 2, "blue": 3, "nuisance": 7}
HEAD = {"game": "g", "name": "m", "system": "nes", "seat": 1}


def bound(ram: Ram, codes: dict[str, Any] | None = None, system: str = "nes", **entries: dict[str, Any]) -> BoundMap:
    """A map with these entries, bound to the RAM. ``codes``: the values of its code tables."""
    tables = {name: {"source": "calibrated", "values": values} for name, values in (codes or {}).items()}
    content = {name: {"source": "calibrated", **entry} for name, entry in entries.items()}
    made = RamMap.model_validate({**HEAD, "system": system, "entries": content, "codes": tables})
    return BoundMap(made, ram, COLORS)


def nes(**there: list[int]) -> Ram:
    """RAM with these bytes: a12=[1, 2] puts 1 at 0x12 and 2 at 0x13."""
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    for where, values in there.items():
        for at, value in enumerate(values):
            ram[int(where[1:], 16) + at] = value
    return ram


ONE_VALUE = [
    # (bytes from 0x10 on, entry, its value)
    ([0xB7], {"mask": 0xF0, "shift": 4}, 0xB),
    ([0xB7], {"mask": 0x0F}, 7),
    ([0xB7], {"shift": 1}, 0x5B),
    ([0b0101_1010], {"mask": 0b0011_1000, "shift": 3}, 0b011),
    ([0x34, 0x12], {"type": "u16le", "mask": 0x0FF0, "shift": 4}, 0x23),
    ([0x12, 0x34], {"type": "u16be", "shift": 8}, 0x12),
    ([50], {"divide": 16}, 3),
    ([50], {"origin": 24, "divide": 16}, 1),
    ([23], {"origin": 24, "divide": 16}, -1),
    ([50], {"origin": 18, "divide": 16, "offset": 1}, 3),
    ([75], {"modulo": 12, "offset": 1}, 4),
    ([0x2C, 0x03], {"type": "u16le", "origin": 0x300, "divide": 2, "modulo": 8}, 6),
    ([3], {"origin": 4, "modulo": 6}, 5),
    ([5], {"scale": -1, "offset": 13}, 8),
    ([7], {"scale": -3, "divide": 2}, -11),
    ([200], {"offset": -200}, 0),
    ([0xFF], {"type": "s8"}, -1),
    ([0xFE, 0xFF], {"type": "s16le", "offset": 3}, 1),
    ([0xFF, 0x80], {"type": "s16be", "shift": 8}, -1),
    ([0x01, 0x80, 0x00], {"type": "s24be", "shift": 8}, 0x180),
    ([0xFF, 0xFF, 0xFF, 0x00], {"type": "s32be"}, -256),
    ([0x42], {"digits": "bcd"}, 42),
    ([0x12, 0x34, 0x56], {"type": "u24be", "digits": "bcd"}, 123456),
    ([0x56, 0x34, 0x12], {"type": "u24le", "digits": "bcd", "scale": 10}, 1234560),
    ([0x01, 0x23, 0x45, 0x67, 0x89], {"count": 5, "digits": "bcd"}, 123456789),
    ([0x89, 0x67], {"count": 2, "order": "low_first", "digits": "bcd"}, 6789),
    ([0xF3], {"digits": "bcd", "mask": 0x0F}, 3),
    ([0xA3], {"digits": "bcd"}, 3),
    ([0, 1, 2, 3, 4, 5], {"count": 6, "digits": "decimal"}, 12345),
    ([5, 4, 3, 0], {"count": 4, "order": "low_first", "digits": "decimal"}, 345),
    ([0x30, 0x39, 0x31], {"count": 3, "digits": "decimal", "zero": 0x30}, 91),
    ([0x20, 0x20, 0x31, 0x37], {"count": 4, "digits": "decimal", "zero": 0x30}, 17),
    ([1, 0xEE, 2, 0xEE, 3], {"count": 3, "stride": 2, "digits": "decimal"}, 123),
    ([0xC1, 0xC2], {"count": 2, "digits": "decimal", "mask": 0x0F}, 12),
    ([1, 2, 3, 4], {"type": "u32be", "digits": "decimal"}, 1234),
    ([7, 0, 250], {"plus": [0x12]}, 257),
    ([69, 0, 1, 1], {"type": "u16le", "plus": [0x12], "divide": 70}, 4),
    ([0x42, 0x09], {"plus": [0x11], "digits": "bcd"}, 51),
    ([1, 2, 9, 9], {"count": 2, "digits": "decimal", "plus": [0x12]}, 111),
    ([0xFF, 0xFE], {"type": "s8", "plus": [0x11]}, -3),
]


@pytest.mark.parametrize(("there", "how", "value"), ONE_VALUE)
def test_a_single_value(there: list[int], how: dict[str, Any], value: int) -> None:
    ram = nes(a10=there)
    game = bound(ram, v={"address": 0x10, **how}, other={"address": 0x40})
    assert game.value("v") == value
    assert game.several("v", "other", "v")() == (value, 0, value)
    ram[0x40] = 9
    assert game.several("other", "v")() == (9, value)


def test_two_bytes_tell_one_symbol() -> None:
    """A game keeps a step to the right and one down, and no byte of its own for how the pair lies."""
    turn = {0xFF00: "up", 0x0001: "right", 0x0100: "down", 0x00FF: "left"}
    where = {"addresses": [0x10, 0x20], "symbols": "turn"}
    for (right, down), word in {(0, 255): "up", (1, 0): "right", (0, 1): "down", (255, 0): "left"}.items():
        game = bound(nes(a10=[right], a20=[down]), {"turn": turn}, v=where)
        assert game.words("v")[game.value("v")] == word
    with pytest.raises(ValidationError, match="codes say what one byte means, or two of them"):
        bound(nes(), {"turn": turn}, v={"addresses": [0x10, 0x20, 0x30], "symbols": "turn"})


def test_digits_in_bytes_that_stand_apart() -> None:
    ram = nes(a10=[7], a20=[0], a30=[4])
    low_first = {"addresses": [0x10, 0x20, 0x30], "digits": "decimal"}
    assert bound(ram, v=low_first).value("v") == 407
    assert bound(ram, v={**low_first, "order": "high_first"}).value("v") == 704


@given(st.data())
def test_what_is_written_is_read_again_and_other_bits_stay(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from([1, 2, 3, 4]))
    kind = {1: "u8", 2: "u16be", 3: "u24le", 4: "u32be"}[width]
    if data.draw(st.booleans()):
        kind = kind.replace("u", "s")
    low = data.draw(st.integers(0, 8 * width - 1))
    mask = data.draw(
        st.none() | st.integers(1, (1 << 8 * width) - 1).map(lambda bits: bits << low & (1 << 8 * width) - 1)
    )
    how: dict[str, Any] = {
        "type": kind,
        "mask": mask or None,
        "shift": min(low, 31),
        "origin": data.draw(st.integers(-300, 300)),
        "scale": data.draw(st.integers(-7, 7).filter(bool)),
        "divide": data.draw(st.integers(1, 7)),
        "offset": data.draw(st.integers(-50, 50)),
    }
    ram = nes(a10=list(data.draw(st.binary(min_size=width, max_size=width))))
    try:
        game = bound(ram, v={"address": 0x10, **how})
    except ValidationError:
        return  # refused: the shift drops all bits of the mask
    value = game.value("v")
    ram.raw[0x10 : 0x10 + width] = list(data.draw(st.binary(min_size=width, max_size=width)))
    bits = (mask or (1 << 8 * width) - 1) >> low << low

    def others() -> int:
        number = int.from_bytes(ram.raw[0x10 : 0x10 + width].tobytes(), "big" if kind.endswith("be") else "little")
        return number & ~bits

    before = others()
    game.write("v", value)
    assert game.value("v") == value
    assert others() == before


@pytest.mark.parametrize(
    ("how", "most"),
    [
        ({"count": 4, "digits": "decimal", "zero": 0x60}, 9999),
        ({"addresses": [0x10, 0x18, 0x11], "digits": "decimal", "mask": 0x0F}, 999),
        ({"type": "u16le", "digits": "bcd"}, 9999),
        ({"count": 3, "digits": "bcd", "order": "low_first"}, 999_999),
    ],
)
def test_digits_are_written_and_read_again(how: dict[str, Any], most: int) -> None:
    ram = nes(a10=[0xA5] * 16)
    game = bound(ram, v={**({} if "addresses" in how else {"address": 0x10}), **how})
    for value in (0, 7, 10, most // 3, most):
        game.write("v", value)
        assert game.value("v") == value
    for wrong in (-1, most + 1):
        with pytest.raises(MapError, match="can't be stored"):
            game.write("v", wrong)


def test_what_cant_be_stored_is_refused() -> None:
    game = bound(
        nes(),
        {"turn": {0: "up", 3: "down"}},
        nibble={"address": 0x10, "mask": 0xF0, "shift": 4},
        tens={"address": 0x11, "scale": 10},
        pixels={"address": 0x12, "origin": 16, "divide": 16},
        signed={"address": 0x13, "type": "s8"},
        orientation={"address": 0x14, "symbols": "turn"},
    )
    for name, wrong in (("nibble", 16), ("tens", 5), ("pixels", 15), ("pixels", -2), ("signed", 128), ("signed", -129)):
        with pytest.raises(MapError, match="can't be stored"):
            game.write(name, wrong)
    game.write("pixels", -1)
    assert game.value("pixels") == -1
    game.write("orientation", "down")
    assert (game.value("orientation"), game.words("orientation")) == (ORIENTATIONS["down"], {2: "up", 0: "down"})
    with pytest.raises(MapError, match="no symbol 'left'"):
        game.write("orientation", "left")
    with pytest.raises(MapError, match="can't be stored"):
        game.write("orientation", ORIENTATIONS["left"])


def test_symbols_of_a_masked_byte_and_of_a_word() -> None:
    ram = nes(a10=[0xC2], a20=[0x01, 0x30])
    game = bound(
        ram,
        {"colors": {2: "red"}, "wide": {0x3001: "blue"}, "moods": {0: "calm", 2: "angry"}},
        axis={"address": 0x10, "mask": 0x0F, "codes": "colors"},
        mood={"address": 0x10, "mask": 0xC0, "shift": 6, "symbols": "moods"},
        wide={"address": 0x20, "type": "u16le", "symbols": "wide"},
    )
    assert game.several("axis", "wide")() == (COLORS["red"], COLORS["blue"])
    assert game.value("mood") == UNKNOWN
    ram[0x10] = 0x82
    assert game.words("mood")[game.value("mood")] == "angry"
    ram[0x20] = 2
    assert game.value("wide") == UNKNOWN


# -- grids

CELLS = np.array([[1, 2, 3], [4, 5, 6]])
"""The cells that each of ``GRIDS`` holds: 2 rows of 3 columns."""


def laid(row: int, column: int, **more: Any) -> dict[str, Any]:
    return {"address": 0x10, "row_stride": row, "column_stride": column, **more}


GRIDS: list[tuple[list[int], dict[str, Any]]] = [
    # (bytes from 0x10 on, how the six cells lie in them)
    ([1, 2, 3, 4, 5, 6], laid(3, 1)),
    # rows from the floor up
    ([4, 5, 6, 0, 1, 2, 3], laid(-4, 1, address=0x14)),
    # mirrored
    ([3, 2, 1, 6, 5, 4], laid(3, -1, address=0x12)),
    # column by column
    ([1, 4, 2, 5, 3, 6], laid(1, 2)),
    # a colour in bits 3 to 5, links in the other bits
    ([0x08, 0x53, 0xD8, 0x20, 0x6F, 0xB0], laid(3, 1, mask=0x38, shift=3)),
    # two bytes a cell
    ([1, 0x80, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0], laid(6, 2, type="u16le", mask=0xFF)),
    ([0, 0x17, 0, 0x27, 0, 0x37, 0, 0x47, 0, 0x57, 0, 0x67], laid(6, 2, type="u16be", mask=0x0FF0, shift=4)),
    # two cells per byte: strides count cells, not bytes
    ([0x21, 0x43, 0x65], laid(3, 1, cells_per_byte=2)),
    ([0x12, 0x30, 0x45, 0x60], laid(4, 1, cells_per_byte=2, order="high_first")),
    # two cells per byte, column by column, with links in the highest bit of each cell
    ([0x41, 0xDA, 0x6B], laid(1, 2, cells_per_byte=2, mask=7)),
]


@pytest.mark.parametrize(("there", "how"), GRIDS)
def test_a_grid(there: list[int], how: dict[str, Any]) -> None:
    ram = nes(a10=there)
    names = {1: "red", 2: "green", 3: "blue", 4: "empty", 5: "nuisance"}
    game = bound(
        ram,
        {"colors": names},
        plain={"rows": 2, "columns": 3, **how},
    )
    assert game.cells_reader("plain")() == bytes(range(1, 7))
    assert (game.grid("plain") == CELLS).all()
    colored = bound(ram, {"colors": names}, field={"rows": 2, "columns": 3, "codes": "colors", **how})
    meant = [COLORS[names[number]] for number in range(1, 6)] + [UNKNOWN]
    assert colored.grid("field").reshape(-1).tolist() == list(colored.cells_reader("field")()) == meant
    before = ram.snapshot()
    write_grid(game, "plain", CELLS[::-1].astype(np.uint8))
    assert (game.grid("plain") == CELLS[::-1]).all()
    write_grid(game, "plain", CELLS.astype(np.uint8))
    assert ram.snapshot() == before, "bits that the grid doesn't read have changed"


@given(st.data())
def test_any_grid_is_written_and_read_again(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 16)), data.draw(st.integers(1, 8))
    several = data.draw(st.sampled_from([1, 2, 4, 8]))
    row, column = (columns + data.draw(st.integers(0, 3)), 1) if data.draw(st.booleans()) else (1, rows)
    words = several == 1 and data.draw(st.booleans())
    signs = data.draw(st.tuples(st.sampled_from([1, -1]), st.sampled_from([1, -1])))
    bits = 16 if words else 8 // several
    low = data.draw(st.integers(0, bits - 1))
    high = data.draw(st.integers(low, min(bits - 1, low + 7)))
    how = {
        "address": 0x400,
        "rows": rows,
        "columns": columns,
        "row_stride": row * signs[0] * (2 if words else 1),
        "column_stride": column * signs[1] * (2 if words else 1),
        "type": data.draw(st.sampled_from(["u16le", "u16be"])) if words else "u8",
        "cells_per_byte": several,
        "mask": (1 << high + 1) - (1 << low),
        "shift": low,
    }
    order = data.draw(st.sampled_from(["low_first", "high_first"]))
    game = bound(nes(), v={**how, **({"order": order} if several > 1 else {})})
    most = (1 << high - low + 1) - 1
    cells = np.array(
        data.draw(st.lists(st.integers(0, most), min_size=rows * columns, max_size=rows * columns)), np.uint8
    ).reshape(rows, columns)
    write_grid(game, "v", cells)
    assert (game.grid("v") == cells).all()
    for y, x in ((0, 0), (rows - 1, columns - 1)):
        at = (y * row * signs[0] + x * column * signs[1]) * (2 if words else 1)
        assert game.name_of(0x400 + at // several) in {f"v[{b},{a}]" for b in range(rows) for a in range(columns)}


APART: list[tuple[dict[str, Any], list[list[int]]]] = [
    ({"addresses": [0x420, 0x400], "column_stride": 2}, [[0x420, 0x422], [0x400, 0x402]]),
    ({"addresses": [0x410, 0x400], "row_stride": -4}, [[0x410, 0x400], [0x40C, 0x3FC]]),
    ({"addresses": [0x410, 0x400], "row_stride": 4, "type": "u16be", "mask": 0xFF}, [[0x411, 0x401], [0x415, 0x405]]),
]


@pytest.mark.parametrize(("how", "where"), APART)
def test_rows_or_columns_may_lie_apart(how: dict[str, Any], where: list[list[int]]) -> None:
    ram = nes()
    game = bound(ram, v={**how, "rows": 2, "columns": 2})
    cells = np.array([[1, 2], [3, 4]], np.uint8)
    write_grid(game, "v", cells)
    assert [[ram[at] for at in row] for row in where] == cells.tolist()
    assert (game.grid("v") == cells).all()
    assert sum(ram.snapshot()) == 10


@pytest.mark.parametrize(("order", "bits"), [("low_first", (1, 2, 4)), ("high_first", (128, 64, 32))])
def test_bits_of_several_planes_are_one_cell(order: str, bits: tuple[int, int, int]) -> None:
    ram = nes()
    how = {"rows": 2, "columns": 3, "row_stride": 16, "column_stride": 1, "cells_per_byte": 8, "order": order}
    game = bound(ram, v={**how, "planes": [0x400, 0x410, 0x404]})
    ram[0x400], ram[0x410], ram[0x404], ram[0x412] = bits[0] | 0x08, bits[1], bits[1] | bits[2], bits[2]
    assert game.grid("v").tolist() == [[1, 2, 3], [0, 0, 2]]
    write_grid(game, "v", np.array([[3, 0, 3], [0, 1, 0]], np.uint8))
    assert game.grid("v").tolist() == [[3, 0, 3], [0, 1, 0]]
    assert (ram[0x400], ram[0x404], ram[0x402], ram[0x412]) == (0x08, bits[0] | bits[2], bits[1], 0)
    assert game.name_of(0x412) in {f"v[1,{column}]" for column in range(3)}


def test_planes_may_be_the_binary_digits_of_a_cell() -> None:
    ram = nes()
    how = {"rows": 1, "columns": 4, "row_stride": 8, "column_stride": 1, "cells_per_byte": 8, "binary": True}
    game = bound(ram, v={**how, "planes": [0x400, 0x410, 0x404]})
    ram[0x400], ram[0x410], ram[0x404] = 0b0101, 0b0110, 0b1100
    assert game.grid("v").tolist() == [[1, 2, 7, 4]]
    write_grid(game, "v", np.array([[6, 0, 5, 3]], np.uint8))
    assert game.grid("v").tolist() == [[6, 0, 5, 3]]
    assert (ram[0x400], ram[0x410], ram[0x404]) == (0b1100, 0b1001, 0b0101)


def test_the_first_cell_may_be_the_second_of_its_byte() -> None:
    ram = nes(a400=[0x1F, 0x32])
    how = {"address": 0x400, "rows": 1, "columns": 3, "row_stride": 4, "column_stride": 1, "cells_per_byte": 2}
    assert bound(ram, v={**how, "skip": 1}).grid("v").tolist() == [[1, 2, 3]]
    assert bound(nes(a400=[0xF1, 0x23]), v={**how, "skip": 1, "order": "high_first"}).grid("v").tolist() == [[1, 2, 3]]


# -- pointers


def test_a_value_and_a_grid_where_bytes_point() -> None:
    ram = nes(a10=[0x00, 0x03], a300=[7, 1, 2], a305=[9], a420=[8, 3, 1])
    game = bound(
        ram,
        {"colors": {1: "red", 2: "green", 3: "blue"}},
        x={"pointer": {"address": 0x10, "type": "u16le"}},
        cells={
            "pointer": {"address": 0x10, "type": "u16le", "offset": 1},
            "rows": 1,
            "columns": 2,
            "row_stride": 2,
            "column_stride": 1,
            "codes": "colors",
        },
        far={"pointer": {"address": 0x10, "type": "u16le", "offset": 5}, "type": "u8", "scale": 10},
    )
    assert (game.value("x"), game.cells_reader("cells")(), game.value("far")) == (7, bytes([1, 2]), 90)
    assert game.several("x", "far")() == (7, 90)
    assert game.name_of(0x302) == "cells[0,1]"
    ram[0x10], ram[0x11] = 0x20, 0x04
    assert (game.value("x"), game.grid("cells").tolist(), game.base("x")) == (8, [[3, 1]], 0x420)
    assert game.addresses("cells") == [0x421, 0x422]
    game.write("x", 66)
    write_grid(game, "cells", np.array([[2, 2]], np.uint8))
    assert [ram[0x420 + at] for at in range(3)] == [66, 2, 2]


@pytest.mark.parametrize(
    ("kind", "there", "leads"),
    [("u8", [0x7F], 127), ("s8", [0x7F], 127), ("s8", [0x80], -128), ("s8", [0xFF], -1), ("s16le", [0xFE, 0xFF], -2)],
)
def test_a_signed_pointer_leads_back_from_its_offset(kind: str, there: list[int], leads: int) -> None:
    ram = nes(a10=there)
    for scale in (1, 3):
        place = 0x400 + scale * leads
        ram[place] = 77
        game = bound(ram, x={"pointer": {"address": 0x10, "type": kind, "offset": 0x400, "scale": scale}})
        assert game.value("x") == 77
        assert game.addresses("x") == [place]
        ram[place] = 0


def test_a_pointer_out_of_ram_is_reported_and_so_is_the_end_of_a_grid() -> None:
    ram = nes(a10=[0x00, 0x60])
    grid = {"rows": 2, "columns": 2, "row_stride": 0x10, "column_stride": 1}
    pointer = {"address": 0x10, "type": "u16le"}
    game = bound(ram, x={"pointer": pointer}, cells={"pointer": {**pointer, "offset": 0x100}, **grid})
    for read in (lambda: game.value("x"), lambda: game.cells_reader("cells")(), lambda: game.write("x", 1)):
        with pytest.raises(
            PointerError, match=r"pointer of the entry '\w+' of the map m, the bytes at 0x0010, leads to"
        ):
            read()
    ram[0x10], ram[0x11] = 0xEF, 0x06  # now the pointer puts the grid's last row beyond RAM
    assert game.value("x") == 0
    with pytest.raises(PointerError, match="0x0800 is not in RAM"):
        game.grid("cells")


def test_slots_by_number_and_addresses_of_24_bits() -> None:
    ram = nes(a10=[3], a230=[0x55])
    slots = bound(ram, x={"pointer": {"address": 0x10, "type": "u8", "scale": 0x10, "offset": 0x200}})
    assert slots.value("x") == 0x55
    words = Ram(np.zeros(0x10000, np.uint8), MEGADRIVE.ram)
    # pointers: a word 8120, which the 68000 extends by its sign, and a long, whose highest byte it ignores
    for address, value in ((0xFF0010, 0x81), (0xFF0011, 0x20), (0xFF8120, 0xAB), (0xFF8121, 0xCD)):
        words[address] = value
    for at, value in enumerate((0x12, 0xFF, 0x81, 0x20)):
        words[0xFF0020 + at] = value
    game = bound(
        words,
        system="megadrive",
        short={"pointer": {"address": 0xFF0010, "type": "s16be"}, "type": "u16be"},
        long={"pointer": {"address": 0xFF0020, "type": "u32be", "offset": 1}},
    )
    assert (game.value("short"), game.value("long")) == (0xABCD, 0xCD)


# -- what is refused


GRID = {"address": 0x300, "rows": 2, "columns": 2, "row_stride": 2, "column_stride": 1}

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"address": 1, "mask": 0x1FF}, "the mask 0x1ff has more bits"),
    ({"address": 1, "mask": 0x0F, "shift": 4}, "leaves nothing"),
    ({"address": 1, "shift": 8}, "leaves nothing"),
    ({"address": 1, "scale": 0}, "scale of 0"),
    ({"address": 1, "divide": 0}, "divide"),
    ({"address": 1, "count": 3}, "give digits with it"),
    ({"address": 1, "zero": 0x30}, "give digits: decimal"),
    ({"address": 1, "order": "low_first"}, "order is for"),
    ({"address": 1, "stride": 2}, "give count with it"),
    ({"address": 1, "cells_per_byte": 2}, "are for grids"),
    ({"address": 1, "top": 1}, "are for grids"),
    ({"address": 1, "codes": "colors", "symbols": "colors"}, "give one of them"),
    ({"address": 1, "codes": "colors", "divide": 2}, "what one byte means"),
    ({"address": 1, "pointer": {"address": 1, "type": "u16le"}}, "only one of them"),
    ({"pointer": {"address": 0x7FF, "type": "u16le"}}, "0x0800 is outside RAM"),
    ({"pointer": {"address": 0x7FF}}, "type"),
    ({"address": 1, "type": "s8", "digits": "bcd"}, "no sign"),
    ({**GRID, "divide": 2}, "no digits, origin, scale, divide"),
    ({**GRID, "type": "u16le"}, "more than 255"),
    ({**GRID, "type": "u24le"}, "no other type"),
    ({**GRID, "row_stride": 0}, "stride of 0"),
    ({**GRID, "cells_per_byte": 3}, "cells_per_byte"),
    ({**GRID, "cells_per_byte": True}, "1, 2, 4 or 8"),
    ({**GRID, "cells_per_byte": 2, "type": "u16le"}, "no type"),
    ({**GRID, "cells_per_byte": 2, "mask": 0x1F}, "more bits"),
    ({**GRID, "row_stride": 1}, "overlaps itself"),
    ({**GRID, "skip": 1}, "fewer than cells_per_byte"),
    ({"address": 1, "skip": 1}, "fewer than cells_per_byte"),
    ({"addresses": [1, 2], "rows": 2, "columns": 2}, "lists the first cell of each row"),
    ({"addresses": [1, 2], "rows": 2, "columns": 2, "row_stride": 2, "column_stride": 1}, "lists the first cell"),
    ({"addresses": [1, 5, 9], "rows": 2, "columns": 2, "column_stride": 1}, "lists the first cell of each row"),
    ({"addresses": [1, 5], "rows": 2, "columns": 2, "column_stride": 1, "cells_per_byte": 2}, "whole bytes or words"),
    ({"addresses": [1, 2], "rows": 2, "columns": 2, "column_stride": 1}, "overlaps itself"),
    ({"planes": [1, 2], "cells_per_byte": 8}, "are for grids"),
    ({**GRID, "planes": [1, 2]}, "only one of them"),
    ({"planes": [1, 2], "rows": 1, "columns": 2, "row_stride": 8, "column_stride": 1}, "single bits"),
    (
        {"planes": [1, 1], "rows": 1, "columns": 2, "row_stride": 8, "column_stride": 1, "cells_per_byte": 8},
        "overlaps itself",
    ),
    ({**GRID, "binary": True}, "binary is for"),
    ({"address": 0x3, "rows": 2, "columns": 2, "row_stride": -4, "column_stride": 1}, "outside RAM"),
    ({"address": 1, "plus": [2], "codes": "colors"}, "plus adds numbers"),
    ({"addresses": [1, 2], "plus": [4]}, "plus adds numbers"),
    ({"address": 1, "plus": [0x900]}, "outside RAM"),
]


@pytest.mark.parametrize(("entry", "words"), WRONG)
def test_what_makes_no_sense_is_refused(entry: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        bound(nes(), {"colors": {1: "red"}}, thing=entry)


def test_entries_may_share_a_byte_by_different_bits() -> None:
    ram = nes(a300=[0x21, 0x43, 0x65, 0x87])
    low, high = {**GRID, "mask": 0x0F}, {**GRID, "mask": 0xF0, "shift": 4}
    game = bound(ram, colors=low, links=high)
    assert (game.grid("colors").tolist(), game.grid("links").tolist()) == ([[1, 3], [5, 7]], [[2, 4], [6, 8]])
    with pytest.raises(ValidationError, match=r"entries\.links: address 0x0300 overlaps entries\.colors"):
        bound(ram, colors=low, links={**GRID, "mask": 0xF8, "shift": 3})
    # the high byte of a word is free for another entry if the mask leaves it out
    bound(ram, x={"address": 0x10, "type": "u16le", "mask": 0xFF}, y={"address": 0x11})
    # several entries may use the same pointer
    pointer = {"address": 0x10, "type": "u16le"}
    bound(ram, x={"pointer": pointer}, y={"pointer": {**pointer, "offset": 1}}, way={"address": 0x10, "type": "u16le"})


def test_two_values_may_be_made_of_one_number() -> None:
    """One number contains the pair's x and y, and another both colours of the next pair."""
    ram = nes(a10=[12 * 5 + 2], a20=[2 * 4 + 1])
    names = ("red", "green", "blue", "nuisance")
    tables = {
        "first": {number: names[number // 4] for number in range(16)},
        "second": {number: names[number % 4] for number in range(16)},
    }
    game = bound(
        ram,
        tables,
        x={"address": 0x10, "modulo": 12, "offset": 1},
        y={"address": 0x10, "divide": 12},
        next_axis={"address": 0x20, "codes": "first"},
        next_partner={"address": 0x20, "codes": "second"},
    )
    assert game.several("x", "y")() == (3, 5)
    assert game.several("next_axis", "next_partner")() == (COLORS["blue"], COLORS["green"])
    with pytest.raises(MapError, match="can't be stored"):
        game.write("x", 4)
    for other in ({"address": 0x10}, {"address": 0x10, "offset": 1}, {"address": 0x10, "mask": 0x0F, "divide": 2}):
        with pytest.raises(ValidationError, match="overlaps"):
            bound(ram, x={"address": 0x10}, y=other)


def test_a_code_that_no_entry_can_hold_is_refused() -> None:
    with pytest.raises(
        ValidationError, match=r"codes\.colors\.values\.300: no entry of this table holds more than 255"
    ):
        bound(nes(), {"colors": {300: "red"}}, axis={"address": 0x10, "codes": "colors"})
