"""Menu options work in the modes that list them and have no effect in other modes: tested in real cores."""

from __future__ import annotations

import pytest
from ochibot.console import find_cores
from ochibot.errors import UsageError
from ochibot.games import find_game
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.table import MenuChoice
from ochibot.puyo import BIG

from tests.titles import open_console, seat_of

CASES = [("puyo", "endless"), ("puyo", "versus"), ("nyaa", "solo"), ("nyaa", "versus")]
FRAMES = 70
"""Frames to wait: at every level, a pair falls by more than one row in them."""


def needs_core(name: str) -> None:
    system = find_game(name).system
    core = {"nes": "fceumm", "neogeo": "fbneo"}[system]
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")


def sunk(name: str, mode: str, level: int) -> int:
    """The row that the first pair has reached when no button is pressed for FRAMES frames."""
    game = find_game(name)
    rom = game.open_rom(None)
    with open_console(None, rom, game) as console:
        seat = seat_of(game, console, mode)
        game.reach(console, seat, mode, {"level": level})
        assert seat.level() == level
        while not seat.ready():
            console.step()
            seat.update()
        for _ in range(FRAMES):
            console.step()
        state = seat.pair_state()
        assert state is not None
        return int(state.y)


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_the_level_holds_where_a_game_says_so(name: str, mode: str) -> None:
    needs_core(name)
    game = find_game(name)
    told = game.options if mode == game.solo_mode else game.versus_options
    assert ("level" in told) == (sunk(name, mode, 4) > sunk(name, mode, 1))


def test_two_players_on_the_famicom_get_items_when_they_are_chosen() -> None:
    needs_core("puyo")
    game = find_game("puyo")
    assert game.versus_options == game.options
    rom = game.open_rom(None)
    with open_console(None, rom, game) as console:
        seat = seat_of(game, console, "versus")
        assert isinstance(seat, PuyoSeat)
        game.reach(console, seat, "versus", {"items": 1, "colors": 6})
        assert (seat.counter("items"), seat.counter("colors")) == (1, 6)
        seat.map.write("item_interval", 1)  # every piece that is dealt from now on is an item
        seen = seat.snapshot().next_pair
        for _ in range(2000):
            console.step()
            if seat.update() and (seen := seat.snapshot().next_pair).axis == BIG:
                break
        assert seen == (BIG, BIG)


def test_a_choice_goes_by_its_names_where_it_has_any_and_by_numbers_elsewhere() -> None:
    named, numbered = MenuChoice(range(2, 4), ("easy", "hard")), MenuChoice(range(1, 6))
    assert [named.parse("--level", word) for word in ("easy", "hard")] == [2, 3]
    assert [numbered.parse("--level", word) for word in ("1", 5)] == [1, 5]
    for choice, wrong in (
        (named, "2"),
        (named, "soft"),
        (numbered, "0"),
        (numbered, "6"),
        (numbered, "٣"),
        (numbered, ""),
    ):
        with pytest.raises(UsageError, match="--level goes "):
            choice.parse("--level", wrong)
