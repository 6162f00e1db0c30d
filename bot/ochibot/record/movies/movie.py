"""The contents common to all movie formats: the pads of every frame from power-on, and presses of the reset button.

Functions that both formats share: reading files of limited size, and pads as characters.

What BizHawk calls each console, and the columns of its input log there.

Source: BizHawk's public source, for the cores named here: the controllers' definitions (NES: other people's files), the
signs (Bk2MnemonicLookup), and the order of the groups (Bk2LogEntryGenerator).
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from ochibot.console import Button, PlayedConsole, Rom
from ochibot.console.gameboy import is_color
from ochibot.data import read_file
from ochibot.errors import MovieError
from ochibot.quoting import quoted
from ochibot.record.reader import Record

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


MAX_BYTES = 128 << 20
"""The largest file that is read, in bytes: 128 MiB of text are a month of play."""


def read_bytes(path: Path) -> bytes:
    """A movie file's bytes. Raises MovieError."""
    try:
        if path.exists() and not path.is_file():
            raise MovieError(f"can't read the movie {path}: it is not a file")
        if path.stat().st_size > MAX_BYTES:
            raise MovieError(f"{path} is too large for a movie")
        return read_file(path, MAX_BYTES)
    except FileNotFoundError:
        raise MovieError(f"no such movie: {path}") from None
    except OSError as error:
        raise MovieError(f"can't read the movie {path}: {error.strerror or error}") from None


def decoded(data: bytes, what: str) -> list[str]:
    """Decodes a text into its lines, which end in LF or CR LF. Raises MovieError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MovieError(f"{what} is no text (byte {error.start} is not UTF-8)") from None
    return [line.removesuffix("\r") for line in text.split("\n")]


@cache
def letters(mask: int, buttons: Sequence[tuple[Button, str]]) -> str:
    """A pad as characters, with a dot for each button that is up."""
    return "".join(letter if mask & button else "." for button, letter in buttons)


def pressed(character: str) -> bool:
    """Whether a character means that its button is down. In both formats, only a dot or a space means "up"."""
    return character not in ". "


def one_line(text: str) -> str:
    """A text as the value of a key, without line ends."""
    return " ".join(text.split())


_HEADER = 16

SYSTEM = "nes"
"""The system of .fm2 movies, and of movies that name none."""

BOOT_FRAMES = {"Nestopia": 1}
"""How many frames earlier than FCEUX a core starts a game after power-on and after each reset, by the core's name.
FCEUmm and FCEUX take the same time. Measured with our cartridge (``python -m tests.record.movies.fceux_proof``).
"""


@dataclass(frozen=True)
class RomHashes:
    """The hashes by which movies identify a ROM, in lower-case hexadecimal digits.

    They are computed from the image without its iNES header. color: whether it is a Game Boy ROM with colours.
    """

    name: str
    md5: str
    sha1: str
    color: bool = False

    @classmethod
    def of(cls, rom: Rom) -> RomHashes:
        """The hashes of a ROM."""
        body = rom.data[_HEADER:] if rom.system == SYSTEM else rom.data
        name = Path(rom.name).stem
        color = rom.system == "gameboy" and is_color(rom.data)
        return cls(name, hashlib.md5(body, usedforsecurity=False).hexdigest(), _sha1(body), color)


@dataclass(frozen=True)
class Movie:
    """The contents of a movie file.

    pads: the Button masks of both ports, a pair per frame. resets: indices into pads; the reset button was pressed just
    before these frames. ram_fill: the byte that all RAM held at power-on, None when unknown or mixed. rom_hash: the
    ROM's hash in the file that was read (MD5, SHA-1 or CRC-32, in hexadecimal digits). system: the console's name.
    """

    pads: tuple[tuple[int, int], ...]
    resets: frozenset[int] = frozenset()
    rom: RomHashes | None = None
    ram_fill: int | None = None
    author: str = ""
    comments: tuple[str, ...] = field(default=())
    rom_hash: str = ""
    rom_name: str = ""
    system: str = SYSTEM

    def is_for(self, rom: Rom) -> bool:
        """Whether the hash in the file is one of this ROM's, with or without its header."""
        wanted = self.rom_hash.lower()
        return any(wanted in _hashes(data) for data in (rom.data[_HEADER:], rom.data))


def _sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def _hashes(data: bytes) -> tuple[str, ...]:
    return hashlib.md5(data, usedforsecurity=False).hexdigest(), _sha1(data), f"{zlib.crc32(data):08x}"


def check_system(record: Record) -> None:
    """Raises MovieError for a record of a system that no movie is of."""
    if record.manifest.system not in PLATFORMS:
        system = quoted(record.manifest.system)
        raise MovieError(
            f"{record.path} is of the system {system}; movies are made of records of {', '.join(PLATFORMS)}"
        )


def movie_of(record: Record, rom: Rom, *, author: str = "", comments: tuple[str, ...] = ()) -> Movie:
    """Makes a movie of a record. ``rom``: the ROM that it ran.

    Raises MovieError for a run that a movie can't hold: another system, a start other than power-on, a loaded
    savestate, a change of RAM, buttons that the pad doesn't have, or no frames.
    """
    manifest, path = record.manifest, record.path
    check_system(record)
    if manifest.start != "power-on":
        raise MovieError(f"{path} starts from a savestate, and a movie starts at power-on: record the run from there")
    if not record.frames:
        raise MovieError(f"{path} holds no frames to make a movie of")
    resets = set()
    for jump in record.jumps():
        if jump.kind != "reset":
            what = "a savestate is loaded" if jump.kind == "load" else "RAM is written from outside"
            raise MovieError(f"{path}: {what} after frame {jump.frame}, which a movie can't hold")
        # a reset after the last frame has no effect, and no frame to which it could belong
        if jump.frame < record.frames:
            resets.add(jump.frame)
    pads = tuple(record.pads())
    platform = PLATFORMS[manifest.system]
    known = platform.pad(0), platform.pad(1)
    for frame, held in enumerate(pads, 1):
        for port, pad in enumerate(held, 1):
            if unknown := pad & ~known[port - 1]:
                raise MovieError(
                    f"{path}: frame {frame} has {Button(unknown).name} pressed on pad {port}, which a pad of this "
                    f"console ({platform.name}) hasn't got"
                )
    values = set(record.start_ram)
    fill = values.pop() if len(values) == 1 else None
    movie = Movie(pads, frozenset(resets), RomHashes.of(rom), fill, author, comments, system=manifest.system)
    return delayed(movie, BOOT_FRAMES.get(manifest.core.name, 0))


def delayed(movie: Movie, frames: int) -> Movie:
    """The movie with ``frames`` idle frames added at power-on and after each reset. If ``frames`` is negative, that
    many frames are left out there.
    """
    pads: list[tuple[int, int]] = []
    resets = set()
    skip = 0
    for index, held in enumerate(movie.pads):
        if index == 0 or index in movie.resets:
            if index in movie.resets:
                resets.add(len(pads))
            pads += [(0, 0)] * frames
            skip = max(-frames, 0)
        if skip:
            skip -= 1
        else:
            pads.append(held)
    return replace(movie, pads=tuple(pads), resets=frozenset(reset for reset in resets if reset < len(pads)))


def play(movie: Movie, machine: PlayedConsole) -> Iterator[int]:
    """Plays the movie on a console at power-on. Yields each frame's number, from 1, after the frame has run.

    After power-on and after each reset, the movie's first ``BOOT_FRAMES`` frames aren't played: FCEUX is still booting
    during these frames, this core isn't.
    """
    movie = delayed(movie, -BOOT_FRAMES.get(machine.core_name, 0))
    for index, pads in enumerate(movie.pads):
        if index in movie.resets:
            machine.reset()
        machine.step(*pads)
        yield index + 1
