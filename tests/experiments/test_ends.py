"""How a game's end is seen: naive games that end in several ways, and pieces that somebody else steers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import moments, versus
from ochibot.experiments.grid import Grid
from ochibot.experiments.motion import Motion
from ochibot.experiments.signs import (
    LASTING,
    LONG,
    MOST_LATER,
    OVER_WAIT,
    UNATTENDED,
    OverByte,
    over_trace,
    with_later,
)
from ochibot.experiments.versus import UNMOVED, UNTOUCHED, _steered_by_hand

from tests.experiments.frames import Frames

X, PHASE, PILE, SEED = 0, 1, 4, 5
PLAY, OVER = 3, 9
CURTAIN = [(OVER, 100), (11, LASTING), (12, LASTING - 1), (PLAY + 20, 400)]


class Ending(Frames):
    """A game that ends on a full column once DOWN is pressed. It then shows ``after``: (the phase's value, for how many
    frames). goes_on: pieces answer again then (one_side: to one side alone). alone: when it ends by itself.
    """

    def __init__(
        self, after: list[tuple[int, int]], *, goes_on: bool = False, alone: int = 400, one_side: bool = False
    ) -> None:
        self.after_, self.goes_on, self.alone, self.one_side = after, goes_on, alone, one_side
        self.ram = np.zeros(8, np.uint8)
        self.count, self.ended = 0, -1
        self.put()

    def put(self) -> None:
        self.ram[[X, PHASE]] = 40, PLAY

    def save(self) -> Any:
        return self.ram.copy(), self.count, self.ended

    def load(self, state: Any) -> None:
        self.ram, self.count, self.ended = state[0].copy(), state[1], state[2]

    def step(self, pad: int = 0) -> None:
        self.count += 1
        full = self.ram[PILE] == 1
        if self.ended < 0 and ((full and pad & Button.DOWN) or (full and self.count > 50) or self.count > self.alone):
            self.ended = 0
        if self.ended >= 0:
            at = self.ended
            self.ended += 1
            for value, frames in self.after_:
                if at < frames:
                    self.ram[PHASE] = value
                    return
                at -= frames
            self.ram[PHASE] = PLAY if self.goes_on else self.after_[-1][0]
        if self.ended < 0 or self.goes_on:
            left = pad & Button.LEFT and not self.one_side
            self.ram[X] = int(self.ram[X]) + bool(pad & Button.RIGHT) - bool(left)


def ground_of(game: Ending) -> Any:
    def painted(cells: Mapping[tuple[int, int], int]) -> dict[int, int]:
        # a column is full from the floor to the row below the highest visible one
        column = [cells.get((2, row)) for row in range(12)]
        assert all(column[:11])
        assert column[11] is None
        assert all(one != other for one, other in pairwise(column[:11]))
        return {PILE: 1}

    return SimpleNamespace(
        rig=game, state=game.save(), spawn_column=2, visible=12, colors=(1, 2, 3), painted=painted,
        driver=SimpleNamespace(x=SimpleNamespace(offset=X)),
    )  # fmt: skip


def test_the_frames_of_an_end_are_kept() -> None:
    ground = ground_of(Ending([(OVER, 2000)]))
    seen = over_trace(ground, (1, 2))
    assert len(seen) == 60 + OVER_WAIT + LONG
    assert (seen[:, PHASE] == OVER).all()
    # of another piece
    ground.rig.ram[SEED] = 7
    other = ground.rig.save()
    assert (over_trace(ground, (2, 1), other)[:, SEED] == 7).all()
    assert (over_trace(ground, (2, 1))[:, SEED] == 0).all()


@pytest.mark.parametrize(("one_side", "ends"), [(False, False), (True, True)])
def test_where_a_piece_still_goes_to_both_sides_nothing_has_ended(one_side: bool, ends: bool) -> None:
    ground = ground_of(Ending([(OVER, 60)], goes_on=True, one_side=one_side))
    if ends:
        # what goes to one side alone is no piece
        assert over_trace(ground, (1, 2)).any()
    else:
        with pytest.raises(CalibrationError, match="a full column doesn't end the game"):
            over_trace(ground, (1, 2))


def watched_() -> Any:
    trace = np.zeros((9, 8), np.uint8)
    trace[:, PHASE] = [PLAY, PLAY, 4, 5, 6, PLAY, PLAY, 4, PLAY]
    return [SimpleNamespace(trace=trace)]


def test_values_that_follow_the_end_and_last_are_the_end_s_too() -> None:
    over = OverByte(PHASE, OVER, 30)
    found = with_later(ground_of(Ending(CURTAIN)), over, watched_())
    # one lasts too short
    assert found == replace(over, later=(11, PLAY + 20))
    # what play has, too, comes between: then a game of its own follows
    demo = [*CURTAIN, (4, 50), (21, 600)]
    assert with_later(ground_of(Ending(demo)), over, watched_()).later == (21,)
    # what begins too late to last isn't seen
    late = [(OVER, UNATTENDED)]
    assert with_later(ground_of(Ending(late, alone=9999)), over, watched_()) == over
    many = [(OVER, 30), *((30 + number, LASTING) for number in range(MOST_LATER)), (99, 9999)]
    assert with_later(ground_of(Ending(many)), over, watched_()) == over
    assert len(with_later(ground_of(Ending(many[:-1])), over, watched_()).later) == MOST_LATER


def test_a_game_that_ends_by_itself_alone_shows_what_follows_too() -> None:
    """Where nobody presses anything, a full column may not be enough."""
    over = OverByte(PHASE, OVER, 30)
    game = Ending(CURTAIN)
    ground = ground_of(game)
    ground.painted = lambda _: {}
    assert with_later(ground, over, watched_()).later == (11, PLAY + 20)


# -- falls that took too long, and ends that don't come


def test_pieces_that_took_twice_as_long_as_most_are_left_out() -> None:
    falls: Any = [SimpleNamespace(frames=frames) for frames in (40, 44, 50, 99, 100, 101, 20, 50)]
    assert [one.frames for one in moments._usual(falls)] == [40, 44, 50, 99, 20, 50]
    few: Any = [SimpleNamespace(frames=frames) for frames in (90, 30, 44)]
    assert [one.frames for one in moments._usual(few)] == [30, 44]


@pytest.mark.parametrize("fails", [0, 2, 3, 4])
def test_two_of_four_ends_are_enough(fails: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[list[int], Any]] = []

    def trace(_: object, codes: list[int], state: Any) -> Any:
        tried.append((list(codes), state))
        if len(tried) <= fails:
            raise CalibrationError("a full column doesn't end the game")
        return len(tried)

    signs = [OverByte(place, 9, 30) for place in (0x110, 7, 20, 30)]
    monkeypatch.setattr(moments, "over_trace", trace)
    monkeypatch.setattr(moments, "over_signs", lambda *said: [*signs[: len(said[3]) + 2]])
    monkeypatch.setattr(moments, "watch", lambda *_, **__: [])
    monkeypatch.setattr(moments, "_tall", lambda _: [])
    monkeypatch.setattr(moments, "followed_end", lambda *_: -1)
    falls: Any = [SimpleNamespace(state=number) for number in range(5)]
    rig = SimpleNamespace(address=lambda offset: offset, console=SimpleNamespace(rom=SimpleNamespace(system="nes")))
    ground: Any = SimpleNamespace(
        rig=rig, colors=(1, 2, 3), of_field=lambda _: {20}, driver=SimpleNamespace(y=SimpleNamespace(offset=0)), state=5
    )
    if fails > 2:
        with pytest.raises(CalibrationError, match="a full column doesn't end the game"):
            moments._overs(ground, falls, [], [])
    else:
        found = moments._overs(ground, falls, [], [])
        # what is in the field is none, and the stack comes last
        assert [one.offset for one in found] == ([7, 30, 0x110] if not fails else [7, 0x110])
    # other colours and pieces each time
    assert [state for _, state in tried] == [None, 0, 1, 2]
    assert len({tuple(codes) for codes, _ in tried}) >= 3
    assert all(len(set(codes)) == 2 for codes, _ in tried)


@pytest.mark.parametrize(("likely", "order"), [((), [30, 7, 40]), ((7,), [7, 30, 40]), ((30,), [30, 7, 40])])
def test_a_byte_that_ends_the_game_when_it_is_poked_comes_first(
    likely: tuple[int, ...], order: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one may be what the last search left behind in a full column. A byte that tells control, too, is none."""
    signs = [OverByte(place, 9, 30) for place in (7, 30, 40)]
    for name, stand_in in (
        ("over_trace", lambda *_: 0),
        ("over_signs", lambda *_: sorted(signs, key=lambda one: one.offset not in likely)),
        ("watch", lambda *_, **__: []),
        ("_tall", lambda _: []),
        ("on_stack", lambda *_: False),
        ("followed_end", lambda _, state, one, *__: 0 if (one.offset, state) == (30, 5) else -1),
    ):
        monkeypatch.setattr(moments, name, stand_in)
    ground: Any = SimpleNamespace(
        rig=None, colors=(1, 2, 3), of_field=lambda _: (), driver=SimpleNamespace(y=SimpleNamespace(offset=0)), state=5
    )
    falls: Any = [SimpleNamespace(state=number) for number in range(5)]
    assert [one.offset for one in moments._overs(ground, falls, [], likely)] == order


def test_high_columns_stand_beside_a_piece_or_just_below_it() -> None:
    painted: list[dict[tuple[int, int], int]] = []

    def drop(*, cells: dict[tuple[int, int], int], keep: bool) -> Any:
        assert keep
        painted.append(cells)
        if len(painted) == 2:
            raise CalibrationError("it doesn't come down")
        return len(painted)

    ground: Any = SimpleNamespace(
        rig=SimpleNamespace(load=lambda _: None), state=b"", place=SimpleNamespace(spot=lambda *_: (2, 9)), visible=12,
        driver=SimpleNamespace(x_now=lambda: 0, y_now=lambda: 0), colors=(1, 2, 3), spawn_column=2, drop=drop,
        grid=Grid(0, 1, 6, 6, 0),
    )  # fmt: skip
    made: list[Any] = [*moments._tall(ground)]
    assert made == [1, 3, 4]
    for number, cells in enumerate(painted):
        # no two equal cells side by side
        assert all(cells.get((c + 1, r)) != kind != cells.get((c, r + 1)) for (c, r), kind in cells.items())
        if number % 2:
            # below a piece that appears inside the field, with room between
            assert set(cells) == {(2, row) for row in range(6)}
        else:
            assert set(cells) == {(c, r) for c in (0, 4, 5) for r in range(12)}
    assert set(painted[0].values()) != set(painted[2].values())


# -- a seat that somebody else steers


class Steered:
    """A piece that sinks every fourth frame. moved: for the last of these steps, as a share, it stands elsewhere."""

    def __init__(self, moved: float) -> None:
        self.moved, self.frame, self.down, self.across = moved, 0, 0, 40

    def load(self, _: object) -> None:
        self.frame, self.down, self.across = 0, 0, 40

    def peek(self, place: int) -> int:
        return {7: self.across, 8: self.down & 255}[place]

    def step(self) -> None:
        self.frame += 1
        if self.frame % 4 == 0:
            self.down += 8
            rows = UNTOUCHED // 4
            self.across = 40 + 8 * (self.frame // 4 > rows - round(self.moved * rows))


@pytest.mark.parametrize(("share", "steered"), [(0.0, False), (0.9, False), (1.3, True)])
def test_pieces_that_move_aside_by_themselves_are_somebody_else_s(
    share: float, steered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = Motion({7: 8}, {8: 8})
    monkeypatch.setattr(versus, "motion", lambda *_: moves)
    monkeypatch.setattr(versus, "followers", lambda *_: {})
    monkeypatch.setattr(versus, "roots", lambda _: [])
    rig: Any = Steered(share * (1 - UNMOVED))
    assert bool(_steered_by_hand(rig, b"")) is not steered
    monkeypatch.setattr(versus, "motion", lambda *_: Motion({}, {}))
    assert not _steered_by_hand(rig, b"")
