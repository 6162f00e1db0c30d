"""Opens a session; see ``ochibot.session``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ochibot.errors import UsageError
from ochibot.games import DEFAULT_GAME, Game
from ochibot.games.choosing import Opener, PathLike, checked_options, core_opener, find_rules, maps_of, resolve_game
from ochibot.quoting import brief, quoted
from ochibot.ramtools.opening import is_rom_file, recognised
from ochibot.session.session import Session


def open_session(
    game: PathLike | Game = DEFAULT_GAME,
    *,
    rom: PathLike | None = None,
    system: PathLike | None = None,
    core: str | None = None,
    rules: PathLike | None = None,
    ram_map: PathLike | None = None,
    maps: Mapping[int, PathLike] | None = None,
    seed: int | None = None,
    options: Mapping[str, str | int] | None = None,
    game_module: PathLike | None = None,
    opener: Opener | None = None,
) -> Session:
    """Opens a game in a core, with its shipped ROM or yours. Nothing has run yet.

    game: a name, the path of a game file (.yaml) or of a ROM whose game is known, or a Game. rom: the path of your ROM.
    system: the folder of your system ROMs. core: a libretro core by file or short name. rules: a rules profile by name
    or file (default: the game's). ram_map: your map file for seat 1. maps: your map files by seat. seed: makes runs
    reproducible. options: choices on the menu, as ``{"level": 4}``. game_module: a Python file that defines a GAME;
    ``game`` may then be left out. opener: opens the console in place of a libretro core.

    Raises an OchibotError that says what is wrong and what to do.
    """
    if seed is not None and not isinstance(seed, int):
        raise UsageError(f"the seed is {quoted(seed)}: give a whole number, such as seed=1")
    title, file = find_title_and_rom(game, game_module, rom, system, named="rom")
    chosen = checked_options(title, options or {})
    given = dict(maps or {})
    if ram_map is not None:
        given[1] = ram_map
    return open_title(
        title, rom=file, system=system, core=core, rules=rules, maps=given, seed=seed, options=chosen, opener=opener
    )


def find_title_and_rom(
    game: PathLike | Game | None,
    module: PathLike | None,
    rom: PathLike | None,
    system: PathLike | None,
    *,
    named: str = "--rom",
) -> tuple[Game, PathLike | None]:
    """The title that is meant, and its ROM. ``game`` may be a ROM, by which the title is recognised.

    ``named``: what the argument ``rom`` is called in a message. Raises UsageError, ConfigError or RomError.
    """
    if not isinstance(game, str | Path) or module is not None or not is_rom_file(str(game)):
        return resolve_game(game, module), rom
    if rom is not None:
        raise UsageError(f"{brief(str(game))} is a ROM, and {named} names another one: leave one of them out")
    return recognised(Path(game), None if system is None else Path(system)), game


def open_title(
    title: Game,
    *,
    rom: PathLike | None = None,
    system: PathLike | None = None,
    core: str | None = None,
    rules: PathLike | None = None,
    maps: Mapping[int, PathLike] | None = None,
    mode: str | None = None,
    seed: int | None = None,
    options: Mapping[str, int] | None = None,
    opener: Opener | None = None,
) -> Session:
    """Opens a title; the arguments are those of ``open_session``. Wrong ones raise before the console is opened.

    mode: the maps of its seats are read before the console is opened. options: choices on the menu that were checked.
    """
    profile = find_rules(title, rules)
    image = title.open_rom(None if rom is None else Path(rom), None if system is None else Path(system))
    own = {seat: Path(file) for seat, file in (maps or {}).items()}
    if mode is not None:
        maps_of(title, image, mode, own)
    console = (opener or core_opener(title, core))(image)
    return Session(title, image, profile, console, maps=own, seed=seed, options=options)
