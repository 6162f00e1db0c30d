"""Pieces after which cells vanish, and pieces after which none do: what a score tells apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver, Fallen
from ochibot.experiments.facts import Basis
from ochibot.experiments.fields import Came, Spot
from ochibot.experiments.rig import Bytes
from ochibot.experiments.setting import pokes_of

FULL: Final = (1, 2, 3, 4)
"""So many rows are filled. Full rows vanish in one kind of game, and equal cells side by side in others."""

MOST_CLEARING: Final = 3000
TRACED: Final = 10


@dataclass(frozen=True)
class Event:
    """A piece. state, pokes, x, turns: what it was dropped from, and where. before, after: RAM as it came under
    control, and when the next one did. gone: how many cells vanished.
    """

    state: bytes
    pokes: dict[int, int]
    x: int
    turns: tuple[int, ...]
    before: Bytes
    after: Bytes
    gone: int


def events_of(
    driver: Driver, basis: Basis, left: Sequence[Came], button: int | None
) -> tuple[list[Event], list[Fallen], bytes | None]:
    """The pieces that were played, then some on rows that are filled from outside; traces of some of them; and a
    savestate after filled rows have vanished, if any have.
    """
    found = [
        Event(
            one.landing.state,
            {},
            one.landing.x,
            (button or 0,) * one.landing.turns,
            one.landing.before,
            one.landing.after,
            one.gone,
        )
        for one in left
    ]
    traced: list[Fallen] = []
    clears = [one for one in found if one.gone]
    some = [*clears[: TRACED // 3], *[one for one in found if not one.gone]]
    for one in some[:: max(1, len(some) // TRACED)][:TRACED]:
        traced += _again(driver, one)
    made, falls = _filled(driver, basis, left)
    return [*found, *made], [*traced, *falls], falls[0].state if falls else None


def _again(driver: Driver, one: Event) -> list[Fallen]:
    """The piece again, with its trace; nothing if it doesn't come down."""
    try:
        return [
            driver.fall(
                one.state, column=one.x, turns=one.turns, pokes=one.pokes, keep=True, most=MOST_CLEARING, about=True
            )
        ]
    except CalibrationError:
        return []


def _filled(driver: Driver, basis: Basis, left: Sequence[Came]) -> tuple[list[Event], list[Fallen]]:
    """Pieces on filled rows, if what is written holds pieces; those after which the rows have vanished."""
    field, events, traced = basis.place, [], []
    if basis.setting.kind == "none":
        return [], []
    codes = Counter(code for one in left for _, code in one.cells).most_common(2)
    lowest = [one for one in left if one.cells and not one.gone and not one.landing.turns]
    for number, rows in enumerate(rows for rows in FULL for _ in codes):
        if not lowest:
            break
        one = lowest[number % len(lowest)]
        code = codes[number % len(codes)][0]
        cells: dict[Spot, int] = {(c, r): code for c in range(field.grid.columns) for r in range(rows)}
        pokes = pokes_of(field, basis.setting, cells)
        event = Event(one.landing.state, pokes, one.landing.x, (), one.landing.before, one.landing.after, 0)
        fallen = _again(driver, event)
        if not fallen:
            continue
        after = fallen[0].ram
        stayed = sum(field.cells(after).get(spot) == code for spot in cells)
        if 2 * stayed < len(cells):
            events.append(Event(event.state, pokes, event.x, (), event.before, after, len(cells) - stayed))
            traced += fallen
    return events, traced
