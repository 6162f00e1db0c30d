"""The first experiments: they find a route to play, and where RAM holds the piece's position and the field."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.calibrate.documented import NO_HINTS, Hints
from ochibot.calibrate.driver import Driver, Place
from ochibot.calibrate.explore import Explorer, Route
from ochibot.calibrate.facts import Basis, Shape, Stance
from ochibot.calibrate.grid import Grid, find_places
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Lab, tap
from ochibot.calibrate.motion import Motion, followers, motion, roots
from ochibot.console import Button
from ochibot.errors import CalibrationError

MOST_ROUTES = 6
MOST_ROWS = 40
UPRIGHT = (Button.A, Button.B, Button.X, Button.Y)
"""Buttons that may turn a piece upright when it appears lying on its side."""


def explore(lab: Lab, progress: Callable[[int, int], None] | None = None, hints: Hints = NO_HINTS) -> Route:
    """Finds a route to a screen on which pieces fall on a grid. Raises CalibrationError when there is none.

    If ``hints`` name a mode, a route into that mode is preferred; a route into another mode is the fallback.
    """
    explorer = Explorer(lab, progress)
    problem: CalibrationError | None = None
    other_mode: Route | None = None
    for _ in range(MOST_ROUTES):
        try:
            route = explorer.find()
        except CalibrationError as error:
            problem = problem or error
            break
        try:
            find_basis(lab, route.state, route.motion, hints)
        except CalibrationError as error:
            problem = error
            continue
        if hints.mode is None or _peeked(lab, route.state, hints.mode[0]) == hints.mode[1]:
            return route
        other_mode = other_mode or route
    if other_mode is not None:
        return other_mode
    raise CalibrationError(f"nothing was found here that falls on a grid of cells, and no map is written: {problem}")


def _peeked(lab: Lab, state: bytes, place: int) -> int:
    lab.load(state)
    return lab.peek(place)


def find_basis(lab: Lab, state: bytes, seen: Motion | None = None, hints: Hints = NO_HINTS) -> Basis:
    """Finds where RAM holds x, y and the field, at a savestate of play. Raises CalibrationError when it can't."""
    moves = seen or motion(lab, state)
    if not moves:
        raise CalibrationError("nothing falls and follows left and right at the savestate")
    follow_x, follow_y = followers(lab, state, moves.across), followers(lab, state, moves.fall)
    problem = CalibrationError("no byte that follows the piece keeps what is poked into it")
    first = hints.places
    for x in sorted(roots(follow_x), key=lambda place: place != first.get("x"))[:3]:
        for y in sorted(roots(follow_y), key=lambda place: place != first.get("y"))[:3]:
            lab.check_time()
            try:
                return _basis(lab, state, moves, x, y, (len(follow_x[x]) - 1, len(follow_y[y]) - 1), hints.grid)
            except CalibrationError as error:
                problem = error
    raise problem


def _basis(
    lab: Lab, state: bytes, moves: Motion, x: int, y: int, follow: tuple[int, int], documented: Grid | None = None
) -> Basis:
    across, down = moves.across[x], moves.fall[y]
    driver = Driver(lab, Place(x, across), Place(y, down))
    columns = _upright(driver, state)
    first = driver.fall(state)
    assert driver.control_delay is not None
    places = find_places(driver, state, columns, documented)
    place = places.found[0]
    trial = driver.fall(state, column=columns[0])
    depth = (trial.lowest - trial.top) * (1 if down > 0 else -1) & 255
    visible = depth // abs(place.cell_y) + 1
    if not 4 <= visible <= MOST_ROWS:
        raise CalibrationError(f"a field of {visible} rows makes no sense")
    lab.load(state)
    for button in driver.first:
        lab.run(tap(button, on=3, off=4))
    spawn = columns.index(lab.peek(x)) if lab.peek(x) in columns else len(columns) // 2
    return Basis(
        (x, across),
        (y, down),
        driver.control_delay,
        columns,
        place.grid,
        tuple(one.grid for one in places.found[1:]),
        trial.lowest,
        first.top,
        place.cell_y,
        visible,
        spawn,
        places.decoys,
        follow,
        place.cells,
        driver.first,
    )


def _upright(driver: Driver, state: bytes) -> tuple[int, ...]:
    """Raw x of all columns that the piece reaches. A piece that appears lying reaches one more after a tap that turns
    it upright; that button is then kept in ``driver.first``.
    """
    best = driver.columns(state)
    for button in UPRIGHT:
        driver.first = (int(button),)
        try:
            columns = driver.columns(state)
        except CalibrationError:
            continue
        if len(columns) > len(best):
            return columns
    driver.first = ()
    return best


def ground_of(lab: Lab, state: bytes, basis: Basis, stance: Stance, shape: Shape | None) -> Ground:
    """Makes the Ground for the later experiments from what was learnt of the field and the piece."""
    driver = Driver(lab, Place(*basis.x), Place(*basis.y), basis.first)
    driver.control_delay = basis.control_delay
    return Ground(
        lab,
        driver,
        state,
        basis.columns,
        basis.grid,
        basis.twins,
        stance.turning,
        basis.floor_y,
        basis.cell_y,
        basis.visible,
        basis.visible,
        basis.spawn_column,
        shape.mask if shape else 0xFF,
        shape.colors if shape else (),
    )
