"""What the values of orientation mean, and which half x and y denote."""

from __future__ import annotations

from ochibot.calibrate.driver import Driver, Place
from ochibot.calibrate.facts import Basis, Stance
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Lab, tap
from ochibot.calibrate.turning import Turning, find_turning, landing
from ochibot.errors import CalibrationError
from ochibot.wording import counted

MOST_PIECES = 12
DIRECTIONS = {(0, 1): "up", (1, 0): "right", (0, -1): "down", (-1, 0): "left"}
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
CLOCKWISE = ("up", "right", "down", "left")


def find_stance(lab: Lab, state: bytes, basis: Basis, first: int | None = None) -> Stance:
    """Turn, drop and look. ``first``: as of ``find_turning``.

    Raises CalibrationError when no button turns, or the cells don't tell.
    """
    turning = find_turning(lab, state, first)
    driver = Driver(lab, Place(*basis.x), Place(*basis.y))
    driver.control_delay = basis.control_delay
    ground = Ground(
        lab,
        driver,
        state,
        basis.columns,
        basis.grid,
        basis.twins,
        turning,
        basis.floor_y,
        basis.cell_y,
        basis.visible,
        basis.visible,
        basis.spawn_column,
    )
    problem = CalibrationError("the halves of all pieces are alike")
    for _ in range(MOST_PIECES):
        try:
            return _look(ground, turning, state, basis)
        except CalibrationError as error:
            problem = error
        state = ground.drop(state).state
    raise problem


def _look(ground: Ground, turning: Turning, state: bytes, basis: Basis) -> Stance:
    """From the places where the halves come to rest. Raises CalibrationError for a piece of equal halves."""
    column = min(max(basis.spawn_column, 1), len(basis.columns) - 2)
    rests = []
    for taps in range(4):
        fallen = landing(
            ground.driver, state, basis.grid, basis.visible, basis.columns[column], [turning.button] * taps,
            ground.painted(),
        )  # fmt: skip
        if len(fallen.cells) != 2:
            raise CalibrationError(f"a piece left {counted(len(fallen.cells), 'cell')} where 2 were looked for")
        rests.append(fallen.cells)
    level = [cells for cells in (rests[1], rests[3]) if (column, 0) in cells and len({r for _, r in cells}) == 1]
    if not level:
        raise CalibrationError("a piece that was turned once doesn't lie flat")
    near_kind = level[0][column, 0]
    kinds = set(rests[0].values())
    if len(kinds) != 2 or any(set(cells.values()) != kinds for cells in rests):
        raise CalibrationError("the halves of the piece are alike")
    seen = []
    for cells in rests:
        near = next(place for place, kind in cells.items() if kind == near_kind)
        far = next(place for place, kind in cells.items() if kind != near_kind)
        if near[0] != column:
            raise CalibrationError("the half that x denotes isn't in its column")
        seen.append(DIRECTIONS.get((far[0] - near[0], far[1] - near[1])))
    if set(seen) != set(CLOCKWISE):
        raise CalibrationError(f"a piece stands in the ways {seen}, not in four")
    lab = ground.lab
    turned = lab.after(state, tap(turning.button))[basis.x[0]]
    still = lab.after(state, [0] * len(tap(turning.button)))[basis.x[0]]
    denotes = "axis" if turned == still else "partner"
    words = [str(word) if denotes == "axis" else OPPOSITE[str(word)] for word in seen]
    forward = CLOCKWISE[(CLOCKWISE.index(words[0]) + 1) % 4] == words[1]
    first = str(turning.button.name).lower()
    back = str(turning.back.name).lower() if turning.back else None
    near_row = next(place for place, kind in rests[0].items() if kind == near_kind)[1]
    return Stance(
        turning,
        dict(zip(turning.cycle, words, strict=True)) if turning.place is not None else {},
        denotes,
        near_row,
        words[0],
        first if forward else back,
        back if forward else first,
        4,
        state,
    )
