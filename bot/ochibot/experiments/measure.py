"""Measures how pieces move: auto-repeat, the fall, the lock, kicks, and the rows above the visible ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import EDGE
from ochibot.experiments.effects import Poker
from ochibot.experiments.facts import Above, Kicks, Rows, Stance, Timing
from ochibot.experiments.fields import inside
from ochibot.experiments.known import Cells, Ground
from ochibot.experiments.lattice import FEWEST_PIXELS
from ochibot.experiments.pad import Tap, signed_byte
from ochibot.experiments.rig import Bytes, signed
from ochibot.experiments.stance import CLOCKWISE, OPPOSITE, standing, upright_state

LONG = 1500

SHAFT = 4
"""How many rows below the highest visible row a piece is turned in a shaft."""

LOWER = 3
"""How many rows too high a field may have been taken for."""

FAMILY_ROWS = 14
FAMILY_COLUMNS = 6
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
    # a game may want DOWN to be let go once
    down = rig.branch(ground.state, [0] * EDGE + [int(Button.DOWN)] * 240, paint)
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
    wiggle = Tap(2, 4).pads(Button.LEFT) + Tap(2, 4).pads(Button.RIGHT)
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
    """Turns the piece beside walls, on a stack and in a shaft, to see kicks and quick turns."""
    rig, upright = ground.rig, stance.ways[0]
    if not stance.readable:
        return Kicks()
    tap, state = ground.driver.tap, upright_state(ground, ground.state)
    turns = {after: button for button, after in _turns(stance, upright).items()}

    def seen(pads: list[int], pokes: dict[int, int], after: int = 6) -> Bytes:
        return rig.after(state, pads + [0] * after, pokes)

    wall = None
    for word, side, column in (("left", Button.LEFT, 0), ("right", Button.RIGHT, -1)):
        if word in turns:
            beside = _at_wall(ground, state, side, column)
            if rig.peek(ground.driver.x.offset) != ground.columns[column]:
                continue
            ram = rig.after(beside, tap.pads(turns[word]) + [0] * 6)
            moved = int(ram[ground.driver.x.offset]) != ground.columns[column]
            turned = standing(ground, stance, ram) == word
            if stance.denotes == "box" and column == 0:
                # a box is two columns wide, and so in no turn's way here
                continue
            wall = bool(wall) or (turned if stance.denotes == "partner" else turned and moved)
    # in a shaft that is one column wide. A piece may appear above its walls' top
    turn, column = next(iter(turns.values())), ground.spawn_column
    walls = {
        (side, row): ground.colors[(row // 2 + side) % 2]
        for side in (column - 1, column + 1)
        for row in range(ground.visible)
    }
    shaft = {**ground.painted(walls), **_lowered(ground, stance, state, ground.visible - SHAFT)}
    # some games turn the piece over at the first press, others at the second
    lies, *twice = (standing(ground, stance, seen(tap.pads(turn, taps), shaft, 4)) for taps in (1, 2))
    quick = None if lies not in (upright, OPPOSITE[upright]) else OPPOSITE[upright] in (lies, *twice)
    if stance.denotes == "box":
        return Kicks(wall, _kicked_upright(ground, stance, state), quick)
    # on a stack that ends just below the piece. Poking y saves waiting, in which the game may lock the piece
    high = {(column, row): ground.colors[row // 2 % 2] for row in range(ground.visible - 2)}
    stands = ground.floor_y + ground.cell_y * (ground.visible - 2) & 255
    pokes = {**ground.painted(high), **_lowered(ground, stance, state, ground.visible - 2)}
    ram = seen((tap.pads(turn) + [0] * 2) * 2, pokes, 0)
    up = signed_byte(int(ram[ground.driver.y.offset]) - stands) // ground.cell_y
    over = standing(ground, stance, ram) == OPPOSITE[upright]
    return Kicks(wall, over and (up >= 1 or stance.denotes != "axis"), quick)


def _kicked_upright(ground: Ground, stance: Stance, state: bytes) -> bool | None:
    """Whether a piece that lies in a box goes a column to the left where it can't be turned upright. None: not seen."""
    rig, column, row = ground.rig, max(1, ground.spawn_column), ground.visible - SHAFT
    turn = next(iter(_turns(stance, stance.ways[0])))
    tap = ground.driver.tap
    state = _at_wall(ground, state, Button.RIGHT if column > ground.spawn_column else Button.LEFT, column)
    rig.load(state)
    rig.run(tap.pads(turn))
    lies = standing(ground, stance, rig.snap())
    state = rig.save()
    pokes = _lowered(ground, stance, state, row)
    rig.load(state)
    rig.poke({**ground.painted({(column, row + 1): ground.colors[0]}), **pokes})
    rig.run([*tap.pads(turn), 0, 0])
    now = standing(ground, stance, rig.snap())
    if lies not in ("left", "right") or now == lies:
        return False if now == lies else None
    return rig.peek(ground.driver.x.offset) == ground.columns[column - 1]


def _at_wall(ground: Ground, state: bytes, side: Button, column: int) -> bytes:
    """The piece of a savestate in the outermost ``column``, over an empty field.

    It is tapped there no more often than it must be: with a slow pad it may come to rest meanwhile.
    """
    rig = ground.rig
    rig.load(state)
    rig.poke(ground.painted())
    for _ in range(ground.grid.columns):
        if rig.peek(ground.driver.x.offset) == ground.columns[column]:
            break
        rig.run(ground.driver.tap.pads(side))
    return rig.save()


HALF = 128
"""Half a row in a byte that holds parts of it."""


def measure_between(ground: Ground, stance: Stance, fraction: int | None = None) -> bool | None:
    """Whether a piece that is between two rows takes the lower one; None: not seen.

    It is tapped against a wall that ends in the lower row: from the row above it moves, from the lower row it doesn't.
    fraction: where the parts of a row are, from y, if y is a whole number of rows.
    """
    parts = abs(ground.cell_y) if fraction is None else 256
    if parts < FEWEST_PIXELS or ground.driver.y.offset == ground.driver.x.offset:
        return None
    side, column = (Button.LEFT, -1) if ground.spawn_column else (Button.RIGHT, 1)
    row = ground.visible // 2
    wall = {(ground.spawn_column + column, r): ground.colors[r % 2] for r in range(row + 1)}
    state = upright_state(ground, ground.state)

    def moves(row: int, down: int = 0) -> bool:
        held = {place: raw + down & 255 for place, raw in _lowered(ground, stance, state, row).items()}
        return _moves_held(ground, state, wall, held | beside, side)

    beside: dict[int, int] = {} if fraction is None else {ground.driver.y.offset + fraction: 0}
    if not moves(row + 1) or moves(row):
        return None
    beside = dict.fromkeys(beside, HALF)
    return not moves(row + 1, 0 if beside else -ground.cell_y // 2)


def _turns(stance: Stance, word: str) -> dict[int, str]:
    """How the piece stands after each button that turns it, when it stands so now."""
    now = CLOCKWISE.index(word)
    found = {}
    for name, by in ((stance.clockwise, 1), (stance.counter, -1)):
        if name is not None:
            found[int(Button[name.upper()])] = CLOCKWISE[(now + by) % 4]
    return found


def _lowered(ground: Ground, stance: Stance, state: bytes, row: int) -> dict[int, int]:
    """Pokes that move the upright piece of a savestate into this row."""
    rig, y = ground.rig, ground.driver.y.offset
    stands = ground.floor_y + ground.cell_y * row & 255
    rig.load(state)
    partner = {} if stance.partner is None else {stance.partner[1]: stands + rig.peek(stance.partner[1]) - rig.peek(y)}
    return {y: stands, **partner}


def measure_rows(poker: Poker, size: int) -> Rows:
    """Which rows of the field keep cells, and which of them count for groups.

    A cell that hangs above a gap falls into it, in rows that are the field's. One that rests there stays, but for rows
    whose cells are lost as soon as they have fallen.
    """
    ground = poker.ground
    one, other, third = ground.colors[:3]
    last = ground.grid.columns - 1

    def locked(cells: Cells) -> list[int]:
        """The kinds in the last column after a lock in the first one, from the floor."""
        more = {ground.grid.cell(*place): value for place, value in cells.items() if place[1] >= ground.place.rows}
        ram = poker.lock(cells, 0, other, third, more).ram
        return [int(ram[ground.grid.cell(last, row)]) & ground.mask for row in range(max(r for _, r in cells) + 1)]

    def pile(rows: int) -> Cells:
        return {(last, row): (other, third)[row % 2] for row in range(rows)}

    def keeps(row: int) -> bool:
        try:
            falls = locked({**pile(row - 1), (last, row): one})[row - 1] == one
            return falls and locked({**pile(row), (last, row): one})[row] == one
        except CalibrationError:
            return False

    kept = ground.visible
    most = FAMILY_ROWS if ground.grid.columns == FAMILY_COLUMNS else max(FAMILY_ROWS, ground.place.rows)
    while kept < most and inside(ground.grid, kept, ground.rig.size) and keeps(kept):
        kept += 1
    while kept > ground.visible - LOWER and kept <= ground.visible and not keeps(kept - 1):
        kept -= 1
    if kept == ground.visible - LOWER:
        kept = ground.visible
    grouping = kept
    for top in range(kept - 1, size, -1):
        cells = {**pile(top - size + 1), **{(last, row): one for row in range(top - size + 1, top + 1)}}
        try:
            left = locked(cells)
        except CalibrationError:
            continue
        if one not in left:
            grouping = top + 1
            break
    return Rows(kept, grouping)


def measure_above(ground: Ground, stance: Stance, poker: Poker, rows: Rows, appears: int) -> Above:
    """What is above the visible rows. ``appears``: rows up to the lower half of a piece that has just appeared.

    Where all rows count for groups, those above that half may be hidden ones all the same.
    """
    hidden = rows.kept - ground.visible
    apart = None if hidden else find_row_apart(ground, stance, poker)
    if apart == (ground.grid.cell(0, ground.visible), ground.grid.across):
        # it is the next row of the field, which no other piece had reached
        hidden, apart = 1, None
    kept = ground.visible + max(hidden, int(apart is not None))
    free = None
    if kept >= FAMILY_ROWS:
        free = False
    elif appears >= kept and apart is None:
        # an upright piece appears with its upper half up there
        free = True
    elif apart is None:
        free = _moves_up_there(ground, stance, kept)
    ceiling = "solid" if free is False else "vanish"
    grouped = hidden > 0 and rows.grouping >= ground.visible + hidden
    return Above(kept - ground.visible, ceiling, grouped, apart, free is not None)


def find_row_apart(ground: Ground, stance: Stance, poker: Poker) -> tuple[int, int] | None:
    """Where the hidden row is, in games that keep it apart from the other rows: (the offset of its cell in the first
    column, what a column adds); the next row of the field's own, if it is one. None when it isn't found.

    Halves of two colours lock there in three columns. In no other place may their codes appear in equal steps.
    """
    last = ground.grid.columns - 1
    found: list[set[int]] = []
    cells = {ground.grid.cell(c, r) for c in range(last + 1) for r in range(ground.visible)}
    if ground.rig.view is not None:
        cells |= {place for cell in ground.rig.view.places[: ground.visible * (last + 1)] for place in cell}
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
    own = ground.grid.cell(0, ground.visible), ground.grid.across
    # a copy of the field shows the row, too
    return own if own in rows else rows[0] if len(rows) == 1 else None


def _moves_up_there(ground: Ground, stance: Stance, kept: int) -> bool | None:
    """Whether an upright piece moves to a side while its upper half is above all rows; None if it isn't known.

    In the row below, where both halves are in the field, it must move.
    """
    if ground.driver.y.offset == ground.driver.x.offset:
        return None
    state = upright_state(ground, ground.state)
    below, above = (
        _moves_held(ground, state, {}, _lowered(ground, stance, state, row + stance.near_row), Button.LEFT)
        for row in (kept - 2, kept - 1)
    )
    return above if below else None


def _moves_held(ground: Ground, state: bytes, cells: Cells, held: dict[int, int], side: Button) -> bool:
    """Whether a tap moves the piece of a savestate over these cells, while some bytes are held as they are."""
    rig = ground.rig
    rig.load(state)
    rig.poke(ground.painted(cells))
    before = ground.driver.x_now()
    _tap_held(ground, held, side)
    return ground.driver.x_now() != before


def _tap_held(ground: Ground, held: dict[int, int], side: Button) -> None:
    """Taps a button. Bytes are poked on every frame, so that the piece doesn't sink."""
    for pad in ground.driver.tap.pads(side):
        ground.rig.poke(held)
        ground.rig.step(pad)


def _over_the_stack(
    ground: Ground,
    stance: Stance,
    stack: Cells,
    pokes: dict[int, int],
    column: int,
) -> Bytes:
    """RAM after the piece locked, upright, on a high stack in a column. Raises CalibrationError if it can't."""
    rig = ground.rig
    held = _lowered(ground, stance, ground.state, ground.visible - 1)
    rig.poke({**ground.painted(stack), **pokes})
    side = Button.LEFT if column < ground.spawn_column else Button.RIGHT
    for _ in range(2 * ground.grid.columns):
        _tap_held(ground, held, side)
        if ground.driver.x_now() == ground.columns[column]:
            return ground.driver.fall(rig.save()).ram
    raise CalibrationError(f"the piece doesn't get over a high stack in column {column + 1}")
