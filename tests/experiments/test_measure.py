"""What is measured of times where the game does something unusual."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.experiments import measure
from ochibot.experiments.facts import Above
from ochibot.experiments.mapfile import _place
from ochibot.experiments.rules import _hide_top
from ochibot.ram.entry import Entry
from ochibot.ram.values import meaning

from tests.experiments.frames import Frames

X, Y, CELL = 0, 1, 2


@dataclass(frozen=True)
class Standing:
    """A basis with so many visible rows."""

    visible: int


class Falling:
    """A piece that sinks a row every ten frames; the field's only cell changes at the frame ``still``."""

    def __init__(self, still: int) -> None:
        self._still = still

    def branch(self, _state: bytes, pads: list[int], _paint: object) -> Any:
        frames = np.arange(len(pads))
        ram = np.zeros((len(pads), 3), np.uint8)
        ram[:, X] = np.cumsum([bool(pad & Button.RIGHT) for pad in pads]) // 8
        ram[:, Y] = np.minimum(frames // 10, 6)
        ram[:, CELL] = frames >= self._still
        return ram


class Fresh(Falling):
    """As before, but it sinks a row every second frame with DOWN, if that was let go before. In the savestate it is
    held.
    """

    def branch(self, _state: bytes, pads: list[int], _paint: object) -> Any:
        ram = super().branch(_state, pads, _paint)
        held = np.array([bool(pad & Button.DOWN) for pad in pads])
        fast = held & ~np.logical_and.accumulate(held)
        ram[:, Y] = np.minimum(np.cumsum(1 + 4 * fast) // 10, 6)
        return ram


def test_a_row_with_down_is_measured_where_down_must_be_let_go_first() -> None:
    timing = measure.measure_timing(ground(67, Fresh))
    assert (timing.fall, timing.soft) == (10, 2)


def ground(still: int, falling: type[Falling] = Falling) -> Any:
    place = SimpleNamespace(offset=X), SimpleNamespace(offset=Y)
    pad = SimpleNamespace(pads=lambda *_: [0] * 8)
    return SimpleNamespace(
        rig=falling(still),
        state=b"",
        painted=lambda *_: {},
        grid=SimpleNamespace(columns=1, cell=lambda *_: CELL),
        visible=1,
        cell_y=-1,
        floor_y=6,
        driver=SimpleNamespace(x=place[0], y=place[1], tap=pad, control_delay=3, drawn=False),
    )


@pytest.mark.parametrize(("still", "lock"), [(67, 7), (70, 10), (5, None)])
def test_a_field_that_changes_before_the_piece_has_sunk_gives_no_time_of_a_lock(still: int, lock: int | None) -> None:
    """Games that write the falling piece into the field change it at once."""
    timing = measure.measure_timing(ground(still))
    assert (timing.fall, timing.lock, timing.control) == (10, lock, 3)
    assert timing.lock_moved == lock


class Steered(Frames):
    """A piece in pixels that LEFT and RIGHT move, unless a cell stands in the way. lower: whether a piece between two
    rows takes the lower one. Cells are poked by their places.
    """

    def __init__(self, *, lower: bool) -> None:
        self.lower, self.frames = lower, 0
        self.now: dict[Any, int] = {X: 24, Y: 100}

    def load(self, state: Any) -> None:
        self.now = dict(state)

    def save(self) -> Any:
        return dict(self.now)

    def poke(self, pokes: Mapping[Any, int]) -> None:
        self.now |= pokes

    def peek(self, place: int) -> int:
        return self.now[place]

    def step(self, pad: int = 0) -> None:
        self.frames += 1
        by = bool(pad & Button.RIGHT) - bool(pad & Button.LEFT)
        column = self.now[X] // 8 + by
        # row 0 is at y = 96
        row = (96 - self.now[Y] + (0 if self.lower else 7)) // 8
        if 0 <= column < 6 and (column, row) not in self.now:
            self.now[X] += 8 * by


class SteeredParts(Steered):
    """Its y is in whole rows, and the byte behind holds the parts of a row."""

    def __init__(self, *, lower: bool) -> None:
        super().__init__(lower=lower)
        self.now |= {Y: 13, Y + 1: 77}

    def step(self, pad: int = 0) -> None:
        self.frames += 1
        by = bool(pad & Button.RIGHT) - bool(pad & Button.LEFT)
        column = self.now[X] // 8 + by
        # row 0 is at y = 96
        sunk = self.now[Y] + (self.lower and self.now[Y + 1] > 0)
        if 0 <= column < 6 and (column, 96 - sunk) not in self.now:
            self.now[X] += 8 * by


def steered(*, lower: bool, unit: int = 8, rig: Any = None) -> Any:
    rig = rig or Steered(lower=lower)
    return SimpleNamespace(
        rig=rig,
        state=rig.save(),
        painted=lambda cells=None: dict(cells or {}),
        grid=SimpleNamespace(columns=6),
        columns=[8 * column for column in range(6)],
        colors=(1, 2, 3),
        visible=12,
        spawn_column=3,
        cell_y=-unit,
        floor_y=96,
        driver=SimpleNamespace(
            x=SimpleNamespace(offset=X),
            y=SimpleNamespace(offset=Y),
            first=(),
            x_now=lambda: rig.peek(X),
            tap=SimpleNamespace(pads=lambda button: [int(button), 0]),
        ),
    )


UPRIGHT: Any = SimpleNamespace(partner=None)


@pytest.mark.parametrize("lower", [True, False])
def test_a_piece_between_two_rows_takes_the_row_that_a_wall_shows(lower: bool) -> None:
    """Maps always read the upper row, so that presses were planned that walls blocked."""
    assert measure.measure_between(steered(lower=lower), UPRIGHT) is lower


@pytest.mark.parametrize("lower", [True, False])
def test_parts_of_a_row_in_a_byte_of_their_own_tell_it_too(lower: bool) -> None:
    """A row with Down held was counted as a piece came to rest: it seemed to sink by one more row."""
    game = steered(lower=lower, unit=1, rig=SteeredParts(lower=lower))
    assert measure.measure_between(game, UPRIGHT, 1) is lower


def test_a_piece_that_sinks_by_whole_rows_is_never_between_two() -> None:
    assert measure.measure_between(steered(lower=True, unit=1), UPRIGHT) is None


def test_a_piece_is_tapped_to_the_wall_no_more_often_than_it_must_be() -> None:
    """On a slow pad, a tap for each column took so long that the piece came to rest, and no kick was seen."""
    on = steered(lower=True)
    after = measure._at_wall(on, on.state, Button.RIGHT, -1)
    assert cast(Any, after)[X] == on.columns[-1]
    assert on.rig.frames == 2 * 2


@pytest.mark.parametrize(
    ("step", "raws"), [(8, {40: 5, 41: 6, 47: 6, 48: 6, 49: 7}), (-8, {40: 5, 39: 6, 32: 6, 31: 7})]
)
def test_a_map_reads_the_lower_row_between_two(step: int, raws: dict[int, int]) -> None:
    lower, upper = (meaning(Entry.model_validate(dict(_place(0, 40, step, 5, "", lower=low)))) for low in (True, False))
    assert {raw: lower(raw) for raw in raws} == raws
    assert upper(40 + step // 8) == 5


@pytest.mark.parametrize(
    ("above", "visible", "hidden", "clear"),
    [(Above(0, "solid"), 12, 1, True), (Above(0, "vanish"), 13, 0, None), (Above(1, "solid"), 13, 1, None)],
)
def test_a_pair_has_a_row_above_the_visible_ones(above: Above, visible: int, hidden: int, clear: bool | None) -> None:
    """Rules without one are refused, though all rows of a field look alike."""
    learnt: Any = SimpleNamespace(above=above, basis=Standing(13))
    _hide_top(learnt)
    assert (learnt.basis.visible, learnt.above.hidden_rows, learnt.above.hidden_clear) == (visible, hidden, clear)
