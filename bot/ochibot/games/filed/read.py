"""Reads game files, and makes tables and titles from them.

A file may extend a shipped game (``extends: puyo``) or a file beside it. The extending file is merged onto the other
one, mapping by mapping; null drops an inherited part. A file with ``rom`` or ``sha1`` inherits none of the parts that
concern the other file's ROM (``_OF_A_ROM``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ochibot.console.rom import RomFile
from ochibot.data import data_path, data_root, shipped_file
from ochibot.errors import ConfigError
from ochibot.falling.pace import Gravity
from ochibot.games.filed.families import Kind, find_kind
from ochibot.games.filed.model import GameFile, Mode, Option
from ochibot.games.filed.named import anchored, beside, check_rules, core_in, player_in
from ochibot.games.protocols import Look
from ochibot.games.table import MenuChoice, OnPicture, Phases, Table
from ochibot.quoting import brief, quoted
from ochibot.yamlfile import read_yaml, to_model

WHAT: Final = "a game file"
SHIPPED: Final = "configs/games"

NEVER: Final = -1 << 40
"""A value that no entry holds. It stands for a phase that the file doesn't give."""

NONE: Final = {"solo": "one player", "versus": "two players"}
"""The names given to the 1-player and 2-player modes that a game lacks. Names of real modes have no space."""

_OF_A_ROM: Final = ("rom", "rom_name", "sha1", "earlier_sha1", "sets", "known", "soundless", "others", "note", "timing")
_TURNS: Final = ("rotate_cw", "rotate_ccw")
_MOST_EXTENDS: Final = 8

_OTHER_FILES: Final = {
    "entries": "a RAM map; a game file names it under modes",
    "kind": "a player file; give it with --player",
    "visible_rows": "a rules file; give it with --rules, or name it in a game file",
    "bindings": "a file of keys",
}
"""Entries that show that a file is of another kind, and how the message describes such a file."""


@dataclass(frozen=True)
class MadeFile:
    """A game file, and what is made from it.

    data: the file merged onto those that it extends. said: ``data``, validated. kind: what its family contributes.
    """

    path: Path
    said: GameFile
    data: Mapping[str, Any]
    kind: Kind
    table: Table
    look: Look[Any, Any]


def read_game(path: Path) -> MadeFile:
    """Reads a user's game file. Raises ConfigError that names the file, the entry, the reason and what to do."""
    data = _read(path, (path.resolve(),))
    made = make(data, path)
    for role, seats in (("solo", 1), ("versus", 2)):
        mode: str = getattr(made.table, role)
        if mode == NONE[role]:
            continue
        many = len(made.said.modes[mode].maps)
        if many != seats:
            wanted = "one map, of the one seat" if seats == 1 else "two maps, of both seats"
            raise ConfigError(f"{path}: modes.{mode}.maps: the mode that is {role} needs {wanted}, not {many}")
    return made


def read_kept(path: Path) -> MadeFile:
    """Reads the game file kept in a record. Such a file names no maps. Raises ConfigError.

    Nobody plays by it, so the player and the core that an older record kept are left out.
    """
    data = _read(path, (path.resolve(),), kept=True)
    return make(data, path)


@lru_cache(maxsize=16)
def read_shipped(name: str) -> MadeFile:
    """Reads a shipped game file, given the game's name."""
    path = data_path(f"{SHIPPED}/{name}.yaml")
    return make(_read(path, (path.resolve(),)), path)


def _read(path: Path, seen: tuple[Path, ...], *, kept: bool = False) -> dict[str, Any]:
    data = read_yaml(path, WHAT, ConfigError)
    if kept:
        data = {name: part for name, part in data.items() if name not in ("player", "core", "extends")}
    for name, what in _OTHER_FILES.items():
        if name in data and "modes" not in data and "extends" not in data:
            raise ConfigError(f"{path} is {what}; give the path of {WHAT}")
    parent = data.pop("extends", None)
    here = _anchored(data, path)
    if parent is None:
        return here
    if not isinstance(parent, str):
        raise ConfigError(f"{path}: extends: give the name of a shipped game, such as puyo, or a file beside this one")
    file = Path(str(beside(parent, path, "extends")))
    below = file if file.is_absolute() else shipped_file(SHIPPED, parent)
    if below is None:
        raise ConfigError(f"{path}: extends: there is no game {quoted(parent)}, shipped or beside this file")
    if below.resolve() in seen or len(seen) > _MOST_EXTENDS:
        raise ConfigError(f"{path}: extends: the files extend each other in a circle, or more than {_MOST_EXTENDS}")
    said = _read(below, (*seen, below.resolve()))
    if _is_shipped(below) and not _is_shipped(path) and isinstance(said.get("rom"), str):
        said["rom"] = str(data_root() / said["rom"])
    if "rom" in here or "sha1" in here:
        said = {name: part for name, part in said.items() if name not in _OF_A_ROM}
    return _laid(said, here)


def _is_shipped(path: Path) -> bool:
    return path.parent == data_root() / SHIPPED


def _laid(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merges ``over`` onto ``below``. Mappings are merged part by part; None in ``over`` drops a part of ``below``."""
    merged = dict(below)
    for name, part in over.items():
        if part is None and name in merged:
            del merged[name]
        elif isinstance(part, dict) and isinstance(merged.get(name), dict):
            merged[name] = _laid(merged[name], part)
        else:
            merged[name] = part
    return merged


def _anchored(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """The mapping of the file ``path``, with the paths of files made absolute. A shipped file's paths stay relative.

    Raises ConfigError for what a file mustn't name (``ochibot.games.filed.named``).
    """
    if _is_shipped(path):
        return data
    found = dict(data)
    for name, anchor in (("rom", anchored), ("state", anchored), ("rules", beside)):
        if name in found:
            found[name] = anchor(found[name], path, name)
    for name, checked in (("player", player_in), ("core", core_in)):
        if name in found:
            found[name] = checked(found[name], path)
    modes: Any = found.get("modes")
    if isinstance(modes, dict):
        found["modes"] = {name: _mode_anchored(mode, path, f"modes.{name}") for name, mode in modes.items()}
    return found


def _mode_anchored(mode: object, path: Path, where: str) -> object:
    if not isinstance(mode, dict):
        return mode
    found = dict(mode)
    maps = found.get("maps")
    if isinstance(maps, str):
        maps = [maps]
    if isinstance(maps, list):
        found["maps"] = [beside(one, path, f"{where}.maps") for one in maps]
    if "state" in found:
        found["state"] = anchored(found["state"], path, f"{where}.state")
    return found


def make(data: Mapping[str, Any], path: Path) -> MadeFile:
    """Makes a table and the other parts of a title from the merged mapping of the file ``path``. Raises ConfigError."""
    said = to_model(dict(data), path, GameFile, ConfigError)
    kind = find_kind(said.family)
    check_rules(said.rules, kind.family, path)
    shown = _shown(said, kind, path)
    table = _table(said, kind, shown, path)

    def rules() -> Any:
        return kind.family.load_rules(said.rules)

    return MadeFile(path, said, data, kind, table, kind.look(shown, rules))


def _table(said: GameFile, kind: Kind, shown: OnPicture | None, path: Path) -> Table:
    solo, versus = _roles(said, path)
    options = _choices(said.options)
    both = None if said.others is None or said.others.maps is None else said.others.maps
    folder, names = _shipped_maps(said)
    return Table(
        name=said.game,
        system=said.system,
        family=said.family,
        rules=said.rules,
        player=said.player or kind.player,
        rom=said.rom,
        rom_name=said.rom_name,
        earlier_roms=tuple(one.lower() for one in said.earlier_sha1),
        map_folder=folder,
        foreign_map_folder=both,
        map_games=said.map_games,
        modes={name: mode.value for name, mode in said.modes.items()},
        solo=solo,
        solo_map=next(iter(names.get(solo, ("",)))),
        versus=versus,
        versus_maps=_pair(names.get(versus, ())),
        options=options,
        versus_options=options if said.versus_options is None else _choices(said.versus_options),
        defaults={str(command): chosen for command, chosen in said.defaults.items()},
        codes=_codes(said, kind, path),
        buttons=_buttons(said, kind, path),
        orientations=said.orientations,
        spawn=_spawn(said, kind, path),
        phases=_phases(said),
        playing=said.states.playing,
        over=said.states.over,
        spawn_signs=said.spawn_signs,
        seed_frames=said.seed_frames,
        core_options=said.core_options,
        sets={name: tuple(RomFile(one.name, one.size, one.crc) for one in files) for name, files in said.sets.items()},
        soundless=said.soundless,
        note=said.others.note if said.others is not None else said.note,
        core=said.core,
        menus={name: mode.menu or said.menu for name, mode in said.modes.items() if mode.menu or said.menu},
        states=_states(said),
        shown=shown,
        gravity=_gravity(said, path),
        tap=(said.tap.hold, said.tap.release),
    )


def _gravity(said: GameFile, path: Path) -> Gravity | None:
    """How pieces fall and lock (docs/your-own-game.md, timing); None when the file doesn't say it.

    Also None for a game that restarts the lock delay whenever the piece moves. For such a game, we can't compute where
    a pilot with slow hands can bring a piece.
    """
    timing = said.timing
    if not {"fall", "soft_drop", "lock_delay"} <= timing.keys() or timing.get("lock_refilled"):
        return None

    def frames(name: str, value: object) -> int:
        if not isinstance(value, int) or value < 1:
            raise ConfigError(f"{path}: timing.{name}: give frames, a whole number from 1, not {quoted(value)}")
        return value

    fall = timing["fall"]
    rows = tuple(frames("fall", one) for one in (fall if isinstance(fall, tuple) else (fall,)))
    versus = timing.get("fall_versus")
    return Gravity(
        rows,
        frames("soft_drop", timing["soft_drop"]),
        frames("lock_delay", timing["lock_delay"]),
        frames("lock_hurry", timing.get("lock_hurry", 1)),
        versus_row=None if versus is None else frames("fall_versus", versus),
        anywhere=not _is_shipped(path),
    )


def _roles(said: GameFile, path: Path) -> tuple[str, str]:
    """The names of the 1-player and the 2-player mode (from NONE for a mode that the game lacks). If the file has no
    ``solo`` or ``versus``, it is the first mode with one map or with two.
    """
    modes = said.modes
    solo = said.solo or next((name for name, mode in modes.items() if len(mode.maps) == 1), None)
    versus = said.versus or next((name for name, mode in modes.items() if len(mode.maps) == 2), None)
    if solo is None and versus is None:
        raise ConfigError(f"{path}: modes: none has maps; give some, such as endless: {{maps: [map.yaml]}}")
    return solo or NONE["solo"], versus or NONE["versus"]


def _choices(options: Mapping[str, Option]) -> dict[str, MenuChoice]:
    return {name: MenuChoice(option.values, option.names) for name, option in options.items()}


def _shipped_maps(said: GameFile) -> tuple[str, dict[str, tuple[str, ...]]]:
    """The folder of ram_maps/ that holds all maps, and their names by mode; ("", {}) unless one folder holds all."""
    names = {name: [str(one) for one in mode.maps] for name, mode in said.modes.items()}
    folders = {one.rpartition("/")[0] for mode in names.values() for one in mode}
    if len(folders) != 1 or any(Path(one).is_absolute() for one in folders):
        return "", {}
    return folders.pop(), {mode: tuple(one.rpartition("/")[2] for one in maps) for mode, maps in names.items()}


def _pair(names: tuple[str, ...]) -> tuple[str, str] | None:
    return (names[0], names[1]) if len(names) == 2 else None


def _codes(said: GameFile, kind: Kind, path: Path) -> dict[str, int]:
    if said.codes is None:
        return dict(kind.codes)
    for name in said.codes:
        if name not in kind.codes:
            raise ConfigError(f"{path}: codes: there is no {quoted(name)}; known are {', '.join(kind.codes)}")
    return {name: kind.codes[name] for name in said.codes}


def _buttons(said: GameFile, kind: Kind, path: Path) -> dict[Any, Any]:
    for name in said.buttons:
        if name not in kind.actions:
            known = ", ".join(kind.actions)
            raise ConfigError(f"{path}: buttons.{brief(name)}: there is no such action; known are {known}")
        if said.buttons[name] is None and name not in _TURNS:
            raise ConfigError(f"{path}: buttons.{name}: only one of {' and '.join(_TURNS)} may be null; give a button")
    if all(name in said.buttons and said.buttons[name] is None for name in _TURNS):
        raise ConfigError(f"{path}: buttons: only one of {' and '.join(_TURNS)} may be null; give the other a button")
    every = {**kind.buttons, **{kind.actions[name]: button for name, button in said.buttons.items()}}
    return {action: button for action, button in every.items() if button is not None}


def _spawn(said: GameFile, kind: Kind, path: Path) -> Any:
    if said.spawn is None:
        return kind.spawn(kind.family.load_rules(said.rules))
    try:
        return kind.place(said.spawn.x, said.spawn.y, said.spawn.orientation)
    except ValueError as error:
        raise ConfigError(f"{path}: spawn: {error}") from None


def _phases(said: GameFile) -> Phases:
    if said.phases is None:
        return Phases(NEVER, NEVER, NEVER)
    return Phases(said.phases.spawn, said.phases.control, said.phases.over)


def _states(said: GameFile) -> dict[str, Path]:
    """The savestates by mode. A mode for one player without ``menu`` and ``state`` has the file's ``state``."""

    def state_of(name: str, mode: Mode) -> str | None:
        own = mode.state
        if own is None and mode.menu is None and (name == said.solo or len(said.modes) == 1 or len(mode.maps) == 1):
            return said.state
        return own

    found = {name: state_of(name, mode) for name, mode in said.modes.items()}
    return {name: Path(state) for name, state in found.items() if state is not None}


def _shown(said: GameFile, kind: Kind, path: Path) -> OnPicture | None:
    look = said.look
    if look is None:
        return None
    for name in look.colors:
        if name not in kind.codes:
            raise ConfigError(
                f"{path}: look.colors.{brief(name)}: there is no such code; known are {', '.join(kind.codes)}"
            )
    colors = {kind.codes[name]: color for name, color in look.colors.items()}
    corners = {int(seat): corner for seat, corner in look.field_at.items()}
    return OnPicture(corners, look.cell, look.top, look.screen, colors, look.height)
