"""The match counted in frames: the documented durations, which seat goes first, and which has to wait."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import GameError
from ochibot.lab.hands import FallingPiece
from ochibot.puyo import BIG, CARBUNCLE, Action, Field, Orientation, Pair, PairState, Placement
from ochibot.puyo.sim.match import Deal, Match
from ochibot.puyo.sim.timed import FAMICOM_TIMING, TimedMatch

from tests.puyo import FAMICOM, reference
from tests.puyo.sim.test_match import dropped_anywhere, settled

UP, LEFT, RIGHT = Orientation.UP, Orientation.LEFT, Orientation.RIGHT
LATER = 100_000
EMPTY = Field.empty().cells.tolist()


@pytest.mark.parametrize(("level", "row"), [(1, 40), (2, 28), (3, 18), (4, 11)])
def test_a_piece_left_alone_falls_by_the_level_and_lies_28_frames(level: int, row: int) -> None:
    piece = FallingPiece(EMPTY, Pair(1, 2), level, FAMICOM)
    while not piece.frame():
        assert piece.state.y == 1 + min(piece.frames // row, 12)
    assert piece.frames == 12 * row + 28


def test_down_takes_2_frames_a_row_and_7_on_the_ground() -> None:
    piece = FallingPiece(EMPTY, Pair(1, 2), 1, FAMICOM)
    while not piece.frame(Action.DOWN):
        pass
    assert (piece.frames, piece.state) == (12 * 2 + 7, PairState(3, 13, UP))


def test_the_time_on_the_ground_is_never_given_back() -> None:
    ledge = Field.parse("..o...\n" * 6).cells.tolist()
    piece = FallingPiece(ledge, Pair(1, 2), 4, FAMICOM)
    frames = 0
    while piece.state.y < 7 or frames < 20:
        frames += piece.state.y == 7
        assert not piece.frame()
    piece.frame(Action.LEFT)
    while not piece.frame(Action.DOWN):
        pass
    assert piece.state == PairState(2, 13, UP)
    # 20 of the 28 frames were spent on the ledge; each frame with Down uses up 4 of the other 8
    assert piece.frames == 6 * 11 + 20 + 1 + 6 * 2 + 2


def finished(match: Match, placement: Placement, control: int) -> int:
    """The frames from seat 1's lock to its next spawn or the round's end, while seat 2's first piece still falls."""
    timed = TimedMatch(match)
    assert timed.waiting() == 1
    timed.lock(1, placement, control)
    assert timed.waiting() == 2
    timed.lock(2, Placement(6, 13, UP), LATER)
    seat = timed.waiting()
    assert seat in (1, None)
    assert timed.frame < LATER
    return timed.frame - FAMICOM_TIMING.spawn_delay - control


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 1000), st.integers(0, 40))
def test_a_seat_alone_needs_what_the_table_says(seed: int, choice: int, waiting: int) -> None:
    grid = settled(40, seed)
    if grid[1][2] or grid[0][2]:
        return
    match = Match(Deal.at(seed), FAMICOM)
    own = match.seats[0]
    own.field, own.tray = Field.from_cells(grid), own.tray.receive(waiting)
    x, y, turned = dropped_anywhere(grid, random.Random(choice))
    placement = Placement(x, y, Orientation(turned))
    rows = reference.put(grid, (own.pair.axis, own.pair.partner), (x, y, turned))
    done = match.resolved(1, placement)
    # In frames: the halves fall at 2 a row, and it takes 4 to see that nothing clears. In each step, puyos blink for
    # 30 and fall at 2 a row, and 5 more pass.
    frames = max(1, 2 * done.drop) + 4 + sum(35 + 2 * step.fall for step in done.steps)
    after = reference.resolve(rows)[0]
    if waiting and not reference.is_over(after):
        fallen = min(waiting, 30)
        rooms = [sum(not after[v][u] for v in range(14)) for u in range(6)]
        seat = Match(Deal.at(seed), FAMICOM).seats[0]
        receiving = range(1, 7) if fallen >= 6 else seat.dice.order(fallen)[:fallen]
        frames += 2 * (max(rooms[u - 1] for u in receiving) + 1)
    assert finished(match, placement, 30) == frames


def test_items_take_their_time() -> None:
    for y in (1, 7, 13):
        match = Match(Deal(1), FAMICOM)
        match.seats[0].pair = Pair(BIG, BIG)
        assert finished(match, Placement(1, y, UP), 30) == 4 * (15 - y) + 4
    match = Match(Deal(1), FAMICOM)
    match.seats[0].pair = Pair(CARBUNCLE, CARBUNCLE)
    assert finished(match, Placement(1, 13, UP), 30) == 28 + 4
    match = Match(Deal(1), FAMICOM)
    match.seats[0].pair = Pair(CARBUNCLE, CARBUNCLE)
    match.seats[0].field = Field.parse("R.....")
    assert finished(match, Placement(1, 12, UP), 30) == 28 + 4


def run(controls: tuple[int, int]) -> list[tuple[int, int]]:
    """(frame, seat) of the first four decisions, when each seat locks its first piece after ``controls`` frames."""
    timed = TimedMatch(Match(Deal(1), FAMICOM))
    asked = []
    for _ in range(4):
        seat = timed.waiting()
        assert seat is not None
        asked.append((timed.frame, seat))
        first = len(asked) <= 2
        timed.lock(seat, Placement(1 if first else 3, 13, UP), controls[seat - 1] if first else LATER)
    return asked


def test_both_at_once_means_seat_1_first_and_seat_2_waits_for_its_search() -> None:
    # As in the cartridge, each seat needs a frame to link neighbours, two to search for groups, and one to finish.
    # Seat 2 can't link until seat 1 has searched.
    assert run((34, 34)) == [(0, 1), (0, 2), (51, 1), (54, 2)]


def test_who_locks_earlier_is_asked_earlier() -> None:
    assert run((44, 34)) == [(0, 1), (0, 2), (51, 2), (61, 1)]
    assert run((34, 35)) == [(0, 1), (0, 2), (51, 1), (54, 2)]
    # seat 2 links its neighbours first, but from then on seat 1 comes first in every frame
    assert run((35, 34)) == [(0, 1), (0, 2), (52, 1), (54, 2)]


def test_seat_1_waits_for_the_second_half_of_seat_2_s_search() -> None:
    assert run((36, 34)) == [(0, 1), (0, 2), (51, 2), (54, 1)]


def test_nuisance_falls_as_deep_as_where_it_falls() -> None:
    column = Match(Deal(1), FAMICOM).seats[0].dice.order(1)[0]
    match = Match(Deal(1), FAMICOM)
    own = match.seats[0]
    own.field = Field.parse("." * (column - 1) + "o" + "." * (6 - column))
    own.tray = own.tray.receive(1)
    other = 1 if column != 1 else 2
    assert finished(match, Placement(other, 13, UP), 30) == 5 + 2 * (13 + 1)


def test_a_piece_locks_once() -> None:
    timed = TimedMatch(Match(Deal(1), FAMICOM))
    with pytest.raises(GameError, match="no piece to lock"):
        timed.lock(1, Placement(1, 13, UP), 0)
    timed.lock(1, Placement(1, 13, UP), 30)
    with pytest.raises(GameError, match="no piece to lock"):
        timed.lock(1, Placement(1, 13, UP), 30)
