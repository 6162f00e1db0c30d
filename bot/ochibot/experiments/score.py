"""Finds the score and its form.

Experiments provoke locks that clear known groups. The points of the groups are looked for at every address, in every
form of number. The formula's tables follow from the rule
points of a step = unit x cells x max(1, chain power + colour bonus + group bonus).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.digits import FORMS, Form
from ochibot.experiments.effects import MOST_LOCK, Event, Poker, group, under_short
from ochibot.experiments.growth import grows
from ochibot.experiments.rig import Bytes

UNIT = 10
"""Shown points of a cell that vanishes without a bonus, in all known games of the family."""

MOST_DIGITS = 10
_SURE_DIGITS = 5
"""A number of single digits has at least so many."""

IDLE = 20
"""In so many frames without a press a clock goes on, and a score doesn't."""

MOST_TRIED = 40
"""How many numbers that could be the score are poked before the search gives up."""


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
    if documented is not None and documented.offset in grows(events, size, documented.form):
        found = _scaled(documented.offset, documented.form, events, size, size)
        if _kept(poker, found.offset, found.form, size):
            return replace(found, kept=True)
    if seen["chain"] < 2:
        return None
    usual = _tried(poker, events, size, taken, by_cells=True)
    if usual is not None:
        return usual
    somehow = _tried(poker, events, size, taken, by_cells=False)
    return somehow if somehow is not None and somehow.kept else None


def _tried(poker: Poker, events: Sequence[Event], size: int, taken: Collection[int], *, by_cells: bool) -> Score | None:
    """The first number that grows as a score and keeps what is poked; else the first that grows so."""
    weak: Score | None = None
    tried = 0
    moving = frozenset[int]() if by_cells else _moving(poker)
    for form in FORMS:
        for place in grows(events, size, form, by_cells=by_cells):
            if _unlikely(events, place, form, taken) or not moving.isdisjoint(range(place, place + form.width)):
                continue
            tried += 1
            if tried > MOST_TRIED:
                return weak
            found = _scaled(place, form, events, size, size if by_cells else 1)
            if _kept(poker, found.offset, found.form, size):
                return _narrowed(poker, replace(found, kept=True), size)
            weak = weak or found
    return weak


def _moving(poker: Poker) -> frozenset[int]:
    """Offsets of bytes that change while a piece falls and nothing is pressed, as clocks do."""
    rig = poker.ground.rig
    seen = rig.branch(poker.ground.state, [0] * IDLE)
    return frozenset(np.flatnonzero((seen != seen[0]).any(axis=0)).tolist())


def _scaled(place: int, form: Form, events: Sequence[Event], size: int, cells: int) -> Score:
    """The score at a place, with zeros that the screen adds: so many cells of the first group are worth a multiple of
    10 in all known games.
    """
    score = _without_noughts(Score(place, form, 1, kept=False), events)
    group = next(one for one in events if one.name == f"group {size}")
    gain = score.value(group.fallen.ram) - score.value(events[0].fallen.ram)
    if gain // cells % UNIT:
        return replace(score, scale=score.scale * UNIT)
    # zeros that belong to something else were taken for its lowest digits
    while score.scale > 1 and gain // cells % UNIT**2 == 0:
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
