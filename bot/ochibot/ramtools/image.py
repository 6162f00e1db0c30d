"""RAM as one picture: a copy of all bytes in the order of the processor's addresses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ochibot.console import Ram

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Image:
    """All bytes of RAM at one moment. base: the address of the first; cells: (size,) uint8, by address."""

    base: int
    cells: Bytes

    def __len__(self) -> int:
        return len(self.cells)

    def __contains__(self, address: int) -> bool:
        return self.base <= address < self.base + len(self.cells)

    def __getitem__(self, address: int) -> int:
        """The byte at an address. Raises IndexError outside RAM."""
        if address not in self:
            raise IndexError(address)
        return int(self.cells[address - self.base])

    @property
    def last(self) -> int:
        """The highest address."""
        return self.base + len(self.cells) - 1


class Camera:
    """Takes images of a running console's RAM; the order of its bytes is worked out once."""

    def __init__(self, ram: Ram) -> None:
        self._ram = ram
        self.base = ram.layout.base
        size = len(ram)
        area = min(size, ram.layout.last - ram.layout.base + 1)
        self._order = np.arange(area) ^ ram.layout.swap if ram.layout.swap else None
        self._area = area

    def take(self) -> Image:
        """A copy of all bytes, now."""
        raw = self._ram.raw
        cells = raw[: self._area].copy() if self._order is None else raw[self._order]
        return Image(self.base, cells)


def image_of(ram: Ram) -> Image:
    """A copy of all bytes of RAM."""
    return Camera(ram).take()
