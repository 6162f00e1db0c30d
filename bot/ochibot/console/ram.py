"""The work RAM of the emulated machine, addressed as its own processor does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ochibot.console.systems import RamLayout
from ochibot.errors import ConsoleError


class Ram:
    """Reads and writes the live memory of a running core; nothing is copied.

    ``raw`` is the core's own block as a (size,) uint8 array in host order, for precompiled index arrays
    (``index`` gives the place of a CPU address in it).
    """

    def __init__(self, raw: npt.NDArray[np.uint8], layout: RamLayout) -> None:
        self.raw = raw
        self.layout = layout
        self._bytes = memoryview(raw.data).cast("B")

    def __len__(self) -> int:
        return len(self._bytes)

    def index(self, address: int) -> int:
        """The place of a CPU address in ``raw``. Raises ConsoleError outside the RAM."""
        place = (address - self.layout.base) ^ self.layout.swap
        if not 0 <= place < len(self._bytes):
            low = self.layout.base
            raise ConsoleError(f"address {address:#06x} is not in RAM ({low:#x} to {low + len(self) - 1:#x})")
        return place

    def __getitem__(self, address: int) -> int:
        """The byte at a CPU address."""
        return self._bytes[self.index(address)]

    def __setitem__(self, address: int, value: int) -> None:
        """Write the byte at a CPU address."""
        self._bytes[self.index(address)] = value

    def view(self) -> memoryview:
        """The block as a writable memoryview: the fastest way to read single bytes by ``raw`` index."""
        return self._bytes

    def snapshot(self) -> bytes:
        """A copy of the whole block."""
        return bytes(self._bytes)
