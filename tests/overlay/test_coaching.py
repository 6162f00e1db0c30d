"""The coach's picture."""

from __future__ import annotations

from ochibot.overlay.coaching import CELL, EDGE, CoachLine, CoachView, Ghost, draw_coach, size_of, wrapped
from ochibot.overlay.text import width_of

RED, GREEN = (230, 60, 60), (70, 200, 80)
SCALE = 2


def test_cells_and_ghosts_lie_where_they_should() -> None:
    rows = ((None, None), (RED, None))
    view = CoachView(rows, (Ghost(0, 0, GREEN, 1), Ghost(1, 1, GREEN, 2)), (CoachLine("a line"),))
    drawn = draw_coach(view, size_of(2, 2, SCALE), SCALE)

    def there(row: int, column: int) -> set[tuple[int, ...]]:
        top, left = (EDGE + row * CELL) * SCALE, (EDGE + column * CELL) * SCALE
        patch = drawn[top : top + CELL * SCALE, left : left + CELL * SCALE]
        return {tuple(map(int, color)) for color in patch.reshape(-1, 3)}

    assert RED in there(1, 0)
    assert GREEN in there(0, 0)
    assert GREEN in there(1, 1)
    assert not {RED, GREEN} & there(0, 1)


def test_the_best_place_lies_on_top() -> None:
    def of(*ghosts: Ghost) -> bytes:
        return draw_coach(CoachView(((None,),), ghosts), size_of(1, 1, SCALE), SCALE).tobytes()

    best, other = Ghost(0, 0, RED, 1), Ghost(0, 0, GREEN, 2)
    assert of(best, other) == of(best)
    assert of(best) != of(other)


def test_lines_are_broken_at_spaces() -> None:
    size = 16
    width = width_of("the other side", size)
    text = "the other side can send thirty nuisance puyos"
    lines = wrapped(text, size, width)
    assert " ".join(lines) == text
    assert len(lines) > 1
    assert all(width_of(line, size) <= width for line in lines)
    (cut,) = wrapped("unbreakable" * 9, size, width)
    assert width_of(cut, size) <= width


def test_more_lines_than_there_is_room_for_are_left_out() -> None:
    lines = tuple(CoachLine(f"line {number}") for number in range(40))
    size = size_of(2, 2, SCALE)
    assert draw_coach(CoachView(((None, None),) * 2, (), lines), size, SCALE).shape == (size[1], size[0], 3)
