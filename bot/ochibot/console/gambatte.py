"""What makes a frame of Gambatte depend on the savestate and the pads alone.

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
from typing import Any, Final

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
