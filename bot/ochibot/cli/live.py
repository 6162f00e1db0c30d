"""Draws status lines and live tables with rich. Imported only when a terminal shows one of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

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
