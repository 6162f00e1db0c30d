"""The falling pair as RAM has it, in whichever form a map says, as the family's positions of the axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final

from ochibot.errors import MapError, PointerError
from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.pair import PairState, halves
from ochibot.quoting import quoted
from ochibot.ram import ORIENTATIONS, BoundMap

ENTRIES: Final = (
    "x",
    "y",
    "orientation",
    "partner_x",
    "partner_y",
    "axis",
    "partner",
    "next_axis",
    "next_partner",
)
"""The names of all entries that tell of a pair, in one form or another."""

_Codes = tuple[tuple[int, Orientation], ...]


def states() -> Iterable[PairState]:
    """Every place a pair can be at. The partner may be one row above the field."""
    return (
        PairState(x, y, orientation)
        for x in range(1, COLUMNS + 1)
        for y in range(ROWS)
        for orientation in Orientation
        if 1 <= x + STEP[orientation][0] <= COLUMNS
    )


@cache
def _by_axis(codes: _Codes) -> dict[tuple[int, ...], PairState]:
    """Every place by its bytes: a snapshot is read at every frame."""
    return {(x, y, code): PairState(x, y, o) for code, turned in codes for x, y, o in states() if o == turned}


@cache
def _by_partner(codes: _Codes) -> dict[tuple[int, ...], PairState]:
    return {
        (*halves(state)[1], code): state for code, turned in codes for state in states() if state.orientation == turned
    }


@cache
def _by_halves() -> dict[tuple[int, ...], PairState]:
    return {(*axis, *partner): state for state in states() for axis, partner in (halves(state),)}


def pair_source(
    bound: BoundMap, orientations: Mapping[int, Orientation]
) -> tuple[Callable[[], tuple[int, ...]], Mapping[tuple[int, ...], PairState]]:
    """A function that reads the bytes which tell where the falling pair is, and what they mean: all others, nothing.

    ``orientations``: what the entry ``orientation`` means, for maps that give it no symbols. Raises MapError when an
    entry of the map's form is missing, or a symbol of its orientation is none.
    """
    form = bound.map.pair.denotes
    names = ("x", "y", "partner_x", "partner_y") if form == "halves" else ("x", "y", "orientation")
    for name in names:
        bound.require(name, "tells where the falling pair is")
    read = bound.several(*names)
    if form == "halves":
        found = _by_halves()
    else:
        codes = _orientation_codes(bound, orientations)
        found = _by_partner(codes) if form == "partner" else _by_axis(codes)
    if all(bound.map.entries[name].pointer is None for name in names):
        return read, found

    def follow() -> tuple[int, ...]:
        # between two pairs a game's pointer may lead nowhere
        try:
            return read()
        except PointerError:
            return ()

    return follow, found


def _orientation_codes(bound: BoundMap, orientations: Mapping[int, Orientation]) -> _Codes:
    words = bound.words("orientation")
    if not words:
        return tuple(orientations.items())
    for word in words.values():
        if word not in ORIENTATIONS:
            raise MapError(
                f"the map {bound.map.name}: the entry 'orientation' has the symbol {quoted(word)}; give "
                f"{', '.join(ORIENTATIONS)}"
            )
    return tuple((number, Orientation(number)) for number in words)
