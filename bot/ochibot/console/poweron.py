"""Removes randomness from a core's state at power-on, so that equal inputs give equal runs with every ROM.

FCEUmm doesn't clear the work RAM and picture RAM of a cartridge: they hold random bytes of this process (seen in the
core of stable-retro 1.0.1: the WRAM of mapper 0, $6000 to $7FFF, differs from run to run). A program that reads such
RAM before writing to it would behave differently in each run. This RAM is part of the savestate, and is
cleared in it. The RAM inside the console needs no change: the core itself fills it.

PicoDrive begins the first frame at a random cycle, like a real console (seen in the core of stable-retro 1.0.1: a
program that counts its loops got a different count in each run). That cycle is part of the savestate, too.

At the reset button, Genesis Plus GX and PicoDrive draw the moment of the press by the C library's ``rand``, whose next
numbers depend on how often anybody in the process has drawn before (seen with the cores of stable-retro 1.0.1: after a
reset, a game's frame counter was one ahead or not). They draw one number each time. So before a console's n-th reset,
``rand`` is put where it is after n - 1 numbers in a new process; that is how records of earlier versions were made.

What makes a frame of Gambatte depend on the savestate and the pads alone.

Two things of this core depend on more than that (seen in the core of stable-retro 1.0.1; its libretro.cpp, memory.cpp):

1. When a frame took too long because the game had switched the screen off, later calls of ``retro_run`` only repeat the
   last picture, to catch up. The counters that decide this begin at power-on, and no savestate contains them.
2. While the screen is off, a flag says whether a blank picture is due. It isn't in the savestate either, so the first
   frame after loading such a state takes twice as long.

So a console with this core repeats ``retro_run`` until a picture has come and the screen is on. A frame in which the
game switches the screen off takes longer than others, and its end is the same in each run.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

_MAGIC = b"FCS\xff"
_HEADER = 16
_SECTION_HEAD = 5
_ENTRY_HEAD = 8
_CARTRIDGE = 0x10
"""The section of the savestate where cartridge boards store their entries."""

_MEMORY = 1024
"""Entries of this size or more are memory; smaller ones are registers."""

_PICO_MAGIC = b"PicoSEXT"
_PICO_HEADER = 12
_PICO_MISC = 8
"""The chunk that holds the pads' registers and the cycle at which the frame began."""

_PICO_CYCLES = 56
"""The offset of the cycle count in that chunk. In experiments, nothing else differed between two states at power-on."""


_FIRST_SEED = 1
"""The C library's own seed in a new process."""


def begin_random(drawn: int) -> None:
    """Makes the C library's ``rand`` draw what it draws in a new process after ``drawn`` numbers."""
    if (library := _library()) is not None:
        library.srand(_FIRST_SEED)
        for _ in range(drawn):
            library.rand()


@cache
def _library() -> ctypes.CDLL | None:
    """The process's C library; None where the process doesn't show it (Windows)."""
    try:
        library = ctypes.CDLL(None)
        return library if hasattr(library, "srand") else None
    except (OSError, TypeError):
        return None


def settled(core_name: str, state: bytes) -> bytes | None:
    """A core's savestate at power-on without its random parts; None when nothing needs to change."""
    settle = _SETTLE.get(core_name)
    cleared = settle(state) if settle is not None else state
    return cleared if cleared != state else None


def _fceumm(state: bytes) -> bytes:
    """The savestate with the cartridge's memory cleared."""
    if state[: len(_MAGIC)] != _MAGIC:
        return state
    cleared = bytearray(state)
    at = _HEADER
    # a section has a kind and a size; its entries have a name, a size and that many bytes
    while at + _SECTION_HEAD <= len(state):
        kind, end = state[at], at + _SECTION_HEAD + _number(state, at + 1)
        at += _SECTION_HEAD
        while kind == _CARTRIDGE and at + _ENTRY_HEAD <= end <= len(state):
            size = _number(state, at + 4)
            at += _ENTRY_HEAD
            if _MEMORY <= size <= end - at:
                cleared[at : at + size] = bytes(size)
            at += size
        at = end
    return bytes(cleared)


def _picodrive(state: bytes) -> bytes:
    """The savestate with the count of cycles cleared."""
    if state[: len(_PICO_MAGIC)] != _PICO_MAGIC:
        return state
    at = _PICO_HEADER
    # a chunk has a kind, a size and that many bytes
    while at + _SECTION_HEAD <= len(state) and state[at]:
        size = _number(state, at + 1)
        place = at + _SECTION_HEAD + _PICO_CYCLES
        if state[at] == _PICO_MISC and size >= _PICO_CYCLES + 4 and place + 4 <= len(state):
            return state[:place] + bytes(4) + state[place + 4 :]
        at += _SECTION_HEAD + size
    return state


def _number(state: bytes, at: int) -> int:
    return int.from_bytes(state[at : at + 4], "little")


_SETTLE = {"FCEUmm": _fceumm, "PicoDrive": _picodrive}


NAME: Final = "Gambatte"

_OAM, _HRAM, _LCDC = 0xFE00, 0xFF80, 0xFF40


def screen_switch(maps: Any) -> int:
    """The address in this process of the register FF40, whose bit 7 is 1 while the screen is on; 0 if unknown.

    ``maps``: the core's memory map. It shows two parts of the block that holds the register.
    """
    places = {
        int(part.start): (ctypes.cast(part.ptr, ctypes.c_void_p).value or 0) + int(part.offset)
        for part in maps or ()
        if part.ptr is not None
    }
    first, last = places.get(_OAM, 0), places.get(_HRAM, 0)
    return first + _LCDC - _OAM if first and last - first == _HRAM - _OAM else 0
