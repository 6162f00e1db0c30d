"""Finds out whether a game draws the falling piece into the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ochibot.console import Button
from ochibot.experiments.driver import Driver
from ochibot.experiments.fields import FEWEST_SEEN, Field
from ochibot.experiments.grid import Drawn
from ochibot.experiments.landings import Landing
from ochibot.experiments.setting import in_ram

MOST_SINKING = 300
"""Within so many frames, a piece that appears above the known rows sinks among them."""


def find_drawn(driver: Driver, field: Field, state: bytes) -> Drawn | None:
    """Where a piece is drawn that has just appeared: what the field's cells hold there moves with it. One that appears
    above the known rows is looked at further down.
    """
    rig = driver.rig
    rig.load(state)
    top = driver.y_now()
    for _ in range(MOST_SINKING):
        if _row(driver, field) < field.rows:
            break
        rig.step()
    state, above = rig.save(), field.spot(driver.x_now(), top)[1] - _row(driver, field)
    # its upper half may be above the rows that were seen
    taller, known = replace(field, rows=field.rows + 1), field.rows
    field = taller if in_ram(rig, taller) else field
    for button in (Button.LEFT, Button.RIGHT):
        rig.load(state)
        before, was = set(field.cells(rig.snap())), field.spot(driver.x_now(), driver.y_now())
        now = was
        for _ in range(2):
            # two columns away, so that no cell of a piece that lies is where another one was; a tap may be enough
            if abs(now[0] - was[0]) < 2 and driver.nudge(button):
                now = field.spot(driver.x_now(), driver.y_now())
        if abs(now[0] - was[0]) < 2:
            continue
        after = set(field.cells(rig.snap()))
        away = now[0] - was[0]
        left, come, still = before - after, after - before, before & after
        # what is between two rows may be drawn into either
        for sunk in (was[1] - now[1] + late for late in (0, 1, -1)):
            back = {(c - away, r + sunk) for c, r in come}
            # cells of a long piece where others of it are now, and where these were
            over = {(c, r) for c, r in back & still if (c - away, r + sunk) in left}
            alone = left - {(c - away, r + sunk) for c, r in over}
            # only its lower half may have been inside the rows that were seen, or below what always looks filled
            if left and any(
                alone == {place for place in back - still if place[1] < rows} for rows in (field.rows, known)
            ):
                cells = tuple(sorted((column, row + above) for column, row in left | over))
                return Drawn(field.grid, field.rows, cells, top, field.unit * field.down)
    return None


def with_others(drawn: Drawn | None, field: Field, rows: int, landings: Sequence[Landing]) -> Drawn | None:
    """With the cells in which pieces of other shapes are drawn as they appear: those that were filled then in rows
    which no landing reached, from ``rows`` on.
    """
    if drawn is None or drawn.grid.floor != field.grid.floor:
        return drawn
    times = Counter(spot for one in landings for spot in field.cells(one.before) if spot[1] >= rows)
    others = {spot for spot, seen in times.items() if seen >= FEWEST_SEEN}
    return replace(drawn, rows=field.rows, cells=tuple(sorted({*drawn.cells, *others})))


def joined(drawn: Drawn | None, others: Drawn | None) -> Drawn | None:
    """With the cells of pieces of other shapes, which are drawn into the same field."""
    if drawn is None or others is None or drawn.grid.floor != others.grid.floor:
        return drawn
    return replace(drawn, cells=tuple(sorted({*drawn.cells, *others.cells})))


def _row(driver: Driver, field: Field) -> int:
    """The row of the piece's own place now."""
    return field.spot(driver.x_now(), driver.y_now())[1]
