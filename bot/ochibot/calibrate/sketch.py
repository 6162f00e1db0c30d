"""Learns a game whose rules are of no family that Ochibot knows: the field, the piece, and what comes next.

Pieces may have any number of cells in any shape. Each falls on an emptied field, so the cells it leaves show its shape
and its codes. A byte that shows these while the piece falls belongs to the piece; a byte that shows them one piece
earlier belongs to NEXT. Nothing is assumed about what vanishes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ochibot.calibrate.colors import candidates
from ochibot.calibrate.driver import Driver, Fallen, Place
from ochibot.calibrate.exam import Exam
from ochibot.calibrate.explore import Route
from ochibot.calibrate.facts import Basis
from ochibot.calibrate.lab import Bytes, Lab
from ochibot.calibrate.score import FORMS, Form
from ochibot.calibrate.turning import Turning, find_turning
from ochibot.calibrate.yamlform import flow, hexadecimal
from ochibot.errors import CalibrationError
from ochibot.wording import counted

PIECES = 32
EXAM_PIECES = 60
MOST_TRIES = 8
WAYS = 4
IDLE = 20

Cells = tuple[tuple[int, int], ...]
"""Cells of a piece, sorted: (column, counted from the one that raw x gives; row, from the piece's lowest cell)."""


@dataclass(frozen=True)
class Fell:
    """A piece: savestate and RAM at its first frame under control, how many taps turned it, the cells that it left
    and their codes.
    """

    state: bytes
    ram: Bytes
    turns: int
    cells: Cells
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Said:
    """A byte whose value tells a property of a piece.

    name: ``piece`` for its shape, ``cell1`` and so on for a cell's code. ahead: how many pieces earlier the byte tells
    it. values: the byte's values with their meanings. pieces: from how many pieces this was learnt.
    """

    name: str
    ahead: int
    offset: int
    values: dict[int, str]
    pieces: int


@dataclass
class Sketch:
    """What was learnt of a game without known rules. why: the reason why no rules fit."""

    route: Route
    basis: Basis
    why: str
    rows: int
    turning: Turning | None
    said: list[Said] = field(default_factory=list)
    codes: tuple[int, ...] = ()
    shapes: dict[tuple[int | None, int], Cells] = field(default_factory=dict)
    score: tuple[int, Form] | None = None
    pieces: int = 0

    def label(self, ram: Bytes) -> int | None:
        """The value of the byte that tells the shape; None where all pieces have one shape, or no byte tells it."""
        byte = next((one for one in self.said if one.name == "piece" and not one.ahead), None)
        return None if byte is None else int(ram[byte.offset])


class Sketcher:
    """The experiments that need no rules."""

    def __init__(self, lab: Lab, route: Route, basis: Basis) -> None:
        self.lab = lab
        self.route = route
        self.basis = basis
        self.driver = Driver(lab, Place(*basis.x), Place(*basis.y))
        self.driver.control_delay = basis.control_delay
        rise = basis.visible - 1
        self.rows = rise + 1 + max(row for _, row in basis.cells)
        self.across, self.turning = basis.columns, self._turning()
        self.dice = random.Random(1)

    def _turning(self) -> Turning | None:
        try:
            return find_turning(self.lab, self.route.state)
        except CalibrationError:
            return None

    def field_of(self, ram: Bytes) -> dict[tuple[int, int], int]:
        """The cells that aren't empty, with their bytes."""
        grid = self.basis.grid
        places = {(c, r): grid.cell(c, r) for c in range(grid.columns) for r in range(self.rows)}
        return {
            place: int(ram[at])
            for place, at in places.items()
            if 0 <= at < self.lab.size and int(ram[at]) != grid.empty
        }

    def _emptied(self) -> dict[int, int]:
        grid = self.basis.grid
        places = [grid.cell(c, r) for c in range(grid.columns) for r in range(self.rows)]
        return {place: grid.empty for place in places if 0 <= place < self.lab.size}

    def drop(self, state: bytes, turns: int, column: int, *, emptied: bool) -> Fallen:
        """Turn a piece by ``turns`` taps, bring it over a column, drop it. Raises CalibrationError when that fails."""
        button = () if self.turning is None else (int(self.turning.button),) * turns
        pokes = self._emptied() if emptied else None
        return self.driver.fall(state, column=self.across[column], turns=button, pokes=pokes)

    def watch(self, pieces: int = PIECES) -> list[Fell]:
        """Drop pieces on an emptied field. Raises CalibrationError when they stop coming."""
        found: list[Fell] = []
        state = self.route.state
        failed = 0
        while len(found) < pieces:
            self.lab.check_time()
            turns = self.dice.randrange(WAYS) if self.turning is not None else 0
            column = self.dice.randrange(1, len(self.across) - 1)
            self.lab.load(state)
            ram = self.lab.snap()
            try:
                fallen = self.drop(state, turns, column, emptied=True)
            except CalibrationError:
                failed += 1
                if failed > MOST_TRIES:
                    raise
                continue
            cells = self.field_of(fallen.ram)
            if cells:
                order = sorted(cells)
                low = min(row for _, row in order)
                shape = tuple((c - column, r - low) for c, r in order)
                found.append(Fell(state, ram, turns, shape, tuple(cells[place] for place in order)))
            state = fallen.state
        return found

    def sketch(self, why: str) -> Sketch:
        """Do all experiments. Raises CalibrationError when pieces stop coming."""
        fell = self.watch()
        codes = tuple(sorted({code for one in fell for code in one.codes}))
        made = Sketch(self.route, self.basis, why, self.rows, self.turning, codes=codes, pieces=len(fell))
        for ahead in range(3):
            made.said += self._said(fell, ahead)
        for one in fell:
            made.shapes.setdefault((made.label(one.ram), one.turns), one.cells)
        made.score = self._score(fell)
        return made

    def _said(self, fell: Sequence[Fell], ahead: int) -> list[Said]:
        """Bytes that tell a piece's shape, or its cells' codes, ``ahead`` pieces before it falls."""
        count = len(fell) - ahead
        rams = [one.ram for one in fell[:count]]
        kinds: dict[str, list[int]] = {}
        # cells are compared only between pieces that were turned alike
        looks = sorted({(one.turns, one.cells) for one in fell})
        sizes = {one.cells for one in fell if one.turns == fell[0].turns}
        if len(sizes) > 1:
            return self._shape_bytes(fell, rams, ahead, looks)
        length = len(fell[0].codes)
        upright = [one for one in fell[ahead:] if one.turns == 0 and len(one.codes) == length]
        if len({one.codes for one in upright}) < 2:
            return []
        for number in range(length):
            kinds[f"cell{number + 1}"] = [one.codes[number] for one in upright]
        early = [one.ram for one, later in zip(fell, fell[ahead:], strict=False) if later in upright]
        found: list[Said] = []
        for name, seen in kinds.items():
            places = [] if len(set(seen)) < 2 else self._free(candidates(early, seen, 0xFF))
            if places:
                place = self._rooted(places, found)
                values = {int(ram[place]): f"{kind:#04x}" for ram, kind in zip(early, seen, strict=True)}
                found.append(Said(name, ahead, place, values, len(seen)))
        return found

    def _shape_bytes(
        self, fell: Sequence[Fell], rams: Sequence[Bytes], ahead: int, looks: Sequence[tuple[int, Cells]]
    ) -> list[Said]:
        """Finds a byte that tells the shape: for pieces turned alike, its values are equal exactly when the pieces
        leave the same cells and codes.
        """
        later = fell[ahead:]
        stack = np.stack(rams)
        good = np.array([1 < len(set(stack[:, place].tolist())) <= 32 for place in range(stack.shape[1])])
        ways: dict[int, list[int]] = {}
        for number, one in enumerate(later):
            ways.setdefault(one.turns, []).append(number)
        for numbers in ways.values():
            for at, first in enumerate(numbers):
                for second in numbers[at + 1 :]:
                    same = (later[first].cells, later[first].codes) == (later[second].cells, later[second].codes)
                    equal = stack[first] == stack[second]
                    good &= equal if same else ~equal
        places = self._free([int(place) for place in np.flatnonzero(good)])
        if not places or len(looks) < 2:
            return []
        place = self._rooted(places, [])
        values = {int(value): "a shape" for value in np.unique(stack[:, place])}
        return [Said("piece", ahead, place, values, len(later))]

    def _free(self, places: Sequence[int]) -> list[int]:
        """Those of ``places`` that aren't cells of the field."""
        cells = set(self._emptied())
        return [place for place in places if place not in cells]

    def _rooted(self, places: Sequence[int], before: Sequence[Said]) -> int:
        """Chooses the place nearest to the highest one in ``before``, or to x if ``before`` is empty.

        Prefers places that keep a poked value: copies don't.
        """
        taken = {one.offset for one in before}
        kept = []
        for place in places[:MOST_TRIES]:
            self.lab.load(self.route.state)
            value = self.lab.peek(place) ^ 1
            self.lab.poke({place: value})
            self.lab.run([0, 0, 0])
            if self.lab.peek(place) == value and place not in taken:
                kept.append(place)
        near = max((one.offset for one in before), default=self.basis.x[0])
        return min(kept or list(places), key=lambda place: (abs(place - near), place))

    def _score(self, fell: Sequence[Fell]) -> tuple[int, Form] | None:
        """(offset, form) of a number in digits that grows as pieces lock, but not with time; None if there is none."""
        rams = [one.ram for one in fell]
        idle = self.lab.after(fell[-1].state, [0] * IDLE)
        known = {*self._emptied(), self.basis.x[0], self.basis.y[0], *(one.offset for one in self._named(fell))}
        digits = sorted((form for form in FORMS if form.digits), key=lambda form: form.digits != "decimal")
        for form in digits:
            numbers = np.stack([form.read(ram) for ram in rams])
            steps = np.diff(numbers, axis=0)
            good = (numbers >= 0).all(axis=0) & (steps >= 0).all(axis=0) & ((steps > 0).sum(axis=0) >= 3)
            good &= (numbers[0] < 10**3) & (numbers[-1] < 10**5) & (form.read(idle) == numbers[-1])
            for place in np.flatnonzero(good):
                # a number with one digit in a byte also reads as BCD: skip it, as none of its bytes is above 9
                if form.digits == "bcd" and not any(
                    int(b) > 9 for ram in rams for b in ram[place : place + form.width]
                ):
                    continue
                if not known & set(range(int(place), int(place) + form.width)):
                    return int(place), form
        return None

    def _named(self, fell: Sequence[Fell]) -> list[Said]:
        return [one for ahead in range(2) for one in self._said(fell, ahead)]

    def examine(self, made: Sketch, pieces: int = EXAM_PIECES) -> Exam:
        """Predict the cells in which pieces come to rest, on a field that fills up.

        A shape that is seen for the first time in an orientation is learnt, not predicted. A piece after which cells
        vanish isn't counted.
        """
        dice = random.Random(2)
        played = agreed = tried = 0
        broke = ""
        state = self.route.state
        while played < pieces and tried < 6 * pieces:
            tried += 1
            self.lab.load(state)
            ram = self.lab.snap()
            before = set(self.field_of(ram))
            if max((row for _, row in before), default=0) > self.rows // 2:
                self.lab.poke(self._emptied())
                state = self.lab.save()
                continue
            turns = dice.randrange(WAYS) if self.turning is not None else 0
            key = made.label(ram), turns
            shape = made.shapes.get(key, ((0, 0),))
            fits = [
                number
                for number in range(len(self.across))
                if all(0 <= number + c < self.basis.grid.columns for c, _ in shape)
            ]
            column = dice.choice(fits or [len(self.across) // 2])
            try:
                fallen = self.drop(state, turns, column, emptied=False)
            except CalibrationError as error:
                broke = broke or str(error)
                state = self.drop(self.route.state, 0, dice.randrange(len(self.across)), emptied=True).state
                continue
            state = fallen.state
            came = set(self.field_of(fallen.ram)) - before
            if len(came) < len(self.basis.cells) or before - set(self.field_of(fallen.ram)):
                continue
            if key not in made.shapes:
                low = min(row for _, row in came)
                if not before:
                    made.shapes[key] = tuple(sorted((c - column, r - low) for c, r in came))
                continue
            wanted = resting(shape, column, before, self.rows)
            played += 1
            agreed += came == wanted
            if came != wanted and not broke:
                broke = f"a piece was to land on {sorted(wanted)}, and {sorted(came)} were seen"
        return Exam("landing", played, agreed, broke)


def resting(shape: Cells, column: int, taken: set[tuple[int, int]], rows: int) -> set[tuple[int, int]]:
    """The cells (column, row from the floor) in which a shape that falls straight down comes to rest."""

    def at(height: int) -> set[tuple[int, int]]:
        return {(column + c, height + r) for c, r in shape}

    height = rows
    while height > 0 and not at(height - 1) & taken:
        height -= 1
    return at(height)


def sketched(lab: Lab, route: Route, basis: Basis, why: str) -> tuple[Sketch, Exam]:
    """Does the experiments without rules, and the exam of the landings. Raises CalibrationError when pieces stop
    coming.
    """
    sketcher = Sketcher(lab, route, basis)
    made = sketcher.sketch(why)
    return made, sketcher.examine(made)


def map_of_sketch(made: Sketch, lab: Lab, game: str) -> dict[str, object]:
    """The map as a mapping. Without rules, entries hold plain bytes."""
    basis, grid = made.basis, made.basis.grid

    def at(offset: int) -> int:
        return hexadecimal(lab.address(offset))

    step = basis.x[1]
    entries: dict[str, object] = {
        "field": flow(
            address=at(grid.cell(0, made.rows - 1)), rows=made.rows, columns=grid.columns, row_stride=-grid.up,
            column_stride=grid.across, source="calibrated", note="pieces land on what is poked here",
        ),
        "x": flow(address=at(basis.x[0]), source="calibrated",
                  note=f"follows left and right by {step}; {basis.columns[0]} in the first column it reaches"),
        "y": flow(address=at(basis.y[0]), source="calibrated",
                  note=f"falls; {-basis.cell_y} a row, {basis.floor_y} where the first piece rested on the floor"),
    }  # fmt: skip
    if made.turning is not None and made.turning.place is not None:
        cycle = ", ".join(map(str, made.turning.cycle))
        name = str(made.turning.button.name).lower()
        entries["orientation"] = flow(
            address=at(made.turning.place), source="calibrated", note=f"{cycle} as {name} is tapped"
        )
    for said in made.said:
        name = ("", "next_", "next2_")[said.ahead] + said.name
        means = ", ".join(f"{value:#04x}: {kind}" for value, kind in sorted(said.values.items()))
        entries[name] = flow(
            address=at(said.offset), source="calibrated", note=f"in {counted(said.pieces, 'piece')}; {means}"
        )
    if made.score is not None:
        place, form = made.score
        entry: dict[str, object] = {"address": at(place), "digits": form.digits}
        if form.digits == "decimal":
            entry |= {"count": form.width, "order": "low_first" if form.little else "high_first"}
            entry |= {"zero": form.zero} if form.zero else {}
        else:
            entry["type"] = form.name
        entries["score"] = flow(**entry, source="calibrated", note="grows with pieces, not with time: a guess")
    return {
        "game": game,
        "name": "player1",
        "system": lab.console.rom.system,
        "seat": 1,
        "entries": entries,
    }
