"""``ochibot ram watch``: shows values of RAM while a ROM runs, in the terminal or in a window.

In a terminal, single values in columns, grids beside them, changed bytes highlighted.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ochibot.cli.commands import taking
from ochibot.cli.options import KeysOption, ShotsOption, WindowOption
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.ram_options import RomOptions
from ochibot.errors import UsageError
from ochibot.ramtools.watching import WatchedRow
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.cli.ram_options import Opened
    from ochibot.console import Button
    from ochibot.ramtools.watching import RamWatch


FRESH: Final = 6
"""Frames for which a change is brightly highlighted."""

LIT: Final = 45
"""Frames for which a change is highlighted, brightly or not."""

BYTES: Final = 8
"""The most bytes shown of a value."""

_GAP: Final = 3
"""Blank columns between two blocks."""


def style_of(age: int) -> str:
    """The rich style of a byte that changed ``age`` frames ago."""
    return "bold black on yellow" if age < FRESH else "yellow" if age < LIT else ""


def cut(text: str, most: int) -> str:
    """The text, shortened to ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def laid_out(rows: Sequence[WatchedRow], frame: int, width: int, height: int) -> RenderableType:
    """Lays out as much as fits into a terminal of this size.

    It leaves out first the bytes, then all grids but the first, then the first grid, then single values. The last line
    names the grids and values left out.
    """
    singles = [row for row in rows if row.grid_rows == 1]
    grids = [row for row in rows if row.grid_rows > 1]
    room = max(height - 2, 1)
    ways = [(True, len(grids)), (False, len(grids)), *([(False, 1)] if len(grids) > 1 else []), (False, 0)]
    for with_bytes, many in ways:
        blocks = [_grid(row) for row in grids[:many]]
        wide = sum(_width(block) + _GAP for block in blocks)
        columns = list(_columns([_single(row, with_bytes=with_bytes) for row in singles], room))
        wide += sum(_width(column) + _GAP for column in columns)
        high = max((len(block) for block in blocks), default=0)
        if wide - _GAP <= width and high <= room:
            return _beside([*columns, *blocks], _last(frame, [row.name for row in grids[many:]]))
    shown = columns[:1]
    while len(shown) < len(columns) and sum(_width(column) + _GAP for column in columns[: len(shown) + 1]) <= width:
        shown = columns[: len(shown) + 1]
    kept = sum(map(len, shown))
    left = [row.name for row in (*singles[kept:], *grids)]
    return _beside(shown, _last(frame, left))


def _last(frame: int, left: Sequence[str]) -> Text:
    text = Text(f"frame {frame:,}", style="dim", no_wrap=True, overflow="ellipsis")
    if left:
        names = ", ".join(left[:2]) + (f" and {len(left) - 2} more" if len(left) > 2 else "")
        text.append(f"   no room for {names}: choose with --address NAME")
    return text


def _single(row: WatchedRow, *, with_bytes: bool) -> Text:
    text = Text(no_wrap=True)
    text.append(f"{'' if row.address is None else f'{row.address:04X}':<5}", style="dim")
    text.append(f"{cut(row.name, 16):<17}")
    value = cut(row.value, 18 if with_bytes else 12)
    text.append(value, style=style_of(row.age))
    if with_bytes:
        text.append(" " * max(10 - len(value), 1))
        for number, (byte, age) in enumerate(row.raw[:BYTES]):
            text.append(" " if number else "")
            text.append(f"{byte:02X}", style=style_of(age) or "dim")
        text.append("…" if len(row.raw) > BYTES else "", style="dim")
    return text


def _grid(row: WatchedRow) -> list[Text]:
    """A title, then the grid's rows, with one or two characters for each cell."""
    title = Text(no_wrap=True)
    title.append(f"{'' if row.address is None else f'{row.address:04X} '}", style="dim")
    title.append(row.name)
    lines = [title]
    parts = row.value.split("/")
    cells = len(row.raw) // max(len(parts), 1)
    for number, part in enumerate(parts):
        line = Text(no_wrap=True)
        ages = [age for _, age in row.raw[number * cells : (number + 1) * cells]]
        for at, sign in enumerate(part):
            age = ages[at * len(ages) // len(part)] if ages else row.age
            line.append(sign, style=style_of(age))
        lines.append(line)
    return lines


def _columns(lines: Sequence[Text], room: int) -> Iterator[list[Text]]:
    count = -(-len(lines) // room)
    each = -(-len(lines) // max(count, 1))
    for at in range(0, len(lines), max(each, 1)):
        yield list(lines[at : at + each])


def _width(lines: Sequence[Text]) -> int:
    return max((line.cell_len for line in lines), default=0)


def _beside(blocks: Sequence[Sequence[Text]], last: Text) -> RenderableType:
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for block in blocks:
        table.add_column(no_wrap=True, min_width=_width(block))
    if blocks:
        table.add_row(*(Text("\n", no_wrap=True).join(block) for block in blocks))
    whole = Table.grid()
    whole.add_row(table)
    whole.add_row(last)
    return whole


__all__ = ["cut", "laid_out", "style_of"]


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
        int | None,
        typer.Option(
            min=1, metavar="N", help="Stop after this many frames; they run as fast as they can.", show_default="never"
        ),
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
    from ochibot.ramtools.pads import frames_of, parse_pads
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
    from ochibot.ui.ramwatch import side_of

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
    from ochibot.cli.live import start

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
