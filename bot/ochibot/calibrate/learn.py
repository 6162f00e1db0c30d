"""The order of the experiments of a blind calibration, each resting on those before."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from ochibot.calibrate.colors import ColorByte, Sample, find_byte, sample
from ochibot.calibrate.documented import NO_HINTS, Hints, Verdict, hints_of, judge_others
from ochibot.calibrate.driver import Driver, Fallen, Place
from ochibot.calibrate.effects import Poker, Sort, clear_size, empty_field, link_bits, scoring_events, sort_codes
from ochibot.calibrate.explore import Explorer, Route
from ochibot.calibrate.facts import Above, Basis, Kicks, Moments, Shape, Stance, Timing
from ochibot.calibrate.grid import Grid, find_places
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Lab, tap
from ochibot.calibrate.measure import measure_above, measure_kicks, measure_timing
from ochibot.calibrate.motion import Motion, followers, motion, roots
from ochibot.calibrate.needles import Needles, find_attack_score, find_needles
from ochibot.calibrate.notebook import Notebook
from ochibot.calibrate.score import Formula, Score, find_score, solve
from ochibot.calibrate.signs import (
    OverByte,
    SignByte,
    Watched,
    change_signs,
    control_bytes,
    control_values,
    over_signs,
    over_trace,
    phase_signs,
    spawn_signs,
    top_sign,
    watch,
)
from ochibot.calibrate.stance import find_stance
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.ram import RamMap
from ochibot.wording import counted

PIECES_WATCHED = 10
MOST_ROUTES = 6
PIECES_CONFIRMED = 6
SignAndControl = tuple[SignByte, tuple[int, ...]]

CODES_TRIED = 16
MOST_ROWS = 40
UPRIGHT = (Button.A, Button.B, Button.X, Button.Y)
"""Buttons that may make a piece stand upright that appears lying."""
MOST_NEXT = 3


@dataclass
class Learnt:
    """All that was learnt; None where something was not."""

    route: Route
    basis: Basis
    stance: Stance
    shape: Shape
    near: ColorByte
    far: ColorByte
    following: tuple[tuple[ColorByte, ColorByte], ...] = ()
    """NEXT pairs: (that of the half which x and y denote, the other's)."""
    size: int | None = None
    sort: Sort | None = None
    score: Score | None = None
    formula: Formula | None = None
    moments: Moments | None = None
    timing: Timing | None = None
    kicks: Kicks | None = None
    above: Above | None = None
    needles: Needles | None = None
    attack_each: int | None = None
    """Shown points of one point of attack, in games with needles."""
    names: dict[int, str] = field(default_factory=dict)
    """Words that a documented map gives for cell codes."""
    judged: tuple[Verdict, ...] = ()
    """Documented entries that no other experiment is about."""


def explore(lab: Lab, told: Callable[[int, int], None] | None = None, hints: Hints = NO_HINTS) -> Route:
    """The way to play: to a screen where pieces fall on a grid. Raises CalibrationError when there is none.

    With a documented mode byte, routes that lead to another mode are only taken when no other one is found.
    """
    explorer = Explorer(lab, told)
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
    """The piece's place and the field, from a savestate of play. Raises CalibrationError where there are none."""
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
    """Raw x of all columns that a piece reaches as it stands best: a tap of a button may make it narrower."""
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
    """The common ground of the later experiments."""
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


def begin(lab: Lab, book: Notebook, state: bytes | None = None, hints: Hints = NO_HINTS) -> tuple[Route, Basis]:
    """Play, and where the piece and the field are. ``state``: a savestate of play; None: the menus are searched.

    Raises CalibrationError where nothing falls on a grid.
    """
    route = book.page("the way to play", lambda: _route(lab, state, hints), needed=True)
    assert route is not None
    lab.load(route.state)
    basis = book.page("the piece and the field", lambda: find_basis(lab, route.state, route.motion, hints), needed=True)
    assert basis is not None
    return route, basis


def learn(lab: Lab, book: Notebook, state: bytes | None = None, documented: RamMap | None = None) -> Learnt:
    """All experiments. ``state``: a savestate of play; None: the menus are searched. ``documented``: a map whose
    addresses are tried before all others. Raises CalibrationError.
    """
    hints = NO_HINTS if documented is None else hints_of(documented, lab)
    return learn_pair(lab, book, *begin(lab, book, state, hints), documented)


def learn_pair(lab: Lab, book: Notebook, route: Route, basis: Basis, documented: RamMap | None = None) -> Learnt:
    """The experiments with pieces of two cells. Raises CalibrationError where pieces are no such pairs."""
    hints = NO_HINTS if documented is None else hints_of(documented, lab)
    turn = hints.places.get("orientation")
    stance = book.page("how the piece turns", lambda: find_stance(lab, route.state, basis, turn), needed=True)
    assert stance is not None
    samples: list[Sample] = []

    def taken(ground: Ground) -> list[Sample]:
        if not samples:
            samples.extend(sample(ground, stance.near_row))
        return samples

    shape = book.page("codes of cells", lambda: _shape(ground_of(lab, stance.state, basis, stance, None), taken))
    if shape is None:
        raise CalibrationError(book.failed["codes of cells"])
    ground = ground_of(lab, stance.state, basis, stance, shape)
    near, far = (
        book.page(f"colour of the {half} half", lambda half=half: _color(ground, taken, half, 0, hints), needed=True)  # type: ignore[misc]
        for half in ("near", "far")
    )
    assert near is not None
    assert far is not None
    learnt = Learnt(route, basis, stance, shape, near, far, names=hints.names)
    learnt.following = _following(book, ground, taken, hints)
    learnt.moments = book.page("signs", lambda: _moments(ground, learnt))
    poker = Poker(ground, near, far, stance.near_row == 0)
    learnt.timing = book.page("timing", lambda: measure_timing(ground))
    learnt.kicks = book.page("kicks", lambda: measure_kicks(ground, stance))
    learnt.size = book.page("what vanishes", lambda: _size(poker))
    if learnt.size is None:
        _learn_needles(book, learnt, poker, ground)
    else:
        learnt.above = book.page("hidden rows", lambda: measure_above(ground, learnt.stance, poker, learnt.size))
        size = learnt.size
        learnt.sort = book.page("other codes", lambda: sort_codes(poker, size, _untried(ground)))
        scored = book.page("the score", lambda: _score(poker, size, ground, learnt, hints))
        if scored is not None:
            learnt.score, learnt.formula = scored
    if documented is not None:
        judged = book.page(
            "other documented entries",
            lambda: tuple(
                judge_others(ground, poker, documented, learnt.size, _falls(ground, 1, PIECES_WATCHED, ground.state))
            ),
        )
        learnt.judged = judged or ()
    return learnt


def _learn_needles(book: Notebook, learnt: Learnt, poker: Poker, ground: Ground) -> None:
    """Learns the rules of the other family, where needles set off what vanishes."""
    needles = book.page("needles", lambda: find_needles(poker, _untried(ground)))
    if needles is None:
        return
    learnt.needles = needles
    # in this game no group vanishes by its size alone, so there is no number to learn
    book.failed.pop("what vanishes", None)
    found = book.page("the score by attack", lambda: find_attack_score(poker, needles))
    if found is not None:
        learnt.score, learnt.attack_each, _ = found


def _route(lab: Lab, state: bytes | None, hints: Hints) -> Route:
    if state is None:
        return explore(lab, hints=hints)
    lab.load(state)
    return Route((), (), motion(lab, state), state, (), 1)


def _shape(ground: Ground, taken: Callable[[Ground], list[Sample]]) -> Shape:
    first = ground.drop(column=0)
    value = int(first.ram[ground.grid.cell(0, 0)])
    _, links = link_bits(ground, value)
    ground.mask = 0xFF & ~links
    samples = taken(ground)
    colors = sorted({kind for one in samples for kind in (one.near, one.far)})
    if len(colors) < 2:
        raise CalibrationError("all pieces have the same colour")
    return Shape(ground.mask, links, tuple(colors), len(samples))


def _color(ground: Ground, taken: Callable[[Ground], list[Sample]], half: str, ahead: int, hints: Hints) -> ColorByte:
    found = find_byte(ground, taken(ground), half, ahead, hints.halves(ahead))
    if found is None:
        raise CalibrationError(f"no byte tells the colour of this half {counted(ahead, 'piece')} before it falls")
    return found


def _following(
    book: Notebook, ground: Ground, taken: Callable[[Ground], list[Sample]], hints: Hints
) -> tuple[tuple[ColorByte, ColorByte], ...]:
    found = []
    for ahead in range(1, MOST_NEXT + 1):
        pair = [
            book.page(
                f"NEXT {ahead}, {half} half",
                lambda half=half, ahead=ahead: _color(ground, taken, half, ahead, hints),  # type: ignore[misc]
            )
            for half in ("near", "far")
        ]
        if None in pair:
            break
        found.append((pair[0], pair[1]))
    return tuple(found)  # type: ignore[arg-type]


def _falls(ground: Ground, seed: int, pieces: int, state: bytes) -> list[Fallen]:
    dice = random.Random(seed)
    falls = []
    for _ in range(pieces):
        fallen = ground.drop(state, column=dice.randrange(len(ground.columns)), keep=True)
        falls.append(fallen)
        state = fallen.state
    return falls


def _moments(ground: Ground, learnt: Learnt) -> Moments:
    """Signs that ten pieces choose and six others confirm."""
    falls = _falls(ground, 1, PIECES_WATCHED, ground.state)
    more = _falls(ground, 2, PIECES_CONFIRMED, falls[-1].state)
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    # y is left out: a piece may sink before it answers the pad
    sinking = {learnt.basis.y[0], *(learnt.stance.partner or ())[1:]}
    known = sorted(known_places(ground, learnt) - sinking)
    watched, again = watch(known, falls), watch(known, more)
    locks = []
    for fallen in falls:
        assert fallen.trace is not None
        field_bytes = fallen.trace[:, cells]
        locks.append(int((field_bytes != field_bytes[0]).any(axis=1).argmax()))
    signs = spawn_signs(watched, again)
    phases = phase_signs(watched, locks, again)
    likely = [sign.offset for sign in (*signs, *phases)]
    ends = [over_trace(ground, ground.colors), over_trace(ground, ground.colors[::-1], falls[0].state)]
    over = over_signs(ends[0], watched, likely, ends[1:])
    return _chosen(ground, watched, again, locks, signs, phases, over)


def known_places(ground: Ground, learnt: Learnt) -> set[int]:
    """Offsets of everything that was found of the field and the piece."""
    known = {ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)}
    known |= {learnt.basis.x[0], learnt.basis.y[0], learnt.near.offset, learnt.far.offset}
    known |= {byte.offset for pair in learnt.following for byte in pair}
    known |= {*(learnt.stance.partner or ())}
    return known if learnt.stance.turning.place is None else known | {learnt.stance.turning.place}


def _chosen(
    ground: Ground,
    watched: list[Watched],
    again: list[Watched],
    locks: list[int],
    signs: list[SignByte],
    phases: list[SignByte],
    over: list[OverByte],
) -> Moments:
    """The best of the signs: of announcements first, then of phases, of counters, and of y at the top."""

    def ended(place: int | None) -> OverByte | None:
        return next((one for one in over if one.offset == place), over[0] if over else None)

    best: tuple[tuple[bool, bool], SignAndControl] | None = None
    for sign in signs[:8]:
        control = control_values(watched, sign.offset, locks)
        # a byte that tells control and the end too is the game's own phase
        rank = (bool(control), any(one.offset == sign.offset for one in over))
        if best is None or rank > best[0]:
            best = rank, (sign, control)
    if best is not None and (best[0][0] or not phases):
        sign, control = best[1]
        return Moments(sign, control, ended(sign.offset), len(watched))
    for sign in sorted(phases, key=lambda sign: not any(one.offset == sign.offset for one in over)):
        return Moments(sign, sign.values, ended(sign.offset), len(watched))
    place, own = next(iter(control_bytes(watched, locks).items()), (None, ()))
    for sign in change_signs(watched, again):
        return Moments(sign, own, ended(place), len(watched), "changes", place)
    top = top_sign(watched, ground.driver.y.offset, again)
    if top is not None:
        return Moments(top, own, ended(place), len(watched), "is", place)
    return Moments(None, (), ended(None), len(watched))


def _size(poker: Poker) -> int:
    found = clear_size(poker)
    if found is None:
        raise CalibrationError("no groups of up to 6 equal cells vanish by themselves")
    return found


def _untried(ground: Ground) -> list[int]:
    """Codes that no piece had: those that differ from the known ones as these differ from each other."""
    low = ground.mask & -ground.mask
    known = {*ground.colors, ground.grid.empty & ground.mask}
    steps = [b - a for a, b in zip(sorted(known), sorted(known)[1:], strict=False)]
    step = max(low, min(steps)) if steps else low
    return [code for code in range(0, 256, step) if not code & ~ground.mask and code not in known][:CODES_TRIED]


def _score(poker: Poker, size: int, ground: Ground, learnt: Learnt, hints: Hints) -> tuple[Score, Formula]:
    events = scoring_events(poker, size)
    score = find_score(poker, events, size, known_places(ground, learnt), hints.score)
    if score is None:
        raise CalibrationError("no number grows as groups vanish by the published formula")
    hurried = poker.lock({}, 0, ground.colors[0], ground.colors[2]).ram
    return score, solve(score, events, size, ground.visible - 1, hurried, empty_field(poker, size))
