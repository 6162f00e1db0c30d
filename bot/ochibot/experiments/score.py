"""Finds the score and its form.

Experiments provoke locks that clear known groups. The points of the groups are looked for at every address, in every
form of number. The formula's tables follow from the rule
points of a step = unit x cells x max(1, chain power + colour bonus + group bonus).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ochibot.experiments.effects import Event, Poker, group
from ochibot.experiments.rig import Bytes

UNIT = 10
"""Shown points of a cell that vanishes without a bonus, in all known games of the family."""

GROUP_BONUS = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
"""The published bonus by the number of a group's cells; this table is tried first."""

SCALES = (1, 10, 100)

MOST_FIRST_POWER = 12

MOST_GROUP_TIMES = 64
"""A group in the first step is worth at most this many times the points of its cells."""

MOST_DIGITS = 10

MOST_TRIED = 12
"""How many numbers that could be the score are poked before the search gives up."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Form:
    """How a number is kept. width: bytes. little: the lowest byte comes first. digits: ``decimal`` for one digit in a
    byte, ``bcd`` for two, empty for a binary number. zero: the byte that stands for the digit 0. Leading zeros of
    single digits may be blank: equal bytes that are no digits.
    """

    width: int
    little: bool
    digits: str = ""
    zero: int = 0

    @property
    def name(self) -> str:
        """The ``type`` of this width and byte order in a RAM map, such as ``u16le``. It doesn't give the digits."""
        if self.width == 1:
            return "u8"
        return f"u{8 * self.width}{'le' if self.little else 'be'}"

    def place(self, power: int) -> int:
        """Which of its bytes has this power, 0 for the lowest."""
        return power if self.little else self.width - 1 - power

    def read(self, ram: Bytes) -> Numbers:
        """The number that starts at each offset, (size,) int64; -1 where bytes aren't digits."""
        padded = np.concatenate([ram, np.zeros(self.width, np.uint8)])
        return self.read_all(np.lib.stride_tricks.sliding_window_view(padded, self.width)[: len(ram)])

    def read_all(self, parts: Bytes) -> Numbers:
        """The number that each row of bytes is, (rows,) int64; -1 where bytes aren't digits."""
        size = len(parts)
        total = np.zeros(size, np.int64)
        bad = np.zeros(size, bool)
        blank = np.full(size, -1)
        begun = np.zeros(size, bool)
        for power in range(self.width - 1, -1, -1):
            byte = parts[:, self.place(power)].astype(np.int64)
            if self.digits == "bcd":
                bad |= ((byte >> 4) > 9) | ((byte & 15) > 9)
                total += ((byte >> 4) * 10 + (byte & 15)) * 100**power
            elif self.digits == "decimal":
                digit = byte - self.zero
                is_digit = (digit >= 0) & (digit <= 9)
                is_blank = ~is_digit & ~begun & ((blank < 0) | (blank == byte))
                blank[is_blank] = byte[is_blank]
                begun |= is_digit
                bad |= ~is_digit & ~is_blank
                total += np.where(is_digit, digit, 0) * 10**power
            else:
                total += byte << (8 * power)
        total[bad] = -1
        return total

    def digit(self, byte: int) -> int:
        """The digit that a byte stands for; 0 where it is none."""
        return byte - self.zero if 0 <= byte - self.zero <= 9 else 0


FORMS = (
    *(Form(width, little) for width in (4, 3, 2) for little in (True, False)),
    *(Form(width, little, "bcd") for width in (4, 3) for little in (True, False)),
    *(
        Form(width, little, "decimal", zero)
        for zero in range(0, 256, 16)
        for width in (8, 7, 6, 5)
        for little in (True, False)
    ),
)


@dataclass(frozen=True)
class Score:
    """Where the score is. The screen shows the number in RAM times ``scale``."""

    offset: int
    form: Form
    scale: int
    kept: bool
    """Whether the game adds to what is poked. A copy for the picture is written over."""

    def value(self, ram: Bytes) -> int:
        """The score as the screen shows it."""
        part = ram[self.offset : self.offset + self.form.width]
        return int(self.form.read(part)[0]) * self.scale


def _matches(events: Sequence[Event], form: Form, points: Callable[[int], int]) -> dict[int, int]:
    """Offsets of numbers to which every group added its ``points(size)``, each with the scale of the number."""
    nothing = form.read(events[0].fallen.ram)
    groups = [event for event in events[1:] if event.name.startswith("group")]
    found: dict[int, int] = {}
    added = [(event.steps[0][0][0], form.read(event.fallen.ram) - nothing) for event in groups]
    chains = [(_cells(one), form.read(one.fallen.ram) - nothing) for one in _chains(events)]
    for scale in SCALES:
        places = np.flatnonzero(nothing >= 0)
        for size, more in added:
            places = places[more[places] * scale == points(size)]
        # a longer chain is worth more: a number of the other byte order doesn't grow beyond its lowest byte
        least = np.zeros(len(nothing), np.int64)
        for count, more in chains:
            places = places[more[places] * scale >= np.maximum(least[places] + 1, UNIT * count)]
            least = more * scale
        found |= {int(place): scale for place in places}
    return found


def _chains(events: Sequence[Event]) -> list[Event]:
    """The chains among the events, the shortest first."""
    return sorted((one for one in events[1:] if one.name.startswith("chain")), key=lambda one: len(one.steps))


def _cells(event: Event) -> int:
    """How many cells an event cleared."""
    return sum(number for step in event.steps for number, _ in step)


def find_score(
    poker: Poker,
    events: Sequence[Event],
    size: int,
    taken: Collection[int] = (),
    documented: Score | None = None,
) -> Score | None:
    """Finds the score; None when no number fits, or fewer than three groups vanished.

    ``taken``: offsets that are known to hold something else. ``documented``: a score to be tried before all others.
    """
    if sum(event.name.startswith("group") for event in events) < 3:
        return None

    def published(first: int) -> Callable[[int], int]:
        return lambda count: UNIT * count * max(1, first + GROUP_BONUS[min(count, len(GROUP_BONUS) - 1)])

    weak: Score | None = None
    for first in range(MOST_FIRST_POWER + 1 if documented is not None else 0):
        assert documented is not None
        scale = _matches(events, documented.form, published(first)).get(documented.offset)
        if scale is not None and _kept(poker, documented.offset, documented.form, size):
            return Score(documented.offset, documented.form, scale, kept=True)
    # in all published tables the first step has a power of 0, so 0 is tried first
    for first in range(MOST_FIRST_POWER + 1):
        for form in FORMS if first == 0 else FORMS[:6]:
            for place, scale in _matches(events, form, published(first)).items():
                if _unlikely(events, place, form, taken):
                    continue
                found = Score(place, form, scale, kept=_kept(poker, place, form, size))
                if found.kept:
                    return _narrowed(poker, _without_noughts(found, events), size)
                weak = weak or found
        if weak is not None:
            break
    return weak or _by_chains(poker, events, size, taken)


def _by_chains(poker: Poker, events: Sequence[Event], size: int, taken: Collection[int]) -> Score | None:
    """Finds a score whose tables aren't the published ones; None if there is none.

    Each group must add a whole multiple of the points of its cells. The longest chain must add more than the points of
    its cells; otherwise the number might just count cells.
    """
    cells = {event.name: _cells(event) for event in events[1:]}
    groups = sorted((cells[event.name], event) for event in events[1:] if event.name.startswith("group"))
    chains = sorted((cells[event.name], event) for event in events[1:] if event.name.startswith("chain"))
    if len(chains) < 2:
        return None
    tried = 0
    for form in FORMS:
        nothing = form.read(events[0].fallen.ram)
        good = nothing >= 0
        more = {event.name: form.read(event.fallen.ram) - nothing for event in events[1:]}
        for scale in SCALES:
            likely = good.copy()
            last = np.zeros(len(good), np.int64)
            for count, event in groups:
                worth = more[event.name] * scale
                times = worth // (UNIT * count)
                likely &= (worth % (UNIT * count) == 0) & (times >= np.maximum(1, last)) & (times <= MOST_GROUP_TIMES)
                if form.digits == "decimal" and count == groups[0][0]:
                    # a 0 that stands behind the digits makes all points ten times as many
                    likely &= times % 10 != 0
                last = times
            worth_before = np.zeros(len(good), np.int64)
            for _, event in chains:
                worth = more[event.name] * scale
                likely &= (worth > worth_before) & (worth % (UNIT * size) == 0)
                worth_before = worth
            likely &= worth_before > UNIT * chains[-1][0]
            for place in np.flatnonzero(likely):
                if _unlikely(events, int(place), form, taken):
                    continue
                tried += 1
                if tried > MOST_TRIED:
                    return None
                found = Score(int(place), form, scale, kept=_kept(poker, int(place), form, size))
                if found.kept:
                    return _narrowed(poker, found, size)
    return None


def _unlikely(events: Sequence[Event], place: int, form: Form, taken: Collection[int]) -> bool:
    """Whether a number shares bytes with something else, or is already huge although the game has only begun."""
    if any(one in taken for one in range(place, place + form.width)):
        return True
    high = place + form.width - 1 if form.little else place
    return form.width > 2 and not form.digits and int(events[0].fallen.ram[high]) != 0


def score_after(poker: Poker, pokes: dict[int, int], size: int) -> Bytes:
    """RAM after ``pokes`` were written and a group of ``size`` cells vanished. DOWN isn't pressed."""
    ground = poker.ground
    kinds = ground.colors
    painted = {**ground.painted(group(ground, size)), **poker.pokes(kinds[0], kinds[2]), **pokes}
    return ground.driver.fall(ground.state, column=ground.columns[0], pokes=painted, pad=0, most=6000).ram


def _kept(poker: Poker, place: int, form: Form, size: int) -> bool:
    """Whether the game adds to a number that is poked, and doesn't write over it."""
    low = place if form.little else place + form.width - 1
    before = score_after(poker, {}, size)
    after = score_after(poker, {low: poker_value(poker, low) + 1}, size)
    return int(after[low]) == int(before[low]) + 1


def poker_value(poker: Poker, place: int) -> int:
    """A byte's value in the savestate from which the experiments start."""
    poker.ground.rig.load(poker.ground.state)
    return poker.ground.rig.peek(place)


def _without_noughts(score: Score, events: Sequence[Event]) -> Score:
    """The score without the low digits that are 0 after every lock, because they may belong to another number."""
    form = score.form
    while form.digits == "decimal" and form.width > 3:
        low = score.offset if form.little else score.offset + form.width - 1
        if any(int(event.fallen.ram[low]) != form.zero for event in events):
            break
        form = replace(form, width=form.width - 1)
        score = Score(score.offset + form.little, form, score.scale * 10, score.kept)
    return score


def _narrowed(poker: Poker, score: Score, size: int) -> Score:
    """The score with only those bytes that carry into each other."""
    form = score.form
    if form.digits == "decimal":
        return _digits(poker, score, size)
    most = 0x99 if form.digits else 0xFF
    low = score.offset if form.little else score.offset + form.width - 1
    step = 1 if form.little else -1
    width = 1
    while width < form.width:
        places = [low + step * number for number in range(width)]
        after = score_after(poker, dict.fromkeys(places, most), size)
        if int(after[low + step * width]) == poker_value(poker, low + step * width):
            break
        width += 1
    width = max(width, 2)
    first = low if form.little else low - width + 1
    return Score(first, replace(form, width=width), score.scale, score.kept)


def _digits(poker: Poker, score: Score, size: int) -> Score:
    """The score with all digits that carry into each other, and with the constant zeros below them."""
    form = score.form
    step = 1 if form.little else -1
    low = score.offset if form.little else score.offset + form.width - 1
    plain = score_after(poker, {}, size)
    start = [poker_value(poker, low + step * number) for number in range(form.width)]
    changed = [number for number, old in enumerate(start) if int(plain[low + step * number]) != old]
    # digits below the lowest one that changes are constant, and never carry
    width = changed[0] + 1 if changed else form.width
    while width < MOST_DIGITS:
        places = [low + step * number for number in range(width)]
        above = low + step * width
        if not 0 <= above < poker.ground.rig.size:
            break
        after = score_after(poker, dict.fromkeys(places, form.zero + 9), size)
        if int(after[above]) == int(plain[above]) or form.digit(int(after[above])) - form.digit(int(plain[above])) != 1:
            break
        width += 1
    first = low if form.little else low - width + 1
    if width < 3:
        return score
    return Score(first, Form(width, form.little, form.digits, form.zero), score.scale, score.kept)
