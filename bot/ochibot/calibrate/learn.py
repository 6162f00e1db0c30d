"""The experiments of a calibration in their order. Each one builds on those before it."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.calibrate.basis import explore, find_basis, ground_of
from ochibot.calibrate.cap import measure_cap
from ochibot.calibrate.colors import ColorByte, Sample, find_byte, sample
from ochibot.calibrate.documented import NO_HINTS, Hints, hints_of, judge_others
from ochibot.calibrate.effects import MOST_CLEAR, Poker, clear_size, empty_field, link_bits, scoring_events, sort_codes
from ochibot.calibrate.explore import Route
from ochibot.calibrate.facts import Basis, Shape
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Lab
from ochibot.calibrate.learnt import Learnt
from ochibot.calibrate.measure import measure_above, measure_kicks, measure_timing
from ochibot.calibrate.moments import PIECES_WATCHED, drop_some, find_moments, known_places
from ochibot.calibrate.motion import motion
from ochibot.calibrate.needles import find_attack_score, find_needles
from ochibot.calibrate.notebook import Notebook
from ochibot.calibrate.score import Formula, Score, find_score, solve
from ochibot.calibrate.stance import find_stance
from ochibot.errors import CalibrationError
from ochibot.ram import RamMap
from ochibot.wording import counted

CODES_TRIED = 16
MOST_NEXT = 3


def begin(lab: Lab, book: Notebook, state: bytes | None = None, hints: Hints = NO_HINTS) -> tuple[Route, Basis]:
    """Finds the route to play, the piece and the field. ``state``: a savestate of play; without one the
    menus are searched. Raises CalibrationError where nothing falls on a grid.
    """
    route = book.page("the way to play", lambda: _route(lab, state, hints), needed=True)
    assert route is not None
    lab.load(route.state)
    basis = book.page("the piece and the field", lambda: find_basis(lab, route.state, route.motion, hints), needed=True)
    assert basis is not None
    return route, basis


def learn(lab: Lab, book: Notebook, state: bytes | None = None, documented: RamMap | None = None) -> Learnt:
    """Does all experiments. ``state``: a savestate of play; without one the menus are searched. ``documented``: a map
    whose addresses are tried before all others. Raises CalibrationError when nothing falls, or the pieces
    aren't pairs.
    """
    hints = NO_HINTS if documented is None else hints_of(documented, lab)
    return learn_pair(lab, book, *begin(lab, book, state, hints), documented)


def learn_pair(lab: Lab, book: Notebook, route: Route, basis: Basis, documented: RamMap | None = None) -> Learnt:
    """Does the experiments for pieces of two cells. Raises CalibrationError when they aren't such pieces."""
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
    learnt.moments = book.page("signs", lambda: find_moments(ground, learnt))
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
            score, learnt.formula = scored
            learnt.score = score
            learnt.cap = book.page("the score's cap", lambda: measure_cap(poker, score, size))
    if documented is not None:
        judged = book.page(
            "other documented entries",
            lambda: tuple(
                judge_others(ground, poker, documented, learnt.size, drop_some(ground, 1, PIECES_WATCHED, ground.state))
            ),
        )
        learnt.judged = judged or ()
    return learnt


def _learn_needles(book: Notebook, learnt: Learnt, poker: Poker, ground: Ground) -> None:
    """Learns the rules of the nyaa family, in which blocks vanish only when needles set them off."""
    needles = book.page("needles", lambda: find_needles(poker, _untried(ground)))
    if needles is None:
        return
    learnt.needles = needles
    # no failure: in this game no group vanishes by its size alone, so there is no clear size to learn
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
        raise CalibrationError(f"no byte holds the colour of this half {counted(ahead, 'piece')} before it falls")
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


def _size(poker: Poker) -> int:
    found = clear_size(poker)
    if found is None:
        raise CalibrationError(f"no groups of up to {MOST_CLEAR} equal cells vanish by themselves")
    return found


def _untried(ground: Ground) -> list[int]:
    """Up to CODES_TRIED codes that no piece had: multiples of the smallest difference between known codes."""
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
