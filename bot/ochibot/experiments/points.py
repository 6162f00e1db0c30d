"""Finds the score of a game whose rules aren't known: a number that grows when cells vanish.

Numbers are ranked by one sum of bits: how well growth tells clears from other pieces, how many kinds of growth there
are, how much more clears bring than other pieces, and how near to nothing the number begins. A number that the game
adds to after it was poked is the score itself: high scores and copies for the picture don't keep what is poked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from ochibot.errors import CalibrationError
from ochibot.experiments.digits import FORMS, Form
from ochibot.experiments.driver import Driver
from ochibot.experiments.events import MOST_CLEARING, Event
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.rig import Bytes, signed

IDLE: Final = 120
"""In so many frames without a press, seconds of a clock go on, and a score doesn't."""

ROLLING: Final = 40
"""For so many frames, a score may still go up to what it is."""

WATCHED: Final = 3
MOST: Final = 10**7
FEWEST_BITS: Final = 6.0
"""A number that tells clears from other pieces by chance does so by fewer bits."""

FALL_BITS: Final = 4
MOST_MORE: Final = 4.0
"""Bits at most for clears that bring more than other pieces: a number read with others behind it grows by more, too."""

DIGIT_BITS: Final = {"": 0.0, "bcd": 1.4, "decimal": 2.0}
"""So seldom a byte that changes is digits by chance, in bits."""

MOST_POKED: Final = 24
MOST_EVENTS: Final = 3
"""How many events are repeated until one adds to the number again."""

Numbers = npt.NDArray[np.int64]
Bits = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Number:
    """Where a number is, and its form. kept: whether the game adds to what is poked into it."""

    offset: int
    form: Form
    evidence: Evidence
    kept: bool = False

    def place(self, power: int) -> int:
        """The offset of its byte with this power, 0 for the lowest."""
        return self.offset + self.form.place(power)


def find_number(driver: Driver, events: Sequence[Event], cells: Sequence[int], taken: Collection[int]) -> Number | None:
    """The score; None when no number grows as one. ``cells``: the field's; ``taken``: bytes of other things."""
    clears = np.array([one.gone > 0 for one in events])
    stack = np.stack([*(one.before for one in events), *(one.after for one in events)])
    free = _steady(driver, events, cells)
    free[[*cells, *taken]] = False
    moves = (stack != stack[0]).any(axis=0)
    best: dict[tuple[object, ...], tuple[float, Number, Numbers]] = {}
    for form in FORMS:
        places = _places(stack, form, free)
        numbers = _read(stack, places, form)
        good = (numbers >= 0).all(axis=0) & (numbers < MOST).all(axis=0)
        places, numbers = places[good], numbers[:, good]
        grown = numbers[len(events) :] - numbers[: len(events)]
        told, wrong = _told(grown, clears)
        for at in np.flatnonzero(told > FEWEST_BITS):
            falls = int((grown[:, at] < 0).sum())
            against = int(wrong[at]) + falls
            number = Number(int(places[at]), form, Evidence(len(events) - against, against))
            bits = float(told[at]) + _worth(grown[:, at], clears, int(numbers[0, at])) - FALL_BITS * falls
            # digits that are always 0 behind a number may belong to another one
            moving = [bool(moves[number.place(power)]) for power in range(form.width)]
            bits += DIGIT_BITS[form.digits] * sum(moving) - moving.index(True)
            # of a number's widths the greatest comes first; high bytes that aren't its are found by pokes
            key = number.place(0), form.little, form.digits, form.zero
            if key not in best or bits > best[key][0]:
                best[key] = bits, number, grown[:, at]
    found = sorted(best.values(), key=lambda item: -item[0])
    for _, number, grown in found[:MOST_POKED]:
        adding = [one for one, more in zip(events, grown.tolist(), strict=True) if one.gone and more > 0]
        some = [*adding[-1:], *adding[:-1]][:MOST_EVENTS]
        if (event := next((one for one in some if _kept(driver, one, number)), None)) is not None:
            number = _narrowed(driver, event, _trimmed(driver, events, number))
            return replace(number, evidence=replace(number.evidence, others=len(found) - 1), kept=True)
    first = found[0][1] if found else None
    if first is None or first.evidence.contradicted:
        return None
    doubt = "what is poked is lost, so it may be a copy"
    return replace(first, evidence=replace(first.evidence, others=len(found) - 1, doubt=doubt))


def _told(grown: Numbers, clears: npt.NDArray[np.bool_]) -> tuple[Bits, Numbers]:
    """How many bits of the events each number tells when more growth than some limit means a clear, at the best limit;
    and how many events it then tells wrongly.
    """

    def total(counts: npt.ArrayLike) -> Bits:
        times = np.asarray(counts, np.float64)
        return times * np.log2(np.maximum(times, 1))

    order = np.argsort(-grown, axis=0)
    ranked = np.take_along_axis(grown, order, axis=0)
    above = np.arange(1, len(grown))[:, None]
    hit = np.cumsum(clears[order], axis=0)[:-1]
    count = int(clears.sum())
    parts = hit, above - hit, count - hit, len(grown) - above - count + hit
    bits = sum(map(total, parts)) + total(len(grown))
    bits = bits - total(above) - total(len(grown) - above) - total(count) - total(len(grown) - count)
    more = hit * len(grown) > above * count
    bits = np.where(more & (ranked[:-1] > ranked[1:]) & (ranked[:-1] > 0), bits, 0)
    at = bits.argmax(axis=0), np.arange(grown.shape[1])
    return bits[at], (parts[1] + parts[2])[at]


def _worth(grown: Numbers, clears: npt.NDArray[np.bool_], begun: int) -> float:
    """Bits for growths of many kinds, for clears that bring more than other pieces, and for a small number at first."""
    _, times = np.unique(grown, return_counts=True)
    share = times / len(grown)
    kinds = -float((share * np.log2(share)).sum())
    paid = grown[clears].clip(0).mean()
    idle = grown[~clears].clip(0).mean() if (~clears).any() else 0.0
    more = min(MOST_MORE, float(np.log2(1 + paid) - np.log2(1 + idle)))
    return kinds + more - float(np.log2(1 + begun / max(1, int(grown.sum()))))


def _steady(driver: Driver, events: Sequence[Event], cells: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Bytes that don't change while a piece falls and nothing is pressed."""
    found = np.ones(driver.rig.size, bool)
    for one in events[:: max(1, len(events) // WATCHED)]:
        seen = driver.rig.branch(one.state, [0] * IDLE)
        landed = (seen[:, list(cells)] != seen[0, list(cells)]).any(axis=1)
        until = int(landed.argmax()) if landed.any() else IDLE
        if driver.drawn:
            # its cells change as it falls; it is as low as it gets before it lands
            sunk = signed(seen[:, driver.y.offset] - seen[0, driver.y.offset]).astype(int) * driver.y.step
            until = int(np.argmax(sunk))
        begun = min(ROLLING, until // 2)
        found &= (seen[begun:until] == seen[begun]).all(axis=0)
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
    """Whether the game adds to a number that is poked, and carries from its lowest digit that changes on."""
    form = number.form
    first, then = (ram[number.offset : number.offset + form.width] for ram in (one.before, one.after))
    changed = [power for power in range(form.width) if first[form.place(power)] != then[form.place(power)]]
    if not changed:
        return False
    places = [form.place(power) for power in range(changed[0], max(changed[-1], changed[0] + 1))]
    plain = _after(driver, one, number, {})
    began, added = (-1 if part is None else int(form.read(part)[0]) for part in (first, plain))
    for value in (form.most, form.zero):
        poked = first.copy()
        poked[places] = value
        more = _after(driver, one, number, dict.fromkeys(places, value)) if added > began else None
        if more is None or int(form.read(more)[0]) - added != int(form.read(poked)[0]) - began:
            return False
    return True


def _narrowed(driver: Driver, one: Event, number: Number) -> Number:
    """The number without the high bytes into which nothing is carried."""
    while number.form.width > 2:
        form = number.form
        *lower, top = (form.place(power) for power in range(form.width))
        after = [_after(driver, one, number, dict.fromkeys(lower, value)) for value in (form.zero, form.most)]
        if any(part is None for part in after) or len({int(part[top]) for part in after if part is not None}) > 1:
            break
        number = replace(number, offset=number.offset + (not form.little), form=replace(form, width=form.width - 1))
    return number


def _trimmed(driver: Driver, events: Sequence[Event], number: Number) -> Number:
    """The number without the low digits, or bytes, from which nothing is carried. Of those that are always 0, the
    highest may be the last digit of a score in tens; the only one above another number is that number's.
    """
    dropped: list[tuple[Number, bool]] = []
    while number.form.width > 2:
        low = number.place(0)
        changing = [one for one in events if one.before[low] != one.after[low]]
        changing.sort(key=lambda one: one.gone == 0)
        if any(_kept(driver, one, number) for one in changing[:MOST_EVENTS]):
            break
        dropped.append((number, bool(changing)))
        form = replace(number.form, width=number.form.width - 1)
        number = replace(number, offset=number.offset + form.little, form=form)
    tens = number.form.digits == "decimal" and bool(dropped) and not any(moves for _, moves in dropped[-2:])
    return dropped[-1][0] if tens else number


def _places(stack: Bytes, form: Form, free: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Offsets where a number of this form may begin: its bytes fit, its lowest one changes, none is taken."""
    moves = (stack != stack[0]).any(axis=0)
    lowest = moves
    if form.digits == "bcd":
        free = free & ((stack >> 4 <= 9) & (stack & 15 <= 9)).all(axis=0)
    elif form.digits == "decimal":
        # the lowest digit is never blank, but it may be 0 for good
        lowest = ((stack >= form.zero) & (stack.astype(np.int64) <= form.zero + 9)).all(axis=0)
    inside, moving = (sliding_window_view(flags, form.width) for flags in (free, moves))
    low = sliding_window_view(lowest, form.width)[:, form.place(0)]
    return np.flatnonzero(inside.all(axis=1) & moving.any(axis=1) & low)


def _read(stack: Bytes, places: npt.NDArray[np.int64], form: Form) -> Numbers:
    """The numbers at these offsets in each RAM, (rams, places) int64; -1 where bytes are no digits."""
    windows = stack[:, places[:, None] + np.arange(form.width)]
    flat = windows.reshape(-1, form.width)
    return form.read_all(flat).reshape(windows.shape[:2])
