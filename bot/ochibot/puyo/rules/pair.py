"""The falling piece, a pair or an item, and which cells it covers. ``ochibot.puyo.rules.motion`` moves it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from ochibot.errors import FieldError
from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.field import EMPTY, NUISANCE, SYMBOLS
from ochibot.quoting import quoted


class Action(IntEnum):
    """What one press can do to the pair."""

    LEFT = 0
    RIGHT = 1
    ROTATE_CW = 2
    ROTATE_CCW = 3
    DOWN = 4

    def __repr__(self) -> str:
        return f"Action.{self.name}"


BIG: Final = 9
"""The code of the big puyo, 2 x 2: it sinks through its two columns, clears them and leaves."""

CARBUNCLE: Final = 10
"""The code of the carbuncle, one cell: it gives its neighbours the colour of the puyo below it and vanishes."""

ITEM_SYMBOLS: Final = {BIG: "*", CARBUNCLE: "&"}
"""The sign of each item. An item is written as two of its signs."""


class Pair(NamedTuple):
    """The colours (1..6) of a pair: the axis, which turns on the spot, and the partner, which turns around it.

    An item takes the place of a pair: ``Pair(BIG, BIG)`` or ``Pair(CARBUNCLE, CARBUNCLE)``. ``UNKNOWN`` stands for a
    next pair that the game doesn't show.
    """

    axis: int
    partner: int

    @classmethod
    def parse(cls, text: str) -> Pair:
        """Reads two of the letters RGBYPC, the axis first; ``**`` is the big puyo, ``&&`` the carbuncle, ``??`` an
        unknown pair.

        Raises FieldError for anything else.
        """
        if text == str(UNKNOWN):
            return UNKNOWN
        for code, symbol in ITEM_SYMBOLS.items():
            if text == 2 * symbol:
                return cls(code, code)
        codes = [SYMBOLS.find(symbol) for symbol in text]
        if len(codes) != 2 or not all(EMPTY < code < NUISANCE for code in codes):
            raise FieldError(
                f"{quoted(text)} is not a pair: give two of the letters {SYMBOLS[1:NUISANCE]}, such as RG, or ** (the "
                "big puyo) or && (the carbuncle)"
            )
        return cls(*codes)

    @property
    def is_item(self) -> bool:
        """Whether this is the big puyo or the carbuncle."""
        return self.axis == self.partner and self.axis in ITEM_SYMBOLS

    @property
    def is_unknown(self) -> bool:
        """Whether this stands for a pair that nobody knows yet."""
        return self.axis == EMPTY

    def __str__(self) -> str:
        return "??" if self.is_unknown else "".join(ITEM_SYMBOLS.get(code) or SYMBOLS[code] for code in self)


UNKNOWN: Final = Pair(EMPTY, EMPTY)
"""The next pair of a game that shows none."""


class PairState(NamedTuple):
    """Where the falling pair is: the axis at column x (1..6) and row y (0 hidden, 13 bottom), and where its partner
    lies.
    """

    x: int
    y: int
    orientation: Orientation

    def __str__(self) -> str:
        return f"column {self.x}, row {self.y}, partner {self.orientation.name.lower()}"


@dataclass(frozen=True, slots=True)
class Placement:
    """A lock: the axis's cell and the orientation when the pair locks, and how to get there.

    ``path`` is a shortest list of presses to that column and orientation, without the straight drop at the end. It
    holds DOWN only where the pair must sink on the way (under an overhang, or past an obstacle).
    """

    x: int
    y: int
    orientation: Orientation
    path: tuple[Action, ...] = ()

    def __str__(self) -> str:
        return str(PairState(self.x, self.y, self.orientation))


def halves(state: PairState | Placement) -> tuple[tuple[int, int], tuple[int, int]]:
    """The (x, y) of the axis and of the partner."""
    dx, dy = STEP[state.orientation]
    return (state.x, state.y), (state.x + dx, state.y + dy)


def shape(pair: Pair | None, state: PairState | Placement) -> tuple[tuple[int, int], ...]:
    """The (x, y) of the cells that a piece covers; the cell that ``state`` names comes first.

    ::

        pair, up    **      &
        B           **      (the state's cell is the axis A, the big puyo's lower left cell, the carbuncle's only one)
        A

    ``None`` stands for any pair of colours. The orientation of an item means nothing.
    """
    x, y = state.x, state.y
    if pair is None or not pair.is_item:
        return halves(state)
    if pair.axis == BIG:
        return (x, y), (x + 1, y), (x, y - 1), (x + 1, y - 1)
    return ((x, y),)
