"""The pads that are pressed in a running RetroArch.

A datagram sets one button, and RetroArch takes one a frame. It may get lost. So a button that has changed is set twice
more in the next frames that have no change of their own, and the others in turns.
"""

from __future__ import annotations

from typing import Final

from ochibot.console.buttons import ALL_BUTTONS, Button
from ochibot.console.netcommands import Commands

_BUTTONS: Final = 16
_TIMES: Final = 2
_EVERY: Final = 8


class NetPad:
    """The pad of one port (from 0). Call ``press`` once a frame."""

    def __init__(self, commands: Commands, port: int, known: Button) -> None:
        """``known``: the buttons of the machine. All of them are released."""
        self.port = port
        self.held = Button.NONE
        self._commands = commands
        self._known = known
        self._waiting = 0
        self._quiet = 0
        self._turn = 0
        self._again: list[int] = []
        self.release()

    def press(self, pad: Button) -> None:
        """Holds these buttons, and no others, from now on."""
        changed = self.held ^ pad
        self.held = pad
        self._waiting = max(0, self._waiting - 1)
        if changed:
            self._quiet = 0
            self._send(changed)
            return
        self._quiet += 1
        if self._waiting:
            return  # RetroArch still has datagrams to take; one more would make the next press wait
        if self._again:
            self._set(self._again.pop(0))
        elif self._quiet % _EVERY == 0:
            self._turn = (self._turn + 1) % _BUTTONS
            if self._known >> self._turn & 1:
                self._set(self._turn)

    def release(self, known: Button | None = None) -> None:
        """Releases all buttons, at first those that are held. ``known``: which ones, None: those of the machine."""
        held, self.held = self.held, Button.NONE
        self._send(held)
        self._send((self._known if known is None else known) & ~held)

    def _send(self, buttons: Button) -> None:
        numbers = [number for number in range(_BUTTONS) if buttons >> number & 1]
        for number in numbers:
            self._set(number)
        self._again = [one for one in self._again if one not in numbers] + numbers * _TIMES

    def _set(self, number: int) -> None:
        self._waiting += 1
        self._commands.press(self.port, number, bool(self.held >> number & 1))


def release_all(pads: list[NetPad]) -> None:
    """Releases all buttons of all pads: those that are held before the others."""
    held = [pad for pad in pads if pad.held]
    for pad in [*held, *(pad for pad in pads if pad not in held)]:
        pad.release(ALL_BUTTONS)
