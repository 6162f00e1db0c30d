"""When the first piece comes, and which rows a naive board's field has."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import arrival
from ochibot.experiments.arrival import LONGEST, LOOKED, find_arrival
from ochibot.experiments.facts import Arrival
from ochibot.experiments.fields import Field, lifted
from ochibot.experiments.floor import MOST_ABOVE, with_floor, with_top
from ochibot.experiments.heights import Heights
from ochibot.experiments.setting import Setting

from tests.experiments.board import COPY, FLOOR, HEIGHTS, ROWS, Board, field_at, landings

ROUTE = [[0] * 20, [8] * 10 + [0] * 10, [8] * 12]
BEGAN, ENDED = 40, 52
"""The last tap begins and ends so many frames after power-on."""


class Frames:
    """Frames that pass. up: when the sign of a new piece holds, as (from, before); dealt: since when RAM has a pair."""

    def __init__(self, up: list[tuple[int, int]], answers: int, dealt: int = 0) -> None:
        self.up, self.frame, self.dealt, self.answers_at = up, 0, dealt, answers
        self.console = None

    def load(self, state: Any) -> None:
        if isinstance(state, int):
            self.frame = state

    def save(self) -> int:
        return self.frame

    def step(self, _: int = 0) -> None:
        self.frame += 1

    def run(self, pads: list[int]) -> None:
        self.frame += len(pads)


class Spawn:
    """The sign of a new piece, which looks at one frame and the one that was kept before."""

    def __init__(self, rig: Frames) -> None:
        self.rig = rig

    def keep(self) -> None:
        pass

    def __call__(self) -> bool:
        return any(first <= self.rig.frame < last for first, last in self.rig.up)


def arrived(
    monkeypatch: pytest.MonkeyPatch, up: list[tuple[int, int]], answers: int, *, dealt: int = 0, boot: bytes = b"x"
) -> Arrival:
    rig: Any = Frames(up, answers, dealt)
    monkeypatch.setattr(arrival, "_sign", lambda rig, _: Spawn(rig))
    monkeypatch.setattr(arrival, "pads_of_route", lambda *_: ROUTE)
    monkeypatch.setattr(arrival, "_dealt", lambda rig, _: (rig.frame >= rig.dealt,))
    driver = SimpleNamespace(answers=lambda here: here >= answers, tap=SimpleNamespace(on=3))
    monkeypatch.setattr(arrival, "driver_of", lambda *_: driver)
    learnt: Any = SimpleNamespace(route=SimpleNamespace(boot=boot), tap=None, basis=None)
    return find_arrival(rig, learnt, {})


def test_the_first_piece_s_sign_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # it comes after the last tap, and nothing before it looks like it
    assert arrived(monkeypatch, [(70, 78)], 80) == Arrival(0)
    # in the menus before the last tap it may hold as well
    assert arrived(monkeypatch, [(10, 20), (70, 78)], 80) == Arrival(0)
    # a wrong one after it: the wait ends halfway between both
    assert arrived(monkeypatch, [(60, 62), (90, 98)], 100) == Arrival((60 + 90) // 2 - ENDED)
    assert arrived(monkeypatch, [(55, 56), (60, 62), (90, 98)], 100) == Arrival((60 + 90) // 2 - ENDED)


def test_a_piece_may_come_while_the_last_button_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    assert arrived(monkeypatch, [(45, 50)], 56) == Arrival(0, at_once=True)
    assert arrived(monkeypatch, [(ENDED, 60)], 62) == Arrival(0, at_once=True)
    assert arrived(monkeypatch, [(ENDED + 1, 60)], 62) == Arrival(0)
    # what rose before the last tap isn't the piece's
    assert not arrived(monkeypatch, [(BEGAN, 50)], 56).at_once


def test_a_first_piece_without_a_sign_is_let_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    # looked at on every eighth frame, it is seen to answer at 84, and a tap takes three frames
    wait = 84 + 3 - ENDED + LOOKED
    assert arrived(monkeypatch, [(110, 120)], 80) == Arrival(wait)
    # RAM holds it only later: the sign was another one's
    assert arrived(monkeypatch, [(70, 78)], 80, dealt=85) == Arrival(wait)
    assert arrived(monkeypatch, [(70, 78)], 80, dealt=70) == Arrival(0)


def test_where_no_piece_comes_or_play_was_not_reached_from_power_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CalibrationError, match=f"no piece answers within {LONGEST} frames after the last tap"):
        arrived(monkeypatch, [(70, 78)], 10_000)
    late = (LONGEST - 1) // LOOKED * LOOKED
    assert arrived(monkeypatch, [], ENDED + late) == Arrival(late + 3 + LOOKED)
    with pytest.raises(CalibrationError, match="no piece answers"):
        arrived(monkeypatch, [], ENDED + late + 1)
    with pytest.raises(CalibrationError, match="reached from a savestate alone"):
        arrived(monkeypatch, [(70, 78)], 80, boot=b"")


def test_a_map_without_a_sign_of_a_new_piece() -> None:
    maps: list[dict[str, Any]] = [{}, {"signs": {}}, {"signs": {"over": {"entry": "a", "is": [1]}}}]
    for made in maps:
        with pytest.raises(CalibrationError, match="no sign of a new piece"):
            arrival._sign(SimpleNamespace(), made)  # type: ignore[arg-type]


# -- rows


@pytest.mark.parametrize("tall", [10, 11, 12, 13])
@pytest.mark.parametrize("seen", [8, 9])
def test_rows_into_which_cells_fall_are_the_field_s(seen: int, tall: int) -> None:
    board = Board(tall=tall)
    found = with_top(board.driver, field_at(FLOOR, seen), Setting("cells"), landings(board, 12))
    assert found == field_at(FLOOR, min(tall, seen + MOST_ABOVE))
    # nothing can be written into a field that is made anew from elsewhere
    assert with_top(board.driver, field_at(FLOOR, seen), Setting("none"), landings(board, 12)).rows == seen


@pytest.mark.parametrize("rows", [-3, -2, -1, 0, 1, 2])
def test_the_floor_is_where_pieces_come_to_rest_on_an_empty_field(rows: int) -> None:
    """rows: how many of the lowest rows are missing, or how many rows below the floor were taken for the field's."""
    board = Board()
    true = field_at(FLOOR)
    heights = Setting("heights", (), Heights(HEIGHTS, 1, 5, 2))
    for setting in (Setting("cells"), Setting("mirror", (field_at(COPY).grid,))):
        field, found = with_floor(board.driver, lifted(true, rows), setting.lifted(rows), landings(board, 12))
        assert field == true
        assert found == setting
    assert heights.lifted(2).heights == Heights(HEIGHTS, 1, 9, 2)
    assert heights.lifted(-3).heights == Heights(HEIGHTS, 1, 255, 2)


def test_a_floor_is_only_looked_for_where_something_can_be_written() -> None:
    board = Board()
    field: Field = lifted(field_at(FLOOR), 1)
    assert with_floor(board.driver, field, Setting("none"), landings(board, 12)) == (field, Setting("none"))
    assert with_floor(board.driver, field, Setting("cells"), []) == (field, Setting("cells"))
    assert field.rows == ROWS - 1
