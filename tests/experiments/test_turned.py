"""Kicks, rows and times are measured of naive games whose rules are written down here."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import measure
from ochibot.experiments.facts import Kicks, Rows, Timing
from ochibot.experiments.grid import Grid
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Bytes

from tests.experiments.board import turning_at
from tests.experiments.frames import Frames

X, Y, SIDE, FIELD = 0, 1, 2, 16
WIDTH, HEIGHT, FLOOR = 6, 12, 200
SIDES = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
WORDS = [*SIDES]


class Turner(Frames):
    """A pair that hangs in the air and turns; A turns it clockwise, B counter-clockwise.

    wall: a blocked turn pushes it off the wall; floor: off the floor. quick: at which press in a shaft it turns over, 0
    for never. through: cells are in no turn's way. denotes: whose place x and y are, or
    "box": it turns within a box, whose lower left cell they are; wall: a blocked turn is tried a column further left,
    floor: also that of a piece which lies. lefty: columns count from the
    right.
    """

    def __init__(self, *, wall: bool = True, floor: bool = True, quick: int = 0, through: bool = False,
                 denotes: str = "axis", pixels: int = 1, start: str = "up") -> None:  # fmt: skip
        self.wall, self.floor, self.quick, self.through, self.denotes = wall, floor, quick, through, denotes
        self.pixels = pixels
        # x and y of the piece as it stands on the floor
        self.near_row = {"axis": int(start == "down"), "partner": int(start == "up"), "box": 0}[denotes]
        self.ram = np.zeros(FIELD + WIDTH * HEIGHT, np.uint8)
        self.presses = 0
        self.pad = 0
        across, up = SIDES[start]
        column, row = (2 + across, 8 + up) if denotes == "partner" else (2, 8)
        self.ram[SIDE] = WORDS.index(start)
        self.put((column, row))

    def put(self, near: tuple[int, int]) -> None:
        self.ram[X] = near[0]
        self.ram[Y] = FLOOR - self.pixels * (near[1] - self.near_row) & 255

    def halves(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The axis and the partner."""
        near = int(self.ram[X]), (FLOOR - int(self.ram[Y])) // self.pixels + self.near_row
        across, up = SIDES[WORDS[self.ram[SIDE]]]
        if self.denotes == "box":
            first = near[0] + (across < 0), near[1] + (up < 0)
            return first, (first[0] + across, first[1] + up)
        if self.denotes == "axis":
            return near, (near[0] + across, near[1] + up)
        return (near[0] - across, near[1] - up), near

    def free(self, *cells: tuple[int, int]) -> bool:
        return all(
            0 <= column < WIDTH and row >= 0 and (self.through or row >= HEIGHT or not self.ram[cell(column, row)])
            for column, row in cells
        )

    def turn_in_box(self, by: int) -> None:
        before, lay = self.ram.copy(), WORDS[self.ram[SIDE]] in ("left", "right")
        self.ram[SIDE] = (int(self.ram[SIDE]) + by) % 4
        for aside in range(1 + (self.floor if lay else self.wall)):
            self.ram[X] = int(before[X]) - aside & 255
            if self.free(*self.halves()):
                return
        self.ram = before
        self.presses += 1
        if not lay and self.presses == self.quick:
            self.presses = 0
            self.ram[SIDE] = (int(self.ram[SIDE]) + 2) % 4

    def turn(self, by: int) -> None:
        if self.denotes == "box":
            self.turn_in_box(by)
            return
        axis, partner = self.halves()
        side = (int(self.ram[SIDE]) + by) % 4
        across, up = SIDES[WORDS[side]]

        def placed(axis: tuple[int, int], side: int, up: int) -> None:
            self.ram[SIDE] = side
            self.put(axis if self.denotes == "axis" else (axis[0] + SIDES[WORDS[side]][0], axis[1] + up))

        def at(column: int, row: int) -> bool:
            return self.free((column, row), (column + across, row + up))

        if at(*axis):
            placed(axis, side, up)
        elif across and self.wall and at(axis[0] - across, axis[1]):
            placed((axis[0] - across, axis[1]), side, up)
        elif up < 0 and self.floor and at(axis[0], axis[1] + 1):
            placed((axis[0], axis[1] + 1), side, up)
        elif across and self.quick:
            self.presses += 1
            if self.presses == self.quick:
                self.presses = 0
                # the halves change places
                side = (int(self.ram[SIDE]) + 2) % 4
                placed(partner, side, SIDES[WORDS[side]][1])

    # what a rig does

    def load(self, state: tuple[Bytes, int]) -> None:
        self.ram, self.presses, self.pad = state[0].copy(), state[1], 0

    def save(self) -> tuple[Bytes, int]:
        return self.ram.copy(), self.presses

    def step(self, pad: int = 0) -> None:
        pressed, self.pad = pad & ~self.pad, pad
        moved = bool(pressed & Button.RIGHT) - bool(pressed & Button.LEFT)
        if moved and self.free(*((column + moved, row) for column, row in self.halves())):
            self.ram[X] = int(self.ram[X]) + moved
        if pressed & (Button.A | Button.B):
            self.turn(1 if pressed & Button.A else -1)


def cell(column: int, row: int) -> int:
    return FIELD + column + WIDTH * row


def painted(cells: Mapping[tuple[int, int], int] | None = None) -> dict[int, int]:
    every = dict.fromkeys(range(FIELD, FIELD + WIDTH * HEIGHT), 0)
    return every | {cell(*place): code for place, code in (cells or {}).items()}


def kicks_of(machine: Turner, *, clockwise: str | None = "a", counter: str | None = "b") -> Kicks:
    driver = SimpleNamespace(
        x=SimpleNamespace(offset=X), y=SimpleNamespace(offset=Y), tap=Tap(), first=(),
        x_now=lambda: machine.peek(X),
    )  # fmt: skip
    ground: Any = SimpleNamespace(
        rig=machine, driver=driver, state=machine.save(), painted=painted, columns=tuple(range(WIDTH)),
        grid=Grid(FIELD, 1, WIDTH, WIDTH, 0), visible=HEIGHT, colors=(1, 2, 3), spawn_column=2,
        cell_y=-machine.pixels, floor_y=FLOOR,
    )  # fmt: skip
    upright = WORDS[machine.ram[SIDE]]
    stance: Any = SimpleNamespace(
        readable=True, turning=turning_at(SIDE), symbols=dict(enumerate(WORDS)), ways=(upright,),
        clockwise=clockwise, counter=counter, denotes=machine.denotes, partner=None, near_row=machine.near_row,
    )  # fmt: skip
    return measure.measure_kicks(ground, stance)


@pytest.mark.parametrize("pixels", [1, 8])
@pytest.mark.parametrize("denotes", ["axis", "partner", "box"])
@pytest.mark.parametrize("quick", [0, 1, 2])
@pytest.mark.parametrize("floor", [True, False])
@pytest.mark.parametrize("wall", [True, False])
def test_kicks_are_those_of_the_game(wall: bool, floor: bool, quick: int, denotes: str, pixels: int) -> None:
    machine = Turner(wall=wall, floor=floor, quick=quick, denotes=denotes, pixels=pixels)
    assert kicks_of(machine) == Kicks(wall, floor, bool(quick))


@pytest.mark.parametrize("buttons", [{"counter": None}, {"clockwise": None}])
@pytest.mark.parametrize("wall", [True, False])
def test_one_button_shows_kicks_as_well(wall: bool, buttons: dict[str, None]) -> None:
    assert kicks_of(Turner(wall=wall, quick=1), **buttons) == Kicks(wall, True, True)


def test_where_cells_are_in_no_turn_s_way_nothing_is_a_quick_turn() -> None:
    assert kicks_of(Turner(through=True)).quick_turn is None
    # nothing is lifted from a stack either
    assert kicks_of(Turner(through=True)).floor is False


def test_nothing_is_tried_where_ram_does_not_show_how_a_piece_stands() -> None:
    assert measure.measure_kicks(SimpleNamespace(rig=None), SimpleNamespace(ways=("up",), readable=False)) == Kicks()  # type: ignore[arg-type]


# -- rows


class Heap:
    """Cells that hang fall in the lowest ``kept`` rows; of these, groups of ``size`` vanish in the lowest ``grouping``
    ones. broken: from this row on nothing can be tried. lost: so many more rows, from which cells fall, keep none.
    """

    def __init__(
        self, kept: int, grouping: int, size: int, seen: int, rows: int = 40, broken: int = 99, lost: int = 0
    ) -> None:
        self.kept, self.grouping, self.size, self.broken, self.lost = kept, grouping, size, broken, lost
        ram = FIELD + WIDTH * rows
        self.ground = SimpleNamespace(
            colors=(1, 2, 3), mask=0x0F, visible=seen, grid=Grid(FIELD, 1, WIDTH, WIDTH, 0),
            place=SimpleNamespace(rows=seen), rig=SimpleNamespace(size=ram),
        )  # fmt: skip

    def lock(self, cells: dict[tuple[int, int], int], _: int, low: int, high: int, more: dict[int, int]) -> Any:
        assert low != high
        if max(row for _, row in cells) > self.broken:
            raise CalibrationError("no next piece comes after this one")
        ram = np.full(self.ground.rig.size, 0xF0, np.uint8)
        for (column, row), code in cells.items():
            if row < self.ground.place.rows:
                ram[cell(column, row)] |= code
        for at, code in more.items():
            ram[at] |= code
        last = [int(ram[cell(WIDTH - 1, row)]) & 15 for row in range(self.kept + self.lost)]
        last = [code for code in last if code]
        while run := next((at for at in range(min(len(last), self.grouping) - self.size + 1)
                           if len(set(last[at : at + self.size])) == 1), -1) + 1:  # fmt: skip
            del last[run - 1 : run - 1 + self.size]
        for row in range(self.kept + self.lost):
            ram[cell(WIDTH - 1, row)] = 0xF0 | (last[row] if row < min(len(last), self.kept) else 0)
        return SimpleNamespace(ram=ram)


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize(
    ("kept", "grouping", "seen"),
    [
        (13, 12, 12), (13, 13, 12), (12, 12, 12), (14, 12, 12), (14, 13, 11), (12, 11, 12), (10, 9, 8),
        # a field may have been taken for up to two rows higher than it is
        (12, 12, 13), (12, 11, 14), (14, 12, 14),
    ],
)  # fmt: skip
def test_rows_that_keep_cells_and_those_that_count(kept: int, grouping: int, seen: int, size: int) -> None:
    assert measure.measure_rows(Heap(kept, grouping, size, seen), size) == Rows(kept, grouping)  # type: ignore[arg-type]


def test_rows_end_with_those_of_the_family_and_with_ram() -> None:
    assert measure.measure_rows(Heap(20, 20, 4, 12), 4).kept == 14  # type: ignore[arg-type]
    assert measure.measure_rows(Heap(13, 12, 4, 12, rows=13), 4) == Rows(13, 12)  # type: ignore[arg-type]


def test_a_row_whose_cells_fall_but_never_stay_keeps_none() -> None:
    assert measure.measure_rows(Heap(13, 13, 4, 13, lost=3), 4) == Rows(13, 13)  # type: ignore[arg-type]


def test_a_field_whose_rows_nothing_shows_is_as_high_as_it_was_taken_for() -> None:
    """Where no cell falls, as where all trials fail, the landings must be right."""
    assert measure.measure_rows(Heap(0, 0, 4, 12, broken=-1), 4) == Rows(12, 12)  # type: ignore[arg-type]
    # a trial that fails tells nothing of the rows below
    assert measure.measure_rows(Heap(13, 11, 4, 12, broken=12), 4) == Rows(13, 11)  # type: ignore[arg-type]


# -- times


class Clocked:
    """A piece that sinks a row in so many frames, lies on the floor, locks, and gives way to the next one. moved: after
    how many moves on the floor it begins to lie there anew.
    """

    def __init__(self, *, fall: int, soft: int, lock: int, spawn: int, first: int, repeat: int, moved: int) -> None:
        self.said = SimpleNamespace(
            fall=fall, soft=soft, lock=lock, spawn=spawn, first=first, repeat=repeat, moved=moved
        )

    def branch(self, _: bytes, pads: list[int], __: object) -> Bytes:
        said, rows = self.said, 10
        seen = np.zeros((len(pads), 8), np.uint8)
        x, row, since, rest, held, gone = 3, rows, 0, 0, (0, 0), 0
        locked, moves = False, 0
        for number, pad in enumerate(pads):
            # other buttons would turn the piece
            assert not pad & ~(Button.LEFT | Button.RIGHT | Button.DOWN)
            side = pad & (Button.LEFT | Button.RIGHT)
            held = (side, held[1] + 1 if side and side == held[0] else 0)
            due = held[1] == 0 or (held[1] >= said.first and (held[1] - said.first) % said.repeat == 0)
            move = (1 if side == Button.RIGHT else -1) if side and due else 0
            if gone:
                gone -= 1
                if not gone:
                    row, x, since = rows, 3, 0
            elif row:
                since += 1
                if since >= (said.soft if pad & Button.DOWN else said.fall):
                    row, since = row - 1, 0
            else:
                rest += 1
                if rest == said.lock:
                    locked, gone, rest = True, said.spawn, 0
            if move and not gone and 0 <= x + move < WIDTH:
                x += move
                moves += not row
                rest = 0 if not row and moves <= said.moved else rest
            seen[number, [X, Y, 2]] = x, 100 + 8 * (rows - row), locked
        return seen


@pytest.mark.parametrize(
    "said",
    [
        {"fall": 20, "soft": 2, "lock": 30, "spawn": 25, "first": 12, "repeat": 3, "moved": 0},
        {"fall": 31, "soft": 4, "lock": 9, "spawn": 60, "first": 16, "repeat": 2, "moved": 3},
        {"fall": 12, "soft": 1, "lock": 20, "spawn": 8, "first": 5, "repeat": 5, "moved": 99},
    ],
)
def test_times_are_those_of_the_game(said: dict[str, Any]) -> None:
    ground: Any = SimpleNamespace(
        rig=Clocked(**said), state=b"", painted=lambda: {}, visible=1, cell_y=-8, floor_y=180,
        grid=SimpleNamespace(columns=1, cell=lambda *_: 2),
        driver=SimpleNamespace(
            x=SimpleNamespace(offset=X), y=SimpleNamespace(offset=Y), tap=Tap(), drawn=None, control_delay=7
        ),
    )  # fmt: skip
    # it is tapped to the left wall first, and held to the right for long enough
    ground.grid.columns = 3
    found = measure.measure_timing(ground)
    # it is moved from the second frame on the floor on, every six frames
    moved = {0: said["lock"], 3: 2 + 6 * 2 + said["lock"], 99: None}[said["moved"]]
    assert found == Timing(
        said["fall"], said["soft"], said["lock"], said["lock"], moved, said["first"], said["repeat"],
        said["spawn"], 7,
    )  # fmt: skip
