"""Evidence about a running game: drops whose outcome is known, with the RAM that belongs to each.

The experiments assume this: a pair of two halves appears upright where the game's table says, a tap moves it by a
column, and it falls until something holds it. The field's bytes show where its halves came to rest.
So it is known where axis and partner were whenever the pair lay still, whatever the map says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ochibot.console import Button
from ochibot.errors import GameError
from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.pair import PairState
from ochibot.ramtools.drops import Drop, DropLab, walk_plan
from ochibot.ramtools.grids import Grid, changed_alone, find_grids, nearest, within
from ochibot.ramtools.image import Image
from ochibot.ramtools.shapes import Shape

BY_TURNS: Final = {
    0: Orientation.UP,
    1: Orientation.RIGHT,
    2: Orientation.DOWN,
    -1: Orientation.LEFT,
}
"""The orientation of a pair that was upright, after each number of clockwise turns."""

WALK: Final = 16
"""How many pieces ``Collector.sample`` drops one after another."""

Cell = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Sample:
    """One drop whose outcome is known. spawn, start, rest, end: RAM at the spawn, when the pair answered the pad, when
    it came to rest, and at the next spawn.

    axis, partner: where the halves were when the pair came to rest (x from 1, y from 0). lands: where each half lay
    after falling further by itself. stood: the cells that were filled before. clean: whether nothing cleared. number:
    the piece's number in the walk, from 0; None outside the walk.
    """

    drop: Drop
    spawn: Image
    start: Image
    rest: Image
    end: Image
    axis: Cell
    partner: Cell
    orientation: Orientation
    lands: tuple[Cell, Cell]
    stood: frozenset[Cell]
    clean: bool
    number: int | None


@dataclass
class Evidence:
    """All samples, and what was found on the way. grids: the grids that fit the drops, the likeliest first. turns: 1
    when the turning button turns clockwise, -1 when it turns the other way, 0 when it does nothing.
    """

    first: bytes
    """The state in which the first pair began to answer the pad."""
    empty: Image
    """RAM in that state. The field is empty."""
    spawn: Image
    """RAM at the first spawn."""
    grids: list[Grid] = field(default_factory=list)
    turns: int = 1
    turning: Mapping[str, Button] = field(default_factory=dict)
    """The turning buttons by name (``rotate_cw``, ``rotate_ccw``), if they aren't those of the game's table."""
    delay: int = 0
    """Frames from the first spawn (counting its frame) until the pair answered the pad."""
    samples: list[Sample] = field(default_factory=list)
    drops: list[Drop] = field(default_factory=list)


class Collector:
    """Collects evidence from a first spawn on."""

    def __init__(self, lab: DropLab, shape: Shape, spawn: PairState, wanted: Grid | None) -> None:
        self.lab = lab
        self.shape = shape
        self.spawn = spawn
        self.wanted = wanted

    def collect(self) -> Evidence:
        """Drops a pair into every column, and one pair on top of another. The game must be at its first spawn.

        Returns the evidence without samples, which ``sample`` adds. Raises GameError when no spawn follows any of the
        drops into the columns.
        """
        lab = self.lab
        at_spawn = lab.lab.look()
        before = lab.lab.frames
        state = lab.to_control()
        found = Evidence(state, lab.lab.look(), at_spawn, delay=lab.lab.frames - before + 1)
        fan = {self.spawn.x + side: lab.drop(state, side) for side in self._sides()}
        if not any(drop.spawned for drop in fan.values()):
            raise GameError("no spawn followed the first pair: the map's spawn sign rose once and never again")
        above = lab.drop(lab.after(state, 0), 0)
        changed = changed_alone(found.empty, {column: drop.end for column, drop in fan.items()})
        moved = np.flatnonzero(above.start.cells != above.end.cells)
        on_top = {found.empty.base + int(place) for place in moved}
        shape, floor = self.shape, self.shape.floor
        tops = range(shape.base, shape.base + shape.may_lack + 1)
        grids = find_grids(changed, on_top, column=self.spawn.x, rows=shape.rows, rests=(floor, floor - 1))
        fitting = (within(grid, found.empty, tops) for grid in grids)
        found.grids = [
            grid
            for grid in nearest([grid for grid in fitting if grid is not None], self.wanted)
            if all(self._alone(grid, column, drop) for column, drop in fan.items())
        ]
        found.drops = list(fan.values())
        return found

    @staticmethod
    def _alone(grid: Grid, column: int, drop: Drop) -> bool:
        """Whether the drop of an upright pair into an empty field changed only the two lowest cells of its column."""
        return filled(grid, drop.start, drop.end) == {(column, grid.floor), (column, grid.floor - 1)}

    def _sides(self) -> range:
        return range(1 - self.spawn.x, self.shape.columns + 1 - self.spawn.x)

    def sample(self, found: Evidence, grid: Grid) -> None:
        """Adds the samples: the drops into every column, some turned ones, and a walk of one piece after another."""
        lab = self.lab
        turned = [(0, 1), (1, 1), (-1, -1), (2, -1), (0, 2), (3, 2), (-2, 2)]
        fan = [*found.drops, *(lab.drop(found.first, side, self._asked(found, turns)) for side, turns in turned)]
        for drop in fan:
            self._add(found, grid, drop, found.spawn, None)
        plan = [(side, self._asked(found, turns)) for side, turns in walk_plan(WALK)]
        for number, (drop, spawn) in enumerate(lab.walk(found.first, found.spawn, plan)):
            self._add(found, grid, drop, spawn, number)

    @staticmethod
    def _asked(found: Evidence, turns: int) -> int:
        """How many taps make ``turns`` clockwise turns (negative: taps of the other button); 0 if no button turns."""
        return turns * found.turns if found.turns else 0

    def _add(self, found: Evidence, grid: Grid, drop: Drop, spawn: Image, number: int | None) -> None:
        if not drop.spawned:
            return
        empty = empty_bytes(grid, found.empty)
        stood = taken(grid, drop.start, empty)
        orientation = BY_TURNS[drop.turned * (found.turns or 1)]
        state = PairState(self.spawn.x + drop.side, self.spawn.y, orientation)
        shape = self.shape
        cells = [[int((x, y) in stood) for x in range(1, shape.columns + 1)] for y in range(shape.rows)]
        rest = shape.falls(cells, state)
        dx, dy = STEP[orientation]
        lands = _lands(stood, rest, shape.rows)
        after = taken(grid, drop.end, empty)
        clean = after == stood | set(lands)
        touched = {*lands, (rest.x, rest.y), (rest.x + dx, rest.y + dy)}
        fill = drop.trace.first_change(grid.cell(x, y) for x, y in touched if y >= grid.top)
        went_elsewhere = len(after) == len(stood) + 2 and not clean
        if fill is None or went_elsewhere:
            return
        found.samples.append(
            Sample(
                drop,
                spawn,
                drop.start,
                drop.rest(fill),
                drop.end,
                (rest.x, rest.y),
                (rest.x + dx, rest.y + dy),
                orientation,
                lands,
                frozenset(stood),
                clean,
                number,
            )
        )


def _lands(stood: set[Cell], rest: PairState, rows: int) -> tuple[Cell, Cell]:
    """The cells of axis and partner once each has fallen as far as it can in its column."""
    dx, dy = STEP[rest.orientation]
    halves = [(rest.x, rest.y), (rest.x + dx, rest.y + dy)]
    full = set(stood)
    lands: dict[Cell, Cell] = {}
    for x, y in sorted(halves, key=lambda half: -half[1]):
        low = y
        while low + 1 < rows and (x, low + 1) not in full:
            low += 1
        full.add((x, low))
        lands[x, y] = x, low
    return lands[halves[0]], lands[halves[1]]


def twins(grid: Grid, samples: Sequence[Sample]) -> tuple[int, ...]:
    """The distances, below a stride, from each cell's byte to another that always has the same value."""
    span = min(abs(grid.row_stride), abs(grid.column_stride))
    found = []
    for side in (*range(1, span), *range(-1, -span, -1)):
        beside = replace(grid, address=grid.address + side)
        images = [sample.end for sample in samples]
        if all(beside.inside(image) and (beside.read(image) == grid.read(image)).all() for image in images):
            found.append(side)
    return tuple(found)


def empty_bytes(grid: Grid, image: Image) -> frozenset[int]:
    """The bytes of the cells of an empty field."""
    return frozenset(int(byte) for byte in grid.read(image).reshape(-1))


def taken(grid: Grid, image: Image, empty: frozenset[int]) -> set[Cell]:
    """The cells that aren't empty, as (x, y)."""
    cells = grid.read(image)
    return {
        (x + 1, y + grid.top) for y in range(grid.rows) for x in range(grid.columns) if int(cells[y, x]) not in empty
    }


def filled(grid: Grid, before: Image, after: Image) -> set[Cell]:
    """The cells whose bytes differ between two images, as (x, y)."""
    changed = grid.read(before) != grid.read(after)
    return {(int(x) + 1, int(y) + grid.top) for y, x in np.argwhere(changed)}


def images_of(samples: Sequence[Sample]) -> list[Image]:
    """Each sample's RAM with the pair at rest."""
    return [sample.rest for sample in samples]
