"""The same walker gets through menus of quite different structure, by reading values from RAM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import NES, Button, Ram
from ochibot.errors import GameError
from ochibot.games.menu import MAX_FRAMES, MenuWalker


@dataclass
class FakeMenu:
    """Title screens, then a menu of rows. A row is a mode (int) or an option (name, values).

    titles: how many title screens there are. boot: frames at the start in which presses are ignored. lag: frames until
    a press acts.
    """

    rows: list[int | tuple[str, list[int]]]
    cursor_buttons: tuple[Button, Button] = (Button.UP, Button.DOWN)
    change_buttons: tuple[Button, Button] = (Button.LEFT, Button.RIGHT)
    wraps: bool = True
    titles: int = 1
    boot: int = 40
    lag: int = 3
    first_row: int = 0
    values: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ram = Ram(np.zeros(2048, np.uint8), NES.ram)
        self.frames = 0
        self.screen = 0
        self.cursor = self.first_row
        self.playing = False
        self._held = Button.NONE
        self._due: list[tuple[int, Button]] = []
        for row in self.rows:
            if isinstance(row, tuple):
                self.values.setdefault(row[0], row[1][0])
        self.values["mode"] = next(row for row in self.rows[self.cursor :] if isinstance(row, int))

    def _moved(self, at: int, by: int, count: int) -> int:
        return (at + by) % count if self.wraps else min(max(at + by, 0), count - 1)

    def step(self, *pads: int) -> None:
        self.frames += 1
        pad = Button(pads[0]) if pads else Button.NONE
        pressed, self._held = pad & ~self._held, pad
        if pressed:
            self._due.append((self.frames + self.lag, pressed))
        while self._due and self._due[0][0] <= self.frames:
            self._act(self._due.pop(0)[1])

    def _act(self, pressed: Button) -> None:
        if self.frames < self.boot or self.playing:
            return
        if pressed & Button.START:
            self.screen += 1
            self.playing = self.screen > self.titles
            return
        if self.screen < self.titles:
            return
        for button, by in zip(self.cursor_buttons, (-1, 1), strict=True):
            if pressed & button:
                self.cursor = self._moved(self.cursor, by, len(self.rows))
                row = self.rows[self.cursor]
                if isinstance(row, int):
                    self.values["mode"] = row
        for button, by in zip(self.change_buttons, (-1, 1), strict=True):
            row = self.rows[self.cursor]
            if pressed & button and isinstance(row, tuple):
                name, choices = row
                at = choices.index(self.values[name])
                self.values[name] = choices[self._moved(at, by, len(choices))]

    def frame(self) -> npt.NDArray[np.uint8]:
        return np.zeros((1, 1, 3), np.uint8)

    def save(self) -> bytes:
        return b""

    def load(self, state: bytes) -> None:
        """Does nothing."""

    def walker(self, *names: str) -> MenuWalker:
        def reader(name: str) -> Callable[[], int]:
            return lambda: self.values[name]

        return MenuWalker(self, {name: reader(name) for name in ("mode", *names)}, lambda: self.playing)


LEVELS = ("level", [1, 2, 3, 4])
COLORS = ("colors", [4, 5, 6])
SELECT_ONLY = (Button.NONE, Button.SELECT)

MENUS: dict[str, Callable[[], FakeMenu]] = {
    "ours": lambda: FakeMenu([0, 2, LEVELS, COLORS]),
    "no wrapping": lambda: FakeMenu([0, 2, LEVELS, COLORS], wraps=False),
    "options first, two player above": lambda: FakeMenu([LEVELS, COLORS, 2, 1, 0], first_row=2),
    "three modes, last one first": lambda: FakeMenu([2, 1, 0, COLORS, LEVELS], first_row=0, wraps=False),
    "select moves the cursor": lambda: FakeMenu([2, 0, LEVELS, COLORS], cursor_buttons=SELECT_ONLY),
    "up and down change, left and right move": lambda: FakeMenu(
        [2, 0, LEVELS, COLORS],
        cursor_buttons=(Button.LEFT, Button.RIGHT),
        change_buttons=(Button.DOWN, Button.UP),
    ),
    "three screens before the menu, slow boot": lambda: FakeMenu([0, 2, LEVELS, COLORS], titles=3, boot=200),
    "slow to answer": lambda: FakeMenu([0, 2, LEVELS, COLORS], lag=8),
}


@pytest.mark.parametrize("name", MENUS)
@pytest.mark.parametrize(
    "wanted", [{"mode": 0}, {"mode": 2}, {"mode": 0, "level": 4, "colors": 5}, {"mode": 0, "level": 3}]
)
def test_play_begins_with_what_was_wanted(name: str, wanted: dict[str, int]) -> None:
    menu = MENUS[name]()
    menu.walker(*(key for key in wanted if key != "mode")).walk(wanted)
    assert menu.playing
    assert {key: menu.values[key] for key in wanted} == wanted
    assert menu.frames < 8000


def test_a_mode_that_the_menu_lacks_is_given_up_with_what_was_seen() -> None:
    menu = FakeMenu([0, LEVELS])
    with pytest.raises(GameError, match=r"play began otherwise than wanted: mode = 0 \(wanted 2\)"):
        menu.walker().walk({"mode": 2})


def test_a_game_that_never_answers_is_given_up() -> None:
    menu = FakeMenu([0], boot=10**9)
    with pytest.raises(GameError, match="did not begin after"):
        menu.walker().walk({"mode": 0})


def test_a_value_that_runs_by_itself_does_not_keep_the_walk_up() -> None:
    """The value counts up. Waiting until a counter of three bytes has the wanted value would take days."""

    class Counting(FakeMenu):
        def step(self, *pads: int) -> None:
            super().step(*pads)
            self.values["level"] = self.frames + 10**6

    menu = Counting([0, 2], boot=10**9)
    menu.values["level"] = 0
    with pytest.raises(GameError, match=f"did not begin after {MAX_FRAMES:,} frames"):
        menu.walker("level").walk({"mode": 0, "level": 3})
    assert menu.frames == MAX_FRAMES


def test_an_option_that_a_sweep_spoils_is_put_right_again() -> None:
    """Both options are wanted at the end of their range, where only one button changes them.

    The colours are already right when the sweep that tries to set the level reaches them. Its second button lowers them
    by one. Unless the opposite button is tapped next, setting one option would always spoil the other.
    """
    menu = FakeMenu([0, COLORS, LEVELS], wraps=False)
    menu.values["colors"] = 6
    seen: list[int] = []
    step = menu.step

    def noted(*pads: int) -> None:
        step(*pads)
        seen.append(menu.values["colors"])

    menu.step = noted  # type: ignore[method-assign]
    menu.walker("level", "colors").walk({"mode": 0, "level": 4, "colors": 6})
    assert (menu.values["level"], menu.values["colors"]) == (4, 6)
    assert 5 in seen, "the sweep has passed the colours"
    first_spoilt = seen.index(5)
    assert 6 in seen[first_spoilt : first_spoilt + 12], "put right by the very next tap"
