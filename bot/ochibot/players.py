"""Finds players by name, file or class, and makes them.

A player file (YAML) names its kind under ``kind:``. Our kinds are listed in ``_KINDS``; installed packages add others
by an entry point in the group ``ochibot.players``. ``module:Class`` and ``file.py:Class`` name a Python class with
``choose(snapshot)``. ``engine:COMMAND`` or ``engine[NAME=VALUE]:COMMAND`` names a program that speaks the protocol of
docs/engines.md. Options of a player's kind stand in brackets after a shipped name or a file: ``chain[nodes=60000]``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ochibot.data import data_root, is_file, shipped_file
from ochibot.engines import is_engine
from ochibot.engines.player import EnginePlayer
from ochibot.errors import ConfigError, UsageError
from ochibot.falling.family import PlayerKind
from ochibot.falling.player import AnyPlayer, foresees, name_of
from ochibot.games import Game, load_python_file
from ochibot.installed import Registry
from ochibot.quoting import brief, brief_path
from ochibot.yamlfile import read_yaml

ENTRY_POINTS: Final = "ochibot.players"
PLAYERS: Final = "configs/players"

_KINDS: Final = Registry(
    ENTRY_POINTS,
    "kind of players",
    {
        "two_ply": "ochibot.puyo.search.clairvoyant",
        "nyaa_two_ply": "ochibot.nyaa.search.twoply",
        "nyaa_beam": "ochibot.nyaa.search.beam.player",
        "beam": "ochibot.puyo.search.chain.kind",
        "versus": "ochibot.puyo.search.versus.kind",
    },
)


@dataclass(frozen=True)
class PlayerFile:
    """A player file that hasn't been read yet, its kind, and the options that the user named with it."""

    path: Path
    kind: PlayerKind
    options: Mapping[str, int] = field(default_factory=dict)


def kind_names() -> tuple[str, ...]:
    """The names of all kinds, ours first."""
    return _KINDS.names()


def find_kind(name: str) -> PlayerKind:
    """The kind with this name. Raises ConfigError if there is none."""
    kind: PlayerKind = _KINDS.find(name)
    return kind


def kind_of(file: Path) -> PlayerKind | None:
    """The kind of a player file; None when the file names no kind and fits none. Raises ConfigError."""
    data = read_yaml(file, "a player file", ConfigError)
    if "kind" not in data:
        # installed kinds are looked up only if none of ours fits, because the look-up takes a while
        ours = next((kind for kind in map(find_kind, _KINDS.ours) if kind.fits(data)), None)
        return ours or next((kind for kind in map(find_kind, kind_names()) if kind.fits(data)), None)
    if not isinstance(data["kind"], str):
        raise ConfigError(f"{file}: kind: give one of {', '.join(kind_names())}")
    try:
        return find_kind(data["kind"])
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from None


def players_folder() -> Path:
    """The folder of the shipped players."""
    return data_root() / PLAYERS


def shipped_players(family: str) -> list[str]:
    """The names of the shipped players of a family."""
    return [path.stem for path in sorted(players_folder().glob("*.yaml")) if _family_of(path) == family]


def _family_of(file: Path) -> str | None:
    kind = kind_of(file)
    return kind.family if kind is not None else None


def find_file(wanted: str | Path, game: Game, *, options: bool = False) -> PlayerFile:
    """Finds a player file for a game, by the name of a shipped player or by its path. Raises ConfigError.

    ``options``: whether options of the player may follow in brackets. Raises UsageError for wrong ones.
    """
    given: dict[str, int] = {}
    if options and isinstance(wanted, str) and not is_file(Path(wanted)):
        wanted, given = _split(wanted)
    family = game.family.name
    # a shipped name means the shipped player, whatever files lie in the current folder
    file = shipped_file(PLAYERS, str(wanted)) or Path(wanted)
    if not is_file(file):
        names = ", ".join(shipped_players(family)) or "none"
        shown = brief_path(wanted)
        raise ConfigError(
            f"no such player file: {shown}; give a YAML file, a class as file.py:Class, or one of the shipped players "
            f"of {game.name}: {names}"
        )
    kind = kind_of(file)
    if kind is None:
        # nothing in the file tells its kind: the first kind of the game's family then reports which entry is missing
        kind = next(kind for kind in map(find_kind, kind_names()) if kind.family == family)
    if kind.family != family:
        raise ConfigError(
            f"{file} is a player of {kind.family}, not of {game.name}; give {game.default_player} or a file of yours"
        )
    _check_options(given, kind.options, f"a player of the kind {kind.name}")
    return PlayerFile(file, kind, given)


def _split(wanted: str) -> tuple[str, dict[str, int]]:
    """A player's name and the options that follow it in brackets. Raises UsageError."""
    match = re.fullmatch(r"(.+)\[(.*)\]", wanted, re.DOTALL)
    if match is None:
        return wanted, {}
    options: dict[str, int] = {}
    for word in re.split(r"[\s,]+", match[2].strip()):
        name, _, value = word.partition("=")
        if not re.fullmatch(r"[a-z_]+", name) or not re.fullmatch(r"[0-9]{1,9}", value) or name in options:
            raise UsageError(
                f"{brief(wanted)}: give each option once, as NAME=NUMBER, such as chain[nodes=60000 threads=2]"
            )
        options[name] = int(value)
    return match[1], options


def open_player(
    wanted: str | Path | AnyPlayer | None,
    game: Game,
    rules: Any,
    *,
    seed: int | None = None,
    options: Mapping[str, int] | None = None,
    clairvoyant: bool = False,
) -> AnyPlayer:
    """Makes a player for a game.

    ``wanted``: a shipped name or a file (with options, such as ``chain[nodes=60000]``), ``module:Class``,
    ``file.py:Class``, ``engine:COMMAND``, a player object, or None for the game's own player. ``seed`` decides between
    placements of equal value. ``options``: those of the player's kind. ``clairvoyant``: whether the player may see the
    coming pieces before the game shows them. Raises ConfigError when there is no such player or it isn't for this game.
    Raises UsageError for an option that it doesn't have, for a player that can't be clairvoyant, and for a clairvoyant
    player where ``clairvoyant`` is false.
    """
    if clairvoyant and not getattr(game, "foretells", False):
        raise UsageError(f"nothing in the memory of the game {game.name} tells what comes: leave --clairvoyant out")
    made = _opened(wanted, game, rules, seed, options, clairvoyant)
    by_name = wanted is None or isinstance(wanted, str | Path)
    if by_name and bool(foresees(made)) != clairvoyant:
        its_name = f"the player {brief(name_of(made))}"
        if clairvoyant:
            raise UsageError(f"{its_name} can't use what comes (its foresees is 0): leave --clairvoyant out")
        raise UsageError(f"{its_name} plays by what the game doesn't show yet: give --clairvoyant, which says so")
    return made


def _opened(
    wanted: str | Path | AnyPlayer | None,
    game: Game,
    rules: Any,
    seed: int | None,
    options: Mapping[str, int] | None,
    clairvoyant: bool,
) -> AnyPlayer:
    given = {name: value for name, value in (options or {}).items() if value is not None}
    if wanted is None:
        wanted = game.default_player
    if not isinstance(wanted, str | Path):
        return checked(wanted, "the player")
    if isinstance(wanted, str) and is_engine(wanted):
        _check_options(given, ("budget_ms",), "an engine, whose options stand in engine[NAME=VALUE]:COMMAND,")
        return EnginePlayer(wanted, game.name, game.family, rules, seed, given.get("budget_ms"))
    if isinstance(wanted, str) and _is_class(wanted):
        return _from_class(wanted, rules, seed, given)
    file = find_file(wanted, game, options=True)
    _check_options(given, file.kind.options, f"a player of the kind {file.kind.name}")
    if twice := [name for name in given if name in file.options]:
        raise UsageError(f"{twice[0]} is given twice, in {brief(str(wanted))} and as an option: give it once")
    opening = getattr(file.kind, "clairvoyant", None) if clairvoyant else file.kind.open
    if opening is None:
        raise UsageError(f"a player of the kind {file.kind.name} can't be clairvoyant: leave --clairvoyant out")
    made: AnyPlayer = opening(file.kind.load(file.path), rules, seed=seed, **file.options, **given)
    return made


def _check_options(given: Mapping[str, int], known: Mapping[str, range] | Iterable[str], what: str) -> None:
    for name, value in given.items():
        if name not in known:
            raise UsageError(
                f"{what} has no option --{brief(name)}; leave it out (it has {', '.join(known) or 'none'})"
            )
        if isinstance(known, Mapping) and value not in known[name]:
            values = known[name]
            raise UsageError(f"--{name} of {what} goes from {values[0]} to {values[-1]}, not {value}")


def _is_class(wanted: str) -> bool:
    """Whether this names a class (``module:Class`` or ``file.py:Class``) rather than a player file."""
    where, colon, name = wanted.rpartition(":")
    return bool(colon and where) and name.isidentifier() and not is_file(Path(wanted))


def _from_class(wanted: str, rules: Any, seed: int | None, options: Mapping[str, int]) -> AnyPlayer:
    where, _, name = wanted.rpartition(":")
    if where.endswith(".py"):
        module = load_python_file(Path(where), f"the class {name}")
    else:
        if "" not in sys.path and (here := str(Path.cwd())) not in sys.path:
            sys.path.append(here)  # an installed command doesn't search the current folder for modules
        try:
            module = import_module(where)
        except ImportError as error:
            raise ConfigError(
                f"the module {brief(where)} of the player can't be imported: {brief(str(error), 160)}"
            ) from None
        except Exception as error:  # a user's module may raise anything
            raise ConfigError(
                f"the module {brief(where)} can't be loaded: {type(error).__name__}: {brief(str(error), 160)}"
            ) from None
    maker = getattr(module, name, None)
    if not callable(maker):
        raise ConfigError(f"{where} holds no class {name}; give a class with choose(snapshot), as file.py:Class")
    able = {"rules": rules, "seed": seed, **options}
    try:
        takes = inspect.signature(maker).parameters
        every = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in takes.values())
        _check_options(options, tuple(able if every else takes), f"the player {wanted}")
        made = maker(**{key: value for key, value in able.items() if every or key in takes})
    except (ConfigError, UsageError):
        raise
    except Exception as error:  # a user's class may raise anything
        raise ConfigError(
            f"the player {wanted} can't be made: {type(error).__name__}: {brief(str(error), 160)}"
        ) from None
    return checked(made, wanted)


def checked(player: Any, what: str) -> AnyPlayer:
    """Returns the player. Raises ConfigError when it has no ``choose``."""
    if not callable(getattr(player, "choose", None)):
        raise ConfigError(f"{what} is no player: it has no choose(snapshot)")
    found: AnyPlayer = player
    return found


__all__ = [
    "AnyPlayer",
    "PlayerFile",
    "PlayerKind",
    "find_file",
    "find_kind",
    "kind_names",
    "kind_of",
    "name_of",
    "open_player",
    "shipped_players",
]
