"""The rules of Puyo Puyo: field, falling pair, resolving and scoring, dealing. Pure: no emulator, no search.

Everything here is plain Python and numpy; the numba kernels of the same rules (``ochibot.puyo.kernels.bits`` and
``ochibot.puyo.kernels.resolve``) are imported by the search when it first decides something, never by this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import COLORS, COLUMNS, EMPTY, HIDDEN_ROWS, NUISANCE, ROWS, WALL, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.motion import move
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, Action, Pair, PairState, Placement, halves, shape
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place, resolve
from ochibot.puyo.rules.snapshot import Snapshot

if TYPE_CHECKING:
    from ochibot.puyo.sim.dealer import Dealer, Items, UniformDealer
    from ochibot.puyo.sim.match import Deal, Match
    from ochibot.puyo.sim.timed import TimedMatch

_LATER: Final = {
    "Deal": "ochibot.puyo.sim.match",
    "Dealer": "ochibot.puyo.sim.dealer",
    "Items": "ochibot.puyo.sim.dealer",
    "Match": "ochibot.puyo.sim.match",
    "TimedMatch": "ochibot.puyo.sim.timed",
    "UniformDealer": "ochibot.puyo.sim.dealer",
}
"""Where those names are that a game in a core doesn't need; importing them would make its start slower."""

__all__ = [
    "BIG",
    "CARBUNCLE",
    "COLORS",
    "COLUMNS",
    "EMPTY",
    "HIDDEN_ROWS",
    "NUISANCE",
    "ROWS",
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
    "load_rules",
    "move",
    "place",
    "resolve",
    "shape",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
