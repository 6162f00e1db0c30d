"""What each step of a chain was worth, from a score that is watched frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import chains
from ochibot.experiments.chains import Board, board, rises


class Counting:
    """A machine whose score grows by these points, frame by frame."""

    def __init__(self, frames: Sequence[int], *, kept: bool = True) -> None:
        self.frames, self.number = frames, 100
        self.ground = SimpleNamespace(rig=self, state=b"")
        self.score: Any = SimpleNamespace(value=lambda number: number, kept=kept, pokes=lambda number: {0: number})
        self.poked = 0

    def load(self, _state: bytes) -> None:
        self.number = 100

    def snap(self) -> int:
        return self.number

    def poke(self, pokes: dict[int, int]) -> None:
        self.number = pokes[0]
        self.poked += 1

    def play(self, _poker: Any, _size: int, _boards: Sequence[Board], watch: Callable[[], object]) -> None:
        for points in self.frames:
            self.number += points
            watch()


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    ("frames", "found"),
    [
        ([40, 0, 0, 80, 0], (40, 80)),
        # a row with DOWN held before the first step
        ([1, 0, 1, 0, 40, 0, 80, 0, 0], (40, 80)),
        # the points of a step come in several frames, the last one beside a digit that goes back to 0 meanwhile
        ([40, 0, 0, 500, -30, 100, 0, 0], (40, 570)),
    ],
)
def test_each_step_has_its_points(
    frames: Sequence[int], found: Sequence[int], kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Any = Counting(frames, kept=kept)
    monkeypatch.setattr(chains, "play", game.play)
    one: Any = None
    assert rises(game, game.score, 4, [one]) == found
    assert (game.poked > 0) is kept


def test_fewer_rises_than_steps_tell_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = Counting([40, 80, 0])
    monkeypatch.setattr(chains, "play", game.play)
    one: Any = None
    with pytest.raises(CalibrationError, match="the score rose 1 time in 2 steps"):
        rises(game, game.score, 4, [one])


@pytest.mark.parametrize("sizes", [[4], [5, 5], [4, 4], [12], [9, 4]])
def test_a_cell_that_stays_lies_on_the_floor(sizes: list[int]) -> None:
    """A game paid for a lowest row that a step left empty: these points were taken for the groups' own."""
    ground: Any = SimpleNamespace(colors=(1, 2, 3, 4), grid=SimpleNamespace(columns=6), visible=12)
    made = board(ground, sizes)
    assert made is not None
    (stays,) = set(made.cells) - set(made.doomed)
    column, row = stays
    assert row == 0
    around = {made.cells.get(place) for place in ((column - 1, 0), (column + 1, 0), (column, 1))}
    assert made.cells[stays] not in around
