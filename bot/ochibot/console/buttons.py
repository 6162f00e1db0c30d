"""The joypad as libretro knows it: one bit per button, one mask per port."""

from __future__ import annotations

from enum import IntFlag


class Button(IntFlag):
    """A RetroPad button; the bit numbers are libretro's ``RETRO_DEVICE_ID_JOYPAD_*``.

    With NES cores, A and B are the NES buttons of the same names. With FBNeo's Neo Geo (classic device), Button.B is
    the machine's button A, A is its B, Y its C, X its D, and SELECT inserts a coin.
    """

    NONE = 0
    B = 1 << 0
    Y = 1 << 1
    SELECT = 1 << 2
    START = 1 << 3
    UP = 1 << 4
    DOWN = 1 << 5
    LEFT = 1 << 6
    RIGHT = 1 << 7
    A = 1 << 8
    X = 1 << 9
    L = 1 << 10
    R = 1 << 11
    L2 = 1 << 12
    R2 = 1 << 13
    L3 = 1 << 14
    R3 = 1 << 15


ALL_BUTTONS = Button(0xFFFF)
NES_BUTTONS = Button(0x01FF) & ~Button.Y
"""The buttons of a Famicom, a Game Boy and a PC Engine: the directions, A, B, SELECT and START. Also those of a Master
System (button 1 is B, button 2 is A, START is the console's pause button) and of a Game Gear."""
GBA_BUTTONS = NES_BUTTONS | Button.L | Button.R
SNES_BUTTONS = GBA_BUTTONS | Button.X | Button.Y
