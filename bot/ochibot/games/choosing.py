"""Resolves what a user names: a game, its rules, choices on its menu, a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ochibot.console import Console, HostedConsole, Rom, find_core
from ochibot.errors import ConfigError, UsageError
from ochibot.falling.family import Family
from ochibot.games import DEFAULT_GAME, Game, find_game, game_names, load_game_module
from ochibot.games.protocols import AnySeat
from ochibot.quoting import brief
from ochibot.ram import RamMap
from ochibot.wording import counted

PathLike = str | Path

Opener = Callable[[Rom], HostedConsole]
"""Opens a console with a ROM in it, in which nothing has run yet."""


def find_rules(game: Game, wanted: PathLike | None = None) -> Any:
    """The rules of a shipped profile or a rules file (None: the game's own rules). Raises ConfigError."""
    family = game.family
    try:
        return family.load_rules(game.rules if wanted is None else wanted)
    except ConfigError:
        others = {title.family.name: title.family for title in map(find_game, game_names())}
        for other in others.values():
            if other.name != family.name and _loads(other, wanted):
                names = ", ".join(family.rules_names())
                mistake = f"{wanted} is a rules profile of {other.name}, not of {family.name}"
                raise ConfigError(f"{mistake}; give {names} or a file of yours") from None
        raise


def _loads(family: Family, wanted: PathLike | None) -> bool:
    try:
        family.load_rules(wanted or "")
    except ConfigError:
        return False
    return True


def preferred_core(game: Game) -> str | None:
    """The core that a title runs in when nobody names one (None: the first one found for its system)."""
    core: str | None = getattr(game, "core", None)
    return core


def core_opener(game: Game, core: str | None = None) -> Callable[[Rom], Console]:
    """What opens a ROM of this game in a libretro core: the one named, by file or short name, or the game's own."""

    def opened(rom: Rom) -> Console:
        return Console.open(find_core(game.system, core or preferred_core(game)), rom, options=game.core_options)

    return opened


def check_state_mode(path: Path, seat: AnySeat, mode: str) -> None:
    """Raises UsageError if a savestate that has been loaded from ``path`` isn't of the mode of the seat's map.

    ``mode``: that mode's name.
    """
    seen, wanted = seat.counter("mode"), seat.map.map
    if None not in (seen, wanted.mode) and seen != wanted.mode:
        raise UsageError(
            f"{path} is not of the mode {mode}: the mode byte is {seen}, and {wanted.mode} in the map {wanted.name}; "
            "give a savestate of that mode"
        )


def maps_of(game: Game, rom: Rom, mode: str, own: Mapping[int, Path]) -> tuple[RamMap, ...]:
    """The maps of a mode's seats, seat 1 first. ``own``: the user's map files by seat. Raises MapError."""
    found = []
    for seat, name in enumerate(game.map_names(mode), 1):
        one = game.load_map(own.get(seat, name), rom)
        game.check_map(one, mode, seat)
        found.append(one)
    return tuple(found)


def two_maps(game: Game, maps: tuple[RamMap, ...]) -> tuple[RamMap, RamMap]:
    """The maps of both seats. Raises ConfigError unless there are two."""
    if len(maps) != 2:
        raise ConfigError(
            f"the game {game.name} has maps of {counted(len(maps), 'seat')} in its 2-player mode, not of 2"
        )
    return maps[0], maps[1]


def random_seed(game: Game) -> int:
    """A random seed, for commands that were given none."""
    return random.SystemRandom().randrange(game.seed_frames)


def checked_options(game: Game, chosen: Mapping[str, str | int | None], *, versus: bool = False) -> dict[str, int]:
    """The values of the chosen menu options, without those that are None. ``versus``: the options for two players.

    Raises UsageError for an option that the game doesn't have for that number of players, and for a value that the
    option doesn't take.
    """
    known = game.versus_options if versus else game.options
    values: dict[str, int] = {}
    for name, value in chosen.items():
        if value is None:
            continue
        if name not in known:
            where = " with two players" if versus else ""
            have = ", ".join(f"--{option}" for option in known) or "none"
            raise UsageError(f"the game {game.name} has no option --{brief(name)}{where}; leave it out (it has {have})")
        values[name] = known[name].parse(f"--{name} of the game {game.name}", value)
    return values


def resolve_game(game: PathLike | Game | None, game_module: PathLike | None = None) -> Game:
    """The game that a name or a game file stands for (None: the default one).

    With ``game_module``, it is the game that this file defines, if ``game`` is None or names that game or the default
    one.

    Raises UsageError or ConfigError.
    """
    if game_module is not None:
        own = load_game_module(Path(game_module))
        if game is None or game == DEFAULT_GAME or game == own.name:
            return own
    if game is None:
        return find_game(DEFAULT_GAME)
    return find_game(str(game)) if isinstance(game, str | Path) else game
