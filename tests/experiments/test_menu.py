"""The menu of a game file takes as long as the search for play did, whatever taps it found."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from ochibot.console import Button
from ochibot.experiments.arrival import pads_of_route
from ochibot.experiments.explore import BOOT, Route
from ochibot.experiments.motion import Motion
from ochibot.experiments.pad import Tap
from ochibot.experiments.rulesfile import menu_tap, route_of


def route(hold: int, *buttons: str) -> Route:
    """A route whose taps were held so long."""
    presses = [(0, 1), (0, BOOT - 1)]
    for name in buttons:
        presses += [(0 if name == "wait" else int(Button[name.upper()]), hold), (0, 41)]
    return Route(tuple(presses), buttons, Motion({}, {}), b"", (), 1)


@pytest.mark.parametrize("tap", [None, Tap(12, 12)])
@pytest.mark.parametrize("hold", [6, 14])
def test_each_step_takes_as_long_as_in_the_search(hold: int, tap: Tap | None) -> None:
    """A title that came late was waited for too shortly, when the search's taps had been long ones."""
    made = route(hold, "wait", "start", "wait", "a")
    steps = route_of(made, tap)
    assert steps[-1] == "wait until spawn"
    began = dict.fromkeys(("start", "a"), 0)
    frames = 0
    for step in steps[:-1]:
        number = re.fullmatch(r"wait (\d+)", step)
        if number is None:
            began[step] = frames
        frames += sum(menu_tap(tap)) if number is None else int(number[1])
    assert began == {"start": BOOT + hold + 41, "a": BOOT + 3 * (hold + 41)}
    parts = pads_of_route(made, tap)
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    assert [begin for (begin, _), part in zip(pairwise(ends), parts, strict=True) if any(part)] == sorted(
        began.values()
    )


def test_a_piece_that_comes_during_the_last_wait_is_not_missed() -> None:
    assert route_of(route(6, "start", "wait"), None, at_once=True)[-2:] == ["wait 36", "wait until spawn"]
    assert route_of(route(6, "start"), None, at_once=True)[-1] == "start until spawn"
