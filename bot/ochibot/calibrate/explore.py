"""Reaches play without knowing the menus: a search over button taps with savestates.

The cheapest route first: START and the button that says yes cost little, the cursor's buttons more. Screens that
differ only in bytes that change by themselves count as one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ochibot.calibrate.lab import TAP_OFF, TAP_ON, Bytes, Lab
from ochibot.calibrate.motion import Motion, motion
from ochibot.console import Button
from ochibot.errors import CalibrationError

BOOT = 90
"""Frames after power-on before the first tap."""

SETTLE = 36
"""Frames after a tap before the next: most screens have changed then."""

WATCH = 12
"""Frames in which a screen is watched for bytes that change by themselves."""

MOST_SCREENS = 600

COSTS = (
    (Button.START, 1.0),
    (Button.NONE, 1.2),
    (Button.A, 1.5),
    (Button.B, 2.0),
    (Button.DOWN, 2.5),
    (Button.RIGHT, 3.0),
    (Button.SELECT, 3.5),
    (Button.UP, 4.0),
    (Button.LEFT, 4.0),
)
"""What a tap of each button costs in the search; NONE is waiting."""

Press = tuple[int, int]
"""(button mask, frames)"""


@dataclass(frozen=True)
class Step:
    """One tap of a route and the screen it led to."""

    button: str
    picture: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Route:
    """A way from power-on to play: the presses, frame by frame; what moves there; a savestate; the screens passed."""

    presses: tuple[Press, ...]
    buttons: tuple[str, ...]
    motion: Motion
    state: bytes
    steps: tuple[Step, ...]
    screens: int

    @property
    def frames(self) -> int:
        """How long it takes."""
        return sum(frames for _, frames in self.presses)


@dataclass(order=True)
class _Node:
    cost: float
    number: int
    state: bytes = field(compare=False)
    path: tuple[Button, ...] = field(compare=False)


class _Seen:
    """The screens met, compared without the bytes that change by themselves."""

    def __init__(self, size: int) -> None:
        self.volatile = np.zeros(size, bool)
        self._all: list[Bytes] = []

    def is_new(self, watched: Bytes) -> bool:
        """Keep a screen unless it was met before."""
        self.volatile |= (watched != watched[0]).any(axis=0)
        still = watched[-1]
        for other in self._all:
            if not ((other != still) & ~self.volatile).any():
                return False
        self._all.append(still)
        return True


class Explorer:
    """A search from the present state of ``lab``'s console. ``routes`` yields what it finds, the cheapest first."""

    def __init__(self, lab: Lab, told: Callable[[int, int], None] | None = None) -> None:
        self.lab = lab
        self.screens = 0
        self._told = told or (lambda *_: None)
        self._seen = _Seen(lab.size)
        self._queue: list[_Node] = []
        self._number = 0
        self._boot = b""
        self._found: _Node | None = None

    def start(self) -> None:
        """Let the machine start."""
        self.lab.step()
        self._boot = self.lab.save()
        self.lab.run([0] * (BOOT - 1))
        self._add(0.0, ())

    def _add(self, cost: float, path: tuple[Button, ...]) -> None:
        """The present state is a screen to go on from, unless it was met before."""
        lab = self.lab
        state = lab.save()
        watched = lab.trace([0] * WATCH)
        if self._seen.is_new(watched):
            self._number += 1
            heapq.heappush(self._queue, _Node(cost, self._number, state, path))

    def find(self, wanted: Callable[[Lab, bytes], Motion] = motion) -> Route:
        """The next route to play. Raises CalibrationError when there is none, or the time is up."""
        lab = self.lab
        if not self._boot:
            self.start()
        if self._found is not None:
            # it was not what was looked for: the search goes on from there too
            self._expand(self._found)
            self._found = None
        while self._queue:
            if lab.late or self.screens >= MOST_SCREENS:
                break
            node = heapq.heappop(self._queue)
            self.screens += 1
            self._told(self.screens, len(self._queue))
            seen = wanted(lab, node.state)
            if seen:
                self._found = node
                return self._route(node, seen)
            self._expand(node)
        raise CalibrationError(
            f"nothing was found that falls and follows left and right on {self.screens} screens: "
            "give a savestate of play with --from-state, or see whether the ROM runs in this core"
        )

    def _expand(self, node: _Node) -> None:
        for button, cost in COSTS:
            self.lab.load(node.state)
            self.lab.run(pads_of(button))
            self._add(node.cost + cost, (*node.path, button))

    def _route(self, node: _Node, seen: Motion) -> Route:
        lab = self.lab
        lab.load(self._boot)
        presses: list[Press] = [(0, 1)]
        steps = []
        lab.run([0] * (BOOT - 1))
        presses.append((0, BOOT - 1))
        steps.append(Step("power-on", lab.console.frame()))
        for button in node.path:
            lab.run(pads_of(button))
            presses += [(int(button), TAP_ON), (0, TAP_OFF + SETTLE)]
            steps.append(Step(name_of(button), lab.console.frame()))
        names = tuple(name_of(button) for button in node.path)
        return Route(tuple(presses), names, seen, node.state, tuple(steps), self.screens)


def pads_of(button: Button) -> list[int]:
    """The frames of one step of the search."""
    return [int(button)] * TAP_ON + [0] * (TAP_OFF + SETTLE)


def name_of(button: Button) -> str:
    """A button for people and for routes."""
    return "wait" if button is Button.NONE else str(button.name).lower()


@dataclass(frozen=True)
class ModeByte:
    """A documented byte that says which mode is played: its offset in work RAM, and the modes by its value."""

    offset: int
    names: dict[int, str]


def find_modes(explorer: Explorer, byte: ModeByte) -> dict[str, Route]:
    """A way to play in each mode, as far as one is found before the time is up: the cheapest of each."""
    found: dict[str, Route] = {}

    def wanted(lab: Lab, state: bytes) -> Motion:
        lab.load(state)
        name = byte.names.get(lab.peek(byte.offset))
        return Motion({}, {}) if name is None or name in found else motion(lab, state)

    while len(found) < len(byte.names):
        try:
            route = explorer.find(wanted)
        except CalibrationError:
            break
        explorer.lab.load(route.state)
        found[byte.names[explorer.lab.peek(byte.offset)]] = route
    return found
