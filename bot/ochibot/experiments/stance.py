"""Finds what the values of the orientation mean, and which half's position x and y give."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Basis, Stance, driver_of
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes, Rig, signed
from ochibot.experiments.setting import pokes_of
from ochibot.experiments.turning import TURN_FRAMES, Turning, find_turning, turned
from ochibot.wording import counted

MOST_PIECES = 12
WAITS = (0, 1, 2, 3, 5, 6, 8, 11, 13, 18, 29, 47, 71)
"""A piece is dropped after so many frames: bits of its cells that then differ tell nothing of it."""

HEIGHTS = (1, 2, 3, 5)
"""In games without a soft drop it is dropped on so many cells."""

DEEPER = (1, 2, 3)
"""And, where y is in pixels, from so many pixels further down."""

LATER = (0, 4, 8)
"""In so many frames a piece may go down a row, and then a game may write the places of both halves anew."""

DIRECTIONS = {(0, 1): "up", (1, 0): "right", (0, -1): "down", (-1, 0): "left"}
STEPS = {word: step for step, word in DIRECTIONS.items()}
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
CLOCKWISE = ("up", "right", "down", "left")


Offset = tuple[int, int]
"""Columns to the right and rows up."""


def offsets(denotes: str, word: str) -> tuple[Offset, Offset]:
    """Where the axis and the partner are, seen from the place that x and y denote. word: how the piece stands."""
    across, up = STEPS[word]
    axis = {"partner": (-across, -up), "box": (max(-across, 0), max(-up, 0))}.get(denotes, (0, 0))
    return axis, (axis[0] + across, axis[1] + up)


def find_stance(rig: Rig, state: bytes, basis: Basis, first: int | None = None) -> Stance:
    """Turns pieces, drops them and looks at the cells they leave. ``first``: see ``find_turning``.

    Raises CalibrationError when no button turns the piece, or the cells don't show how it stood.
    """
    driver = driver_of(rig, basis)
    rig.load(state)
    # on a heap, a piece may come to rest before it was turned four times
    rig.poke(pokes_of(basis.place, basis.setting, {}))
    turning = find_turning(driver, rig.save(), first)
    ground = bare_ground(rig, state, basis, turning)
    ground.mask = 0xFF & ~idle_bits(ground)
    problems: list[str] = []
    for _ in range(MOST_PIECES):
        try:
            return _look(ground, _begun(ground, turning, state), state, basis)
        except CalibrationError as error:
            problems.append(str(error))
        try:
            state = ground.drop(state).state
        except CalibrationError:
            break
    # what most pieces left says more than that the last ones ended the game
    raise CalibrationError(Counter(problems).most_common(1)[0][0])


def _begun(ground: Ground, turning: Turning, state: bytes) -> Turning:
    """The turning as the piece of this savestate shows it: the first piece may have been turned by the last tap of the
    way to play.
    """
    if turning.place is None:
        return turning
    upright = upright_state(ground, state)
    raw = turning.read(ground.rig.after(upright, [0] * TURN_FRAMES))
    if raw not in turning.cycle:
        return turning
    begun = turning.cycle.index(raw)
    return replace(turning, cycle=turning.cycle[begun:] + turning.cycle[:begun])


def bare_ground(rig: Rig, state: bytes, basis: Basis, turning: Turning) -> Ground:
    """The Ground for experiments while the codes of cells aren't known."""
    return Ground(
        rig,
        driver_of(rig, basis),
        state,
        basis.columns,
        basis.grid,
        basis.place,
        basis.setting,
        turning,
        basis.floor_y,
        basis.cell_y,
        basis.visible,
        basis.spawn_column,
    )


def idle_bits(ground: Ground) -> int:
    """The bits of cells that mean nothing: they differ when the same piece lands a few frames later.

    Bits that make a cell look empty, or that are all of a cell's bits, count as no such bits.
    """
    seen: dict[tuple[int, int], set[int]] = {}
    ends: Counter[int] = Counter()
    column = ground.spawn_column

    def drop(wait: int, height: int, deeper: int = 0) -> None:
        ground.rig.load(ground.state)
        ground.rig.run([0] * wait)
        if deeper:
            y = ground.driver.y.offset
            ground.rig.poke({y: ground.rig.peek(y) + (-deeper if ground.cell_y > 0 else deeper) & 255})
        under = {(column, row): codes[row % len(codes)] for row in range(height)}
        try:
            fallen = ground.drop(ground.rig.save(), under)
        except CalibrationError:
            return
        ends[wait + fallen.frames] += 1
        rested = {(c, row): value for (c, row), value in sorted(ground.cells(fallen.ram).items()) if row >= height}
        flying = {spot: value for spot, value in sorted(ground.cells(fallen.flying).items()) if spot not in under}
        for (c, row), value in rested.items():
            seen.setdefault((c, row - height), set()).add(value)
        # a piece that is drawn into the field as it falls may have other bits than cells that rest
        if len(flying) == len(rested):
            for (c, row), value in zip(rested, flying.values(), strict=True):
                seen[c, row - height].add(value)

    codes = [code for code, _ in ground.place.codes[:2]]
    for wait in WAITS:
        drop(wait, 0)
    if 2 * max(ends.values(), default=0) > len(WAITS):
        # without a soft drop, or where it is no faster, a piece lands at the same time, however long one has waited
        for height in HEIGHTS:
            drop(0, height)
        # rows may all take a multiple of four frames, but pixels don't
        for pixels in DEEPER if abs(ground.cell_y) > DEEPER[-1] else ():
            drop(0, 0, pixels)
    bits = 0
    for values in seen.values():
        first = min(values)
        for value in values:
            bits |= first ^ value
    empty = ground.grid.empty
    told = {value & ~bits for values in seen.values() for value in values}
    return 0 if empty & ~bits & 0xFF in told else bits


def _look(ground: Ground, turning: Turning, state: bytes, basis: Basis) -> Stance:
    """Finds the stance from one piece. Raises CalibrationError when its cells don't show four orientations."""
    column = min(max(basis.spawn_column, 1), len(basis.columns) - 2)
    rests = []
    for taps in range(4):
        cells = ground.kinds(ground.drop(state, column=column, turns=(int(turning.button),) * taps).ram)
        if len(cells) != 2:
            raise CalibrationError(f"a piece left {counted(len(cells), 'cell')} where 2 were looked for")
        rests.append(cells)
    level = [cells for cells in (rests[1], rests[3]) if (column, 0) in cells and len({r for _, r in cells}) == 1]
    if not level:
        raise CalibrationError("a piece that was turned once doesn't lie flat")
    boxed = all(min(c for c, _ in cells) == column for cells in rests)
    near_kind = rests[0].get((column, 0), 0) if boxed else level[0][column, 0]
    kinds = set(rests[0].values())
    if len(kinds) != 2 or any(set(cells.values()) != kinds for cells in rests):
        raise CalibrationError("the halves of the piece are alike")
    seen = []
    for cells in rests:
        near = next(place for place, kind in cells.items() if kind == near_kind)
        far = next(place for place, kind in cells.items() if kind != near_kind)
        if near[0] != column and not boxed:
            raise CalibrationError("the half that x denotes isn't in its column")
        seen.append(DIRECTIONS.get((far[0] - near[0], far[1] - near[1])))
    if set(seen) != set(CLOCKWISE):
        raise CalibrationError(f"a piece stands in the ways {seen}, not in four")
    rig = ground.rig
    upright = upright_state(ground, state)
    if boxed and not _stays(ground, turning, upright, basis):
        raise CalibrationError("the half that x denotes isn't in its column")
    pads = ground.driver.tap.pads(turning.button)
    lying = rig.after(upright, pads)[basis.x[0]]
    still = rig.after(upright, [0] * len(pads))[basis.x[0]]
    denotes = "box" if boxed else "axis" if lying == still else "partner"
    words = [OPPOSITE[str(word)] if denotes == "partner" else str(word) for word in seen]
    partner = None
    if turning.place is None:
        partner = _partner(ground, turning, upright, [STEPS[str(word)] for word in seen])
    forward = CLOCKWISE[(CLOCKWISE.index(words[0]) + 1) % 4] == words[1]
    first = str(turning.button.name).lower()
    back = str(turning.back.name).lower() if turning.back else None
    near_row = next(place for place, kind in rests[0].items() if kind == near_kind)[1]
    # ``words[0]`` is the upright piece; if a tap was needed to make it upright, it appears as it was before that tap
    start = {(): words[0], (int(turning.button),): words[3]}.get(basis.first, words[1])
    return Stance(
        turning,
        dict(zip(turning.cycle, words, strict=True)) if turning.place is not None else {},
        denotes,
        near_row,
        start,
        first if forward else back,
        back if forward else first,
        4,
        state,
        tuple(words),
        partner,
        ground.mask,
    )


def _stays(ground: Ground, turning: Turning, state: bytes, basis: Basis) -> bool:
    """Whether x and y stay what they are as a piece turns."""
    seen = turned(ground.rig, state, turning.button, ground.driver.tap)
    return all(len({int(ram[place]) for ram in seen}) == 1 for place in (basis.x[0], basis.y[0]))


def upright_state(ground: Ground, state: bytes) -> bytes:
    """A savestate with the piece upright. If it appears lying, the driver's ``first`` buttons are tapped."""
    if not ground.driver.first:
        return state
    ground.rig.load(state)
    for button in ground.driver.first:
        ground.rig.run(ground.driver.tap.pads(button))
    return ground.rig.save()


def _partner(ground: Ground, turning: Turning, state: bytes, far: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Offsets of the other half's x and y, in games that keep the places of both halves; None in others.

    ``far``: the steps (columns, rows up) from the half at x and y to the other half, after 0 to 3 taps.
    """
    x, y = ground.driver.x, ground.driver.y
    seen = np.stack(turned(ground.rig, state, turning.button, ground.driver.tap)[:4])
    places: list[list[int]] = []
    amounts = [x.step * across for across, _ in far], [ground.cell_y * up for _, up in far]
    for base, steps in zip((x.offset, y.offset), amounts, strict=True):
        wanted = np.array([int(ram[base]) + step & 255 for ram, step in zip(seen, steps, strict=True)], np.uint8)
        places.append([int(place) for place in np.flatnonzero((seen == wanted[:, None]).all(axis=0))])
    return _obeyed(ground, state, places[0], places[1], far[0][1])


def _obeyed(ground: Ground, state: bytes, across: list[int], down: list[int], up: int) -> tuple[int, int] | None:
    """Offsets (x, y) of the other half: one of ``across`` that moves it when poked, and the nearest of ``down`` that
    keeps what is poked. None if there are none. up: whether the other half stands above (1) or below (-1).
    """
    driver, rig = ground.driver, ground.rig
    kept_first, driver.first = driver.first, ()
    kept = [py for py in down if any(_keeps(rig, state, py, ground.cell_y, wait) for wait in LATER)]
    try:
        straight = ground.cells(ground.drop(state).ram)
        # a game may refuse a piece whose halves lie apart, so the other half is also brought beside the first one
        for px, py in [(px, py) for py in (None, *kept) for px in across]:
            rig.load(state)
            pokes = {px: rig.peek(px) + driver.x.step & 255}
            if py is not None:
                pokes[py] = rig.peek(py) - up * ground.cell_y & 255
            try:
                moved = ground.cells(ground.drop(state, pokes=pokes).ram)
            except CalibrationError:
                continue
            if kept and set(moved) != set(straight) and len(moved) == len(straight):
                return px, min(kept, key=lambda one: abs(one - px)) if py is None else py
    finally:
        driver.first = kept_first
    # a game may write both halves again at each step; then only one pair of bytes may be left
    kept = kept or down
    return (across[0], kept[0]) if len(across) == len(kept) == 1 else None


def _keeps(rig: Rig, state: bytes, place: int, amount: int, wait: int) -> bool:
    """Whether a byte keeps an amount that is added to it after some frames, however it goes on by itself. A renewed
    copy doesn't.
    """
    rig.load(state)
    rig.run([0] * wait)
    here, value = rig.save(), rig.peek(place)
    plain = int(rig.after(here, [0, 0, 0])[place])
    poked = rig.after(here, [0, 0, 0], {place: value + amount & 255})
    return int(poked[place]) == plain + amount & 255


def standing(ground: Ground, stance: Stance, ram: Bytes) -> str | None:
    """The partner's side of the axis, read from RAM; None where RAM doesn't show it."""
    if stance.turning.places:
        return stance.symbols.get(stance.turning.read(ram))
    if stance.partner is None:
        return None
    px, py = stance.partner
    x, y = ground.driver.x.offset, ground.driver.y.offset
    away = signed(ram[[px, py]] - ram[[x, y]]).astype(int).tolist()
    word = DIRECTIONS.get((away[0] // ground.driver.x.step, away[1] // ground.cell_y))
    return word if word is None or stance.denotes != "partner" else OPPOSITE[word]
