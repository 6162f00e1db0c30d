"""Images of RAM: copies of all its bytes, in the order of the processor's addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from ochibot.console import Ram

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Image:
    """All bytes of RAM at one moment. base: the address of the first; cells: (size,) uint8, by address.

    holes: [first, end) ranges of addresses in between that have no RAM; the cells there are 0.
    """

    base: int
    cells: Bytes
    holes: tuple[tuple[int, int], ...] = ()

    def addresses(self) -> Iterator[int]:
        """The addresses of all bytes, lowest first, without the holes."""
        ends = [self.base, *(end for _, end in self.holes)]
        stops = [*(first for first, _ in self.holes), self.last + 1]
        return chain.from_iterable(map(range, ends, stops))

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
    """Takes images of a running console's RAM; the order of its bytes is computed only once.

    ``banks``: whether the images include the cartridge's RAM, above the machine's own.
    """

    def __init__(self, ram: Ram, *, banks: bool = True) -> None:
        self._ram = ram
        self.base = ram.layout.base
        size = len(ram)
        area = min(size, ram.layout.last - ram.layout.base + 1)
        self._order = np.arange(area) ^ ram.layout.swap if ram.layout.swap else None
        self._area = area
        self._banks = sorted(ram.banks, key=lambda bank: bank.first) if banks else []
        ends = [self.base + area, *(bank.last + 1 for bank in self._banks)]
        self._holes = tuple((end, bank.first) for end, bank in zip(ends, self._banks, strict=False) if end < bank.first)

    def take(self) -> Image:
        """A copy of all bytes, now."""
        raw = self._ram.raw
        cells = raw[: self._area].copy() if self._order is None else raw[self._order]
        if not self._banks:
            return Image(self.base, cells)
        whole = np.zeros(self._banks[-1].last + 1 - self.base, np.uint8)
        whole[: self._area] = cells
        for bank in self._banks:
            whole[bank.first - self.base : bank.last + 1 - self.base] = bank.raw
        return Image(self.base, whole, self._holes)


def image_of(ram: Ram) -> Image:
    """A copy of all bytes of RAM."""
    return Camera(ram).take()
