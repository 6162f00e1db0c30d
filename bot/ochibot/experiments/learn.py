"""The experiments of a calibration in their order. Each one builds on those before it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from ochibot.errors import CalibrationError
from ochibot.experiments.arrival import find_arrival
from ochibot.experiments.bases import Bases
from ochibot.experiments.basis import ground_of
from ochibot.experiments.colors import ColorByte, Sample, find_byte, joined, sample
from ochibot.experiments.documented import NO_HINTS, Hints, hints_of, judge_others
from ochibot.experiments.effects import Poker, link_bits
from ochibot.experiments.effort import FIELD, MENUS, Budget
from ochibot.experiments.explore import Explorer, Route
from ochibot.experiments.facts import Basis, Shape, Stance
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.measure import measure_timing
from ochibot.experiments.moments import PIECES_WATCHED, drop_some, find_moments
from ochibot.experiments.motion import across, motion
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.numbered import find_numbered
from ochibot.experiments.pad import shortest_tap
from ochibot.experiments.rig import Numbered, Rig
from ochibot.experiments.rules import learn_rows, learn_rules
from ochibot.experiments.stance import find_stance
from ochibot.experiments.worn import find_index, turning_codes
from ochibot.ram import RamMap
from ochibot.wording import counted

PAIR = 2
MOST_ROUTES = 6
MOST_NEXT = 3


class NoFieldError(CalibrationError):
    """Something follows the pad and falls, but no field was found. route: the way there."""

    def __init__(self, why: str, route: Route) -> None:
        super().__init__(why)
        self.route = route


def begin(
    rig: Rig,
    book: Notebook,
    state: bytes | None = None,
    hints: Hints = NO_HINTS,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Route, Bases]:
    """Finds the route to play, and candidates for the piece and the field. ``state``: a savestate of play; without one
    the menus are searched. Raises CalibrationError where nothing falls, and NoFieldError where no field is found.

    budget: the frames for it; None: as many as it takes. progress: called with how many screens were tried and wait.
    """
    book.watch(rig)
    seen: dict[bytes, Bases] = {}

    def basis_at(route: Route) -> Basis:
        if route.state not in seen:
            bases = Bases(rig, route, hints)
            with nullcontext() if budget is None else budget.step(FIELD):
                rig.load(route.state)
                rig.ran_out = False
                bases.first()
                if rig.ran_out:
                    # what was found without all landings may be wrong
                    raise CalibrationError("the frames for the field were used up")
            seen[route.state] = bases
        return seen[route.state].first()

    def reach() -> tuple[Route, Basis | None]:
        if state is None:
            way = _reach(rig, hints, basis_at, budget, progress)
            return way, seen[way.state].first()
        rig.load(state)
        return Route((), (), motion(rig, state), state, (), 1), None

    reached = book.page("the way to play", reach, needed=True)
    assert reached is not None
    route, known = reached
    try:
        basis = book.page(FIELD, lambda: known or basis_at(route), needed=True)
    except CalibrationError as error:
        if not route.motion:
            raise
        raise NoFieldError(str(error), route) from None
    assert basis is not None
    rig.count(basis.number)
    return route, seen.get(route.state) or Bases(rig, route, hints, basis)


def _reach(
    rig: Rig,
    hints: Hints,
    basis_at: Callable[[Route], Basis],
    budget: Budget | None,
    progress: Callable[[int, int], None] | None,
) -> Route:
    """Searches the menus for a screen on which pieces fall on a grid. Raises CalibrationError when there is none, and
    NoFieldError when something moves on some screen, but on no grid.

    If ``hints`` name a mode, a route into that mode is preferred; a route into another mode is the fallback.
    """
    problem: CalibrationError | None = None
    fieldless: CalibrationError | None = None
    other_mode: Route | None = None
    bare: Route | None = None
    explorer = Explorer(rig, progress)
    for _ in range(MOST_ROUTES):
        # the field of a route that was given up may have been a view; screens are compared by RAM alone
        rig.count(None)
        try:
            with nullcontext() if budget is None else budget.step(MENUS, hard=False):
                try:
                    route = explorer.find()
                except CalibrationError:
                    rig.ran_out |= rig.spent
                    raise
        except CalibrationError as error:
            problem = problem or error
            break
        bare = bare or route
        try:
            basis_at(route)
        except CalibrationError as error:
            problem = error
            if fieldless is None and not rig.ran_out:
                fieldless = error
            continue
        if hints.mode is None or rig.after(route.state, [])[hints.mode[0]] == hints.mode[1]:
            rig.ran_out = False
            return route
        other_mode = other_mode or route
    if other_mode is not None:
        rig.ran_out = False
        return other_mode
    if rig.ran_out:
        more = explorer.waiting
        left = f", and {counted(more, 'more screen')} wait untried" if more else ""
        problem = CalibrationError(f"the frames were used up after {counted(explorer.screens, 'screen')}{left}")
    if bare is not None:
        raise NoFieldError(str(fieldless or problem), bare)
    raise problem or CalibrationError("no way to play was found")


def learn(rig: Rig, book: Notebook, state: bytes | None = None, documented: RamMap | None = None) -> Learnt:
    """Does all experiments. ``state``: a savestate of play; without one the menus are searched. ``documented``: a map
    whose addresses are tried before all others. Raises CalibrationError when nothing falls, or the pieces
    aren't pairs.
    """
    hints = NO_HINTS if documented is None else hints_of(documented, rig)
    return learn_pair(rig, book, *begin(rig, book, state, hints), documented)


def learn_pair(rig: Rig, book: Notebook, route: Route, bases: Bases, documented: RamMap | None = None) -> Learnt:
    """Does the experiments for pieces of two cells. Raises CalibrationError when they aren't such pieces."""
    hints = NO_HINTS if documented is None else hints_of(documented, rig)
    learnt, ground, poker = learn_piece(rig, book, route, bases, hints)
    basis = learnt.basis
    ground, poker = learn_rows(book, learnt, ground, poker)
    stance = learnt.stance
    learnt.moments = book.page(
        "signs", lambda: find_moments(ground, learnt, book.refused("signs"), book.refused("the end"))
    )
    spawn = None if learnt.moments is None else learnt.moments.spawn
    if (number := basis.number) is not None:
        # the row of the half at x and y when the piece stands upright on the floor
        lowest = basis.floor_y - stance.near_row * basis.cell_y
        base = number.base + number.right * basis.columns[0] + abs(number.lower) * lowest
        learnt.numbered = replace(number, base=base & 255)
    elif stance.partner is None and (spawn is None or spawn.offset != basis.y[0]):
        learnt.numbered = book.page("the number of its cell", lambda: _numbered(ground, basis, stance))
        book.excuse("the number of its cell")
    pad = book.page("the fastest taps", lambda: shortest_tap(rig, stance.state, basis.x[0], basis.tap))
    learnt.tap = pad or basis.tap
    learnt.timing = book.page("timing", lambda: measure_timing(ground))
    learn_rules(book, learnt, ground, poker, hints)
    if learnt.moments is not None and route.boot:
        made = map_of(learnt, rig, "game")
        learnt.arrival = book.page("when the first piece comes", lambda: find_arrival(rig, learnt, made))
    if documented is not None:
        judged = book.page(
            "other documented entries",
            lambda: tuple(
                judge_others(ground, poker, documented, learnt.size, drop_some(ground, 1, PIECES_WATCHED, ground.state))
            ),
        )
        learnt.judged = judged or ()
    return learnt


def _numbered(ground: Ground, basis: Basis, stance: Stance) -> Numbered:
    sideways, _, sinking = across(ground.rig, ground.state)
    return find_numbered(ground, basis, stance, [*sideways, *sinking])


def learn_piece(
    rig: Rig, book: Notebook, route: Route, bases: Bases, hints: Hints = NO_HINTS
) -> tuple[Learnt, Ground, Poker]:
    """Learns how the piece turns, its codes and its colours. Where that fails, the next candidate for the piece and the
    field is tried. Raises CalibrationError when it isn't a pair.
    """
    book.watch(rig)
    half = 0 if rig.left is None else rig.left // 2
    down = {candidate: CalibrationError(why) for fact, candidate, why, _ in book.turned_down if fact == FIELD}
    problem: CalibrationError | None = None
    for basis in bases:
        told = bases.told(basis)
        if told in down:
            problem = problem or down[told]
            continue
        if problem is not None:
            book.page(FIELD, lambda basis=basis: basis)  # type: ignore[misc]
        try:
            return _learn_piece(rig, book, route, basis, hints)
        except CalibrationError as error:
            problem = problem or error
            # no other candidate makes pairs of larger pieces, and a draft needs frames, too
            if rig.ran_out or len(basis.cells) > PAIR or (rig.left is not None and rig.left < half):
                break
            book.turn_down(FIELD, told, str(error))
    book.page(FIELD, bases.first)
    raise problem or CalibrationError("there is no piece")


def _learn_piece(rig: Rig, book: Notebook, route: Route, basis: Basis, hints: Hints) -> tuple[Learnt, Ground, Poker]:
    """As ``learn_piece``, with one candidate."""
    rig.look(basis.view)
    turn = hints.places.get("orientation")
    found = book.page("how the piece turns", lambda: find_stance(rig, route.state, basis, turn), needed=True)
    assert found is not None
    stance: Stance = found
    samples: list[Sample | None] = []

    def first_taken(ground: Ground) -> list[Sample | None]:
        samples.extend(sample(ground, stance.near_row))
        return samples

    def taken(ground: Ground) -> list[Sample | None]:
        if not samples:
            # the notebook has the codes of cells already, and these frames with them
            with book.repeating():
                first_taken(ground)
        return samples

    shape = book.page("codes of cells", lambda: _shape(ground_of(rig, stance.state, basis, stance, None), first_taken))
    if shape is None:
        raise CalibrationError(book.failed["codes of cells"])
    ground = ground_of(rig, stance.state, basis, stance, shape)
    pair = _colors(book, ground, taken, hints, 0)
    if pair is None:
        raise CalibrationError(next(why for name, why in book.failed.items() if name.startswith("colour of")))
    worn = book.page("codes that turn", lambda: turning_codes(ground, found, taken(ground), *pair))
    stance, near, far = worn or (found, *pair)
    learnt = Learnt(route, basis, stance, shape, near, far, names=hints.names)
    learnt.following = _following(book, ground, taken, hints)
    return learnt, ground, Poker(ground, near, far, stance.near_row == 0)


def _shape(ground: Ground, taken: Callable[[Ground], list[Sample | None]]) -> Shape:
    value = int(ground.drop().ram[ground.grid.cell(ground.spawn_column, 0)])
    _, links = link_bits(ground, value)
    ground.mask &= ~links
    samples = taken(ground)
    colors = sorted({kind for one in samples if one is not None for kind in (one.near, one.far)})
    if len(colors) < 2:
        raise CalibrationError("all pieces have the same colour")
    return Shape(ground.mask, links, tuple(colors), len(samples))


def _following(
    book: Notebook, ground: Ground, taken: Callable[[Ground], list[Sample | None]], hints: Hints
) -> tuple[tuple[ColorByte, ColorByte], ...]:
    found: list[tuple[ColorByte, ColorByte]] = []
    for ahead in range(1, MOST_NEXT + 1):
        pair = _colors(book, ground, taken, hints, ahead, found[-1] if found else None)
        if pair is None:
            break
        found.append(pair)
    return tuple(found)


def _colors(
    book: Notebook,
    ground: Ground,
    taken: Callable[[Ground], list[Sample | None]],
    hints: Hints,
    ahead: int,
    later: tuple[ColorByte, ColorByte] | None = None,
) -> tuple[ColorByte, ColorByte] | None:
    """Where the colours of the near and the far half are, ``ahead`` pieces before they fall; None if they aren't found.
    later: those of the piece before it.

    Where no byte that the game obeys has the colour of a half alone, one byte may stand for the pair.
    """
    names = [f"NEXT {ahead}, {half} half" if ahead else f"colour of the {half} half" for half in ("near", "far")]
    refused = book.refused(f"NEXT {ahead}")

    def color(half: str, like: ColorByte | None) -> ColorByte:
        found = find_byte(ground, taken(ground), half, ahead, hints.halves(ahead), like, refused)
        if found is None:
            raise CalibrationError(f"no byte holds the colour of this half {counted(ahead, 'piece')} before it falls")
        return found

    near, far = (
        book.page(name, lambda half=half, like=like: color(half, like))  # type: ignore[misc]
        for name, half, like in zip(names, ("near", "far"), later or (None, None), strict=True)
    )
    alone = None if near is None or far is None else joined(near, far)
    if alone is not None and all(byte.followed for byte in alone):
        return alone
    whole = f"NEXT {ahead}, as a pair" if ahead else "colours as a pair"
    both = book.page(whole, lambda: find_index(ground, taken(ground), ahead))
    if both is None:
        return alone
    for name in names:
        book.excuse(name)
    return both
