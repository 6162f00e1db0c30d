"""Finds RAM beside work RAM in the core's memory, such as a Famicom cartridge's RAM at 6000 to 7FFF.

Libretro's memory maps say at which addresses a core's blocks of memory lie. FCEUmm provides these maps for cartridges
with and without a battery, Gambatte for a Game Boy's HRAM. A core without maps (Nestopia) shows only save RAM, the RAM
that a battery keeps. Gambatte and mGBA show all banks of a Game Boy Color's work RAM in one block.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ochibot.console.ram import Bank
from ochibot.console.rom import Rom
from ochibot.console.systems import Area, find_system

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
