"""The cartridge plays by the rules of ``ochibot.nyaa``, an independent implementation."""

from __future__ import annotations

from ochibot.nyaa import Grid
from ochibot.nyaa.rules.pair import Pair

from tests.homebrew.neogeo.driver import LOST, SOLO, VERSUS, Cartridge, cartridge, needs_fbneo
from tests.homebrew.neogeo.exchange import replay_rounds
from tests.homebrew.neogeo.rules import compare_locks

pytestmark = needs_fbneo

BLUE_TAILS = """
    .......
    b......
    b.b.b..
    bbbbb..
    brbrbg.
"""


def _lock(game: Cartridge, seat: int, grid: Grid, pair: Pair, x: int, y: int, orientation: int) -> None:
    """Locks a pair of needles on a field, and steps until its attack has been counted."""
    before = game.seats[seat].value("rests")
    game.put_grid(seat, grid)
    game.put_pair(seat, pair, x, y, orientation, True)
    game.lock_now(seat)
    for _ in range(400):
        game.step()
        if game.seats[seat].value("rests") != before:
            return
    raise AssertionError("the field doesn't come to rest")


def test_random_locks_give_the_fields_attacks_and_tails_of_the_rules() -> None:
    with cartridge(VERSUS) as game:
        result = compare_locks(game, boards=50, seed=11)
        assert not result.different, result.different[0]
        assert result.ignited > 20
        assert result.tails > 50
        assert result.most_steps > 6
        assert game.state.value("overruns") == 0


def test_rounds_go_as_the_match_says() -> None:
    with cartridge(VERSUS) as game:
        result = replay_rounds(game, rounds=2, seed=4, most_locks=80)
        assert not result.different, result.different[0]
        assert result.locks > 30
        assert result.fallen > 0
        assert game.state.value("overruns") == 0


def test_an_ignition_counted_by_hand() -> None:
    # the needle lights the top of column 1: a tail ends at the foot of this column, and one at the end of each arm
    with cartridge(VERSUS) as game:
        game.start()
        seat = game.seats[0]
        _lock(game, 0, Grid.parse(BLUE_TAILS), Pair(3, 1), 1, 8, 3)
        # tails by (column, row from the floor): (1,1) is 4; (3,3) and (3,1) are 5 + 1; (5,3) and (5,1) are 7 + 1
        assert sorted(int(v) for v in seat.grid("tail_values").reshape(-1) if v) == [4, 6, 6, 8, 8]
        assert (seat.value("s1"), seat.value("s0"), seat.value("tails")) == (32, 32, 5)
        assert seat.value("attack") == 38  # 32 + 20 % of it, rounded down
        assert game.seats[1].value("pending") == 38
        assert seat.value("score") == 380


def test_an_attack_takes_away_what_is_due_before_it_is_sent() -> None:
    with cartridge(VERSUS) as game:
        game.start()
        game.seats[0].write("pending", 30)
        game.seats[1].write("pending", 250)
        _lock(game, 0, Grid.parse(BLUE_TAILS), Pair(3, 1), 1, 8, 3)
        assert game.seats[0].value("pending") == 0
        assert game.seats[0].value("sent") == 8
        assert game.seats[1].value("pending") == 255, "at most 255 wait"


def test_three_rows_fall_at_a_time_and_the_rest_waits() -> None:
    with cartridge(VERSUS) as game:
        game.start()
        game.seats[0].write("pending", 40)
        _lock(game, 0, Grid.empty(), Pair(1, 2), 4, 12, 3)
        assert game.seats[0].value("fallen") == 21
        assert game.seats[0].value("pending") == 19
        while game.seats[0].value("spawns") == 1:
            game.step()
        assert str(game.grid(0)).split("\n")[-4:] == ["...oo..", "ooooooo", "ooooooo", "ooorgoo"]


def test_the_top_centre_ends_the_game_and_the_other_columns_do_not() -> None:
    full = "\n".join(["rgb.rgb" if row % 2 else "gbr.gbr" for row in range(12)])
    with cartridge(SOLO) as game:
        game.start()
        spawns = game.seats[0].value("spawns")
        _lock(game, 0, Grid.parse(full), Pair(4, 4), 4, 12, 2)
        while game.seats[0].value("spawns") == spawns:
            game.step()
        assert game.seats[0].value("phase") != LOST
        high = Grid.parse("\n".join(["......."] + ["...r..." if row % 2 else "...g..." for row in range(11)]))
        _lock(game, 0, high, Pair(4, 4), 4, 1, 2)  # the partner ends in the hidden row and is lost
        game.step()
        assert game.seats[0].value("phase") == LOST
        assert game.state.value("loser") == 1
        assert not game.seats[0].grid("hidden").any()
