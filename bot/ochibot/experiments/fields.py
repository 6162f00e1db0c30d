"""The field as landings show it: its grid, its extent, the codes in it, and copies of it elsewhere in RAM."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.lattice import Lattice
from ochibot.experiments.pad import signed_byte
from ochibot.experiments.rig import Bytes

FEWEST_COLUMNS: Final = 4
FEWEST_SEEN: Final = 2
"""A code needs this many landings: a single one may be something else that was written there."""

MOST_ROWS: Final = 40
MOST_COLUMNS: Final = 24

LINKED: Final = 64
FEWEST_BEGUN: Final = 3
MOST_BELOW: Final = 8
NEAR: Final = 3

FEWEST_GONE: Final = 12
"""Fewer cells may vanish or come at once in play, too."""

MORE_ROWS: Final = 8
SINKING: Final = 40
LAST_FRAMES: Final = 120

Traces = np.ndarray[tuple[int, int], np.dtype[np.uint8]]

Spot = tuple[int, int]
"""(column from the left, row from the floor), both from 0."""


@dataclass(frozen=True)
class Came:
    """What a landing left. column, row: the piece's own place at rest. cells: the filled cells, counted from there."""

    landing: Landing
    column: int
    row: int
    cells: tuple[tuple[Spot, int], ...]
    gone: int
    """How many cells that were filled before are empty now."""

    @property
    def shape(self) -> tuple[Spot, ...]:
        """The cells without their codes."""
        return tuple(place for place, _ in self.cells)

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The cells' places in the field."""
        return tuple((self.column + c, self.row + r) for c, r in self.shape)


@dataclass(frozen=True)
class Field:
    """A field. grid: its cells; rows: how many of them from the floor. unit: raw y of a row (positive). floor_y: raw
    y of a piece whose own place is in row 0. left_x: raw x of a piece whose own place is in column 0; step_x: raw x
    of a column. codes: the bytes that landings left, with how often. seen, of: the landings that showed it, and all.
    """

    grid: Grid
    rows: int
    unit: int
    floor_y: int
    left_x: int
    step_x: int
    down: int
    codes: tuple[tuple[int, int], ...]
    seen: int
    of: int

    def cells(self, ram: Bytes) -> dict[Spot, int]:
        """The cells that aren't empty, with their bytes."""
        found = {}
        for column in range(self.grid.columns):
            for row in range(self.rows):
                value = int(ram[self.grid.cell(column, row)])
                if value != self.grid.empty:
                    found[column, row] = value
        return found

    def spot(self, x: int, y: int) -> Spot:
        """The column and row of a piece's own place, from its raw x and y."""
        across = (x - self.left_x) if self.step_x > 0 else (self.left_x - x)
        height = (self.floor_y - y) if self.down > 0 else (y - self.floor_y)
        wide = abs(self.step_x)
        return round(_wrapped(across, 3 * wide) / wide), round(_wrapped(height, self.unit) / self.unit)

    def offsets(self) -> list[int]:
        """The offsets of all cells."""
        return [self.grid.cell(c, r) for c in range(self.grid.columns) for r in range(self.rows)]


def lifted(field: Field, rows: int) -> Field:
    """The field without so many of its lowest rows; a negative number: with more rows below."""
    floor_y = field.floor_y - field.down * rows * field.unit & 255
    return replace(field, grid=field.grid.lifted(rows), rows=field.rows - rows, floor_y=floor_y)


def _wrapped(number: int, below: int) -> int:
    """A difference of bytes as -below to 255 - below."""
    return (number + below & 255) - below


def field_of(lattice: Lattice, landings: Sequence[Landing], raw_columns: Sequence[int], down: int, size: int) -> Field:
    """The field that a lattice is about. Raises CalibrationError when it is no field that pieces could lie in."""
    step = signed_byte(raw_columns[1] - raw_columns[0])
    changes: list[list[tuple[int, int, int, int]]] = []
    own: set[Spot] = set()
    for one in landings:
        column = _wrapped((one.x - raw_columns[0]) * (1 if step > 0 else -1), 3 * abs(step)) // abs(step)
        height = _wrapped((lattice.floor_y - one.y) * (1 if down > 0 else -1), lattice.unit)
        row = round(height / lattice.unit)
        places = [(column + across, row + up) for (across, up), _ in lattice.cells]
        inside = [(*place, lattice.at(*place)) for place in places if 0 <= lattice.at(*place) < size]
        changes.append([(c, r, int(one.before[at]), int(one.after[at])) for c, r, at in inside])
        own.add((column, row))
    empty = Counter(then for part in changes for *_, then, now in part if then != now).most_common(1)
    if not empty:
        raise CalibrationError("no landing changes its cells")
    void = empty[0][0]
    filled = [[(c, r, now) for c, r, then, now in part if then == void != now] for part in changes]
    # landings after which cells vanished, or that something else disturbed, show other numbers of cells
    usual = Counter(len(part) for part in filled if part).most_common(1)[0][0]
    whole = [part for part in filled if len(part) == usual]
    # what changed beside the field with one landing alone is somebody else's
    across = Counter(column for part in whole for column in {c for c, *_ in part})
    known = {column for column, times in across.items() if times >= FEWEST_SEEN} | {column for column, _ in own}
    clean = [one for part in whole for one in part if one[0] in known]
    # where cells vanish, others fall into their places
    quiet = [
        one
        for one, part, new in zip(landings, changes, filled, strict=True)
        if len(new) == usual and all(then == void or now != void for *_, then, now in part)
    ]
    links = _links(lattice, quiet, own, void, size)
    # beside a field another seat's may begin, in which something may land now and then at the same time
    wide = Counter(column for part in filled if len(part) == usual for column in {c for c, *_ in part})
    columns_in = {c for c, _ in own} | {c for c, times in wide.items() if times > FEWEST_SEEN}
    reached = [(c, r) for c, r, _ in clean if c in columns_in and not _lively(quiet, lattice.at(c, r), void)]
    if not reached:
        raise CalibrationError("its cells don't keep what lands there")
    after = Counter(now for *_, now in clean)
    # a byte beside the field may change once with a landing, like another cell of the piece
    sure = [spot for spot in reached if spot in own or reached.count(spot) >= FEWEST_SEEN]
    for spots in (reached, sure or reached):
        left, right = min(c for c, _ in spots), max(c for c, _ in spots)
        low, high = min(r for _, r in spots), max(r for _, r in spots)
        low -= _filled_below(lattice, landings, (left, right), (low, high), void, size, links)
        columns, rows = right - left + 1, high - low + 1
        grid = Grid(lattice.at(left, low), lattice.across, lattice.up, columns, void)
        offsets = {grid.cell(c, r) for c in range(columns) for r in range(rows)}
        apart = len(offsets) == columns * rows and min(offsets) >= 0 and max(offsets) < size
        if apart:
            break
    if not FEWEST_COLUMNS <= columns <= MOST_COLUMNS or not 3 <= rows <= MOST_ROWS:
        raise CalibrationError(f"a field of {columns} columns and {rows} rows makes no sense")
    if not apart:
        raise CalibrationError("its cells share bytes, or lie outside RAM")
    return Field(
        grid,
        rows,
        lattice.unit,
        lattice.floor_y - lattice.unit * low * (1 if down > 0 else -1) & 255,
        raw_columns[0] + left * step & 255,
        step,
        1 if down > 0 else -1,
        tuple(sorted((code, count) for code, count in after.items() if count >= FEWEST_SEEN)),
        lattice.votes,
        lattice.landings,
    )


def _links(lattice: Lattice, landings: Sequence[Landing], spots: set[Spot], void: int, size: int) -> int:
    """The bits that change alone, or in one of LINKED cells that stay: where none is emptied, few kinds change."""
    places = [at for spot in spots if 0 <= (at := lattice.at(*spot)) < size]
    seen = np.array([(one.before[places], one.after[places]) for one in landings], np.uint8).reshape(-1, 2, len(places))
    changed = (seen[:, 0] ^ seen[:, 1])[(seen != void).all(axis=1)]
    often = (LINKED * (changed >> bit & 1).sum() > len(changed) for bit in range(8))
    return sum(1 << bit for bit, some in enumerate(often) if some or (changed == 1 << bit).any())


def _filled_below(
    lattice: Lattice, landings: Sequence[Landing], across: Spot, up: Spot, void: int, size: int, links: int
) -> int:
    """How many rows below the lowest landing belong to a field that isn't empty at the start: they hold its codes, but
    for bits that are links.
    """

    def row(number: int) -> list[int]:
        return [lattice.at(column, number) for column in range(across[0], across[1] + 1)]

    inside = [at for number in range(up[0], up[1] + 1) for at in row(number) if 0 <= at < size]
    begun = [int(landings[0].before[at]) for at in inside]
    if sum(code != void for code in begun) < FEWEST_BEGUN:
        return 0
    kinds = {code & ~links for code in (void, *begun, *(int(one.after[at]) for one in landings for at in inside))}
    found = 0
    while found < MOST_BELOW:
        places = row(up[0] - found - 1)
        if min(places) < 0 or max(places) >= size:
            break
        seen = {int(one.before[at]) for one in landings for at in places}
        # a row of one code that never changes is a wall; below a column, another one's hidden rows may begin
        filled = sum(int(landings[0].before[at]) != void for at in places)
        if not {code & ~links for code in seen} <= kinds or len(seen) == 1 or filled < FEWEST_SEEN:
            break
        found += 1
    return found


def _lively(landings: Sequence[Landing], at: int, void: int) -> bool:
    """Whether a byte is no cell, because it is more often rewritten than filled: what landed in a cell stays there."""
    moves = [(int(one.before[at]), int(one.after[at])) for one in landings]
    filled = sum(then == void != now for then, now in moves)
    return sum(void != then != now != void for then, now in moves) > filled + 1


def came(field: Field, landing: Landing) -> Came:
    """What a landing left in a field."""
    column, row = field.spot(landing.x, landing.y)
    then, now = field.cells(landing.before), field.cells(landing.after)
    if landing.later is not None:
        then, now = lying(field, landing.before, landing.flying), lying(field, landing.after, landing.later)
    new = {spot: code for spot, code in now.items() if spot not in then}
    cells = tuple(sorted(((c - column, r - row), code) for (c, r), code in new.items()))
    return Came(landing, column, row, cells, 0 if _raised(then, now) else sum(spot not in now for spot in then))


def lying(field: Field, ram: Bytes, later: Bytes) -> dict[Spot, int]:
    """The filled cells, without those of a piece that has just appeared and is drawn there: ``later``, while it falls,
    they are empty.
    """
    grid = field.grid
    return {spot: code for spot, code in field.cells(ram).items() if int(later[grid.cell(*spot)]) != grid.empty}


def _raised(then: Collection[Spot], now: Collection[Spot]) -> bool:
    """Whether all cells lie a row higher, as where a row of garbage comes from below."""
    return bool(then) and all((column, row + 1) in now for column, row in then) and any(not row for _, row in now)


def ended(field: Field, landing: Landing) -> bool:
    """Whether most cells are gone after a landing, or many have come, as when another game or stage has begun."""
    then, now = lying(field, landing.before, landing.flying).keys(), field.cells(landing.after).keys()
    if _raised(then, now):
        return False
    gone = len(then - now)
    return max(gone, len(now - then)) >= FEWEST_GONE and (2 * gone > len(then) or len(now - then) >= FEWEST_GONE)


def is_near(field: Field, one: Came) -> bool:
    """Whether all cells that a landing left are near the piece's own place, or fell from there onto others."""
    return all(
        abs(c) <= NEAR and (abs(r) <= NEAR or (r < 0 and stands(field, one, one.column + c, one.row + r)))
        for c, r in one.shape
    )


def stands(field: Field, one: Came, column: int, row: int) -> bool:
    """Whether a cell is on the floor or on another one after a landing."""
    return not row or int(one.landing.after[field.grid.cell(column, row - 1)]) != field.grid.empty


def resting(shape: Sequence[Spot], column: int, taken: set[Spot], rows: int, *, apart: bool = False) -> set[Spot]:
    """The cells (column, row from the floor) in which a shape that falls straight down comes to rest.

    ``apart``: each column of the shape falls by itself.
    """
    if apart and len({c for c, _ in shape}) > 1:
        parts = [[(c, r) for c, r in shape if c == number] for number in {c for c, _ in shape}]
        return {spot for part in parts for spot in resting(part, column, taken, rows)}
    low = min(row for _, row in shape)

    def at(height: int) -> set[Spot]:
        return {(column + c, height + r - low) for c, r in shape}

    height = rows
    while height > 0 and not at(height - 1) & taken:
        height -= 1
    return at(height)


def with_height(field: Field, driver: Driver, landings: Sequence[Landing], restless: Mask) -> Field:
    """The field with all rows up to where pieces come to rest at the top, or appear.

    Pieces are piled up in two columns until the game ends. The last one may rest in rows that no other has reached. The
    rows in which pieces appear belong to the field as long as their bytes are those of cells.
    """
    rig = driver.rig
    quiet, rows = ~restless, field.rows
    while rows < min(MOST_ROWS, field.rows + MORE_ROWS) and inside(field.grid, rows, rig.size):
        rows += 1
    tall = replace(field, rows=rows)
    usual = max(1, Counter(len(came(field, one).cells) for one in landings).most_common(1)[0][0])
    highest = field.rows - 1
    codes = codes_seen(field, landings)
    if driver.drawn:
        quiet[_of_the_piece(tall, driver, landings, codes)] = True
    for column in {0, tall.grid.columns // 2}:
        for one in list(_piled(driver, landings, field.left_x + field.step_x * column & 255)):
            first = tall.cells(one[0]).keys()
            fresh: set[Spot] = set()
            for ram in one:
                # the new piece may be drawn into the field, and a game that ends may fill it; other codes are another
                # table's
                new = {spot for spot, code in tall.cells(ram).items() if code in codes} - first
                fresh = fresh if len(new) > usual else fresh | new
            low = min((row for _, row in fresh), default=0)
            for place in sorted(row for _, row in fresh if row - low < NEAR + 1):
                if place == highest + 1 and all(quiet[tall.grid.cell(c, place)] for c in range(tall.grid.columns)):
                    highest = place
    # a cell of somebody else may have changed beside a few pieces
    ups = Counter(r for one in landings if not one.turns for r in {r for _, r in came(field, one).shape})
    up = max((r for r, times in ups.items() if abs(r) <= NEAR and times >= FEWEST_SEEN), default=0)
    tops = Counter(field.spot(one.x, one.top)[1] for one in landings)
    spawn = max(row for row, times in tops.items() if times >= len(landings) // 4)
    while highest < spawn + up and highest + 1 < tall.rows:
        places = [tall.grid.cell(c, highest + 1) for c in range(tall.grid.columns)]
        seen = np.array([one.before[places] for one in landings])
        # pieces fall through these rows, so nothing stands there for good
        if not quiet[places].all() or not np.isin(seen, [*codes]).all() or (seen != field.grid.empty).all(axis=0).any():
            break
        highest += 1
    return replace(field, rows=highest + 1)


def _of_the_piece(field: Field, driver: Driver, landings: Sequence[Landing], codes: set[int]) -> list[int]:
    """The offsets of cells that change only near a piece that is drawn there, and only to codes, while it sinks."""
    found = {field.grid.cell(c, r): (c, r) for c in range(field.grid.columns) for r in range(field.rows)}
    for one in landings[:: max(1, len(landings) // 3)]:
        for ram in driver.rig.branch(one.state, [0] * SINKING):
            column, row = field.spot(int(ram[driver.x.offset]), int(ram[driver.y.offset]))
            for at in np.flatnonzero(ram != one.before).tolist():
                c, r = found.get(at, (column, row))
                if abs(c - column) > NEAR or abs(r - row) > NEAR or int(ram[at]) not in codes:
                    found.pop(at, None)
    return [*found]


def inside(grid: Grid, row: int, size: int) -> bool:
    """Whether a row lies in RAM and shares no byte with the rows below it."""
    places = {grid.cell(column, row) for column in range(grid.columns)}
    below = {grid.cell(column, r) for column in range(grid.columns) for r in range(row)}
    return min(places) >= 0 and max(places) < size and not places & below


def codes_seen(field: Field, landings: Sequence[Landing]) -> set[int]:
    """The bytes that the field's cells had before landings, whoever wrote them: pieces, or garbage between them."""
    seen = Counter(int(value) for one in landings for value in set(one.before[field.offsets()].tolist()))
    return {field.grid.empty, *(code for code, times in seen.items() if times >= FEWEST_SEEN)} | {
        code for code, _ in field.codes
    }


def _piled(driver: Driver, landings: Sequence[Landing], raw: int) -> Iterator[Traces]:
    """RAM from frame to frame of pieces that are dropped on each other, until one ends the game."""
    state = landings[0].state
    for _ in range(MOST_ROWS):
        try:
            state = driver.fall(state, column=raw).state
        except CalibrationError:
            driver.rig.load(state)
            before = driver.rig.snap()
            driver.go(raw)
            yield np.vstack([before[None], driver.rig.trace([int(Button.DOWN)] * LAST_FRAMES)])
            return
