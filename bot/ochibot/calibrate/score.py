"""Where the score is, in which form, and the formula that it follows.

Every form of number at every address is tried against locks whose groups are known. The tables are then solved for:
points of a step = unit x cells x max(1, chain power + colour bonus + group bonus).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ochibot.calibrate.effects import Event, Poker, group
from ochibot.calibrate.lab import Bytes

UNIT = 10
"""Shown points of a cell that vanishes with no bonus, in all games of the family that are known."""

GROUP_BONUS = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
"""A hypothesis to try first: the bonus by size in the published formula."""

SCALES = (1, 10, 100)

MOST_FIRST_POWER = 12

MOST_GROUP_TIMES = 64
"""A group of any size in the first step is worth no more times its cells."""

MOST_DIGITS = 10

MOST_TRIED = 12
"""How many places that follow the formula are poked."""

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Form:
    """How a number is kept: width in bytes, whether the lowest byte comes first, and whether its bytes are digits."""

    width: int
    little: bool
    digits: str = ""
    zero: int = 0

    @property
    def name(self) -> str:
        """The map language's word for it."""
        if self.width == 1:
            return "u8"
        return f"u{8 * self.width}{'le' if self.little else 'be'}"

    def read(self, ram: Bytes) -> Numbers:
        """The number at every offset, (size,) int64; -1 where bytes are no digits."""
        size = len(ram)
        padded = np.concatenate([ram, np.zeros(self.width, np.uint8)]).astype(np.int64)
        total = np.zeros(size, np.int64)
        bad = np.zeros(size, bool)
        for place in range(self.width):
            byte = padded[place : place + size]
            power = place if self.little else self.width - 1 - place
            if self.digits == "bcd":
                bad |= ((byte >> 4) > 9) | ((byte & 15) > 9)
                total += ((byte >> 4) * 10 + (byte & 15)) * 100**power
            elif self.digits == "decimal":
                digit = byte - self.zero
                bad |= (digit < 0) | (digit > 9)
                total += digit * 10**power
            else:
                total += byte << (8 * power)
        total[bad] = -1
        return total


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
    """Where the score is: offset, form, and what its number is multiplied by to be the score shown."""

    offset: int
    form: Form
    scale: int
    kept: bool
    """Whether it kept what was poked: a copy doesn't."""

    def value(self, ram: Bytes) -> int:
        """The score shown."""
        part = ram[self.offset : self.offset + self.form.width]
        return int(self.form.read(part)[0]) * self.scale


def _matches(events: Sequence[Event], form: Form, points: Callable[[int], int]) -> dict[int, int]:
    """Offsets where groups of all sizes added what the formula says: offset to scale."""
    nothing = form.read(events[0].fallen.ram)
    groups = [event for event in events[1:] if event.name.startswith("group")]
    found: dict[int, int] = {}
    added = [(event.steps[0][0][0], form.read(event.fallen.ram) - nothing) for event in groups]
    for scale in SCALES:
        places = np.flatnonzero(nothing >= 0)
        for size, more in added:
            places = places[more[places] * scale == points(size)]
        found |= {int(place): scale for place in places}
    return found


def find_score(
    poker: Poker,
    events: Sequence[Event],
    size: int,
    taken: Collection[int] = (),
    documented: Score | None = None,
) -> Score | None:
    """The score's place and form; None when no number follows the groups.

    ``taken``: offsets of other things. ``documented``: to be tried before all others.
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
    # the first step's own power is 0 in all published tables: that is tried first
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
    """A number that follows the formula with tables of its own, by groups of all sizes and chains; None without one.

    A step is worth a whole multiple of its cells. A count of cells is no score: chains must be worth more than that.
    """
    cells = {event.name: sum(number for step in event.steps for number, _ in step) for event in events[1:]}
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
    """Whether a number has bytes that are something else, or a highest byte although the game has only begun."""
    if any(one in taken for one in range(place, place + form.width)):
        return True
    high = place + form.width - 1 if form.little else place
    return form.width > 2 and not form.digits and int(events[0].fallen.ram[high]) != 0


def _score_after(poker: Poker, pokes: dict[int, int], size: int) -> Bytes:
    ground = poker.ground
    kinds = ground.colors
    painted = {**ground.painted(group(ground, size)), **poker.pokes(kinds[0], kinds[2]), **pokes}
    return ground.driver.fall(ground.state, column=ground.columns[0], pokes=painted, pad=0, most=6000).ram


def _kept(poker: Poker, place: int, form: Form, size: int) -> bool:
    """Whether a number that is poked is added to, not written over."""
    low = place if form.little else place + form.width - 1
    before = _score_after(poker, {}, size)
    after = _score_after(poker, {low: poker_value(poker, low) + 1}, size)
    return int(after[low]) == int(before[low]) + 1


def poker_value(poker: Poker, place: int) -> int:
    """The byte at the beginning of an experiment."""
    poker.ground.lab.load(poker.ground.state)
    return poker.ground.lab.peek(place)


def _without_noughts(score: Score, events: Sequence[Event]) -> Score:
    """The same number without lowest digits that no lock changed: they may be another number's."""
    form = score.form
    while form.digits == "decimal" and form.width > 3:
        low = score.offset if form.little else score.offset + form.width - 1
        if any(int(event.fallen.ram[low]) != form.zero for event in events):
            break
        form = replace(form, width=form.width - 1)
        score = Score(score.offset + form.little, form, score.scale * 10, score.kept)
    return score


def _narrowed(poker: Poker, score: Score, size: int) -> Score:
    """The same number with as many bytes as really carry into each other (not of two digits in a byte)."""
    form = score.form
    if form.digits == "decimal":
        return _digits(poker, score, size)
    if form.digits:
        return score
    low = score.offset if form.little else score.offset + form.width - 1
    step = 1 if form.little else -1
    width = 1
    while width < form.width:
        places = [low + step * number for number in range(width)]
        after = _score_after(poker, dict.fromkeys(places, 0xFF), size)
        if int(after[low + step * width]) == poker_value(poker, low + step * width):
            break
        width += 1
    width = max(width, 2)
    first = low if form.little else low - width + 1
    return Score(first, replace(form, width=width), score.scale, score.kept)


def _digits(poker: Poker, score: Score, size: int) -> Score:
    """The same number with as many digits as carry into each other and that are shown below the units of ten."""
    form = score.form
    step = 1 if form.little else -1
    low = score.offset if form.little else score.offset + form.width - 1
    plain = _score_after(poker, {}, size)
    start = [poker_value(poker, low + step * number) for number in range(form.width)]
    changed = [number for number, old in enumerate(start) if int(plain[low + step * number]) != old]
    # digits below the first that changes never carry
    width = changed[0] + 1 if changed else form.width
    while width < MOST_DIGITS:
        places = [low + step * number for number in range(width)]
        above = low + step * width
        if not 0 <= above < poker.ground.lab.size:
            break
        after = _score_after(poker, dict.fromkeys(places, form.zero + 9), size)
        if int(after[above]) - int(plain[above]) != 1:
            break
        width += 1
    first = low if form.little else low - width + 1
    if width < 3:
        return score
    return Score(first, Form(width, form.little, form.digits, form.zero), score.scale, score.kept)


@dataclass
class Formula:
    """The tables as far as they were seen. drop_bonus: points per row of soft drop."""

    chain_power: list[int] = field(default_factory=list)
    color_bonus: dict[int, int] = field(default_factory=dict)
    group_bonus: dict[int, int] = field(default_factory=dict)
    drop_bonus: int = 0
    all_clear: int = 0
    seen: list[tuple[str, int]] = field(default_factory=list)
    """Each experiment with its points."""


def solve(
    score: Score, events: Sequence[Event], size: int, rows: int, hurried: Bytes, emptied: Event | None
) -> Formula:
    """The formula's tables. ``hurried``: RAM after the piece of the first event fell ``rows`` rows with DOWN held."""
    nothing = score.value(events[0].fallen.ram)
    formula = Formula()
    formula.drop_bonus = max(0, round((score.value(hurried) - nothing) / max(1, rows)))
    chain: dict[int, int] = {}
    worth = {event.name: score.value(event.fallen.ram) - nothing for event in events[1:]}
    formula.seen = list(worth.items())
    first = worth.get(f"group {size}", 0) // (UNIT * size)
    first = first if first > 1 else 0
    for name, points in worth.items():
        kind, number = name.split()[0], int(name.split()[1])
        if kind == "group":
            bonus = points // (UNIT * number)
            formula.group_bonus[number] = max(0, bonus - first) if bonus > 1 else 0
        elif kind == "colours":
            bonus = points // (UNIT * size * number)
            formula.color_bonus[number] = bonus - first if bonus > 1 else 0
        elif kind == "chain":
            chain[number] = points
    powers = [first]
    before = UNIT * size * max(1, first)
    for steps in sorted(chain):
        if steps != len(powers) + 1:
            break
        bonus = (chain[steps] - before) // (UNIT * size)
        powers.append(bonus if bonus > 1 else 0)
        before = chain[steps]
    formula.chain_power = powers
    if emptied is not None and 2 in formula.color_bonus:
        plain = max(1, first + formula.color_bonus[2]) * UNIT * size * 2
        formula.all_clear = score.value(emptied.fallen.ram) - nothing - plain
    return formula
