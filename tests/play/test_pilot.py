"""Tests that a pilot that can't bring a pair to its target gives the target up, drops the pair and reports this."""

from __future__ import annotations

import pytest
from ochibot.cli.output import misplaced_text
from ochibot.console import Button
from ochibot.play.pilot import MOST_PRESSES, Pilot
from ochibot.play.seat import AnySeatPlayer, SeatPlayer
from ochibot.play.speed import SPEEDS, speed_of
from ochibot.puyo import Field, Orientation, Placement, Snapshot, place
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.search import Decision
from ochibot.puyo.search.locks import find_path

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM
from tests.titles import famicom_seat, load_seat_map

WALL = (
    """
    ...o..
    ooooo.
"""
    + "    ooooo.\n" * 11
)
"""The fourth column is a wall that only a pair in the hidden row gets over. Rotations on top of the columns to its left
can lift a pair into that row.
"""


class PatientGame(FakeGame):
    """A game in which a pair's time on the ground begins anew whenever the pair moves or turns, as in many games."""

    def _control(self, pressed: Button, pad: Button) -> None:
        before = self._state
        super()._control(pressed, pad)
        if self._state != before:
            self._lock = 28


class BeyondTheWall:
    """A player that wants the first pair beyond the wall, and later ones dropped."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, snapshot: Snapshot) -> Decision:
        self.asked += 1
        if self.asked == 1:
            target = Placement(6, 13, Orientation.UP)
            path = find_path(snapshot.field, snapshot.state, target, snapshot.pair, FAMICOM)
            assert path is not None  # the rules allow this path, but gravity closes it
            target = Placement(6, 13, Orientation.UP, path)
        else:
            target = Placement(*dropped(snapshot.field.cells, snapshot.state, None, FAMICOM))
        return Decision(target, 0.0, place(snapshot.field, snapshot.pair, target, FAMICOM), 0)


@pytest.fixture
def walled() -> tuple[FakeGame, AnySeatPlayer]:
    game = PatientGame(drop_frames=1)
    game.field = Field.parse(WALL)
    game._write()
    player: AnySeatPlayer = SeatPlayer(famicom_seat(load_seat_map("player1"), game.ram), BeyondTheWall(), speed_of(10))
    player.spawn()
    return game, player


def test_a_target_that_gravity_keeps_out_of_reach_is_given_up(walled: tuple[FakeGame, AnySeatPlayer]) -> None:
    """The pilot once pursued its target forever, and the run ended with "the map's spawn flag doesn't fit this ROM"."""
    game, player = walled
    pad, frames = Button.NONE, 0
    while player.tally.pieces < 1 and not player.game_over():
        game.step(pad)
        pad = player.frame()
        frames += 1
        assert frames < 600, "the pair is still being steered"
    tally = player.tally
    assert (tally.pieces, tally.misplaced, tally.given_up, tally.contradictions) == (1, 1, 1, 0)
    assert player.pilot.presses <= MOST_PRESSES + 3 * 10
    assert tally.agreement == 0.0


def test_pairs_that_arrive_are_not_given_up() -> None:
    game = FakeGame(lost=0.3)
    ram_map = load_seat_map("player1")

    class Right:
        def choose(self, snapshot: Snapshot) -> Decision:
            column = 6 - len([height for height in snapshot.field.heights()[3:] if height]) % 3
            target = Placement(column, 13 - snapshot.field.heights()[column - 1], Orientation.UP)
            path = find_path(snapshot.field, snapshot.state, target, snapshot.pair, FAMICOM) or ()
            target = Placement(target.x, target.y, target.orientation, path)
            return Decision(target, 0.0, place(snapshot.field, snapshot.pair, target, FAMICOM), 0)

    player: AnySeatPlayer = SeatPlayer(famicom_seat(ram_map, game.ram), Right(), speed_of(10))
    player.spawn()
    pad = Button.NONE
    while player.tally.pieces < 8 and not player.game_over():
        game.step(pad)
        pad = player.frame()
    assert (player.tally.pieces, player.tally.misplaced, player.tally.given_up) == (8, 0, 0)


def test_the_report_says_how_many_were_given_up() -> None:
    assert misplaced_text(3, 2) == "3 (2 given up)"
    assert misplaced_text(3, 0) == "3"


class Beyond:
    """A player that wants every pair upright in the last column, three presses to the right."""

    def choose(self, snapshot: Snapshot) -> Decision:
        target = Placement(6, 13 - snapshot.field.heights()[5], Orientation.UP)
        path = find_path(snapshot.field, snapshot.state, target, snapshot.pair, FAMICOM)
        assert path is not None
        target = Placement(target.x, target.y, target.orientation, path)
        return Decision(target, 0.0, place(snapshot.field, snapshot.pair, target, FAMICOM), 0)


def steered(game: FakeGame, speed: int, frames: int) -> tuple[AnySeatPlayer, list[int]]:
    """Plays this many frames. Returns the seat's player, and the frames at which it pressed Right."""
    player: AnySeatPlayer = SeatPlayer(famicom_seat(load_seat_map("player1"), game.ram), Beyond(), speed_of(speed))
    player.spawn()
    pressed = []
    pad = Button.NONE
    for frame in range(frames):
        game.step(pad)
        pad = player.frame()
        if pad & Button.RIGHT:
            pressed.append(frame)
    return player, pressed


@pytest.mark.parametrize("speed", range(len(SPEEDS)))
def test_presses_that_are_answered_come_exactly_a_gap_apart(speed: int) -> None:
    """Only the first pair is checked. It sinks so slowly that the pilot needn't hurry."""
    _, pressed = steered(FakeGame(drop_frames=500), speed, 100)
    first, second, third = pressed[:3]
    assert (second - first, third - second) == (SPEEDS[speed].gap, SPEEDS[speed].gap)


def test_a_pad_that_does_nothing_is_given_up_after_nine_presses() -> None:
    """Eight lost presses in a row are forgiven; the ninth is the last press. The limit for all presses, lost or not,
    would be 39.
    """
    player, pressed = steered(FakeGame(lost=1.0, drop_frames=500), 10, 300)
    assert player.pilot.given_up
    assert (player.pilot.presses, player.pilot.unanswered, len(pressed)) == (9, 9, 9)


class Blocked:
    """A course whose only press does nothing."""

    presses = (1,)
    down = 0

    def way(self, state: int) -> tuple[int, ...]:  # noqa: ARG002
        return self.presses

    def after(self, state: int, action: int) -> int:  # noqa: ARG002
        return state

    def there(self, state: int) -> bool:  # noqa: ARG002
        return False

    def brought(self, seen: int, expected: int) -> bool:
        return seen == expected


def test_a_press_that_can_do_nothing_is_tried_no_more_than_a_lost_one() -> None:
    pilot: Pilot[int, int] = Pilot(speed_of(10))
    pilot.start(Blocked())
    tried = 0
    while not pilot.given_up and tried < 1000:
        assert pilot.press(5) is None
        tried += 1
    assert (pilot.given_up, pilot.presses) == (True, 0)
    assert 9 <= tried < 100


class Line:
    """A course along a line: action 1 is a step to the right, action 0 is Down. ``goal``: where it leads."""

    down = 0

    def __init__(self, goal: int) -> None:
        self.goal = goal
        self.presses = (1,) * goal

    def way(self, state: int) -> tuple[int, ...]:
        return (1,) * (self.goal - state)

    def after(self, state: int, action: int) -> int:
        return state + action

    def there(self, state: int) -> bool:
        return state == self.goal

    def brought(self, seen: int, expected: int) -> bool:
        return seen == expected


@pytest.mark.parametrize("first", range(12))
def test_presses_are_held_for_a_game_that_reads_the_pad_slowly(first: int) -> None:
    """The game reads the pad every twelfth frame, and takes a step when the button wasn't down at the last reading."""

    def reached(tap: tuple[int, int]) -> tuple[int, int, int]:
        pilot: Pilot[int, int] = Pilot(speed_of(10).on_pad(tap))
        pilot.start(Line(4))
        place, before = 0, False
        for frame in range(first, first + 200):
            held = pilot.press(place) == 1
            if frame % 12 == 0:
                place += held and not before
                before = held
        return place, pilot.presses, pilot.unanswered

    assert reached((12, 12)) == (4, 4, 0)
    assert reached((1, 1))[0] < 4
