"""Signs found in made-up traces: what control, a new piece and the end look like beside what only resembles them."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments import arrival
from ochibot.experiments.arrival import LOOKED, find_arrival
from ochibot.experiments.colors import ColorByte, Sample, _common
from ochibot.experiments.facts import Arrival
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.moments import _tall
from ochibot.experiments.signs import Watched, _announced, control_bytes, over_signs, phase_signs

STEERED, LOCKED, FINAL, CONTROL, LENGTH = 30, 40, 60, 70, 80
REST, TIMER, COARSE, SCRATCH = range(4)
"""A count of frames that a piece lies, a timer, a phase that is the same for announced pieces, and noise."""


def fall(number: int, *, odd: bool = False) -> Watched:
    """A piece that lies for six frames before it locks. odd: something disturbs it."""
    trace = np.zeros((LENGTH, 4), np.uint8)
    trace[LOCKED - 6 : LOCKED, REST] = range(1, 7)
    trace[LOCKED:CONTROL, REST] = 7
    trace[LOCKED:CONTROL, TIMER] = range(CONTROL - LOCKED, 0, -1)
    trace[LOCKED:FINAL, COARSE] = 9
    trace[:, SCRATCH] = np.random.default_rng(number).integers(0, 256, LENGTH)
    if odd:
        trace[LOCKED + 3, TIMER] = 0
    return Watched(trace, STEERED, LOCKED, FINAL, CONTROL)


def test_a_count_of_frames_at_rest_comes_behind_what_changes_with_the_lock() -> None:
    found = control_bytes([fall(number) for number in range(6)])
    assert list(found) == [TIMER, REST, COARSE]
    assert found[TIMER] == (0,)


def test_one_disturbed_piece_among_many_takes_no_sign_away() -> None:
    falls = [fall(number, odd=number == 5) for number in range(14)]
    assert TIMER in control_bytes(falls)
    assert next(sign.offset for sign in phase_signs(falls)) == TIMER


def ends(begins: Sequence[int], values: Sequence[int]) -> list[np.ndarray[tuple[int, int], np.dtype[np.uint8]]]:
    """Ends of games: byte 0 is the mode, 5 from frame 100 on; byte 1 a cell, over which a curtain falls later."""
    made = []
    for begin, value in zip(begins, values, strict=True):
        trace = np.zeros((400, 2), np.uint8)
        trace[100:, 0] = 5
        trace[begin:, 1] = value
        trace[150:, 1] = 7
        made.append(trace)
    return made


def test_a_cell_that_has_the_curtains_colour_before_it_falls_is_no_sign_of_the_end() -> None:
    first, *others = ends((40, 40, 60), (7, 3, 4))
    found = over_signs(first, [np.zeros((50, 2), np.uint8)], (), others)
    assert (found[0].offset, found[0].value, found[0].since) == (0, 5, 100)


def test_a_value_that_gives_way_to_the_one_of_the_end_is_no_sign_of_it() -> None:
    # blocks fill the field for a while before the game says that it is over
    first, *others = ends((40, 40, 60), (1, 2, 3))
    for trace in (first, *others):
        trace[:, 1] = 1
        trace[100:150, 0] = 6
    found = over_signs(first, [np.zeros((50, 2), np.uint8)], (0,), others)
    assert (found[0].offset, found[0].value, found[0].since) == (0, 5, 150)


def test_a_colour_is_known_by_each_of_its_values() -> None:
    byte = ColorByte(0, 0xFF, {1: 4}, followed=True, more={4: 1, 5: 1, 6: 2})
    assert [byte.kind(np.array([value], np.uint8)) for value in (4, 5, 6, 7)] == [1, 1, 2, None]


def test_bits_that_both_halves_share_tell_when_a_piece_landed() -> None:
    empty = np.zeros(1, np.uint8)
    pairs = [(1, 2), (3, 1), (2, 2), (4, 3), (1, 4), (2, 3), (3, 4), (4, 1)]
    found = [Sample(b"", empty, near | 0x20 * (number % 3), far | 0x20 * (number % 3))
             for number, (near, far) in enumerate(pairs)]  # fmt: skip
    assert _common(found) == 0x60
    assert _common([Sample(b"", empty, near, far) for near, far in pairs]) == 0


def test_a_sign_that_comes_within_the_slack_after_control_is_a_sign() -> None:
    """Here the spawn shows two frames after the piece could be steered. Once, looking for it before control failed."""
    falls = []
    for _ in range(6):
        trace = np.zeros((LENGTH, 1), np.uint8)
        trace[CONTROL + 2 : CONTROL + 4] = 1
        falls.append(Watched(trace, STEERED, LOCKED, FINAL, CONTROL, slack=4))
    assert _announced(falls, 0, np.array([1])) == (CONTROL + 2 - FINAL, 0)


@pytest.mark.parametrize(("y", "most"), [(2, 7), (4, 5)])
def test_a_pile_below_a_piece_that_appears_inside_the_field_does_not_end_the_game(y: int, most: int) -> None:
    seen: list[set[int]] = []

    def drop(*, cells: dict[tuple[int, int], int], keep: bool) -> bool:
        seen.append({row for column, row in cells if column == 2})
        return keep

    place = Field(Grid(0, 1, 6, 6, 0), 11, 1, 12, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    driver = SimpleNamespace(x_now=lambda: 2, y_now=lambda: y)
    rig = SimpleNamespace(load=lambda _: None)
    ground: Any = SimpleNamespace(
        rig=rig, driver=driver, state=b"", drop=drop, place=place, grid=place.grid, colors=(1, 2), visible=11,
        spawn_column=2,
    )  # fmt: skip
    _tall(ground)
    assert [max(rows) for rows in seen if rows] == [most - 1] * 2


def test_a_piece_that_ram_does_not_hold_yet_has_shown_no_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """A timer that is 0 as the piece comes is 0 a frame before, too; a press is answered a little later."""
    frames = [0]
    rig: Any = SimpleNamespace(load=lambda _: None, step=lambda _: frames.__setitem__(0, frames[0] + 1))
    learnt: Any = SimpleNamespace(route=SimpleNamespace(boot=b"x"), tap=None)

    def sign() -> bool:
        return frames[0] >= 10

    sign.keep = lambda: None  # type: ignore[attr-defined]
    monkeypatch.setattr(arrival, "_sign", lambda *_: sign)
    monkeypatch.setattr(arrival, "pads_of_route", lambda *_: [[0] * 4, [0] * 6])
    monkeypatch.setattr(arrival, "_dealt", lambda *_: (None, None) if frames[0] <= 10 else (1, 2))
    monkeypatch.setattr(arrival, "_answers", lambda *_: frames[0] + 8)
    assert find_arrival(rig, learnt, {}) == Arrival(8 + LOOKED)
