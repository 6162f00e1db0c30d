"""Grades, accuracies, and the verdicts that an unfinished review keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import ConfigError, OutputError
from ochibot.falling.review import Choice, Verdict
from ochibot.review.judging import Grade, Kept, accuracy_of, as_dict, from_dict, load_grades, shipped

CHOICE = Choice({"x": 3, "orientation": "up"}, ((2, 12, 1), (2, 13, 2)), 0, 0, 50.0, 900, 4, (), "....../RG....", False)
OTHER = replace(CHOICE, place={"x": 1, "orientation": "down"}, value=40.0)
SHARES = st.floats(0, 1)


def verdict_of(lost: float = 0.0, chance_lost: float = 0.0, played: Choice = OTHER) -> Verdict:
    return Verdict((CHOICE, OTHER), played, lost, lost, lost, chance_lost=chance_lost, marks=("broke",))


@given(SHARES, SHARES, SHARES)
def test_a_greater_loss_is_never_a_better_grade(one: float, two: float, chance: float) -> None:
    order = list(Grade)
    less, more = sorted((one, two))
    grades = [order.index(shipped().grade(verdict_of(lost, chance))) for lost in (less, more)]
    assert grades[0] <= grades[1]
    assert shipped().accuracy(verdict_of(less, chance)) >= shipped().accuracy(verdict_of(more, chance))
    swapped = [order.index(shipped().grade(verdict_of(chance, lost))) for lost in (less, more)]
    assert swapped[0] <= swapped[1]


def test_the_best_placement_is_called_so_and_others_as_good_are_good() -> None:
    assert shipped().grade(verdict_of(played=CHOICE)) is Grade.BEST
    assert shipped().grade(verdict_of()) is Grade.GOOD
    assert shipped().grade(verdict_of(1.0)) is Grade.BLUNDER
    assert shipped().accuracy(verdict_of()) == 100


@given(st.lists(st.floats(0.2, 100), min_size=1, max_size=30))
def test_accuracy_lies_between_the_worst_and_the_mean(each: list[float]) -> None:
    found = accuracy_of(each)
    assert found is not None
    assert min(each) - 1e-9 <= found <= sum(each) / len(each) + 1e-9
    assert accuracy_of([]) is None


@given(SHARES, SHARES, st.booleans())
def test_verdicts_survive_json(lost: float, chance: float, among: bool) -> None:
    verdict = verdict_of(lost, chance, CHOICE if among else replace(OTHER, value=1.0))
    again = from_dict(json.loads(json.dumps(as_dict(verdict))))
    assert again == verdict
    assert (again.played is again.choices[0]) == among


def test_a_killed_review_goes_on_from_what_is_whole(tmp_path: Path) -> None:
    path, identity = tmp_path / "one.part", {"boards": 5, "record": "one"}
    kept = Kept(path, identity)
    kept.keep((1, 1, 1), verdict_of(0.5))
    kept.keep((1, 1, 2), None)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key": [1, 1, 3], "verd')
    again = Kept(path, identity)
    assert again.done == {(1, 1, 1): verdict_of(0.5), (1, 1, 2): None}
    again.keep((1, 1, 3), verdict_of(0.1))
    assert set(Kept(path, identity).done) == {(1, 1, 1), (1, 1, 2), (1, 1, 3)}
    assert Kept(path, {**identity, "boards": 6}).done == {}


@pytest.mark.parametrize("text", ["[]", "nothing", '{"boards": 5, "record": "one"}\n{"key": 5}\n', "\x00\xff"])
def test_a_damaged_file_of_verdicts_is_begun_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.part"
    path.write_bytes(text.encode("latin-1"))
    assert Kept(path, {"boards": 5, "record": "one"}).done == {}


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="give another path"):
        Kept(tmp_path / "missing" / "one.part", {})


def test_a_wrong_file_of_grades(tmp_path: Path) -> None:
    path = tmp_path / "grades.yaml"
    path.write_text("inaccuracy: {lost: 2, chance: 1}\n")
    with pytest.raises(ConfigError, match="grades"):
        load_grades(path)
