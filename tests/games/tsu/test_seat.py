"""Tests the Mega Drive game's seat in the real core: play, foretold pairs, the menu, and foreign ROMs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import Button, Console, find_cores
from ochibot.errors import GameError, MapError, UsageError
from ochibot.games import find_game
from ochibot.games.check import check_game
from ochibot.play.battle import Battle, Contestant
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.play.versus import Versus
from ochibot.players import open_player
from ochibot.puyo.forecast import Prediction, Settled, is_covered
from ochibot.puyo.pairs.tsu import tsu
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.nuisance import drop_nuisance, with_nuisance
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.clairvoyant import BeamBudget, Clairvoyant
from ochibot.puyo.search.player import load_player
from ochibot.puyo.sim.dealer import CODES

from tests.puyo import TSU
from tests.titles import ARCADE_TABLE as ARCADE
from tests.titles import TSU_LOOK as LOOK
from tests.titles import TSU_TABLE as TABLE
from tests.titles import maps_of, open_console, player_file, player_of, rules_of, seat_of

GAME, PUYO = find_game("tsu"), find_game("puyo")

needs_core = pytest.mark.skipif(
    not find_cores("genesis_plus_gx"), reason="no genesis_plus_gx core here (it comes with stable-retro)"
)


@needs_core
@pytest.mark.parametrize("core", ["genesis_plus_gx", "picodrive"])
def test_the_cartridge_does_what_the_map_says(core: str) -> None:
    with open_console(core, game=GAME) as console:
        assert check_game(console, GAME, GAME.load_map("player1"), rules_of(GAME)) == []


@needs_core
def test_pieces_land_and_score_as_foreseen_with_the_points_for_down() -> None:
    with open_console(None, game=GAME) as console:
        seat = seat_of(GAME, console)
        GAME.reach(console, seat, "endless", {"level": 4})
        hands = SeatPlayer(seat, player_of(GAME), speed_of(10))
        run = Endless(console, hands, seed=None, speed=10)
        run.run(pieces=40)
        result = run.result()
        assert (result.pieces, result.compared, result.agreement) == (40, 40, 1.0)
        assert (result.misplaced, result.contradictions, result.logic_overruns) == (0, 0, 0)
        assert (seat.level(), seat.counter("colors")) == (4, 5)
        # chains score multiples of 10, so the last digit comes from rows with Down held
        assert result.score % 10 != 0


@needs_core
def test_a_battle_agrees_and_each_side_keeps_its_account() -> None:
    with open_console(None, game=GAME) as console:
        sides = (
            Contestant("1", player_of(GAME, plies=1), 10),
            Contestant("2", player_of(GAME, plies=2), 8),
        )
        maps = maps_of(GAME, "versus")
        battle = Battle(
            console, GAME, sides, rules=rules_of(GAME), maps=maps, seed=3, options={"level": 5}, max_pieces=60
        )
        battle.run(1)
        result = battle.result
        assert result.agreement == 1.0
        assert result.pieces > 60
        assert sum(result.nuisance_sent) > 0


@needs_core
def test_a_person_who_does_nothing_loses_rounds_to_the_ai() -> None:
    """Runs the loop of the command ``versus``. START begins the next round."""
    with open_console(None, game=GAME) as console:
        person, other = (seat_of(GAME, console, "versus", number) for number in (1, 2))
        GAME.reach(console, person, "versus", {"level": 5})
        other.resync()

        def press_start(running: Versus) -> None:
            if person.loser() and running.result.frames % 20 == 0:
                for pad in (Button.START, Button.NONE):
                    for _ in range(4):
                        console.step(pad)

        versus = Versus(console, person, SeatPlayer(other, player_of(GAME), speed_of(10)), on_frame=press_start)
        versus.run(2)
        assert (versus.result.wins, versus.result.rounds) == ([0, 2], 2)
        assert versus.result.agreement == 1.0


@needs_core
@pytest.mark.parametrize("colors", [3, 4, 5])
def test_colours_choose_the_difficulty_and_the_pairs_are_those_foretold(colors: int) -> None:
    """The pairs foretold from RAM's pools equal those that the Python generator makes from the round's random state."""
    with open_console(None, game=GAME) as console:
        seat = seat_of(GAME, console)
        GAME.reach(console, seat, "endless", {"colors": colors})
        player = Telling()
        run = Endless(console, SeatPlayer(seat, player, speed_of(10)), seed=None, speed=10)
        run.run(pieces=20)
        assert seat.counter("colors") == colors
        pool = tsu(seat.counter("seed") or 0).pool(colors)
        expected = [Pair(CODES[pool[2 * k]], CODES[pool[2 * k + 1]]) for k in (2, 1, 0, *range(3, 40))]
        assert player.told[0] == tuple(expected[2:14])
        assert player.pairs == expected[: len(player.pairs)]
        for number, told in enumerate(player.told):
            assert told == tuple(expected[number + 2 : number + 14])
            came = tuple(player.pairs[number + 2 :])[:12]
            assert told[: len(came)] == came


class Telling:
    """Plays as the two-ply player does, and keeps the pairs that fall and those foretold to it."""

    foresees = 12

    def __init__(self) -> None:
        self._player = player_of(GAME)
        self.pairs: list[Pair] = []
        self.told: list[tuple[Pair, ...]] = []

    def choose(self, snapshot: Snapshot) -> object:
        self.pairs.append(snapshot.pair)
        self.told.append(snapshot.foreseen)
        return self._player.choose(snapshot)


@needs_core
def test_the_clairvoyant_player_makes_what_it_sees() -> None:
    with open_console(None, game=GAME) as console:
        seat = seat_of(GAME, console)
        GAME.reach(console, seat, "endless", {})
        player = Clairvoyant(load_player(player_file("article", GAME)), TSU, budget=BeamBudget(plies=10, width=40))
        run = Endless(console, SeatPlayer(seat, player, speed_of(10)), seed=None, speed=10)
        run.run(pieces=50)
        result = run.result()
        assert result.agreement == 1.0
        assert result.best_chain >= 5


FOREIGN = """
extends: tsu/player1
entries:
  colors: null
  locks: null
  dealt: null
  seed: null
"""


@needs_core
def test_without_counters_the_pools_are_believed_only_as_far_as_they_foretell(tmp_path: Path) -> None:
    """As with a ROM that isn't ours, the map has no counters: only the pools and the pairs shown are known."""
    path = tmp_path / "foreign.yaml"
    path.write_text(FOREIGN)
    with open_console(None, game=GAME) as console:
        seat = GAME.seat(GAME.load_map(path), console.ram, rules_of(GAME))
        GAME.reach(console, seat, "endless", {})
        player = Telling()
        hands = SeatPlayer(seat, player, speed_of(10))
        run = Endless(console, hands, seed=None, speed=10)
        run.run(pieces=12)
        for number, told in enumerate(player.told):
            seen = tuple(player.pairs[number + 2 :])
            assert told[: len(seen)] == seen[: len(told)]
        assert len(player.told[-1]) == 12
        # other pools are written over the real ones: the run stops before it decides on another pair
        for pool in (0xFFAD00, 0xFFAE00, 0xFFAF00):
            for at in range(256):
                console.ram[pool + at] = at % 3
        with pytest.raises(GameError, match="the pools in RAM don't foretell the pairs"):
            Endless(console, hands, seed=None, speed=10).run(pieces=3)


def test_a_foreign_rom_gets_what_is_public_and_the_word_what_is_missing(tmp_path: Path) -> None:
    from tests import megadriverom

    rom = tmp_path / "mine.md"
    rom.write_bytes(megadriverom.image())
    opened = GAME.open_rom(rom)
    public = GAME.load_map("player1", opened)
    assert "x" not in public.entries
    assert {"field", "next_axis", "pool4", "random"} <= public.entries.keys()
    if find_cores("genesis_plus_gx"):
        with Console.open(open_core(), opened) as console, pytest.raises(MapError, match="has no entry"):
            GAME.seat(public, console.ram, rules_of(GAME))


def open_core() -> Path:
    from ochibot.console import find_core

    return find_core("megadrive")


def test_difficulty_and_colours_must_go_together() -> None:
    with open_console(None, game=GAME) if find_cores("genesis_plus_gx") else pytest.skip("no core") as console:
        seat = seat_of(GAME, console)
        with pytest.raises(UsageError, match="--level 5 has 5 colours, not 3"):
            GAME.reach(console, seat, "endless", {"level": 5, "colors": 3})


def test_who_can_be_clairvoyant() -> None:
    rules = rules_of(GAME)
    assert isinstance(open_player(None, GAME, rules, clairvoyant=True), Clairvoyant)
    with pytest.raises(UsageError, match="nothing in the memory of the game puyo tells what comes"):
        open_player(None, PUYO, rules_of(PUYO), clairvoyant=True)
    with pytest.raises(UsageError, match="plays by what the game doesn't show yet: give --clairvoyant"):
        open_player(f"{Path(__file__)}:Seer", GAME, rules)
    assert open_player(f"{Path(__file__)}:Seer", GAME, rules, clairvoyant=True)
    with pytest.raises(UsageError, match="can't use what comes"):
        open_player(f"{Path(__file__)}:Blind", GAME, rules, clairvoyant=True)


class Seer:
    foresees = 3

    def choose(self, snapshot: Snapshot) -> None: ...


class Blind:
    def choose(self, snapshot: Snapshot) -> None: ...


@given(st.integers(0, 40), st.permutations(range(1, 7)), st.lists(st.integers(0, 13), min_size=6, max_size=6))
def test_nuisance_that_passes_full_columns_over_is_recognised(count: int, order: list[int], heights: list[int]) -> None:
    columns = ["RG" * 7] * 6
    rows = ["".join(columns[x][y] if y < heights[x] else "." for x in range(6)) for y in range(13, -1, -1)]
    before = Field.parse("\n".join(rows))
    after = drop_nuisance(before, count, order, TSU)
    landed = after.count() - before.count()
    assert is_covered(before, after, count, TSU)
    if landed == count:
        assert not is_covered(before, after, count + 1, TSU) or landed == sum(13 - height for height in heights)
    # two nuisance puyos can't both fall on one column while another has room
    room = [13 - height for height in heights]
    if room[0] >= 2 and room[1] >= 1:
        assert not is_covered(before, with_nuisance(before, (2, 0, 0, 0, 0, 0)), 2, TSU)


def test_the_points_for_down_are_part_of_what_is_foreseen() -> None:
    before = Snapshot(Field.empty(), Pair.parse("RG"), Pair.parse("BB"), 100, TSU.spawn)
    made = Prediction.of(before, Placement(1, 13, TSU.spawn.orientation), TSU, knows_score=True)
    assert made.holds(Settled(made.outcome.field, 100))
    assert made.holds(Settled(made.outcome.field, 111, soft_rows=11))
    assert not made.holds(Settled(made.outcome.field, 111, soft_rows=10))
    assert "score predicted 110, seen 111" in made.describe(Settled(made.outcome.field, 111, soft_rows=10))


def test_a_plan_lies_on_the_field_of_the_picture() -> None:
    assert LOOK.box(1, 1, 2, (320, 224)) == (16, 16, 16)
    assert LOOK.box(2, 6, 13, (320, 224)) == (288, 192, 16)
    assert LOOK.box(1, 1, 1, (320, 224)) is None


def test_the_arcade_title_reads_the_same_addresses() -> None:
    arcade = find_game("tsu_c2")
    ours, theirs = (game.load_map("player2").public() for game in (GAME, arcade))
    assert theirs.system == "system_c2"
    assert theirs.entries == ours.entries
    assert ARCADE.sets["puyopuy2"][0].size == 0x80000
    assert TABLE.rom is not None
    assert arcade.shipped_rom() is None
