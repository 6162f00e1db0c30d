"""The work RAM of the emulated machine, by the addresses that its own processor uses.

Functions made here read a console's memory at fixed indices, as fast as Python allows.

Others find RAM beside work RAM in the core's memory, such as a Famicom cartridge's RAM at 6000 to 7FFF.

Libretro's memory maps say at which addresses a core's blocks of memory lie. FCEUmm provides these maps for cartridges
with and without a battery, Gambatte for a Game Boy's HRAM. A core without maps (Nestopia) shows only save RAM, the RAM
that a battery keeps. Gambatte and mGBA show all banks of a Game Boy Color's work RAM in one block.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from ochibot.console.rom import Rom
from ochibot.console.systems import Area, RamLayout, find_system
from ochibot.errors import ConsoleError

CLOSED = "the console is closed"

_WINDOW = 256
"""The size in bytes of a table for ``bytes.translate``."""


class Gone:
    """Replaces the memory of a closed console: every access raises ConsoleError."""

    def _closed(self, *_: object) -> NoReturn:
        raise ConsoleError(CLOSED)

    __getitem__ = __setitem__ = __len__ = __bytes__ = __getattr__ = _closed


@dataclass(frozen=True)
class Readers:
    """Functions that make readers of one memory at given indices. After ``lose``, all readers raise ConsoleError.

    What their readers return: number: a little-endian number, times a scale, plus an offset. several: a tuple of bytes.
    symbol: a byte's entry in a table. cells: bytes. grid: an array with the shape of its indices. ``cells`` and
    ``grid`` look each byte up in a table if one is given.
    """

    number: Callable[[Sequence[int], int, int], Callable[[], int]]
    several: Callable[[Sequence[int]], Callable[[], tuple[int, ...]]]
    symbol: Callable[[int, Sequence[int]], Callable[[], int]]
    cells: Callable[[npt.NDArray[np.intp], bytes | None], Callable[[], bytes]]
    grid: Callable[[npt.NDArray[np.intp], npt.NDArray[np.uint8] | None], Callable[[], npt.NDArray[np.uint8]]]
    lose: Callable[[], None]


def readers_of(view: Any, raw: Any) -> Readers:
    """The functions that make readers of one memory. Readers refer to ``view`` and ``raw`` as closure variables, so
    ``lose`` can replace the memory, and no read needs a check.
    """

    def number(places: Sequence[int], scale: int, offset: int) -> Callable[[], int]:
        if len(places) == 1:
            place = places[0]
            if scale == 1 and offset == 0:
                return lambda: view[place]
            return lambda: view[place] * scale + offset
        if len(places) == 2:
            low, high = places
            return lambda: (view[low] | view[high] << 8) * scale + offset

        low, beyond = places[0], places[-1] + 1
        if list(places) == list(range(low, beyond)):
            return lambda: int.from_bytes(view[low:beyond], "little") * scale + offset

        def read() -> int:
            value = 0
            for place in reversed(places):
                value = value << 8 | view[place]
            return value * scale + offset

        return read

    def several(places: Sequence[int]) -> Callable[[], tuple[int, ...]]:
        # one call for all bytes takes half the time of one call for each
        get = itemgetter(*places)
        if len(places) == 1:
            return lambda: (get(view),)
        return lambda: get(view)

    def symbol(place: int, table: Sequence[int]) -> Callable[[], int]:
        return lambda: table[view[place]]

    def cells(places: npt.NDArray[np.intp], table: bytes | None) -> Callable[[], bytes]:
        where = [int(place) for place in places]
        low = min(*where, len(view) - _WINDOW)
        if low >= 0 and max(where) < low + _WINDOW:
            # bytes.translate can pick cells out of a block of up to 256 bytes, in half the time of numpy
            window, order = slice(low, low + _WINDOW), bytes(place - low for place in where)
            if table is None:
                return lambda: order.translate(view[window].tobytes())
            return lambda: order.translate(view[window].tobytes()).translate(table)
        if table is None:
            return lambda: raw.take(places).tobytes()
        return lambda: raw.take(places).tobytes().translate(table)

    def grid(places: npt.NDArray[np.intp], table: npt.NDArray[np.uint8] | None) -> Callable[[], npt.NDArray[np.uint8]]:
        if table is None:
            return lambda: raw[places]
        return lambda: table[raw[places]]

    def lose() -> None:
        nonlocal view, raw
        view = raw = Gone()

    return Readers(number, several, symbol, cells, grid, lose)


def banked(parts: Sequence[tuple[int, Readers]]) -> Readers:
    """The functions that make readers of several blocks of memory whose indices follow each other.

    parts: each block's first index (0 for the first block) and its ``Readers``. Bytes within one block are read as fast
    as if it were the only one. Bytes from several blocks are read one by one.
    """
    starts = [start for start, _ in parts]

    def block_of(place: int) -> int:
        return max(at for at, start in enumerate(starts) if start <= place)

    def only(places: Sequence[int]) -> tuple[Readers, int] | None:
        blocks = {block_of(place) for place in places}
        at = next(iter(blocks)) if len(blocks) == 1 else None
        return None if at is None else (parts[at][1], starts[at])

    def number(places: Sequence[int], scale: int, offset: int) -> Callable[[], int]:
        one = only(places)
        if one is not None:
            return one[0].number([place - one[1] for place in places], scale, offset)
        read = several(places)
        return lambda: int.from_bytes(bytes(read()), "little") * scale + offset

    def several(places: Sequence[int]) -> Callable[[], tuple[int, ...]]:
        one = only(places)
        if one is not None:
            return one[0].several([place - one[1] for place in places])
        singles = [number([place], 1, 0) for place in places]
        return lambda: tuple([read() for read in singles])

    def symbol(place: int, table: Sequence[int]) -> Callable[[], int]:
        at = block_of(place)
        return parts[at][1].symbol(place - starts[at], table)

    def cells(places: npt.NDArray[np.intp], table: bytes | None) -> Callable[[], bytes]:
        where = [int(place) for place in places.reshape(-1)]
        one = only(where)
        if one is not None:
            return one[0].cells(places - one[1], table)
        read = several(where)
        if table is None:
            return lambda: bytes(read())
        return lambda: bytes(read()).translate(table)

    def grid(places: npt.NDArray[np.intp], table: npt.NDArray[np.uint8] | None) -> Callable[[], npt.NDArray[np.uint8]]:
        one = only([int(place) for place in places.reshape(-1)])
        if one is not None:
            return one[0].grid(places - one[1], table)
        read = cells(places, None if table is None else table.tobytes())
        return lambda: np.frombuffer(read(), np.uint8).reshape(places.shape).copy()

    def lose() -> None:
        for _, makers in parts:
            makers.lose()

    return Readers(number, several, symbol, cells, grid, lose)


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


_SAVE_RAM: Final = 0
_SYSTEM_RAM: Final = 2
"""libretro's RETRO_MEMORY_SAVE_RAM and RETRO_MEMORY_SYSTEM_RAM."""

_CONST: Final = 1
"""libretro's RETRO_MEMDESC_CONST: memory that the frontend promises not to change, such as a ROM (libretro.h)."""


def find_banks(session: Any, core: Any, rom: Rom) -> tuple[Bank, ...]:
    """The RAM banks that the core shows of the loaded ROM's areas; empty if its system has none."""
    maps = getattr(session, "memory_maps", None)
    return tuple(bank for area in find_system(rom.system).areas for bank in _banks(area, maps, core, rom.data))


def _banks(area: Area, maps: Any, core: Any, data: bytes) -> Iterator[Bank]:
    """Yields the banks of an area."""
    sure = area.said is None or area.said(data)
    size = area.last - area.first + 1
    if area.offset is not None:
        memory = core.get_memory(_SYSTEM_RAM)
        if sure and memory is not None and len(memory) >= area.offset + size:
            yield Bank(area.first, np.frombuffer(memory, np.uint8)[area.offset : area.offset + size], sure)
        return
    parts = sorted(_mapped(maps, area))
    for start, pointer, length in _joined(parts):
        yield Bank(start, _bytes_at(pointer, length), sure)
    memory = core.get_memory(_SAVE_RAM) if area.cartridge and not parts else None
    if memory is not None and len(memory):
        # if the RAM is larger than the area, the mapper initially shows the RAM's first page there
        yield Bank(area.first, np.frombuffer(memory, np.uint8)[:size], sure)


def _mapped(maps: Any, area: Area) -> Iterator[tuple[int, int, int]]:
    """Yields the part of each block of a memory map that lies in ``area``, if the block begins there and isn't marked
    as constant.

    A block: (first address, address in this process, size in bytes).
    """
    for part in maps or ():
        pointer = ctypes.cast(part.ptr, ctypes.c_void_p).value if part.ptr is not None else None
        size = min(part.len, area.last + 1 - part.start)
        if pointer and area.first <= part.start and size > 0 and not int(part.flags) & _CONST:
            yield int(part.start), pointer + int(part.offset), int(size)


def _joined(parts: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Joins blocks that follow each other both in the machine and in this process. Drops overlapping ones."""
    whole: list[tuple[int, int, int]] = []
    for start, pointer, size in parts:
        if whole:
            first, begin, so_far = whole[-1]
            if start < first + so_far:
                continue
            if (start, pointer) == (first + so_far, begin + so_far):
                whole[-1] = first, begin, so_far + size
                continue
        whole.append((start, pointer, size))
    return whole


def _bytes_at(pointer: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    block = (ctypes.c_uint8 * size).from_address(pointer)
    return np.frombuffer(memoryview(block), np.uint8)
