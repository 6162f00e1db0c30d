"""A console in a window. It steps like the console, but paced by the clock, with picture, sound and the person's input.
Every loop that plays on a console also plays in the window, unchanged.

::

    Endless, Battle, Versus ──step(pads)──► Screen ──wait, events, the person's pad──► Console
                                              └──► picture, ghost, panel, sound

A frame first waits until it is due, then takes the newest input, and is shown as soon as it is made. So a button
pressed while one frame is visible acts in the next.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ochibot.console import SoundingConsole, WrappedConsole
from ochibot.errors import ConsoleError, OutputError
from ochibot.overlay.standing import Side
from ochibot.play.seat import AnySeatPlayer
from ochibot.report import Reported
from ochibot.ui.clock import Pacer, TimeSource
from ochibot.ui.inputs import Inputs
from ochibot.ui.sound import AudioRing, Speaker
from ochibot.ui.watch import Onlooker
from ochibot.ui.window import Window
from ochibot.wording import counted

IDLE = 1 / 60
"""Seconds between two checks of the keys during a pause."""


@dataclass(frozen=True)
class ScreenReport(Reported):
    """Statistics of the window. late_frames: frames that began more than half a frame too late. Latencies are those of
    the sound, in milliseconds.
    """

    paced_frames: int
    late_frames: int
    worst_late_ms: float
    underruns: int
    latency_ms: float
    latency_most_ms: float
    sound: bool

    def line(self) -> str:
        """The report as a line for a command's summary."""
        text = f"window: {counted(self.paced_frames, 'frame')} to the clock, {self.late_frames} late"
        text += f" (the worst by {self.worst_late_ms:.0f} ms)" if self.late_frames else ""
        if not self.sound:
            return f"{text}, no sound"
        return (
            f"{text}; sound {self.latency_ms:.0f} ms behind (at most {self.latency_most_ms:.0f}), "
            f"{counted(self.underruns, 'underrun')}"
        )


class Screen(WrappedConsole[SoundingConsole]):
    """Plays a console in a window. It takes the console's place in Endless, Battle and Versus.

    ``watch`` sets the AIs to show. ``person_seat``: the person's seat, 1 or 2, or None. ``in_menus``: whether the bot
    is going through menus, which aren't paced because nobody wants to watch that. When the person quits, the function
    of ``when_quit`` is called, and the console runs on invisibly at full speed.
    """

    def __init__(
        self,
        console: SoundingConsole,
        window: Window,
        inputs: Inputs,
        clock: TimeSource,
        ring: AudioRing,
        speaker: Speaker,
        *,
        folder: Path,
        person_seat: int | None = None,
        in_menus: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(console)
        self.window = window
        self.pacer = Pacer(clock, console.fps)
        self.watched: Callable[[], Sequence[tuple[AnySeatPlayer, tuple[str, ...]]]] = lambda: ()
        self._beside: Callable[[], Sequence[Side]] = lambda: ()
        self.paused = False
        self.hurries = True
        """Whether menus run unpaced. Set it to False when a person goes through the menus by hand."""
        self.resting: Callable[[], None] = lambda: None
        """Is called again and again during a pause."""
        self._inputs = inputs
        self._clock = clock
        self._ring = ring
        self._speaker = speaker
        self._folder = folder
        self._person_seat = person_seat
        self._onlooker = Onlooker()
        self._in_menus = in_menus
        self._stop: Callable[[str], None] | None = None
        self._quit = False
        self._advance = False
        self._state: bytes | None = None
        self._shown = 0.0
        self._jumped = False
        console.keep_audio(True)

    def step(self, *pads: int) -> None:
        """Runs one frame when it is due, and shows it. During a pause it returns only when the pause ends."""
        if self._quit:
            self._console.step(*pads)
            return
        self._listen()
        while self.paused and not self._advance and not self._quit:
            self._show("PAUSE")
            self.resting()
            self._clock.sleep(IDLE)
            self._listen()
        self._advance = False
        hurried = self.hurries and self._in_menus()
        turbo = not hurried and not self.paused and self._inputs.holds("turbo")
        if hurried or turbo or self.paused:
            self.pacer.restart()
            self._ring.rest()
        else:
            self.pacer.wait()
            self._listen()
        held = [int(pad) for pad in pads] + [0] * (2 - len(pads))
        if self._jumped:
            # the pads given were chosen for the state before the load, so they aren't pressed
            held, self._jumped = [0, 0], False
        if self._person_seat is not None and not hurried:
            held[self._person_seat - 1] |= self._inputs.pad()
        self._console.step(*held)
        sound = self._console.audio()
        if not (hurried or turbo or self.paused):
            self._ring.push(sound)
            self._show()
        elif self._clock.now() - self._shown >= IDLE:
            self._show("" if hurried else "TURBO" if turbo else "PAUSE")

    def now(self) -> float:
        """The time of the window's clock, in seconds."""
        return self._clock.now()

    def watch(self, seats: Callable[[], Sequence[tuple[AnySeatPlayer, tuple[str, ...]]]]) -> None:
        """Sets the AIs to show: ``seats`` is called in every frame and returns each AI with the lines that name it."""
        self.watched = seats

    def beside(self, sides: Callable[[], Sequence[Side]]) -> None:
        """Sets further sides to show, which aren't AIs; ``sides`` is called in every frame."""
        self._beside = sides

    def when_quit(self, stop: Callable[[str], None]) -> None:
        """Sets the function that ends the run when the person quits. It is called at once if the person has quit
        already.
        """
        self._stop = stop
        if self._quit:
            stop("window")

    def quit(self, why: str = "window") -> None:
        """Stops pacing and pictures, and ends a pause. May be called from a signal handler."""
        self._quit = True
        if self._stop is not None:
            self._stop(why)

    def _show(self, badge: str = "") -> None:
        self._shown = self._clock.now()
        sides = [self._onlooker.side(player, title) for player, title in self.watched()]
        sides += self._beside()
        self.window.draw(self._console.frame(), sides, self._shown, badge)

    def _listen(self) -> None:
        self.window.events(self._inputs.feed)
        for wish in self._inputs.wishes():
            action = getattr(self, f"_wish_{wish}", None)
            if action is not None:
                action()

    def _say(self, text: str) -> None:
        self.window.say(text, self._clock.now())

    def _wish_pause(self) -> None:
        self.paused = not self.paused

    def _wish_step(self) -> None:
        if self.paused:
            self._advance = True
        self.paused = True

    def _wish_mute(self) -> None:
        self._speaker.muted = not self._speaker.muted
        self._say("sound off" if self._speaker.muted else "sound on")

    def _wish_plan(self) -> None:
        self.window.show_plan = not self.window.show_plan

    def _wish_help(self) -> None:
        self.window.show_help = not self.window.show_help

    def _wish_fullscreen(self) -> None:
        self.window.toggle_fullscreen()

    def _wish_quit(self) -> None:
        self.quit()

    def _wish_screenshot(self) -> None:
        path = self._folder / f"ochibot-{time.strftime('%Y%m%d-%H%M%S')}.png"
        number = 1
        while path.exists():
            number += 1
            path = path.with_stem(f"{path.stem.partition('_')[0]}_{number}")
        try:
            self.window.screenshot(path)
        except OutputError as error:
            self._say(str(error))
        else:
            self._say(f"saved {path}")

    def _wish_save(self) -> None:
        try:
            self._state = self._console.save()
        except ConsoleError as error:
            self._say(str(error))
        else:
            self._say("saved")

    def _wish_load(self) -> None:
        if self._state is None:
            self._say("nothing saved yet")
            return
        players = [player for player, _ in self.watched()]
        for player in players:
            player.abandon()
        self._console.load(self._state)
        for player in players:
            player.rejoin()
        self._jumped = True
        self._say("loaded")

    def report(self) -> ScreenReport:
        """The statistics so far."""
        mean, most = self._ring.latency
        return ScreenReport(
            paced_frames=self.pacer.frames,
            late_frames=self.pacer.late,
            worst_late_ms=round(1000 * self.pacer.worst, 2),
            underruns=self._ring.underruns,
            latency_ms=round(1000 * mean, 1),
            latency_most_ms=round(1000 * most, 1),
            sound=self._ring.latency[0] > 2 * self._ring.chunk / self._ring.rate,
        )

    def close(self) -> None:
        """Closes the window and the sound."""
        self._speaker.close()
        self.window.close()
