"""Shows values of RAM in the panel beside the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ochibot.overlay.standing import Side, Standing
from ochibot.ramtools.watching import WatchedRow

LIT: Final = 30
"""Frames for which a change is highlighted."""

NO_LOOK: Final[Any] = None
"""The look of sides without a ghost: nothing is drawn on the game's picture."""


def side_of(name: str, rows: Sequence[WatchedRow]) -> Side:
    """The right panel: a row for each value, and one for each row of a grid. Recent changes are highlighted.

    A panel can't hold everything. So values that have never changed come last, and empty rows of grids are left out.
    """
    lines: list[tuple[str, str]] = []
    lit: set[int] = set()
    for shown, value, age in _lines(rows):
        if age < LIT:
            lit.add(len(lines))
        lines.append((shown, value))
    standing = Standing((name,), None, None, "", rows=tuple(lines), lit=frozenset(lit))
    return Side(2, NO_LOOK, standing)


def _lines(rows: Sequence[WatchedRow]) -> Iterator[tuple[str, str, int]]:
    singles, grids = ([row for row in rows if (row.grid_rows > 1) is many] for many in (False, True))
    yield from (_line(row) for row in singles if row.changes)
    for row in grids:
        parts = row.value.split("/")
        width = max(len(row.raw) // len(parts), 1)
        for number, part in enumerate(parts):
            ages = [age for _, age in row.raw[number * width : (number + 1) * width]]
            age = min(ages, default=row.age)
            if part.strip(".0") or age < LIT:
                yield f"{row.name} {number}", part, age
    yield from (_line(row) for row in singles if not row.changes)


def _line(row: WatchedRow) -> tuple[str, str, int]:
    where = "" if row.address is None else f"{row.address:04X} "
    return f"{where}{row.name}", row.value, row.age
