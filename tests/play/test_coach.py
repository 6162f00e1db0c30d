"""The coach follows a seat: when it shows what, and what it counts."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from ochibot.errors import FieldError, GameError, PlayerError
from ochibot.falling.advice import Advice, Place
from ochibot.falling.player import AnyPlayer
from ochibot.play.coach import Coach, CoachShown, Hints, check_player


class Decided:
    def __init__(self, placement: str) -> None:
        self.placement = placement


class Meant:
    """A forecast for a placement: a piece that lands elsewhere misses."""

    def __init__(self, placement: str) -> None:
        self._placement = placement

    def misses(self, landed: str) -> bool:
        return landed != self._placement


class Script:
    """A seat that shows what it is given, frame by frame: "new" is a spawn, anything else a place where the piece is.

    "?" is a spawn whose field can't be read.
    """

    number = 1

    def __init__(self, *frames: str) -> None:
        self._frames = list(frames)
        self._now = ""

    def update(self) -> bool:
        self._now = self._frames.pop(0) if self._frames else ""
        return self._now in ("new", "?")

    def snapshot(self) -> object:
        if self._now == "?":
            raise GameError("no such code")
        return object()

    def falling(self) -> bool:
        return True

    def has_locked(self) -> bool:
        return False

    def in_hand(self) -> bool:
        return True

    def pair_state(self) -> str | None:
        return self._now or None

    def forecast(self, _: object, placement: str) -> Meant:
        return Meant(placement)


class Answers:
    """A counsel that is ready when its test says so."""

    looks = False

    def __init__(self, *, ready: bool = True, places: str = "abc") -> None:
        self.ready, self.places = ready, places
        self.asked: list[Future[Advice]] = []

    def ask(self, snapshot: Any) -> Future[Advice]:
        future: Future[Advice] = Future()
        self.asked.append(future)
        if self.ready:
            self.answer(snapshot)
        return future

    def answer(self, snapshot: Any = None) -> None:
        places = tuple(Place(Decided(name), frozenset()) for name in self.places)
        self.asked[-1].set_result(Advice(snapshot, places))


def coach(seat: Any, counsel: Any, **given: Any) -> Coach:
    return Coach(seat, counsel, **given)


def shown(coaching: Coach, frames: int) -> list[tuple[bool, bool]]:
    """After each frame: whether there is advice, and whether its places may be shown."""
    found = []
    for _ in range(frames):
        coaching.frame()
        found.append((coaching.shown.advice is not None, coaching.shown.places))
    return found


def test_hints_at_once_later_and_never() -> None:
    script = "new", "x", "x", "x", "x"
    assert shown(coach(Script(*script), Answers()), 4) == [(True, True)] * 4
    assert shown(coach(Script(*script), Answers(), hints=Hints.NONE), 4) == [(True, False)] * 4
    later = coach(Script(*script), Answers(), hints=Hints.LATER, after=2)
    assert shown(later, 4) == [(True, False), (True, False), (True, True), (True, True)]


def test_frame_says_when_something_else_is_to_be_shown() -> None:
    coaching = coach(Script("new", "x", "x", "x", "new"), Answers(), hints=Hints.LATER, after=2)
    assert [coaching.frame() for _ in range(5)] == [True, False, True, False, True]


def test_it_counts_which_place_was_taken() -> None:
    took: list[int | None] = []
    frames = ["new", "x", "a", "new", "b", "new", "x", "c", "new", "c", "x", "new"]
    coaching = coach(Script(*frames), Answers(), on_took=lambda one: took.append(one.place))
    shown(coaching, len(frames))
    assert took == [0, 1, 2, None]
    assert (coaching.result.taken, coaching.result.judged, coaching.result.pieces) == ([1, 1, 1, 1], 4, 5)
    coaching.settle()
    assert coaching.result.judged == 4  # the last piece hasn't been seen anywhere


def test_advice_that_comes_after_the_lock_is_late() -> None:
    counsel = Answers(ready=False)
    coaching = coach(Script("new", "x", "x", "new", "x", "x"), counsel)
    shown(coaching, 4)
    assert counsel.asked[0].cancelled()
    assert coaching.result.late == 1
    counsel.answer()
    coaching.frame()
    assert (coaching.shown.places, coaching.result.pieces, coaching.result.judged) == (True, 1, 0)


def test_a_field_that_cannot_be_read_has_no_advice() -> None:
    coaching = coach(Script("new", "a", "?", "a", "new", "a", "new"), Answers())
    assert shown(coaching, 7)[2:4] == [(False, False)] * 2
    assert (coaching.result.unread, coaching.result.judged, coaching.result.pieces) == (1, 2, 3)


def test_a_field_that_cannot_be_searched_has_none_either() -> None:
    counsel = Answers(ready=False)
    coaching = coach(Script("new", "a", "a"), counsel)
    coaching.frame()
    counsel.asked[0].set_exception(FieldError("floating"))
    coaching.frame()
    assert (coaching.result.unread, coaching.shown.advice) == (1, None)


def test_it_is_measured_from_the_frame_s_arrival() -> None:
    coaching = coach(Script("new"), Answers())
    coaching.frame(12.5)
    assert coaching.arrived == 12.5


def test_before_the_first_piece_nothing_is_shown() -> None:
    seen = coach(Script(), Answers()).shown
    assert (seen.advice, seen.places) == (CoachShown().advice, False)


def test_an_engine_can_not_be_asked_twice() -> None:
    class Engine:
        def choose(self, snapshot: object) -> None: ...

        def leave(self) -> None: ...

    player: AnyPlayer = Engine()
    with pytest.raises(PlayerError, match="give another one"):
        check_player(player)
