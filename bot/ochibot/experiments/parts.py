"""Tells fields from parts of them, among those that landings show beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ochibot.experiments.fields import Came, Field, Spot, came, is_near
from ochibot.experiments.landings import Landing
from ochibot.experiments.rig import Bytes

PARTIAL: Final = 0.1
"""If more landings than this share are below a field's rows, it is a part of one."""

PART: Final = 0.75
"""A field that shows fewer of the cells than this share of those that a copy shows is a part of one."""

SHARED: Final = 0.75
"""What lies behind a copy has cells filled where the copy has them, for this share of them at least."""

OWN: Final = 0.5
"""A field has the piece's own cell, where x and y say, after this share of the landings at least."""


def own_share(field: Field) -> float:
    """The share of the landings that changed the cell at the piece's own place."""
    return field.seen / field.of


def doubtful(found: Sequence[tuple[float, Field]]) -> bool:
    """Whether the likeliest field is doubtful: it may have cells wherever pieces lie, but seldom the piece's own."""
    return bool(found) and own_share(found[0][1]) < OWN


def alike(one: Field, copy: Field, landings: Sequence[Landing]) -> bool:
    """Whether both are fields with the same cells filled, after most landings: steps through rows that lie in another
    order show other cells.
    """
    rows = min(one.rows, copy.rows)

    def filled(field: Field, ram: Bytes) -> set[Spot]:
        return {(column, row) for column, row in field.cells(ram) if row < rows}

    return (
        one.rows >= copy.rows - 1
        and not below(one, landings)
        and 2 * sum(filled(one, at.after) == filled(copy, at.after) for at in landings) >= len(landings)
    )


def shared(one: Field, copy: Field, landings: Sequence[Landing]) -> float:
    """The share of the cells filled in either field that are filled in both. A copy that is late lacks few of them."""
    seen = [({*one.cells(at.after)}, {*copy.cells(at.after)}) for at in landings]
    return sum(len(mine & other) for mine, other in seen) / max(1, sum(len(mine | other) for mine, other in seen))


def partial(field: Field, copy: Field, landings: Sequence[Landing]) -> bool:
    """Whether a field is a part of one: pieces come to rest below it, or a copy shows many more of their cells, as
    where some of the columns lie apart.
    """

    def shown(field: Field) -> int:
        return sum(len(left.cells) for one in landings if is_near(field, left := came(field, one)))

    return below(field, landings) or shown(field) < PART * shown(copy)


def below(field: Field, landings: Sequence[Landing]) -> bool:
    """Whether pieces come to rest below the field's rows, as where a ring's first row is in its middle."""
    low = min(row for _, row in usual_shape([came(field, one) for one in landings]))
    return sum(field.spot(one.x, one.y)[1] + low < 0 for one in landings) > PARTIAL * len(landings)


def usual_shape(left: Sequence[Came]) -> tuple[Spot, ...]:
    """The shape that landings leave most often, of those after which nothing vanished. A part may have fallen deeper
    than the rest: shapes that hold together come first.
    """
    counted = Counter(one.shape for one in left if one.cells and not one.gone)
    return max(counted, key=lambda shape: (_together(shape), counted[shape])) if counted else ((0, 0),)


def upright(left: Sequence[Came]) -> int:
    """The taps that stand a piece upright, so that it reaches all columns; 0 if it appears so, or isn't straight."""
    shapes = {turns: usual_shape([one for one in left if one.landing.turns == turns]) for turns in range(4)}
    for turns, shape in shapes.items():
        if len(shape) > 1 and len({column for column, _ in shape}) == 1:
            return turns
    return 0


def _together(shape: Sequence[Spot]) -> bool:
    """Whether each of several cells has another one beside it."""
    return all(any(abs(c - x) + abs(r - y) == 1 for x, y in shape) for c, r in shape)
