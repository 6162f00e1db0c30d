"""Draws an environment's field."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.env.boards import Board
from ochibot.overlay.coaching import CoachView, Line, draw_coach, size_of
from ochibot.overlay.duel import COLORS, NUISANCE
from ochibot.overlay.text import Color

_SCALE: Final = 2


def drawn(board: Board, snapshot: Any, score: float) -> npt.NDArray[np.uint8]:
    """The picture of the field, with the falling and the next pairs as coloured lines of text beside it."""
    seen = board.seen(snapshot, {})
    planes = seen["field"]
    colors: list[Color] = [COLORS[code] for code in range(1, len(planes))] + [COLORS[NUISANCE]]
    rows = tuple(
        tuple(next((colors[p] for p in range(len(planes)) if planes[p, y, x]), None) for x in range(planes.shape[2]))
        for y in range(planes.shape[1])
    )
    lines = [Line(f"score {score:,.0f}")]
    for name, pair in zip(("pair", "next", "then"), seen["pairs"].tolist(), strict=False):
        for half in pair:
            if half:
                lines.append(Line(f"{name} ●", colors[half - 1]))
    view = CoachView(rows, (), tuple(lines))
    return draw_coach(view, size_of(len(rows), len(rows[0]), _SCALE), _SCALE)
