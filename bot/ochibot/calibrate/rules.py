"""The rules file of what was learnt: tables as far as they were seen, published ones beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ochibot.calibrate.yamlform import Row

if TYPE_CHECKING:
    from ochibot.calibrate.learn import Learnt

FAMILY_ROWS: Final = 14
"""Rows of the frame in which all profiles of the puyo family stand (``ochibot.puyo.rules.profile``)."""
FAMILY_COLUMNS: Final = 6

CHAIN_POWERS: Final = {
    "famicom": [0, 8, 16, 32, 64, 128, 256, 512, 999],
    "tsu": [0, 8, 16, *range(32, 673, 32)],
}
"""Published tables: hypotheses for the steps beyond those that were provoked."""
COLOR_BONUS: Final = [0, 0, 3, 6, 12, 24, 48]
GROUP_BONUS: Final = [0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10]


def rules_of(learnt: Learnt, game: str) -> tuple[dict[str, Any], list[str]] | None:
    """The rules file as a mapping, and what in it is a hypothesis; None where no family fits."""
    if learnt.size is None or len(learnt.basis.columns) != FAMILY_COLUMNS:
        return None
    kicks, formula = learnt.kicks, learnt.formula
    taken = []
    steps = list(formula.chain_power) if formula is not None else []
    fits = [name for name, table in CHAIN_POWERS.items() if steps and table[: len(steps)] == steps]
    classic = "tsu" if learnt.basis.visible == 12 else "famicom"
    base = classic if classic in fits or not fits else fits[0]
    if fits or not steps:
        power = CHAIN_POWERS[base]
        taken.append(f"chain power beyond step {len(steps)}: as published for {base}")
    else:
        power = steps
        taken.append(f"chain power beyond step {len(steps)}: like the last step seen")
    colors = [formula.color_bonus.get(n, COLOR_BONUS[n]) for n in range(7)] if formula is not None else COLOR_BONUS
    seen_groups = formula.group_bonus if formula is not None else {}
    groups = [seen_groups.get(n, GROUP_BONUS[n] if n < len(GROUP_BONUS) else 0) for n in range(len(GROUP_BONUS))]
    taken.append("nuisance, margin time, the score's cap, the all clear's pay: of two players or late in a game")
    ceiling = kicks.ceiling if kicks is not None else "solid"
    return {
        "name": game,
        "visible_rows": learnt.basis.visible,
        "hidden_rows": kicks.hidden_rows if kicks is not None else 1,
        "ceiling": ceiling,
        "hidden_clear": False,
        "clear_size": learnt.size,
        "kicks": bool(kicks and kicks.wall),
        "quick_turn": bool(kicks and kicks.quick_turn),
        "score": {
            "chain_power": Row(power),
            "color_bonus": Row(colors),
            "group_bonus": Row(groups),
            "max_multiplier": 999,
            "unit": 10,
            "cap": 99_999_990 if learnt.score is None or learnt.score.scale == 10 else 99_999_999,
            "drop_bonus": formula.drop_bonus if formula is not None else 0,
            "all_clear_bonus": max(0, formula.all_clear) if formula is not None else 0,
        },
        "nuisance": {
            "points_each": 70,
            "most_per_fall": 30,
            "excess": "queue" if base == "tsu" else "discard",
            "offset": base == "tsu",
            "all_clear_points": 0,
        },
        "items": {"allowed": False, "interval": 16},
    }, taken
