"""Reads the place of the falling pair from RAM. A map may give the axis, the partner, both halves, or their box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from ochibot.errors import MapError, PointerError
from ochibot.falling.orientation import Orientation
from ochibot.quoting import quoted
from ochibot.ram import ORIENTATIONS, BoundMap

_Halves = tuple[tuple[int, int], tuple[int, int]]


class Lying(Protocol):
    """A position of the falling piece in any family: the axis's column and row, and the orientation."""

    @property
    def x(self) -> int:
        """The axis's column."""

    @property
    def y(self) -> int:
        """The axis's row, from the top."""

    @property
    def orientation(self) -> Orientation:
        """On which side of the axis the partner lies."""


S = TypeVar("S", bound=Lying)


def place_entries(form: str) -> tuple[str, ...]:
    """The entries that locate the falling pair in a map whose ``pair: denotes`` is ``form``."""
    return ("x", "y", "partner_x", "partner_y") if form == "halves" else ("x", "y", "orientation")


def pair_source(
    bound: BoundMap,
    orientations: Mapping[int, Orientation],
    states: Iterable[S],
    halves: Callable[[S], _Halves],
    also: tuple[str, ...] = (),
) -> tuple[Callable[[], tuple[int, ...]], Mapping[tuple[int, ...], S]]:
    """Returns a function that reads the values of the entries which locate the falling pair, and a table from these
    values to states. Values that aren't in the table belong to no possible state.

    ``orientations``: what the entry ``orientation`` means, for maps that give it no symbols. ``states``: every place
    where a pair can be. ``halves``: (x, y) of the axis and of the partner. ``also``: entries that describe more of a
    state, each named like the state's attribute. Raises MapError when an entry of the map's form is missing, or a
    symbol of the entry ``orientation`` is no orientation.
    """
    form = bound.map.pair.denotes
    names = (*place_entries(form), *also)
    for name in names:
        bound.require(name, "holds where the falling pair is")
    read = bound.several(*names)
    found: dict[tuple[int, ...], S] = {}
    codes = () if form == "halves" else _orientation_codes(bound, orientations)
    for state in states:
        (x, y), (u, v) = halves(state)
        more = [int(getattr(state, name)) for name in also]
        if form == "halves":
            found[x, y, u, v, *more] = state
        for code, turned in codes:
            if turned == state.orientation:
                at = {"partner": (u, v), "box": (min(x, u), max(y, v))}.get(form, (x, y))
                found[(*at, code, *more)] = state
    if all(bound.map.entries[name].pointer is None for name in names):
        return read, found

    def follow() -> tuple[int, ...]:
        # between two pairs, a game's pointer may hold no address of RAM
        try:
            return read()
        except PointerError:
            return ()

    return follow, found


def _orientation_codes(bound: BoundMap, orientations: Mapping[int, Orientation]) -> tuple[tuple[int, Orientation], ...]:
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
