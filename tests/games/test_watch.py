"""Tests ``Watch`` frame by frame with a fake seat, against a chain worked out by hand. Also tests ``check_game``."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from ochibot.errors import GameError
from ochibot.games.check import check_game
from ochibot.games.unread import Watch
from ochibot.puyo import Field, Orientation, Pair, PairState, Snapshot, place
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules

from tests.puyo import FAMICOM, TSU

EMPTY = Field.empty()
STACK = Field.parse("R.....\nR.....\nR.....")
NEXT, AFTER = Pair(3, 4), Pair(2, 2)


class Seat:
    """A fake seat: a test sets where its pair is."""

    def __init__(self, rules: Rules = TSU, field: Field = EMPTY, score: int = 0) -> None:
        self.rules, self.field, self.score = rules, field, score
        self.pair = Pair(1, 1)
        self.state: PairState | None = rules.spawn
        self.waiting, self.locked, self.drops, self.unread = 0, False, True, False

    def plain(self) -> Snapshot:
        if self.unread:
            raise GameError("an unknown byte")
        return Snapshot(self.field, self.pair, NEXT, self.score, self.rules.spawn, foreseen=(AFTER,))

    def falling(self) -> bool:
        return self.drops

    def pair_state(self) -> PairState | None:
        return self.state

    def has_locked(self) -> bool:
        return self.locked

    def pending(self) -> int:
        return self.waiting


def watched(seat: Seat, x: int = 1) -> Watch:
    """A watch that has seen the seat's pair fall upright into column ``x`` and lock."""
    watch = Watch(seat)
    watch.saw(spawned=True)
    height = int(seat.field.heights()[x - 1])
    for state in (PairState(3, 5, Orientation.UP), PairState(x, 13 - height, Orientation.UP)):
        seat.state = state
        watch.saw(spawned=False)
    seat.state, seat.locked = None, True
    watch.saw(spawned=False)
    return watch


def test_while_a_pair_falls_its_field_and_pairs_are_seen() -> None:
    seat = Seat(field=STACK, score=40)
    seat.waiting = 7
    watch = Watch(seat)
    watch.saw(spawned=True)
    seen = watch.rival()
    assert (seen.field, seen.pairs, seen.waiting) == (STACK, (seat.pair, NEXT, AFTER), 7)
    assert (seen.coming, seen.frames) == (0, 0)
    # a seat that can't be read is shown without pairs
    seat.unread = True
    watch.saw(spawned=True)
    assert watch.rival().pairs == ()
    seat.unread, seat.locked = False, True
    assert watch.rival().pairs == (), "not in the middle of a lock"
    seat.locked = False
    assert watch.rival().pairs == (seat.pair, NEXT, AFTER)


@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
@pytest.mark.parametrize("waiting", [0, 3, 200])
def test_a_chain_is_counted_down_and_its_nuisance_comes(rules: Rules, waiting: int) -> None:
    """The axis puyo is the fourth red of a column: a chain of one step."""
    seat = Seat(rules, STACK, 40)
    seat.waiting = waiting
    seat.pair = Pair(1, 2)
    outcome = place(STACK, seat.pair, Placement(1, 10, Orientation.UP), rules)
    assert outcome.chain == 1
    watch = watched(seat)
    # the frames of ``Timing.alone``: 1 because no half drops on its own; 4 for links, search and end;
    # for the step, 30 to blink, 2 for each of 4 + 1 rows (green falls 4 rows) and 3 more
    takes = 1 + 4 + 30 + 2 * (4 + 1) + 3
    made = outcome.score // rules.nuisance.points_at(4)
    for since in range(takes + 3):
        seen = watch.rival()
        assert (seen.field, seen.pairs) == (outcome.field, (NEXT, AFTER))
        assert seen.frames == max(0, takes - since)
        sends = made if seen.frames else 0
        against = min(sends, waiting) if rules.nuisance.offset else 0
        assert (seen.waiting, seen.coming) == (waiting - against, sends - against)
        watch.saw(spawned=False)


def test_a_lock_without_a_chain_takes_no_time_and_sends_nothing() -> None:
    seat = Seat(score=40)
    seat.waiting = 5
    seen = watched(seat, 2).rival()
    assert (seen.frames, seen.coming, seen.waiting) == (0, 0, 5)
    assert seen.field == place(EMPTY, seat.pair, Placement(2, 13, Orientation.UP), TSU).field
    assert seen.pairs == (NEXT, AFTER)


def test_a_game_without_a_price_sends_nothing() -> None:
    rules = dataclasses.replace(TSU, nuisance=dataclasses.replace(TSU.nuisance, points_each=0, margin=None))
    seat = Seat(rules, STACK)
    seat.pair = Pair(1, 2)
    seen = watched(seat).rival()
    assert seen.frames > 0
    assert seen.coming == 0


def test_frames_are_those_of_the_round() -> None:
    """The count begins at 0 when a pair spawns over an empty field with no points."""
    seat = Seat()
    watch = Watch(seat)
    for _ in range(5):
        watch.saw(spawned=False)
    assert watch.frames == 5
    watch.saw(spawned=True)
    assert watch.frames == 0
    watch.saw(spawned=False)
    seat.score = 10
    watch.saw(spawned=True)
    assert watch.frames == 2, "points: the round goes on"
    seat.score, seat.field = 0, STACK
    watch.saw(spawned=True)
    assert watch.frames == 3


def test_where_the_pair_was_last_seen_it_locks() -> None:
    """RAM's position counts only while the pair falls. A last position inside the stack gives no lock."""
    seat = Seat()
    watch = Watch(seat)
    watch.saw(spawned=True)
    seat.state = PairState(5, 13, Orientation.UP)
    watch.saw(spawned=False)
    seat.drops, seat.state = False, PairState(2, 13, Orientation.UP)
    watch.saw(spawned=False)
    seat.drops, seat.state = True, None
    watch.saw(spawned=False)
    seat.locked = True
    watch.saw(spawned=False)
    assert watch.rival().field.heights() == (0, 0, 0, 0, 2, 0)
    watch.forget()
    assert watch.rival().pairs == ()
    other = Seat(field=STACK)
    strange = Watch(other)
    strange.saw(spawned=True)
    other.state = PairState(1, 13, Orientation.UP)  # inside the stack
    strange.saw(spawned=False)
    other.locked = True
    strange.saw(spawned=False)
    assert strange.rival().pairs == ()


class Told:
    """A game for ``check_game`` that deals the given pairs, a new one after ``frames`` frames with a button held.

    number: the only pad that may be pressed. cells: how many cells each pair fills. at: what ``starts_at`` returns.
    """

    solo_mode = "endless"

    def __init__(self, number: int, pairs: list[Pair], frames: int = 5, cells: int = 2, at: bool = True) -> None:
        self.number, self.pairs, self.frames, self.cells, self.at = number, pairs, frames, cells, at
        self.piece = self.held = self.stepped = 0
        self.ram = None

    def seat(self, *_: object) -> Told:
        return self

    def reach(self, *_: object) -> int:
        return 0

    def step(self, *pads: int) -> None:
        self.stepped += 1
        mine = pads[self.number - 1] if len(pads) >= self.number else 0
        assert all(not pad for at, pad in enumerate(pads, 1) if at != self.number), "another pad is pressed"
        self.held += mine == 128 or int(mine) != 0

    def update(self) -> bool:
        if self.held < self.frames:
            return False
        self.held = 0
        self.piece += 1
        return True

    def snapshot(self) -> Any:
        field = Field.empty().cells.copy()
        field.reshape(-1)[: self.cells * self.piece] = 1
        shown = self.pairs[self.piece + 1] if self.piece + 1 < len(self.pairs) else Pair(1, 1)
        return Snapshot(Field.from_cells(field), self.pairs[self.piece], shown, 0, TSU.spawn)

    def starts_at(self, state: PairState) -> bool:
        assert state == TSU.spawn
        return self.at


PAIRS = [Pair(1, 2), Pair(2, 2), Pair(1, 1), Pair(3, 1), Pair(2, 4), Pair(4, 4)]


@pytest.mark.parametrize("number", [1, 2])
def test_a_game_that_does_as_it_should_has_no_problems(number: int) -> None:
    game: Any = Told(number, PAIRS)
    assert check_game(game, game, None, TSU) == []  # type: ignore[arg-type]
    assert (game.piece, game.stepped) == (5, 25)
    patient: Any = Told(number, PAIRS, frames=600)
    assert check_game(patient, patient, None, TSU) == []  # type: ignore[arg-type]


def test_what_a_game_does_otherwise_is_listed() -> None:
    slow: Any = Told(1, PAIRS, frames=601)
    assert check_game(slow, slow, None, TSU)[0].startswith("no new piece within 600 frames")  # type: ignore[arg-type]
    elsewhere: Any = Told(1, PAIRS, at=False)
    problems = check_game(elsewhere, elsewhere, None, TSU)  # type: ignore[arg-type]
    assert [problem.split(" is ")[0] for problem in problems] == [f"pair {n}" for n in range(1, 6)]
    heavy: Any = Told(1, PAIRS, cells=3)
    assert check_game(heavy, heavy, None, TSU) == ["the first pair made 3 cells of none, not 2"]  # type: ignore[arg-type]
    for other in (Pair(1, 1), Pair(4, 4)):  # one is less, one greater than the pair that comes

        class Lies(Told):
            def snapshot(self) -> Any:
                seen = super().snapshot()
                return dataclasses.replace(seen, next_pair=other) if self.piece == 2 else seen  # noqa: B023

        game: Any = Lies(1, PAIRS)
        assert check_game(game, game, None, TSU) == [f"after NEXT {other} came {PAIRS[3]}"]  # type: ignore[arg-type]
