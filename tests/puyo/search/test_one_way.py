"""Courses in games with only one button for turning: they never press the missing one, and end at the target."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from ochibot.falling.orientation import Orientation
from ochibot.puyo.forecast import PairCourse
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.motion import dropped, move
from ochibot.puyo.rules.pair import Action, Pair, PairState
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.locks import lock_positions

from tests.puyo import FAMICOM

STIFF = replace(FAMICOM, kicks=False)
BOXED = replace(FAMICOM, name="boxed", turns="box")


def _fields(number: int, seed: int) -> list[Field]:
    """Fields whose columns have random heights from 0 to 7. Their colours don't matter."""
    dice = random.Random(seed)
    made = []
    for _ in range(number):
        cells = Field.empty().cells.copy()
        for column in range(cells.shape[1]):
            cells[cells.shape[0] - dice.randrange(8) :, column] = 3 + column % 2
        made.append(Field.from_cells(cells))
    return made


@pytest.mark.parametrize("missing", [Action.ROTATE_CW, Action.ROTATE_CCW])
@pytest.mark.parametrize("rules", [FAMICOM, STIFF, BOXED], ids=["kicks", "stiff", "box"])
def test_a_course_uses_only_the_buttons_that_the_game_has(missing: Action, rules: Rules) -> None:
    actions = [action for action in Action if action is not missing]
    turned = 0
    for field in _fields(8, 3):
        snapshot = Snapshot(field, Pair(1, 2), Pair(1, 2), 0, rules.spawn)
        for target in lock_positions(field, snapshot.pair, rules):
            course = PairCourse.to(snapshot, target, rules, actions)
            assert missing not in course.presses
            state, cells = snapshot.state, field.cells.tolist()
            for action in course.presses:
                state = move(cells, state, action, snapshot.pair, rules)
            goal = PairState(target.x, target.y, target.orientation)
            assert dropped(cells, state, snapshot.pair, rules) == goal
            turned += missing in target.path
    # more than 20 of the search's own paths press the missing button
    assert turned > 20


def test_a_pair_turns_over_before_it_comes_to_the_wall() -> None:
    """The pair was once brought to the wall first, where the game's only turning button would turn it into the wall."""
    snapshot = Snapshot(Field.empty(), Pair(1, 2), Pair(1, 2), 0, STIFF.spawn)
    locks = lock_positions(snapshot.field, snapshot.pair, STIFF)
    target = next(lock for lock in locks if (lock.x, lock.orientation) == (1, Orientation.DOWN))
    course = PairCourse.to(snapshot, target, STIFF, [action for action in Action if action is not Action.ROTATE_CW])
    assert sorted(course.presses) == sorted([Action.LEFT] * 2 + [Action.ROTATE_CCW] * 2)
    assert course.presses[-1] is Action.LEFT
