"""Finds how a board can be set from outside: which bytes must be written so that pieces land on what was written.

Most games land pieces on the field's own cells. Some land them on a mirror of the field, and some by a row of heights
that they work out only when a piece locks. In such a game, cells alone hold nothing up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.fields import MORE_ROWS, Field, Spot, came, lifted
from ochibot.experiments.grid import Grid
from ochibot.experiments.heights import Heights, find_heights
from ochibot.experiments.landings import Landing
from ochibot.experiments.rig import Bytes, Rig

MOST_FIELDS: Final = 16
MOST_TWICE: Final = 4
MOST_TRIAL: Final = 900
MOST_PIECES: Final = 3
FEWEST_SIGNS: Final = 4
"""A byte of the cells differs from that of empty ones in so many RAMs, each before or after a landing."""

LATE: Final = 40
"""A copy of the field may be so many frames late."""
ALIKE: Final = 0.9
"""A bit of a copy's cell is the same for this share of the field's equal cells, if it means something."""

Filled = np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]

FILLED: Final = 3
"""How many rows are filled to see whether a piece lands on them, where there is room below the next one."""


@dataclass(frozen=True)
class Setting:
    """How a board is set. kind: ``cells``, ``mirror`` (cells and copies of them), ``heights`` (those as well) or
    ``none``: pieces land on nothing that was written. grids: what is written beside the field. tried: how many ways.
    codes: for each grid what it has for codes of the field, where they differ. cleared: further bytes of the cells,
    such as those of joints, which are made empty with whatever is written.
    """

    kind: str
    grids: tuple[Grid, ...] = ()
    heights: Heights | None = None
    tried: int = 0
    codes: tuple[tuple[tuple[int, int], ...], ...] = ()
    cleared: tuple[Grid, ...] = ()

    def every(self, grid: Grid) -> list[tuple[Grid, dict[int, int]]]:
        """The field's own grid and those beside it, each with its codes for those of the field, where they differ."""
        return [(grid, {}), *zip(self.grids, map(dict, self.codes or ((),) * len(self.grids)), strict=True)]

    def lifted(self, rows: int) -> Setting:
        """The same without so many of the field's lowest rows."""
        heights = self.heights and replace(self.heights, base=self.heights.base + rows * self.heights.step & 255)
        grids, cleared = (tuple(grid.lifted(rows) for grid in part) for part in (self.grids, self.cleared))
        return replace(self, grids=grids, cleared=cleared, heights=heights)


def pokes_of(field: Field, setting: Setting, cells: Mapping[Spot, int]) -> dict[int, int]:
    """The bytes that make the field hold these cells, and nothing else."""
    found = {
        grid.cell(column, row): grid.empty
        for grid in setting.cleared for row in range(field.rows) for column in range(grid.columns)
    }  # fmt: skip
    for grid, own in setting.every(field.grid):
        # above a column of a copy may be the foot of another one, which counts
        for row in range(field.rows - 1, -1, -1):
            for column in range(grid.columns):
                value = cells.get((column, row))
                found[grid.cell(column, row)] = grid.empty if value is None else own.get(value, value)
    if setting.heights is not None:
        for column in range(field.grid.columns):
            height = max((row + 1 for c, row in cells if c == column), default=0)
            found[setting.heights.first + column * setting.heights.stride] = (
                setting.heights.base + height * setting.heights.step & 255
            )
    return found


def find_setting(
    driver: Driver,
    fields: Sequence[Field],
    landings: Sequence[Landing],
    most: int = MOST_FIELDS,
) -> tuple[Field, Setting]:
    """The field whose cells hold pieces, and how it is set. fields: the field and its copies, the likeliest first.
    most: how many of them may be the field.

    Several pieces are tried, because one may blow up what it lands on. If nothing that is written holds any, the first
    field is returned, with the setting ``none``.
    """
    left = [came(fields[0], one) for one in landings]
    whole = [one.landing for one in left if one.cells and not one.gone and not one.landing.turns] or list(landings)
    # between high piles and a piece there is no room for rows that are written
    whole.sort(key=lambda one: _highest(fields[0], one) - fields[0].spot(one.x, one.top)[1])
    found: tuple[Field, Setting] | None = None
    # a game that works out where a piece lands only when it moves doesn't see at once what was written
    moved = [one for one in whole if one.x != int(one.before[driver.x.offset])]
    for number, landing in enumerate((*whole[:MOST_PIECES], *moved[:1])):
        try:
            trial = _Trial(driver, landing, fields[0], landings, number, steered=number >= len(whole[:MOST_PIECES]))
        except CalibrationError:
            continue
        field, setting = _setting(trial, fields[:MOST_FIELDS], landings, most)
        if setting.kind != "none":
            return field, setting
        found = found or (field, setting)
    return found or (fields[0], Setting("none"))


def _highest(field: Field, one: Landing) -> int:
    """The rows up to the highest cell that is filled before a landing."""
    return max((row + 1 for _, row in field.cells(one.before)), default=0)


def _setting(trial: _Trial, fields: Sequence[Field], landings: Sequence[Landing], most: int) -> tuple[Field, Setting]:
    """As ``find_setting``, with one piece."""
    likely = fields[:most]
    holders = [field for field in likely if trial.holds(field, Setting("cells"))]
    tried = len(likely)
    for field in holders:
        cleared = _signs_of_cells(field, landings)
        for plain in (*([Setting("cells", cleared=cleared)] if cleared else []), Setting("cells")):
            tried += 1
            if (not plain.cleared or trial.holds(field, plain)) and trial.empties(field, plain):
                return field, replace(plain, tried=tried)
    # a game may keep each cell twice, and look at either byte
    for field in holders or likely[:MOST_TWICE]:
        for copies in _copies(field, fields, landings):
            tried += 1
            rings = [replace(field, grid=grid) for grid in copies.grids if grid.ring is not None]
            if any(trial.holds(ring, Setting("cells")) for ring in rings):
                continue  # the ring alone is the field, and this one follows it
            if trial.works(field, replace(copies, kind="mirror")):
                return field, replace(copies, kind="mirror", tried=tried)
    if holders:
        return holders[0], Setting("cells", tried=tried)
    for field in likely[:MOST_TWICE]:
        copies = next(reversed(list(_copies(field, fields, landings))), Setting("none"))
        for heights in find_heights(field, landings):
            tried += 1
            made = replace(copies, kind="heights", heights=heights, tried=tried)
            if trial.works(field, made):
                return field, made
    return likely[0], Setting("none", tried=tried)


def _signs_of_cells(field: Field, landings: Sequence[Landing]) -> tuple[Grid, ...]:
    """Bytes of the field's cells beside their own that have one value in all empty cells, and other ones in some that
    are filled. A joint with a neighbour, for one, may count as something that lies there.
    """
    grid, width = field.grid, min(abs(field.grid.across), abs(field.grid.up))
    rams = np.stack([ram for one in landings for ram in (one.before, one.after)])
    places = np.array(field.offsets())
    empty = rams[:, places] == grid.empty
    found = []
    for away in (away for away in range(1 - width, width) if away):
        beside = places + away
        if beside.min() < 0 or beside.max() >= rams.shape[1] or np.isin(beside, places).any():
            continue
        values = rams[:, beside]
        kinds = np.unique(values[empty])
        if len(kinds) == 1 and (values != kinds[0]).any(axis=1).sum() >= FEWEST_SIGNS:
            found.append(replace(grid, floor=grid.floor + away, empty=int(kinds[0])))
    return tuple(found)


def _copies(field: Field, likely: Sequence[Field], landings: Sequence[Landing]) -> Iterator[Setting]:
    """Grids that may have to hold what the field holds: the nearest copy alone, then all copies. A copy with fewer rows
    may not have room for all of the field's at the end of RAM; it is left out.
    """
    size = len(landings[0].after)
    levels = [(_level(copy, field, landings), codes) for copy in likely
              if copy is not field and (codes := _codes(copy, field, landings)) is not None]  # fmt: skip
    alike = [one for one in levels if all(0 <= one[0].cell(column, row) < size
             for column in range(one[0].columns) for row in range(field.rows))]  # fmt: skip
    alike.sort(key=lambda one: abs(one[0].floor - field.grid.floor))
    for some in (alike[:1], alike[1:] and alike):
        if some:
            yield Setting("none", tuple(grid for grid, _ in some), codes=tuple(codes for _, codes in some))


def _level(copy: Field, field: Field, landings: Sequence[Landing]) -> Grid:
    """The grid of a copy from the field's lowest row on. What lies below a copy may look like rows of it."""

    def alike(one: Field) -> int:
        rows = min(one.rows, field.rows)
        both = ([spot for spot in part.cells(at.after) if spot[1] < rows] for at in landings for part in (one, field))
        return sum(mine == other for mine, other in zip(both, both, strict=True))

    size = len(landings[0].after)
    away = sorted(range(-1, max(1, copy.rows - field.rows) + 1), key=abs)
    ways = [one for one in (lifted(copy, rows) for rows in away) if set(one.offsets()) <= set(range(size))]
    return _ring(max(ways, key=alike).grid, field, landings)


def _ring(grid: Grid, field: Field, landings: Sequence[Landing]) -> Grid:
    """The grid of a copy. Where its rows are a ring, some lie beyond those that follow each other."""
    seen = np.stack([one.after for one in landings])

    def filled(one: Grid) -> Filled:
        places = np.array([[one.cell(c, r) for c in range(one.columns)] for r in range(field.rows)])
        inside = (places >= 0) & (places < seen.shape[1])
        found: Filled = inside & (seen[:, places * inside] != one.empty)
        return found

    def unlike(one: Grid) -> list[int]:
        """The rows in which not the same cells are filled."""
        here = filled(one)
        kept = (own & here).sum(axis=(0, 2)) >= ALIKE * own.sum(axis=(0, 2))
        return np.flatnonzero(~kept | ((own == here).mean(axis=(0, 2)) < ALIKE)).tolist()

    own = filled(field.grid)
    other = unlike(grid)
    counts = range(field.rows, field.rows + MORE_ROWS)
    if other and other[0]:
        rings = [replace(grid, ring=(other[0], rows)) for rows in counts]
    else:
        rings = [replace(grid.lifted(rows - low), ring=(low, rows)) for low in range(1, len(other)) for rows in counts]
    return next((one for one in rings if not unlike(one)), grid)


def _codes(copy: Field, field: Field, landings: Sequence[Landing]) -> tuple[tuple[int, int], ...] | None:
    """What a copy of a field has for its codes, where they differ; None if it is no copy."""
    if copy.grid.columns != field.grid.columns:
        return None
    codes = [{code for code, _ in one.codes} | {one.grid.empty} for one in (field, copy)]
    if codes[0] <= codes[1] or codes[1] <= codes[0]:
        return ()
    seen: dict[int, list[int]] = {}
    for one in landings:
        for spot, code in field.cells(one.after).items():
            seen.setdefault(code, []).append(int(one.after[copy.grid.cell(*spot)]))
    # some bits of a cell may mean nothing, and be others in each copy
    ones = [np.unpackbits(np.array(codes, np.uint8)[:, None], axis=1).mean(axis=0) for codes in seen.values()]
    told = np.all([(share >= ALIKE) | (share <= 1 - ALIKE) for share in ones], axis=0)
    mask = int(np.packbits(told)[0])
    usual = {code: Counter(codes).most_common(1)[0][0] for code, codes in seen.items()}
    kinds = {own & mask for own in usual.values()}
    if len(kinds) < 2 or copy.grid.empty & mask in kinds:
        return None
    return tuple(sorted(usual.items()))


def _kept(grid: Grid, ram: Bytes, added: Sequence[Spot]) -> bool:
    """Whether most of what was written is there: what doesn't change with the field is no copy of it, and what is made
    anew from elsewhere isn't the field. Some columns may have fallen into rows below those that pieces reached.
    """
    stays = {spot for spot in added if ram[grid.cell(*spot)] != grid.empty}
    columns, there = {column for column, _ in added}, {column for column, _ in stays}
    return 2 * len(there) > len(columns) and 4 * len(stays) > 3 * sum(column in there for column, _ in added)


class _Trial:
    """Drops a piece on filled rows, and sees whether it comes to rest as much higher. steered: where it landed first,
    not where it appears.
    """

    def __init__(
        self,
        driver: Driver,
        landing: Landing,
        field: Field,
        landings: Sequence[Landing],
        number: int,
        *,
        steered: bool = False,
    ) -> None:
        self.driver = driver
        self.number = number
        self.landing = landing
        self.others = landings
        driver.rig.load(landing.state)
        # where it appears, a piece needs no steering before it lands; where it landed first, nothing vanished
        for self.raw in (driver.x_now(), landing.x)[:: -1 if steered else 1]:
            fallen = driver.fall(landing.state, column=self.raw)
            self.next = fallen.state
            self.rest = replace(
                landing, flying=fallen.flying, after=fallen.ram, x=fallen.x, y=fallen.lowest, top=fallen.top, later=None
            )
            free = came(field, self.rest)
            if free.cells and not free.gone:
                break

    def works(self, field: Field, setting: Setting) -> bool:
        """Whether pieces land on what is written, and fall through what is written over."""
        return self.holds(field, setting) and self.empties(field, setting)

    def empties(self, field: Field, setting: Setting) -> bool:
        """Whether the next piece falls as low as the first one, when the first one is written over."""
        free = came(field, self.rest)
        pokes = pokes_of(field, setting, field.cells(self.landing.before))
        try:
            fallen = self.driver.fall(self.next, column=self.raw, pokes=pokes, most=MOST_TRIAL)
        except CalibrationError:
            return False
        second = replace(self.rest, after=fallen.ram, x=fallen.x, y=fallen.lowest)
        low = [one.row + min((r for _, r in one.shape), default=0) for one in (free, came(field, second))]
        return abs(low[0] - low[1]) <= 1

    def holds(self, field: Field, setting: Setting) -> bool:
        """Whether the piece lands on rows that are written, and they stay."""
        free = came(field, self.rest)
        if not free.cells:
            return False
        codes = self._unlike(field, {code for _, code in free.cells})
        under = sorted({free.column + c for c, _ in free.shape})
        before = field.cells(self.landing.before)
        low = {c: min(row for column, row in free.spots if column == c) for c in under}
        # the piece fell through what is above it, so that is no part of the field
        height = max((row + 1 for (c, row) in before if row < low.get(c, 0)), default=0)
        # where pieces appear inside the field, one that rests there ends the game
        _, appears = field.spot(self.rest.x, self.rest.top)
        rows_up = [r for _, r in free.shape]
        filled = min(FILLED, max(1, appears + 2 * min(rows_up) - max(rows_up) - 1 - height))
        if height + filled > field.rows:
            return False
        wide = [c for c in range(under[0] - 1, under[-1] + 2) if 0 <= c < field.grid.columns]
        rows = range(height + filled)
        # no three alike in a line
        fresh = {(c, r): codes[(c // 2 + r) % len(codes)] for c in wide for r in rows}
        # what lies beside them might vanish with them
        beside = range(wide[0] - 1, wide[-1] + 2)
        before = {(c, r): code for (c, r), code in before.items() if c not in beside or c in wide}
        cells = {(c, r): code for (c, r), code in before.items() if c not in wide} | fresh
        try:
            fallen = self.driver.fall(
                self.landing.state, column=self.raw, pokes=pokes_of(field, setting, cells), most=MOST_TRIAL
            )
        except CalibrationError:
            return False
        column, row = field.spot(fallen.x, fallen.lowest)
        # a copy that is made anew after a lock has lost what was written, maybe some frames later
        self.driver.rig.run([0] * LATE)
        after = self.driver.rig.snap()
        # a cell that was full before may be so again, and one that stays may be linked to others and have another code
        added = [spot for spot in fresh if spot not in before]
        return (
            column == free.column
            and row == free.row + filled
            and all(_kept(grid, after, added) for grid, _ in setting.every(field.grid))
        )

    def _unlike(self, field: Field, own: set[int]) -> list[int]:
        """Two codes of one cell of the pieces that are unlikely to look alike to the game, others for each trial: those
        of several cells may, and so may codes that differ in a few bits. own: the piece's codes, which vanish with
        equal ones; they are taken only where there are too few others.
        """
        cells = [came(field, one).cells for one in self.others if not one.turns]
        usual = Counter(tuple(place for place, _ in part) for part in cells if part).most_common(1)
        first = {part[0][1] for part in cells if part and tuple(place for place, _ in part) == usual[0][0]}
        every = {code for code, _ in field.codes}
        pools = [first - own, every - own, first, every]
        codes = sorted(next((pool for pool in pools if len(pool) > 1), pools[-1]))
        at = min(self.number, max(0, len(codes) // 2 - 1))
        return [codes[at], codes[-1 - at]]


def in_ram(rig: Rig, field: Field) -> bool:
    """Whether all cells are RAM's own bytes, or all are a view's."""
    low, high = min(field.offsets()), max(field.offsets())
    return low >= 0 and high < rig.size and (low < rig.own) == (high < rig.own)
