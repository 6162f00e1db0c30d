"""Makes long chains: whenever a group has vanished, another one is written into the field.

So a chain may have more steps than a field has room for.
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.effects import Poker
from ochibot.experiments.score import Score
from ochibot.wording import counted

STEP_FRAMES: Final = 400
"""The most frames that a step of a chain may take."""

SETTLED: Final = 60
"""Frames after the last step in which the score may not rise any more."""


def long_chain(poker: Poker, score: Score, size: int, steps: int) -> tuple[int, ...]:
    """The points of each step of a chain. Raises CalibrationError when the steps can't be distinguished.

    Each step clears one group of ``size`` cells.
    """
    ground = poker.ground
    rig, grid, one = ground.rig, ground.grid, ground.colors[0]
    if ground.setting.kind not in ("cells", "mirror"):
        raise CalibrationError("cells can't be written while a chain goes on")
    first = {(column, 0): one for column in range(1, size)}
    # the half that is left lies in the first column
    again = [(column, row) for row in range(2) for column in range(2, grid.columns)][:size]
    rig.load(ground.state)
    rig.poke({**ground.painted(first), **poker.pokes(one, ground.colors[2])})
    if not ground.driver.go(ground.columns[0]):
        raise CalibrationError("the piece doesn't get to the first column")
    rises: list[int] = []
    before, quiet = score.value(rig.snap()), 0
    stale = [grid.cell(column, 0) for column in range(1, size)]
    # DOWN isn't held: some games pay for it
    for _ in range(STEP_FRAMES * (steps + 2)):
        rig.step()
        now = score.value(rig.snap())
        quiet += 1
        if now != before:
            rises.append(now - before)
            before, quiet = now, 0
        gone = all(rig.peek(place) & ground.mask == grid.empty & ground.mask for place in stale)
        if rises and gone and len(rises) < steps:
            stale = [grid.cell(*cell) for cell in again]
            for target, own in ground.setting.every(grid):
                rig.poke({target.cell(*cell): own.get(one, one) for cell in again})
        if len(rises) >= steps and quiet >= SETTLED:
            break
    if len(rises) != steps:
        raise CalibrationError(f"the score rose {counted(len(rises), 'time')} in {counted(steps, 'step')}")
    return tuple(rises)
