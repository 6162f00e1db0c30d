"""Describes differences between a record and its replay, with the names of the RAM maps and with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ochibot.errors import OutputError
from ochibot.leftovers import whole_file
from ochibot.ram import RamMap
from ochibot.record.manifest import RamShape
from ochibot.wording import counted

Picture = npt.NDArray[np.uint8]

_GAP = 8
_BACKGROUND = 40


@dataclass(frozen=True)
class RamDifference:
    """A byte of RAM: its CPU address, its name in the maps (or "(no name)"), the values expected and seen."""

    address: int
    name: str
    expected: int
    actual: int

    def __str__(self) -> str:
        return f"{self.address:#06x} {self.name}: expected {self.expected:#04x}, is {self.actual:#04x}"


@dataclass(frozen=True)
class PixelDifference:
    """How many pixels differ, and where the first of them is, row by row. If the pictures' sizes differ, all pixels
    count as different.
    """

    count: int
    x: int
    y: int

    def __str__(self) -> str:
        return f"{counted(self.count, 'pixel differs', 'pixels differ')}, the first at x={self.x}, y={self.y}"


def address_names(maps: Sequence[RamMap]) -> dict[int, str]:
    """The name of each CPU address in the maps: the seat (if there are several), the entry, and its cell or byte."""
    names: dict[int, str] = {}
    several = len({ram_map.seat for ram_map in maps}) > 1
    for ram_map in maps:
        prefix = f"seat {ram_map.seat} " if several else ""
        for name, entry in ram_map.entries.items():
            where = entry.byte_addresses()
            width = len(where) // ((entry.rows or 1) * (entry.columns or 1))
            for at, address in enumerate(where):
                cell = ""
                if entry.rows is not None and entry.columns is not None:
                    row, column = divmod(at // width, entry.columns)
                    cell = f"[{row},{column}]"
                elif len(where) > 1:
                    cell = f"[byte {at}]"
                names.setdefault(address, f"{prefix}{name}{cell}")
    return names


def ram_differences(expected: bytes, actual: bytes, shape: RamShape, maps: Sequence[RamMap]) -> list[RamDifference]:
    """Every byte that differs: first those with a name, then the others, both by address."""
    names = address_names(maps)
    old, new = (np.frombuffer(ram, np.uint8) for ram in (expected, actual))
    found = []
    for place in np.flatnonzero(old != new).tolist():
        address = (place ^ shape.swap) + shape.base
        found.append(RamDifference(address, names.get(address, "(no name)"), int(old[place]), int(new[place])))
    return sorted(found, key=lambda difference: (difference.address not in names, difference.address))


def pixel_difference(expected: Picture, actual: Picture) -> PixelDifference | None:
    """How two pictures differ; None when they are equal."""
    if expected.shape != actual.shape:
        return PixelDifference(max(expected.shape[0] * expected.shape[1], actual.shape[0] * actual.shape[1]), 0, 0)
    rows, columns = (expected != actual).any(axis=2).nonzero()
    if not len(rows):
        return None
    return PixelDifference(len(rows), int(columns[0]), int(rows[0]))


def side_by_side(expected: Picture, actual: Picture) -> Picture:
    """Three pictures in one: the expected one, the actual one, and the actual one dimmed, with the pixels that
    differ in red.
    """
    height, width = (max(expected.shape[axis], actual.shape[axis]) for axis in (0, 1))
    canvas = np.full((height, 3 * width + 2 * _GAP, 3), _BACKGROUND, np.uint8)
    first, second = (_padded(picture, height, width) for picture in (expected, actual))
    marked = (second // 4).astype(np.uint8)
    marked[(first != second).any(axis=2)] = (255, 0, 0)
    for number, picture in enumerate((first, second, marked)):
        left = number * (width + _GAP)
        canvas[:, left : left + width] = picture
    return canvas


def _padded(picture: Picture, height: int, width: int) -> Picture:
    canvas = np.zeros((height, width, 3), np.uint8)
    canvas[: picture.shape[0], : picture.shape[1]] = picture
    return canvas


def save_side_by_side(path: Path, expected: Picture, actual: Picture) -> None:
    """Saves ``side_by_side`` as a picture file. Raises OutputError."""
    from PIL import Image

    try:
        with whole_file(path) as partial:
            Image.fromarray(side_by_side(expected, actual)).save(partial)
    except (OSError, ValueError) as error:
        raise OutputError(f"can't write the picture {path}: {error}; give another path with --picture") from None
