"""The two-player match: generators, steps of a lock and the exchange of nuisance, compared with naive code and
published values.
"""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.errors import ConfigError, FieldError, GameError
from ochibot.falling.draws import ColumnDice, step16, step32
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, Placement, place
from ochibot.puyo.rules.profile import ItemRules
from ochibot.puyo.rules.steps import lock_piece
from ochibot.puyo.search import load_player
from ochibot.puyo.sim.dealer import XorshiftDealer, seeded
from ochibot.puyo.sim.match import MOST_WAITING, Deal, Match

from tests.puyo import FAMICOM, reference
from tests.puyo.fields import random_cells
from tests.puyo.sim.menus import versus_rules

SEEDS = st.integers(0, 10_000)
UP = Orientation.UP


def settled(puyos: int, seed: int) -> list[list[int]]:
    """A grid at rest, with nothing to clear."""
    return reference.resolve(random_cells(puyos, seed)[seed % puyos].tolist())[0]


# generators


def test_the_pairs_come_by_the_published_xorshift() -> None:
    # Marsaglia, "Xorshift RNGs" (2003): the 32-bit generator starts from 2463534242
    x, drawn = 2463534242, []
    for _ in range(3):
        x = step32(x)
        drawn.append(x)
    assert drawn == [723471715, 2497366906, 2064144800]


def test_the_columns_generator_has_the_full_period() -> None:
    x, steps = step16(1), 1
    while x != 1:
        x, steps = step16(x), steps + 1
    assert steps == 65535


def naive_order(state: int, chosen: int) -> tuple[list[int], int]:
    """The order of the columns and the generator's next state, computed as the cartridge's README says."""
    columns = [1, 2, 3, 4, 5, 6]
    for i in range(chosen):
        state = (state ^ (state * 128)) % 65536
        state = state ^ (state // 512)
        state = (state ^ (state * 256)) % 65536
        j = i + (state // 256) * (6 - i) // 256
        columns[i], columns[j] = columns[j], columns[i]
    return columns, state


@given(st.integers(1, 65535), st.integers(0, 5))
def test_the_columns_are_shuffled_from_the_left(state: int, chosen: int) -> None:
    dice = ColumnDice(state, 6)
    columns, after = naive_order(state, chosen)
    assert dice.order(chosen) == tuple(columns)
    assert dice.state == after
    assert sorted(columns) == [1, 2, 3, 4, 5, 6]


def test_both_seats_get_the_same_pairs_but_other_columns() -> None:
    match = Match(Deal(0x8001_0002), FAMICOM)
    assert [seat.dice.state for seat in match.seats] == [0x0003, 0x8001]
    assert match.seats[0].pair == match.seats[1].pair
    assert match.seats[0].next_pair == match.seats[1].next_pair


@given(st.integers(0, 2**24 - 1), st.sampled_from([4, 5, 6]))
def test_items_come_in_turn_and_draw_nothing(frame: int, colors: int) -> None:
    plain = XorshiftDealer(seeded(frame), colors)
    with_items = XorshiftDealer(seeded(frame), colors, "both", 3)
    for number in range(1, 25):
        piece = next(with_items)
        if number % 3:
            assert piece == next(plain)
            assert set(piece) <= set(range(1, colors + 1))
        else:
            assert piece == (Pair(BIG, BIG) if number // 3 % 2 else Pair(CARBUNCLE, CARBUNCLE))


@pytest.mark.parametrize("bad", [(0, 4), (2**32, 4), (1, 3), (1, 7)])
def test_what_the_cartridge_cannot_deal(bad: tuple[int, int]) -> None:
    with pytest.raises(ConfigError):
        XorshiftDealer(*bad)


# the steps of a lock


def naive_fall(grid: list[list[int]]) -> int:
    """Lets all puyos above the lowest hole of each column fall by one row, again and again until none moves.

    Returns how many times puyos fell.
    """
    times = 0
    while True:
        moved = False
        for x in range(6):
            holes = [y for y in range(14) if not grid[y][x] and any(grid[v][x] for v in range(y))]
            if holes:
                for y in range(max(holes), 0, -1):
                    grid[y][x] = grid[y - 1][x]
                grid[0][x] = 0
                moved = True
        if not moved:
            return times
        times += 1


def naive_falls(grid: list[list[int]]) -> list[int]:
    """For each step of the chain that a grid at rest sets off: the most rows that a puyo falls after the step."""
    falls = []
    while doomed := {cell for group in reference.groups(grid) if len(group) >= 4 for cell in group}:
        for x, y in list(doomed):
            around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            doomed |= {(u, v) for u, v in around if 0 <= u < 6 and 1 <= v < 14 and grid[v][u] == 7}
        grid = [[0 if (x, y) in doomed else code for x, code in enumerate(row)] for y, row in enumerate(grid)]
        falls.append(naive_fall(grid))
    return falls


PIECES = st.sampled_from([(1, 2), (1, 1), (3, 4), (2, 3), (BIG, BIG), (CARBUNCLE, CARBUNCLE)])


@settings(max_examples=100)
@given(SEEDS, PIECES, st.integers(0, 1000))
def test_a_lock_step_by_step_is_the_lock_as_a_whole(seed: int, piece: tuple[int, int], choice: int) -> None:
    grid = settled(40, seed)
    places = sorted(reference.locks(grid, pair=piece))
    if not places:
        return
    x, y, turned = places[choice % len(places)]
    done = lock_piece(Field.from_cells(grid), Pair(*piece), Placement(x, y, Orientation(turned)), FAMICOM)
    after, score, chain, cleared = reference.place(grid, piece, (x, y, turned))
    assert done.field.cells.tolist() == after
    assert (done.score, len(done.steps)) == (score, chain)
    rows = reference.put(grid, piece, (x, y, turned))
    if piece[0] < BIG:
        assert done.drop == naive_fall(rows)
        assert sum(step.cleared for step in done.steps) == cleared
    assert [step.fall for step in done.steps] == naive_falls(reference.drop(rows))
    assert sum(step.score for step in done.steps) + done.item_score == score


def test_a_piece_that_does_not_fit() -> None:
    with pytest.raises(FieldError, match="doesn't fit"):
        lock_piece(Field.parse("R....."), Pair(1, 2), Placement(1, 13, UP), FAMICOM)


# the exchange


def dropped_anywhere(grid: list[list[int]], dice: random.Random) -> reference.Lock:
    """A random lock of a pair that falls straight down from the first visible row."""
    tops = [(x, 1, turned) for x in range(1, 7) for turned in range(4) if reference.fits(grid, (x, 1, turned))]
    x, y, turned = dice.choice(tops)
    while reference.fits(grid, (x, y + 1, turned)):
        y += 1
    return x, y, turned


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**24 - 1), st.sampled_from([0, 6, 12, 30]), st.integers(0, 1000))
@example(1209, 0, 864)
def test_a_whole_match_against_a_naive_one(frame: int, limit: int, seed: int) -> None:
    dice = random.Random(seed)
    match = Match(Deal.at(frame, colors=4), versus_rules(FAMICOM, limit))
    grids = [[[0] * 6 for _ in range(14)] for _ in range(2)]
    waiting, purses, scores = [0, 0], [0, 0], [0, 0]
    states = [seeded(frame) % 65536 | 1, seeded(frame) // 65536 | 1]
    for _ in range(60):
        seat = dice.randrange(2)
        own = match.seats[seat]
        x, y, turned = dropped_anywhere(grids[seat], dice)
        pair = (own.pair.axis, own.pair.partner)
        grids[seat], score, _, _ = reference.place(grids[seat], pair, (x, y, turned))
        scores[seat] += score
        purses[seat] += score
        sent = 0
        while purses[seat] >= 70:
            purses[seat] -= 70
            sent += 1
        # the cartridge counts what waits in a byte
        waiting[1 - seat] = min(255, waiting[1 - seat] + sent)
        fallen = 0
        if not reference.is_over(grids[seat]):
            fallen, waiting[seat] = min(waiting[seat], limit or 30), 0
            order, states[seat] = naive_order(states[seat], fallen % 6)
            for number in range(fallen):
                column = order[number % 6] - 1
                empty = [row for row in range(14) if not grids[seat][row][column]]
                if empty:
                    grids[seat][max(empty)][column] = 7
        done = match.lock(seat + 1, Placement(x, y, Orientation(turned)))
        assert (done.sent, done.fall.count, done.over) == (sent, fallen, reference.is_over(grids[seat]))
        for side in range(2):
            assert match.seats[side].field.cells.tolist() == grids[side]
            assert (match.seats[side].tray.waiting, match.seats[side].tray.points) == (waiting[side], purses[side])
            assert match.seats[side].score == scores[side]
        if done.over:
            assert match.loser() == seat + 1
            with pytest.raises(GameError, match="round is over"):
                match.lock(2 - seat, Placement(1, 13, UP))
            return
    assert match.loser() is None


def chain_of_four(deal: Deal) -> Match:
    """A match in which any lock of seat 1 clears something: a group of four already lies on its field."""
    match = Match(deal, FAMICOM)
    match.seats[0].field = Field.parse("..RR..\n..RR..")
    return match


def test_waiting_nuisance_is_counted_in_a_byte() -> None:
    match = chain_of_four(Deal(1))
    seat, other = match.seats
    seat.tray = dataclasses.replace(seat.tray, points=70 * 200)
    other.tray = other.tray.receive(100)
    assert match.lock(1, Placement(1, 13, UP)).sent == 200
    assert other.tray.waiting == MOST_WAITING == 255


def test_a_big_puyo_sends_nothing() -> None:
    match = Match(Deal(1, items="big"), FAMICOM)
    seat = match.seats[0]
    seat.field = Field.parse("o.....\n" * 12)
    seat.pair = Pair(BIG, BIG)
    done = match.lock(1, Placement(1, 1, UP))
    assert (done.sent, seat.score, seat.tray.points) == (0, 120, 0)
    assert seat.field == Field.empty()


def test_nothing_falls_on_who_has_lost_already() -> None:
    match = Match(Deal(1), FAMICOM)
    seat = match.seats[1]
    seat.field = Field.parse("..o...\n" * 12)
    seat.tray = seat.tray.receive(6)
    done = match.lock(2, Placement(3, 1, UP))
    assert (done.over, done.fall.count, seat.tray.waiting) == (True, 0, 6)
    assert match.loser() == 2


def test_nuisance_can_end_the_round() -> None:
    match = Match(Deal(1), FAMICOM)
    seat = match.seats[0]
    seat.field = Field.parse("..o...\n" * 12)
    seat.tray = seat.tray.receive(6)
    done = match.lock(1, Placement(1, 13, UP))
    assert done.over
    assert seat.field.heights() == (3, 1, 13, 1, 1, 1)
    assert done.fall.rows == 14


def test_when_both_end_at_once_the_counter_decides() -> None:
    match = Match(Deal(1), FAMICOM)
    for seat in match.seats:
        seat.over = True
    assert [match.loser(10), match.loser(11)] == [1, 2]


# what a profile changes


def test_an_emptied_field_and_a_soft_drop_earn_what_the_profile_says() -> None:
    rules = dataclasses.replace(FAMICOM, all_clear_bonus=1000, drop_bonus=3)
    field, reds = Field.parse("RR...."), Pair(1, 1)
    emptying, beside = Placement(3, 13, Orientation.RIGHT), Placement(5, 13, Orientation.RIGHT)
    assert place(field, reds, emptying, FAMICOM).score == 40
    for placement, score in ((emptying, 1040), (beside, 0)):
        assert place(field, reds, placement, rules).score == lock_piece(field, reds, placement, rules).score == score
    assert lock_piece(field, reds, emptying, rules).chain_score == 40  # the bonus sends no nuisance
    # a big puyo that removes the last puyos earns the bonus; a carbuncle on an empty field clears nothing
    corner = Placement(1, 1, UP)
    assert place(field, Pair(BIG, BIG), corner, rules).score == 1020
    assert lock_piece(field, Pair(BIG, BIG), corner, rules).score == 1020
    low = Placement(3, 13, UP)
    assert place(Field.empty(), Pair(CARBUNCLE, CARBUNCLE), low, rules).score == 0
    assert lock_piece(Field.empty(), Pair(CARBUNCLE, CARBUNCLE), low, rules).score == 0
    match = Match(Deal.at(1), rules)
    match.lock(1, Placement(1, 13, UP), soft_rows=11)
    assert match.seats[0].score == 33


def test_self_play_scores_emptied_fields_too() -> None:
    config = load_player(data_path("configs/players/article.yaml"))
    # without weights for the arrangement of colours, the player empties the field often
    weights = config.weights.model_copy(update={"links": 0.0, "consecutive": 0.0, "variance": 0.0})
    config = config.model_copy(update={"weights": weights})
    plain = SelfPlay(config, 2, 5, FAMICOM).play(1000)
    more = SelfPlay(config, 2, 5, dataclasses.replace(FAMICOM, all_clear_bonus=1000)).play(1000)
    assert plain.field_clears > 0
    assert more.score == plain.score + 1000 * plain.field_clears


def test_a_profile_without_items_knows_none() -> None:
    rules = dataclasses.replace(FAMICOM, name="plain", items=ItemRules(allowed=False, interval=16))
    with pytest.raises(ConfigError, match="the rules plain have no items"):
        Match(Deal.at(1, items="both"), rules)
    for lock in (place, lock_piece):
        with pytest.raises(FieldError, match="the rules plain have no items"):
            lock(Field.empty(), Pair(BIG, BIG), Placement(1, 1, UP), rules)


def test_items_come_as_often_as_the_profile_says() -> None:
    rules = dataclasses.replace(FAMICOM, items=ItemRules(allowed=True, interval=5))
    dealt = [next(dealer).is_item for dealer in [Deal.at(1, items="big").dealer(rules)] for _ in range(20)]
    assert [number for number, item in enumerate(dealt, 1) if item] == [5, 10, 15, 20]
    own = Deal(seeded(1), items="big", interval=7).dealer(rules)
    assert [number for number in range(1, 15) if next(own).is_item] == [7, 14]
