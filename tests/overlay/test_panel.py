"""What a panel shows, and that it stays within its box."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ochibot.overlay.layout import PANEL, Picture, arrange
from ochibot.overlay.panel import BACKGROUND, BAD, CALL, EDGE, GOOD, LINE, Panels, draw_panel, milliseconds, signed
from ochibot.overlay.standing import ShownDecision, Standing
from ochibot.overlay.text import ELLIPSIS, fitted, font, readable, width_of


@dataclass(frozen=True)
class Judged:
    """A Judgement with the terms and the total that the test gives."""

    terms: tuple[tuple[str, float], ...]
    total: float


TERMS = (
    *(("colored", -5.5), ("nuisance", 0.0), ("edge", -1.3), ("spawn", -3.0)),
    *(("consecutive", 3.1), ("variance", 0.0), ("links", 5.0)),
)
TOLD = (("plan", "column 3, right"), ("chain now", "–"))
PLAN = ShownDecision(TOLD, -0.6, Judged(TERMS, -1.6), 484, 0.00019)
STANDING = Standing(("article", "speed 10"), 12, 2, "chain", plan=PLAN)

LONG = "a very long name of something with ünïcödé and a 名前"
HUGE = 123_456_789_012_345
CROWDED = Standing(
    (LONG, LONG, LONG),
    HUGE,
    HUGE,
    LONG,
    HUGE,
    ShownDecision(
        ((LONG, LONG), ("plan", LONG), (LONG, "short"), ("", ""), ("line\nbreak", "tab\tstop")), 1e300, None, HUGE, 1e9
    ),
)
ODD = Judged(
    (("", 0.0), (LONG, -1e9), *((f"term {number}", 1e7 * number) for number in range(30)), ("inf", math.inf)), math.nan
)


def drawn(standing: Standing, scale: int = 3, height: int = 224) -> Picture:
    return draw_panel((PANEL * scale, height * scale), scale, standing)


def edge_is_free(picture: Picture, scale: int) -> bool:
    """Whether nothing is drawn near the edges. At the bottom less is kept free, because letters such as g hang down."""
    free, inked = EDGE * scale - scale, (picture != BACKGROUND).any(2)
    margins = (inked[:, :free], inked[:, -free:], inked[: 2 * scale], inked[-2 * scale :])
    return not any(margin.any() for margin in margins)


@pytest.mark.parametrize("scale", [1, 2, 3, 4])
@pytest.mark.parametrize("height", [64, 100, 144, 224, 240])
@pytest.mark.parametrize("judged", [None, Judged((), 0.0), Judged(TERMS, 1.0), ODD])
def test_nothing_is_written_outside_the_box(scale: int, height: int, judged: Judged | None) -> None:
    assert CROWDED.plan is not None
    for standing in (STANDING, CROWDED, replace(CROWDED, plan=replace(CROWDED.plan, words=(), judgement=judged))):
        picture = drawn(standing, scale, height)
        assert picture.shape == (height * scale, PANEL * scale, 3)
        assert picture.dtype == np.uint8
        assert edge_is_free(picture, scale)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.floats(), st.integers(0, 10**18), st.integers(1, 4))
@example("\x00\u202e", "\u0301", math.nan, 0, 1)
def test_whatever_is_shown(name: str, value: str, number: float, count: int, scale: int) -> None:
    plan = ShownDecision(
        ((name, value),), number, Judged(((name, number), (value, -number)), number), count, abs(number)
    )
    standing = Standing((name, value), count, count, value, count, plan, rows=((value, name),), call=value)
    assert edge_is_free(drawn(standing, scale), scale)


def test_whatever_is_different_is_seen() -> None:
    others = [
        replace(STANDING, title=("article", "speed 9")),
        replace(STANDING, pieces=13),
        replace(STANDING, best=3),
        replace(STANDING, best_of="attack"),
        replace(STANDING, score=0),
        replace(STANDING, pieces=None),
        replace(STANDING, best=None),
        replace(STANDING, call="2-chain!"),
        replace(STANDING, call="3-chain!"),
        replace(STANDING, rows=(("wins", "3"),)),
        replace(STANDING, following=((255, 0, 0), (0, 255, 0))),
        replace(STANDING, following=((0, 255, 0), (255, 0, 0))),
        replace(STANDING, plan=None),
        replace(STANDING, plan=None, thinking=True),
        replace(STANDING, plan=replace(PLAN, words=TOLD[:1])),
        replace(STANDING, plan=replace(PLAN, value=-0.7)),
        replace(STANDING, plan=replace(PLAN, leaves=485)),
        replace(STANDING, plan=replace(PLAN, leaves=None)),
        replace(STANDING, plan=replace(PLAN, leaves=None, seconds=None)),
        replace(STANDING, plan=replace(PLAN, judgement=None)),
        replace(STANDING, plan=replace(PLAN, judgement=Judged(TERMS, -1.7))),
        replace(STANDING, plan=replace(PLAN, judgement=Judged(TERMS[1:], -1.6))),
    ]
    pictures = {drawn(standing).tobytes() for standing in (STANDING, *others)}
    assert len(pictures) == len(others) + 1
    assert (drawn(STANDING) == drawn(STANDING)).all()
    assert (drawn(STANDING.without_plan()) == drawn(replace(STANDING, plan=None))).all()


def test_a_call_moves_nothing_else() -> None:
    """The call is written in place of the title's second line."""
    before, after = drawn(STANDING), drawn(replace(STANDING, call="2-chain!"))
    rows = (before != after).any((1, 2)).nonzero()[0]
    assert len(rows)
    first_rule = int((before == LINE).all(2).any(1).nonzero()[0][0])
    assert rows.max() < first_rule
    assert (after == CALL).all(2).sum() > 1000
    assert not (before == CALL).all(2).any()


def test_a_panel_shows_a_person_without_a_plan() -> None:
    """Both halves of the next piece are drawn in their colours, the upper one above."""
    red, green = (250, 10, 10), (10, 250, 10)
    person = Standing(("you", "seat 1"), None, 3, "chain", 12_340, rows=(("wins", "2"),), following=(red, green))
    for scale in (1, 2, 3, 4):
        picture = drawn(person, scale)
        assert edge_is_free(picture, scale)
        upper, lower = ((picture == color).all(2).any(1).nonzero()[0] for color in (red, green))
        assert len(upper) == len(lower) >= 5 * scale
        assert upper.max() < lower.min()


def test_a_panel_is_drawn_again_only_when_something_has_changed() -> None:
    panels, size = Panels(), (3 * PANEL, 3 * 224)
    first = panels.of(1, STANDING, size, 3)
    assert panels.of(1, replace(STANDING, plan=replace(PLAN)), size, 3) is first
    assert panels.of(2, STANDING, size, 3) is not first
    assert panels.of(1, STANDING, size, 3) is first
    assert (panels.of(1, replace(STANDING, pieces=13), size, 3) != first).any()
    assert panels.of(1, STANDING, (4 * PANEL, 4 * 224), 4).shape == (4 * 224, 4 * PANEL, 3)


def colors_of(picture: Picture) -> set[tuple[int, ...]]:
    return {tuple(color) for color in np.unique(picture.reshape(-1, 3), axis=0).tolist()}


def test_bars_go_right_for_gains_and_left_for_losses() -> None:
    def inked(value: float, color: tuple[int, int, int]) -> list[int]:
        standing = replace(STANDING, plan=replace(PLAN, judgement=Judged((("one", value), ("two", 0.0)), value)))
        columns = (drawn(standing) == color).all(2).any(0).nonzero()[0]
        return [int(column) for column in columns]

    middle = 3 * PANEL // 2
    assert inked(5.0, GOOD)[0] == middle
    assert inked(-5.0, BAD)[-1] == middle - 1
    assert len(inked(5.0, GOOD)) == len(inked(-5.0, BAD)) == round(3 * (PANEL - 2 * EDGE) / 4), "half of a half of 10"
    assert len(inked(1e-9, GOOD)) == 3, "what is no more than nothing is seen"
    assert not inked(0.0, GOOD)
    assert inked(1e9, GOOD)[-1] < 3 * (PANEL - EDGE)


def test_a_low_picture_shows_the_weightiest_terms_and_the_sum() -> None:
    """Counts the bars: a high picture shows one for each term, a low one fewer."""

    def bars(height: int) -> int:
        column = (drawn(STANDING, 1, height)[:, EDGE] == LINE).all(1)
        begun = column[1:] & ~column[:-1]
        # three of the lines found are no bars but separate the panel's parts
        return int(begun.sum()) - 3

    assert bars(224) == len(TERMS)
    assert 1 < bars(144) < len(TERMS)
    assert colors_of(drawn(STANDING, 1, 144)) >= {GOOD, BAD, LINE}


def test_values_are_shown_with_their_signs() -> None:
    assert [signed(value) for value in (1.25, -0.04, 0.0, -12345.6, 2.5e8, -1e9)] == [
        *("+1.2", "+0.0", "+0.0", "-12,345.6", "+2.50e+08", "game over")
    ]
    assert [milliseconds(seconds) for seconds in (0.00019, 0.25, 12.34)] == ["0.19 ms", "250.00 ms", "12.3 s"]


def test_texts_are_cut_to_the_room_there_is() -> None:
    assert fitted("consecutive", 24, 1000) == "consecutive"
    for width in range(200):
        short = fitted("consecutive", 24, width)
        assert width_of(short, 24) <= width
        assert short in ("", "consecutive") or (short[-1] == ELLIPSIS and "consecutive".startswith(short[:-1]))
    assert readable("Böse – 5 − 3 …") == "Bose - 5 - 3 …"


def test_all_digits_are_equally_wide() -> None:
    assert len({font(24).getlength(digit) for digit in "0123456789"}) == 1


def test_panels_are_beside_the_picture_seat_1_on_the_left() -> None:
    both = arrange((240, 224), (2, 1), 2)
    assert both.size == (2 * (240 + 2 * PANEL), 448)
    assert both.panels == {1: (0, 0, 2 * PANEL, 448), 2: (2 * PANEL + 480, 0, 2 * PANEL, 448)}
    assert both.picture == (2 * PANEL, 0, 480, 448)
    assert both.moved(5, 7).panels[2] == (2 * PANEL + 485, 7, 2 * PANEL, 448)
    assert arrange((240, 224), (2,), 1).panels == {2: (240, 0, PANEL, 224)}
    assert arrange((240, 224), (), 3).size == (720, 672)
