"""Finds the score of a game whose rules aren't known: a number that grows when cells vanish.

It never falls, doesn't change with time, and grows by little or nothing when no cells vanish. A number that the game
adds to after it was poked is the score itself: high scores and copies for the picture don't keep what is poked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver
from ochibot.experiments.events import MOST_CLEARING, Event
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.rig import Bytes, signed
from ochibot.experiments.score import FORMS, Form

IDLE: Final = 90
"""In so many frames without a press, seconds of a clock go on, and a score doesn't."""

WATCHED: Final = 3
FEWEST_CLEARS: Final = 2
MOST: Final = 10**7
PAID: Final = 0.75
"""The share of the events with cells that vanish in which a score grows by more than usual, at least. It may be
capped, or what vanished may be someone else's.
"""

COUNTED: Final = 1.4
"""Numbers whose ratio is below this are about the same."""

MOST_POKED: Final = 24
MOST_EVENTS: Final = 3
"""How many events are repeated until one adds to the number again."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Number:
    """Where a number is, and its form. kept: whether the game adds to what is poked into it."""

    offset: int
    form: Form
    evidence: Evidence
    kept: bool = False


def find_number(driver: Driver, events: Sequence[Event], cells: Sequence[int], taken: Collection[int]) -> Number | None:
    """The score; None when no number grows as one. ``cells``: the field's; ``taken``: bytes of other things."""
    gone = np.array([one.gone for one in events])
    clears = gone > 0
    if clears.sum() < FEWEST_CLEARS:
        return None
    steady = _steady(driver, events, cells)
    stack = np.stack([*(one.before for one in events), *(one.after for one in events)])
    free = np.ones(stack.shape[1], bool)
    free[[*cells, *taken]] = False
    found: list[tuple[tuple[float, ...], Number, Numbers]] = []
    for rank, form in enumerate(FORMS):
        places = _places(stack, form, free & steady)
        if not len(places):
            continue
        numbers = _read(stack, places, form)
        steps = numbers[len(events) :] - numbers[: len(events)]
        good = (numbers >= 0).all(axis=0) & (numbers < MOST).all(axis=0)
        good &= (steps < 0).sum(axis=0) <= len(events) // 16
        for at in np.flatnonzero(good):
            grown = steps[:, at]
            usual = max(0, int(np.median(grown[~clears]))) if (~clears).any() else 0
            paid, idly = int((grown[clears] > usual).sum()), int((grown[~clears] > usual).sum())
            if max(grown[~clears].tolist(), default=0) < min(grown[clears].tolist()):
                idly = 0  # drop points: however far a piece falls, a clear brings more
            kinds = len(set(grown[clears].tolist()))
            if paid < PAID * clears.sum() or 2 * idly > (~clears).sum() or kinds < 2:
                continue
            against = int(clears.sum()) - paid + int((grown < 0).sum())
            begun = int(numbers[0, at])
            # at the start of a game a score is small; digits fit fewer bytes by chance
            likely = begun > int(grown.sum()), _counts(grown[clears], gone[clears]), idly - paid
            key = (*likely, form.digits == "", -kinds, rank, int(places[at]))
            found.append((key, Number(int(places[at]), form, Evidence(len(events) - against, against)), grown))
    found.sort(key=lambda item: item[0])
    if not found:
        return None
    best, kept = found[0][1], False
    for _, number, grown in found[:MOST_POKED]:
        adding = [one for one, more in zip(events, grown, strict=True) if one.gone and more > 0]
        some = [*adding[-1:], *adding[:-1]][:MOST_EVENTS]
        event = next((one for one in some if _kept(driver, one, number)), None)
        if event is not None:
            others = [one for _, one, _ in found]
            best, kept = _narrowed(driver, event, _lowered(driver, event, number, others, events)), True
            break
    seen, doubt = best.evidence, "" if kept else "what is poked is lost, so it may be a copy"
    return Number(best.offset, best.form, Evidence(seen.supported, seen.contradicted, len(found) - 1, doubt), kept)


def _counts(grown: Numbers, gone: Numbers) -> bool:
    """Whether a number has grown by at most one for two cells that vanished, and by about as much for each cell: it may
    count lines.
    """
    each = (grown / gone).tolist()
    return bool(max(each) <= min(0.5, COUNTED * min(each)))


def _steady(driver: Driver, events: Sequence[Event], cells: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Bytes that don't change while a piece falls and nothing is pressed."""
    found = np.ones(driver.rig.size, bool)
    for one in events[:: max(1, len(events) // WATCHED)]:
        seen = driver.rig.branch(one.state, [0] * IDLE)
        landed = (seen[:, list(cells)] != seen[0, list(cells)]).any(axis=1)
        if driver.drawn:
            # its cells change as it falls
            sunk = signed(seen[:, driver.y.offset] - seen[0, driver.y.offset]).astype(int) * driver.y.step
            landed = sunk < np.maximum.accumulate(sunk)
        until = int(landed.argmax()) if landed.any() else IDLE
        found &= (seen[:until] == seen[0]).all(axis=0)
    return found


def _after(driver: Driver, one: Event, number: Number, pokes: Mapping[int, int]) -> Bytes | None:
    """The number's bytes after an event before which they were poked; None if the piece doesn't come down."""
    both = {**one.pokes, **{number.offset + at: value for at, value in pokes.items()}}
    try:
        fallen = driver.fall(one.state, column=one.x, turns=one.turns, pokes=both, most=MOST_CLEARING, about=True)
    except CalibrationError:
        return None
    return fallen.ram[number.offset : number.offset + number.form.width]


def _kept(driver: Driver, one: Event, number: Number) -> bool:
    """Whether the game adds to a number that is poked, and carries over."""
    form = number.form
    first, then = (ram[number.offset : number.offset + form.width] for ram in (one.before, one.after))
    low = next((at for at in map(form.place, range(form.width)) if first[at] != then[at]), None)
    if low is None:
        return False
    poked = first.copy()
    poked[low] = form.most
    plain, more = _after(driver, one, number, {}), _after(driver, one, number, {low: form.most})
    if plain is None or more is None:
        return False
    began, added, ended = (int(form.read(part)[0]) for part in (first, plain, more))
    return added > began and ended - added == int(form.read(poked)[0]) - began


def _lowered(driver: Driver, one: Event, number: Number, others: Sequence[Number], events: Sequence[Event]) -> Number:
    """The number with the lower digits that change at least as often, if the game adds to these as well. Drop points
    change them, and what they carry makes the digits above look like a number of more kinds.
    """

    def low(number: Number) -> int:
        return number.offset + number.form.place(0)

    def turns(place: int) -> int:
        return sum(int(event.before[place]) != int(event.after[place]) for event in events)

    for other in others:
        forms = [(one.form.digits, one.form.little, one.form.zero) for one in (number, other)]
        beyond = low(number) - low(other) if number.form.little else low(other) - low(number)
        if (
            number.form.digits
            and forms[0] == forms[1]
            and 0 < beyond < number.form.width
            and turns(low(other)) >= max(map(turns, range(number.offset, number.offset + number.form.width)))
            and _kept(driver, one, other)
        ):
            number = other
    return number


def _narrowed(driver: Driver, one: Event, number: Number) -> Number:
    """The number without the high bytes into which nothing is carried."""
    while number.form.width > 2:
        form = number.form
        places = [form.place(power) for power in range(form.width)]
        after = _after(driver, one, number, dict.fromkeys(places[:-1], form.most))
        if after is None or after[places[-1]] != one.before[number.offset + places[-1]]:
            break
        number = replace(number, offset=number.offset + (not form.little), form=replace(form, width=form.width - 1))
    return number


def _places(stack: Bytes, form: Form, free: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Offsets where a number of this form may begin: its bytes fit, its lowest ones change, none is taken."""
    fits = free.copy()
    if form.digits == "bcd":
        fits &= ((stack >> 4 <= 9) & (stack & 15 <= 9)).all(axis=0)
    moves = (stack != stack[0]).any(axis=0)
    count = len(fits) - form.width + 1
    good = np.ones(max(0, count), bool)
    some = good & False
    for number in range(form.width):
        good &= fits[number : number + count]
        some |= moves[number : number + count]
    low = 0 if form.little else form.width - 1
    turns = (stack[1:] != stack[:-1]).sum(axis=0)
    most = np.stack([turns[number : number + count] for number in range(form.width)]).max(axis=0)
    if form.digits == "decimal":
        digits = (stack >= form.zero) & (stack.astype(np.int64) <= form.zero + 9)
        is_digit = np.all(digits, axis=0)
        # the lowest digit is never blank, and it or the next one changes with the number: a 0 may stand there for good
        next_to = 1 if form.little else form.width - 2
        good &= is_digit[low : low + count]
        some = 2 * np.maximum(turns[low : low + count], turns[next_to : next_to + count]) >= np.maximum(1, most)
    elif form.digits == "bcd":
        # BCD has high digits that change; where they don't, single digits stand in the bytes
        good &= moves[low : low + count]
        tens = (stack >> 4 != stack[0] >> 4).any(axis=0)
        some &= np.stack([tens[number : number + count] for number in range(form.width)]).any(axis=0)
    else:
        # the lowest byte changes whenever the number does, but for round ones
        good &= 2 * turns[low : low + count] >= most
    return np.flatnonzero(good & some)


def _read(stack: Bytes, places: npt.NDArray[np.int64], form: Form) -> Numbers:
    """The numbers at these offsets in each RAM, (rams, places) int64; -1 where bytes are no digits."""
    windows = stack[:, places[:, None] + np.arange(form.width)]
    flat = windows.reshape(-1, form.width)
    return form.read_all(flat).reshape(windows.shape[:2])
