"""The rules of a family game as a rules file of Ochibot's has them (plain data; nothing of Ochibot is used)."""

from __future__ import annotations

from typing import Any

from tests.strangers.maker.formula import Formula
from tests.strangers.maker.intruders import MOST
from tests.strangers.maker.place import WORDS
from tests.strangers.maker.spec import Spec

ROWS = 14
"""The rows of a map's field; its floor is the last one."""


def family_rules(spec: Spec) -> dict[str, Any]:
    """What the true rules file says. Raises ValueError for games of other rules."""
    if spec.kind != "family":
        raise ValueError("no rules file can say these rules")
    sizes = list(spec.group_bonus)
    return {
        "name": f"stranger_{spec.seed}",
        "visible_rows": spec.height - spec.hidden,
        "hidden_rows": spec.hidden,
        "ceiling": "vanish" if spec.ceiling else "solid",
        "hidden_clear": spec.hidden_clear,
        "clear_size": spec.clear_size,
        "kicks": spec.kicks,
        "quick_turn": spec.quick_turn,
        **({"turns": "box"} if spec.boxed else {}),
        "score": {
            "chain_power": list(spec.chain_power),
            "color_bonus": list(spec.color_bonus),
            "group_bonus": sizes,
            "group_bonus_per": "step" if spec.bonus_per_step else "group",
            "max_multiplier": spec.max_multiplier,
            "unit": spec.points_unit,
            "cap": min(spec.cap or spec.score.most, spec.score.most, 1_000_000_000),
            # where DOWN does nothing, it pays nothing
            "drop_bonus": spec.drop_points if spec.soft > 1 else 0,
            "all_clear_bonus": spec.formula.all_clear,
            **_formula(spec.formula),
        },
        "nuisance": {
            "points_each": spec.points_each,
            "most_per_fall": MOST,
            "excess": "queue",
            "offset": spec.offset,
            "all_clear_points": 0,
        },
        "items": {"allowed": False, "interval": 16},
    }


def _formula(formula: Formula) -> dict[str, Any]:
    """The entries of a formula of another form; none for the published one."""
    if formula == Formula():
        return {}
    return {
        "multiplier": "product" if formula.product else "sum",
        "all_clear_when": "lowest_row" if formula.lowest_row else "empty",
        "all_clear_per": "step" if formula.by_chain else "lock",
        "extra": {
            "per_cell": formula.per_cell,
            "by_size": list(formula.by_size),
            "by_step": list(formula.by_step),
            "multiplied": formula.multiplied,
            "per_group": formula.per_group,
            "groups_multiplied": formula.groups_multiplied,
        },
    }


def family_spawn(spec: Spec) -> dict[str, Any]:
    """Where pairs appear, in columns 1 to 6 and rows 0 to 13 of a map."""
    column, row, turn = spec.spawn
    if spec.boxed:
        # the rules name a pair's place by its first half
        column, row = column + (turn == 3), row - (turn == 2)
    return {"x": column + 1, "y": row + ROWS - spec.height, "orientation": WORDS[turn]}
