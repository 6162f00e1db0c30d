"""Positions and placements as plain values, so that a game can be kept without its emulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot


def as_dict(snapshot: Snapshot, placement: Placement) -> dict[str, Any]:
    """A position and where its pair went."""
    other = snapshot.opponent
    return {
        "grid": _drawn(snapshot.grid),
        "pairs": [str(pair) for pair in (snapshot.pair, *snapshot.nexts)],
        "state": list(snapshot.state),
        "score": snapshot.score,
        "pending": snapshot.pending,
        "opponent": None
        if other is None
        else {
            "grid": _drawn(other.grid),
            "pair": None if other.pair is None else str(other.pair),
            "pending": other.pending,
        },
        "lock": [placement.x, placement.y, int(placement.orientation), placement.needle],
    }


def from_dict(said: Mapping[str, Any]) -> tuple[Snapshot, Placement]:
    """The reverse of ``as_dict``. Raises FieldError for anything else."""
    try:
        pair, first, second = (Pair.parse(str(one)) for one in said["pairs"])
        x, y, turned, needle = said["state"]
        other = said["opponent"]
        opponent = None
        if other is not None:
            theirs = None if other["pair"] is None else Pair.parse(str(other["pair"]))
            opponent = Opponent(_grid(other["grid"]), theirs, int(other["pending"]))
        snapshot = Snapshot(
            _grid(said["grid"]),
            pair,
            (first, second),
            NyaaState(int(x), int(y), Orientation(turned), bool(needle)),
            int(said["pending"]),
            opponent,
            int(said["score"]),
        )
        x, y, turned, needle = said["lock"]
        return snapshot, Placement(int(x), int(y), Orientation(turned), bool(needle))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FieldError(f"a position can't be read ({type(error).__name__})") from None


def _drawn(grid: Grid) -> str:
    return str(grid).replace("\n", "/")


def _grid(text: str) -> Grid:
    return Grid.parse(str(text).replace("/", "\n"))
