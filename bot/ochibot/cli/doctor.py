"""``ochibot doctor``: lists what Ochibot found on this machine, and what is missing."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot import __version__
from ochibot.cli import completing
from ochibot.cli.options import GameModuleOption, JsonOption, find_title
from ochibot.cli.output import report_stream
from ochibot.errors import OchibotError, UsageError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.games import Game

_LIBRARIES = (
    "libretro.py",
    "numpy",
    "numba",
    "llvmlite",
    "pillow",
    "pydantic",
    "pyyaml",
    "typer",
    "rich",
)
_EXTRAS = {
    "cores": ("stable-retro",),
    "window": ("pygame-ce",),
    "video": ("av",),
    "web": ("fastapi", "uvicorn"),
    "lab": ("matplotlib", "scipy", "dask", "distributed", "cma"),
    "parquet": ("pyarrow",),
    "env": ("gymnasium", "pettingzoo"),
}
"""The packages of each extra."""


_TITLES = {"roms": "ROMs", "maps": "RAM maps", "configs": "rules and keys"}


def doctor(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Check only what this title, or your game file (.yaml), needs. With --retroarch: its retroarch.cfg.",
            show_default="all that is here",
            autocompletion=completing.games,
        ),
    ] = None,
    game_module: GameModuleOption = None,
    json: JsonOption = None,
    retroarch: Annotated[
        bool, typer.Option("--retroarch", help="Check whether the bot can play in the RetroArch of this machine.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="With --retroarch: write its wrong settings, and keep a copy of the file.")
    ] = False,
) -> None:
    """List the cores, ROMs, maps and configs found, and what is missing. Exit code 1 if play can't work."""
    check_target(json)
    if write and not retroarch:
        raise UsageError("--write belongs to --retroarch: give both, or leave it out")
    if retroarch:
        if game_module is not None:
            raise UsageError("--game-module says nothing about RetroArch: leave it out")
        _retroarch(None if game is None else Path(game), write, json)
        return
    report = examine(None if game is None and game_module is None else find_title(game, game_module))
    write_json(report, json)
    out = report_stream(json)
    print(f"ochibot {report['ochibot']}, Python {report['python']} on {report['machine']}", file=out)
    for name, version in report["libraries"].items():
        print(f"  {name} {version or 'is missing'}", file=out)
    for key in ("extras", "cores", "roms", "maps", "players", "configs"):
        print(f"{_TITLES.get(key, key)}:", file=out)
        for item in report[key]:
            print(f"  {item['name']}: {item['note']}", file=out)
    for problem in report["problems"]:
        print(f"missing: {problem}", file=out)
    for hint in report["hints"]:
        print(f"can't play {hint}", file=out)
    print("ready to play" if not report["problems"] else "play can't work yet", file=out)
    if report["problems"]:
        raise typer.Exit(1)


def _retroarch(file: Path | None, write: bool, json: str | None) -> None:
    from ochibot.cli.doctor_retroarch import examine_retroarch, lines_of

    report = examine_retroarch(file, write=write)
    write_json(report, json)
    missing = [f"missing: {problem}" for problem in report["problems"]]
    good = "play can't work yet" if missing else f"ready to play with {report['option']}"
    for line in (*lines_of(report), *missing, good):
        print(line, file=report_stream(json))
    if missing:
        raise typer.Exit(1)


def examine(only: Game | None = None) -> dict[str, Any]:
    """The report on all titles, or on one, as plain values."""
    from ochibot.games import find_game, game_names

    games = [find_game(name) for name in game_names()] if only is None else [only]
    problems: list[str] = []
    hints: list[str] = []
    return {
        "ochibot": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "extras": _extras(),
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "cores": _cores(games, problems, hints, None if only is None else (only.system,)),
        "roms": _roms(games, problems) if only is None else _own_rom(only, problems),
        "maps": _maps(games, problems),
        "players": _players(problems) if only is None else _own_player(only, problems),
        "configs": _configs(games, problems) if only is None else _own_rules(only, problems),
        "problems": problems,
        "hints": hints,
    }


def _own_rom(game: Game, problems: list[str]) -> list[dict[str, str]]:
    try:
        image = game.open_rom(None)
    except OchibotError as error:
        problems.append(str(error))
        return []
    known = "" if game.is_homebrew(image.sha1) else f"; {game.note}"
    return [{"name": image.name, "note": f"{game.name}, SHA-1 {image.sha1}{known}"}]


def _own_player(game: Game, problems: list[str]) -> list[dict[str, str]]:
    from ochibot.games.choosing import find_rules
    from ochibot.players import open_player

    try:
        open_player(None, game, find_rules(game))
    except OchibotError as error:
        problems.append(str(error))
        return []
    return [{"name": game.default_player, "note": game.family.name}]


def _own_rules(game: Game, problems: list[str]) -> list[dict[str, str]]:
    from ochibot.games.choosing import find_rules

    try:
        rules = find_rules(game)
    except OchibotError as error:
        problems.append(str(error))
        return []
    return [{"name": rules.name, "note": f"rules of {game.family.name}, {game.rules}"}]


def _version(name: str) -> str | None:
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _extras() -> list[dict[str, str]]:
    found = []
    for extra, packages in _EXTRAS.items():
        missing = [name for name in packages if _version(name) is None]
        there = ", ".join(f"{name} {_version(name)}" for name in packages)
        note = f"{', '.join(missing)} missing: pip install 'ochibot[{extra}]'" if missing else there
        found.append({"name": extra, "note": note})
    return found


def _cores(
    games: list[Game], problems: list[str], hints: list[str], systems: tuple[str, ...] | None = None
) -> list[dict[str, str]]:
    """Lists the folders searched, and the cores of these systems (None: all) with their paths.

    Adds missing cores to ``problems`` or ``hints``.
    """
    from ochibot.console import core_folders, find_core, find_cores, find_system, system_names
    from ochibot.games.choosing import preferred_core

    found = [{"name": str(path), "note": f"searched ({origin})"} for origin, path in core_folders()]
    for system in system_names() if systems is None else systems:
        for name in find_system(system).cores:
            for core in find_cores(name):
                found.append({"name": name, "note": f"{system}, {core.origin}, {core.path}"})
            if not find_cores(name):
                found.append({"name": name, "note": f"{system}, not found: give a folder with it in OCHIBOT_CORES"})
    for number, game in enumerate(games):
        try:
            find_core(game.system, preferred_core(game))
        except OchibotError as error:
            # a missing core of the first game is a problem; a missing core of another game concerns that game only
            (hints if number else problems).append(f"{game.name}: {error}")
    return found


def _roms(games: list[Game], problems: list[str]) -> list[dict[str, str]]:
    found = []
    for game in games:
        try:
            home = game.shipped_rom()
            if home is not None:
                note = f"{game.name}, comes with it, SHA-1 {game.open_rom(home).sha1}"
                found.append({"name": home.name, "note": note})
        except OchibotError as error:
            problems.append(str(error))
    for folder in {Path("roms"), Path()}:
        for path in _roms_in(folder, games):
            found.append({"name": str(path), "note": _rom_note(games, path)})
    return found


def _roms_in(folder: Path, games: list[Game]) -> list[Path]:
    """A folder's files with a ROM's file ending. Those in .md or .bin, which other files also have, are listed only if
    their first bytes are of a known kind of file.
    """
    from ochibot.console import find_system, system_names
    from ochibot.console.rom import kind_of_file

    # one game was named, or all games are meant, and then all machines
    systems = [game.system for game in games] if len(games) == 1 else system_names()
    endings = {ending for system in systems for ending in find_system(system).endings}
    named = [path for path in sorted(folder.glob("*")) if path.suffix.lower() in endings]
    return [path for path in named if path.suffix.lower() not in (".md", ".bin") or kind_of_file(path) is not None]


def _rom_note(games: list[Game], path: Path) -> str:
    from ochibot.console import find_system

    refused = []
    for game in games:
        if path.suffix.lower() not in find_system(game.system).endings:
            continue
        try:
            sha1 = game.open_rom(path).sha1
            for title in games:
                if title.is_homebrew(sha1):
                    return f"{title.name}, SHA-1 {sha1}"
                if (earlier := title.earlier_rom(sha1)) is not None:
                    return f"an older {earlier}, SHA-1 {sha1}"
            system = find_system(game.system).title
            return f"a ROM for the {system} that isn't known here, SHA-1 {sha1}: play it with --rom as the game it is"
        except OchibotError as error:
            refused.append(f"{game.name}: {error}")
    return _untitled_note(path) if not refused else f"can't be used ({'; '.join(refused)})"


def _untitled_note(path: Path) -> str:
    """The note on a ROM for a machine for which no game is known."""
    from ochibot.console import find_system
    from ochibot.ramtools.opening import open_rom

    try:
        rom = open_rom(path)
    except OchibotError as error:
        return f"can't be used ({error})"
    system = find_system(rom.system).title
    return f"a ROM for the {system}, SHA-1 {rom.sha1}: no game here is for that machine, but calibrate can learn it"


def _maps(games: list[Game], problems: list[str]) -> list[dict[str, str]]:
    from ochibot.data import data_root

    found = []
    for game in games:
        files: dict[str, str | Path] = {
            f"{folder}/{path.stem}": path
            for folder in game.map_folders
            for path in sorted((data_root() / "ram_maps" / folder).glob("*.yaml"))
        }
        files |= {name: name for name in getattr(game, "own_maps", ())}
        for name, file in files.items():
            try:
                loaded = game.load_map(file)
            except OchibotError as error:
                problems.append(str(error))
                continue
            sources = ", ".join(f"{count} {source}" for source, count in loaded.sources().items() if count)
            mode = "any mode" if loaded.mode is None else f"mode {loaded.mode}"
            found.append({"name": name, "note": f"seat {loaded.seat}, {mode}, {sources}"})
    return found


def _players(problems: list[str]) -> list[dict[str, str]]:
    from ochibot.players import find_kind, kind_names, kind_of, players_folder

    found = []
    for path in sorted(players_folder().glob("*.yaml")):
        try:
            kind = kind_of(path)
            if kind is None:
                problems.append(f"{path}: kind: give one of {', '.join(kind_names())}")
                continue
            find_kind(kind.name).load(path)
        except OchibotError as error:
            problems.append(str(error))
            continue
        found.append({"name": path.stem, "note": f"{kind.family}, {kind.name}, {path}"})
    return found


def _check_keys() -> None:
    """Checks the shipped key file. Does nothing without pygame-ce, because the keys' names are pygame's."""
    if all(_version(name) for name in _EXTRAS["window"]):
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from ochibot.ui.keys import load_keys

        load_keys()


def _configs(games: list[Game], problems: list[str]) -> list[dict[str, str]]:
    from ochibot.data import data_root

    folder = data_root() / "configs"
    families = {game.family.name: game.family for game in games}
    found = []
    for path in (*sorted((folder / "rules").glob("*.yaml")), folder / "keys.yaml"):
        try:
            if path.parent == folder:
                kind = "keys"
                _check_keys()
            else:
                family = next((one for one in families.values() if path.stem in one.rules_names()), None)
                if family is None:
                    continue
                kind = f"rules of {family.name}"
                family.load_rules(path)
        except OchibotError as error:
            problems.append(str(error))
            continue
        found.append({"name": path.stem, "note": f"{kind}, {path}"})
    return found
