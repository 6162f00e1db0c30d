"""Tests of rare cases: an AI that watches the person's side, a system without fork, a piece that never lands."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.console import Button
from ochibot.errors import UsageError
from ochibot.falling.pace import Pace
from ochibot.play.battle import BattleResult
from ochibot.play.jobs import play_in_processes
from ochibot.play.manual import _Given
from ochibot.play.reach import Hands, Sinking, are_fastest, landing
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import SPEEDS, speed_of
from ochibot.play.versus import Versus, VersusResult

from tests.fakegame import FakeGame
from tests.play.test_rounds import Hands as Playing
from tests.play.test_rounds import Machine, Seat
from tests.titles import famicom_seat, load_seat_map


class FacingSeat(Seat):
    """A seat that can be given the other side's seat to watch (``face``)."""

    facing: Any = None

    def face(self, other: Any) -> None:
        self.facing = other


@pytest.mark.parametrize(("wants", "can"), [(True, True), (True, False), (False, True)])
def test_an_ai_that_watches_is_shown_the_persons_side_frame_by_frame(wants: bool, can: bool) -> None:
    machine = Machine()
    seat = FacingSeat(machine, 2) if can else Seat(machine, 2)
    ai: Any = Playing(seat)
    ai.player = SimpleNamespace(watches=wants)
    person: Any = Seat(machine, 1)

    def look(running: Versus) -> None:
        if running.result.frames == 7:
            running.stop("closed")

    Versus(machine, person, ai, on_frame=look).run()  # type: ignore[arg-type]
    assert person.updated == (7 if wants and can else 0)
    assert getattr(seat, "facing", None) is (person if wants and can else None)


def test_a_system_without_fork_plays_in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    series: Any = SimpleNamespace(result=BattleResult())
    with pytest.raises(UsageError, match="--jobs needs a system on which a process can fork: leave it out"):
        play_in_processes(series, 1, 1)
    assert series.result.as_dict() == BattleResult().as_dict()


def test_a_placement_by_hand_is_kept_until_the_next_pair() -> None:
    given = _Given()
    assert (given.done(), given.choose(None), given.decision()) == (False, None, None)
    given.placement = 3
    assert (given.done(), given.choose(None), given.decision()) == (True, 3, 3)
    given.ask(None)
    assert not given.done()


@dataclass
class Endlessly:
    """A course without a floor: a piece sinks for ever."""

    presses: tuple[str, ...] = ()
    down: str = "down"

    def after(self, state: int, action: str) -> int:
        return state + (action == "down")

    def brought(self, state: int, expected: int) -> bool:
        return state == expected

    def there(self, _: int) -> bool:
        return True

    def way(self, _: int) -> tuple[str, ...] | None:
        return ()

    def meets(self, landed: int) -> bool:
        return landed == 5


def test_a_piece_that_falls_for_ever_lands_nowhere() -> None:
    course: Any = Endlessly()
    assert landing(course, 0, Pace(1, 1, 10), speed_of(10)) is None
    seat: Any = SimpleNamespace(course=lambda *_: course)
    assert Hands(seat, SimpleNamespace(state=0), Pace(1, 1, 10), speed_of(0))(3) is False


@pytest.mark.parametrize(("rows", "frames"), [(0, 1), (3, 1), (3, 5)])
def test_a_piece_that_nobody_presses_sinks_a_row_at_a_time_and_locks_after_its_delay(rows: int, frames: int) -> None:
    """The test records the rows for which ``there`` is called, to check that the piece never sinks below the floor."""
    asked: list[int] = []

    class Floor(Endlessly):
        def after(self, state: int, _: str) -> int:
            return min(rows, state + 1)

        def there(self, state: int) -> bool:
            asked.append(state)
            return False

        def way(self, _: int) -> tuple[str, ...] | None:
            return None

    course: Any = Floor()
    # the target is given up at once, and the slowest hands never press Down: the piece sinks by itself
    assert landing(course, 0, Pace(frames, 1, 7), speed_of(0)) == (rows, rows * frames + 7)
    assert set(asked) <= set(range(rows + 1))


def test_the_first_row_may_be_sunk_sooner() -> None:
    class Floor(Endlessly):
        def after(self, state: int, _: str) -> int:
            return min(3, state + 1)

        def there(self, _: int) -> bool:
            return False

        def way(self, _: int) -> tuple[str, ...] | None:
            return None

    course: Any = Floor()
    assert landing(course, 0, Pace(5, 1, 7, first=2), speed_of(0)) == (3, 2 + 2 * 5 + 7)


def test_how_fast_pieces_sink_is_seen_until_the_player_hurries() -> None:
    course: Any = Endlessly()
    sinking = Sinking()

    def piece(*rows: int, hurried: bool = True) -> None:
        sinking.fresh()
        for at, row in enumerate(rows):
            sinking.see(course, row, "down" if hurried and at == len(rows) - 1 else None)

    piece(0, 0, 0)
    sinking.fresh()
    assert sinking.pace is None
    # it sinks a row, and for four frames no further
    piece(0, 0, 0, 1, 1, 1, 1, 1)
    assert sinking.pace == Pace(4, 4, 1, first=3)
    piece(0, 1, 1, 1, 1, 1, 1, 2, 2)
    sinking.fresh()
    assert sinking.pace == Pace(6, 6, 1, first=1)
    # from then on, the last piece that sank two rows counts
    piece(0, 0, 0, 1, 1, 1, 2, hurried=False)
    sinking.fresh()
    assert sinking.pace == Pace(3, 3, 1, first=1)


@pytest.mark.parametrize(("given_up", "release", "heeds"), [(0, 1, False), (1, 1, True), (0, 2, True)])
def test_once_a_target_was_given_up_the_fastest_hands_heed_how_fast_pieces_sink(
    given_up: int, release: int, heeds: bool
) -> None:
    @dataclass(frozen=True)
    class Seen:
        hands: Any = None

    speed = speed_of(10).on_pad((1, release))
    player: Any = SimpleNamespace(
        seat=SimpleNamespace(snapshot=Seen),
        tally=SimpleNamespace(given_up=given_up),
        pilot=SimpleNamespace(speed=speed),
        _paced=SimpleNamespace(pace=lambda: None),
        _sinking=SimpleNamespace(pace=Pace(3, 3, 1)),
        _foresees=0,
    )
    player._watches_sinking = lambda: SeatPlayer._watches_sinking(player)
    assert (SeatPlayer._look(player, falling=False).hands is not None) == heeds


def test_only_the_fastest_hands_reach_all() -> None:
    assert [are_fastest(speed) for speed in SPEEDS] == [False] * 10 + [True]


def test_a_clairvoyant_player_needs_a_seat_that_foretells() -> None:
    game = FakeGame()
    seat = famicom_seat(load_seat_map("player1"), game.ram)
    player: Any = SimpleNamespace(foresees=2, choose=lambda _: None, name="clairvoyant")
    with pytest.raises(UsageError, match="nothing in this game's memory tells what comes: play without --clairvoyant"):
        SeatPlayer(seat, player, speed_of(10))


def test_hands_are_told_of_only_where_the_pace_is_known_and_matters() -> None:
    def told(speed: int, pace: Pace | None, *, falling: bool = False) -> bool:
        game = FakeGame()
        seat = famicom_seat(load_seat_map("player1"), game.ram)
        seat.pace = lambda: pace  # type: ignore[method-assign]
        seen: list[Any] = []
        player: Any = SimpleNamespace(choose=seen.append, name="nobody")
        hands = SeatPlayer(seat, player, speed_of(speed), keep_going=True)
        hands.spawn(falling=falling)
        assert hands.control_frames == 0
        assert hands.frame() is Button.NONE
        (snapshot,) = seen
        return snapshot.hands is not None

    pace = Pace(40, 2, 28)
    assert told(3, pace)
    assert not told(10, pace), "the fastest hands reach all"
    assert not told(3, None)
    assert not told(3, pace, falling=True), "it may lock at any time"


def test_a_match_that_has_not_begun_has_no_results() -> None:
    told = VersusResult().as_dict()
    assert (told["wins"], told["agreement"], told["stopped_by"], told["rounds_detail"]) == ([0, 0], None, "", [])
    assert all(told[name] == 0 for name in ("rounds", "pieces", "compared", "misplaced", "cut_off", "frames"))
