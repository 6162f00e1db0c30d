"""``ochibot ram``: the commands that watch, search, change and map the RAM of any ROM.

``ram export`` and ``ram import`` convert maps to and from the files of other programs.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.commands import example
from ochibot.cli.options import OUTPUT, JsonOption, MachineOption, file_option
from ochibot.cli.output import report_stream
from ochibot.cli.ram_check import check
from ochibot.cli.ram_find import diff, poke, search
from ochibot.cli.ram_watch import watch
from ochibot.errors import OutputError, UsageError
from ochibot.quoting import brief_path
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted


class FormatName(StrEnum):
    """The choices of --to."""

    STABLE_RETRO = "stable-retro"
    CHT = "cht"
    WCH = "wch"
    NL = "nl"


def export(
    ram_map: Annotated[Path, typer.Argument(metavar="MAP", help="A RAM map, or a shipped one's name.")],
    output: Annotated[Path, file_option("The file to write.", *OUTPUT)],
    to: Annotated[
        FormatName | None,
        typer.Option("--to", help="The program that the file is for.", show_default="by the file's ending"),
    ] = None,
    json: JsonOption = None,
) -> None:
    """Write a map as stable-retro's data.json, RetroArch's .cht, BizHawk's .wch or FCEUX's .nl."""
    from ochibot.ramtools.exchange import FORMATS, format_of
    from ochibot.ramtools.mapping import read_map
    from ochibot.ramtools.proposals import write_text

    check_target(json)
    chosen = FORMATS[to.value] if to is not None else format_of(output)
    made = chosen.write(read_map(ram_map))
    if output.parent != Path():
        check_writable(output, "the file")
    write_text(output, made.text, "the file")
    write_json({"file": str(output), "format": chosen.name, "names": made.names, "left_out": made.left_out}, json)
    print(f"{output}: {counted(made.names, 'name')} as {chosen.name}", file=report_stream(json))
    _left(made.left_out, json)


def import_(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A data.json, .cht, .wch or .nl file.")],
    output: Annotated[Path, file_option("The RAM map to write.", *OUTPUT)],
    machine: MachineOption = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="The game's name in the map.", show_default="the file's name"),
    ] = None,
    json: JsonOption = None,
) -> None:
    """Write a map with the names from another program's file, which is assumed to be for nes without --machine."""
    from ochibot.console import PLAIN, system_names
    from ochibot.ramtools.exchange import format_of, read_file
    from ochibot.ramtools.exchange.symbols import entry_name, map_of
    from ochibot.ramtools.mapping import read_map
    from ochibot.ramtools.proposals import write_text

    check_target(json)
    kind = format_of(source)
    known = [name for name in system_names() if name != PLAIN.name]
    if machine is not None and machine not in known:
        raise UsageError(f"--machine {brief_path(machine)}: give one of {', '.join(known)}")
    if output.suffix not in (".yaml", ".yml"):
        raise OutputError(f"can't write the map {brief_path(output)}: give a name that ends in .yaml")
    found = read_file(source, machine or "nes")
    name = entry_name(source.name.split(".")[0])
    text = map_of(found, game=game or name, name=name, system=machine or "nes")
    check_writable(output, "the map")
    write_text(output, text, "the map")
    # the written map is read again as a check: an error here is a bug of ``map_of``
    entries = read_map(output).entries
    write_json({"map": str(output), "format": kind.name, "entries": len(entries), "left_out": found.left_out}, json)
    print(f"{output}: {counted(len(entries), 'entry', 'entries')} of {kind.name}", file=report_stream(json))
    _left(found.left_out, json)


def _left(reasons: list[str], json: str | None, most: int = 12) -> None:
    for reason in reasons[:most]:
        print(f"  {reason}", file=report_stream(json))
    if len(reasons) > most:
        print(f"  and {counted(len(reasons) - most, 'remark')} more (--json FILE)", file=report_stream(json))


app = typer.Typer(
    no_args_is_help=True,
    help="Watches, compares, searches and changes the memory of any ROM, and checks maps of it.",
    epilog=example("ram check famicom_puyo/player1"),
)

for name, command, sample in (
    ("watch", watch, "ram watch --map famicom_puyo/player1 --play --frames 60"),
    ("diff", diff, "ram diff one.state two.state --map famicom_puyo/player1"),
    ("search", search, 'ram search found.json look "press wait:60" increased'),
    ("poke", poke, "ram poke 0x7A:u24le=1234 --frames 60 --save-state one.state"),
    ("check", check, "ram check famicom_puyo/player1"),
    ("export", export, "ram export famicom_puyo/player1 -o puyo.wch"),
    ("import", import_, "ram import puyo.wch -o puyo.yaml"),
):
    app.command(name, epilog=example(sample))(command)
