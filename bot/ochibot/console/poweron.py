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
"""

from __future__ import annotations

import ctypes
from functools import cache

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
