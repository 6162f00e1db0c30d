"""``ochibot doctor``: what is here and what is missing."""

from __future__ import annotations

import importlib.metadata
import platform
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import __version__
from bot.cli.output import check_json_target, report_stream, write_json
from bot.errors import OchibotError

_LIBRARIES = ("libretro.py", "stable-retro", "numpy", "numba", "pillow", "pydantic")


def doctor(
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report there (- for stdout).")] = None,
) -> None:
    """List the cores, ROMs, maps and player files found, and what is missing. Exit code 1 if play can't work."""
    check_json_target(json)
    report = examine()
    write_json(report, json)
    out = report_stream(json)
    print(f"ochibot {report['ochibot']}, Python {report['python']} on {report['machine']}", file=out)
    for name, version in report["libraries"].items():
        print(f"  {name} {version or 'is missing'}", file=out)
    for title, key in (("cores", "cores"), ("ROMs", "roms"), ("RAM maps", "maps"), ("players", "players")):
        print(f"{title}:", file=out)
        for item in report[key]:
            print(f"  {item['name']}: {item['note']}", file=out)
    for problem in report["problems"]:
        print(f"missing: {problem}", file=out)
    print("ready to play" if not report["problems"] else "play can't work yet", file=out)
    if report["problems"]:
        raise typer.Exit(1)


def examine() -> dict[str, Any]:
    """The report as plain values."""
    problems: list[str] = []
    return {
        "ochibot": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "cores": _cores(problems),
        "roms": _roms(problems),
        "maps": _maps(problems),
        "players": _players(problems),
        "problems": problems,
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cores(problems: list[str]) -> list[dict[str, str]]:
    from bot.console.cores import SYSTEM_CORES, find_core, find_cores

    found = []
    for system, names in SYSTEM_CORES.items():
        for name in names:
            for core in find_cores(name):
                found.append({"name": name, "note": f"{system}, {core.origin}, {core.path}"})
    try:
        find_core("nes")
    except OchibotError as error:
        problems.append(str(error))
    return found


def _roms(problems: list[str]) -> list[dict[str, str]]:
    from bot.console import load_nes_rom
    from bot.data import data_path
    from bot.games.famicom_puyo import HOMEBREW_ROM

    found = []
    try:
        home = data_path(HOMEBREW_ROM)
        found.append({"name": home.name, "note": f"our own game, SHA-1 {load_nes_rom(home).sha1}"})
    except OchibotError as error:
        problems.append(str(error))
    for folder in {Path("roms"), Path()}:
        for path in sorted([*folder.glob("*.nes"), *folder.glob("*.zip")]):
            try:
                found.append({"name": str(path), "note": f"SHA-1 {load_nes_rom(path).sha1}"})
            except OchibotError as error:
                found.append({"name": str(path), "note": f"can't be used: {error}"})
    return found


def _maps(problems: list[str]) -> list[dict[str, str]]:
    from bot.data import data_root
    from bot.games.famicom_puyo import load_seat_map

    found = []
    for path in sorted((data_root() / "ram_maps").glob("*/*.yaml")):
        name = f"{path.parent.name}/{path.stem}"
        try:
            loaded = load_seat_map(path)
            sources = ", ".join(f"{count} {source}" for source, count in loaded.sources().items() if count)
            found.append({"name": name, "note": f"seat {loaded.seat}, mode {loaded.mode}, {sources}"})
        except OchibotError as error:
            problems.append(str(error))
    return found


def _players(problems: list[str]) -> list[dict[str, str]]:
    from bot.data import data_root
    from bot.search import load_player

    found = []
    for path in sorted((data_root() / "configs/players").glob("*.yaml")):
        try:
            load_player(path)
            found.append({"name": path.stem, "note": str(path)})
        except OchibotError as error:
            problems.append(str(error))
    return found
