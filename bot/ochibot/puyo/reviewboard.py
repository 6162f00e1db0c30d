"""What a review's page needs to know of a field to draw it, to move pairs on it and to play its chains."""

from __future__ import annotations

from typing import Any

from ochibot.puyo.rules.field import COLUMNS, HIDDEN_ROWS, ROWS, SYMBOLS
from ochibot.puyo.rules.profile import Rules


def _general(rules: Rules) -> dict[str, Any]:
    """What a board also says where a step's points need the general formula."""
    extra = rules.extra
    return {
        "multiplier": rules.multiplier,
        "extra": {
            "per_cell": extra.per_cell,
            "by_size": list(extra.by_size),
            "by_step": list(extra.by_step),
            "multiplied": extra.multiplied,
        },
        "lowest_row": rules.lowest_row_bonus,
    }


def board_of(rules: Rules) -> dict[str, Any]:
    """The board of a profile (``ochibot.falling.review.Reviewer.board``)."""
    return {
        "columns": COLUMNS,
        "rows": ROWS,
        "hidden": max(HIDDEN_ROWS, ROWS - rules.visible_rows),
        "letters": SYMBOLS,
        "needles": False,
        "spawn": [rules.spawn.x - 1, rules.spawn.y],
        "axis_top": rules.kept_top,
        "partner_top": rules.moving_top,
        "kicks": rules.kicks,
        "quick_turn": rules.quick_turn,
        "chain": {
            "kept": rules.kept_top,
            "grouping": ROWS - rules.grouping_rows,
            "clear_size": rules.clear_size,
            "chain_power": list(rules.chain_power),
            "color_bonus": list(rules.color_bonus),
            "group_bonus": list(rules.group_bonus),
            "group_bonus_per": rules.group_bonus_per,
            "most": rules.max_multiplier,
            "unit": rules.score_unit,
            "all_clear": rules.all_clear_now,
            **(_general(rules) if rules.general else {}),
        },
    }
