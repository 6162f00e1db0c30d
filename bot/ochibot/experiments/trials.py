"""Makes the trials that show the formula's tables: groups of all sizes and colours, in a step of a chain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, product
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.built import built_events
from ochibot.experiments.chains import Board, board, play, rises
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import MOST_GROUP, SHORTER, Event, Poker
from ochibot.experiments.forms import formula_of
from ochibot.experiments.formula import MOST_STEPS, Formula, Trial, solve
from ochibot.experiments.rig import Bytes
from ochibot.experiments.score import UNIT, Score

SHORT: Final = 8
"""Steps of a chain that takes less time."""

PAUSES: Final = (0, 3, 6, 9, 14, 20)
"""Frames from a group's vanishing until the next cells are written: a game may let cells fall meanwhile."""

CHAINS: Final = (2, 3, 4)
UNEVEN: Final = 1
"""The steps of a chain may differ by so many frames."""

ABOVE_FLOOR: Final = ("colours 3", "colours 4", "colours 5", "colours 6")
"""Locks that leave a cell, but none in the lowest row."""

FURTHER: Final = (2, 3)
"""Steps of a chain in which more trials are made where the published form explains not all."""

DIFFERENT: Final = (
    *(((2,), 1), ((0, 0), 1), ((1, 0), 1), ((2, 1), 1), ((2, 2), 1), ((3, 1), 1), ((0, 0, 0), 1)),
    *(((2, 1), 2), ((0, 0, 0), 2)),
)
"""What is tried there: by how many cells groups are larger than the least, and how many colours they have."""

MOST_BASE: Final = 6
"""Bonuses are measured in a step up to this one."""

HIGH: Final = 100
"""A limit to the sum of bonuses is looked for where a step multiplies by at least this."""


def chain_events(poker: Poker, size: int) -> list[Event]:
    """Chains of a few steps, each of one group. Finds out when cells can be written while a chain goes on, and in how
    many of the field and its mirrors a group must be gone then.

    All steps take equally long. Where the cells of the second step are written too early, because a late copy shows an
    empty field, they vanish with the first step's, and the second step is missing.
    """
    ground = poker.ground
    one = board(ground, [size])
    ways = product(range(1, len(ground.setting.grids) + 2), PAUSES)
    found: tuple[int, int, list[Bytes]] | None = None
    for agree, pause in ways if one is not None else ():
        ground.agree, ground.pause = agree, pause
        rams, began = [], [ground.rig.frames]
        try:
            for steps in (1, *CHAINS):
                rams.append(play(poker, size, [one] * (steps - 1)))  # type: ignore[list-item]
                began.append(ground.rig.frames)
        except CalibrationError:
            continue
        lasted = [after - before for before, after in pairwise(began)]
        took = [longer - one_less for one_less, longer in pairwise(lasted)]
        if min(took) <= pause:
            # a grid that doesn't keep what is written looks as if its groups had vanished at once
            continue
        even = max(took) - min(took) <= UNEVEN
        if found is None or even:
            found = agree, pause, rams[1:]
        if even:
            break
    ground.agree, ground.pause, played = found or (1, 0, [])
    return [
        Event(f"chain {steps}", ((((size, ground.colors[0]),),) * steps), Fallen(b"", ram, 0, 0, 0, 0, 0, ram))
        for steps, ram in zip(CHAINS, played, strict=False)
    ] or built_events(poker, size)


class Trials:
    """Makes trials and keeps them. nothing: what the score shows after a piece that clears nothing. for_row: points for
    a lowest row that a step of this number leaves empty; they are none of the step's own.
    """

    def __init__(self, poker: Poker, score: Score, size: int, nothing: int) -> None:
        self.poker = poker
        self.score = score
        self.size = size
        self.nothing = nothing
        self.made: list[Trial] = []
        self.for_row: Callable[[int], int] = lambda step: 0  # noqa: ARG005
        one = board(poker.ground, [size])
        assert one is not None
        self.one: Board = one

    def total(self, boards: Sequence[Board]) -> int | None:
        """The points of a chain that clears one group and then these boards; None if it doesn't come about."""
        try:
            return self.score.value(play(self.poker, self.size, boards)) - self.nothing
        except CalibrationError:
            return None

    def chain(self, cap: int | None, known: Sequence[int]) -> None:
        """The points of each step of a long chain of single groups; of a shorter one if its steps look alike.

        ``cap``: the highest score. A step that is worth as much may be worth more. known: what chains of one step, two
        steps and so on were worth in all. A score that is written digit by digit may be seen half written.
        """
        for steps in (MOST_STEPS, SHORT):
            try:
                seen = rises(self.poker, self.score, self.size, [self.one] * (steps - 1))
            except CalibrationError:
                continue
            told = zip(accumulate(seen), known, strict=False)
            if any(one != other for one, other in told if cap is None or other < cap):
                continue
            capped = [number for number, points in enumerate(seen) if cap is not None and points >= cap]
            self.add_chain(seen[: min(capped, default=steps)])
            return
        totals: list[int] = []
        for steps in range(1, SHORT + 1):
            total = self.total([self.one] * (steps - 1))
            if total is None or total <= max(totals, default=0):
                break
            totals.append(total)
        self.add_chain([now - before for before, now in zip([0, *totals], totals, strict=False)])

    def add_chain(self, points: Sequence[int]) -> None:
        """Adds the steps of a chain of single groups, with these points."""
        self.made += [Trial(step, (self.size,), 1, one) for step, one in enumerate(points, 1)]

    def worth(self, step: int) -> int:
        """How much a step with a single group is worth; 0 if it isn't known."""
        return next((one.points for one in self.made if one.step == step and one.groups == (self.size,)), 0)

    def attempt(self, step: int, groups: Sequence[int], colors: int) -> Trial | None:
        """Adds a trial in a step of a chain, if it can be made."""
        enough = colors <= len(self.poker.ground.colors)
        made = board(self.poker.ground, groups, colors) if enough else None
        if made is None:
            return None
        boards = [*[self.one] * (step - 2), made]
        try:
            points = rises(self.poker, self.score, self.size, boards)[-1]
        except CalibrationError:
            total = self.total(boards)
            if total is None:
                return None
            points = total - sum(map(self.worth, range(1, step)))
        if all(row for column, row in made.cells if (column, row) not in made.doomed):
            points -= self.for_row(step)
        trial = Trial(step, tuple(groups), colors, points)
        self.made.append(trial)
        return trial


def measure_formula(poker: Poker, score: Score, events: Sequence[Event], size: int, cap: int | None) -> Formula:
    """Measures the formula's tables. events: locks by which the score was found. cap: the highest score."""
    ground = poker.ground
    nothing = score.value(events[0].fallen.ram)
    trials = Trials(poker, score, size, nothing)
    worth = {event.name: score.value(event.fallen.ram) - nothing for event in events[1:]}
    totals = [
        worth[name]
        for name in (f"group {size}", *(f"chain {steps}" for steps in range(2, MOST_STEPS)))
        if name in worth
    ]
    trials.chain(cap, totals)
    if len(trials.made) < len(totals):
        trials.made = []
        trials.add_chain([now - before for before, now in zip([0, *totals], totals, strict=False)])
    emptied, per = _all_clear(trials, size)
    by_step = per == "step"
    lowest_row = bool(emptied) and _pays_for_lowest_row(trials, size, (emptied or 0) * (2 if by_step else 1))
    if lowest_row:
        trials.for_row = lambda step: (emptied or 0) * (step if by_step else 1)
    for event in events[1:]:
        if lowest_row and event.name in ABOVE_FLOOR:
            continue
        last = event.steps[-1] if event.steps else ()
        sizes = tuple(count for count, _ in last)
        if len(event.steps) <= 2 and sizes not in ((), (size,)):
            before = trials.worth(1) if len(event.steps) == 2 else 0
            colors = len({kind for _, kind in last})
            trials.made.append(Trial(len(event.steps), sizes, colors, worth[event.name] - before))
    # a sum of 0 and a sum of 1 are worth the same, so bonuses are measured in a step that is worth more
    least = min(trials.worth(1), trials.worth(2) or trials.worth(1))
    base = next((step for step in range(2, MOST_BASE) if trials.worth(step) > least), 2)
    for count in range(size + 1, MOST_GROUP + 2):
        trials.attempt(base, [count], 1)
    for groups in ([size] * 2, [size + 1] * 2, [size + 2, size]):
        trials.attempt(base, groups, 1)
    for colors in range(2, len(ground.colors) + 1):
        trials.attempt(base, [size] * colors, colors)
    for step in range(2, base):
        trials.attempt(step, [size + 4], 1)
        trials.attempt(step, [size] * 3, 3)
    found = solve(trials.made, size)
    told = [*trials.made]
    _limit(trials, found, size, cap)
    if _wrong(told, found, size) or any(later < power for power, later in pairwise(found.chain_power)):
        for step, (more, colors) in product(FURTHER, DIFFERENT):
            trials.attempt(step, [size + one for one in more], colors)
        found = formula_of(trials.made, size, replace(found, wrong=_wrong(trials.made, found, size)))
    found.drop_bonus = _drop_bonus(worth)
    found.all_clear, found.all_clear_per, found.lowest_row = emptied, per, lowest_row
    found.seen = [(name, points * UNIT // (found.unit or UNIT)) for name, points in worth.items()]
    return found


def _limit(trials: Trials, found: Formula, size: int, cap: int | None) -> None:
    """Finds the limit of the sum of bonuses: where a step is worth most, further bonuses add nothing."""
    power = found.chain_power
    step = power.index(max(power)) + 1 if power else 0
    if step < 2 or power[step - 1] < HIGH:
        return
    colors = min(len(trials.poker.ground.colors), 3)
    for groups, many in (([size] * colors, colors), ([MOST_GROUP], 1)):
        trial = trials.attempt(step, groups, many)
        if trial is None or not found.bonus(size, groups, many) or (cap is not None and trial.points >= cap):
            continue
        times = trial.points // (found.unit * sum(groups))
        if times < power[step - 1] + found.bonus(size, groups, many):
            found.limit = times
        return


def _wrong(trials: Sequence[Trial], found: Formula, size: int) -> int:
    """How many trials the formula doesn't explain, now that its limit is known."""
    return sum(found.points(size, one) != one.points for one in trials)


def _drop_bonus(worth: dict[str, int]) -> int:
    """Points for a row fallen with DOWN held: on a few cells, a piece falls fewer rows."""
    return max(0, -worth["short"] // SHORTER) if "short" in worth else 0


def _all_clear(trials: Trials, size: int) -> tuple[int | None, str]:
    """Points for an emptied field, beyond those of the group, and ``Formula.all_clear_per``; None where the field could
    not be emptied, or where they differ in another way from step to step.
    """
    made = board(trials.poker.ground, [size], alone=True)
    total = trials.total([made]) if made is not None else None
    if made is None or total is None:
        return None, ""
    second = max(0, total - trials.worth(1) - trials.worth(2))
    longer = trials.total([trials.one, made]) if second and trials.worth(3) else None
    if not second or longer is None:
        return second, "" if second else "lock"
    third = longer - sum(map(trials.worth, (1, 2, 3)))
    if 2 * third == 3 * second:
        return third // 3, "step"
    return (second, "lock") if third == second else (None, "")


def _pays_for_lowest_row(trials: Trials, size: int, bonus: int) -> bool:
    """Whether that bonus is paid, too, where a group leaves the lowest row empty and a cell above it falls then."""
    made = board(trials.poker.ground, [size], alone=True)
    if made is None:
        return False
    column, row = max(made.cells, key=lambda place: place[1])
    above = {(column, row + 1): trials.poker.ground.colors[-1]}
    total = trials.total([replace(made, cells={**made.cells, **above})])
    return total == trials.worth(1) + trials.worth(2) + bonus
