"""What a review's page needs to know of a grid to draw it and to move pairs on it."""

from __future__ import annotations

from typing import Any

from ochibot.nyaa.rules.grid import COLUMNS, ROWS, SYMBOLS
from ochibot.nyaa.rules.pair import HIDDEN_ROWS, SPAWN
from ochibot.nyaa.rules.profile import Rules


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
