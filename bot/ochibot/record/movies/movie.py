"""The contents common to all movie formats: the pads of every frame from power-on, and presses of the reset button."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ochibot.console import Button, PlayedConsole, Rom
from ochibot.console.gameboy import is_color
from ochibot.errors import MovieError
from ochibot.quoting import quoted
from ochibot.record.movies.platforms import PLATFORMS
from ochibot.record.reader import Record

_HEADER = 16

SYSTEM = "nes"
"""The system of .fm2 movies, and of movies that name none."""

PAD = Button.A | Button.B | Button.SELECT | Button.START | Button.UP | Button.DOWN | Button.LEFT | Button.RIGHT
"""The buttons of a Famicom pad."""

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
