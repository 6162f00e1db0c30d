"""Draws random futures: pairs that may come after the visible ones."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from ochibot.falling.splitmix import GAMMA, MASK_64, mixed
from ochibot.puyo.rules.field import COLORS, COLUMNS, Field
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.snapshot import Snapshot

_BAG = 4


class Draw:
    """A small random generator (SplitMix64). It gives the same numbers on every machine."""

    def __init__(self, *numbers: int) -> None:
        """``numbers``: the seed, as any number of whole numbers."""
        self._state = 0
        for number in numbers:
            self._state = self._next() ^ (number & MASK_64)

    def below(self, limit: int) -> int:
        """The next random number, 0 <= n < ``limit``."""
        return (self._next() >> 32) * limit >> 32

    def _next(self) -> int:
        self._state = (self._state + GAMMA) & MASK_64
        return mixed(self._state)


def palette(field: Field, pairs: Iterable[Pair], count: int) -> tuple[int, ...]:
    """The colours that the game may deal, sorted: all colours already seen, and if these are fewer than ``count``, the
    unseen ones with the lowest codes.
    """
    seen = {code for pair in pairs for code in pair} | {int(code) for code in set(field.cells.flatten().tolist())}
    known = [color for color in COLORS if color in seen]
    return tuple(sorted([*known, *(color for color in COLORS if color not in seen)][: max(count, len(known))]))


def fallen(count: int, draw: Draw) -> list[int]:
    """How many of ``count`` nuisance puyos fall on each column: as many full rows as possible, and the rest on columns
    drawn at random.
    """
    rows, rest = divmod(count, COLUMNS)
    falls = [rows] * COLUMNS
    left = list(range(COLUMNS))
    for _ in range(rest):
        falls[left.pop(draw.below(len(left)))] += 1
    return falls


def future(colors: tuple[int, ...], length: int, draw: Draw) -> list[Pair]:
    """``length`` random pairs, drawn from bags that hold each colour four times. Published games deal
    almost like that.
    """
    puyos: list[int] = []
    while len(puyos) < 2 * length:
        bag = list(colors) * _BAG
        for last in range(len(bag) - 1, 0, -1):
            other = draw.below(last + 1)
            bag[last], bag[other] = bag[other], bag[last]
        puyos += bag
    return [Pair(puyos[2 * i], puyos[2 * i + 1]) for i in range(length)]


def futures_of(snapshot: Snapshot, pairs: Sequence[Pair], length: int, count: int, seed: int) -> list[list[Pair]]:
    """``count`` random futures of ``length`` pairs, which follow the visible ``pairs``. Equal snapshots and seeds get
    equal ones.
    """
    colors = palette(snapshot.field, pairs, snapshot.colors)
    draw = Draw(seed, zlib.crc32(snapshot.field.planes.tobytes()), *(code for pair in pairs for code in pair))
    return [future(colors, length, draw) for _ in range(count)]
