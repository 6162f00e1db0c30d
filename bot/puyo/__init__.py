"""The rules of Puyo Puyo: field, falling pair, resolving and scoring, dealing. Pure: no emulator, no search.

Everything here is plain Python and numpy; the numba kernels of the same rules (``bot.puyo.bits`` and
``bot.puyo.kernels``) are imported by the search when it first decides something, never by this package.
"""

from __future__ import annotations

from bot.puyo.dealer import Dealer, Items, UniformDealer
from bot.puyo.field import COLORS, COLUMNS, EMPTY, HIDDEN_ROWS, NUISANCE, ROWS, WALL, Field
from bot.puyo.match import Deal, Match
from bot.puyo.motion import move
from bot.puyo.pair import BIG, CARBUNCLE, SPAWN, Action, Orientation, Pair, PairState, Placement, halves, shape
from bot.puyo.resolve import Outcome, place, resolve
from bot.puyo.rules import FAMICOM, Rules
from bot.puyo.snapshot import Snapshot
from bot.puyo.timed import TimedMatch

__all__ = [
    "BIG",
    "CARBUNCLE",
    "COLORS",
    "COLUMNS",
    "EMPTY",
    "FAMICOM",
    "HIDDEN_ROWS",
    "NUISANCE",
    "ROWS",
    "SPAWN",
    "WALL",
    "Action",
    "Deal",
    "Dealer",
    "Field",
    "Items",
    "Match",
    "Orientation",
    "Outcome",
    "Pair",
    "PairState",
    "Placement",
    "Rules",
    "Snapshot",
    "TimedMatch",
    "UniformDealer",
    "halves",
    "move",
    "place",
    "resolve",
    "shape",
]
