"""Tests that players with slow hands choose among the placements that are reached before the pair locks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from ochibot.console import Button, find_cores
from ochibot.data import data_path
from ochibot.falling.pace import Gravity, Pace
from ochibot.lab.hands import SimulatedHands
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import Pair as NyaaPair
from ochibot.nyaa.rules.pair import Placement as NyaaPlacement
from ochibot.nyaa.rules.snapshot import Snapshot as NyaaSnapshot
from ochibot.play.endless import Endless
from ochibot.play.reach import landing
from ochibot.play.seat import AnySeatPlayer, SeatPlayer
from ochibot.play.speed import SPEEDS, speed_of
from ochibot.puyo import Field, Pair, PairState, Placement, Snapshot, place
from ochibot.puyo.forecast import PairCourse
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.clairvoyant import Clairvoyant
from ochibot.puyo.search.evaluate import evaluate
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.sim.timed import FAMICOM_TIMING

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM
from tests.puyo.fields import random_cells
from tests.titles import NYAA, PUYO, famicom_seat, load_seat_map, open_console, player_of, rules_of, seat_of

CONFIG = load_player(data_path("configs/players/article.yaml"))
PACES = [Pace(row, 2, 28, 4) for row in FAMICOM_TIMING.frames_per_row]


def _fields(number: int, seed: int) -> list[Field]:
    """Settled fields, some of them high, on which a pair can appear."""
    cells = random_cells(6 * number, seed)
    made: list[Field] = []
    for one in cells:
        one[: 2 + len(made) % 9] = 0
        field = place(Field.from_cells(one), Pair(6, 6), Placement(1, 1, FAMICOM.spawn.orientation), FAMICOM).field
        if not field.cells[:2].any():
            made.append(field)
    return made[:number]


@pytest.mark.parametrize("speed", [0, 3, 6, 9, 10])
def test_a_landing_is_that_of_the_simulated_cartridge(speed: int) -> None:
    """``landing`` is compared with the simulated hands. Tests in tests/lab compare those with the cartridge, lock by
    lock.
    """
    hands, dice, elsewhere = SimulatedHands(speed, FAMICOM), random.Random(speed), 0
    for number, field in enumerate(_fields(12, 5)):
        level = 1 + number % 4
        snapshot = Snapshot(field, Pair(1, 2), Pair(3, 4), 0, FAMICOM.spawn, level)
        for target in dice.sample(lock_positions(field, snapshot.pair, FAMICOM), 6):
            locked, control = hands.steer(snapshot, target)
            course = PairCourse.to(snapshot, target, FAMICOM)
            where = PairState(locked.x, locked.y, locked.orientation)
            assert landing(course, snapshot.state, PACES[level - 1], speed_of(speed)) == (where, control)
            elsewhere += where != PairState(target.x, target.y, target.orientation)
    assert elsewhere or speed > 0


def _key(one: Placement) -> tuple[int, int, int]:
    return one.x, one.y, int(one.orientation)


def _only(reach: set[tuple[int, int, int]]) -> Callable[[Placement], bool]:
    return lambda one: _key(one) in reach


@pytest.mark.parametrize("plies", [1, 2])
def test_the_player_takes_the_best_of_what_is_in_reach(plies: int) -> None:
    """The expected lock is found by trying each lock as the only one in reach, and comparing the decisions' values."""
    player, dice = TwoPly(CONFIG, FAMICOM, plies), random.Random(plies)
    for field in _fields(6, 9):
        pair = Pair(dice.randint(1, 4), dice.randint(1, 4))
        plain = Snapshot(field, pair, Pair(1, 3), 0, FAMICOM.spawn)
        free = player.choose(plain)
        assert free is not None
        locks = lock_positions(field, pair, FAMICOM)
        reach = {_key(lock) for lock in dice.sample(locks, len(locks) // 3)}
        values = {}
        for lock in locks:
            alone = player.choose(replace(plain, hands=_only({_key(lock)})))
            assert alone is not None
            assert alone.placement == lock
            values[_key(lock)] = alone.value
            if plies == 1 and not alone.outcome.game_over:
                assert alone.value == evaluate(alone.outcome.field, CONFIG, FAMICOM).total
        chosen = player.choose(replace(plain, hands=_only(reach)))
        assert chosen is not None
        # ties go to the first in the order of lock positions, which is the order of the dict
        best = max((at for at in values if at in reach), key=lambda at: values[at])
        assert _key(chosen.placement) == best
        # if all locks are in reach, or none, the choice is the same as without ``hands``
        assert player.choose(replace(plain, hands=lambda _: True)) == free
        assert player.choose(replace(plain, hands=lambda _: False)) == free


@pytest.mark.long
def test_the_clairvoyant_player_asks_too() -> None:
    player = Clairvoyant(CONFIG, FAMICOM)
    pairs = tuple(Pair(1 + number % 4, 1 + number % 3) for number in range(8))
    plain = Snapshot(Field.empty(), pairs[0], pairs[1], 0, FAMICOM.spawn, foreseen=pairs[2:])
    free = player.choose(plain)
    assert free is not None
    other = player.choose(replace(plain, hands=lambda one: one != free.placement))
    assert other is not None
    assert other.placement != free.placement


def test_the_player_of_pochi_and_nyaa_takes_what_is_in_reach() -> None:
    player = player_of(NYAA)
    pairs = NyaaPair(1, 2), NyaaPair(3, 3)
    plain = NyaaSnapshot(Grid.empty(), pairs[0], (pairs[1], pairs[0]))
    free = player.choose(plain)
    assert player.choose(replace(plain, hands=lambda _: True)) == free
    assert player.choose(replace(plain, hands=lambda _: False)) == free

    def blocks_at_the_left(one: NyaaPlacement) -> bool:
        return one.x == 1 and not one.needle

    chosen = player.choose(replace(plain, hands=blocks_at_the_left))
    assert chosen is not None
    assert (chosen.placement.x, chosen.placement.needle) == (1, False)


# in a running game


def _sit(game: FakeGame, speed: int) -> AnySeatPlayer:
    seat = famicom_seat(load_seat_map("player1"), game.ram)
    sitting: AnySeatPlayer = SeatPlayer(seat, TwoPly(CONFIG, FAMICOM), speed_of(speed))
    sitting.spawn()
    return sitting


def _run(game: FakeGame, player: AnySeatPlayer, pieces: int) -> None:
    pad = Button.NONE
    while player.tally.pieces < pieces and not player.game_over():
        game.step(pad)
        pad = player.frame()


@pytest.mark.parametrize("speed", range(len(SPEEDS)))
def test_no_pair_lands_elsewhere_at_any_speed(speed: int) -> None:
    """At level 4 and speed 0, a fifth to a third of the pairs once landed elsewhere."""
    game = FakeGame(drop_frames=11)
    game.ram[0x70] = 4
    player = _sit(game, speed)
    assert player.seat.level() == 4
    _run(game, player, 40)
    assert player.tally.pieces >= 15
    assert (player.tally.misplaced, player.tally.disagreements, player.tally.contradictions) == (0, 0, 0)


def test_a_slow_pad_brings_no_pair_elsewhere_although_nothing_says_how_fast_pairs_fall() -> None:
    """As in a game that gets faster from level to level. Five of these pairs once landed elsewhere."""
    game = FakeGame(drop_frames=3, lag=6)
    seat = famicom_seat(load_seat_map("player1").public(), game.ram)
    seat.table = replace(seat.table, tap=(8, 8))
    player: AnySeatPlayer = SeatPlayer(seat, TwoPly(CONFIG, FAMICOM), speed_of(10), keep_going=True)
    player.spawn()
    _run(game, player, 80)
    assert (player.tally.pieces, player.tally.misplaced) == (80, 0)


def test_the_pace_is_known_of_our_own_cartridges_only() -> None:
    game = FakeGame()
    loaded = load_seat_map("player1")
    assert famicom_seat(loaded, game.ram).pace() == Pace(40, 2, 28, 4)
    game.ram[0x70] = 4
    assert famicom_seat(loaded, game.ram).pace() == Pace(11, 2, 28, 4)
    game.ram[0x70] = 9
    assert famicom_seat(loaded, game.ram).pace() is None
    assert famicom_seat(loaded.public(), game.ram).pace() is None
    gravity = Gravity(rows=(20,), hurry=2, lock=28, versus_row=24)
    assert gravity.pace(None, False) == Pace(20, 2, 28)
    assert gravity.pace(3, True) == Pace(24, 2, 28)
    assert Gravity(rows=(20, 10), hurry=2, lock=28).pace(None, True) is None


def test_the_fastest_hands_are_not_asked_about() -> None:
    game = FakeGame(drop_frames=11)
    game.ram[0x70] = 4
    fast, slow = _sit(game, 10), _sit(FakeGame(), 9)
    assert _hands_of(fast) is None
    assert _hands_of(slow) is not None
    # after ``rejoin`` the pair may have been falling for a while, so it isn't known when it locks
    slow.rejoin()
    assert _hands_of(slow) is None


def _hands_of(player: AnySeatPlayer) -> object:
    assert player.snapshot is not None
    return player.snapshot.hands


@pytest.mark.long
@pytest.mark.parametrize(("game", "core", "least"), [(PUYO, "fceumm", 30), (NYAA, "fbneo", 20)], ids=["puyo", "nyaa"])
def test_slow_hands_miss_nothing_in_the_cartridge(game: object, core: str, least: int) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here")
    title = PUYO if game is PUYO else NYAA
    with open_console(core, game=title) as console:
        seat = seat_of(title, console)
        title.reach(console, seat, title.solo_mode, {"level": 4})
        hands: AnySeatPlayer = SeatPlayer(seat, player_of(title), speed_of(0))
        run = Endless(console, hands, seed=None, speed=0)
        run.run(pieces=40)
        result = run.result()
    assert result.pieces >= least
    assert (result.misplaced, result.disagreements, result.contradictions) == (0, 0, 0)
    assert rules_of(title) is not None
