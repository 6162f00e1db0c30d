"""A program loads savestates, steps the console by itself or writes RAM: no call acts by what was seen before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ochibot
import pytest
from ochibot.console import Button, HostedConsole, find_cores
from ochibot.console.protocols import WrappedConsole
from ochibot.errors import GameError
from ochibot.session import Session

CORES = {"puyo": "fceumm", "tsu": "genesis_plus_gx", "nyaa": "fbneo"}
GAMES = [
    pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
    for name, core in CORES.items()
]


class Taking(WrappedConsole[HostedConsole]):
    """A console that takes a savestate in the 25th frame after a pair has locked, if it is asked to."""

    seat: Any = None
    wanted = False
    settling = 0
    state = b""

    def step(self, *pads: int) -> None:
        super().step(*pads)
        if self.wanted:
            self.settling = self.settling + 1 if self.seat.has_locked() else 0
            if self.settling == 25:
                self.state = self.save()


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Iterator[Session]:
    with ochibot.open(request.param, seed=3) as opened:
        opened.leave_out_av()
        yield opened


def tried(game: Session, state: bytes) -> list[Any]:
    """Tries all legal placements from a savestate. Returns the placements, each of which was reached."""
    console = game.console
    console.load(state)
    snapshot = game.next_pair()
    placements = list(game.placements())
    for number, placement in enumerate(placements):
        console.load(state)
        if number % 2:
            # the console runs on by itself, and the program looks at what it shows then
            console.step(Button.LEFT)
            game.next_pair()
            console.load(state)
        seen = game.next_pair()
        assert (str(seen), seen.pair, seen.next_pair, seen.state) == (
            *(str(snapshot), snapshot.pair, snapshot.next_pair, snapshot.state),
        )
        assert list(game.placements()) == placements
        locked = game.place(placement)
        assert locked.agreed, f"{placement} of {placements}: {game.manual._hands.last_disagreement}"
        if not locked.game_over:
            assert game.next_pair().pair == snapshot.next_pair
    return placements


def test_all_placements_are_tried_from_one_savestate_at_a_spawn(game: Session) -> None:
    game.start()
    for _ in range(3):
        game.place(game.placements()[1])
    assert len(tried(game, game.console.save())) >= 11


@pytest.mark.long
def test_all_placements_are_tried_from_the_middle_of_a_fall(game: Session) -> None:
    game.start()
    for _ in range(2):
        game.place(game.placements()[1])
    before = game.snapshot().state
    # the program moves the pair by itself
    game.button("right")
    game.tick(3)
    while game.snapshot().state.y == before.y:
        game.button("down")
        game.tick()
    game.tick(3)
    assert game.snapshot().state != before
    assert len(tried(game, game.console.save())) >= 11


def test_all_placements_are_tried_from_the_middle_of_a_chain(game: Session) -> None:
    taking = game.machine = Taking(game.console)
    game.start()
    taking.seat = game.manual.seat
    player = game.open_player()
    while True:
        state = game.console.save()
        choice: Any = player.choose(game.snapshot())
        chain = game.place(choice.placement).chain
        if chain:
            break
    game.console.load(state)
    taking.wanted = True
    game.place(choice.placement)
    taking.wanted = False
    game.console.load(taking.state)
    for act in (game.placements, lambda: game.place(choice.placement)):
        with pytest.raises(GameError, match=r"no pair is out now, the field is settling: next_pair\(\) runs on"):
            act()
    assert len(tried(game, taking.state)) >= 11


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
def test_a_field_that_a_program_writes_is_seen() -> None:
    with ochibot.open("puyo", seed=3) as game:
        game.start()
        for _ in range(2):
            game.place(game.placements()[0])
        there = game.manual.seat.map.addresses("field")
        assert any(game.ram[address] for address in there)
        for address in there:
            game.ram[address] = 0
        assert not game.manual.snapshot.field.cells.any()
        assert game.place(game.placements()[0]).agreed


def test_a_state_of_the_menus_has_no_pair(game: Session) -> None:
    """Also after a game was played, and when the session has just been opened."""
    for _ in range(30):
        game.console.step()
    menus = game.console.save()
    with pytest.raises(GameError, match="no pair is out"):
        game.placements()
    game.start()
    playing = game.console.save()
    game.console.load(menus)
    with pytest.raises(GameError, match="no pair is out"):
        game.placements()
    game.console.load(playing)
    assert game.placements()
    with ochibot.open(game.game.name) as fresh:
        fresh.console.step()
        fresh.console.load(playing)
        assert len(fresh.placements()) == len(game.placements())
        assert fresh.place(fresh.placements()[0]).agreed


def test_a_value_is_not_read_before_the_first_frame(game: Session) -> None:
    with pytest.raises(GameError, match=r"play hasn't begun: RAM is as it was at power-on; start\(\) the game"):
        _ = game.ram["score"]
    assert game.ram[game.manual.seat.map.addresses("score")[0]] in range(256)
    game.start()
    assert game.ram["score"] == 0
