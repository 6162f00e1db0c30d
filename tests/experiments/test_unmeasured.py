"""A rules file names each of its values that no experiment showed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import ConfigError
from ochibot.experiments.assumed import check_profile
from ochibot.experiments.facts import Above, Kicks
from ochibot.experiments.formula import Formula, Trial
from ochibot.experiments.rulesfile import rules_of
from ochibot.experiments.write import dump
from ochibot.puyo.rules.file import load_rules

POWERS = [0, 8, 16, 32, 64]
GROUPS = {4: 0, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 7, 11: 10}


def taken(
    formula: Formula | None, kicks: Kicks | None, profile: str | None = None, denotes: str = "axis"
) -> tuple[dict[str, Any], str]:
    """The rules of a game with this formula and these kicks, and what they say was not measured. profile: the rules
    that the user named. denotes: what x and y are of.
    """
    learnt: Any = SimpleNamespace(
        profile=profile,
        formula=formula,
        kicks=kicks,
        stance=SimpleNamespace(denotes=denotes),
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


def test_rules_of_a_pair_that_turns_within_a_box_have_no_quick_turn(tmp_path: Path) -> None:
    for quick in (False, True):
        rules, said = taken(None, Kicks(True, False, quick), denotes="box")
        assert (rules["turns"], rules["kicks"], rules["quick_turn"]) == ("box", True, False)
        assert ("no rules are known of a pair that turns within a box and has one" in said) == quick
        file = tmp_path / "rules.yaml"
        file.write_text(dump(rules), encoding="utf-8")
        assert load_rules(file).turns == "box"
    assert "turns" not in taken(None, Kicks(True, True, True))[0]


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


@pytest.mark.parametrize(
    ("seen", "table", "words"),
    [
        ({2: 1, 3: 2}, [0, 0, 1, 2, 3, 4, 5], "4, 5 and 6: 1 more for each"),
        ({2: 3, 3: 6, 4: 12}, [0, 0, 3, 6, 12, 24, 48], "5 and 6: as published"),
        ({2: 4}, [0, 0, 4, 6, 12, 24, 48], "3, 4, 5 and 6: as published"),
        ({2: 0, 3: 0}, [0] * 7, "4, 5 and 6: none, as for the others"),
    ],
)
def test_bonuses_for_more_colours_go_on_as_those_seen(seen: dict[int, int], table: list[int], words: str) -> None:
    rules, said = taken(Formula(10, POWERS, seen, GROUPS), None)
    assert rules["score"]["color_bonus"] == table
    assert f"the colour bonus for {words}" in said


def test_named_rules_stand_for_what_was_not_measured(tmp_path: Path) -> None:
    formula = Formula(10, POWERS, {2: 4}, GROUPS, limit=None, all_clear=None)
    rules, said = taken(formula, Kicks(True, True, None), "puyo1")
    score, nuisance = rules["score"], rules["nuisance"]
    # measured: five steps, which aren't those of puyo1, and the bonus for two colours
    assert (score["chain_power"][:5], score["color_bonus"]) == (POWERS, [0, 0, 4, 6, 12, 24, 48])
    assert "the chain power beyond step 5: as in the rules puyo1" in said
    assert score["chain_power"] == [0, 8, 16, 32, 64, 128, 256, 512, 1024]
    assert (score["cap"], nuisance["offset"], rules["quick_turn"]) == (99_999, False, False)
    assert "the quick turn: as in the rules puyo1" in said
    assert "the score's cap" not in said
    rules, said = taken(formula, Kicks(True, True, None), "tsu")
    assert "group bonus" not in said
    assert (rules["quick_turn"], rules["nuisance"]["margin"]["seconds"]) == (True, 96)
    (tmp_path / "mine.yaml").write_text(dump(rules))
    assert load_rules(tmp_path / "mine.yaml").chain_power[-1] == 672


def test_a_table_that_the_named_rules_contradict_is_kept() -> None:
    rules, said = taken(Formula(10, [4, 20, 24], {}, GROUPS), None, "tsu")
    assert rules["score"]["chain_power"][:3] == [4, 20, 24]
    assert "the chain power beyond step 3: its first steps aren't those of the rules tsu" in said


def test_rules_of_another_family_are_named_and_not_used() -> None:
    rules, said = taken(Formula(10, POWERS, {}, GROUPS), None, "nyaa_mvs")
    assert rules["score"]["unit"] == 10
    assert "the rules nyaa_mvs are of another family than the game" in said


def test_rules_that_are_not_there_are_refused_before_anything_is_learnt() -> None:
    check_profile("nyaa_ps2")
    with pytest.raises(ConfigError, match="no such rules file: tetris; give a YAML file"):
        check_profile("tetris")


def test_a_formula_of_another_form_is_written_with_its_parts(tmp_path: Path) -> None:
    formula = Formula(10, [1, 2, 4, 8, 16], {2: 0}, {}, "step", all_clear=2100, lowest_row=True)
    formula = replace(formula, per_cell=50, multiplied=True)
    rules, said = taken(formula, None)
    score = rules["score"]
    assert (score["extra"], score["all_clear_when"]) == ({"per_cell": 50, "multiplied": True}, "lowest_row")
    assert not any(score["group_bonus"])
    assert "group bonus" not in said
    assert "multiplier" not in score
    file = tmp_path / "mine.yaml"
    file.write_text(dump(rules), encoding="utf-8")
    read = load_rules(file)
    for step, groups in ((1, [4]), (3, [5, 6]), (5, [11])):
        assert read.step_score(step, groups, 1) == formula.points(4, Trial(step, tuple(groups), 1, 0))
    # the profile that the user named has tables of another form
    assert taken(formula, None, "tsu")[0]["score"]["group_bonus"] == score["group_bonus"]


def test_tables_of_another_form_are_written(tmp_path: Path) -> None:
    formula = Formula(0, [1, 2, 3, 4], {2: 2, 3: 3}, by_size={4: 100, 5: 250, 6: 500}, multiplied=True, product=True)
    rules, said = taken(formula, None)
    assert "the points for groups beyond 6: like the last one seen" in said
    file = tmp_path / "mine.yaml"
    file.write_text(dump(rules), encoding="utf-8")
    read = load_rules(file)
    for step, groups, colors in ((1, [4], 1), (3, [5, 6], 2), (4, [9], 1), (2, [4, 4, 4], 3)):
        assert read.step_score(step, groups, colors) == formula.points(4, Trial(step, tuple(groups), colors, 0))
    by_step = Formula(0, [1], {}, by_step=[100, 200, 400])
    file.write_text(dump(taken(by_step, None)[0]), encoding="utf-8")
    assert [load_rules(file).step_score(step, [7], 1) for step in (1, 2, 3, 4)] == [100, 200, 400, 400]


def test_points_for_further_groups_and_longer_chains_are_written(tmp_path: Path) -> None:
    squares = {size: size * (size - 1) for size in range(4, 13)}
    formula = Formula(0, [1, 2, 3], {2: 0}, {}, "step", all_clear=500, all_clear_per="step", by_size=squares)
    formula = replace(formula, multiplied=True, per_group=25)
    rules, said = taken(formula, None)
    assert "the points for groups beyond 12: 24 more, and each time 2 more than that" in said
    assert "longer chain" not in said
    file = tmp_path / "mine.yaml"
    file.write_text(dump(rules), encoding="utf-8")
    read = load_rules(file)
    assert (read.all_clear_bonus, read.all_clear_per, read.emptied_bonus) == (500, "step", 500)
    # more cells than were tried
    assert read.step_score(3, [8, 7, 4], 1) == 19 * 18 * 3 + 2 * 25
    rules, said = taken(replace(formula, all_clear_per="", groups_multiplied=True), None)
    assert "whether a longer chain makes the bonus for an emptied field larger: no" in said
    assert (rules["score"]["extra"]["groups_multiplied"], "all_clear_per" in rules["score"]) == (True, False)


def test_bonuses_by_size_that_are_multiplied_are_written_whole(tmp_path: Path) -> None:
    bonuses = {size: size - 1 for size in range(4, 13)}
    rules, said = taken(Formula(1, [1, 2, 3], {2: 0}, bonuses, "step", product=True), None)
    assert "the bonus for groups beyond 12: 1 more for each" in said
    file = tmp_path / "mine.yaml"
    file.write_text(dump(rules), encoding="utf-8")
    assert load_rules(file).step_score(3, [8, 7, 4], 1) == 19 * 18 * 3


def test_a_formula_in_doubt_is_not_written() -> None:
    formula = Formula(10, [1, 2, 4], {}, {}, per_cell=50, doubt="several formulas explain what groups are worth")
    rules, said = taken(formula, None)
    assert "extra" not in rules["score"]
    assert rules["score"] == taken(None, None)[0]["score"]
    assert "without drop points, for several formulas explain what groups are worth" in said
