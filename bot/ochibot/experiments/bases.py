"""The candidates for the piece and the field. The first that later experiments don't contradict is taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.basis import find_bases
from ochibot.experiments.documented import Hints
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Basis
from ochibot.experiments.numbered import find_counted
from ochibot.experiments.rig import Rig
from ochibot.wording import counted

MOST_BASES: Final = 6
"""How many candidates are tried."""


class Bases:
    """The candidates, the likeliest first. Each is looked for when it is first asked for. known: the first one, if a
    notebook has it.
    """

    def __init__(self, rig: Rig, route: Route, hints: Hints, known: Basis | None = None) -> None:
        self._rig = rig
        self._source = islice(_bases(rig, route, hints), MOST_BASES)
        self._found: list[Basis] = [] if known is None else [known]

    def first(self) -> Basis:
        """The likeliest candidate. Raises CalibrationError when nothing is found."""
        return next(iter(self))

    def __iter__(self) -> Iterator[Basis]:
        yield from self._found
        for basis in self._source:
            if basis not in self._found:
                self._found.append(basis)
                yield basis

    def told(self, basis: Basis) -> str:
        """A candidate in words, with its grade: where it has x, y and the field."""
        at = self._rig.address
        place = basis.place
        where = f"x {at(basis.x[0]):04X}, y {at(basis.y[0]):04X}, the lowest row at {at(basis.grid.floor):04X}"
        return f"{where}, {counted(place.rows, 'row')} ({Evidence(place.seen, place.of - place.seen)})"


def _bases(rig: Rig, route: Route, hints: Hints) -> Iterator[Basis]:
    """The candidates. Where there are none, x and y may be the number of a cell."""
    source = find_bases(rig, route.state, route.motion, hints)
    rig.count(None)
    try:
        first = next(source)
    except CalibrationError:
        number = None if rig.ran_out else find_counted(rig, route.state, route.motion.across)
        if number is None:
            raise
        rig.count(number)
        moves = replace(route.motion, across={rig.own - 2: 1}, fall={rig.own - 1: 1 if number.lower > 0 else -1})
        yield from find_bases(rig, route.state, moves, hints)
    else:
        yield first
        yield from source
