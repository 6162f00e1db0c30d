"""The cartridge in the core: screens, pads, pause, sound, and the same behaviour in every run."""

from __future__ import annotations

import random

import numpy as np
import pytest
from ochibot.console import NEOGEO, Button, Console, check_console, find_core, load_romdata
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.pair import Pair
from ochibot.nyaa.sim.match import seeded

from tests.homebrew.neogeo.driver import (
    CONTROL,
    MENU,
    MUSIC_ROW,
    OVER,
    PAUSED,
    PLAYING,
    ROM,
    SOLO,
    TITLE,
    VERSUS,
    Cartridge,
    cartridge,
    needs_fbneo,
    presses,
)

pytestmark = needs_fbneo


def _until_control(game: Cartridge, seat: int = 0) -> None:
    while game.seats[seat].value("phase") != CONTROL:
        game.step()


def test_it_boots_to_its_title_with_a_picture() -> None:
    with cartridge(SOLO) as game:
        for _ in range(30):
            game.step()
        assert game.state.value("state") == TITLE
        game.console.keep_video(True)
        game.step()
        frame = game.console.frame()
        assert frame.shape == (224, 304, 3)
        assert len({tuple(pixel) for row in frame[::4] for pixel in row[::4]}) > 20


def test_menus_set_what_they_show() -> None:
    with cartridge(SOLO) as game:
        game.start(level=3)
        assert (game.state.value("mode"), game.state.value("level")) == (SOLO, 3)
        _until_control(game)
        assert game.seats[0].value("drop_timer") == 18
    with cartridge(VERSUS) as game:
        game.start()
        assert game.state.value("mode") == VERSUS
        assert game.state.value("seed") == seeded(game.begun_at)
        assert game.pair(0) == game.pair(1)
        assert game.seats[0].value("pair_dice") == game.seats[1].value("pair_dice")


def test_the_pad_moves_turns_and_sharpens_the_pair() -> None:
    with cartridge(VERSUS) as game:
        game.start()
        for seat in range(2):
            read = game.seats[seat].value

            def press(button: Button, seat: int = seat) -> None:
                game.step(*([0] * seat), button)
                game.step()

            _until_control(game, seat)
            assert (read("x"), read("orientation"), read("needle")) == (4, 2, 0)
            press(Button.LEFT)
            assert read("x") == 3
            press(Button.RIGHT)
            assert read("x") == 4
            press(Button.B)  # the machine's A: clockwise
            assert read("orientation") == 3
            press(Button.A)  # the machine's B
            assert read("orientation") == 2
            press(Button.Y)  # the machine's C
            assert read("needle") == 1
            press(Button.UP)
            assert read("needle") == 0
            press(Button.X)  # the machine's D does nothing
            assert (read("x"), read("orientation"), read("needle")) == (4, 2, 0)


def test_a_wall_pushes_a_turning_pair_away() -> None:
    with cartridge(SOLO) as game:
        game.start()
        _until_control(game)
        game.put_pair(0, Pair(1, 2), 7, 6, 2, False)
        game.step(Button.B)
        assert (game.seats[0].value("x"), game.seats[0].value("orientation")) == (6, 3)


def test_a_held_direction_repeats_after_12_frames_every_3() -> None:
    with cartridge(SOLO) as game:
        game.start()
        _until_control(game)
        game.put_pair(0, Pair(1, 2), 7, 6, 2, False)
        seen = []
        for _ in range(23):
            game.step(Button.LEFT)
            seen.append(game.seats[0].value("x"))
        assert [i for i in range(1, 23) if seen[i] != seen[i - 1]] == [12, 15, 18, 21]
        assert seen[0] == 6


def test_28_frames_on_something_then_it_locks() -> None:
    with cartridge(SOLO) as game:
        game.start()
        _until_control(game)
        game.put_pair(0, Pair(1, 2), 4, 12, 2, False)
        frames = 0
        while game.seats[0].value("locks") == 0:
            game.step()
            frames += 1
        assert frames == 28


def test_start_pauses_and_goes_on() -> None:
    with cartridge(VERSUS) as game:
        game.start()
        for _ in range(30):
            game.step()
        game.step(0, Button.START)
        game.step()
        assert game.state.value("state") == PAUSED
        before = bytes(game.console.ram[0x100200 + i] for i in range(0x800))
        for _ in range(30):
            game.step(Button.LEFT)
        assert bytes(game.console.ram[0x100200 + i] for i in range(0x800)) == before
        game.step(Button.START)
        game.step()
        assert game.state.value("state") == PLAYING


@pytest.mark.parametrize("button", [Button.START, Button.X])
def test_after_a_round_comes_the_next_or_the_title(button: Button) -> None:
    with cartridge(VERSUS) as game:
        game.start()
        _until_control(game)
        game.put_grid(1, Grid.parse("...r...\n" + "...g...\n...b...\n" * 5 + "...g..."))
        game.put_pair(1, Pair(1, 2), 1, 12, 2, False)
        game.seats[1].write("lock_budget", 1)
        while game.state.value("state") != OVER:
            game.step()
        assert game.state.value("loser") == 2
        assert [seat.value("wins") for seat in game.seats] == [1, 0]
        seed = game.state.value("seed")
        for _ in range(120):
            game.step()
        assert not game.grid(1).codes.strip(b"\0"), "the loser's field falls"
        game.tap(button)
        for _ in range(60):
            game.step()
        if button == Button.X:
            assert game.state.value("state") == TITLE
        else:
            assert (game.state.value("state"), game.state.value("rounds")) == (PLAYING, 2)
            assert game.state.value("seed") != seed
            assert [seat.value("wins") for seat in game.seats] == [1, 0]


def test_a_coin_is_counted_and_a_game_takes_it() -> None:
    with cartridge(SOLO) as game:
        while game.state.value("state") != TITLE:
            game.step()
        game.console.keep_audio(True)
        for _ in range(3):
            for frame in range(8):
                game.step(Button.SELECT if frame < 4 else 0)
        assert np.max(abs(game.console.audio().astype(int))) > 500, "a coin is heard"
        assert game.state.value("credits") == 3
        game.start()
        assert game.state.value("credits") == 2


def test_music_can_be_turned_off() -> None:
    loudest = []
    for taps in (0, 1):
        with cartridge(SOLO) as game:
            while game.state.value("state") != MENU:
                game.tap(Button.START)
            while game.state.value("menu_row") != MUSIC_ROW:
                game.tap(Button.DOWN)
            for _ in range(taps):
                game.tap(Button.RIGHT)
            game.start()
            for _ in range(40):
                game.step()
            game.console.keep_audio(True)
            for _ in range(20):
                game.step()
            loudest.append(int(np.max(abs(game.console.audio().astype(int)))))
    assert loudest[0] > 1000
    assert loudest[1] < 10


def test_it_does_the_same_again_and_savestates_bring_it_back() -> None:
    assert check_console(lambda: Console.open(find_core("neogeo"), load_romdata(ROM), options=NEOGEO.options)) == []


def test_the_same_pads_from_power_on_end_in_the_same_ram() -> None:
    seen = []
    for _ in range(2):
        dice = random.Random(5)
        with cartridge(VERSUS) as game:
            game.start(wait=17)
            pads = [presses(dice), presses(dice)]
            for _ in range(500):
                game.step(*(next(pad) for pad in pads))
            seen.append(game.console.ram.snapshot())
    assert seen[0] == seen[1]


def test_a_frames_logic_is_done_in_time_however_the_pads_are_beaten() -> None:
    with cartridge(SOLO) as game:
        game.start(level=4)
        pad = presses(random.Random(8))
        for _ in range(1200):
            game.step(next(pad))
            if game.state.value("state") == OVER:
                break
        assert game.state.value("overruns") == 0
        assert 0x110 < game.state.value("latest") < 0x1F0


def _loudest_hertz(sound: list[np.ndarray[tuple[int, ...], np.dtype[np.int16]]], rate: float) -> float:
    mono = np.concatenate(sound).mean(axis=1)
    spectrum = np.abs(np.fft.rfft(mono * np.hanning(len(mono)), 1 << 15))
    return float(np.argmax(spectrum[100:]) + 100) * rate / (1 << 15)


def test_each_step_of_a_wave_sounds_higher() -> None:
    with cartridge(VERSUS) as game:
        while game.state.value("state") != MENU:
            game.tap(Button.START)
        while game.state.value("menu_row") != MUSIC_ROW:
            game.tap(Button.DOWN)
        game.tap(Button.RIGHT)
        game.start()
        game.put_grid(0, Grid.parse("b......\n" * 7))
        game.put_pair(0, Pair(3, 1), 1, 5, 3, True)
        game.hold(1)
        game.lock_now(0)
        game.console.keep_audio(True)
        heard: dict[int, list[np.ndarray[tuple[int, ...], np.dtype[np.int16]]]] = {}
        while game.seats[0].value("rests") == 0:
            game.step()
            heard.setdefault(game.seats[0].value("step"), []).append(game.console.audio())
        pitches = [_loudest_hertz(heard[step], game.console.sample_rate) for step in range(1, 7)]
        # from middle C (261.6 Hz) up: C, D, E, G, A and C again
        assert [round(pitch / 261.6, 1) for pitch in pitches] == [1.0, 1.1, 1.3, 1.5, 1.7, 2.0]
