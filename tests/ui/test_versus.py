"""A scripted person at seat 1 against the AI at seat 2, in the real core, through the window's keys."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from ochibot.overlay.standing import Side
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.play.versus import Round, Versus
from ochibot.puyo.search import PlayerConfig, TwoPly
from ochibot.ui.watch import Onlooker, PersonWatch

from tests import titles as game
from tests.play.punctual import PunctualPlayer
from tests.puyo import FAMICOM
from tests.titles import PUYO as GAME
from tests.titles import find_player, open_console, open_rom
from tests.ui.fakes import key, screen_for, tap

Script = Callable[[Versus], None]


def piler() -> PlayerConfig:
    """An AI that values all fields equally. It always chooses the first placement of its search, and soon loses."""
    config = find_player("article")
    weights = config.weights.model_copy(update=dict.fromkeys(config.weights.model_dump(), 0.0))
    return config.model_copy(update={"weights": weights})


def versus(config: PlayerConfig, folder: Path, rounds: int, script: Script) -> Versus:
    """Plays rounds in turbo. ``script`` is called after every frame, to act as the person."""
    mind = TwoPly(config, FAMICOM)
    with (
        open_console(None, open_rom(None)) as console,
        contextlib.closing(PunctualPlayer(mind)) as brain,
    ):
        person, seat = (game.famicom_seat(game.load_seat_map(name), console.ram) for name in GAME.map_names("versus"))
        with screen_for(console, folder, seats=(2,), person_seat=1, in_menus=person.in_menus) as screen:
            ai = SeatPlayer(seat, brain, speed_of(10))
            told: list[Round] = []
            running = Versus(screen, person, ai, on_round=told.append, on_frame=script)
            screen.watch(lambda: [(ai, ("AI",))])
            screen.when_quit(running.stop)
            game.reach(screen, person, "versus", {"colors": 4})
            seat.resync()
            screen.hurries = False
            key("tab")
            running.run(rounds)
            assert len(told) == running.result.rounds
    return running


def test_a_person_who_only_drops_loses_and_start_begins_the_next_round(tmp_path: Path) -> None:
    """The person holds Down all the time, and taps START 100 frames after the end of a round."""
    waits = 0
    ghosts: set[bool] = set()
    onlooker = Onlooker()

    def script(running: Versus) -> None:
        nonlocal waits
        if running.result.frames == 1:
            key("down")
        ghosts.add(bool(onlooker.side(running.ai, ()).standing.cells))
        if running.person.loser():
            waits += 1
            if waits % 100 == 0:
                tap("return")

    running = versus(find_player("article"), tmp_path, 2, script)
    result = running.result
    assert (result.rounds, result.wins, result.stopped_by) == (2, [0, 2], "rounds")
    assert [detail["winner"] for detail in result.rounds_detail] == [2, 2]
    assert result.pieces > 4
    assert (result.misplaced, result.disagreements) == (0, 0)
    assert ghosts == {True, False}


def test_a_person_wins_against_an_ai_that_piles_up(tmp_path: Path) -> None:
    pieces = 0
    presses: list[str] = []

    def script(running: Versus) -> None:
        """Spreads the pairs over all columns, one after the other."""
        nonlocal pieces
        if running.result.frames == 1 or running.person.update():
            presses[:] = (["left", "left"], ["left"], [], ["right"], ["right"] * 2, ["right"] * 3)[pieces % 6]
            pieces += 1
        if presses and running.person.ready() and running.result.frames % 4 == 0:
            tap(presses.pop())

    result = versus(piler(), tmp_path, 1, script).result
    assert (result.wins, result.rounds_detail[0]["winner"]) == ([1, 0], 1)
    assert result.disagreements == 0


def test_the_keys_move_the_persons_pair(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def script(running: Versus) -> None:
        state = running.person.pair_state()
        frame = running.result.frames
        if frame == 20:
            tap("left")
        elif frame == 30:
            tap("x")
        elif frame == 45:
            pygame.event.post(pygame.event.Event(pygame.QUIT))
        if state is not None and frame in (19, 29, 44):
            seen.append((state.x, int(state.orientation)))

    running = versus(find_player("article"), tmp_path, 1, script)
    assert running.result.stopped_by == "window"
    assert running.result.rounds == 0
    assert [x for x, _ in seen] == [3, 2, 2]
    assert [turn for _, turn in seen] == [2, 2, 3]


@pytest.mark.parametrize("how", ["f5", "f8"])
def test_quick_save_and_load_in_the_middle_of_a_round(tmp_path: Path, how: str) -> None:
    """The AI continues from the loaded savestate, and its later locks agree with their predictions."""
    marks: list[int] = []

    def script(running: Versus) -> None:
        frame = running.result.frames
        if frame == 300:
            tap("f5")
        elif how == "f8" and frame in (510, 777, 900):
            marks.append(running.ai.tally.pieces)
            tap("f8")
        elif frame == 1300:
            running.stop("done")

    result = versus(find_player("article"), tmp_path, 1, script).result
    assert result.stopped_by == "done"
    assert (result.misplaced, result.disagreements, result.contradictions) == (0, 0, 0)
    assert result.compared > 10


def test_a_persons_panel_shows_how_the_person_stands(tmp_path: Path) -> None:
    """The test writes bytes into the game, at the addresses in its README, and compares the panel with them."""
    sides: dict[int, Side] = {}
    watch: list[PersonWatch] = []

    def script(running: Versus) -> None:
        ram, frame = running.console.ram, running.result.frames
        if frame == 1:
            watch.append(PersonWatch(running.person, lambda: 2, ("you",)))
        if frame == 20:
            # four connected greens: they pop as soon as the pair has locked
            for column, row in ((1, 13), (1, 12), (1, 11), (2, 13)):
                ram[0x300 + 16 * row + 2 * column + 1] = 2
            ram[0x715], ram[0x67], ram[0x68] = 7, 1, 4
            key("down")
        side = watch[0].side()
        if frame == 21:
            sides[0] = side
        elif side.standing.call and 1 not in sides:
            sides[1] = side
            assert ram[0x705] in (3, 4)
        elif 1 in sides and running.person.in_hand():
            sides[2] = side
            running.stop("done")

    versus(find_player("article"), tmp_path, 1, script)
    before, during, after = (sides[place].standing for place in range(3))
    assert sides[0].seat == 1
    look = sides[0].look
    assert before.following == (look.color(4), look.color(1)), "the partner is above the axis"
    assert dict(before.rows) == {"chain": "0", "nuisance due": "7", "wins": "2"}
    assert (before.score, before.best, before.call) == (0, 0, "")
    assert (during.call, dict(during.rows)["chain"], during.best) == ("1-chain!", "1", 1)
    assert after.score is not None
    assert after.score >= 40
    assert (after.call, after.best) == ("", 1)


def test_the_plan_and_the_chain_are_shown_while_a_clear_resolves(tmp_path: Path) -> None:
    """From lock to spawn, the AI's panel keeps the plan, and shows the same chain step as the game."""
    seen: list[tuple[bool, str, int]] = []
    onlooker = Onlooker()

    def script(running: Versus) -> None:
        ram, frame = running.console.ram, running.result.frames
        standing = onlooker.side(running.ai, ("AI",)).standing
        assert standing.score == running.ai.seat.score()
        if running.ai.seat.has_locked() and not running.ai.seat.over():
            seen.append((standing.plan is not None, standing.call, ram[0x708]))
        if frame > 60 and any(call for _, call, _ in seen) and running.ai.seat.in_hand():
            running.stop("done")

    result = versus(find_player("article"), tmp_path, 1, script).result
    assert result.stopped_by == "done"
    assert result.disagreements == 0
    assert {call for _, call, _ in seen} >= {"", "1-chain!"}
    assert all(call == (f"{step}-chain!" if step else "") for _, call, step in seen)
    assert all(told for told, call, _ in seen if call)


def test_a_plan_outlives_its_player_until_the_clear_is_over(tmp_path: Path) -> None:
    """If the AI drops its decision while the field settles (as it does when a savestate is loaded), the
    panel still shows the plan.
    """
    seen: list[bool] = []
    onlooker = Onlooker()

    def script(running: Versus) -> None:
        seat = running.ai.seat
        if seat.has_locked() and running.ai.decision is not None and not seen:
            onlooker.side(running.ai, ())
            running.ai.abandon()
            seen.append(onlooker.side(running.ai, ()).standing.plan is not None)
            running.stop("done")

    versus(find_player("article"), tmp_path, 1, script)
    assert seen == [True]
