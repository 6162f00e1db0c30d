"""Opens a console like the one on which a record was made, if the same core and ROM are available."""

from __future__ import annotations

from pathlib import Path

from ochibot.console import Console, HostedConsole, Rom, find_core, find_system, named_core, system_names
from ochibot.errors import RecordError
from ochibot.quoting import brief, quoted
from ochibot.record.manifest import Manifest
from ochibot.record.titles import file_of, titles_of


def open_for(
    manifest: Manifest, folder: Path, rom: Path | None, core: str | None, system: Path | None, *, any_rom: bool
) -> HostedConsole:
    """Opens the console; the arguments are those of ``Record.console``. ``folder``: the record's folder."""
    if manifest.system not in system_names():
        raise RecordError(
            f"the record is of the system {quoted(manifest.system)}; known are {', '.join(system_names())}: "
            "give a record of one of these"
        )
    image = image_for(manifest, folder, rom, system)
    if image.sha1 != manifest.rom.sha1 and not any_rom:
        raise RecordError(
            f"{image.source} is another ROM (SHA-1 {image.sha1}) than the record's {named_rom(manifest)}: give that "
            "one with --rom"
        )
    if core is not None:
        found = find_core(manifest.system, core)
    else:
        # a record may come from anybody, so what it names is looked up in the core folders alone
        found = named_core(manifest.system, Path(manifest.core.file).stem.removesuffix("_libretro"))
    return Console.open(found, image, options=manifest.options)


def image_for(manifest: Manifest, folder: Path, rom: Path | None, system: Path | None) -> Rom:
    """The user's ROM if one is given, or else a title's ROM with the record's hash. Raises RomError, RecordError."""
    titles = (title for title in titles_of(manifest, folder) if title.system == manifest.system)
    if rom is not None:
        # the record's title (or any title of its system) can read ROMs that are sets of files
        title = next(titles, None)
        return (
            title.open_rom(rom, system) if title is not None else find_system(manifest.system).load_rom(rom, system, {})
        )
    for title in titles:
        if title.shipped_rom() is not None and title.is_homebrew(manifest.rom.sha1):
            return title.open_rom(None, system)
    its_rom = named_rom(manifest)
    if (filed := manifest.about.filed) is not None:
        raise RecordError(
            f"the record was made with {its_rom} and the game file {brief(file_of(filed, folder).name)}, and neither "
            f"is where it was (seen from the record: {brief(filed.file)}): give the game file with --game, or the ROM "
            "with --rom"
        )
    if earlier_rom(manifest) is not None:
        raise RecordError(
            f"the record was made with {its_rom}: give that file with --rom (the history of the repository holds it), "
            "or record the run anew"
        )
    raise RecordError(f"the record was made with the ROM {its_rom}, which isn't the shipped one: give it with --rom")


def earlier_rom(manifest: Manifest) -> str | None:
    """The game's name when the record's ROM was shipped with an earlier Ochibot; None otherwise."""
    names = (
        title.earlier_rom(manifest.rom.sha1) for title in titles_of(manifest, Path()) if title.system == manifest.system
    )
    return next((name for name in names if name is not None), None)


def named_rom(manifest: Manifest) -> str:
    """The record's ROM in words."""
    its_rom, name = f"{brief(manifest.rom.name)} (SHA-1 {brief(manifest.rom.sha1)})", earlier_rom(manifest)
    return its_rom if name is None else f"an older {name} of this project, {its_rom}"
