"""Finds the RAM of a cartridge in the core's memory, such as a Famicom cartridge's RAM at 6000 to 7FFF.

Libretro's memory maps say at which addresses a core's blocks of memory lie. FCEUmm provides these maps for cartridges
with and without a battery. A core without maps (Nestopia) shows only save RAM, the RAM that a battery keeps.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ochibot.console.ram import Bank
from ochibot.console.rom import Rom
from ochibot.console.systems import find_system

_SAVE_RAM: Final = 0
"""libretro's RETRO_MEMORY_SAVE_RAM."""

_CONST: Final = 1
"""libretro's RETRO_MEMDESC_CONST: memory that the frontend promises not to change, such as a ROM (libretro.h)."""

_BATTERY: Final = 2
_NES_2: Final = 8


def find_banks(session: Any, core: Any, rom: Rom) -> tuple[Bank, ...]:
    """The RAM banks of the loaded cartridge; empty if its system or the core offers none."""
    area = find_system(rom.system).cartridge
    if area is None:
        return ()
    sure = _says_ram(rom.data)
    parts = sorted(_mapped(getattr(session, "memory_maps", None), area))
    if parts:
        return tuple(Bank(start, _bytes_at(pointer, size), sure) for start, pointer, size in _joined(parts))
    memory = core.get_memory(_SAVE_RAM)
    if memory is None or not len(memory):
        return ()
    # if the RAM is larger than the area, the mapper initially shows the RAM's first page there
    return (Bank(area[0], np.frombuffer(memory, np.uint8)[: area[1] - area[0] + 1], sure),)


def _mapped(maps: Any, area: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yields each block of a memory map that lies within ``area`` and isn't marked as constant.

    A block: (first address, address in this process, size in bytes).
    """
    for part in maps or ():
        pointer = ctypes.cast(part.ptr, ctypes.c_void_p).value if part.ptr is not None else None
        inside = area[0] <= part.start and part.start + part.len - 1 <= area[1]
        if pointer and part.len and inside and not int(part.flags) & _CONST:
            yield int(part.start), pointer + int(part.offset), int(part.len)


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


def _says_ram(data: bytes) -> bool:
    """Whether an iNES header says that the cartridge has RAM: by a battery or a RAM size (byte 8, NES 2.0: byte 10)."""
    if data[:4] != b"NES\x1a":
        return False
    if data[6] & _BATTERY:
        return True
    return bool(data[10]) if data[7] & 12 == _NES_2 else bool(data[8])
