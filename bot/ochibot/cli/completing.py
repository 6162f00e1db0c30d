"""Shell completion: the names that ship with Ochibot, for options that take a NAME or a file.

When a function finds no name, the shell offers files. Each function imports its modules only when it is called.
"""

from __future__ import annotations

from ochibot.errors import OchibotError


def games(incomplete: str) -> list[str]:
    """The titles whose names begin with ``incomplete``."""
    from ochibot.games import game_names

    return _beginning(game_names(), incomplete)


def cores(incomplete: str) -> list[str]:
    """The short names of the cores of all systems."""
    from ochibot.console.systems import find_system, system_names

    return _beginning([core for system in system_names() for core in find_system(system).cores], incomplete)


def machines(incomplete: str) -> list[str]:
    """The names of all systems."""
    from ochibot.console.systems import system_names

    return _beginning(system_names(), incomplete)


def players(incomplete: str) -> list[str]:
    """The shipped players, of all families."""
    return _beginning(_shipped("configs/players"), incomplete)


def rules(incomplete: str) -> list[str]:
    """The shipped rules profiles, of all families."""
    return _beginning(_shipped("configs/rules"), incomplete)


def _shipped(folder: str) -> list[str]:
    from ochibot.data import data_root

    try:
        return sorted(path.stem for path in (data_root() / folder).glob("*.yaml"))
    except OchibotError:  # the installation is broken; the command itself will report that
        return []


def _beginning(names: list[str] | tuple[str, ...], start: str) -> list[str]:
    return [name for name in names if name.startswith(start)]
