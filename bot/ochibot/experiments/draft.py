"""Learns a game whose rules are of no family that Ochibot knows: the field, the piece, what comes next, score and
signs.

Pieces may have any number of cells in any shape. They are played, and each shows in the field which cells it left,
with which codes. A byte that tells these while the piece falls belongs to the piece; a byte that tells them one piece
earlier belongs to NEXT. Nothing is assumed about what vanishes, and nothing has to be poked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.basis import on_stack
from ochibot.experiments.colors import ColorByte, candidates, in_tables, indices
from ochibot.experiments.driver import Driver, Fallen
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.exam import Exam, why_not
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import Basis, driver_of
from ochibot.experiments.fields import NEAR, Came, Spot, came, is_near
from ochibot.experiments.landings import Landing, play
from ochibot.experiments.motion import Motion
from ochibot.experiments.points import Number, find_number
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.signs import OverByte, SignByte, over_signs, phase_signs, watch
from ochibot.experiments.turning import Turning, find_turning

PIECES: Final = 72
EXAM_PIECES: Final = 60
MOST_NEXT: Final = 3
TRACED: Final = 10
FEWEST_TOLD: Final = 6
MOST_POKED: Final = 8
KEPT_FRAMES: Final = 4
SPRITE: Final = 4
"""Bytes of a sprite in the tables of the NES and the Game Boy."""

END_FRAMES: Final = 480
MASKS: Final = (0xFF, 0x0F, 0xF0, 0x07, 0x70, 0x3F)
CELL_MASKS: Final = (0xFF, 0x0F, 0x07, 0x3F, 0xF0, 0x70, 0xC0)

Shape = tuple[tuple[Spot, int], ...]
"""The cells of a piece, from its own place, with their codes."""


@dataclass(frozen=True)
class Told:
    """A byte that tells a property of a piece.

    name: ``piece`` for its shape, ``cell1`` and so on for a cell's code. ahead: how many pieces earlier it tells it.
    byte: where it is, and its value for each kind. kinds: what each kind is.
    """

    name: str
    ahead: int
    byte: ColorByte
    kinds: dict[int, str]
    evidence: Evidence


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
    phase: SignByte | None = None
    over: OverByte | None = None
    pieces: int = 0

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
    made = Draft(route, basis, why, turning)
    button = None if turning is None else int(turning.button)
    raw = driver.columns(route.state)
    landings = play(driver, route.state, raw, button, PIECES)
    try:
        _learn(made, rig, driver, raw, landings)
        return made, examine(made, driver, raw, button)
    except CalibrationError as error:
        # what was learnt until then is written
        return made, Exam("landing", 0, 0, why_not(error))


def _learn(made: Draft, rig: Rig, driver: Driver, raw: tuple[int, ...], landings: Sequence[Landing]) -> None:
    """Learns from landings, the surest things first. Raises CalibrationError when pieces stop coming."""
    route, basis = made.route, made.basis
    left = [came(basis.place, one) for one in landings]
    clean = [one for one in left if _clean(basis, one)]
    made.pieces = len(landings)
    counts = Counter(code for one in clean for _, code in one.cells)
    made.codes = {code: times for code, times in sorted(counts.items()) if times > 1}
    for ahead in range(MOST_NEXT):
        found = _told(rig, basis, left, ahead, made.told, route.motion)
        if not found and ahead:
            break
        made.told += found
    _learn_shapes(made, clean)
    _signs(made, driver, raw, landings)
    taken = {*basis.place.offsets(), basis.x[0], basis.y[0], *_places(made)}
    made.score = find_number(rig, landings, [one.gone > 0 for one in left], taken)


def _turning(driver: Driver, state: bytes) -> Turning | None:
    """How a piece turns. Some pieces look the same in all orientations, so up to six are tried."""
    best: Turning | None = None
    for _ in range(6):
        try:
            found = find_turning(driver, state)
        except CalibrationError:
            found = None
        if found is not None and (best is None or len(set(found.cycle)) > len(set(best.cycle))):
            best = found
        if best is not None and len(set(best.cycle)) == 4:
            break
        try:
            state = driver.fall(state).state
        except CalibrationError:
            break
    return best


def _clean(basis: Basis, one: Came) -> bool:
    """Whether nothing vanished, and all that came is near the piece."""
    return bool(one.cells) and not one.gone and is_near(basis.place, one)


def _places(made: Draft) -> set[int]:
    """The offsets of all single bytes that are known."""
    signs = {one.offset for one in (made.phase, made.over) if one is not None}
    turning = {made.turning.place} if made.turning is not None and made.turning.place is not None else set()
    return {one.byte.steady for one in made.told} | signs | turning


def _told(
    rig: Rig, basis: Basis, left: Sequence[Came], ahead: int, before: Sequence[Told], motion: Motion
) -> list[Told]:
    """Bytes that tell a piece's shape, or its cells' codes, ``ahead`` pieces before it falls."""
    pairs = [
        (one.landing.flying, later)
        for one, later in zip(left, left[ahead:], strict=False)
        if _clean(basis, later) and later.landing.turns == 0 and one.landing.game == later.landing.game
    ]
    if len(pairs) < FEWEST_TOLD:
        return []
    search = _Search(rig, basis, left, ahead, before, motion)
    usual, times = Counter(_form(later) for _, later in pairs).most_common(1)[0]
    if times < 0.8 * len(pairs):
        kinds = {shape: number for number, shape in enumerate(sorted({later.cells for _, later in pairs}))}
        labels = [kinds[later.cells] for _, later in pairs]
        found = search.find("piece", [ram for ram, _ in pairs], labels, [_drawn(shape) for shape in kinds])
        return [found] if found is not None else []
    alike = [(ram, later) for ram, later in pairs if _form(later) == usual]
    rams = [ram for ram, _ in alike]
    # some bits of a cell may tell something else, such as its links
    for mask in CELL_MASKS:
        told = []
        for number in range(len(usual)):
            codes = [later.cells[number][1] & mask for _, later in alike]
            one = search.find(f"cell{number + 1}", rams, codes, {code: f"{code:#04x}" for code in codes})
            told += [one] if one is not None else []
        if len(told) == len(usual):
            return told
    # one byte may stand for the whole piece
    wholes = {codes: number for number, codes in enumerate(sorted({_codes(later) for _, later in alike}))}
    labels = [wholes[_codes(later)] for _, later in alike]
    found = search.find("piece", rams, labels, [" ".join(f"{code:#04x}" for code in codes) for codes in wholes])
    return told or ([found] if found is not None else [])


def _form(one: Came) -> tuple[int | Spot, ...]:
    """A piece's shape; of cells side by side only the columns, because each may fall on by itself."""
    columns = tuple(column for column, _ in one.shape)
    return columns if len(set(columns)) == len(columns) else one.shape


def _level(one: Came) -> tuple[Spot, ...]:
    """A piece's cells; of cells side by side that fell to different heights, all on one row."""
    columns = [column for column, _ in one.shape]
    return tuple((column, 0) for column in columns) if len(set(columns)) == len(columns) else one.shape


def _codes(one: Came) -> tuple[int, ...]:
    return tuple(code for _, code in one.cells)


def _like(before: Sequence[Told], name: str, ahead: int, names: dict[int, str]) -> dict[int, int] | None:
    """The values by kind of the byte that tells this one piece later: what comes after NEXT is kept as NEXT is."""
    other = next((one for one in before if one.name == name and one.ahead == ahead - 1), None)
    if other is None or ahead < 2:
        return None
    values = {other.kinds[kind]: value for kind, value in other.byte.values.items()}
    return {kind: values[words] for kind, words in names.items() if words in values}


def _drawn(shape: Shape) -> str:
    return " ".join(f"{column:+d}{row:+d}" for (column, row), _ in shape)


class _Search:
    """Looks for the bytes that tell what a piece is, ``ahead`` pieces before it falls."""

    def __init__(
        self, rig: Rig, basis: Basis, left: Sequence[Came], ahead: int, before: Sequence[Told], motion: Motion
    ) -> None:
        self.rig, self.basis, self.ahead, self.before = rig, basis, ahead, before
        self.cells = set(basis.place.offsets())
        self.taken: set[tuple[int, int]] = set()
        self.state = left[0].landing.state
        self._kept: dict[int, bool] = {}
        copies = {*motion.across, *motion.fall} - {basis.x[0], basis.y[0]}
        self.sprites = {at for at in copies if {at - SPRITE, at + SPRITE} & copies}
        longest = Counter(one.landing.game for one in left).most_common(1)[0][0]
        rams = [one.landing.flying for one in left if one.landing.game == longest]
        self.counters = [at for at in indices(rams) if at not in self.cells] if len(rams) >= FEWEST_TOLD else []

    def _drawn(self, place: int) -> bool:
        """Whether a byte stands beside copies of x or y, as a sprite's number does: such copies don't tell all
        pieces.
        """
        return any(abs(place - other) < SPRITE for other in self.sprites)

    def _keeps(self, place: int) -> bool:
        if place not in self._kept:
            rig, state = self.rig, self.state
            rig.load(state)
            value = rig.peek(place) ^ 1
            rig.poke({place: value})
            rig.run([0] * KEPT_FRAMES)
            self._kept[place] = rig.peek(place) == value
        return self._kept[place]

    def find(
        self, name: str, rams: Sequence[Bytes], kinds: Sequence[int], words: Sequence[str] | dict[int, str]
    ) -> Told | None:
        """The byte that tells the kinds: the one that the fewest pieces contradict, then the nearest to x."""
        if len(set(kinds)) < 2:
            return None
        names = dict(words) if isinstance(words, dict) else dict(enumerate(words))
        like = _like(self.before, name, self.ahead, names) or {}
        best: list[tuple[tuple[int, ...], ColorByte, Evidence]] = []
        for rank, mask in enumerate(MASKS):
            # some bits of a byte fit by chance more easily than the whole byte, so nothing may contradict them
            for place in candidates(rams, kinds, mask):
                if place in self.cells or (place, mask) in self.taken:
                    continue
                values = _values(rams, kinds, place, mask)
                against = sum(int(ram[place]) & mask != values[kind] for ram, kind in zip(rams, kinds, strict=True))
                if (against and mask != 0xFF) or any(like.get(kind, value) != value for kind, value in values.items()):
                    continue
                evidence = Evidence(len(kinds) - against, against)
                key = (against, rank, on_stack(self.rig, place), self._drawn(place), abs(place - self.basis.x[0]))
                best.append((key, ColorByte(place, mask, values, followed=False), evidence))
            if best:
                break
        if not best:
            table = next(in_tables(rams, kinds, self.counters), None) if len(kinds) >= 2 * FEWEST_TOLD else None
            return None if table is None else Told(name, self.ahead, table, names, Evidence(len(kinds)))
        best.sort(key=lambda item: item[0])
        # the game's own byte keeps what is written into it; of its copies some don't tell all pieces apart
        _, byte, evidence = next((one for one in best[:MOST_POKED] if self._keeps(one[1].offset)), best[0])
        self.taken.add((byte.offset, byte.mask))
        return Told(name, self.ahead, byte, names, Evidence(evidence.supported, evidence.contradicted, len(best) - 1))


def _values(rams: Sequence[Bytes], kinds: Sequence[int], place: int, mask: int) -> dict[int, int]:
    found = {}
    for kind in dict.fromkeys(kinds):
        seen = Counter(int(ram[place]) & mask for ram, one in zip(rams, kinds, strict=True) if one == kind)
        found[kind] = seen.most_common(1)[0][0]
    return found


def _learn_shapes(made: Draft, clean: Sequence[Came]) -> None:
    """The cells that pieces of each kind left in each orientation; the majority decides."""
    seen: dict[tuple[int | None, int], Counter[tuple[Spot, ...]]] = {}
    for one in clean:
        key = made.label(one.landing.flying), one.landing.turns
        seen.setdefault(key, Counter())[_level(one)] += 1
    made.shapes = {key: counts.most_common(1)[0][0] for key, counts in seen.items()}


def _signs(made: Draft, driver: Driver, raw: Sequence[int], landings: Sequence[Landing]) -> None:
    """Finds the byte that shows control, and the one that shows the end."""
    state, falls = landings[0].state, []
    for number in range(TRACED):
        try:
            fallen = driver.fall(state, column=raw[number % len(raw)], keep=True)
        except CalibrationError:
            state = landings[0].state
            continue
        falls.append(fallen)
        state = fallen.state
    if len(falls) < TRACED // 2:
        return
    cells = made.basis.place.offsets()
    known = [*cells, *_places(made)]
    watched = watch(known, falls)
    locks = [_lock(fallen, cells) for fallen in falls]
    phases = [one for one in phase_signs(watched, locks) if one.offset not in cells]
    phases.sort(key=lambda one: on_stack(driver.rig, one.offset))
    made.phase = phases[0] if phases else None
    end = _end(driver, landings)
    if end is not None:
        over = over_signs(end, watched, [one.offset for one in phases])
        made.over = over[0] if over else None
        both = [one for one in phases if any(one.offset == other.offset for other in over)]
        made.phase = both[0] if both else made.phase


def _lock(fallen: Fallen, cells: Sequence[int]) -> int:
    assert fallen.trace is not None
    part = fallen.trace[:, list(cells)]
    return int((part != part[0]).any(axis=1).argmax())


def _end(driver: Driver, landings: Sequence[Landing]) -> Bytes | None:
    """RAM from the last piece of a game on, which was piled up where pieces appear; None if the game doesn't end."""
    state = landings[0].state
    for _ in range(60):
        try:
            state = driver.fall(state).state
        except CalibrationError:
            driver.rig.load(state)
            return driver.rig.trace([int(Button.DOWN)] * 60 + [0] * END_FRAMES)
    return None


def examine(made: Draft, driver: Driver, raw: Sequence[int], button: int | None, pieces: int = EXAM_PIECES) -> Exam:
    """Plays other pieces and predicts the cells in which they come to rest.

    A piece that is new in its orientation isn't counted, nor one after which cells vanish. Pieces fall as a whole, or
    each column of them by itself: whichever way is right for more of them is the game's.
    """
    results: dict[bool, list[str]] = {False: [], True: []}
    for one in play(driver, made.route.state, raw, button, 2 * pieces, seed=3):
        if len(results[False]) == pieces:
            break
        result = came(made.basis.place, one)
        shape = made.shapes.get((made.label(one.flying), one.turns))
        # a piece that leaves fewer cells than it has has vanished in part
        if shape is None or result.gone or len(result.shape) < len(shape):
            continue
        before = set(made.basis.place.cells(one.before))
        seen = {(result.column + c, result.row + r) for c, r in result.shape}
        for apart in (False, True):
            wanted = resting(shape, result.column, before, made.basis.place.rows + NEAR, apart=apart)
            inside = {(c, r) for c, r in wanted if r < made.basis.place.rows}
            fault = f"a piece was to land on {sorted(inside)}, and {sorted(seen)} were seen"
            results[apart].append("" if seen == inside else fault)
    best = min(results.values(), key=lambda faults: sum(map(bool, faults)))
    return Exam("landing", len(best), best.count(""), next(filter(None, best), ""))


def resting(shape: Sequence[Spot], column: int, taken: set[Spot], rows: int, *, apart: bool = False) -> set[Spot]:
    """The cells (column, row from the floor) in which a shape that falls straight down comes to rest.

    ``apart``: each column of the shape falls by itself.
    """
    if apart and len({c for c, _ in shape}) > 1:
        parts = [[(c, r) for c, r in shape if c == number] for number in {c for c, _ in shape}]
        return {spot for part in parts for spot in resting(part, column, taken, rows)}
    low = min(row for _, row in shape)

    def at(height: int) -> set[Spot]:
        return {(column + c, height + r - low) for c, r in shape}

    height = rows
    while height > 0 and not at(height - 1) & taken:
        height -= 1
    return at(height)
