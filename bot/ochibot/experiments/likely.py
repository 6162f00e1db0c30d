"""Chooses the fields that explain where pieces came to rest: bytes at equal distances, or cells of views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.fields import Field, came, field_of, is_near, lifted, stands
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.lattice import find_lattices
from ochibot.experiments.layouts import find_views
from ochibot.experiments.pointers import pointed
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.views import WHOLE, View, without_repeats

LIKELY: Final = 0.4
"""The share of landings that a field has to explain."""

MORE_CELLS: Final = 0.1
"""How much more a field is worth for each cell of a piece that it shows."""

ONE_MORE: Final = 0.8
NESTED: Final = 0.8

STEADY: Final = 0.45
"""A cell that nearly all pieces have is left by at least this share of them."""

AS_USUAL: Final = 0.25
FEWEST_OF_SEVERAL: Final = 3
"""A number of cells is usual, too, if so many landings leave it, as a share of those with the most usual one, and it is
not smaller than this: pieces may have three cells or four.
"""

FEWEST_VANISHED: Final = 2
"""A group that vanishes leaves so many cells empty. Its cells into which others fell, and the piece's, aren't seen."""

Viewed = tuple[float, Field, View]
"""The share of the landings that a view's field explains, the field by offsets of a rig with the view, and the view."""


def likely_fields(
    landings: Sequence[Landing], columns: Sequence[int], down: int, quiet: Mask, size: int
) -> list[tuple[float, Field]]:
    """Fields, each with the share of the landings that it explains; the best first."""
    found: list[tuple[float, float, Field]] = []
    cells: dict[Field, float] = {}
    reached = sum(times > 1 for times in Counter(one.x for one in landings).values())
    for lattice in find_lattices(landings, columns, down, quiet):
        try:
            field = field_of(lattice, landings, columns, down, size)
        except CalibrationError:
            continue
        share = likeness(field, landings)
        if share >= LIKELY:
            # a field that shows all cells of a piece is better than one that shows some, and it has a column for each
            # in which pieces came to rest
            wide = min(1.0, field.grid.columns / reached)
            shown = steady_cells(field, landings)
            cells[field] = shown
            # where something lands in every second column alone, the others lie elsewhere
            share *= len({c for one in landings for c, _ in came(field, one).spots}) / field.grid.columns
            share *= wide
            found.append((share * (1 + MORE_CELLS * shown), share, field))
    found = [one for one in found if not any(_coarser(one[2], other, cells) for *_, other in found)]
    # steps through half of a wide cell show no more: its second byte is never empty
    found.sort(key=lambda item: (-item[0], -item[2].unit))
    return [(share, field) for _, share, field in found]


def likeness(field: Field, landings: Sequence[Landing]) -> float:
    """The share of the landings that left a usual number of cells, all of them near the piece's own place, and some of
    them on the floor or on others. Landings after which a group vanished say nothing about a field, unless they are
    most.
    """
    left = [came(field, one) for one in landings]
    still = [one for one in left if one.gone < FEWEST_VANISHED]
    left = still if 2 * len(still) >= len(left) else left
    sizes = Counter(len(one.cells) for one in left if one.cells)
    most = max(sizes, key=sizes.__getitem__, default=0)
    usual = {size for size in sizes if size >= FEWEST_OF_SEVERAL and sizes[size] >= AS_USUAL * sizes[most]} | {most}
    near = [is_near(field, one) and any(stands(field, one, *spot) for spot in one.spots) for one in left]
    return sum(len(one.cells) in usual and ok for one, ok in zip(left, near, strict=True)) / len(left)


def steady_cells(field: Field, landings: Sequence[Landing]) -> float:
    """How many cells nearly all pieces have at the same places from their own, however they are turned.

    Where pieces of three cells lie on each other, steps of three rows show one cell of each, and steps of one row
    show all.
    """
    seen = Counter(place for one in landings for place in came(field, one).shape)
    return sum(times for times in seen.values() if times >= STEADY * len(landings)) / len(landings)


def _coarser(field: Field, other: Field, cells: Mapping[Field, float]) -> bool:
    """Whether a field is rows of another one that shows more cells of a piece: where pieces of three cells lie on each
    other and nothing vanishes, all of them rest at multiples of three rows.
    """
    finer = field.unit > other.unit and field.unit % other.unit == 0 and cells[other] >= cells[field] + ONE_MORE
    offsets = field.offsets()
    return finer and len({*offsets} & {*other.offsets()}) >= NESTED * len(offsets)


def of_a_part(field: Field, view: View, plain: Field) -> bool:
    """Whether the cells of a view's field are parts of cells of a wider field at equal distances: it explains more
    landings only because fewer of its cells vanish.
    """
    rows = range(-field.rows, 2 * field.rows)
    wider = {plain.grid.cell(column, row) for column in range(plain.grid.columns) for row in rows}
    return field.grid.columns < plain.grid.columns and view.bytes <= wider


def viewed_fields(driver: Driver, landings: Sequence[Landing], columns: Sequence[int], quiet: Mask) -> list[Viewed]:
    """The views whose cells explain landings, the best first."""
    rig = driver.rig
    found: list[tuple[float, Viewed]] = []
    for view in find_views(landings, columns, driver.y.step, quiet, rig.own):
        # where a piece that falls is drawn into the field, nothing has landed
        kept = [np.where(quiet[: rig.own], one.before[: rig.own], one.after[: rig.own]) for one in landings]
        seen = [replace(one, after=now).seen_as(view.cells) for one, now in zip(landings, kept, strict=True)]
        still = np.zeros(view.size, bool)
        for share, field in likely_fields(seen, columns, driver.y.step, still, view.size):
            if field.grid.across == 1 and field.grid.up == view.columns:
                below = field.grid.floor // view.columns
                known = without_repeats(view, below)
                if below and _pointed(view, landings[-1].after[: rig.own]):
                    # pieces may never reach the lowest rows, which something fills, but a table has them
                    field = lifted(field, -_filled(field, seen, below))
                placed = replace(field.grid, floor=rig.own + field.grid.floor)
                # a piece's own cell is where x and y say
                found.append((share + field.seen / field.of, (share, replace(field, grid=placed), known)))
    return [one for _, one in sorted(found, key=lambda item: -item[0])]


def with_cells(rig: Rig, one: Landing) -> Landing:
    """A landing with the cells of the view at which the rig looks."""
    return one.seen_as(rig.with_cells)


def _filled(field: Field, seen: Sequence[Landing], below: int) -> int:
    """How many of the view's rows below the field always hold something, so that pieces rest on them: what the field's
    cells have, or what never changes. What lies beside a table in RAM may look like a pointer to one more row.
    """
    up = field.grid.up
    rows = np.array([one.before[: below * up].reshape(below, up) for one in seen])
    codes = [ram[field.offsets()] for one in seen for ram in (one.before, one.after)]
    steady = ((rows == rows[0]) | np.isin(rows, codes)).all(axis=(0, 2))
    held = ((rows != field.grid.empty).any(axis=2).all(axis=0) & steady)[::-1]
    return below if held.all() else int(held.argmin())


def _pointed(view: View, ram: Bytes) -> bool:
    """Whether a table of pointers has the rows of a view."""
    if view.bits != WHOLE or len(view.places[0]) > 1:
        return False
    firsts = dict(enumerate(cell for (cell,) in view.places[:: view.columns]))
    return bool(pointed(ram, firsts, view.columns))
