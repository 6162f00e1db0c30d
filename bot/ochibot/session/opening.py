"""Opens a session; see ``ochibot.session``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ochibot.errors import UsageError
from ochibot.games import DEFAULT_GAME, Game
from ochibot.games.choosing import Opener, PathLike, checked_options, core_opener, find_rules, resolve_game
from ochibot.quoting import quoted
from ochibot.ramtools.recognising import is_rom_file, recognised
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
    if isinstance(game, str | Path) and game_module is None and is_rom_file(str(game)):
        if rom is not None:
            raise UsageError(f"{quoted(str(game))} is a ROM, and rom names another one: leave one of them out")
        rom = game
        title = recognised(Path(game), None if system is None else Path(system))
    else:
        title = resolve_game(game, game_module)
    chosen_rules = find_rules(title, rules)
    chosen = checked_options(title, options or {})
    image = title.open_rom(None if rom is None else Path(rom), None if system is None else Path(system))
    console = (opener or core_opener(title, core))(image)
    given = dict(maps or {})
    if ram_map is not None:
        given[1] = ram_map
    return Session(title, image, chosen_rules, console, maps=given, seed=seed, options=chosen)
