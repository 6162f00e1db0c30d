"""Leaves out what a replay doesn't compare: most pictures, and the sound where RAM surely doesn't depend on it.

Whether a replay is comparable with a record and a dump: their ROMs and their cores.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container
from typing import Final

from ochibot.console import HostedConsole, Made
from ochibot.console.systems import find_system
from ochibot.errors import OchibotError, RecordError
from ochibot.games import find_game, game_names
from ochibot.record.dump import Dump
from ochibot.record.machine import earlier_rom
from ochibot.record.manifest import Manifest
from ochibot.record.reader import Record


def check_core(record: Record, dump: Dump, console: HostedConsole) -> None:
    """Raises RecordError when another core made the pictures: neither the record's core nor the one replaying it."""
    recorded = f"{record.manifest.core.name} {record.manifest.core.version}"
    # older records and dumps keep the core's version string with all its white space
    known = {" ".join(core.split()) for core in (recorded, f"{console.core_name} {console.core_version}")}
    if dump.core is None or " ".join(dump.core.split()) not in known:
        core = f"the core {dump.core:.60}" if dump.core is not None else "no core"
        raise RecordError(
            f"the dump {dump.folder} is not of this record: it names {core}, not {' or '.join(sorted(known))}"
        )


def identity(record: Record, console: HostedConsole) -> tuple[str | None, str | None]:
    """How the ROM and how the core differ from the record's, in words; None for one that doesn't differ."""
    manifest = record.manifest
    rom = core = None
    if console.rom.sha1 != manifest.rom.sha1:
        rom = f"the ROM is another one: {console.rom.name}, SHA-1 {console.rom.sha1}, not {manifest.rom.sha1}"
        name = earlier_rom(manifest)
        if name is not None:
            rom += f", an older {name} of this project, with which the record was made"
    version = f"{console.core_name} {console.core_version}"
    # older records keep the core's version string with all its white space
    recorded = " ".join(f"{manifest.core.name} {manifest.core.version}".split())
    if version != recorded:
        core = f"the core is another one: {version}, not {recorded}"
    elif console.core_sha1 != manifest.core.sha1:
        core = f"the core {version} is another build of that version: its file differs"
    return rom, core


EVERY_FRAME: Final = range(1 << 62)
"""All frames: nothing is left out."""


class Sparing:
    """Lets a console make and keep pictures only in the frames in which they are compared.

    possible: whether the core can leave anything out; if not, nothing is changed. doubtful: whether the core has handed
    over no picture in such a frame. The picture is then that of an earlier frame, which wasn't kept.
    """

    def __init__(self, console: HostedConsole, manifest: Manifest) -> None:
        self.doubtful = False
        self._console = console
        self._least = Made.SOUND
        self._all = True
        answers = find_system(console.rom.system).av.get(console.core_name, {})
        self.possible = bool(answers)
        if self.possible and manifest.about.game in game_names():
            with contextlib.suppress(OchibotError):
                self._least = find_game(manifest.about.game).unseen(console.rom.sha1)

    def before(self, frame: int, compared: Container[int]) -> int:
        """Call it before a frame. Returns what ``after`` takes. compared: the frames whose pictures are compared."""
        wanted = frame in compared
        if wanted != self._all:
            self._all = wanted
            self._console.make(Made.ALL if wanted else self._least)
        return self._console.frames_shown if wanted and compared is not EVERY_FRAME else -1

    def after(self, shown: int) -> None:
        """Call it after the frame."""
        self.doubtful |= shown == self._console.frames_shown
