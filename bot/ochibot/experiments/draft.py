"""Learns a game whose rules are of no family that Ochibot knows: the field, the piece, what comes next, score and
signs.

Pieces may have any number of cells in any shape. They are played, and each shows in the field which cells it left,
with which codes. A byte that tells these while the piece falls belongs to the piece; a byte that tells them one piece
earlier belongs to NEXT. Nothing is assumed about what vanishes, and nothing has to be poked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.control import Control, find_control, find_over
from ochibot.experiments.driver import Driver
from ochibot.experiments.events import events_of
from ochibot.experiments.evidence import ENOUGH, Evidence
from ochibot.experiments.exam import Exam, why_not
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Basis, driver_of
from ochibot.experiments.fields import FEWEST_BEGUN, NEAR, Came, Field, Spot, came, ended, lying, resting
from ochibot.experiments.landings import Landing, play, restless
from ochibot.experiments.likely import likely_fields
from ochibot.experiments.points import Number, find_number
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.setting import Setting
from ochibot.experiments.signs import OverByte
from ochibot.experiments.told import Told, clean, exchanges, find_told, level
from ochibot.experiments.turning import CYCLE, Turning, find_turning, two_ways
from ochibot.experiments.views import deepened
from ochibot.wording import counted

PIECES: Final = 72
EXAM_PIECES: Final = 60
CLEARED_PIECES: Final = 12
MOST_TURNED: Final = 6
"""So many pieces are turned at most to find the orientation: some look the same in all of them."""

MOST_LACKING: Final = 1 / 3
"""So many pieces, as a share of the others, may vanish in part as they land."""

MOST_ASIDE: Final = 8
"""A copy of a field may have been found from so many rows further up, or down."""

SURE_TURNS: Final = 2
"""So many further pieces must turn as the first one did."""


@dataclass
class Draft:
    """What was learnt of a game without known rules. why: the reason why no rules fit. shapes: the cells of a piece by
    the value of the byte that tells its shape (None: all have one shape) and the taps that turned it.
    """

    route: Route
    basis: Basis
    why: str
    turning: Turning | None
    told: list[Told] = field(default_factory=list)
    codes: dict[int, int] = field(default_factory=dict)
    shapes: dict[tuple[int | None, int], tuple[Spot, ...]] = field(default_factory=dict)
    score: Number | None = None
    phase: Control | None = None
    over: OverByte | None = None
    pieces: int = 0
    examined: tuple[int, int] = 0, 0
    """For how many pieces the exam predicted the landing rightly, and wrongly."""
    exchanges: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The buttons that exchange the codes of a piece's cells, each with the cells that the codes come from."""
    doubt: str = ""
    """What the landings that were seen can't contradict; empty if there is nothing."""

    @property
    def seen(self) -> Evidence:
        """What speaks for the field, x and y, and against them: the landings by which it was found, and the exam's."""
        place, (right, wrong) = self.basis.place, self.examined
        return Evidence(place.seen + right, place.of - place.seen + wrong, len(self.basis.decoys), self.doubt)

    def label(self, ram: Bytes) -> int | None:
        """The value of the byte that tells the shape; None where all pieces have one shape, or no byte tells it."""
        one = next((one for one in self.told if one.name == "piece" and not one.ahead), None)
        return None if one is None else int(ram[one.byte.place(ram)]) & one.byte.mask


def draft(rig: Rig, route: Route, basis: Basis, why: str) -> tuple[Draft, Exam]:
    """Plays, learns and examines. Raises CalibrationError when no pieces can be played.

    If something fails later, or the frames run out, the draft has what was learnt until then.
    """
    driver = driver_of(rig, basis)
    driver.first = ()
    turning = _turning(driver, route.state)
    button = None if turning is None else int(turning.button)
    raw = driver.columns(route.state)
    landings = play(driver, route.state, raw, button, PIECES, ended=lambda one: ended(basis.place, one))
    made = Draft(route, basis, why, turning)
    best, exam = made, Exam("landing", 0, 0, "")
    try:
        moving = basis.view is not None and not basis.view.regular
        copy = by_a_copy(driver, basis, landings)
        cleared = _learn(made, rig, driver, landings, copy.place if moving and copy is not None else basis.place)
        # a copy comes first where rows lie in no order, and may move
        for tried in [one for one in ((copy, basis) if moving else (basis, copy)) if one is not None]:
            one = made if tried is basis else replace(made, basis=tried, codes=dict(tried.place.codes))
            seen = examine(one, driver, raw, button, cleared)
            if seen.agreement > exam.agreement or not exam.pieces:
                best, exam = one, seen
                best.examined = seen.agreed, seen.pieces - seen.agreed
                if tried is not basis:
                    # whether rows lie below is as sure as it was
                    set_as_before = replace(tried, setting=basis.setting)
                    best.doubt = _doubt(set_as_before, [came(tried.place, one) for one in landings[:1]])
            if seen.agreed == seen.pieces:
                break
    except CalibrationError as error:
        # what was learnt until then is written
        exam = exam if exam.pieces else Exam("landing", 0, 0, why_not(error))
        best.doubt = best.doubt or ("" if exam.pieces else "no other pieces have confirmed it")
    if len(raw) > best.basis.place.grid.columns:
        best.doubt = best.doubt or "x leaves the field at its sides, so it may be a place that was only tried"
    return best, exam


def _learn(made: Draft, rig: Rig, driver: Driver, landings: Sequence[Landing], place: Field) -> bytes | None:
    """Learns from landings in a field or its copy, the surest things first. Returns a savestate after filled rows have
    vanished, if any have. Raises CalibrationError when pieces stop coming.
    """
    basis, state = made.basis, landings[0].state
    left = [came(place, one) for one in landings]
    whole = [one for one in left if clean(basis, one)]
    made.pieces = len(landings)
    made.doubt = _doubt(basis, left)
    counts = Counter(code for one in whole for _, code in one.cells)
    made.codes = {code: times for code, times in sorted(counts.items()) if times > 1}
    made.told = find_told(rig, basis, left, made.route.motion)
    _learn_shapes(made, whole)
    if made.shapes and all(len(shape) == 1 for shape in made.shapes.values()):
        # a single cell lies in one way only
        made.turning = None
    if made.turning is None:
        made.exchanges = exchanges(driver, left, made.told)
    if made.turning is not None and made.turning.place is None:
        made.turning = two_ways(made.turning, driver, state, whole)
    button = None if made.turning is None else int(made.turning.button)
    events, falls, cleared = events_of(driver, basis, left, button)
    cells = basis.place.offsets()
    taken = {*cells, basis.x[0], basis.y[0], *_places(made)}
    made.score = find_number(driver, events, cells, taken)
    taken |= _places(made)
    made.phase = find_control(driver, state, falls, cells, taken)
    made.over = find_over(driver, falls, landings, cells, made.phase, taken)
    return cleared


def by_a_copy(driver: Driver, basis: Basis, landings: Sequence[Landing]) -> Basis | None:
    """The basis with an exact copy of a field whose rows a game may exchange, as a map can't follow them. None if the
    field has no such copy.
    """
    place, own = basis.place, driver.rig.own
    taken = {*place.offsets()} if basis.view is None else basis.view.bytes
    rams: list[Bytes] = []
    gone: set[int] = set()
    for one in (one for one in landings if one.game not in gone):
        # rows are exchanged when some vanish
        gone |= {one.game} if came(place, one).gone else set()
        rams += [one.before] if one.game in gone else [one.before, one.after]
    seen = [one.seen_as(lambda ram: ram[:own]) for one in landings]
    quiet = restless(driver, landings)[:own]
    filled = [place.cells(ram).keys() for ram in rams]
    for _, plain in likely_fields(seen, basis.columns, driver.y.step, quiet, own):
        for away in range(-MOST_ASIDE, MOST_ASIDE + 1):
            grid = plain.grid.lifted(away)
            copy = replace(place, grid=grid, codes=plain.codes)
            inside = min(copy.offsets()) >= 0 and max(copy.offsets()) < own
            if (
                grid.columns == place.grid.columns
                and inside
                and not taken & {*copy.offsets()}
                and all(copy.cells(ram).keys() == cells for ram, cells in zip(rams, filled, strict=True))
            ):
                decoys = tuple(at for at in basis.decoys if at not in copy.offsets())
                return replace(basis, view=None, place=copy, grid=grid, setting=Setting("none"), decoys=decoys)
    return None


def _doubt(basis: Basis, left: Sequence[Came]) -> str:
    """What is doubtful of a field, although its cells explain the landings in it; empty if nothing is."""
    ram, view = left[0].landing.before, basis.view
    if basis.setting.kind == "none":
        stands, codes = _below(basis, ram), {basis.grid.empty, *(code for code, _ in basis.place.codes)}
        # a wall has one code
        varied = len(stands) > 1 and (basis.grid.empty not in stands or stands <= codes)
        if varied or len(basis.place.cells(ram)) >= FEWEST_BEGUN:
            return "rows may lie below it that are filled at the start"
    # where cells vanish, a game may exchange rows by a table, or turn a ring of them
    gone, after = set(), 0
    for one in left:
        after += one.landing.game in gone and clean(basis, one)
        gone |= {one.landing.game} if one.gone else set()
    if view is not None and not view.regular and after < ENOUGH:
        return "its rows lie in no order, and too few cells vanished to show that they stay there"
    return ""


def _below(basis: Basis, ram: Bytes) -> set[int]:
    """What RAM has in the row below a field, if it has one."""
    grid, view = basis.grid, basis.view
    if view is None:
        places = [grid.cell(column, -1) for column in range(grid.columns)]
        return {int(ram[at]) for at in places if 0 <= at < len(ram)}
    deeper = deepened(view, 1, len(ram) - view.size, basis.place.rows)
    return {*deeper.cells(ram)[: view.columns].tolist()} if deeper.places[0] != view.places[0] else set()


def _turning(driver: Driver, state: bytes) -> Turning | None:
    """How a piece turns. The orientation's byte has the same values for all pieces; a piece's codes may turn, too."""
    best: Turning | None = None
    same = 0
    for _ in range(MOST_TURNED):
        try:
            found = find_turning(driver, state)
        except CalibrationError:
            found = None
        if found is not None and (best is None or len(set(found.cycle)) > len(set(best.cycle))):
            best = found
        elif found is not None and best is not None and len(set(found.cycle)) == CYCLE:
            if found.place != best.place or found.cycle != best.cycle:
                return replace(best, place=None, second=None, cycle=())
            same += 1
            if same == SURE_TURNS:
                break
        try:
            state = driver.fall(state).state
        except CalibrationError:
            break
    return best


def _places(made: Draft) -> set[int]:
    """The offsets of all single bytes that are known."""
    signs = {one.offset for one in (made.phase, made.over) if one is not None}
    turning = set() if made.turning is None else {*made.turning.places}
    score = set() if made.score is None else {made.score.place(power) for power in range(made.score.form.width)}
    return {one.byte.steady for one in made.told} | signs | turning | score


def _learn_shapes(made: Draft, clean: Sequence[Came]) -> None:
    """The cells that pieces of each kind left in each orientation; the majority decides. An orientation in which a kind
    has left fewer cells than it has otherwise isn't known: some were out of sight.
    """
    seen: dict[tuple[int | None, int], Counter[tuple[Spot, ...]]] = {}
    for one in clean:
        key = made.label(one.landing.flying), one.landing.turns
        seen.setdefault(key, Counter())[level(one)] += 1
    shapes = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}
    sizes: dict[int | None, Counter[int]] = {}
    for (kind, turns), counts in seen.items():
        sizes.setdefault(kind, Counter())[len(shapes[kind, turns])] += counts.total()
    made.shapes = {
        (kind, turns): shape
        for (kind, turns), shape in shapes.items()
        if kind is None or len(shape) >= sizes[kind].most_common(1)[0][0]
    }


def examine(made: Draft, driver: Driver, raw: Sequence[int], button: int | None, cleared: bytes | None = None) -> Exam:
    """Plays other pieces and predicts the cells in which they come to rest. cleared: a savestate after rows have
    vanished, from which some are played, too: a game may exchange its rows then.

    A piece that is new in its orientation isn't counted, nor one after which cells vanish. Pieces fall as a whole, or
    each column of them by itself: whichever way is right for more of them is the game's.
    """
    results: dict[bool, list[str]] = {False: [], True: []}
    lacking: list[str] = []
    field = made.basis.place
    starts = [] if cleared is None else [(cleared, CLEARED_PIECES)]
    for one in (
        one
        for state, most in [*starts, (made.route.state, 2 * EXAM_PIECES)]
        for one in play(driver, state, raw, button, most, seed=3, ended=lambda one: ended(field, one))
    ):
        if len(results[False]) == EXAM_PIECES:
            break
        result = came(field, one)
        shape = made.shapes.get((made.label(one.flying), one.turns))
        if shape is None or result.gone:
            continue
        outside = [c for c, _ in shape if not 0 <= result.column + c < field.grid.columns]
        if len(result.shape) < len(shape) and not outside:
            # a piece that leaves fewer cells than it has has vanished in part
            lacking.append(
                f"a piece of {counted(len(shape), 'cell')} left {len(result.shape)} in column {result.column}"
            )
            continue
        before = set(lying(field, one.before, one.flying))
        seen = {(result.column + c, result.row + r) for c, r in result.shape}
        for apart in (False, True):
            wanted = resting(shape, result.column, before, field.rows + NEAR, apart=apart)
            inside = {(c, r) for c, r in wanted if r < field.rows}
            fault = f"a piece was to land on {sorted(inside)}, and {sorted(seen)} were seen"
            results[apart].append("" if seen == inside else fault)
    best = min(results.values(), key=lambda faults: sum(map(bool, faults)))
    if len(lacking) > MOST_LACKING * len(best):
        # these are too many to have vanished, so something is wrong with the field
        best += lacking
    return Exam("landing", len(best), best.count(""), next(filter(None, best), ""))
