"""Positions and placements as plain values, so that a game can be kept without its emulator.

What a review's page needs to know of a grid to draw it and to move pairs on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules.grid import COLUMNS, ROWS, SYMBOLS, Grid
from ochibot.nyaa.rules.pair import HIDDEN_ROWS, SPAWN, NyaaState, Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Burning, Opponent, Snapshot


def as_dict(snapshot: Snapshot, placement: Placement) -> dict[str, Any]:
    """A position and where its pair went."""
    other = snapshot.opponent
    return {
        "grid": _drawn(snapshot.grid),
        "pairs": [str(pair) for pair in (snapshot.pair, *snapshot.nexts)],
        "state": list(snapshot.state),
        "score": snapshot.score,
        "pending": snapshot.pending,
        "opponent": None if other is None else _side(other),
        "lock": [placement.x, placement.y, int(placement.orientation), placement.needle],
    }


def from_dict(said: Mapping[str, Any]) -> tuple[Snapshot, Placement]:
    """The reverse of ``as_dict``. Raises FieldError for anything else."""
    try:
        pair, first, second = (Pair.parse(str(one)) for one in said["pairs"])
        x, y, turned, needle = said["state"]
        snapshot = Snapshot(
            _grid(said["grid"]),
            pair,
            (first, second),
            NyaaState(int(x), int(y), Orientation(turned), bool(needle)),
            int(said["pending"]),
            None if said["opponent"] is None else _read_side(said["opponent"]),
            int(said["score"]),
        )
        x, y, turned, needle = said["lock"]
        return snapshot, Placement(int(x), int(y), Orientation(turned), bool(needle))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FieldError(f"a position can't be read ({type(error).__name__})") from None


def _side(other: Opponent) -> dict[str, Any]:
    found: dict[str, Any] = {"grid": _drawn(other.grid), "pair": _named(other.pair), "pending": other.pending}
    if (lit := other.burning) is not None:
        found["burning"] = {"grid": _drawn(lit.grid), "pair": _named(lit.pair), "attack": lit.attack}
    return found


def _read_side(said: Mapping[str, Any]) -> Opponent:
    lit = said.get("burning")
    burning = None if lit is None else Burning(_grid(lit["grid"]), _pair(lit["pair"]), int(lit["attack"]))
    return Opponent(_grid(said["grid"]), _pair(said["pair"]), int(said["pending"]), burning)


def _named(pair: Pair | None) -> str | None:
    return None if pair is None else str(pair)


def _pair(text: object) -> Pair | None:
    return None if text is None else Pair.parse(str(text))


def _drawn(grid: Grid) -> str:
    return str(grid).replace("\n", "/")


def _grid(text: str) -> Grid:
    return Grid.parse(str(text).replace("/", "\n"))


def board_of(rules: Rules) -> dict[str, Any]:
    """The board of a profile (``ochibot.falling.review.Reviewer.board``).

    Its rows are those of the grid, so the hidden row above it is row -1.
    """
    return {
        "columns": COLUMNS,
        "rows": ROWS,
        "hidden": 0,
        "letters": SYMBOLS,
        "needles": True,
        "spawn": [rules.spawn_column - 1, SPAWN.y - HIDDEN_ROWS],
        "axis_top": -HIDDEN_ROWS,
        "partner_top": -HIDDEN_ROWS,
        "kicks": True,
        "quick_turn": False,
        "chain": None,
    }
