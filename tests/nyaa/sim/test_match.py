"""Matches of two seats: the exchange of nuisance (compared with a naive model), the dealers, the order in time."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from ochibot.errors import ConfigError, FieldError, GameError
from ochibot.falling.draws import ColumnDice
from ochibot.falling.orientation import Orientation
from ochibot.lab.nyaa.match import play_match
from ochibot.nyaa import Grid, Rules
from ochibot.nyaa.rules.lock import Outcome
from ochibot.nyaa.rules.pair import Pair, Placement
from ochibot.nyaa.search import RandomPlayer, lock_positions
from ochibot.nyaa.sim.match import Deal, Match, PairDealer, seeded
from ochibot.nyaa.sim.timed import NEOGEO_TIMING, TimedMatch, Timing

from tests.nyaa.fields import drawing
from tests.nyaa.profiles import MVS, edited
from tests.nyaa.search import reference
from tests.nyaa.search.reference import House


def step(x: int, shifts: tuple[int, int, int], bits: int) -> int:
    left, right, again = shifts
    x ^= (x << left) & ((1 << bits) - 1)
    x ^= x >> right
    return x ^ ((x << again) & ((1 << bits) - 1))


@dataclass
class NaiveSeat:
    """One side, modelled naively by the README of roms/homebrew/neogeo. state: the random state for pairs. dice: the
    one for the columns of nuisance.
    """

    state: int
    dice: int
    house: House = reference.ARCADE
    rows: list[str] = field(default_factory=lambda: ["." * 7] * 12)
    pending: int = 0
    queue: list[str] = field(default_factory=list)

    def deal(self) -> None:
        while len(self.queue) < 3:
            letters = ""
            for _ in range(2):
                self.state = step(self.state, (13, 17, 5), 32)
                letters += "rgby"[self.state >> 30]
            self.queue.append(letters)

    def columns(self, rest: int) -> list[int]:
        order = [1, 2, 3, 4, 5, 6, 7]
        for i in range(rest):
            self.dice = step(self.dice, (7, 9, 8), 16)
            j = i + ((self.dice >> 8) * (7 - i) >> 8)
            order[i], order[j] = order[j], order[i]
        return order


def naive_lock(own: NaiveSeat, other: NaiveSeat, x: int, o: int, needle: bool) -> bool:
    """Locks a pair in the naive model, exchanges nuisance and deals. Returns whether the seat has lost."""
    house = own.house
    own.rows, attack, lit = reference.lock(own.rows, own.queue.pop(0), x, o, needle, house)
    for _ in range(attack * house.each):
        if own.pending and house.offset:
            own.pending -= 1
        elif other.pending < house.most_pending:
            other.pending += 1
    if reference.over(own.rows, house):
        return True
    if not lit and own.pending:
        count = min(own.pending, house.most_per_fall)
        own.pending -= count
        own.rows = reference.rain(own.rows, count, own.columns(count % 7))
    own.deal()
    return reference.over(own.rows, house)


EDITED: list[tuple[dict[str, Any], House]] = [
    ({"nuisance_each": 3, "most_per_fall": 4}, House(each=3, most_per_fall=4)),
    ({"offset": False, "most_pending": 9}, House(offset=False, most_pending=9)),
    ({"idle_needle": "vanish", "nuisance_pops": False}, House(vanish=True, nuisance_pops=False)),
    ({"spawn_column": 2, "over_cell": [2, 10]}, House(middle=2, over=10)),
]
"""Entries of a rules file, and what they mean to the naive model."""


@pytest.mark.parametrize("seed", [1, 0x9E3779B1, 0xFFFF0000, 12345])
def test_exchange_is_that_of_the_naive_model(seed: int) -> None:
    assert exchange(seed, MVS, reference.ARCADE) > 0


@pytest.mark.parametrize(("entries", "house"), EDITED)
def test_an_edited_rules_file_changes_the_exchange(tmp_path: Path, entries: dict[str, Any], house: House) -> None:
    exchange(7, edited(tmp_path, **entries), house)


def exchange(seed: int, rules: Rules, house: House) -> int:
    """Compares a match with the naive model; returns how much nuisance fell.

    The seats lock in random order. Now and then a seat's pending nuisance is raised in the match and in the model, so
    that more falls.
    """
    dice = random.Random(seed)
    match = Match(Deal(seed), rules)
    naive = [NaiveSeat(seed, seed >> 16 * seat & 0xFFFF | 1, house) for seat in range(2)]
    for side in naive:
        side.deal()
    fell = offset = 0
    for _ in range(120):
        seat = 1 + dice.randrange(2)
        own, mine, theirs = match.seat(seat), naive[seat - 1], naive[2 - seat]
        if dice.random() < 0.05:
            more = min(dice.randrange(40), max(house.most_pending - own.pending, 0))
            own.pending += more
            mine.pending += more
        locks = lock_positions(own.grid, own.pair, match.snapshot(seat).state)
        # so that the round lasts: of eight random locks, take the one that pops most; ties go to the lowest
        lock = min(
            dice.sample(locks, min(8, len(locks))), key=lambda lock: (-match.resolved(seat, lock).popped, -lock.y)
        )
        settled = match.lock(seat, lock)
        lost = naive_lock(mine, theirs, lock.x, int(lock.orientation), lock.needle)
        assert settled.over == lost == match.over
        fell += settled.fallen
        offset += settled.offset
        for real, expected in zip(match.seats, naive, strict=True):
            assert drawing(real.grid) == expected.rows
            assert real.pending == expected.pending
        if lost:
            assert match.loser() == seat
            with pytest.raises(GameError, match="over"):
                match.lock(3 - seat, lock)
            break
        assert [str(own.pair), *map(str, own.nexts)] == mine.queue
    assert match.seat(1).sent + match.seat(2).sent + offset > 0
    return fell


def test_an_attack_takes_own_nuisance_first_and_the_tray_holds_255() -> None:
    match = Match(Deal(1), MVS)
    own, other = match.seats
    own.grid = Grid.parse("yyyyyy.\n")
    own.pending, other.pending = 2, 253
    own.pair = own.pair._replace(axis=4, partner=1)
    settled = match.lock(1, Placement(7, 12, Orientation.UP, needle=True))
    assert settled.outcome.attack == 6  # a row of six: (100 * 6 + 4 * 6) // 100
    assert (settled.offset, settled.sent, settled.fallen) == (2, 4, 0)
    assert (own.pending, other.pending, other.received) == (0, 255, 2)
    assert own.score == 60


def test_an_ignition_holds_back_what_waits_and_a_plain_lock_lets_21_fall() -> None:
    match = Match(Deal(1), MVS)
    own = match.seats[0]
    own.grid, own.pending = Grid.parse("y......"), 50
    own.pair = own.pair._replace(axis=4, partner=1)
    assert match.lock(1, Placement(2, 12, Orientation.UP, needle=True)).fallen == 0
    assert own.pending == 50
    assert match.lock(1, Placement(2, 11, Orientation.UP)).fallen == 21
    assert own.pending == 29
    assert drawing(own.grid).count("ooooooo") == 0
    assert str(own.grid).count("o") == 21


def test_both_seats_get_the_same_pairs_and_their_own_columns() -> None:
    match = Match(Deal.at(77), MVS)
    first, second = match.seats
    assert (first.pair, first.nexts) == (second.pair, second.nexts)
    assert seeded(77) == 77 * 0x9E3779B1 % 2**32 | 1
    assert first.dice.state == seeded(77) & 0xFFFF | 1
    assert second.dice.state == seeded(77) >> 16 | 1
    colors = [color for pair, _ in zip(PairDealer(1), range(4000), strict=False) for color in pair]
    assert all(0.23 < colors.count(color) / len(colors) < 0.27 for color in (1, 2, 3, 4))
    for chosen in range(7):
        assert sorted(ColumnDice(chosen + 1, 7).order(chosen)) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("state", [0, -1, 2**32])
def test_states_that_the_generator_cannot_have(state: int) -> None:
    with pytest.raises(ConfigError, match="no state"):
        Match(Deal(state), MVS)


def test_pairs_appear_where_the_rules_say() -> None:
    rules = replace(MVS, spawn_column=1, over_cell=(1, 12))
    match = Match(Deal(1), rules)
    player = RandomPlayer(3, rules)
    while not match.over:
        snapshot = match.snapshot(1)
        assert (snapshot.state.x, snapshot.state.y) == (1, 1)
        decision = player.choose(snapshot)
        assert decision is not None
        match.lock(1, decision.placement)
    assert drawing(match.seats[0].grid)[0][0] != "."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden_rows": 2}, "2 hidden rows"),
        ({"hidden_rows": 0}, "give hidden_rows: 1"),
        ({"idle_needle": "stay"}, "give idle_needle: block or vanish"),
        ({"idle_needle": "stay", "repeated_ignition": True}, "idle_needle"),
        ({"spawn_column": 1}, "the same column"),
        ({"over_cell": (3, 12)}, "the same column"),
    ],
)
def test_rules_that_no_match_can_be_played_by(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        Match(Deal(1), replace(MVS, name="mine", **change))
    assert "the rules mine" in str(refused.value)


def test_an_edited_rules_file_changes_the_score(tmp_path: Path) -> None:
    lock = Placement(7, 12, Orientation.UP, needle=True)
    rules = edited(tmp_path), edited(tmp_path, score_each=7), edited(tmp_path, score_cap=55)
    for each, score in zip(rules, (60, 42, 55), strict=True):
        match = Match(Deal(1), each)
        own = match.seat(1)
        own.grid, own.pair = Grid.parse("yyyyyy."), Pair(4, 1)
        match.lock(1, lock)
        assert match.snapshot(1).score == own.score == score


@pytest.mark.parametrize("seat", [-1, 0, 3])
def test_seats_are_numbered_1_and_2(seat: int) -> None:
    match = Match(Deal(1), MVS)
    assert (match.seat(1), match.seat(2)) == match.seats
    timed = TimedMatch(match)
    for ask in (match.seat, match.snapshot, timed.spawned):
        with pytest.raises(GameError, match=f"no seat {seat}: give 1 or 2"):
            ask(seat)


def test_a_refused_lock_changes_nothing() -> None:
    match = Match(Deal(1), MVS)
    before = match.snapshot(1)
    with pytest.raises(FieldError, match="doesn't fit"):
        match.lock(1, Placement(1, 5, Orientation.LEFT))
    assert match.snapshot(1) == before


def test_the_earlier_rest_comes_first_and_seat_1_before_seat_2() -> None:
    timed = TimedMatch(Match(Deal(1), MVS), Timing())
    assert timed.waiting() == 1
    timed.lock(1, Placement(4, 12, Orientation.UP), control=100)
    with pytest.raises(GameError, match="no pair"):
        timed.lock(1, Placement(4, 12, Orientation.UP))
    spawns = []
    for _ in range(4):
        seat = timed.waiting()
        assert seat is not None
        spawns.append((seat, timed.frame))
        timed.lock(seat, Placement(1 + len(spawns), 12, Orientation.UP), control=30)
    # between spawns: 12 frames of delay, 30 (or 100) under control, one for the halves, one until the next spawn
    assert spawns == [(2, 0), (2, 44), (2, 88), (1, 114)]
    assert [seat for seat, _ in timed.settled] == [2, 2, 1]


@pytest.mark.parametrize(("drop", "steps"), [(0, 1), (3, 4), (11, 15)])
def test_a_lock_takes_as_long_as_the_cartridge_s_readme_says(drop: int, steps: int) -> None:
    """The model lets blocks fall 2 rows after an ignition. The README counts one frame more than ``settling``."""
    quiet = Outcome(Grid.empty(), drop=drop)
    lit = Outcome(Grid.empty(), drop=drop, steps=steps, ignited=True)
    assert NEOGEO_TIMING.settling(quiet) + 1 == max(1, 2 * drop) + 1
    assert NEOGEO_TIMING.settling(lit) + 1 == max(1, 2 * drop) + 5 * steps + 36 + 2 * (2 + 1) + 1
    assert NEOGEO_TIMING.fall == 2 * (7 + 1)


def test_timed_matches_end_and_can_be_replayed() -> None:
    """A timed match's locks, applied to a plain ``Match`` in the order in which they settled, end it the same way."""
    decided = 0
    for seed in range(4):
        sides = RandomPlayer(seed, MVS), RandomPlayer(seed + 100, MVS)
        played = play_match(Deal.at(seed + 5), sides, MVS, max_pieces=60)
        again = Match(Deal.at(seed + 5), MVS)
        for lock in played.locks:
            again.lock(lock.seat, lock.placement)
        assert again.loser() == played.loser
        assert [side.grid for side in again.seats] == [side.grid for side in played.match.seats]
        assert [side.pending for side in again.seats] == [side.pending for side in played.match.seats]
        decided += played.loser is not None
    assert decided == 4


def test_when_both_are_over_on_one_frame_the_counter_decides() -> None:
    match = Match(Deal(1), MVS)
    assert match.loser() is None
    for side in match.seats:
        side.over = True
    assert [match.loser(counter) for counter in (0, 1, 2)] == [1, 2, 1]


@pytest.mark.parametrize("number", range(3))
def test_an_ignition_of_the_other_side_is_seen_from_its_lock_and_ends_like_that(number: int) -> None:
    rules = MVS
    timed = TimedMatch(Match(Deal(number + 1), rules))
    players = [RandomPlayer(number, rules), RandomPlayer(number + 100, rules)]
    burning: dict[int, list[tuple[int, Any]]] = {1: [], 2: []}
    locked_at: dict[int, int] = {}
    seen = 0
    while (seat := timed.waiting()) is not None and seen < 12:
        snapshot = timed.snapshot(seat)
        other = snapshot.opponent
        assert other is not None
        lit = other.burning
        assert replace(snapshot, opponent=replace(other, burning=None)) == timed.match.snapshot(seat)
        done = timed._clock(3 - seat).done
        if lit is None:
            # a pair that hasn't locked yet isn't told, and one that lit nothing has no ignition
            assert done is None or not done.ignited or timed.frame < locked_at[3 - seat]
        else:
            assert timed.frame >= locked_at[3 - seat]
            state = timed.match.seat(3 - seat)
            assert (lit.grid, lit.attack, lit.pair) == (done.grid, done.attack, state.nexts[0])  # type: ignore[union-attr]
            after, coming = other.burnt_out(rules)
            place = len([one for one, _ in timed.settled if one == 3 - seat])
            burning[3 - seat].append((place, (after, coming + other.pending - after.pending)))
            seen += 1
        decision = players[seat - 1].choose(snapshot)
        assert decision is not None
        frames = 20 + 7 * seat
        timed.lock(seat, decision.placement, frames)
        locked_at[seat] = timed.spawned(seat) + timed.timing.spawn_delay + frames
    settled = {one: [lock for number, lock in timed.settled if number == one] for one in (1, 2)}
    for one, expected in burning.items():
        for place, (after, made) in expected:
            if place < len(settled[one]):
                assert settled[one][place].outcome.grid == after.grid
                assert settled[one][place].offset + settled[one][place].sent == made
    assert seen
