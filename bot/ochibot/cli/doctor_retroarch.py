"""``ochibot doctor --retroarch``: whether the bot could play in this machine's RetroArch, and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ochibot.errors import ConfigError, ConsoleError


def examine_retroarch(file: Path | None, *, write: bool) -> dict[str, Any]:
    """The report, as plain values. ``file``: the retroarch.cfg; None: that of the usual places. ``write``: whether
    wrong settings are written. Raises ConfigError or OutputError.
    """
    from ochibot.console import retroarchcfg
    from ochibot.console.netcommands import Address

    path = file or retroarchcfg.find()
    problems: list[str] = []
    report: dict[str, Any] = {"config": None if path is None else str(path), "settings": [], "backup": None}
    address = Address("127.0.0.1")
    if path is None:
        if write:
            raise ConfigError("no retroarch.cfg is in the usual places: start RetroArch once, or give the file")
        problems.append("no retroarch.cfg is in the usual places: give the file, as `ochibot doctor --retroarch FILE`")
    else:
        settings = retroarchcfg.Settings.load(path)
        address = settings.address()
        if write and settings.wrong():
            report["backup"] = str(settings.write())
            settings = retroarchcfg.Settings.load(path)
        wrong = settings.wrong()
        report["settings"] = [
            {"name": name, "value": settings.values.get(name), "right": name not in wrong}
            for name in retroarchcfg.NEEDED
        ]
        problems += [
            f'{name} = "{retroarchcfg.NEEDED[name]}" in {path} (close RetroArch, then add --write, or use its menu)'
            for name in wrong
        ]
    report["option"] = f"--retroarch {address.option()}"
    report["connection"] = _connection(address, problems)
    report["problems"] = problems
    return report


def _connection(address: Any, problems: list[str]) -> dict[str, Any]:
    from ochibot.console.netcommands import NO_ACHIEVEMENTS, Commands

    found: dict[str, Any] = {"address": str(address), "version": None, "state": None, "core": None, "memory": None}
    commands = Commands(address)
    try:
        found["version"] = commands.version()
        status = commands.status()
        found["state"], found["core"], found["content"] = status.state, status.core or None, status.content or None
        if status.core:
            found["memory"] = _memory(commands)
            if found["memory"] is None:
                more = f", {NO_ACHIEVEMENTS}" if commands.unknown else ""
                problems.append(
                    f"memory: the core {status.core} shows it to nobody; choose another core for the game{more}"
                )
    except ConsoleError as error:
        problems.append(str(error))
    finally:
        commands.close()
    return found


def _memory(commands: Any) -> str | None:
    """The command by which some memory can be read; None if none is shown."""
    from ochibot.console import find_system, system_names
    from ochibot.console.netcommands import ACHIEVEMENT_BASES

    for command, firsts in (
        ("READ_CORE_MEMORY", {find_system(name).ram.base for name in system_names()}),
        ("READ_CORE_RAM", set(ACHIEVEMENT_BASES.values())),
    ):
        for first in sorted(firsts):
            if commands.read(command, first, 16) is not None:
                return command
            if command in commands.unknown:
                break
    return None


def lines_of(report: dict[str, Any]) -> list[str]:
    """The report in words."""
    lines = [f"settings: {report['config'] or 'not found'}"]
    for one in report["settings"]:
        value = "missing" if one["value"] is None else f'"{one["value"]}"'
        must = "" if one["right"] else ', must be "true"'
        lines.append(f"  {one['name']}: {value}{must}")
    if report["backup"] is not None:
        lines.append(f"  written; the file as it was: {report['backup']}")
        lines.append(
            "  start RetroArch now; if it ran meanwhile, close it and write again, for it writes the file at its end"
        )
    there = report["connection"]
    lines.append(f"RetroArch at {there['address']}: {there['version'] or 'no answer'}")
    if there["core"] is not None:
        lines.append(f"  {there['state']}: {there['content']} in {there['core']}")
        lines.append(f"  memory: {'shown by ' + there['memory'] if there['memory'] else 'not shown'}")
    elif there["state"] is not None:
        lines.append("  no game runs there: start one, then look again whether its memory is shown")
    return lines
