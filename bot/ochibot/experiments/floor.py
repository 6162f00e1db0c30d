"""The rows of a field beyond those that landings show: its floor, its top, and the rest of a ring of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.fields import FEWEST_SEEN, MORE_ROWS, MOST_BELOW, Field, came, codes_seen, lifted
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing
from ochibot.experiments.likely import with_cells
from ochibot.experiments.parts import usual_shape
from ochibot.experiments.pointers import pointed
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.setting import Setting, in_ram, pokes_of
from ochibot.experiments.views import WHOLE, View, deepened

MOST_ABOVE: Final = 4
DEEPER: Final = 2
"""How many rows are looked for below a view's lowest one."""


def with_rows_below(
    rig: Rig, field: Field, view: View, landings: Sequence[Landing], keep: int
) -> tuple[Field, View, list[Landing]]:
    """A field with the rows that RAM may have below its view's first row, if that is the field's or near it. ``keep``:
    only rows above so many of the field's may give way to them.

    Where the field isn't empty at the start, pieces may not have come so deep.
    """
    deeper, below = view, (field.grid.floor - rig.own) // view.columns
    if below < DEEPER:
        own = landings[-1].after[: rig.own]
        deeper = deepened(view, DEEPER - below, rig.own, keep + below) if view.regular else _by_a_table(view, own)
    if deeper is not view:
        rig.look(deeper)
        added = deeper.places.index(view.places[0])
        field = replace(field, grid=replace(field.grid, floor=field.grid.floor + added))
        landings = [with_cells(rig, one) for one in landings]
    return field, deeper, list(landings)


def floored(
    driver: Driver, field: Field, setting: Setting, view: View | None, landings: list[Landing]
) -> tuple[Field, Setting, View | None, list[Landing]]:
    """The field with the rows below the lowest landing, and without what lies below the floor; and the view and the
    landings that show it.
    """
    if view is None:
        return *with_floor(driver, field, setting, landings), view, landings
    # what lies above the known rows of a column may be the foot of the next one
    for keep in (field.rows, view.size // view.columns):
        driver.rig.look(view)
        lower, deeper, seen = with_rows_below(driver.rig, field, view, landings, keep)
        found, how = with_floor(driver, lower, setting, seen)
        if deeper.places[-1] == view.places[-1] or found.grid.floor < lower.grid.floor:
            break
    return found, how, deeper, seen


def _by_a_table(view: View, ram: Bytes) -> View:
    """The view with the rows below its lowest one that a table of pointers tells."""
    if view.bits != WHOLE or len(view.places[0]) > 1:
        return view
    columns = view.columns
    steps = [cell - view.places[0][0] for (cell,) in view.places[:columns]]
    rows = pointed(ram, {row: cell for row, (cell,) in enumerate(view.places[::columns])}, max(steps) + 1)
    below = tuple((rows[row] + step,) for row in range(min(rows, default=0), 0) for step in steps)
    return replace(view, places=below + view.places, shifts=(0,) * len(below) + view.shifts)


def with_floor(driver: Driver, field: Field, setting: Setting, landings: Sequence[Landing]) -> tuple[Field, Setting]:
    """The field, and how it is set, from the row on which pieces come to rest when nothing lies in it.

    Where a field isn't empty at the start, pieces may never reach its floor, and what lies below it may look like rows
    of it.
    """
    left = [one for one in (came(field, one) for one in landings if not one.turns) if one.cells]
    if setting.kind == "none" or not left:
        return field, setting
    usual = usual_shape(left)
    state = next((one.landing.state for one in left if one.shape == usual), left[0].landing.state)
    # cells side by side may each fall on by itself: the highest one's row is theirs
    apart = len({column for column, _ in usual}) == len(usual)
    low = (max if apart else min)(row for _, row in usual)

    def rests(field: Field, setting: Setting) -> dict[int, Bytes]:
        """The rows on which a piece comes to rest on an empty field, in two columns, and RAM then."""
        found = {}
        for column in {field.grid.columns // 2, 1}:
            raw = field.left_x + field.step_x * column & 255
            with suppress(CalibrationError):
                fallen = driver.fall(state, column=raw, pokes=pokes_of(field, setting, {}), about=True)
                row = field.spot(fallen.x, fallen.lowest)[1] + low
                # raw y has one byte: rows far below the lowest one look like rows far above
                found[row if row < field.rows + MORE_ROWS else row - 256 // field.unit] = fallen.ram
        return found

    seen = rests(field, setting)
    if len(seen) == 1 and 0 < min(seen) < field.rows // 2:
        return lifted(field, min(seen)), setting.lifted(min(seen))
    driver.rig.load(state)
    begun = driver.rig.snap()
    while seen and min(seen) <= 0:
        rest = min(seen)
        # what rests below is seen in its row; else the row below is tried
        deeper, deep = lifted(field, rest or -1), setting.lifted(rest or -1)
        if not all(in_ram(driver.rig, replace(deeper, grid=grid)) for grid, _ in deep.every(deeper.grid)):
            break
        before = deeper.cells(begun)
        lowest = {int(begun[deeper.grid.cell(column, 0)]) for column in range(deeper.grid.columns)}
        if rest < 0:
            seen = {0: seen[rest]} if any(not r for _, r in deeper.cells(seen[rest]).keys() - before) else {}
        elif any(not row for _, row in before) and len(lowest) > 1 and not lowest & _walls(field, begun):
            # where the lowest rows are full at the start, a piece falls into those below when they are emptied; a row
            # of one and the same code is the floor itself, and so is one of the code that stands beside all rows
            seen = rests(deeper, deep)
        else:
            break
        if not seen or min(seen) > 0:
            break
        field, setting = deeper, deep
    return field, setting


def _walls(field: Field, ram: Bytes) -> set[int]:
    """The codes that fill a column beside the field."""
    found = set()
    for column in (-1, field.grid.columns):
        places = [field.grid.cell(column, row) for row in range(field.rows)]
        if min(places) >= 0 and max(places) < len(ram):
            found |= {int(ram[places[0]])} if len({*ram[places].tolist()}) == 1 else set()
    return found - {field.grid.empty, *(code for code, _ in field.codes)}


def with_top(driver: Driver, field: Field, setting: Setting, landings: Sequence[Landing]) -> Field:
    """The field with the rows above those that pieces reach, in games in which a cell that hangs falls after a lock: a
    cell that is written into such a row falls, too.
    """
    landing = _straight(field, landings)
    if setting.kind == "none" or landing is None:
        return field
    codes = codes_seen(field, landings)
    for _ in range(MOST_ABOVE):
        taller = replace(field, rows=field.rows + 1)
        row = [taller.grid.cell(column, field.rows) for column in range(field.grid.columns)]
        if not in_ram(driver.rig, taller) or set(row) & set(field.offsets()):
            break
        if {int(one.before[at]) for one in landings for at in row} - codes:
            break
        if not all(_falls(driver, one, setting, landing, one.rows - 1) for one in (field, taller)):
            break
        field = taller
    return field


def with_shared_rows(field: Field, setting: Setting, copies: Sequence[Field], landings: Sequence[Landing]) -> Field:
    """The field with the rows below it that no piece reached, if nothing can be written into it: in a copy the same
    cells are filled, and these aren't all alike. What lies below two copies is hardly ever the same, unless it is a
    wall or nothing.
    """
    rams = np.array([ram for one in landings for ram in (one.before, one.after)])

    def row(grid: Grid, number: int) -> Bytes | None:
        places = [grid.cell(column, number) for column in range(grid.columns)]
        return rams[:, places] if min(places) >= 0 and max(places) < rams.shape[1] else None

    def alike(copy: Field, number: int) -> bool:
        own, other = row(field.grid, number), row(copy.grid, number)
        if own is None or other is None:
            return False
        filled = own != field.grid.empty
        return bool(filled.any() and len(np.unique(own)) > 1 and (filled == (other != copy.grid.empty)).all())

    found = 0
    for copy in copies if setting.kind == "none" else ():
        apart = copy.grid.columns == field.grid.columns and not {*copy.offsets()} & {*field.offsets()}
        if apart and alike(copy, 0):
            rows = range(1, MOST_BELOW + 1)
            found = max(found, next((number - 1 for number in rows if not alike(copy, -number)), MOST_BELOW))
    return lifted(field, -found)


def ring_above(driver: Driver, field: Field, setting: Setting, landings: Sequence[Landing]) -> View | None:
    """The field with the rows that follow its top where the rows are a ring, which goes on below the floor: a cell that
    is written there falls onto the heap. None where there are none.
    """
    landing = _straight(field, landings)
    if setting.kind != "cells" or landing is None:
        return None
    more = 0
    while more < MORE_ROWS and in_ram(driver.rig, lifted(field, -more - 1)):
        if not _falls(driver, field, setting, landing, -more - 1):
            break
        more += 1
    if not more:
        return None
    # what lies above the first row of a ring may look like one more
    top = field.rows - (not _falls(driver, field, setting, landing, field.rows - 1))
    return _ring(field, [*range(top), *range(-more, 0)])


def ring_below(
    driver: Driver, field: Field, setting: Setting, landings: Sequence[Landing]
) -> tuple[Field, View] | None:
    """The field with the rows that follow its floor where the rows are a ring, which goes on above the top: a piece
    that falls through the floor is seen there. Also the view of all of the ring. None where there are no such rows.
    """
    straight = [one for one in landings if not one.turns]
    shapes = Counter(one.shape for one in (came(field, one) for one in straight) if len(one.cells) > 1 and not one.gone)
    # a piece that lies may lie over two heights
    low = max((min(r for _, r in shape) for shape, times in shapes.items() if times >= FEWEST_SEEN), default=0)
    if setting.kind != "cells" or not straight:
        return None
    tall = replace(field, rows=field.rows + MORE_ROWS)
    while not in_ram(driver.rig, tall):
        tall = replace(tall, rows=tall.rows - 1)
    deep = next((one for one in straight if field.spot(one.x, one.y)[1] + low < 0), None)
    # where the lowest rows are full at the start, no piece may have fallen so deep
    columns = [field.left_x + field.step_x * column & 255 for column in (field.grid.columns // 2, 1)]
    for x in columns if deep is None else [deep.x]:
        one = deep or straight[0]
        found, emptied = (0, 0), set[tuple[int, int]]()
        while True:
            pokes = {tall.grid.cell(*spot): field.grid.empty for spot in emptied}
            try:
                fallen = driver.fall(one.state, column=x, pokes=pokes_of(field, setting, {}) | pokes, about=True)
            except CalibrationError:
                return None
            new = tall.cells(fallen.ram).keys() - (tall.cells(one.before).keys() - emptied)
            # in a ring that is known, y may go round on the way down; otherwise, rows above the field have their own y
            under = MORE_ROWS if emptied else max(0, min(MORE_ROWS, 256 // field.unit - tall.rows))
            column, row = lifted(field, -under).spot(fallen.x, fallen.lowest)
            more = under - row - low
            # column after column, what lies above one is the foot of another one
            rows = [row for at, row in new if at == column and row >= field.rows]
            if not rows or more <= found[1]:
                break
            # all between the top and these are of the ring, and may be full at the start
            found = min(rows), more
            emptied = {(column, row) for row in range(field.rows, sum(found)) for column in range(field.grid.columns)}
        floor, more = found
        if more:
            return lifted(field, -more), _ring(field, [*range(floor, floor + more), *range(floor)])
    return None


def _ring(field: Field, rows: Sequence[int]) -> View:
    """A view of some rows of a field, the lowest first."""
    places = tuple((field.grid.cell(column, row),) for row in rows for column in range(field.grid.columns))
    return View(field.grid.columns, places, (0,) * len(places))


def _straight(field: Field, landings: Sequence[Landing]) -> Landing | None:
    """The first landing of a piece that was not turned."""
    return next((one for one in landings if not one.turns and came(field, one).cells), None)


def _falls(driver: Driver, field: Field, setting: Setting, landing: Landing, row: int) -> bool:
    """Whether a cell that is written into a row, which may lie below the floor, is on the heap after a lock."""
    cells = field.cells(landing.before)
    heights = [max((r + 1 for c, r in cells if c == column), default=0) for column in range(field.grid.columns)]
    column = heights.index(min(heights))
    code = next(code for code, _ in field.codes if code != cells.get((column, heights[column] - 1)))
    away = 0 if column >= field.grid.columns // 2 else field.grid.columns - 1
    place = field.grid.cell(column, row)
    # copies have the row, too, where it is one of the field's
    pokes = pokes_of(field, setting, cells | ({(column, row): code} if row >= 0 else {})) | {place: code}
    raw = field.left_x + field.step_x * away & 255
    try:
        after = driver.fall(landing.state, column=raw, pokes=pokes, about=True).ram
    except CalibrationError:
        return False
    return int(after[place]) == field.grid.empty and (column, heights[column]) in field.cells(after)
