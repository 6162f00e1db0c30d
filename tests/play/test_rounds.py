"""The loops of a match and of an endless game frame by frame, with seats that follow a script."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import NES, Button, Ram
from ochibot.errors import ContradictionError, OchibotError, StalledError
from ochibot.play.agreement import Tally
from ochibot.play.endless import Endless
from ochibot.play.versus import Round, Versus

A = Button.A


class Machine:
    """A fake machine that keeps the pads of each frame."""

    core_name, core_version = "none", "1"
    rom = SimpleNamespace(sha1="0" * 40)

    def __init__(self) -> None:
        self.pads: list[tuple[int, ...]] = []
        self.ram = Ram(np.zeros(0x800, np.uint8), NES.ram)

    def step(self, *pads: int) -> None:
        self.pads.append(pads)

    @property
    def frame(self) -> int:
        return len(self.pads)


class Seat:
    """A seat that follows a script of frames. lost: for each end of a round, the first and the last frame that show it,
    and the loser. over: from this frame on, the game is over.
    """

    knows_loser = True

    def __init__(
        self,
        machine: Machine,
        number: int = 1,
        spawns: tuple[int, ...] = (),
        lost: tuple[tuple[int, int, int], ...] = (),
        over: int = 10**9,
    ) -> None:
        self.machine, self.number, self.spawns, self.lost, self.end = machine, number, spawns, lost, over
        self.hand = self.able = False
        self.updated = 0

    @property
    def spawned(self) -> bool:
        return self.machine.frame in self.spawns

    def loser(self) -> int:
        return next((who for first, last, who in self.lost if first <= self.machine.frame <= last), 0)

    def in_hand(self) -> bool:
        return self.hand

    def ready(self) -> bool:
        return self.able

    def update(self) -> bool:
        self.updated += 1
        return self.spawned

    def score(self) -> int:
        return 100 * self.number + self.machine.frame

    def level(self) -> int:
        return 2

    def counter(self, name: str) -> int:
        return len(name)


class Hands:
    """Plays a seat: presses A at each frame, and counts a piece at each spawn that ``frame`` sees."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.tally, self.player = seat, Tally(), object()
        self.began = self.ended = 0
        self.abandoned: list[bool] = []
        self.raises: tuple[int, Exception] | None = None

    def spawn(self) -> None:
        self.began += 1

    def frame(self) -> Button:
        if self.raises is not None and self.raises[0] == self.seat.machine.frame:
            raise self.raises[1]
        if self.seat.spawned:
            self.tally.pieces += 1
            self.tally.compared += 1
        return A

    def game_over(self) -> bool:
        over = self.seat.machine.frame >= self.seat.end
        self.ended += over
        return over

    def abandon(self, *, locked: bool = False) -> None:
        self.abandoned.append(locked)
        self.tally.cut_off += 1


def match(*lost: tuple[int, int, int], spawns: tuple[int, ...] = ()) -> tuple[Versus, Machine, Any, list[Round]]:
    machine = Machine()
    ai: Any = Hands(Seat(machine, 2, spawns, lost))
    person: Any = Seat(machine, 1, (), lost)
    rounds: list[Round] = []
    versus = Versus(machine, person, ai, on_round=rounds.append)  # type: ignore[arg-type]
    return versus, machine, ai, rounds


def test_rounds_of_a_match_are_counted_from_their_beginning_to_their_end() -> None:
    """The first round ends at frame 10. The second begins at frame 15 and ends at 31."""
    versus, machine, ai, rounds = match((10, 14, 1), (31, 40, 2), spawns=(3, 6, 20, 22, 24))
    versus.run(2)
    assert machine.frame == versus.result.frames == 31
    assert [(one.winner, one.frames, one.pieces) for one in rounds] == [(2, 10, 2), (1, 16, 3)]
    assert [one.scores for one in rounds] == [(110, 210), (131, 231)]
    result = versus.result
    assert (result.rounds, result.wins, result.stopped_by) == (2, [1, 1], "rounds")
    assert [one["winner"] for one in result.rounds_detail] == [2, 1]
    assert (result.pieces, result.compared, result.agreement) == (5, 5, 1.0)
    # ``abandon`` is called at the end of both rounds and of the run; the fake counts a pair as cut off each time
    assert (ai.ended, result.cut_off, len(ai.abandoned)) == (0, 3, 3)
    assert machine.pads[0] == (0, Button.NONE)
    assert all(pads == (0, A) for pads in machine.pads[1:])


@pytest.mark.parametrize(
    ("hand", "able", "lost", "begins"),
    [
        (False, False, 0, 1),
        (True, True, 0, 1),
        (True, False, 0, 1),
        (False, True, 0, 0),
        (True, False, 1, 0),
    ],
)
def test_a_pair_that_is_out_already_is_decided_on_at_once(hand: bool, able: bool, lost: int, begins: int) -> None:
    """No decision is made if no pair is out yet, or if the round is over."""
    versus, _, ai, _ = match(*([(0, 5, 1)] if lost else []))
    ai.seat.hand, ai.seat.able = hand, able
    versus.stop("enough")
    versus.run(1)
    assert (ai.began, versus.result.stopped_by, versus.result.frames) == (begins, "enough", 0)


def test_a_match_that_begins_after_a_round_counts_from_the_next() -> None:
    versus, _, _, rounds = match((0, 4, 2), (20, 30, 1))
    versus.run(1)
    assert [(one.winner, one.frames) for one in rounds] == [(2, 15)]


def test_a_contradiction_ends_a_match_and_what_has_locked_counts() -> None:
    versus, machine, ai, _ = match(spawns=(2, 4))
    ai.raises = 5, ContradictionError("no")
    with pytest.raises(ContradictionError):
        versus.run()
    assert (versus.result.stopped_by, versus.result.pieces, machine.frame) == ("contradiction", 2, 5)
    assert versus.result.cut_off == 1


def test_each_frame_of_a_match_is_reported_and_a_stop_ends_it() -> None:
    machine = Machine()
    ai: Any = Hands(Seat(machine, 2))
    person: Any = Seat(machine)

    def look(running: Versus) -> None:
        if running.result.frames == 7:
            running.stop("closed")

    versus = Versus(machine, person, ai, on_frame=look)  # type: ignore[arg-type]
    versus.run()
    assert (versus.result.stopped_by, machine.frame, person.updated) == ("closed", 7, 0)


def endless(
    number: int = 1,
    spawns: tuple[int, ...] = (),
    over: int = 10**9,
    again: list[int] | None = None,
    **more: Any,
) -> tuple[Endless, Any, Machine]:
    """A run, its hands and its machine. ``again``: receives the frames at which a game begins after a game over."""
    machine = Machine()
    if again is not None:
        more["restart"] = lambda: again.append(machine.frame)
    hands: Any = Hands(Seat(machine, number, spawns, (), over))
    return Endless(machine, hands, seed=5, speed=7, **more), hands, machine  # type: ignore[arg-type]


def test_an_endless_game_ends_at_its_limits() -> None:
    run, _, machine = endless(spawns=(0, 4, 9, 15))
    run.run(pieces=3)
    assert (run.stopped_by, machine.frame) == ("pieces", 15)
    run, _, machine = endless(spawns=(0, 4))
    run.run(frames=12, pieces=9)
    assert (run.stopped_by, machine.frame, run.result().pieces) == ("frames", 12, 1)
    run, _, machine = endless()
    run.stop("asked")
    run.run(frames=3)
    assert (run.stopped_by, machine.frame) == ("asked", 0)


def test_what_an_endless_game_reports_at_each_piece_and_frame() -> None:
    pieces: list[int] = []
    pads: list[Button] = []
    run, hands, machine = endless(
        spawns=(0, 4, 9), on_piece=lambda one: pieces.append(one.frames), on_frame=pads.append
    )
    run.run(frames=10)
    assert (pieces, hands.began) == ([0, 4, 9], 1)
    assert pads == [A] * 10
    assert machine.pads == [(Button.NONE,), *[(A,)] * 9]
    other, hands, machine = endless(2, spawns=(4,))
    other.run(frames=3)
    assert hands.began == 0, "no pair is out yet"
    assert machine.pads == [(Button.NONE, Button.NONE), *[(Button.NONE, A)] * 2]


def test_a_game_over_is_looked_for_at_each_eighth_frame_and_ends_the_run() -> None:
    run, hands, machine = endless(over=9)
    run.run()
    assert (run.stopped_by, machine.frame, run.game_over, run.game_overs) == ("game over", 16, True, 1)
    assert hands.abandoned == [False]
    result = run.result()
    assert (result.game_over, result.game_overs, result.stopped_by) == (True, 1, "game over")


def test_a_game_over_begins_another_game_until_there_are_enough_pieces() -> None:
    again: list[int] = []
    run, hands, machine = endless(spawns=(3, 5), over=9, again=again)
    run.run(frames=40)
    # the game over is noticed eight frames after the spawn at frame 5, then eight frames after each restart
    assert again == [13, 21, 29, 37]
    assert (run.stopped_by, run.game_over, run.game_overs, hands.began) == ("frames", False, 4, 4)
    assert machine.pads[13] == machine.pads[21] == (Button.NONE,)
    assert machine.pads[12] == machine.pads[14] == (A,)
    again.clear()
    run, hands, machine = endless(spawns=(3, 5), over=4, again=again)
    hands.tally.pieces = 1
    run.run(pieces=3)
    assert (run.stopped_by, again) == ("pieces", [])
    run, hands, machine = endless(over=4, again=again)
    hands.tally.pieces = 3
    run.run(pieces=3)
    assert (run.stopped_by, again) == ("game over", [])


@pytest.mark.parametrize(
    ("error", "why"),
    [(ContradictionError("x"), "contradiction"), (StalledError("x"), "stall"), (OchibotError("x"), "error")],
)
def test_an_error_says_why_the_run_ended(error: Exception, why: str) -> None:
    run, hands, _ = endless()
    hands.raises = 2, error
    with pytest.raises(type(error)):
        run.run()
    assert run.stopped_by == run.result().stopped_by == why
    assert hands.abandoned == [why == "stall"]


def test_a_result_says_what_was_played() -> None:
    run, hands, machine = endless(spawns=(2,))
    hands.tally.misplaced, hands.tally.best_chain, hands.tally.given_up = 1, 4, 1
    run.run(frames=4)
    result = run.result()
    assert (result.pieces, result.compared, result.misplaced, result.best_chain) == (1, 1, 1, 4)
    assert (result.frames, result.score, result.level, result.seed, result.speed) == (4, 104, 2, 5, 7)
    assert (result.agreement, result.cut_off, result.given_up) == (0.0, 1, 1)
    assert (result.core, result.rom_sha1, machine.frame) == ("none 1", "0" * 40, 4)
    assert (result.logic_overruns, result.sprite_overflows) == (len("overruns"), len("sprite_overflows"))
    assert result.seconds >= 0
    again = run.result()
    assert again == result, "the seconds are those of the run"
