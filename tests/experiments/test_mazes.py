"""The search through menus, on drawn screens beside a search that looks at their graph alone."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.explore import CONFIRM, COSTS, Explorer, name_of
from ochibot.experiments.motion import LONG_TAP, NOTHING, Motion

from tests.experiments.frames import Frames

SIZE = 8
BUTTONS = [button for button, _ in COSTS if button]
KINDS = {
    "menu": NOTHING,
    "play": Motion({20: 1}, {21: 1}),
    "demo": Motion({20: 1}, {21: 1}, doubtful=True),
    "cursor": Motion({20: 1}, {21: 1}, rests=False),
}
Edges = dict[tuple[int, int], int]


class Maze(Frames):
    """Screens, between which buttons lead. slow: a press must last so many frames. opening: for so many frames after
    power-on, a title is shown that answers nothing.
    """

    def __init__(self, edges: Edges, slow: int = 1, opening: int = 0) -> None:
        self.edges, self.slow, self.opening = edges, slow, opening
        self.now = (0, 0, 0, 0)
        self.size, self.frames, self.spent, self.console = 24, 0, False, self

    def frame(self) -> Any:
        return np.full((4, 4, 3), 20 * self.now[0] if self.now[3] >= self.opening else 7, np.uint8)

    def save(self) -> Any:
        return self.now

    def load(self, state: Any) -> None:
        self.now = state

    def step(self, pad: int = 0) -> None:
        screen, down, held, time = self.now
        held = held + 1 if pad and pad == down else int(bool(pad))
        if held == self.slow and time >= self.opening:
            screen = self.edges.get((screen, pad), screen)
        self.now = screen, pad, held, time + 1

    def snap(self) -> Any:
        ram = np.zeros(self.size, np.uint8)
        ram[self.now[0]] = 1
        # RAM is the title's until it is over
        ram[SIZE + 1] = self.now[3] >= self.opening
        return ram


def ways(edges: Edges) -> dict[int, tuple[float, list[int]]]:
    """The screens in the order in which they are tried, each with its cost and its taps."""
    found = {0: (0.0, list[int]())}
    queue, order, number = [(0.0, 0, 0)], dict[int, tuple[float, list[int]]](), 0
    while queue:
        cost, _, screen = heapq.heappop(queue)
        order[screen] = found[screen]
        for button, more in COSTS:
            there = edges.get((screen, int(button)), screen)
            if there not in found:
                number += 1
                found[there] = cost + more, [*found[screen][1], int(button)]
                heapq.heappush(queue, (cost + more, number, there))
    return order


edges_ = st.dictionaries(
    st.tuples(st.integers(0, SIZE - 1), st.sampled_from([int(button) for button in BUTTONS])), st.integers(0, SIZE - 1),
    max_size=24,
)  # fmt: skip


@settings(max_examples=25)
@given(edges_, st.sampled_from([*KINDS]), st.sets(st.integers(0, SIZE - 1)), st.booleans())
def test_screens_are_tried_from_the_cheapest_on_until_one_is_play(
    edges: Edges, kind: str, these: set[int], opening: bool
) -> None:
    """On these screens something answers: all are play, or demos, or something that never rests."""
    maze = Maze(edges, opening=200 if opening else 0)
    rig: Any = maze
    order = ways(edges)
    answering = [screen for screen in order if screen in these and kind != "menu"]
    if kind == "cursor":
        # so many of them end the search, and it waits on each of them
        answering = answering[:1]
    explorer, tried, refused = Explorer(rig), list[int](), set[int]()

    def wanted(_: Any, state: Any) -> Motion:
        tried.append(state[0])
        return KINDS[kind] if state[0] in set(answering) - refused and state[3] >= maze.opening else NOTHING

    if not answering:
        with pytest.raises(CalibrationError, match="nothing was found that falls"):
            explorer.find(wanted)
        assert list(dict.fromkeys(tried)) == [*order]
        return
    # a demo at the end of a way that was confirmed is likelier to be play
    confirmed = [screen for screen in answering if order[screen][1] and order[screen][1][-1] in CONFIRM]
    best = (confirmed or answering)[0] if kind == "demo" else answering[0]
    route = explorer.find(wanted)
    first = list(dict.fromkeys(tried))
    assert first == [*order][: len(first)]
    if kind == "play":
        assert first[-1] == best
    assert [name for name in route.buttons if name != "wait"] == [name_of(button) for button in order[best][1]]
    assert [step.button for step in route.steps] == ["power-on", *route.buttons]
    assert route.screens == len(tried)
    # the way leads there from power-on
    again = Maze(edges, opening=maze.opening)
    for pad, frames in route.presses:
        again.run([pad] * frames)
    assert again.now[0] == best
    assert route.frames == sum(frames for _, frames in route.presses)
    assert len(route.steps_take) == len(route.buttons)
    if kind == "play" and answering[1:]:
        # the search goes on behind what is refused
        refused.add(best)
        assert explorer.find(wanted).state[0] == answering[1]


@pytest.mark.parametrize("slow", [1, LONG_TAP - 2])
def test_where_a_short_tap_leads_nowhere_all_further_ones_are_long(slow: int) -> None:
    start, down = int(Button.START), int(Button.DOWN)
    edges = {(0, start): 1, (1, down): 2, (2, start): 3}
    rig: Any = Maze(edges, slow)
    explorer = Explorer(rig)
    route = explorer.find(lambda _, state: KINDS["play"] if state[0] == 3 else NOTHING)
    assert [name for name in route.buttons if name != "wait"] == ["start", "down", "start"]
    again = Maze(edges, slow)
    for pad, frames in route.presses:
        again.run([pad] * frames)
    assert again.now[0] == 3
    held = [frames for pad, frames in route.presses if pad]
    assert (min(held) >= LONG_TAP) is (slow > 1)
    assert (explorer.hold == LONG_TAP) is (slow > 1)
    # buttons that don't confirm aren't held longer on their own account
    rig = Maze({(0, down): 1}, LONG_TAP - 2)
    with pytest.raises(CalibrationError):
        Explorer(rig).find(lambda _, state: KINDS["play"] if state[0] == 1 else NOTHING)
