"""Presses the pad until the pair lies where the player wants it.

Every press is a fresh edge: a frame with the button and at least one without it. What a press should have done is
compared with RAM on every frame; a press without effect is repeated, and when the pair is anywhere else than expected
the way is searched anew from where it is. Down alone is held, never with a direction.
"""

from __future__ import annotations

from bot.console import Button
from bot.games.famicom_puyo import BUTTONS
from bot.play.speed import Speed
from bot.puyo import Action, Field, Pair, PairState, Placement, move
from bot.search import find_path

PATIENCE = 6
"""Frames to wait for a press to show in RAM before it is taken as lost."""

MAX_RETRIES = 8
"""Lost presses in a row after which the pilot gives the target up and lets the pair fall."""


class Pilot:
    """Steers one pair after another; call ``start`` at a spawn and ``press`` once for every frame after it."""

    def __init__(self, speed: Speed) -> None:
        self.speed = speed
        self.presses = 0
        self._target: Placement | None = None
        self._cells: list[list[int]] = []
        self._field = Field.empty()
        self._pair: Pair | None = None
        self._path: list[Action] = []
        self._wait = 0
        self._since = 0
        self._retries = 0
        self._over = 0
        self._expected: PairState | None = None

    def start(self, field: Field, target: Placement, pair: Pair | None = None) -> None:
        """A new piece (None: some pair) has spawned on a settled field and is to go to ``target``."""
        self._field = field
        self._pair = pair
        self._cells = field.cells.tolist()
        self._target = target
        self._path = list(target.path)
        self._wait = self.speed.reaction
        self._since = PATIENCE
        self._retries = 0
        self._over = 0
        self._expected = None
        self.presses = 0

    def stop(self) -> None:
        """No pair is to be steered until the next ``start``."""
        self._target = None

    def _there(self, state: PairState, target: Placement) -> bool:
        """Whether the piece is over the target; an item has no orientation."""
        turned = self._pair is not None and self._pair.is_item
        return state.x == target.x and (turned or state.orientation == target.orientation)

    def press(self, state: PairState | None, ready: bool) -> Button:
        """The pad for the next frame. ``state``: the pair as RAM shows it now; ``ready``: it answers the pad."""
        target = self._target
        if target is None or state is None or not ready:
            return Button.NONE
        if self._wait > 0:
            self._wait -= 1
            return Button.NONE
        self._since += 1
        if self._expected is not None:
            if not _matches(state, self._expected):
                if self._since < PATIENCE:
                    return Button.NONE
                self._retries += 1
                self._replan(state)
            else:
                self._retries = 0
                self._expected = None
        if self._retries > MAX_RETRIES:
            return Button.NONE
        if not self._path and not self._there(state, target):
            self._replan(state)
        if not self._path:
            return self._drop(state, target)
        return self._next(state)

    def _drop(self, state: PairState, target: Placement) -> Button:
        """Down, once the pair has been over the target for as long as the hands hesitate."""
        if not self._there(state, target) or self.speed.hesitation is None:
            return Button.NONE
        self._over += 1
        return Button.DOWN if self._over > self.speed.hesitation else Button.NONE

    def _next(self, state: PairState) -> Button:
        action = self._path[0]
        if action is Action.DOWN:
            # sinking on the way: Down is held until the row is reached, which gravity may do as well
            after = move(self._cells, state, action, self._pair)
            if after == state:
                self._replan(state)
                return Button.NONE
            self._path.pop(0)
            self._expected = after
            self._since = 0
            return Button.DOWN
        if self._since < self.speed.gap:
            return Button.NONE
        after = move(self._cells, state, action, self._pair)
        if after == state:
            # the pair has sunk to where this press does nothing
            before = self._path
            self._replan(state)
            if self._path == before or not self._path:
                self._retries += 1
            return Button.NONE
        self._path.pop(0)
        self._expected = after
        self._since = 0
        self.presses += 1
        return BUTTONS[action]

    def _replan(self, state: PairState) -> None:
        assert self._target is not None
        self._expected = None
        path = find_path(self._field, state, self._target, self._pair)
        if path is None:
            self._retries = MAX_RETRIES + 1
            path = ()
        self._path = list(path)


def _matches(seen: PairState, expected: PairState) -> bool:
    """Whether the pair is where a press should have brought it, or has sunk further since."""
    return (seen.x, seen.orientation) == (expected.x, expected.orientation) and seen.y >= expected.y
