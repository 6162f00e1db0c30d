"""``ochibot ram watch``: shows values of RAM while a ROM runs, in the terminal or in a window."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import KeysOption, ShotsOption, WindowOption, number_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.ram_options import RomOptions
from ochibot.errors import UsageError
from ochibot.report import check_target, write_json
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
        int | None, number_option("Stop after this many frames; they run as fast as they can.", default="never")
    ] = None
    window: WindowOption = False
    keys: KeysOption = None
    shots: ShotsOption = Path()


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
    from ochibot.ui.opening import opened_window
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
