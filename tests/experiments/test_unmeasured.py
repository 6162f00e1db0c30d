"""A rules file names each of its values that no experiment showed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ochibot.experiments.facts import Above, Kicks
from ochibot.experiments.formula import Formula
from ochibot.experiments.rulesfile import rules_of

POWERS = [0, 8, 16, 32, 64]
GROUPS = {4: 0, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 7, 11: 10}


def taken(formula: Formula | None, kicks: Kicks | None) -> tuple[dict[str, Any], str]:
    """The rules of a game with this formula and these kicks, and what they say was not measured."""
    learnt: Any = SimpleNamespace(
        formula=formula,
        kicks=kicks,
        size=4,
        needles=None,
        basis=SimpleNamespace(columns=range(6), visible=12),
        sort=None,
        strange=None,
        cap=99_999,
        score=None,
        owed=0,
        above=Above(1, "vanish"),
    )
    made = rules_of(learnt, "mine")
    assert made is not None
    return made[0], "\n".join(made[1])


def test_a_formula_says_which_of_its_values_were_not_seen() -> None:
    formula = Formula(10, POWERS, {2: 3, 3: 6}, GROUPS, all_clear=None)
    rules, said = taken(formula, Kicks(True, True, None))
    assert rules["score"]["max_multiplier"] == 999
    assert "the colour bonus for 4, 5 and 6: as published" in said
    assert "the multiplier's limit: 999, as published" in said
    assert "quick turn: none" in said
    assert "drop points: none" in said
    assert "the bonus for an emptied field: none" in said
    assert "group bonus" not in said


def test_what_was_measured_is_not_named() -> None:
    formula = Formula(10, POWERS, dict.fromkeys(range(2, 7), 0), GROUPS, limit=672, seen=[("short", 0)])
    rules, said = taken(formula, Kicks(True, True, False))
    assert rules["score"]["max_multiplier"] == 672
    for words in ("colour bonus", "limit", "quick turn", "drop points", "emptied"):
        assert words not in said


def test_without_a_formula_all_of_it_is_named() -> None:
    rules, said = taken(None, None)
    assert rules["score"]["unit"] == 10
    assert "the score's unit, bonuses and drop points: as published" in said
    assert "the multiplier's limit: 999" in said
    assert "kicks and quick turn: none" in said


def test_sizes_and_colours_that_never_vanished_are_named() -> None:
    less = {size: bonus for size, bonus in GROUPS.items() if size < 11}
    said = taken(Formula(10, POWERS, {}, less), Kicks(None, None, True))[1]
    assert "the group bonus for 11: as published" in said
    assert "the colour bonus for 2, 3, 4, 5 and 6: none" in said
    assert "kicks: none" in said
