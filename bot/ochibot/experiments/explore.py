"""Reaches play without knowing the menus: a search over button taps with savestates.

The cheapest route is tried first: START and A, which confirm, cost little; buttons that move a cursor cost more.
Screens that differ only in bytes that change by themselves count as one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.motion import LONG_TAP, Motion, motion
from ochibot.experiments.pad import unanswered
from ochibot.experiments.rig import OTHER_PAD, TURNERS, Rig
from ochibot.experiments.screens import Screens
from ochibot.games.menu import TAP_OFF, TAP_ON

BOOT = 90
"""Frames after power-on before the first tap."""

SETTLE = 36
"""Frames after a tap before the next: most screens have changed then."""

WATCH = 12
"""Frames in which a screen is watched for bytes that change by themselves."""

WATCHED = 2
"""So many times a screen is watched that looks like another one."""

ALIKE = 0.01
"""Pictures that differ in a smaller share of their pixels show one screen, with a cursor or a letter elsewhere."""

REPEATED = 0.5
"""What each further state of one screen costs in the search."""

MOST_WAITS = 6
"""How many times in a row the search waits for a screen to change by itself: about four and a half seconds in all."""

LATER = 3.0
"""What it costs in the search to wait on where no new screen came."""

MOST_LATER = 8
"""How many times in a row the search waits on so, before a new screen comes."""

FRESH = 4
"""Play begins at the first of so many frames at which the piece answers."""

MOST_DOUBTED = 12
"""So many further screens are tried where play may be a demo, because START ended it."""

MOST_SCREENS = 600
MOST_RESTLESS = 6
"""After so many screens on which something falls and follows the pad, but never rests, the search ends."""

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
"""What a tap of each button costs in the search. NONE is waiting, and costs 1 more for each wait just before it: long
waiting leads into demos.
"""

CONFIRM = (Button.START, Button.A)

Press = tuple[int, int]
"""(button mask, frames)"""

Tapped = tuple[int, int]
"""A button, and for how many frames it is held."""


@dataclass(frozen=True)
class Step:
    """One tap of a route and the screen it led to."""

    button: str
    picture: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Route:
    """A way from power-on to play.

    presses: the buttons held, and for how many frames. buttons: the taps by name. motion: what moves in play. state: a
    savestate of play. steps: the taps with the screens they led to. screens: how many were tried before play was found.
    boot: a savestate of the first frame after power-on; empty if the way wasn't searched for.
    """

    presses: tuple[Press, ...]
    buttons: tuple[str, ...]
    motion: Motion
    state: bytes
    steps: tuple[Step, ...]
    screens: int
    boot: bytes = b""

    @property
    def frames(self) -> int:
        """How many frames the presses take."""
        return sum(frames for _, frames in self.presses)

    @property
    def steps_take(self) -> tuple[int, ...]:
        """How many frames the search gave to each tap or wait, with the wait after it."""
        lasted = [frames for _, frames in self.presses[-2 * len(self.buttons) :]]
        return tuple(on + off for on, off in zip(lasted[::2], lasted[1::2], strict=True)) if self.buttons else ()


@dataclass(frozen=True, order=True)
class _Node:
    cost: float
    number: int
    state: bytes = field(compare=False)
    path: tuple[Tapped, ...] = field(compare=False)


class Explorer:
    """A search from the present state of ``rig``'s console. Each ``find`` goes on to the next cheapest route.

    Where a short tap of a button that confirms leads nowhere, a long one is tried. If it leads on, the game looks at
    the pad rarely, and all further taps are long.
    """

    costs: ClassVar[tuple[tuple[int, float], ...]] = COSTS
    """The buttons that are tapped, and what each costs."""

    def __init__(self, rig: Rig, progress: Callable[[int, int], None] | None = None) -> None:
        self.rig = rig
        self.hold = TAP_ON
        self.screens = 0
        self.waiting = 0
        """How many screens waited to be tried when the last one was."""
        self._progress = progress or (lambda *_: None)
        self._seen = Screens(rig.size)
        self._pictures: list[tuple[npt.NDArray[np.uint8], int]] = []
        self._queue: list[_Node] = []
        self._number = 0
        self._waits = 0
        self._boot = b""
        self._found: _Node | None = None
        self._doubtful: tuple[_Node, Motion] | None = None
        self._rank = False, False
        self._doubted_at = 0
        self._restless = 0

    def start(self) -> None:
        """Run the machine until its first screen shows."""
        self.rig.step()
        self._boot = self.rig.save()
        self.rig.run([0] * (BOOT - 1))
        self._add(0.0, ())

    def _add(self, cost: float, path: tuple[Tapped, ...]) -> bool:
        """Queues the present screen, to search on from it, unless it was met before. Returns whether it is new."""
        rig = self.rig
        state = rig.save()
        # a screen that changes while it is watched may look like the last one until then
        new = any(self._seen.is_new(rig.trace([0] * WATCH), len(path)) for _ in range(WATCHED))
        if new:
            cost += REPEATED * self._times()
        rig.load(state)
        if new:
            self._waits = 0
            self._number += 1
            heapq.heappush(self._queue, _Node(cost, self._number, state, path))
        return new

    def _times(self) -> int:
        """How many other states had the present screen."""
        picture = self.rig.console.frame()
        for number, (other, times) in enumerate(self._pictures):
            if other.shape == picture.shape and (other != picture).any(axis=2).mean() < ALIKE:
                self._pictures[number] = other, times + 1
                return times
        self._pictures.append((picture, 1))
        return 0

    def find(self, wanted: Callable[[Rig, bytes], Motion] = motion) -> Route:
        """The next route to play. ``wanted``: returns what moves at a savestate; if nothing moves, the search goes on.

        Raises CalibrationError when no route is left, the frames are used up, or MOST_SCREENS were tried.
        """
        rig = self.rig
        if not self._boot:
            self.start()
        if self._found is not None:
            # the caller rejected the last route, so the search also continues from its end
            self._expand(self._found)
            self._found = None
        while self._queue:
            if rig.spent or self.screens >= MOST_SCREENS or self._restless >= MOST_RESTLESS:
                break
            if all(self._rank) and self.screens >= self._doubted_at + MOST_DOUBTED:
                break
            node = heapq.heappop(self._queue)
            self.screens += 1
            self.waiting = len(self._queue)
            self._progress(self.screens, self.waiting)
            seen = wanted(rig, node.state)
            last = next((button for button, _ in reversed(node.path) if button != Button.NONE), None)
            if seen and seen.rests and not seen.doubtful:
                self._found = node
                return self._higher(self._route(node, seen), node, wanted)
            rank = seen.rests, last in CONFIRM
            if seen and (self._doubtful is None or rank > self._rank):
                # a demo that answers the pad is better than nothing, and so is what never comes to rest
                self._doubtful, self._rank, self._doubted_at = (node, seen), rank, self.screens
            self._restless += bool(seen) and not seen.rests
            self._expand(node)
        if self._doubtful is not None:
            doubtful, self._doubtful, self._rank = self._doubtful, None, (False, False)
            return self._route(*doubtful)
        raise CalibrationError(
            f"nothing was found that falls and follows left and right on {self.screens} screens: "
            "give a savestate of play with --from-state, or see whether the ROM runs in this core"
        )

    def _expand(self, node: _Node) -> None:
        # waiting comes first: what changes then has nothing to do with the buttons
        waits = next((at for at, (button, _) in enumerate(node.path[::-1]) if button != Button.NONE), len(node.path))
        for button, cost in sorted(self.costs, key=lambda item: item[0] != Button.NONE):
            cost += waits * (button == Button.NONE)
            new, path = self._tried(node, button, cost, self.hold)
            if not new and button in CONFIRM and self.hold < LONG_TAP:
                new, path = self._tried(node, button, cost, LONG_TAP)
                self.hold = LONG_TAP if new else self.hold
            # during a countdown, only bytes that change by themselves differ: wait for the next screen
            while not new and button == Button.NONE and len(path) - len(node.path) < MOST_WAITS:
                self.rig.run(pads_of(button, self.hold))
                path = (*path, (button, self.hold))
                new = self._add(node.cost + cost, path)
            if not new and button == Button.NONE:
                # a screen may look the same long before it answers
                self._later(node.cost + LATER, path)

    def _tried(self, node: _Node, button: int, cost: float, hold: int) -> tuple[bool, tuple[Tapped, ...]]:
        """Taps a button on a screen. Returns whether a new screen came, and the way there."""
        self.rig.load(node.state)
        self.rig.run(pads_of(button, hold))
        path = (*node.path, (button, hold))
        return self._add(node.cost + cost, path), path

    def _later(self, cost: float, path: tuple[Tapped, ...]) -> None:
        """Queues the present screen, though it isn't new, to be searched on from when all that is cheaper was tried."""
        self._waits += 1
        if self._waits <= MOST_LATER:
            self._number += 1
            heapq.heappush(self._queue, _Node(cost, self._number, self.rig.save(), path))

    def _route(self, node: _Node, seen: Motion) -> Route:
        rig = self.rig
        rig.load(self._boot)
        presses: list[Press] = [(0, 1)]
        steps = []
        rig.run([0] * (BOOT - 1))
        presses.append((0, BOOT - 1))
        steps.append(Step("power-on", rig.console.frame()))
        state = node.state
        for number, (button, hold) in enumerate(node.path, 1):
            rest = TAP_OFF + SETTLE
            rig.run([int(button)] * hold)
            if number == len(node.path):
                state, rest = self._begun(node.state, sorted(seen.across), rest)
                early = unanswered(rig, state, min(seen.across))
                rig.load(state)
                rig.run([0] * early)
                state, rest = rig.save(), rest + early
            rig.run([0] * rest if number < len(node.path) else [0])
            presses += [(int(button), hold), (0, rest)]
            steps.append(Step(name_of(button), rig.console.frame()))
        names = tuple(name_of(button) for button, _ in node.path)
        return Route(tuple(presses), names, seen, state, tuple(steps), self.screens, self._boot)

    def _higher(self, route: Route, node: _Node, wanted: Callable[[Rig, bytes], Motion]) -> Route:
        """The route, with what moves where it ends now: a piece that was higher up shows more of what falls with it."""
        if route.state == node.state:
            return route
        seen = wanted(self.rig, route.state)
        return replace(route, motion=seen) if seen and seen.rests and not seen.doubtful else route

    def _begun(self, end: bytes, x: Sequence[int], rest: int) -> tuple[bytes, int]:
        """The first moment, of ``rest`` frames from now to ``end``, at which the piece answers: it is still high then.

        x: the bytes that follow left and right. Returns a savestate and how many frames led there.
        """
        rig = self.rig
        moments = []
        for frames in range(0, rest, FRESH):
            moments.append((rig.save(), frames))
            rig.run([0] * FRESH)
        there = rig.after(end, [])[x]
        answers = self._answers(end)
        for state, frames in moments:
            if frames and (rig.after(state, [])[x] == there).all():
                sides = [rig.after(state, [int(side)] * LONG_TAP)[x] for side in (Button.LEFT, Button.RIGHT)]
                if all((one != there).any() for one in sides) and all(
                    2 * (now & later).sum() > later.sum()
                    for now, later in zip(self._answers(state), answers, strict=True)
                    if later.any()
                ):
                    return state, frames
        return end, rest

    def _answers(self, state: bytes) -> list[npt.NDArray[np.bool_]]:
        """For each button: which bytes it changes. A piece that is still being dealt may move and not yet turn."""
        rig = self.rig
        still = rig.after(state, [0] * LONG_TAP)
        return [rig.after(state, [int(button)] * LONG_TAP) != still for button in (*TURNERS, Button.DOWN)]


def pads_of(button: int, hold: int = TAP_ON) -> list[int]:
    """The buttons held in each frame of one step of the search."""
    return [int(button)] * hold + [0] * (TAP_OFF + SETTLE)


def name_of(button: int) -> str:
    """A button's name in routes and messages; on the other pad ``p2`` stands before it."""
    if button >> OTHER_PAD:
        return f"p2 {name_of(button >> OTHER_PAD)}"
    return str(Button(button).name).lower() if button else "wait"


def find_modes(explorer: Explorer, place: int, names: dict[int, str]) -> dict[str, Route]:
    """The cheapest route to play in each mode. Modes that aren't reached before the time is up are missing.

    place: the offset of a documented byte that holds the mode; names: those of the modes by its value.
    """
    found: dict[str, Route] = {}

    def wanted(rig: Rig, state: bytes) -> Motion:
        rig.load(state)
        name = names.get(rig.peek(place))
        return Motion({}, {}) if name is None or name in found else motion(rig, state)

    while len(found) < len(names):
        try:
            route = explorer.find(wanted)
        except CalibrationError:
            break
        explorer.rig.load(route.state)
        found[names[explorer.rig.peek(place)]] = route
    return found
