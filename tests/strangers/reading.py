"""Reads a stranger's values from RAM by the plain description that ``Truth.describe`` gives, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Peek = Callable[[int], int]
"""The byte at a CPU address."""


def read_field(peek: Peek, place: Mapping[str, Any], rows: int, columns: int) -> list[list[str]]:
    """The words of a field's cells, by row and column. Of links and flags nothing is told."""
    form = place["form"]
    codes = place.get("codes", {})
    mask = place.get("mask", 255)
    found = []
    for row in range(rows):
        line = []
        for column in range(columns):
            if form == "masks":
                line.append(_plane(peek, place, row, column))
                continue
            at = row * columns + column
            if form in ("ring", "pointers"):
                byte = peek(_row(peek, place, row, rows) + column)
            elif form == "nibbles":
                byte = peek(place["cells"][at]) >> place["shifts"][at] & 15
            else:
                byte = peek(place["cells"][at])
            line.append(codes[byte & mask if form != "nibbles" else byte])
        found.append(line)
    return found


def _row(peek: Peek, place: Mapping[str, Any], row: int, rows: int) -> int:
    if place["form"] == "pointers":
        return peek(place["pointers_low"] + row) | peek(place["pointers_high"] + row) << 8
    return int(place["address"] + (row + peek(place["first_row_at"])) % rows * place["row_stride"])


def _plane(peek: Peek, place: Mapping[str, Any], row: int, column: int) -> str:
    at = row * place["bytes_per_row"] + column // 8
    found = [name for name, first in place["planes"].items() if peek(first + at) << column % 8 & 0x80]
    return found[0] if found else "empty"


def read_number(peek: Peek, said: Mapping[str, Any]) -> int:
    """A number of points."""
    data = [peek(said["address"] + at) for at in range(said["bytes"])]
    if said["form"] == "big" or (said["form"] in ("bcd", "digits") and not said["low_first"]):
        data.reverse()
    value = 0
    for byte in reversed(data):
        if said["form"] == "bcd":
            value = value * 100 + int(f"{byte:x}")
        elif said["form"] == "digits":
            value = value * 10 + (0 if byte == said["blank"] else byte - said["zero"])
        else:
            value = value * 256 + byte
    return int(value * said["unit"])


def read_pieces(peek: Peek, said: Mapping[str, Any], size: int) -> list[list[str]]:
    """The pieces that an entry has: one, or those that a ring shows."""
    places = [said["addresses"]] if "ring" not in said else said["ring"]
    if "ring" in said:
        head = peek(said["head"])
        places = [places[(head + at) % len(places)] for at in range(said["shown"])]
    return [_piece([peek(at) for at in place], said, size) for place in places]


def _piece(data: Sequence[int], said: Mapping[str, Any], size: int) -> list[str]:
    if said["form"] == "index":
        return list(said["table"][data[0]])
    if said["form"] == "nibbles":
        data = [data[at // 2] >> 4 * (at % 2) & 15 for at in range(size)]
    return [said["codes"][byte] for byte in data]


def read_place(peek: Peek, said: Mapping[str, Any], field: Mapping[str, Any]) -> tuple[int, int]:
    """Column and row of the piece's first cell."""
    if said["form"] == "cell":
        row, column = divmod(peek(said["address"]), said["cells_per_row"])
        return column, row
    if said["form"] == "pointer":
        at = field["cells"].index(peek(said["address"]) | peek(said["address"] + 1) << 8)
        return at % said["columns"], at // said["columns"]
    return read_xy(peek, said, 0)


def read_xy(peek: Peek, said: Mapping[str, Any], half: int) -> tuple[int, int]:
    """Column and row of a half that has x and y."""
    x = _signed(peek(said["x"][half]) - said["x_origin"])
    y = peek(said["y"][half]) - said["y_origin"]
    y = _signed(-y if said["y_counts_up"] else y)
    return x // said["pixels"], y // said["pixels"]


def _signed(value: int) -> int:
    value %= 256
    return value - 256 if value >= 224 else value
