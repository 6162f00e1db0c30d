"""Checks the Neo Geo game's seat, forecasts and course by the rules in plain Python, and in the real core."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot import players
from ochibot.console import NEOGEO, Ram, find_cores
from ochibot.data import data_path
from ochibot.errors import MapError, UsageError
from ochibot.falling.covering import covered
from ochibot.falling.orientation import Orientation
from ochibot.games import find_game, game_names
from ochibot.games.check import check_game
from ochibot.nyaa import Grid
from ochibot.nyaa.forecast import PairCourse, Prediction, Settled
from ochibot.nyaa.rules.pair import SPAWN, Action, NyaaState, Pair, Placement
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search import RandomPlayer
from ochibot.play.battle import Battle, Contestant
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.ram import load_map

from tests.titles import NYAA as GAME
from tests.titles import NYAA_LOOK, NYAA_TABLE, maps_of, neogeo_seat, open_console, player_of, rules_of, seat_of

RULES = rules_of(GAME)

needs_fbneo = pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (it comes with stable-retro)")

PAIRS = (Pair(1, 2), Pair(3, 4))
REDS = Pair(1, 1)


def seen_after(grid: str, placement: Placement, pair: Pair = REDS) -> tuple[Prediction, Settled]:
    prediction = Prediction.of(Snapshot(Grid.parse(grid), pair, PAIRS), placement, RULES, knows_score=True)
    outcome = prediction.outcome
    return prediction, Settled(outcome.grid, 10 * outcome.attack, 0, outcome.attack, outcome.t)


def test_every_number_of_a_lock_is_compared() -> None:
    # the red needle lights a row of four reds: one tail, which is worth 4; the bonus of 4 % rounds down to 0
    prediction, seen = seen_after("rrrr...", Placement(1, 11, Orientation.UP, True))
    assert (prediction.chain, prediction.score) == (4, 40)
    assert prediction.holds(seen)
    for other in (
        replace(seen, attack=5),
        replace(seen, tails=2),
        replace(seen, score=50),
        replace(seen, field=Grid.parse("......r")),
        replace(seen, fallen=1),
    ):
        assert not prediction.holds(other)
        assert "attack predicted 4" in prediction.describe(other)
    fell = Grid.parse(".......")
    fell = fell.with_block(83, 5).with_block(82, 5)
    prediction, seen = seen_after("rrrr...", Placement(1, 11, Orientation.UP, True))
    assert Grid.parse(".....oo") == fell
    left = prediction.outcome.grid
    assert prediction.holds(replace(seen, field=Grid(bytes(left.codes[:-2]) + b"\5\5"), fallen=2)) is (
        left.codes[-2:] == b"\0\0"
    )


def test_a_landing_elsewhere_is_seen_by_its_blocks() -> None:
    prediction, _ = seen_after("r......", Placement(3, 12, Orientation.UP), Pair(2, 2))
    assert not prediction.misses(NyaaState(3, 12, Orientation.UP))
    assert not prediction.misses(NyaaState(3, 11, Orientation.DOWN))  # the same two greens the other way round
    assert prediction.misses(NyaaState(3, 12, Orientation.UP, True))
    assert prediction.misses(NyaaState(4, 12, Orientation.UP))
    assert prediction.misses(NyaaState(1, 12, Orientation.UP))  # a block lies there already
    assert prediction.elsewhere(NyaaState(4, 12, Orientation.UP)).outcome.grid != prediction.outcome.grid


def test_what_is_sent_counts_once_a_lock_and_not_at_the_next_round() -> None:
    """In a new round, ``rests`` goes back to 0, while ``sent`` still holds what the last lock sent."""
    ram_map = maps_of(GAME, "versus")[0]
    ram = Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram)
    seat = neogeo_seat(ram_map, ram, RULES)
    assert seat.sent == 0
    counted = []
    for rests, sent in ((0, 7), (1, 5), (1, 9), (2, 3), (0, 3), (1, 0), (2, 4)):
        seat.map.write("rests", rests)
        seat.map.write("sent", sent)
        seat.update()
        counted.append(seat.sent)
    assert counted == [0, 5, 5, 8, 8, 8, 12]


def test_a_pair_is_in_hand_from_its_spawn_to_its_lock() -> None:
    """The phases of our own game: 1 and 2 with a pair, 3 and 4 while the field settles, 5 lost; 0 is the menu."""
    seat = neogeo_seat(maps_of(GAME)[0], Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram), RULES)
    seen = []
    for phase in range(6):
        seat.map.write("phase", phase)
        seen.append((seat.in_hand(), seat.has_locked(), seat.over()))
    assert [hand for hand, _, _ in seen] == [False, True, True, False, False, False]
    assert [locked for _, locked, _ in seen[:5]] == [False, False, False, True, True]
    assert [over for _, _, over in seen] == [False, False, False, False, False, True]


def test_the_course_knows_the_needle() -> None:
    snapshot = Snapshot(Grid.empty(), Pair(1, 2), PAIRS)
    course = PairCourse.to(snapshot, Placement(4, 12, Orientation.UP, True, (Action.NEEDLE,)))
    sharp = course.after(SPAWN, Action.NEEDLE)
    assert sharp.needle
    assert course.there(sharp)
    assert not course.there(SPAWN)
    assert course.brought(sharp._replace(y=3), sharp)
    assert not course.brought(SPAWN._replace(y=3), sharp)
    assert list(course.way(SPAWN) or ()) == [Action.NEEDLE]
    assert list(course.way(sharp) or ()) == []


@given(st.integers(0, 30), st.randoms(use_true_random=False))
def test_nuisance_that_falls_is_recognised(count: int, dice: object) -> None:
    shuffle = dice.sample  # type: ignore[attr-defined]
    heights = [dice.randint(0, 12) for _ in range(7)]  # type: ignore[attr-defined]
    rows, rest = divmod(count, 7)
    more = set(shuffle(range(7), rest))
    before, after = bytearray(84), bytearray(84)
    for x, height in enumerate(heights):
        for y in range(height):
            before[(11 - y) * 7 + x] = after[(11 - y) * 7 + x] = 1 + (x + y) % 4
        for y in range(height, min(12, height + rows + (x in more))):
            after[(11 - y) * 7 + x] = 5
    first, second = Grid(bytes(before)), Grid(bytes(after))
    assert covered(first.blocks, second.blocks, 5, count)
    fits = sum(12 - height for height in heights)
    if count and fits > count + 14:
        assert not covered(first.blocks, second.blocks, 5, count + 7)


def test_games_are_found_by_name() -> None:
    assert [find_game(name).name for name in game_names()] == list(game_names())
    with pytest.raises(UsageError, match="no game 'tetris'"):
        find_game("tetris")


def test_the_real_game_s_maps_say_what_is_missing() -> None:
    """Pochi & Nyaa's maps hold what is public about it; the error names the first entry that is missing."""
    from ochibot.console import NEOGEO, Ram

    for name in ("player1", "player12", "player2"):
        ram_map = load_map(data_path(f"ram_maps/pnyaa/{name}.yaml"), NYAA_TABLE.codes)
        assert all(entry.source == "documented" for entry in ram_map.entries.values())
        with pytest.raises(MapError, match="no entry 'field'"):
            neogeo_seat(ram_map, Ram(np.zeros(0x10000, np.uint8), NEOGEO.ram), RULES)


@needs_fbneo
def test_both_seats_agree_with_the_rules_in_every_lock() -> None:
    """A two-ply player against one that places at random, in the real core: the random one is buried."""
    rom = GAME.open_rom(None)
    with open_console(None, rom, GAME) as console:
        sides = (
            Contestant("nyaa", player_of(GAME, seed=1), 10),
            Contestant("random", RandomPlayer(2, RULES), 10),
        )
        maps = maps_of(GAME, "versus")
        battle = Battle(console, GAME, sides, rules=RULES, maps=maps, seed=7, options={}, max_pieces=60)
        battle.run(1)
    result = battle.result
    assert result.pieces == result.compared > 20
    assert (result.misplaced, result.disagreements, result.agreement) == (0, 0, 1.0)
    assert result.wins == [1, 0]
    assert result.nuisance_sent[0] > 10


@pytest.mark.long
@needs_fbneo
def test_a_beam_agrees_with_the_rules_in_every_lock() -> None:
    """The shipped beam player, with a small budget, plays against two-ply in the real core."""
    beam = players.open_player("nyaa_beam", GAME, RULES, seed=1, options={"nodes": 2000})
    rom = GAME.open_rom(None)
    with open_console(None, rom, GAME) as console:
        sides = Contestant("nyaa_beam", beam, 10), Contestant("nyaa", player_of(GAME, seed=2), 10)
        maps = maps_of(GAME, "versus")
        battle = Battle(console, GAME, sides, rules=RULES, maps=maps, seed=9, options={}, max_pieces=40)
        battle.run(1)
    result = battle.result
    assert result.pieces == result.compared > 20
    assert (result.misplaced, result.disagreements, result.agreement) == (0, 0, 1.0)


@pytest.mark.long
@needs_fbneo
def test_slow_hands_choose_what_they_reach() -> None:
    """This battle once broke off at its 24th piece with "the pad does something else here". In a later version, five or
    more of its pairs landed elsewhere than predicted.
    """
    rom = GAME.open_rom(None)
    with open_console(None, rom, GAME) as console:
        first, second = (Contestant("nyaa", player_of(GAME, seed=seed), 0) for seed in (4, 5))
        maps = maps_of(GAME, "versus")
        battle = Battle(console, GAME, (first, second), rules=RULES, maps=maps, seed=4, options={}, max_pieces=30)
        battle.run(1)
    result = battle.result
    assert result.compared >= 55
    assert (result.misplaced, result.disagreements, result.agreement) == (0, 0, 1.0)


@needs_fbneo
def test_the_game_does_what_its_map_says_and_another_map_does_not_pass() -> None:
    rom = GAME.open_rom(None)
    (solo,) = maps_of(GAME)
    with open_console(None, rom, GAME) as console:
        assert check_game(console, GAME, solo, RULES) == []
    # a map that swaps NEXT and the pair after it
    entries = dict(solo.entries)
    for half in ("axis", "partner"):
        entries[f"next_{half}"], entries[f"next2_{half}"] = entries[f"next2_{half}"], entries[f"next_{half}"]
    with open_console(None, rom, GAME) as console:
        problems = check_game(console, GAME, solo.model_copy(update={"entries": entries}), RULES)
    assert problems
    assert all(problem.startswith("after NEXT") for problem in problems)


@needs_fbneo
def test_solo_at_a_chosen_level_and_the_ghost_lies_where_the_blocks_come() -> None:
    rom = GAME.open_rom(None)
    with open_console(None, rom, GAME) as console:
        seat = seat_of(GAME, console)
        GAME.reach(console, seat, "solo", {"level": 3})
        assert seat.level() == 3
        hands = SeatPlayer(seat, player_of(GAME), speed_of(9))
        plans: list[tuple[frozenset[tuple[int, int, int]], npt.NDArray[np.int64]]] = []

        def noted(_: Endless) -> None:
            assert hands.snapshot is not None
            assert hands.decision is not None
            plans.append((NYAA_LOOK.planned(hands.snapshot, hands.decision), console.frame().astype(np.int64)))

        run = Endless(console, hands, seed=0, speed=9, on_piece=noted)
        run.run(pieces=1)
        console.step()
        cells, before = plans[0]
        changed = (console.frame().astype(np.int64) != before).any(2)
        assert len(cells) == 2
        for x, y, _ in cells:
            left, top, size = NYAA_LOOK.box(1, x, y, (changed.shape[1], changed.shape[0])) or (0, 0, 0)
            inside = changed[top : top + size, left : left + size]
            assert inside.mean() > 0.4, (x, y)
        assert run.result().agreement == 1.0
        assert run.result().logic_overruns == 0
