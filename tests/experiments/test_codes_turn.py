"""Codes that tell how a half lies as well as its colour: a naive game whose codes turn with the pair."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments.colors import ColorByte, Sample
from ochibot.experiments.pad import USUAL
from ochibot.experiments.stance import CLOCKWISE
from ochibot.experiments.worn import turning_codes

from tests.experiments.board import turning_at

NEAR, FAR, COPY = 1, 2, 3
PIECES = [(0, 1), (1, 2), (0, 1), (2, 0), (1, 1)]


class Turning:
    """Each half has the code 4 x colour + where the other one is. mirrored: whether the far half's codes tell where it
    is itself, as the near half's do. still: codes don't turn.
    """

    def __init__(self, *, mirrored: bool = False, still: bool = False) -> None:
        self.mirrored, self.still = mirrored, still
        self.state = (0, 0)
        self.turned: list[int] = []

    def load(self, state: tuple[int, int]) -> None:
        self.state = state

    def save(self) -> tuple[int, int]:
        return self.state

    def snap(self) -> Any:
        number, turns = self.state
        near, far = PIECES[number % len(PIECES)]
        ways = (0, 0) if self.still else (turns % 4, (turns + 2 * (not self.mirrored)) % 4)
        ram = np.zeros(8, np.uint8)
        ram[[NEAR, FAR, COPY]] = 4 * near + ways[0] | 0x40, 4 * far + ways[1] | 0x40, turns % 4
        return ram

    def run(self, pads: list[int]) -> None:
        number, turns = self.state
        self.state = number, turns + sum(now and not then for then, now in zip([0, *pads], pads, strict=False))

    def after(self, state: tuple[int, int], pads: list[int], _: object = None) -> Any:
        self.load(state)
        self.turned.append(state[0])
        self.run(pads)
        return self.snap()


@dataclass(frozen=True)
class Stance:
    """What of a stance is looked at."""

    turning: Any
    ways: tuple[str, ...] = CLOCKWISE
    symbols: dict[int, str] = field(default_factory=dict)


def learnt(game: Turning, pieces: range, *, place: int | None = NEAR, mask: int = 0xFF) -> Any:
    """What is learnt of these pieces, and what was known before."""
    ground: Any = SimpleNamespace(rig=game, driver=SimpleNamespace(first=(), tap=USUAL))
    ram = np.zeros(8, np.uint8)
    samples: list[Any] = [Sample((number, 0), ram, *PIECES[number % 5]) for number in pieces]  # type: ignore[arg-type]
    known = {one.near: 0x40 + 4 * one.near for one in samples}, {one.far: 0x40 + 4 * one.far for one in samples}
    near, far = (
        ColorByte(at, mask, {kind: value & mask for kind, value in values.items()}, followed=True)
        for at, values in zip((NEAR, FAR), known, strict=True)
    )
    stance: Any = Stance(turning_at(place), symbols={9: "up"})
    return turning_codes(ground, stance, [None, *samples], near, far), (stance, near, far)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("mask", [0xFF, 0x0F])
def test_all_codes_of_a_colour_are_learnt(mask: int, mirrored: bool) -> None:
    (stance, near, far), (before, *_) = learnt(Turning(mirrored=mirrored), range(5), mask=mask)
    high = 0x40 & mask
    for byte in (near, far):
        assert byte.more == {high + 4 * kind + way: kind for kind in range(3) for way in range(4)}
    # as a piece appears
    assert near.begun == {kind: high + 4 * kind for kind in range(3)}
    assert far.begun == {kind: high + 4 * kind + (0 if mirrored else 2) for kind in range(3)}
    # only a whole byte is the orientation, too
    words = {high + 4 * kind + way: word for kind in range(3) for way, word in enumerate(CLOCKWISE)}
    assert stance.symbols == (words if mask == 0xFF else before.symbols)


@pytest.mark.parametrize("place", [FAR, COPY, None])
def test_the_orientation_may_be_elsewhere(place: int | None) -> None:
    (stance, *_), (before, *_) = learnt(Turning(), range(5), place=place)
    other = {0x40 + 4 * kind + (way + 2) % 4: word for kind in range(3) for way, word in enumerate(CLOCKWISE)}
    assert stance.symbols == (other if place == FAR else before.symbols)


def test_a_colour_that_one_half_never_had_is_known_from_the_other() -> None:
    # the near halves of the first two pieces have two colours, the far ones two others
    (stance, near, far), _ = learnt(Turning(), range(2))
    assert near.more == {0x40 + code: code // 4 for code in range(8)}
    assert far.more == {0x44 + code: 1 + code // 4 for code in range(8)}
    assert stance.symbols == {0x40 + code: CLOCKWISE[code % 4] for code in range(8)}
    # with the fourth piece both have most
    (stance, near, far), _ = learnt(Turning(), range(1, 4))
    assert near.more == far.more == {0x40 + code: code // 4 for code in range(12)}
    assert stance.symbols == {0x40 + code: CLOCKWISE[code % 4] for code in range(12)}


def test_codes_that_do_not_turn_are_left_as_they_are() -> None:
    game = Turning(still=True)
    found, before = learnt(game, range(5))
    assert found == before
    # one piece was enough to see it
    assert set(game.turned) == {0}


def test_pieces_are_turned_until_all_colours_were_seen() -> None:
    game = Turning()
    learnt(game, range(40))
    # the third piece is like the first; with the fourth all colours of both halves were seen
    assert set(game.turned) == {0, 1, 3}
