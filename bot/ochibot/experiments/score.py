"""Finds the score and its form.

Experiments provoke locks that clear known groups. The points of the groups are looked for at every address, in every
form of number. The formula's tables follow from the rule
points of a step = unit x cells x max(1, chain power + colour bonus + group bonus).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ochibot.errors import CalibrationError
from ochibot.experiments.effects import MOST_LOCK, Event, Poker, group, under_short
from ochibot.experiments.rig import Bytes

UNIT = 10
"""Shown points of a cell that vanishes without a bonus, in all known games of the family."""

MOST_GAIN = 10_000
"""The number in RAM grows by less than this for a cell of the first group."""

MOST_GROUP_TIMES = 64
"""A group in the first step is worth at most this many times the points of its cells."""

MOST_DIGITS = 10
_SURE_DIGITS = 5
"""A number of single digits has at least so many."""

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

    @property
    def most(self) -> int:
        """The byte with the highest digit."""
        return {"decimal": self.zero + 9, "bcd": 0x99}.get(self.digits, 0xFF)

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

    def written(self, number: int) -> list[int]:
        """The bytes of a number, in the order of their addresses."""
        found = []
        for _ in range(self.width):
            if self.digits == "bcd":
                number, two = divmod(number, 100)
                found.append(two // 10 << 4 | two % 10)
            elif self.digits == "decimal":
                number, one = divmod(number, 10)
                found.append(self.zero + one)
            else:
                number, one = divmod(number, 256)
                found.append(one)
        return found if self.little else found[::-1]

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

    def pokes(self, number: int) -> dict[int, int]:
        """What must be written so that RAM has this number."""
        return dict(enumerate(self.form.written(number), self.offset))


def _grows(events: Sequence[Event], size: int, form: Form) -> list[int]:
    """Offsets of numbers that grow as scores do.

    Each group adds a whole multiple of its cells, a larger one at least as much for each cell. More colours and a
    longer chain add more, and the longest more than its cells alone: a number that doesn't might just count cells.
    """
    before = form.read(events[0].fallen.ram)
    good = before >= 0
    last = np.zeros(len(good), np.int64)
    least = np.full(len(good), MOST_GAIN)
    round_ = np.ones(len(good), bool)
    whole = {"": 256, "bcd": 100}.get(form.digits, MOST_GAIN)
    for count, event in _sorted(events, "group"):
        gain = form.read(event.fallen.ram) - before
        good &= (gain > 0) & (gain % count == 0) & (gain // count >= last)
        last = gain // count
        least = np.minimum(least, last)
        round_ &= gain % whole == 0
    good &= (last <= MOST_GROUP_TIMES * least) & (least < MOST_GAIN)
    # points that wait to become nuisance shrink at the next one
    for kind in ("colours", "chain"):
        last = least * size
        for _, event in _sorted(events, kind):
            gain = form.read(event.fallen.ram) - before
            good &= (gain > last) & (gain % size == 0)
            last = gain
    if chains := _sorted(events, "chain"):
        good &= last > least * chains[-1][0]
    # a number that begins a byte too low adds only round numbers
    return [int(place) for place in np.flatnonzero(good & ~round_)]


def _sorted(events: Sequence[Event], kind: str) -> list[tuple[int, Event]]:
    """The events whose names begin with ``kind``, each with the cells that it cleared; those with fewest first."""
    found = [(sum(n for step in one.steps for n, _ in step), one) for one in events if one.name.startswith(kind)]
    return sorted(found, key=lambda one: one[0])


def find_score(
    poker: Poker,
    events: Sequence[Event],
    size: int,
    taken: Collection[int] = (),
    documented: Score | None = None,
) -> Score | None:
    """Finds the score; None when no number grows as a score does, or too few groups and chains were seen.

    ``taken``: offsets that are known to hold something else. ``documented``: a score to be tried before all others.
    """
    seen = {kind: sum(event.name.startswith(kind) for event in events) for kind in ("group", "chain")}
    if seen["group"] < 3:
        return None
    if documented is not None and documented.offset in _grows(events, size, documented.form):
        found = _scaled(documented.offset, documented.form, events, size)
        if _kept(poker, found.offset, found.form, size):
            return replace(found, kept=True)
    if seen["chain"] < 2:
        return None
    weak: Score | None = None
    tried = 0
    for form in FORMS:
        for place in _grows(events, size, form):
            if _unlikely(events, place, form, taken):
                continue
            tried += 1
            if tried > MOST_TRIED:
                return weak
            found = _scaled(place, form, events, size)
            if _kept(poker, found.offset, found.form, size):
                return _narrowed(poker, replace(found, kept=True), size)
            weak = weak or found
    return weak


def _scaled(place: int, form: Form, events: Sequence[Event], size: int) -> Score:
    """The score at a place, with zeros that the screen adds: a cell is worth a multiple of 10 in all known games."""
    score = _without_noughts(Score(place, form, 1, kept=False), events)
    group = next(one for one in events if one.name == f"group {size}")
    gain = score.value(group.fallen.ram) - score.value(events[0].fallen.ram)
    if gain // size % UNIT:
        return replace(score, scale=score.scale * UNIT)
    # zeros that belong to something else were taken for its lowest digits
    while score.scale > 1 and gain // size % UNIT**2 == 0:
        gain, score = gain // UNIT, replace(score, scale=score.scale // UNIT)
    return score


def _unlikely(events: Sequence[Event], place: int, form: Form, taken: Collection[int]) -> bool:
    """Whether a number shares bytes with something else, or is already huge although the game has only begun."""
    if any(one in taken for one in range(place, place + form.width)):
        return True
    high = place + form.width - 1 if form.little else place
    return form.width > 2 and not form.digits and int(events[0].fallen.ram[high]) != 0


def score_after(poker: Poker, pokes: dict[int, int], size: int) -> Bytes:
    """RAM after ``pokes`` were written and a group of ``size`` cells vanished."""
    ground = poker.ground
    kinds = ground.colors
    painted = {**ground.painted(group(ground, size)), **poker.pokes(kinds[0], kinds[2]), **pokes}
    return ground.driver.fall(ground.state, column=ground.columns[0], pokes=painted, most=MOST_LOCK).ram


def _kept(poker: Poker, place: int, form: Form, size: int) -> bool:
    """Whether the game adds to a number that is poked, carries over, and doesn't write over it."""
    low = place + form.place(0)
    poker.ground.rig.load(poker.ground.state)
    start = poker.ground.rig.snap()
    poked = start.copy()
    poked[low] = form.most
    try:
        rams = start, poked, score_after(poker, {}, size), score_after(poker, {low: form.most}, size)
    except CalibrationError:
        # what was poked isn't the score: without it, pieces can be dropped
        return False
    began, then, plain, more = (int(form.read_all(ram[None, place : place + form.width])[0]) for ram in rams)
    return more - plain == then - began


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
    low = score.offset if form.little else score.offset + form.width - 1
    step = 1 if form.little else -1
    width = 1
    while width < form.width:
        places = [low + step * number for number in range(width)]
        after = score_after(poker, dict.fromkeys(places, form.most), size)
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
    poker.ground.rig.load(poker.ground.state)
    start = poker.ground.rig.snap()

    def gained(width: int) -> int:
        """How much the lowest digits have grown by, without what they carried."""
        part = Score(low if form.little else low - width + 1, replace(form, width=width), 1, score.kept)
        return int((part.value(plain) - part.value(start)) % 10**width)

    # above, another byte may look like a digit and count meanwhile
    gain = gained(min(_SURE_DIGITS, form.width))
    # digits below the lowest one that changes are constant, and never carry
    width = 1
    while width < form.width and plain[low + step * (width - 1)] == start[low + step * (width - 1)]:
        width += 1
    while width < MOST_DIGITS:
        above = low + step * width
        if not 0 <= above < poker.ground.rig.size:
            break
        after = score_after(poker, {low + step * number: form.zero + 9 for number in range(width)}, size)
        carried = (form.digit(int(start[above])) + (10**width - 1 + gain) // 10**width) % 10
        if after[above] == start[above] or int(after[above]) != form.zero + carried:
            break
        # beside the score, another byte may count meanwhile
        if gained(width + 1) != gain % 10 ** (width + 1):
            break
        width += 1
    first = low if form.little else low - width + 1
    if width < 3:
        return score
    return _lowest(poker, Score(first, Form(width, form.little, form.digits, form.zero), score.scale, score.kept), size)


def _lowest(poker: Poker, score: Score, size: int) -> Score:
    """The score with the digits below it that carry into it, where the screen seems to add zeros.

    A last digit may change with drop points alone. DOWN is held while a piece lands on the floor, on a few cells, and
    beside a group.
    """
    ground = poker.ground
    one, third = ground.colors[0], ground.colors[2]
    while score.scale >= UNIT and score.form.width < MOST_DIGITS:
        form = replace(score.form, width=score.form.width + 1)
        place, low = (score.offset - 1,) * 2 if form.little else (score.offset, score.offset + form.width - 1)
        if not (place >= 0 and place + form.width <= ground.rig.size):
            break

        def number(ram: Bytes, form: Form = form, place: int = place) -> int:
            return int(form.read_all(ram[None, place : place + form.width])[0])

        ground.rig.load(ground.state)
        began = ground.rig.snap()
        highest = began.copy()
        highest[low] = form.most
        more = number(highest) - number(began)
        carried = []
        for cells in ({}, under_short(ground), group(ground, size)):
            try:
                plain, poked = (number(poker.lock(cells, 0, one, third, pokes).ram) for pokes in ({}, {low: form.most}))
            except CalibrationError:
                continue
            if min(number(began), plain, poked) < 0 or poked - plain != more:
                return score
            carried.append(poked // 10 != plain // 10)
        if not any(carried):
            break
        score = Score(place, form, score.scale // 10, score.kept)
    return score
