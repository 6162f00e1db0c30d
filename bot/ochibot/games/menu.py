"""Gets through a game's menus by pressing buttons and watching RAM, without knowing what the menus look like.

The walker knows only what RAM shows: the values wanted (a mode, a level, …) and a sign that play has begun. A tap holds
a button for a few frames and releases it for a few. By sweeping the screen, the walker finds out what the buttons do:
it assumes that one button moves the cursor, and tries whether others change the item under the cursor. When no sweep
sets the value on this screen, it presses START to go to the next screen.

When the user has limited the frames, ``MenuLimit`` limits how long the menus of a run may take.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ochibot.console import Button, Machine
from ochibot.errors import GameError
from ochibot.wording import counted

TAP_ON = 6
TAP_OFF = 5
"""For how many frames a tap holds a button, and for how many it then releases it. Menus of the time accept this."""

START_PATIENCE = 90
"""Frames to wait after START for play to begin, before START is tapped again."""

MAX_FRAMES = 20_000
"""Frames after which the walker gives up (five and a half minutes on the real machine)."""

QUIET_FRAMES = 2_400
"""Frames after which the walker gives up when all values are as wanted, none of them has changed, and play hasn't
begun: this may be another game. It is forty seconds on the real machine, and three or four in the emulator. By then,
the longest title sequence is over, and START has been pressed twenty times.
"""

STILL_FRAMES = 6_000
"""Frames without a change after which the walker gives up while a value is not as wanted. A sweep over one screen takes
some 1,700 frames.
"""

CURSOR_STEPS = 6
"""How many rows of a menu a sweep visits."""

ANOTHER = "it may be another game"

OPPOSITE = {
    Button.LEFT: Button.RIGHT,
    Button.RIGHT: Button.LEFT,
    Button.UP: Button.DOWN,
    Button.DOWN: Button.UP,
}

SIDEWAYS = (Button.RIGHT, Button.LEFT)
UPRIGHT = (Button.UP, Button.DOWN)

SWEEPS: tuple[tuple[Button, tuple[Button, ...]], ...] = (
    (Button.DOWN, SIDEWAYS),
    (Button.UP, SIDEWAYS),
    (Button.SELECT, SIDEWAYS + UPRIGHT),
    (Button.RIGHT, UPRIGHT),
    (Button.LEFT, UPRIGHT),
)
"""(the button that moves the cursor, the buttons that change the item under it), the likeliest first."""


class _TooLongError(Exception):
    """The walk takes more frames than MAX_FRAMES, QUIET_FRAMES or STILL_FRAMES allows."""


@dataclass
class MenuWalker:
    """Walks the menus of the game in ``machine`` until play begins with the wanted values.

    ``read`` maps each wanted value's name to its reader. ``begun`` is asked after every frame whether play has begun.
    ``stopped`` is asked before every frame and ends the walk with KeyboardInterrupt. ``mode`` names the value that
    moving the cursor changes (a game may have none). That value is set last, since sweeps for other values change it.
    ``sign`` describes, for messages, the sign of play that never appeared. The walker uses the first pad.
    """

    machine: Machine
    read: Mapping[str, Callable[[], int]]
    begun: Callable[[], bool]
    mode: str = "mode"
    stopped: Callable[[], bool] = lambda: False
    sign: Callable[[], str] = lambda: "the spawn sign never showed a spawn"
    frames: int = 0
    _wanted: Mapping[str, int] = field(default_factory=dict)
    _mode_mover: Button | None = None
    _started: bool = False
    _last: tuple[int, ...] = ()
    _changed: int = 0
    """The last frame in which a watched value changed."""

    def walk(self, wanted: Mapping[str, int]) -> None:
        """Presses buttons until play has begun with all the wanted values (name → value).

        Raises GameError when play doesn't begin, or begins with other values; the machine stays as it is then.
        """
        self._wanted = wanted
        self._last = tuple(read() for read in self.read.values())
        with contextlib.suppress(_TooLongError):
            while not self._started:
                self._advance()
        states = ", ".join(f"{name} = {self.read[name]()} (wanted {value})" for name, value in wanted.items())
        if not self._started:
            failure = f"play did not begin after {counted(self.frames, 'frame')} in the menus"
            raise GameError(f"{failure}: {self.sign()}{f'; {states}' if states else ''}")
        if any(self.read[name]() != value for name, value in wanted.items()):
            raise GameError(f"play began otherwise than wanted: {states}")

    def _advance(self) -> None:
        """Sets one value, or goes to the next screen."""
        missing = self._missing()
        if missing and (self._set_mode() if missing[0] == self.mode else self._set_option(missing[0])):
            return
        self._start()

    def _missing(self) -> list[str]:
        names = [name for name in self._wanted if not self._right(name)]
        return sorted(names, key=lambda name: name == self.mode)

    def _right(self, name: str) -> bool:
        return self._started or self.read[name]() == self._wanted[name]

    def _step(self, pad: Button) -> None:
        if self.stopped():
            raise KeyboardInterrupt
        if self.frames >= MAX_FRAMES:
            raise _TooLongError
        if self.frames - self._changed >= (STILL_FRAMES if self._missing() else QUIET_FRAMES):
            raise _TooLongError
        self.machine.step(pad)
        self.frames += 1
        values = tuple(read() for read in self.read.values())
        if values != self._last:
            self._last, self._changed = values, self.frames
        self._started = self._started or self.begun()

    def _tap(self, button: Button) -> None:
        before = self._mode_now()
        for frame in range(TAP_ON + TAP_OFF):
            if not self._started:
                self._step(button if frame < TAP_ON else Button.NONE)
        if self._mode_now() != before and button != Button.START:
            self._mode_mover = button

    def _mode_now(self) -> int | None:
        return self.read[self.mode]() if self.mode in self.read else None

    def _start(self) -> None:
        """Presses START, which leads to the next screen or into play."""
        self._tap(Button.START)
        for _ in range(START_PATIENCE):
            if self._started or self._missing():
                return
            self._step(Button.NONE)

    def _set_mode(self) -> bool:
        """Moves the cursor until the mode is right. Returns whether it is."""
        for button in self._cursor_buttons():
            for _ in range(CURSOR_STEPS):
                self._tap(button)
                if self._right(self.mode):
                    return True
        return False

    def _cursor_buttons(self) -> Iterator[Button]:
        if self._mode_mover is not None:
            mover = self._mode_mover
            yield mover
            yield OPPOSITE.get(mover, mover)
        for cursor, _ in SWEEPS:
            yield cursor

    def _set_option(self, name: str) -> bool:
        """Sweeps the screen for a place where the option changes, and sets it. Returns whether that succeeded."""
        for cursor, changers in SWEEPS:
            for _ in range(CURSOR_STEPS):
                for button in changers:
                    if self._changes(name, button) and self._pursue(name, button):
                        return True
                self._tap(cursor)
                if self._right(name):
                    return True
        return False

    def _changes(self, name: str, button: Button) -> bool:
        """Taps a button. If that spoils another option that was right, also taps the opposite button. Returns whether
        the option has changed in the end, or play has begun.
        """
        before = self.read[name]()
        fine = [other for other in self._wanted if other not in (name, self.mode) and self._right(other)]
        self._tap(button)
        if not all(self._right(other) for other in fine):
            self._tap(OPPOSITE[button])
        return self.read[name]() != before or self._started

    def _pursue(self, name: str, button: Button) -> bool:
        """Repeats the button that changed the option, then the opposite one. Returns whether the option is right."""
        for direction in (button, OPPOSITE[button]):
            seen: set[int] = set()
            while not self._right(name) and self.read[name]() not in seen:
                seen.add(self.read[name]())
                self._tap(direction)
        return self._right(name)


FIRST = 8000
"""The menus of a run get at least this many frames. Our own menus take 1,445 frames to set three options."""

SHARE = 4
"""How many further frames the menus get for each frame of play, because every game over leads through the menus again.
"""


class MenuLimit:
    """The stop condition for going through menus, in a run of at most ``frames`` frames of play.

    ``reach`` calls it before each frame of the menus. It also stops the walk if ``stopped()`` is true. All the menus of
    a run count together, so even a run whose games are over at once comes to an end. If ``frames`` is None, the only
    limits are those that ``reach`` has for each walk through the menus.
    """

    def __init__(self, frames: int | None, stopped: Callable[[], bool] = lambda: False) -> None:
        self._most = None if frames is None else FIRST + SHARE * frames
        self._stopped = stopped
        self._passed = 0

    def __call__(self) -> bool:
        """Whether the walk should stop. Raises GameError when the menus have used all their frames."""
        if self._stopped():
            return True
        if self._most is not None and self._passed >= self._most:
            raise GameError(
                f"play did not begin: the menus have had {counted(self._passed, 'frame')}, all that the limit of "
                "frames leaves them; raise it, or give another ROM or map"
            )
        self._passed += 1
        return False
