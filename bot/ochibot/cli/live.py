"""Draws status lines, live tables and values of RAM with rich. Imported only when a terminal shows one of them.

Values of RAM are laid out so: single values in columns, grids beside them, changed bytes highlighted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ochibot.ramtools.watching import WatchedRow

_BAR = 30
"""The width of a progress bar in columns."""


class _Screen(Console):
    """A console that never hides the cursor: a process that a signal ends at once couldn't show it again."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002
        return False


def start() -> Live:
    """Starts a display on stderr that changes only on request: it uses no thread, and redirects neither stream."""
    live = Live(console=_Screen(file=sys.stderr), auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    live.start()
    return live


def line(text: str, share: float | None) -> RenderableType:
    """One line of text, cut off at the terminal's width. With a share (0 to 1), a progress bar stands before it."""
    label = Text(text, no_wrap=True, overflow="ellipsis")
    if share is None:
        return label
    table = Table.grid(padding=(0, 1))
    table.add_row(ProgressBar(total=1.0, completed=share, width=_BAR), label)
    return table


def table(names: Sequence[str], rows: Sequence[Sequence[str]], text: str) -> RenderableType:
    """A table with a line of text below it. All columns but the last are aligned to the right."""
    grid = Table(box=None, padding=(0, 1), show_edge=False)
    for number, name in enumerate(names, 1):
        grid.add_column(name, justify="left" if number == len(names) else "right", no_wrap=True, overflow="ellipsis")
    for row in rows:
        grid.add_row(*row)
    return Group(grid, Text(text, no_wrap=True, overflow="ellipsis"))


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
