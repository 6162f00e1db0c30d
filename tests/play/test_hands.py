"""The pilot frame by frame on a line of cells, where each frame's press can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ochibot.falling.pace import Pace
from ochibot.games.protocols import Course
from ochibot.play.pilot import Pilot
from ochibot.play.reach import Hands, are_fastest, landing
from ochibot.play.speed import SPEEDS, speed_of

DOWN = 0
Cell = tuple[int, int]
"""Column and row. A press is +1 or -1 (to the side) or DOWN."""


class Line:
    """A course on cells without walls. ``target``: a column. ``path``: the first presses. ``floor``: the lowest row."""

    down = DOWN

    def __init__(self, target: int, path: tuple[int, ...], floor: int = 99) -> None:
        self.target, self.presses, self.floor = target, path, floor
        self.asked = 0

    def way(self, state: Cell) -> tuple[int, ...] | None:
        self.asked += 1
        steps = self.target - state[0]
        return (1,) * steps if steps >= 0 else (-1,) * -steps

    def after(self, state: Cell, action: int) -> Cell:
        x, y = state
        return (x, min(y + 1, self.floor)) if action == DOWN else (x + action, y)

    def there(self, state: Cell) -> bool:
        return state[0] == self.target

    def brought(self, seen: Cell, expected: Cell) -> bool:
        return seen[0] == expected[0] and seen[1] >= expected[1]

    def meets(self, landed: Cell) -> bool:
        return self.there(landed)


def pressed(
    course: Course[Cell, int], frames: int, speed: int = 10, answers: Callable[[int], bool] = lambda _: True
) -> tuple[list[int | None], Pilot[Cell, int]]:
    """Runs a pilot. Returns its action at each frame (or None), and the pilot.

    ``answers(n)``: whether the n-th action (from 0) has an effect.
    """
    pilot: Pilot[Cell, int] = Pilot(speed_of(speed))
    pilot.start(course)
    state, made, count = (0, 0), [], 0
    for _ in range(frames):
        action = pilot.press(state)
        made.append(action)
        if action is not None:
            state = course.after(state, action) if answers(count) else state
            count += 1
    return made, pilot


def at(made: list[int | None], action: int) -> list[int]:
    return [frame for frame, one in enumerate(made) if one == action]


@pytest.mark.parametrize("speed", [6, 7, 8, 9, 10])
def test_the_first_press_comes_after_the_reaction_and_others_a_gap_later(speed: int) -> None:
    hands = SPEEDS[speed]
    made, pilot = pressed(Line(3, (1, 1, 1)), 120, speed)
    assert at(made, 1) == [hands.reaction + number * hands.gap for number in range(3)]
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (3, 0, False)


@pytest.mark.parametrize("speed", range(11))
def test_down_is_held_once_the_hands_have_hesitated_above_the_target(speed: int) -> None:
    hands = SPEEDS[speed]
    made, pilot = pressed(Line(0, ()), 100, speed)
    if hands.hesitation is None:
        assert at(made, DOWN) == []
    else:
        assert at(made, DOWN) == list(range(hands.reaction + hands.hesitation, 100))
    assert pilot.presses == 0, "Down is no press"


def test_a_press_without_effect_is_repeated_after_six_frames() -> None:
    made, pilot = pressed(Line(2, (1, 1)), 40, answers=lambda count: count not in (0, 1, 3))
    assert at(made, 1) == [0, 6, 12, 14, 20]
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (5, 3, False)


def test_answers_in_between_forgive_lost_presses() -> None:
    """Eight presses are lost, one has an effect, and eight more are lost. No nine in a row are lost."""
    made, pilot = pressed(Line(3, (1, 1, 1)), 200, answers=lambda count: count in (8, 17, 18))
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (19, 16, False)
    assert len(at(made, 1)) == 19


def test_nine_lost_in_a_row_give_the_target_up_and_the_pair_is_dropped() -> None:
    made, pilot = pressed(Line(2, (1, 1)), 80, answers=lambda _: False)
    assert at(made, 1) == [6 * number for number in range(9)]
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (9, 9, True)
    # the ninth press counts as lost at frame 54, and Down is held from frame 55 on
    assert at(made, DOWN) == list(range(55, 80))


@pytest.mark.parametrize("path", [1, 2, 5])
def test_a_target_that_always_moves_away_is_given_up_after_so_many_presses(path: int) -> None:
    """The target is given up after 30 presses, plus three for each press of the path given at the start."""

    class Away(Line):
        def way(self, state: Cell) -> tuple[int, ...]:  # noqa: ARG002
            return (1,)

        def there(self, state: Cell) -> bool:  # noqa: ARG002
            return False

    _, pilot = pressed(Away(9, (1,) * path), 300)
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (30 + 3 * path, 0, True)


def test_a_target_without_a_way_is_given_up_at_once() -> None:
    class Walled(Line):
        def way(self, state: Cell) -> None:  # noqa: ARG002
            return None

    made, pilot = pressed(Walled(5, ()), 5)
    assert pilot.given_up
    assert made == [None, DOWN, DOWN, DOWN, DOWN]


def test_down_on_the_way_is_held_and_lets_go_before_a_direction() -> None:
    made, pilot = pressed(Line(1, (DOWN, DOWN, 1)), 8)
    assert made[:4] == [DOWN, DOWN, None, 1]
    assert pilot.presses == 1
    # on the floor, Down has no effect, so the pilot asks the course for another way
    course = Line(1, (DOWN, 1), floor=0)
    made, _ = pressed(course, 8)
    assert (made[:2], course.asked) == ([None, 1], 1)


def test_nothing_is_pressed_while_the_pair_is_not_seen() -> None:
    pilot: Pilot[Cell, int] = Pilot(speed_of(9))
    assert pilot.press((0, 0)) is None, "nothing to steer"
    pilot.start(Line(1, (1,)))
    for _ in range(50):
        assert pilot.press(None) is None
    reaction = SPEEDS[9].reaction
    assert [pilot.press((0, 0)) for _ in range(reaction + 1)] == [None] * reaction + [1]
    pilot.stop()
    assert pilot.press((1, 0)) is None
    pilot.start(Line(1, (1,)))
    assert (pilot.presses, pilot.unanswered, pilot.given_up) == (0, 0, False)


def test_a_way_too_short_is_found_anew() -> None:
    """The path ends short of the target, and the pilot asks for another one."""
    course = Line(3, (1,))
    made, _ = pressed(course, 10)
    assert (at(made, 1), course.asked) == ([0, 2, 4], 1)


def fallen(course: Line, row: int, hurry: int, lock: int, lock_hurry: int) -> Cell | None:
    landed = landing(course, (0, 0), Pace(row, hurry, lock, lock_hurry), speed_of(10))
    return None if landed is None else landed[0]


def test_a_piece_locks_where_the_hands_bring_it_in_time() -> None:
    # the piece begins on the floor: there is a press every second frame, and the piece locks after ten frames
    for target in range(8):
        assert fallen(Line(target, (1,) * target, floor=0), 5, 2, 10, 10) == (min(target, 5), 0)
    # on the ground, each frame with Down uses up ``lock_hurry`` frames of the time until the lock
    assert fallen(Line(0, (), floor=0), 5, 2, 1, 1) == (0, 0)
    assert fallen(Line(2, (1, 1), floor=3), 4, 2, 3, 3) == (2, 3)


def test_hands_ask_for_each_placement_once_and_say_what_is_reached() -> None:
    asked: list[int] = []

    class Seat:
        def course(self, snapshot: object, placement: int) -> Line:
            assert snapshot is seen
            asked.append(placement)
            return Line(placement, (1,) * placement, floor=0)

    class Seen:
        state = (0, 0)

    seen = Seen()
    hands = Hands(Seat(), seen, Pace(5, 2, 10, 10), speed_of(10))  # type: ignore[arg-type]
    assert [hands(column) for column in (0, 4, 7, 4, 7)] == [True, True, False, True, False]
    assert asked == [0, 4, 7]
    assert [hands.frames(column) for column in (0, 4, 7)] == [1, 8, None]
    assert asked == [0, 4, 7]


def test_a_slow_pad_shows_the_first_press_late_as_it_does_all_others() -> None:
    """The piece locks after five frames. The press was taken for one that shows at once."""

    class Seat:
        def course(self, snapshot: object, placement: int) -> Line:
            assert snapshot is seen
            return Line(placement, (1,) * placement, floor=0)

    class Seen:
        state = (0, 0)

    seen = Seen()
    for hold, reached in ((1, True), (5, True), (6, False)):
        hands = Hands(Seat(), seen, Pace(9, 9, 5, 5), speed_of(10).on_pad((hold, hold)))  # type: ignore[arg-type]
        assert hands(1) is reached


def test_only_the_fastest_hands_do_all_that_the_pad_allows() -> None:
    assert [are_fastest(speed) for speed in SPEEDS] == [False] * 10 + [True]
