"""Measures how pieces move: auto-repeat, the fall, the lock, kicks, and the rows above the visible ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import EDGE
from ochibot.experiments.effects import Poker
from ochibot.experiments.facts import Above, Kicks, Stance, Timing
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes, signed, tap
from ochibot.experiments.stance import standing

LONG = 1500

SHAFT = 4
"""How many rows below the highest visible row a piece is turned in a shaft."""

FAMILY_ROWS = 14
"""Rows of a field in the puyo family. In a game with so many rows, no half ever locks above them."""


def _changes(column: Bytes) -> list[int]:
    """Indices of frames on which a byte isn't what it was the frame before."""
    return [int(place) + 1 for place in np.flatnonzero(column[1:] != column[:-1])]


def _rows(ground: Ground, trace: Bytes) -> list[int]:
    """For each frame: how many rows the piece has fallen since the first frame."""
    y = ground.driver.y.offset
    return [int(value) // ground.cell_y * -1 for value in signed(trace[:, y] - trace[0, y])]


def _steps(ground: Ground, trace: Bytes) -> list[int]:
    """The frames on which the piece has sunk by a whole row."""
    rows = _rows(ground, trace)
    return [number for number in range(1, len(rows)) if rows[number] == rows[number - 1] + 1]


def _lock(ground: Ground, trace: Bytes) -> int | None:
    """The frame on which the field first changes; None if it never does."""
    if ground.driver.drawn:
        # cells change as the piece falls, and nothing changes as it locks
        return None
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    changed = (trace[:, cells] != trace[0, cells]).any(axis=1)
    return int(changed.argmax()) if changed.any() else None


def _typical(numbers: list[int]) -> int | None:
    return max(set(numbers), key=numbers.count) if numbers else None


def measure_timing(ground: Ground) -> Timing:
    """Measures how many frames falls, locks and the auto-repeat take."""
    rig = ground.rig
    paint = ground.painted()
    idle = rig.branch(ground.state, [0] * LONG, paint)
    down = rig.branch(ground.state, [int(Button.DOWN)] * 240, paint)
    found: dict[str, int | None] = {}
    for name, trace in (("fall", idle), ("soft", down)):
        steps = _steps(ground, trace)
        found[name] = _typical([b - a for a, b in pairwise(steps)])
        lock = _lock(ground, trace)
        before = [step for step in steps if lock is None or step < lock]
        if lock is not None and before:
            found["lock" if trace is idle else "lock_soft"] = lock - before[-1]
    lock = _lock(ground, down)
    if lock is not None:
        y = down[:, ground.driver.y.offset]
        later = [n for n in range(lock, len(y)) if abs(int(y[n]) - int(y[lock])) * 2 > abs(ground.floor_y - int(y[0]))]
        found["to_spawn"] = later[0] - lock if later else None
    x = ground.driver.x.offset
    leftmost = ground.driver.tap.pads(Button.LEFT, ground.grid.columns)
    held = rig.branch(ground.state, leftmost + [int(Button.RIGHT)] * 90, paint)[len(leftmost) - 1 :, x]
    moves = _changes(held)
    if len(moves) >= 3:
        found["repeat_first"] = moves[1] - moves[0]
        found["repeat"] = _typical([b - a for a, b in pairwise(moves[1:])])
    wiggle = tap(Button.LEFT, on=2, off=4) + tap(Button.RIGHT, on=2, off=4)
    steps = _steps(ground, idle)
    still = _lock(ground, idle)
    before = [step for step in steps if still is not None and step < still]
    if before:
        last = before[-1]
        pads = [0] * (last + 2) + wiggle * 30
        moved = _lock(ground, rig.branch(ground.state, pads, paint))
        found["lock_moved"] = moved - last if moved is not None else None
    return Timing(**found, control=ground.driver.control_delay)


def measure_kicks(ground: Ground, stance: Stance) -> Kicks:
    """Turns the piece beside a wall, on a stack and in a shaft, to see kicks and quick turns."""
    rig = ground.rig
    x, y = ground.driver.x.offset, ground.driver.y.offset
    wall = floor = quick = None
    upright = stance.ways[0]
    if stance.readable:
        for button, side, raw in (("counter", Button.LEFT, 0), ("clockwise", Button.RIGHT, -1)):
            name = getattr(stance, button)
            if name is None or upright != "up":
                continue
            turn = Button[name.upper()]
            edge = ground.driver.tap.pads(side, ground.grid.columns)
            seen = rig.after(ground.state, edge + ground.driver.tap.pads(turn) + [0] * 6, ground.painted())
            turned = standing(ground, stance, seen) not in (None, "up")
            moved = int(seen[x]) != ground.columns[raw]
            wall = bool(wall) or (turned and moved) if stance.denotes == "axis" else turned
        name = stance.clockwise or stance.counter
        if name is not None:
            turn = Button[name.upper()]
            # first in a shaft that is one column wide, then on a stack that ends just below the piece
            column = ground.spawn_column
            walls = {
                (side, row): ground.colors[(row // 2 + side) % 2]
                for side in (column - 1, column + 1)
                for row in range(ground.visible)
            }
            # a piece may appear above the walls' top
            shaft = {**ground.painted(walls), **_lowered(ground, stance, ground.visible - SHAFT)}
            # some games turn the piece over at the first press, others at the second
            quick = any(
                standing(
                    ground,
                    stance,
                    rig.after(ground.state, (ground.driver.tap.pads(turn) + [0] * 4) * taps, shaft),
                )
                == "down"
                for taps in (1, 2)
            )
            high = {(column, row): ground.colors[row // 2 % 2] for row in range(ground.visible - 2)}
            # poke y instead of waiting: the game may lock the piece before it has sunk that far
            stands = ground.floor_y + ground.cell_y * (ground.visible - 2) & 255
            pokes = {**ground.painted(high), **_lowered(ground, stance, ground.visible - 2)}
            seen = rig.after(ground.state, (ground.driver.tap.pads(turn) + [0] * 2) * 2, pokes)
            up = int(signed(np.array((int(seen[y]) - stands) & 255, np.uint8))) // ground.cell_y
            if standing(ground, stance, seen) == "down":
                floor = up >= 1 if stance.denotes == "axis" else True
            else:
                floor = False
    return Kicks(wall, floor, quick)


def _lowered(ground: Ground, stance: Stance, row: int) -> dict[int, int]:
    """Pokes that move the piece of the ground's savestate: upright, it then stands in this row."""
    rig, y = ground.rig, ground.driver.y.offset
    stands = ground.floor_y + ground.cell_y * row & 255
    rig.load(ground.state)
    partner = {} if stance.partner is None else {stance.partner[1]: stands + rig.peek(stance.partner[1]) - rig.peek(y)}
    return {y: stands, **partner}


def measure_visible(poker: Poker, size: int) -> int:
    """How many rows count for groups, if pieces appear above them; else the rows up to where pieces appear.

    ``size`` equal cells are piled up in the last column, the highest of them in the row that is tried.
    """
    ground = poker.ground
    one, other, third = ground.colors[:3]
    last = ground.grid.columns - 1
    for top in range(ground.visible - 1, size, -1):
        cells = {(last, row): (other, third)[row % 2] for row in range(top - size + 1)}
        cells |= {(last, row): one for row in range(top - size + 1, top + 1)}
        try:
            left = ground.kinds(poker.lock(cells, 0, other, third).ram)
        except CalibrationError:
            continue
        if one not in left.values():
            return top + 1
    return ground.visible


def measure_above(ground: Ground, stance: Stance, poker: Poker, size: int | None) -> Above:
    """Whether the rows above the visible ones keep cells, and whether those cells count for groups.

    ``size``: how many equal cells vanish.
    """
    if ground.rig.view is not None and ground.grid.cell(0, ground.visible) >= ground.rig.size:
        raise CalibrationError("no bytes of rows above the visible ones were found")
    stack = {(0, row): ground.colors[row % 2] for row in range(ground.visible - 1)}
    ram = _over_the_stack(ground, stance, stack)
    kept = int(int(ram[ground.grid.cell(0, ground.visible)]) & ground.mask in ground.colors)
    clears = None
    if kept and size is not None and size >= 3:
        # a group of exactly ``size`` cells, one of them in the hidden row
        kind = ground.colors[2]
        stack |= {(0, row): kind for row in range(ground.visible - 1 - (size - 2), ground.visible - 1)}
        ram = _over_the_stack(ground, stance, stack, poker.pokes(kind, kind))
        clears = int(ram[ground.grid.cell(0, ground.visible - 2)]) & ground.mask != kind
    apart = None if kept else find_row_apart(ground, stance, poker)
    kept = max(kept, int(apart is not None))
    usual = "solid" if ground.visible + kept >= FAMILY_ROWS else "vanish"
    risen = _stands_up_there(ground, stance) if kept and usual == "vanish" else None
    ceiling = usual if risen is None else "vanish" if risen else "solid"
    return Above(kept, ceiling, clears, apart, risen is not None)


def find_row_apart(ground: Ground, stance: Stance, poker: Poker) -> tuple[int, int] | None:
    """Where the hidden row is, in games that keep it apart from the other rows: (the offset of its cell in the first
    column, what a column adds). None when it isn't found.

    Halves of two colours lock there in three columns. In no other place may their codes appear in equal steps.
    """
    last = ground.grid.columns - 1
    found: list[set[int]] = []
    cells = {ground.grid.cell(c, r) for c in range(last + 1) for r in range(ground.visible)}
    for column in (0, 1, last):
        places: set[int] | None = None
        for kind in ground.colors[2:4]:
            stack = {(column, row): ground.colors[row % 2] for row in range(ground.visible - 1)}
            ground.rig.load(ground.state)
            before = ground.rig.snap()
            low = next(other for other in ground.colors if other not in (kind, stack[column, ground.visible - 2]))
            try:
                after = _over_the_stack(ground, stance, stack, poker.pokes(low, kind), column)
            except CalibrationError:
                return None
            void = before & ground.mask == ground.grid.empty & ground.mask
            fresh = set(np.flatnonzero((void & (after & ground.mask == kind))[: ground.rig.own]).tolist()) - cells
            places = fresh if places is None else places & fresh
        found.append(places or set())
    rows = [
        (first, second - first)
        for first in sorted(found[0])
        for second in sorted(found[1])
        if second != first and first + last * (second - first) in found[2]
    ]
    return rows[0] if len(rows) == 1 else None


def _stands_up_there(ground: Ground, stance: Stance) -> bool | None:
    """Whether a piece that lies in the hidden row, on columns full up to it, can stand up; None if it isn't known.

    Its other half would then be above the hidden row.
    """
    turning, tap = stance.turning, ground.driver.tap
    if turning.back is None or turning.place is None or stance.denotes != "axis" or stance.ways[0] != "up":
        return None
    rig, x, y = ground.rig, ground.driver.x.offset, ground.driver.y.offset
    target = ground.columns[0 if stance.ways[1] == "right" else 1]
    stack = {(column, row): ground.colors[(row + column) % 2] for column in (0, 1) for row in range(ground.visible)}
    held = {y: ground.floor_y + ground.cell_y * (ground.visible - stance.near_row) & 255}
    rig.load(ground.state)
    rig.poke(ground.painted())

    def press(button: Button) -> None:
        for pad in tap.pads(button):
            rig.poke(held)
            rig.step(pad)

    # a game may answer a fresh press only some frames after the piece has appeared
    rig.run([0] * EDGE)
    for first in (*ground.driver.first, turning.button):
        rig.run(tap.pads(Button(first)))
    for _ in range(2 * ground.grid.columns):
        if rig.peek(x) == target:
            break
        press(Button.LEFT)
    if rig.peek(x) != target or standing(ground, stance, rig.snap()) != stance.ways[1]:
        return None
    # only now, for a piece that touches the stack may lock at any time
    rig.poke(ground.painted(stack))
    press(turning.back)
    return standing(ground, stance, rig.snap()) == "up"


def _over_the_stack(
    ground: Ground,
    stance: Stance,
    stack: dict[tuple[int, int], int],
    pokes: dict[int, int] | None = None,
    column: int = 0,
) -> Bytes:
    """RAM after the piece locked, upright, on a high stack in a column. Raises CalibrationError if it can't."""
    rig, x = ground.rig, ground.driver.x.offset
    top = ground.floor_y + ground.cell_y * (ground.visible - 1)
    rig.load(ground.state)
    held = {ground.driver.y.offset: top & 255}
    if stance.partner is not None:
        other = stance.partner[1]
        held[other] = top + rig.peek(other) - rig.peek(ground.driver.y.offset) & 255
    rig.poke({**ground.painted(stack), **(pokes or {})})
    side = Button.LEFT if column < ground.spawn_column else Button.RIGHT
    for _ in range(2 * ground.grid.columns):
        for pad in ground.driver.tap.pads(side):
            # y is poked on every frame, so that the piece doesn't sink on its way over the stack
            rig.poke(held)
            rig.step(pad)
        if rig.peek(x) == ground.columns[column]:
            return ground.driver.fall(rig.save()).ram
    raise CalibrationError(f"the piece doesn't get over a high stack in column {column + 1}")
