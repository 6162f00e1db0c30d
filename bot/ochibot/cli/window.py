"""What the commands with a window share: opening it, and telling how smoothly it ran."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ochibot.console import Console
from ochibot.games import Game
from ochibot.games.famicom_puyo.game import GAME as PUYO
from ochibot.games.protocols import Seat

if TYPE_CHECKING:
    from ochibot.play.background import ThinkingPlayer
    from ochibot.play.seat import Player
    from ochibot.record import RecordedConsole
    from ochibot.ui.keys import KeyBindings
    from ochibot.ui.screen import Screen


def check_window(keys: Path | None) -> KeyBindings:
    """Make sure that a window can be opened, and read the keys. Raises WindowError or ConfigError."""
    from ochibot.ui import need_window

    need_window()
    from ochibot.ui.keys import load_keys

    return load_keys(keys)


@contextlib.contextmanager
def opened_window(
    console: Console | RecordedConsole,
    bindings: KeyBindings,
    *,
    seats: tuple[int, ...],
    person_seat: int | None = None,
    folder: Path = Path(),
    game: Game,
    seat: Seat | None = None,
) -> Iterator[Screen]:
    """The console in a window, to be given to Endless, Battle or Versus in its place.

    ``seats``: those of the AIs (1 and 2), each of which gets a panel; ``person_seat``: the person's. ``seat``: one
    whose map tells when the game is in its menus. Pictures and sounds are those of the console; screenshots go to
    ``folder``.
    """
    from ochibot.ui.clock import SystemClock
    from ochibot.ui.inputs import Inputs
    from ochibot.ui.screen import Screen
    from ochibot.ui.sound import AudioRing, open_speaker
    from ochibot.ui.window import Window

    window = Window(
        console.picture_size,
        bindings,
        panels=seats,
        ghosts=game.is_homebrew(console.rom.sha1),
        title=f"Ochibot · {console.rom.name}",
    )
    ring = AudioRing(console.sample_rate)
    screen = Screen(
        console,
        window,
        Inputs(bindings),
        SystemClock(),
        ring,
        open_speaker(ring),
        folder=folder,
        person_seat=person_seat,
        in_menus=seat.in_menus if seat is not None else lambda: False,
    )
    try:
        yield screen
    finally:
        screen.close()


@contextlib.contextmanager
def thinking(player: Player, game: Game = PUYO) -> Iterator[ThinkingPlayer]:
    """A player in a thread of its own, its kernels loaded already: that would hold frames up later.

    What it thinks of its plan is shown as well, where the game can tell.
    """
    from ochibot.play.background import ThinkingPlayer

    game.prepare()
    brain = ThinkingPlayer(player, game.judge(player))
    try:
        yield brain
    finally:
        brain.close()


def smoothness(screen: Screen) -> str:
    """A line for the summary."""
    report = screen.report()
    text = f"window: {report.paced_frames:,} frames to the clock, {report.late_frames} late"
    text += f" (the worst by {report.worst_late_ms:.0f} ms)" if report.late_frames else ""
    if not report.sound:
        return text + ", no sound"
    return (
        f"{text}; sound {report.latency_ms:.0f} ms behind (at most {report.latency_most_ms:.0f}), "
        f"{report.underruns} underruns"
    )
