"""How a pair stands and turns is seen in the cells that it leaves: naive pairs of all kinds are dropped."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import stance as standing_
from ochibot.experiments.facts import Stance
from ochibot.experiments.pad import USUAL
from ochibot.experiments.stance import CLOCKWISE, STEPS, find_stance, offsets
from ochibot.experiments.turning import Turning

X, SIDE = 0, 1
WIDE = 6


class Pair:
    """A pair that appears with its partner at ``start`` and is turned by ``way`` (1: clockwise) with each tap. denotes:
    the half that x is of, or "box": x is its box's left column. alike: so many of the first pieces have two equal
    halves. wrong: what it leaves otherwise.
    """

    def __init__(self, start: str = "up", way: int = 1, denotes: str = "axis", *, alike: int = 0, wrong: str = "",
                 spawn: int = 2, first: int = 0) -> None:  # fmt: skip
        self.start, self.way, self.denotes, self.alike, self.wrong = start, way, denotes, alike, wrong
        self.taps = 0
        self.number = 0
        self.first = first
        self.spawn_column = spawn
        self.mask = 0xFF
        self.rig = self
        self.driver = SimpleNamespace(first=(int(Button.A),) * first, tap=USUAL)
        self.dropped: list[tuple[int | None, int]] = []

    def word(self, taps: int) -> str:
        return CLOCKWISE[(CLOCKWISE.index(self.start) + self.way * taps) % 4]

    def load(self, state: tuple[int, int]) -> None:
        self.number, self.taps = state

    def save(self) -> tuple[int, int]:
        return self.number, self.taps

    def run(self, pads: list[int]) -> None:
        self.taps += sum(bool(now and not then) for then, now in zip([0, *pads], pads, strict=False))

    def poke(self, _: object) -> None:
        pass

    def after(self, state: tuple[int, int], pads: list[int]) -> Any:
        self.load(state)
        self.run(pads)
        across = STEPS[self.word(self.taps)][0] if self.denotes == "partner" else 0
        across += self.wrong == "leaves" and self.word(self.taps) == "left"
        return np.array([40 + 8 * across, CLOCKWISE.index(self.word(self.taps)), 9], np.uint8)

    def drop(self, state: tuple[int, int], *, column: int | None = None, turns: tuple[int, ...] = ()) -> Any:
        self.dropped.append((column, len(turns)))
        number = state[0]
        # the driver's first buttons are tapped for each piece
        across, up = STEPS[self.word(self.first + len(turns))]
        at = self.spawn_column if column is None else column
        axis, partner = (0, 0), (across, up)
        low = min(axis[1], partner[1])
        shift = {"partner": (-across, 0), "box": (-min(across, 0), 0)}.get(self.denotes, (0, 0))
        cells = {
            (at + c + shift[0], r - low): kind
            for (c, r), kind in ((axis, 1), (partner, 1 if number < self.alike else 2))
        }
        if self.wrong == "three":
            cells[5, 0] = 3
        if self.wrong == "stays":
            cells = {(at, 0): 1, (at, 1): 2}
        if self.wrong == "elsewhere":
            cells = {(c + 1, r): kind for (c, r), kind in cells.items()}
        if self.wrong == "two ways" and len(turns) == 2:
            cells = {(at, 0): 1, (at, 1): 2}
        return SimpleNamespace(ram=cells, state=(number + 1, 0))

    def kinds(self, ram: Any) -> Any:
        return ram


def found(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, *, back: Button | None = Button.B, place: int | None = SIDE
) -> Stance:
    begun = [CLOCKWISE.index(pair.word(pair.first + taps)) for taps in range(4)]
    turning = Turning(Button.A, back, place, tuple(begun) if place is not None else ())
    monkeypatch.setattr(standing_, "driver_of", lambda *_: pair.driver)
    monkeypatch.setattr(standing_, "pokes_of", lambda *_: {})
    monkeypatch.setattr(standing_, "find_turning", lambda *_: turning)
    monkeypatch.setattr(standing_, "bare_ground", lambda *_: pair)
    monkeypatch.setattr(standing_, "idle_bits", lambda _: 0x80)
    monkeypatch.setattr(standing_, "_partner", lambda *_: (7, 8))
    basis: Any = SimpleNamespace(
        place=None, setting=None, spawn_column=pair.spawn_column, columns=tuple(range(WIDE)), x=(X, 8), y=(2, 1),
        first=pair.driver.first,
    )  # fmt: skip
    return find_stance(pair, (0, 0), basis)  # type: ignore[arg-type]


@pytest.mark.parametrize("denotes", ["axis", "partner"])
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("start", ["up", "down"])
def test_words_buttons_and_the_half_that_x_is_of(
    start: str, way: int, denotes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(start, way, denotes)
    stance = found(pair, monkeypatch)
    assert stance.ways == tuple(pair.word(taps) for taps in range(4))
    assert stance.symbols == dict(enumerate(CLOCKWISE))
    assert (stance.denotes, stance.start, stance.partner, stance.mask) == (denotes, start, None, 0x7F)
    assert (stance.clockwise, stance.counter) == (("a", "b") if way == 1 else ("b", "a"))
    # the axis is below, unless the partner is
    assert stance.near_row == int((start == "down") == (denotes == "axis"))
    state: object = stance.state
    assert (state, stance.trials) == ((0, 0), 4)
    assert pair.dropped == [(2, taps) for taps in range(4)]


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("start", ["up", "down"])
def test_a_piece_that_turns_within_a_box(start: str, way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which half is called the axis is open, so it is the lower one of the upright piece."""
    stance = found(Pair(start, way, "box"), monkeypatch)
    turned = CLOCKWISE if way == 1 else ("up", "left", "down", "right")
    assert (stance.denotes, stance.near_row, stance.start, stance.ways) == ("box", 0, "up", turned)
    assert stance.symbols == {CLOCKWISE.index(Pair(start, way).word(taps)): turned[taps] for taps in range(4)}
    assert (stance.clockwise, stance.counter) == (("a", "b") if way == 1 else ("b", "a"))
    # the same cells, but x changes as the piece turns
    with pytest.raises(CalibrationError, match="isn't in its column"):
        found(Pair(start, way, "box", wrong="leaves"), monkeypatch)


@pytest.mark.parametrize(
    ("word", "axis", "partner"),
    [("up", (0, 0), (0, 1)), ("down", (0, 1), (0, 0)), ("left", (1, 0), (0, 0)), ("right", (0, 0), (1, 0))],
)
def test_where_the_halves_are_in_a_box(word: str, axis: tuple[int, int], partner: tuple[int, int]) -> None:
    assert offsets("box", word) == (axis, partner)


def test_a_piece_that_no_button_turns_back_has_one_button(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [getattr(found(Pair(way=1), monkeypatch, back=None), way) for way in ("clockwise", "counter")] == ["a", None]
    assert [getattr(found(Pair(way=-1), monkeypatch, back=None), way) for way in ("clockwise", "counter")] == [
        None,
        "a",
    ]


@pytest.mark.parametrize(("start", "first"), [("left", 1), ("right", 3), ("down", 2)])
def test_a_piece_that_appears_lying_is_stood_upright_first(
    start: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(start, first=first)
    stance = found(pair, monkeypatch)
    assert stance.ways == CLOCKWISE
    # how it appears, not how it stands after these taps
    assert stance.start == {1: "left", 3: "right", 2: "right"}[first]


@pytest.mark.parametrize(("spawn", "column"), [(0, 1), (1, 1), (3, 3), (4, 4), (5, 4)])
def test_pieces_are_turned_where_there_is_room_on_both_sides(
    spawn: int, column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair(spawn=spawn)
    found(pair, monkeypatch)
    assert {one for one, _ in pair.dropped} == {column}


def test_where_no_byte_tells_it_the_other_half_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stance = found(Pair(), monkeypatch, place=None)
    assert (stance.symbols, stance.partner) == ({}, (7, 8))


@pytest.mark.parametrize("alike", [1, 11, 12])
def test_pieces_with_two_equal_halves_are_let_pass(alike: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(alike=alike)
    if alike == 12:
        with pytest.raises(CalibrationError, match="halves of the piece are alike"):
            found(pair, monkeypatch)
    else:
        state: object = found(pair, monkeypatch).state
        assert state == (alike, 0)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("three", "a piece left 3 cells where 2 were looked for"),
        ("stays", "turned once doesn't lie flat"),
        ("elsewhere", "isn't in its column|doesn't lie flat"),
        ("two ways", "a piece stands in the ways"),
    ],
)
def test_cells_that_do_not_show_four_ways(wrong: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CalibrationError, match=why):
        found(Pair(wrong=wrong), monkeypatch)


def test_pieces_that_end_the_game_say_less_than_what_the_others_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of four cells pile up until the game ends, and no next piece comes."""
    pair = Pair(wrong="three")
    drop, left = pair.drop, iter(range(4))

    def some(state: tuple[int, int], **said: Any) -> Any:
        if next(left, None) is None:
            raise CalibrationError("no next piece comes after this one")
        return drop(state, **said)

    monkeypatch.setattr(pair, "drop", some)
    with pytest.raises(CalibrationError, match="a piece left 3 cells where 2 were looked for"):
        found(pair, monkeypatch)


def test_the_orientation_s_values_begin_with_the_piece_that_is_dropped() -> None:
    """The first piece may have been turned by the last tap of the way to play."""
    pair = Pair()
    turning = Turning(Button.A, Button.B, SIDE, (2, 3, 0, 1))
    ground: Any = pair
    assert standing_._begun(ground, turning, (0, 0)).cycle == (0, 1, 2, 3)  # type: ignore[arg-type]
    other = replace(turning, cycle=(5, 6, 7, 8))
    assert standing_._begun(ground, other, (0, 0)) is other  # type: ignore[arg-type]
    none = replace(turning, place=None, cycle=())
    assert standing_._begun(ground, none, (0, 0)) is none  # type: ignore[arg-type]
