"""The work RAM of the emulated machine, by the addresses that its own processor uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.console.readers import CLOSED, Gone, banked, readers_of
from ochibot.console.systems import RamLayout
from ochibot.errors import ConsoleError

__all__ = ["CLOSED", "Bank", "Ram"]


@dataclass(frozen=True, eq=False)
class Bank:
    """A block of RAM beside work RAM, such as a cartridge's. first: its first address. raw: its bytes in the core,
    (size,) uint8.

    sure: whether the machine and the cartridge surely have it. (Some cores offer such RAM to every cartridge.)
    """

    first: int
    raw: npt.NDArray[np.uint8]
    sure: bool = True

    @property
    def last(self) -> int:
        """The last address of the bank."""
        return self.first + len(self.raw) - 1


class Ram:
    """Reads and writes the live memory of a running core; nothing is copied.

    ``raw`` is the core's own block as a (size,) uint8 array in host order, for precompiled index arrays
    (``index`` gives the place of a CPU address in it). Once the console is closed, everything here raises ConsoleError;
    an array ``raw`` that somebody has kept must not be read any more.

    ``banks`` (other RAM, such as a cartridge's) can be read and written by address, too. They aren't part of ``raw``,
    ``view`` and ``snapshot``; they have the indices after the end of ``raw``.
    """

    def __init__(self, raw: npt.NDArray[np.uint8], layout: RamLayout, banks: Sequence[Bank] = ()) -> None:
        self.raw = raw
        self.layout = layout
        self.banks = tuple(banks)
        self._bytes = memoryview(raw.data).cast("B")
        self._parts: list[memoryview] = []
        self._blocks: list[tuple[int, Bank, memoryview]] = []
        self.readers = readers_of(self._bytes, raw)
        """Makes functions that read the memory at given indices."""
        if banks:
            makers = [(0, self.readers)]
            place = len(raw)
            for bank in banks:
                block = memoryview(bank.raw.data).cast("B")
                self._blocks.append((place, bank, block))
                makers.append((place, readers_of(block, bank.raw)))
                place += len(bank.raw)
            self.readers = banked(makers)

    def close(self) -> None:
        """Ends all access. Call it before the core frees the memory. Closing twice does nothing."""
        self.readers.lose()
        for part in (*self._parts, *(block for _, _, block in self._blocks), self._bytes):
            if isinstance(part, memoryview):
                part.release()
        self._parts.clear()
        self._blocks.clear()
        self.banks = ()
        gone: Any = Gone()
        self.raw = self._bytes = gone

    def __len__(self) -> int:
        return len(self._bytes)

    def __contains__(self, address: object) -> bool:
        """Whether there is RAM at a CPU address."""
        if not isinstance(address, int):
            return False
        low = self.layout.base
        whole = low <= address < low + len(self) and address <= self.layout.last
        return whole or any(bank.first <= address <= bank.last for bank in self.banks)

    def index(self, address: int) -> int:
        """The index of a CPU address in ``raw``; banks have the indices after it. Raises ConsoleError outside RAM."""
        place = (address - self.layout.base) ^ self.layout.swap
        if not 0 <= place < len(self._bytes):
            for start, bank, _ in self._blocks:
                if bank.first <= address <= bank.last:
                    return start + address - bank.first
            raise ConsoleError(f"address {address:#06x} is not in RAM ({self.areas()})")
        return place

    def areas(self) -> str:
        """The addresses of RAM, in words: ``0x0 to 0x7ff, 0x6000 to 0x7fff``."""
        low = self.layout.base
        areas = [(low, min(low + len(self) - 1, self.layout.last)), *((bank.first, bank.last) for bank in self.banks)]
        return ", ".join(f"{first:#x} to {last:#x}" for first, last in areas)

    def _at(self, address: int) -> tuple[memoryview, int]:
        place = self.index(address)
        if place < len(self._bytes):
            return self._bytes, place
        start, _, block = next(part for part in reversed(self._blocks) if part[0] <= place)
        return block, place - start

    def __getitem__(self, address: int) -> int:
        """The byte at a CPU address."""
        block, place = self._at(address)
        return block[place]

    def __setitem__(self, address: int, value: int) -> None:
        """Writes the byte at a CPU address."""
        block, place = self._at(address)
        block[place] = value

    def view(self, most: int | None = None) -> memoryview:
        """``raw``, or its first ``most`` bytes, as a writable memoryview: the fastest way to read single bytes.

        It has the indices of ``raw``. Once the console is closed, reading it raises ValueError.
        """
        if most is None:
            return self._bytes
        part = self._bytes[:most]
        self._parts.append(part)
        return part

    def snapshot(self) -> bytes:
        """A copy of the whole block."""
        return bytes(self._bytes)

    def everything(self) -> bytes:
        """A copy of the whole block and of all banks."""
        return b"".join((bytes(self._bytes), *(block for _, _, block in self._blocks)))
