"""Opens the console that a record was made on, as far as it is here."""

from __future__ import annotations

from pathlib import Path

from ochibot.console import Console, find_core
from ochibot.errors import RecordError
from ochibot.games import find_game
from ochibot.record.manifest import Manifest
from ochibot.yamlfile import brief

_GAMES = {"nes": "puyo", "neogeo": "nyaa"}
"""By system, a game that knows how its ROMs are read; its own shipped one needs no --rom."""


def open_for(manifest: Manifest, rom: Path | None, core: str | None, system: Path | None, *, any_rom: bool) -> Console:
    """See ``Record.console``."""
    if manifest.system not in _GAMES:
        raise RecordError(
            f"the record is of the system {brief(repr(manifest.system))}; known are {', '.join(_GAMES)}: "
            "give a record of one of these"
        )
    image = find_game(_GAMES[manifest.system]).open_rom(rom, system)
    told = f"{brief(manifest.rom.name)} (SHA-1 {brief(manifest.rom.sha1)})"
    if image.sha1 != manifest.rom.sha1:
        if rom is None:
            raise RecordError(
                f"the record was made with the ROM {told}, which isn't the shipped one: give it with --rom"
            )
        if not any_rom:
            raise RecordError(
                f"{image.source} is another ROM (SHA-1 {image.sha1}) than the record's {told}: give that one with --rom"
            )
    wanted = core if core is not None else Path(manifest.core.file).stem.removesuffix("_libretro")
    return Console.open(find_core(manifest.system, wanted), image, options=manifest.options)
