"""``ochibot ram``: the commands that watch, search, change and map the RAM of any ROM.

``ram export`` and ``ram import`` convert maps to and from the files of other programs.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli import options
from ochibot.cli.commands import example, taking
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.ram_check import check
from ochibot.cli.ram_find import diff, poke, search
from ochibot.cli.ram_options import RomOptions
from ochibot.errors import OutputError, UsageError
from ochibot.quoting import brief_path
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.cli.ram_options import Opened
    from ochibot.console import Button
    from ochibot.ramtools.watching import RamWatch


HERTZ = 12
"""How often per second the terminal is redrawn, at most."""


@dataclass(frozen=True, kw_only=True)
class WatchOptions(RomOptions):
    """The options of ``ochibot ram watch``."""

    rom: Annotated[Path | None, typer.Argument(metavar="ROM", help="The ROM to run.", show_default="our own game")] = (
        None
    )
    address: Annotated[
        list[str] | None,
        typer.Option(
            "--address",
            metavar="ADDRESS",
            help="An address, 0x7A or 0x7A:u24le, or a name of the map; may be repeated.",
            show_default="all of the map",
        ),
    ] = None
    frames: Annotated[
        int | None, options.number_option("Stop after this many frames; they run as fast as they can.", default="never")
    ] = None
    window: options.WindowOption = False
    keys: options.KeysOption = None
    shots: options.ShotsOption = Path()


@taking(WatchOptions, "rom machine system core ram_map address state play pads frames window keys shots json")
def watch(given: WatchOptions) -> None:
    """Show values of RAM while a ROM runs, and highlight changes. In a window you play with the first pad.

    Ctrl-C ends it.
    """
    from ochibot.ramtools.mapping import parse_place
    from ochibot.ramtools.poking import frames_of, parse_pads
    from ochibot.ramtools.watching import RamWatch

    check_target(given.json)
    if given.ram_map is None and not given.address:
        raise UsageError("tell what to watch: --map FILE, or --address such as 0x7A (may be repeated)")
    if given.keys is not None and not given.window:
        raise UsageError("--keys are the window's: give --window too, or leave them out")
    script = parse_pads(given.pads or "")
    if given.window:
        from ochibot.ui import need_window

        need_window()
    with stopping(gently=True) as stop, given.opened() as opened:
        places = [parse_place(text, opened.ram_map) for text in given.address or ()]
        watched = RamWatch(opened.console.ram, opened.ram_map, places)
        presses = frames_of(script)
        with contextlib.ExitStack() as stack:
            step, show, asked = _means(opened, watched, stack, given)
            while (given.frames is None or watched.frame < given.frames) and not stop.asked() and not asked():
                step(next(presses, None))
                watched.look()
                show()
    from ochibot.cli.live import cut

    out = report_stream(given.json)
    write_json({"rom_sha1": opened.console.rom.sha1, **watched.report()}, given.json)
    print(f"{counted(watched.frame, 'frame')}", file=out)
    for row in watched.rows():
        where = "" if row.address is None else f"{row.address:04X}"
        changed = counted(row.changes, "change") if row.changes else "unchanged"
        print(f"  {where:<7}{row.name:<18} {cut(row.value, 40):<40} {changed}", file=out)


Step = Callable[["tuple[Button, Button] | None"], None]


def _means(
    opened: Opened, watched: RamWatch, stack: contextlib.ExitStack, given: WatchOptions
) -> tuple[Step, Callable[[], None], Callable[[], bool]]:
    """Returns three functions: run a frame, show the values, and return whether the window has been closed."""
    if given.window:
        return _in_window(opened, watched, stack, given)
    console = opened.console

    def step(pads: tuple[Button, Button] | None) -> None:
        console.step(*(pads or ()))

    show = _terminal(watched, stack, console.fps) if given.frames is None else _status(watched, stack)
    return step, show, lambda: False


def _in_window(
    opened: Opened, watched: RamWatch, stack: contextlib.ExitStack, given: WatchOptions
) -> tuple[Step, Callable[[], None], Callable[[], bool]]:
    from ochibot.ui import opened_window
    from ochibot.ui.watch import side_of

    closed: list[str] = []
    screen = stack.enter_context(
        opened_window(opened.console, keys=given.keys, seats=(2,), person_seat=1, folder=given.shots, ghosts=False)
    )
    screen.hurries = False
    screen.when_quit(closed.append)
    name = opened.console.rom.name
    screen.beside(lambda: [side_of(name, watched.rows())])

    def step(pads: tuple[Button, Button] | None) -> None:
        screen.step(*(pads or ()))

    return step, lambda: None, lambda: bool(closed)


def _status(watched: RamWatch, stack: contextlib.ExitStack) -> Callable[[], None]:
    line = stack.enter_context(contextlib.closing(StatusLine()))

    def show() -> None:
        if line.due():
            line.show(f"frame {watched.frame:,}")

    return show


def _terminal(watched: RamWatch, stack: contextlib.ExitStack, fps: float) -> Callable[[], None]:
    """Makes a function to call after each frame: it shows the values, and waits so that the game runs at its own speed.

    If stderr isn't a terminal, it prints a plain line now and then.
    """
    from ochibot.cli.live import laid_out, start

    if not sys.stderr.isatty():
        line = StatusLine()

        def plain() -> None:
            if line.due():
                line.show("  ".join(f"{row.name} {row.value}" for row in watched.rows())[:400])

        return _paced(plain, fps)
    live = start()
    stack.callback(live.stop)
    last = [0.0]

    def show() -> None:
        now = time.perf_counter()
        if now - last[0] >= 1 / HERTZ:
            last[0] = now
            size = live.console.size
            live.update(laid_out(watched.rows(), watched.frame, size.width, size.height), refresh=True)

    return _paced(show, fps)


def _paced(show: Callable[[], None], fps: float) -> Callable[[], None]:
    due = [time.perf_counter()]

    def shown() -> None:
        show()
        due[0] += 1 / fps
        wait = due[0] - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        elif wait < -1:
            due[0] = time.perf_counter()

    return shown


class FormatName(StrEnum):
    """The choices of --to."""

    STABLE_RETRO = "stable-retro"
    CHT = "cht"
    WCH = "wch"
    NL = "nl"


def export(
    ram_map: Annotated[Path, typer.Argument(metavar="MAP", help="A RAM map, or a shipped one's name.")],
    output: Annotated[Path, options.file_option("The file to write.", *OUTPUT)],
    to: Annotated[
        FormatName | None,
        typer.Option("--to", help="The program that the file is for.", show_default="by the file's ending"),
    ] = None,
    json: options.JsonOption = None,
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
    output: Annotated[Path, options.file_option("The RAM map to write.", *OUTPUT)],
    machine: options.MachineOption = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="The game's name in the map.", show_default="the file's name"),
    ] = None,
    json: options.JsonOption = None,
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
