"""Finds how long the menu's route of a game file must wait before the first piece can appear.

The sign of a new piece may hold in the menus too, before RAM holds a game. The route is walked as a session walks it,
and the first frame on which a piece answers the pad tells which rise of the sign was the first piece's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ochibot.console import Button
from ochibot.errors import CalibrationError, OchibotError
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Arrival, driver_of
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Rig
from ochibot.experiments.rulesfile import menu_tap, route_of
from ochibot.ram import BoundMap, RamMap, Sign

LOOKED: Final = 8
"""Whether the piece answers is tried on every eighth frame."""

Dealt = tuple[int | None, ...]

LONGEST: Final = 900
"""The first piece answers at most this many frames after the last tap."""


def find_arrival(rig: Rig, learnt: Learnt, made: dict[str, Any]) -> Arrival:
    """Walks the route to play and watches the sign of a new piece. ``made``: the map. Raises CalibrationError when the
    map has no such sign, or no piece comes.
    """
    route = learnt.route
    if not route.boot:
        raise CalibrationError("play was reached from a savestate alone")
    sign = _sign(rig, made)
    rig.load(route.boot)
    rises: dict[int, Dealt] = {}
    frames = 0
    sign.keep()
    last = sign()

    def run(pads: Sequence[int]) -> None:
        nonlocal frames, last
        for pad in pads:
            rig.step(pad)
            frames += 1
            now = sign()
            if now and not last:
                rises[frames] = _dealt(rig, learnt)
            last = now
            sign.keep()

    pads = pads_of_route(route, learnt.tap)
    for part in pads[:-1]:
        run(part)
    began = frames
    run(pads[-1])
    ended = frames
    answers = _answers(rig, learnt, run, lambda: frames)
    # what was pressed here and now may be answered by a piece that RAM doesn't hold yet
    run([0] * LOOKED)
    before = [rise for rise in rises if began < rise <= answers]
    if not before or rises[before[-1]] != _dealt(rig, learnt):
        # the first piece came without a sign, or before RAM held it: the second one's is waited for
        return Arrival(answers - ended + LOOKED)
    first = before[-1]
    if first <= ended:
        return Arrival(0, at_once=True)
    wrong = [rise for rise in before[:-1] if rise > ended]
    # halfway between the last wrong sign and the right one
    return Arrival((wrong[-1] + first) // 2 - ended if wrong else 0)


def pads_of_route(route: Route, tap: Tap | None = None) -> list[list[int]]:
    """The buttons held in each frame of a route as a game file's is walked, in parts: the last one is the last tap, or
    the last wait. ``tap``: that of the game file.
    """
    on, off = menu_tap(tap)
    words = [step.split() for step in route_of(route, tap)[:-1]]
    return [[0] * int(words[1]) if words[0] == "wait" else [int(Button[words[0].upper()])] * on + [0] * off
            for words in words]  # fmt: skip


def _dealt(rig: Rig, learnt: Learnt) -> Dealt:
    """The colours of the pair and of the NEXT pairs, as far as RAM shows some."""
    ram = rig.snap()
    return tuple(byte.kind(ram) for pair in ((learnt.near, learnt.far), *learnt.following) for byte in pair)


def _sign(rig: Rig, made: dict[str, Any]) -> Sign:
    """The map's sign of a new piece. Raises CalibrationError when there is none."""
    said = made.get("signs", {}).get("spawn")
    if said is None:
        raise CalibrationError("the map has no sign of a new piece")
    parts = {**made, "entries": {said["entry"]: made["entries"][said["entry"]]}, "codes": {}, "signs": {"spawn": said}}
    parts.pop("pair", None)
    try:
        found = BoundMap(RamMap.model_validate(parts), rig.console.ram, {}).sign("spawn")
    except (OchibotError, ValueError) as error:
        raise CalibrationError(f"the sign of a new piece can't be read: {error}") from None
    assert found is not None
    return found


def _answers(rig: Rig, learnt: Learnt, run: Callable[[Sequence[int]], None], now: Callable[[], int]) -> int:
    """The frame on which the first piece answers the pad, up to LOOKED frames late."""
    driver = driver_of(rig, learnt.basis)
    began = now()
    while now() - began < LONGEST:
        here = rig.save()
        if driver.answers(here):
            rig.load(here)
            return now() + driver.tap.on
        rig.load(here)
        run([0] * LOOKED)
    raise CalibrationError(f"no piece answers within {LONGEST} frames after the last tap")
