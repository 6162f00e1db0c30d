"""Opens a console like the one on which a record was made, if the same core and ROM are available.

The game of a record: a title that is available here, or the game file that the record was made with.

Every record keeps its maps. A record of a game file also keeps that file's text and its rules, so pictures of it need
nothing else. Its ROM is found through the game file: the one that the user names, or else the one at the path
kept in the record. That path is relative to the record's folder, since both may have been moved together.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ochibot.console import Console, HostedConsole, Rom, find_core, find_system, named_core, system_names
from ochibot.data import is_file
from ochibot.errors import OchibotError, RecordError
from ochibot.games import Game, find_game, game_names
from ochibot.games.filed.title import FiledTitle, load_game_file
from ochibot.leftovers import TemporaryFolder
from ochibot.quoting import brief, quoted
from ochibot.record.manifest import FiledGame, Manifest

_GAME, _RULES = "game.yaml", "rules.yaml"
_ENDINGS = (".yaml", ".yml")


def kept_of(game: Game, folder: Path) -> FiledGame | None:
    """What a record in ``folder`` keeps of a game; None for a game that doesn't come from a game file."""
    if not isinstance(game, FiledTitle) or game.path is None:
        return None
    rules = Path(game.rules)
    own = rules.read_text(encoding="utf-8") if is_file(rules) else ""
    said = {**game.kept(), "rules": _RULES if own else game.rules}
    return FiledGame(file=_seen_from(folder, game.path), said=yaml.safe_dump(said, sort_keys=False), rules=own)


def _seen_from(folder: Path, file: Path) -> str:
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:  # no relative path leads to another drive
        return file.resolve().as_posix()


def titles_of(manifest: Manifest, folder: Path) -> Iterator[Game]:
    """The available titles, the record's own first. Titles that can't be loaded are skipped. ``folder``: the
    record's folder.
    """
    filed = manifest.about.filed
    # a record names a game file, and no other kind of file is opened
    if manifest.about.game not in game_names() and filed is not None and filed.file.endswith(_ENDINGS):
        with contextlib.suppress(OchibotError):
            yield load_game_file(file_of(filed, folder))
    for name in sorted(game_names(), key=lambda name: name != manifest.about.game):
        try:
            yield find_game(name)
        except OchibotError:
            continue


def file_of(filed: FiledGame, folder: Path) -> Path:
    """The path where the game file should be, seen from the record's folder."""
    return Path(os.path.normpath(folder / filed.file))


def own_title(manifest: Manifest, whose: Path) -> tuple[Game, Any] | None:
    """The record's game and its rules, for showing pictures. None when the game is neither available nor kept in the
    record.

    Raises RecordError when the kept game can't be used.
    """
    about = manifest.about
    if about.game in game_names():
        game = find_game(about.game)
        shipped = about.rules in game.family.rules_names()
        return game, game.family.load_rules(about.rules if shipped else game.rules)
    if about.filed is None:
        return None
    with TemporaryFolder() as place:
        (place / _GAME).write_text(about.filed.said, encoding="utf-8")
        (place / _RULES).write_text(about.filed.rules, encoding="utf-8")
        try:
            title = FiledTitle.kept_in_record(place / _GAME)
            return title, title.family.load_rules(title.rules)
        except OchibotError as error:
            reason = str(error).removeprefix(str(place / _GAME)).removeprefix(str(place / _RULES))
            raise RecordError(
                f"{whose}: the game file that it keeps can't be used{brief(reason, 200)}: give the file with --game"
            ) from None


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
