"""Finds the byte that tells when a piece answers the pad, in a game whose rules aren't known.

Traces of falls show on which frames a piece surely answers, and on which it surely doesn't. A phase, a flag or a timer
has some values only on the former. If there is no such byte, only a combination tells it, or nothing in RAM does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.coordinates import on_stack
from ochibot.experiments.driver import EDGE, Driver, Fallen
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.landings import Landing
from ochibot.experiments.rig import Bytes
from ochibot.experiments.signs import LONG, OverByte, over_signs, times_of

MOST_VALUES: Final = 8
MOST_TRIED: Final = 48
MOST_POKED: Final = 3
DISTURBED: Final = 12
FEWEST_FALLS: Final = 5
SOON: Final = 3
"""Frames that are neither, about the end of a fall and the moment when the next piece answers."""

END_FRAMES: Final = 480
ENDS: Final = 4
MOST_ENDING: Final = 40
"""At most so many games are ended, and so many bytes poked to see whether they end one."""

LATER: Final = (0, 10, 20)
"""After so many frames more no piece answers where a game has ended; otherwise one may just have locked."""


@dataclass(frozen=True)
class Control:
    """A byte and its values while a piece answers. obeyed: whether a piece stops answering when another one is poked.

    others: values that it has at other times.
    """

    offset: int
    values: tuple[int, ...]
    others: tuple[int, ...]
    evidence: Evidence
    obeyed: bool


@dataclass(frozen=True)
class Cycle:
    """A piece's fall. begun: from this frame on it surely answers; down: the frame on which it is as low as it gets;
    lock: the first on which it surely doesn't answer any more; ready: from it on, the next piece may answer.
    """

    trace: Bytes
    begun: int
    down: int
    lock: int
    ready: int


def cycle_of(driver: Driver, fallen: Fallen, cells: Sequence[int]) -> Cycle:
    """The cycle of a fall that was traced. ``cells``: the offsets of the field's cells."""
    trace = fallen.trace
    assert trace is not None
    low = np.flatnonzero(trace[: fallen.reset, driver.y.offset] == fallen.lowest)
    down = int(low[0]) if len(low) else 0
    lock = fallen.reset - 1
    # where a piece is drawn into the field, it may come to rest there some frames later
    still = down + (SOON if driver.drawn else 0)
    if still < fallen.reset:
        part = trace[still : fallen.reset, list(cells)]
        changed = (part != part[0]).any(axis=1)
        lock = still + int(changed.argmax()) if changed.any() else lock
    # a press is answered only when the game looks at the pad
    slack = max(SOON, driver.latency or 0) + (driver.tap.on if driver.tap.on > EDGE else 0)
    ready = len(trace) - slack
    if fallen.frames > fallen.reset + (driver.control_delay or 0):
        # other cells may have been in its way when it could move already
        ready = fallen.reset - 1
    return Cycle(trace, min(slack, down // 2), down, lock, max(lock, ready))


def find_control(
    driver: Driver, state: bytes, falls: Sequence[Fallen], cells: Sequence[int], taken: Collection[int]
) -> Control | None:
    """The byte that tells control; None when no single byte does. ``taken``: offsets of other things.

    A byte that the game obeys comes first, then bytes that keep what is poked, then those that change at the right
    moment.
    """
    cycles = [cycle_of(driver, one, cells) for one in falls]
    if len(cycles) < FEWEST_FALLS:
        return None
    size = cycles[0].trace.shape[1]
    inside = times_of([one.trace[one.begun : one.down] for one in cycles])
    outside = times_of([one.trace[one.lock : one.ready] for one in cycles])
    # one piece may have been disturbed
    few = len(cycles) // DISTURBED
    good = ~((inside > few) & (outside > few)).any(axis=0) & (outside > few).any(axis=0)
    good &= (inside > few).sum(axis=0) <= MOST_VALUES
    good[[at for at in taken if at < size]] = False
    ranked = []
    for place in np.flatnonzero(good).tolist():
        values = tuple(np.flatnonzero(inside[:, place] > few).tolist())
        # what comes before the next piece answers may look like control, but the right byte changes last
        early = sorted(_early(one, place, values) for one in cycles)[len(cycles) // 2]
        ranked.append((early > SOON, len(values), early, place))
    ranked.sort(key=lambda item: (on_stack(driver.rig, item[-1]), item))
    best: list[tuple[tuple[bool, bool, bool, int], Control]] = []
    for number, (slow, *_, place) in enumerate(ranked[:MOST_TRIED]):
        values = tuple(np.flatnonzero(inside[:, place] > few).tolist())
        others = Counter(int(value) for one in cycles for value in one.trace[one.lock : one.ready, place])
        ways = [_poked(driver, state, place, value) for value, _ in others.most_common(MOST_POKED)]
        obeyed, kept = (any(way[at] for way in ways) for at in (0, 1))
        doubt = "" if obeyed else "no piece obeys it"
        evidence = Evidence(len(cycles), slow * len(cycles), len(ranked) - 1, doubt)
        found = Control(place, values, tuple(sorted(others)), evidence, obeyed)
        best.append(((slow, not obeyed, not kept, number), found))
        if obeyed and kept and not slow:
            break
    return min(best, key=lambda item: item[0])[1] if best else None


def _early(one: Cycle, place: int, values: Sequence[int]) -> int:
    """How many frames before the next piece answers a byte says so."""
    waits = np.flatnonzero(~np.isin(one.trace[one.lock :, place], values))
    return len(one.trace) - one.lock - 1 - (int(waits[-1]) if len(waits) else 0)


def _poked(driver: Driver, state: bytes, place: int, value: int) -> tuple[bool, bool]:
    """Whether a piece stops answering when a byte is poked, and whether the byte keeps that."""
    rig, x = driver.rig, driver.x.offset
    pads = driver.tap.pads
    frames = driver.tap.frames + EDGE

    def seen(button: int, pokes: dict[int, int]) -> Bytes:
        tap = pads(Button(button)) if button else []
        return rig.after(state, [*tap, *[0] * (frames - len(tap))], pokes)

    moved = {button: int(seen(int(button), {})[x]) != int(seen(0, {})[x]) for button in (Button.LEFT, Button.RIGHT)}
    poke = {place: value}
    still = seen(0, poke)
    answers = any(int(seen(int(button), poke)[x]) != int(still[x]) for button, free in moved.items() if free)
    return any(moved.values()) and not answers, int(still[place]) == value


def find_over(
    driver: Driver,
    falls: Sequence[Fallen],
    landings: Sequence[Landing],
    cells: Sequence[int],
    phase: Control | None,
    taken: Collection[int],
) -> OverByte | None:
    """The byte that shows that the game has ended: the one that tells control, or one that ends the game when it is
    poked. None if neither is found, and several bytes show all ends.

    ``landings``: pieces that were played; while they fell, the byte had other values. ``taken``: offsets of other
    things.
    """
    last = {one.game: one for one in landings}
    # games end at several heights, and after other pieces
    starts = [landings[0].state, *(one.state for one in last.values())][:ENDS]
    ends = [end for end in (_end(driver, state) for state in starts) if end is not None]
    if not ends:
        return None
    played = np.stack([ram for one in landings for ram in (one.before, one.flying)])
    normal = [*(one.trace for one in falls if one.trace is not None), played]
    found = [one for one in over_signs(ends[0], normal, (), ends[1:]) if one.offset not in {*cells, *taken}]
    own = next((one for one in found if phase is not None and one.offset == phase.offset), None)
    if own is not None and phase is not None and phase.obeyed:
        return own
    found.sort(key=lambda one: on_stack(driver.rig, one.offset))
    ending = {one: followed_end(driver, landings[0].state, one, found) for one in found[:MOST_ENDING]}
    best = max(ending, key=ending.__getitem__, default=None)
    if best is not None and ending[best] >= 0:
        return best
    return own or (found[0] if len(found) == 1 else None)


def followed_end(driver: Driver, state: bytes, one: OverByte, found: Sequence[OverByte]) -> int:
    """How many other bytes show the end after one of them is poked; -1 if a piece still answers then. ``state``: a
    savestate of a piece that answers. ``found``: all bytes that show the end.
    """
    rig = driver.rig
    rig.load(state)
    rig.poke({one.offset: one.value})
    rig.run([0] * SOON)
    if rig.peek(one.offset) != one.value:
        return -1
    rig.run([0] * LONG)
    ram, here = rig.snap(), rig.save()
    for wait in LATER:
        rig.load(here)
        rig.run([0] * wait)
        if driver.answers(rig.save()):
            return -1
    return sum(int(ram[other.offset]) == other.value for other in found if other is not one)


def _end(driver: Driver, state: bytes) -> Bytes | None:
    """RAM from the last piece of a game on, which was piled up where pieces appear; None if the game doesn't end."""
    for _ in range(60):
        try:
            state = driver.fall(state).state
        except CalibrationError:
            driver.rig.load(state)
            return driver.rig.trace([int(Button.DOWN)] * 60 + [0] * END_FRAMES)
    return None
