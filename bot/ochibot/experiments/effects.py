"""What follows a lock: links between cells, what vanishes, which locks score. Experiments poke fields to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ochibot.errors import CalibrationError
from ochibot.experiments.colors import ColorByte, pokes_for
from ochibot.experiments.driver import Fallen
from ochibot.experiments.known import Ground

MOST_CLEAR = 6
MOST_GROUP = 11
MOST_LOCK = 6000
"""The most frames that a piece and its chain take."""

SHORTER = 3
"""How many cells a piece lands on, to see what a row with DOWN held is worth."""


def link_bits(ground: Ground, code: int) -> tuple[int, int]:
    """(the code of a cell without equal neighbours, the bits that change beside equal neighbours: 0 if none do)."""
    last, spawn = ground.grid.columns - 1, ground.spawn_column
    # where there is room, the piece falls as it appears: a game that looks at the pad rarely is hard to steer
    column = None if 2 <= spawn <= last - 2 else min(3, last - 1)
    lone, first = (0, last - 1) if spawn <= last // 2 and column is None else (last, 0)
    fallen = ground.drop(cells={(lone, 0): code}, column=column)
    alone = int(fallen.ram[ground.grid.cell(lone, 0)])
    if alone == ground.grid.empty:
        return code, 0
    dominoes = {(lone, 0): alone, (lone, 1): alone, (first, 0): alone, (first + 1, 0): alone}
    fallen = ground.drop(cells=dominoes, column=column)
    bits = 0
    for place in dominoes:
        value = int(fallen.ram[ground.grid.cell(*place)])
        if value != ground.grid.empty:
            bits |= value ^ alone
    return alone & ~bits, bits


@dataclass(frozen=True)
class Poker:
    """Pokes cells into the field, and colours into the falling piece."""

    ground: Ground
    near: ColorByte
    far: ColorByte
    near_below: bool
    """Whether the half whose position x and y give lands below the other."""

    def pokes(self, low: int, high: int) -> dict[int, int]:
        """Pokes that give the falling piece the kinds ``low`` (of its lower half) and ``high``."""
        self.ground.rig.load(self.ground.state)
        kinds = (low, high) if self.near_below else (high, low)
        if kinds[0] not in self.near.values or kinds[1] not in self.far.values:
            raise CalibrationError("no value is known that gives a half this colour")
        return pokes_for(self.near, self.far, kinds, self.ground.rig.snap())

    def lock(
        self,
        cells: Mapping[tuple[int, int], int],
        column: int,
        low: int,
        high: int,
        more: Mapping[int, int] | None = None,
        pad: int | None = None,
        *,
        keep: bool = False,
    ) -> Fallen:
        """Paints a field, gives the piece the kinds ``low`` below ``high``, and drops it. ``more``: further pokes.
        ``pad``: the buttons held meanwhile (None: DOWN). ``keep``: keep RAM of every frame.
        """
        ground = self.ground
        # kinds are poked as they are: the game sets the other bits of a cell itself
        painted = {**ground.painted(cells), **self.pokes(low, high), **(more or {})}
        return ground.driver.fall(
            ground.state, column=ground.columns[column], pokes=painted, keep=keep, pad=pad, most=MOST_LOCK
        )


def clear_size(poker: Poker) -> int | None:
    """The least number of equal cells that vanish together; None when groups of up to MOST_CLEAR stay."""
    ground = poker.ground
    one, other = ground.colors[:2]
    for size in range(2, MOST_CLEAR + 1):
        cells = {(0, row): one for row in range(size - 1)}
        left = ground.kinds(poker.lock(cells, 0, one, other).ram)
        if one not in left.values():
            return size
    return None


@dataclass(frozen=True)
class Sort:
    """Cell codes that no piece had, sorted by how they vanish: see ``sort_codes``."""

    nuisance: tuple[int, ...]
    colors: tuple[int, ...]


def sort_codes(poker: Poker, size: int, tried: Sequence[int], seen: Sequence[int] = ()) -> Sort:
    """Sorts the codes ``tried``: colours vanish in a group of their own, nuisance only beside a group that vanishes.
    Codes that do neither are left out.

    ``seen``: codes that were seen in the field, which are tried first. If one of them is nuisance, no other is.
    """
    ground = poker.ground
    one, other = ground.colors[:2]
    last = ground.grid.columns - 1
    nuisance, colors = [], []
    for code in dict.fromkeys((*seen, *tried)):
        try:
            own = ground.kinds(poker.lock({(0, row): code for row in range(size)}, last, one, other).ram)
            beside = {**{(0, row): one for row in range(size - 1)}, (1, 0): code}
            goes = ground.kinds(poker.lock(beside, 0, one, other).ram)
        except CalibrationError:
            continue
        if not any(place[0] == 0 for place in own):
            colors.append(code)
        elif (1, 0) not in goes and code not in goes.values():
            nuisance.append(code)
    sure = [code for code in nuisance if code in seen]
    return Sort(tuple(sure or nuisance), tuple(colors))


@dataclass(frozen=True)
class Event:
    """A lock from which the scoring is learnt. steps: the groups that vanished in each chain step: (cells, colour)."""

    name: str
    steps: tuple[tuple[tuple[int, int], ...], ...]
    fallen: Fallen


def staircase_of(size: int, kinds: Sequence[int], steps: int) -> dict[tuple[int, int], int]:
    """A field in which a piece dropped into column 0 sets off a chain of ``steps`` steps, with these kinds by turns.

    A group vanishes at ``size`` cells. Each column holds ``size - 1`` cells of its own colour, and one cell of the next
    column's colour on top::

        . B C D
        . A B C
        . A B C      the lower half, an A, lands beside column 1
        a A B C
    """
    cells = {}
    for step in range(1, steps + 1):
        for row in range(size - 1):
            cells[step, row] = kinds[(step - 1) % len(kinds)]
        if step < steps:
            cells[step, size - 1] = kinds[step % len(kinds)]
    return cells


def tower(ground: Ground, levels: int, stairs: int) -> tuple[dict[tuple[int, int], int], int, int]:
    """A longer chain for groups of four: a tower of ``levels`` levels and a staircase of ``stairs`` steps.

    The tower's middle vanishes first. The cells above it fall on equal cells below, level by level. The tower's last
    cell sets off the staircase::

        .  D
        .  B B
        a  A A A    column 0 holds the lower half up beside the middle
        f  B B      D: the colour of the staircase's first step
    """
    first, second, third, fourth = ground.colors[:4]
    layers = [second, third][: levels - 1]
    below = [kind for kind in reversed(layers) for _ in (0, 1)]
    column = [*below, *[first] * 3, *below[::-1]]
    # no cell of the staircase may touch an equal cell of the tower, before the tower falls or while it does
    order = [fourth, third, first, second] if levels == 2 else [fourth, first, second, third]
    if stairs:
        column.append(order[0])
    cells = {(1, row): kind for row, kind in enumerate(column)}
    for step in range(stairs):
        for row in range(3):
            cells[2 + step, row] = order[step % 4]
        if step < stairs - 1:
            cells[2 + step, 3] = order[(step + 1) % 4]
    # the cells of column 0, below the piece's lower half, may not touch equal cells either
    foot = [first, fourth] if levels == 2 else [second, first, fourth, fourth]
    cells |= {(0, row): kind for row, kind in enumerate(foot)}
    return cells, first, third


def group(ground: Ground, size: int) -> dict[tuple[int, int], int]:
    """Cells that make a group of ``size`` together with the lower half of a piece dropped into column 0."""
    one = ground.colors[0]
    places = [(column, row) for row in range(3) for column in range(1, 5)]
    return dict.fromkeys(places[: size - 1], one)


def stays(ground: Ground) -> dict[tuple[int, int], int]:
    """A cell beside such a group, where there is a column for it: some games pay a bonus as soon as a step leaves the
    lowest row empty.
    """
    return {(5, 0): ground.colors[1]} if ground.grid.columns > 5 else {}


def under_short(ground: Ground) -> dict[tuple[int, int], int]:
    """Cells of the first column on which a piece lands SHORTER rows higher than on the floor. None of them vanishes."""
    return {(0, row): ground.colors[1 + row % 2] for row in range(SHORTER)}


def scoring_events(poker: Poker, size: int) -> list[Event]:
    """Makes locks of different kinds: without a clear, on a few cells, groups of all sizes, several colours.

    DOWN is always held, and the piece always falls to the floor of the first column, but for ``short``: there it lands
    SHORTER rows higher. Locks that leave other cells than predicted, or on which the piece can't be dropped, are left
    out.
    """
    ground = poker.ground
    one, third = ground.colors[0], ground.colors[2]
    events = [Event("nothing", (), poker.lock({}, 0, one, third))]

    def lock(name: str, cells: dict[tuple[int, int], int], left: Sequence[int], count: int = 0) -> None:
        try:
            fallen = poker.lock(cells, 0, one, third)
        except CalibrationError:
            return
        kinds = [kind for kind in ground.kinds(fallen.ram).values() if kind in ground.colors]
        if sorted(kinds) == sorted(left):
            events.append(Event(name, (((count, one),),) if count else (), fallen))

    under = under_short(ground)
    lock("short", under, [*under.values(), one, third])
    for count in range(size, MOST_GROUP + 1):
        lock(f"group {count}", {**group(ground, count), **stays(ground)}, [third, *stays(ground).values()], count)
    return events + [event for count in range(2, len(ground.colors) + 1) if (event := _colors(poker, size, count))]


def _colors(poker: Poker, size: int, count: int) -> Event | None:
    """A lock that clears ``count`` colours in one step: two rows that the piece completes, and columns that are already
    groups. None: the field has too few columns, or more cells than one were left.
    """
    ground = poker.ground
    kinds = ground.colors
    last = ground.grid.columns - 1
    cells = {(column, row): kinds[row] for column in range(1, size) for row in (0, 1)}
    used = [kinds[0], kinds[1]]
    for number in range(2, count):
        column = last - (number - 2)
        if column < size:
            return None
        cells |= {(column, row): kinds[number] for row in range(size)}
        used.append(kinds[number])
    # one cell stays, so that the points can't include a bonus for an empty field
    cells[last, size if count > 2 else 0] = kinds[0 if count > 2 else 2]
    try:
        fallen = poker.lock(cells, 0, kinds[0], kinds[1])
    except CalibrationError:
        return None
    if len([kind for kind in ground.kinds(fallen.ram).values() if kind in kinds]) != 1:
        return None
    return Event(f"colours {count}", (tuple((size, kind) for kind in used),), fallen)
