"""The status line as rich draws it. Imported only where a terminal shows one."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

_BAR = 30
"""Columns of a bar."""


class _Screen(Console):
    """A console whose cursor stays in sight: a process that a signal ends at once couldn't bring it back."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002
        return False


def start() -> Live:
    """A line on stderr that changes only on request: no thread, and stdout and stderr stay what they are."""
    live = Live(console=_Screen(file=sys.stderr), auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    live.start()
    return live


def line(text: str, share: float | None) -> RenderableType:
    """The text in one line, cut where the terminal ends; a bar before it when there is a share."""
    label = Text(text, no_wrap=True, overflow="ellipsis")
    if share is None:
        return label
    table = Table.grid(padding=(0, 1))
    table.add_row(ProgressBar(total=1.0, completed=share, width=_BAR), label)
    return table


def table(names: Sequence[str], rows: Sequence[Sequence[str]], text: str) -> RenderableType:
    """Rows below their names, numbers to the right but for the last column; a line of text below."""
    grid = Table(box=None, padding=(0, 1), show_edge=False)
    for number, name in enumerate(names, 1):
        grid.add_column(name, justify="left" if number == len(names) else "right", no_wrap=True, overflow="ellipsis")
    for row in rows:
        grid.add_row(*row)
    return Group(grid, Text(text, no_wrap=True, overflow="ellipsis"))
