"""What a turn says of a snapshot, as plain values (docs/engines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ochibot.falling.facts import Facts


def turn_of(snapshot: Any, legal: Sequence[Any]) -> dict[str, Any]:
    """The keys of a ``turn``, for a snapshot and its legal placements."""
    facts = getattr(snapshot, "facts", None) or Facts(1)
    hands, frames = getattr(snapshot, "hands", None), facts.frames
    rival = getattr(snapshot, "rival", None) or getattr(snapshot, "opponent", None)
    return {
        "field": str(snapshot.field).split("\n"),
        "pair": str(snapshot.pair),
        "next": [str(pair) for pair in following_of(snapshot)],
        "legal": [
            {
                "column": one.x,
                "partner": one.orientation.word,
                "row": one.y,
                **({"needles": True} if getattr(one, "needle", False) else {}),
                "presses": len(one.path),
                "frames": None if frames is None else frames(one),
                "in_time": hands is None or hands(one),
            }
            for one in legal
        ],
        "score": snapshot.score,
        "level": getattr(snapshot, "level", None),
        "points": facts.points,
        "all_clear": facts.all_clear,
        "pending": facts.pending,
        "falls": None if facts.falls is None else {"when": facts.falls, "most": facts.most},
        # only a match counts its frames
        "frame": None if rival is None else getattr(snapshot, "frame", None),
        "rival": None if rival is None else _rival(rival),
    }


def following_of(snapshot: Any) -> tuple[Any, ...]:
    """The coming pairs that the screen shows."""
    return getattr(snapshot, "nexts", None) or (snapshot.next_pair, *getattr(snapshot, "foreseen", ()))


def _rival(rival: Any) -> dict[str, Any]:
    pairs = getattr(rival, "pairs", None)
    if pairs is None:
        pairs = () if rival.pair is None else (rival.pair,)
    return {
        "field": str(getattr(rival, "field", None) or rival.grid).split("\n"),
        "pairs": [str(pair) for pair in pairs],
        "pending": getattr(rival, "waiting", getattr(rival, "pending", 0)),
        "coming": getattr(rival, "coming", None),
        "frames": getattr(rival, "frames", None),
    }
