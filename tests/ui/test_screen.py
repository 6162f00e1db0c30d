"""A fake console in a window, with scripted keys: pace, pause, turbo, screenshots, quick saves, help and quitting."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from ochibot.console import Button
from ochibot.overlay.layout import lay_out
from ochibot.ui.keys import load_keys

from tests.ui.fakes import NotingConsole, WoundClock, key, screen_for, tap


def seen_window() -> pygame.Surface:
    surface = pygame.display.get_surface()
    assert surface is not None
    return surface


def shown() -> int:
    """The brightness in the window's middle, which is the number of the frame shown."""
    surface = seen_window()
    return int(surface.get_at(surface.get_rect().center)[0])


def test_frames_come_at_the_consoles_pace_and_each_is_shown(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock) as screen:
        start = clock.time
        for number in range(1, 121):
            screen.step(Button.A)
            assert shown() == number
        assert clock.time - start == pytest.approx(119 / 60)
        assert console.pads == [(Button.A, Button.NONE)] * 120
        report = screen.report()
        assert (report.paced_frames, report.late_frames) == (120, 0)


def test_what_is_pressed_while_a_frame_is_seen_is_in_the_next(tmp_path: Path) -> None:
    """A key pressed while the screen waits for a frame is in that frame's pads, even if it was only tapped."""
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock, person_seat=1) as screen:
        screen.step(Button.NONE, Button.DOWN)
        clock.meanwhile = lambda _: tap("x")
        screen.step(Button.NONE, Button.DOWN)
        clock.meanwhile = lambda _: key("left")
        screen.step()
        clock.meanwhile = None
        screen.step()
        key("left", down=False)
        screen.step()
        assert [pad for pad, _ in console.pads] == [0, Button.A, Button.LEFT, Button.LEFT, 0]
        assert console.pads[0][1] == Button.DOWN


def test_pause_and_single_frames(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock) as screen:
        script = {40: "period", 80: "period", 120: "p"}
        ticks = 0
        seen: list[int] = []

        def person(_: float) -> None:
            nonlocal ticks
            ticks += 1
            seen.append(len(console.pads))
            if ticks in script:
                tap(script[ticks])

        screen.step()
        tap("p")
        clock.meanwhile = person
        for _ in range(3):
            screen.step()
        assert (seen[38], seen[60], seen[100]) == (1, 2, 3), "paused, one frame on, another"
        assert len(console.pads) == 4
        assert not screen.paused
        assert screen.report().underruns == 0


def test_a_frame_step_while_running_pauses(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock) as screen:
        screen.step()
        tap("period")
        clock.meanwhile = lambda _: tap("p") if len(console.pads) == 1 and screen.paused else None
        screen.step()
        assert not screen.paused


def test_whoever_shows_the_game_elsewhere_learns_of_a_pause(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock) as screen:
        rests: list[int] = []

        def rest() -> None:
            rests.append(len(console.pads))
            if len(rests) == 5:
                tap("p")

        screen.resting = rest
        screen.step()
        assert rests == []
        tap("p")
        screen.step()
        assert rests == [1] * 5
        assert not screen.paused


def test_turbo_does_not_wait_and_shows_only_some_frames(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock) as screen:
        screen.step()
        key("tab")
        start = clock.time
        for _ in range(100):
            screen.step()
            clock.time += 0.001
        assert clock.time - start == pytest.approx(0.1)
        key("tab", down=False)
        screen.step()
        screen.step()
        assert clock.time - start == pytest.approx(0.1 + 1 / 60)
        assert screen.report().late_frames == 0


def test_menus_are_hurried_through(tmp_path: Path) -> None:
    console, clock = NotingConsole(), WoundClock()
    with screen_for(console, tmp_path, clock=clock, person_seat=1, in_menus=lambda: len(console.pads) < 50) as screen:
        start = clock.time
        tap("return")
        for _ in range(50):
            screen.step(Button.START)
        assert clock.time == start
        assert set(console.pads) == {(Button.START, Button.NONE)}, "the person's pad is left out"


def test_screenshots_hold_what_is_seen(tmp_path: Path) -> None:
    with screen_for(NotingConsole(), tmp_path / "shots") as screen:
        for _ in range(77):
            screen.step()
        tap("f12")
        tap("f12")
        screen.step()
        files = sorted((tmp_path / "shots").iterdir())
        assert len(files) == 2
        picture = pygame.image.load(files[0])
        assert picture.get_size() == (720, 672)
        assert picture.get_at((360, 300))[0] == 77


@pytest.mark.parametrize("pressed", [True, False])
def test_a_screenshot_that_cannot_be_written_is_reported_in_the_window(tmp_path: Path, pressed: bool) -> None:
    """After F12 (screenshot), a message covers the window's corner. Otherwise the corner shows the picture."""
    (tmp_path / "file").write_text("no folder")
    with screen_for(NotingConsole(), tmp_path / "file") as screen:
        screen.step()
        if pressed:
            tap("f12")
        screen.step()
        corner = seen_window().get_at((20, 640))
        picture = (shown(),) * 3
        assert picture == (2, 2, 2)
        assert (tuple(corner)[:3] != picture) == pressed


def test_quick_save_and_load(tmp_path: Path) -> None:
    console = NotingConsole()
    with screen_for(console, tmp_path) as screen:
        tap("f8")
        screen.step()
        for _ in range(9):
            screen.step()
        tap("f5")
        screen.step()
        for _ in range(30):
            screen.step()
        assert console.ram[0] == 41
        tap("f8")
        screen.step(Button.A)
        assert console.ram[0] == 11, "ten frames had run at the save, one has since"
        assert console.pads[-1] == (Button.NONE, Button.NONE), "a pad meant for another moment is dropped"


def test_mute_plan_help_and_keys_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "keys.yaml"
    own.write_text("window: {mute: [f2], help: [f3]}\npad: {a: [k]}\n")
    console = NotingConsole()
    with screen_for(console, tmp_path, bindings=load_keys(own), person_seat=2) as screen:
        screen.step()
        bright = seen_window().get_at((5, 5))
        for name in ("f2", "g", "f3", "k", "x", "m"):
            tap(name)
        screen.step()
        assert screen._speaker.muted
        assert not screen.window.show_plan
        assert screen.window.show_help
        assert seen_window().get_at((5, 5)) != bright
        assert console.pads[-1] == (Button.NONE, Button.A)


@pytest.mark.parametrize("how", ["escape", "closed", "while paused", "before there is a run"])
def test_quitting_lets_the_run_end_itself(tmp_path: Path, how: str) -> None:
    console, clock = NotingConsole(), WoundClock()
    told: list[str] = []
    with screen_for(console, tmp_path, clock=clock) as screen:
        if how != "before there is a run":
            screen.when_quit(told.append)
        screen.step()
        if how == "closed":
            pygame.event.post(pygame.event.Event(pygame.QUIT))
        elif how == "while paused":
            tap("p")
            clock.meanwhile = lambda _: tap("escape")
        else:
            tap("escape")
        screen.step()
        screen.when_quit(told.append)
        assert "window" in told
        clock.meanwhile = None
        start = clock.time
        for _ in range(100):
            screen.step()
        assert clock.time == start
        assert len(console.pads) == 102


def test_the_picture_keeps_whole_multiples_in_any_window() -> None:
    for size in ((720, 672), (1000, 700), (1920, 1080), (3840, 2160), (300, 300), (100, 100)):
        for panels in ((), (1,), (2,), (1, 2)):
            place = lay_out(size, (240, 224), panels)
            assert place.picture[2:] == (240 * place.scale, 224 * place.scale)
            if size[0] >= 240 and size[1] >= 224:
                for left, top, width, height in (place.picture, *place.panels.values()):
                    assert 0 <= left <= left + width <= size[0]
                    assert 0 <= top <= top + height <= size[1]
    assert lay_out((1920, 1080), (240, 224), (1,)).scale == 4
    assert lay_out((1920, 1080), (256, 224), ()).picture == (448, 92, 1024, 896)
    assert lay_out((300, 300), (240, 224), (1,)).panels == {}
