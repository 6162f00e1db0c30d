"""Makes chains of any length: as soon as a board's groups have vanished, the next board is written into the field.

So any groups can vanish in any step of a chain, and a chain may have more steps than a field has room for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import EDGE
from ochibot.experiments.effects import Poker, group, stays
from ochibot.experiments.known import Cells, Ground
from ochibot.experiments.rig import Bytes
from ochibot.experiments.score import Score
from ochibot.wording import counted

STEP_FRAMES: Final = 400
"""The most frames that a step of a chain may take."""

FIRST_FRAMES: Final = 1500
"""The most frames that the piece may fall before the first step."""

FALLING: Final = 4
"""A y that is in more rows than this between two steps is that of the next piece."""

SETTLED: Final = 60
"""Frames after the last step in which the score may still rise."""


@dataclass(frozen=True)
class Board:
    """Cells of a field. groups: the numbers of cells that vanish, group by group. colors: how many colours they have.
    doomed: the cells that vanish. The others stay.
    """

    cells: Cells
    groups: tuple[int, ...]
    colors: int
    doomed: tuple[tuple[int, int], ...]


def board(ground: Ground, sizes: Sequence[int], colors: int = 1, *, alone: bool = False) -> Board | None:
    """A board with groups of these numbers of cells, in so many colours by turns; None if it has no room. ``alone``: no
    other cell stays, so the field is empty afterwards.

    Groups stand on the floor from the left, those of one colour with a free column between them.
    """
    last, most = ground.grid.columns - 1, min(ground.visible - 1, 7)
    cells: Cells = {}
    column = 0
    for number, size in enumerate(sizes):
        wide = -(-size // most)
        kind = ground.colors[number % colors]
        cells |= {(column + at % wide, at // wide): kind for at in range(size)}
        column += wide + (colors == 1)
    if column - (colors == 1) > last + 1:
        return None
    doomed = tuple(cells)
    if not alone:
        # it differs from the cells beside it, and from the one below it; where there is room, it lies on the floor,
        # since some games pay a bonus as soon as a step leaves the lowest row empty
        free = [c for c in range(last + 1) if (c, 0) not in cells]
        at = max(free, default=last)
        height = sum(c == at for c, _ in cells)
        beside = {cells.get(place) for place in ((at - 1, height), (at + 1, height), (at, height - 1))}
        cells[at, height] = next(kind for kind in reversed(ground.colors) if kind not in beside)
    return Board(cells, tuple(sizes), colors, doomed)


def play(poker: Poker, size: int, boards: Sequence[Board], watch: Callable[[], object] = lambda: None) -> Bytes:
    """RAM some time after a chain: its first step clears one group of ``size`` cells, the others clear these boards.

    ``watch``: called after each frame. Raises CalibrationError when the groups don't vanish one after another.
    """
    ground = poker.ground
    rig = ground.rig
    one, third = ground.colors[0], ground.colors[2]
    if ground.setting.kind == "none":
        raise CalibrationError("cells can't be written while a chain goes on")
    rig.load(ground.state)
    rig.poke({**ground.painted({**group(ground, size), **stays(ground)}), **poker.pokes(one, third)})
    if ground.driver.first:
        # as in Driver.fall: a game may answer a fresh press only some frames after the piece has appeared
        rig.run([0] * EDGE)
    for button in ground.driver.first:
        rig.run(ground.driver.tap.pads(button))
    if not ground.driver.go(ground.columns[0]):
        raise CalibrationError("the piece doesn't get to the first column")
    doomed = tuple(group(ground, size))
    left: Cells = {(0, 0): third, **stays(ground)}
    for number in range(len(boards) + 1):
        most = STEP_FRAMES if number else FIRST_FRAMES
        rows: set[int] = set()
        while not _gone(ground, doomed):
            most -= 1
            if not most:
                raise CalibrationError(f"step {number + 1} of the chain doesn't come")
            rig.step(0 if number else int(Button.DOWN))
            watch()
            rows.add(ground.driver.y_now() // abs(ground.cell_y))
            if number and len(rows) > FALLING:
                raise CalibrationError(f"step {number + 1} of the chain comes only when the next piece lands")
        for _ in range(ground.pause if number < len(boards) else 0):
            rig.step()
            watch()
        if number:
            left = {place: kind for place, kind in boards[number - 1].cells.items() if place not in doomed}
        if number < len(boards):
            # only what differs is written: a byte that is no cell may be taken for one
            stale, fresh = ground.painted(left), ground.painted(boards[number].cells)
            rig.poke({place: value for place, value in fresh.items() if stale[place] != value})
            doomed = boards[number].doomed
    for _ in range(SETTLED):
        rig.step()
        watch()
    return rig.snap()


def _gone(ground: Ground, places: Iterable[tuple[int, int]]) -> bool:
    """Whether cells are empty, in as many of the field and its mirrors as must agree."""
    mask = ground.mask
    empty = [
        all(ground.rig.peek(grid.cell(*place)) & mask == grid.empty & mask for place in places)
        for grid, _ in ground.setting.every(ground.grid)
    ]
    return sum(empty) >= ground.agree


def rises(poker: Poker, score: Score, size: int, boards: Sequence[Board]) -> tuple[int, ...]:
    """The points of each step of a chain. Raises CalibrationError when the steps can't be distinguished.

    A game may add a step's points in several frames, one after another. After each step the score is set to 0, if it
    can be, so that it doesn't come to its highest value.
    """
    rig = poker.ground.rig
    found: list[int] = []
    now = 0
    rising = False

    def watch() -> None:
        nonlocal now, rising
        before, now = now, score.value(rig.snap())
        if now == before:
            if rising and score.kept:
                rig.poke(score.pokes(0))
                now = 0
            rising = False
        elif rising:
            found[-1] += now - before
        else:
            found.append(now - before)
            rising = True

    rig.load(poker.ground.state)
    now = score.value(rig.snap())
    play(poker, size, boards, watch)
    steps = len(boards) + 1
    if len(found) < steps or any(rise <= 0 for rise in found[-steps:]):
        raise CalibrationError(f"the score rose {counted(len(found), 'time')} in {counted(steps, 'step')}")
    # before the first step it may have risen for rows fallen with DOWN held
    return tuple(found[-steps:])


def long_chain(poker: Poker, score: Score, size: int, steps: int) -> tuple[int, ...]:
    """The points of each step of a chain of single groups of ``size`` cells. Raises CalibrationError as ``rises``."""
    one = board(poker.ground, [size])
    assert one is not None
    return rises(poker, score, size, [one] * (steps - 1))
