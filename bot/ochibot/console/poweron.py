"""What a core leaves to chance when it is switched on, settled: equal runs must be equal for every ROM.

FCEUmm hands a cartridge work RAM and picture RAM of its own as the allocator gave it, with bytes of this process in it
(seen in the core of stable-retro 1.0.1: the WRAM of mapper 0, $6000 to $7FFF, differs from run to run). A program
that reads it before it writes went another way in each run. It is in the core's savestate, and so it can be cleared
there. RAM inside the console is filled by the core itself.
"""

from __future__ import annotations

_MAGIC = b"FCS\xff"
_HEADER = 16
_SECTION_HEAD = 5
_ENTRY_HEAD = 8
_CARTRIDGE = 0x10
"""The section that boards put their own entries into."""

_MEMORY = 1024
"""Entries from this size on are memory; registers are smaller."""


def settled(core_name: str, state: bytes) -> bytes | None:
    """The state of a core just switched on with what it left to chance cleared; None where there is nothing to do."""
    if core_name != "FCEUmm" or state[: len(_MAGIC)] != _MAGIC:
        return None
    cleared = bytearray(state)
    at = _HEADER
    # a section: its kind and its size; in it entries of a name, a size, and so many bytes
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
    return bytes(cleared) if cleared != state else None


def _number(state: bytes, at: int) -> int:
    return int.from_bytes(state[at : at + 4], "little")
