"""The falling pair as RAM has it, in whichever form a map says, as the family's positions of the axis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from ochibot.errors import MapError, PointerError
from ochibot.falling.orientation import Orientation
from ochibot.quoting import quoted
from ochibot.ram import ORIENTATIONS, BoundMap

_Halves = tuple[tuple[int, int], tuple[int, int]]


class Lying(Protocol):
    """A position of a family's: the axis's column and row, and how the pair lies."""

    @property
    def x(self) -> int:
        """The axis's column."""

    @property
    def y(self) -> int:
        """The axis's row, from the top."""

    @property
    def orientation(self) -> Orientation:
        """Where the partner is."""


S = TypeVar("S", bound=Lying)


def place_entries(form: str) -> tuple[str, ...]:
    """The entries that tell where the falling pair is, by what a map says that they denote."""
    return ("x", "y", "partner_x", "partner_y") if form == "halves" else ("x", "y", "orientation")


def pair_source(
    bound: BoundMap,
    orientations: Mapping[int, Orientation],
    states: Iterable[S],
    halves: Callable[[S], _Halves],
    also: tuple[str, ...] = (),
) -> tuple[Callable[[], tuple[int, ...]], Mapping[tuple[int, ...], S]]:
    """A function that reads the bytes which tell where the falling pair is, and what they mean: all others, nothing.

    ``orientations``: what the entry ``orientation`` means, for maps that give it no symbols. ``states``: every place a
    pair can be at; ``halves``: (x, y) of the axis and of the partner. ``also``: entries that tell more of a state, by
    its attribute of that name. Raises MapError when an entry of the map's form is missing, or a symbol of its
    orientation is none.
    """
    form = bound.map.pair.denotes
    names = (*place_entries(form), *also)
    for name in names:
        bound.require(name, "tells where the falling pair is")
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
                found[(*((u, v) if form == "partner" else (x, y)), code, *more)] = state
    if all(bound.map.entries[name].pointer is None for name in names):
        return read, found

    def follow() -> tuple[int, ...]:
        # between two pairs a game's pointer may lead nowhere
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
