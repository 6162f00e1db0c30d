"""What BizHawk calls each console, and the columns of its input log there.

Source: BizHawk's public source, for the cores named here: the controllers' definitions (NES: other people's files), the
signs (Bk2MnemonicLookup), and the order of the groups (Bk2LogEntryGenerator).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.console import Button

RESET: Final = "Reset"
POWER: Final = "Power"
IDLE: Final = "    0,"
"""An axis at rest."""


@dataclass(frozen=True)
class Column:
    """A column: its name in the log's first line, and the sign of a press. Axes have no sign.

    port, button: what it means; NONE for the console's own switches and for axes.
    """

    name: str
    sign: str
    port: int = 0
    button: Button = Button.NONE


@dataclass(frozen=True)
class Platform:
    """A console as BizHawk knows it: groups of columns, those of a second pad in the last one. also: other names."""

    system: str
    name: str
    core: str
    groups: tuple[tuple[Column, ...], ...]
    also: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in order."""
        return tuple(column for group in self.groups for column in group)

    @property
    def ports(self) -> int:
        """How many pads there are."""
        return 1 + max(column.port for column in self.columns)

    def pad(self, port: int) -> Button:
        """The buttons of one pad, from 0."""
        mask = Button.NONE
        for column in self.columns:
            if column.port == port:
                mask |= column.button
        return mask


_Buttons = Sequence[tuple[str, str, Button]]

_CROSS: Final = (
    ("Up", "U", Button.UP),
    ("Down", "D", Button.DOWN),
    ("Left", "L", Button.LEFT),
    ("Right", "R", Button.RIGHT),
)
_START: Final = (
    ("Start", "S", Button.START),
    ("Select", "s", Button.SELECT),
    ("B", "B", Button.B),
    ("A", "A", Button.A),
)
_SHOULDERS: Final = (("L", "l", Button.L), ("R", "r", Button.R))
_SNES: Final = (
    *_CROSS,
    *(("Select", "s", Button.SELECT), ("Start", "S", Button.START), ("Y", "Y", Button.Y), ("B", "B", Button.B)),
    *(("X", "X", Button.X), ("A", "A", Button.A)),
    *_SHOULDERS,
)
_SMS: Final = (*_CROSS, ("B1", "1", Button.B), ("B2", "2", Button.A))
_PCE: Final = (
    *_CROSS,
    *(("Select", "s", Button.SELECT), ("Run", "R", Button.START), ("B2", "2", Button.B), ("B1", "1", Button.A)),
)
_POWER: Final = Column(POWER, "P")
_RESET: Final = Column(RESET, "r")
_PAUSE: Final = Column("Pause", "p", 0, Button.START)
_AXES: Final = tuple(Column(name, "") for name in ("Tilt X", "Tilt Y", "Tilt Z", "Light Sensor"))


def _pad(buttons: _Buttons, port: int) -> tuple[Column, ...]:
    return tuple(Column(f"P{port + 1} {name}", sign, port, button) for name, sign, button in buttons)


def _alone(buttons: _Buttons) -> tuple[Column, ...]:
    """The buttons of a handheld, whose names have no player."""
    return tuple(Column(name, sign, 0, button) for name, sign, button in buttons)


def _two(buttons: _Buttons) -> tuple[tuple[Column, ...], ...]:
    return _pad(buttons, 0), _pad(buttons, 1)


PLATFORMS: Final = {
    one.system: one
    for one in (
        Platform("nes", "NES", "NesHawk", ((_RESET, _POWER), *_two((*_CROSS, *_START)))),
        Platform("gameboy", "GB", "Gambatte", ((*_alone((*_CROSS, *_START)), _POWER),), ("GBC",)),
        Platform("gba", "GBA", "mGBA", ((*_AXES, *_alone((*_CROSS, *_START, *_SHOULDERS)), _POWER),)),
        Platform("mastersystem", "SMS", "SMSHawk", ((_RESET, _PAUSE), *_two(_SMS))),
        Platform("gamegear", "GG", "SMSHawk", ((_RESET,), _pad((*_SMS, ("Start", "S", Button.START)), 0))),
        Platform("snes", "SNES", "Snes9x", ((_RESET, _POWER), *_two(_SNES))),
        Platform("pcengine", "PCE", "PCEHawk", _two(_PCE)),
    )
}
"""The platform of each system that has movies."""


def platform_named(name: str) -> Platform | None:
    """The platform of a header; None when it isn't one of these."""
    return next((one for one in PLATFORMS.values() if name in (one.name, *one.also)), None)
