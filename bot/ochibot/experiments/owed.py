"""Finds the bonus for an emptied field in games that pay it with the next group, as Tsu does."""

from __future__ import annotations

from ochibot.errors import CalibrationError
from ochibot.experiments.colors import pokes_for
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import MOST_LOCK, Poker, group
from ochibot.experiments.score import Score


def measure_owed(poker: Poker, score: Score, size: int) -> int:
    """How many more points a group gives after a lock that left the field empty; 0 if the game owes nothing then.

    Raises CalibrationError where no lock leaves the field empty.
    """
    ground = poker.ground
    kinds = ground.colors
    cells = {(column, row): kinds[row] for column in range(1, size) for row in (0, 1)}
    emptied = poker.lock(cells, 0, kinds[0], kinds[1], pad=0)
    if ground.kinds(emptied.ram):
        raise CalibrationError("no lock was seen to leave the field empty")
    return max(
        0, _worth(poker, score, size, emptied) - _worth(poker, score, size, poker.lock({}, 0, kinds[0], kinds[1]))
    )


def _worth(poker: Poker, score: Score, size: int, before: Fallen) -> int:
    """The points of a group of ``size`` that the next piece sets off after a lock."""
    ground = poker.ground
    kinds = ground.colors[0], ground.colors[2]
    ground.rig.load(before.state)
    ram = ground.rig.snap()
    pokes = pokes_for(poker.near, poker.far, kinds if poker.near_below else kinds[::-1], ram)
    painted = {**ground.painted(group(ground, size)), **pokes}
    after = ground.driver.fall(before.state, column=ground.columns[0], pokes=painted, pad=0, most=MOST_LOCK)
    if list(ground.kinds(after.ram).values()) != [kinds[1]]:
        raise CalibrationError("the group after an emptied field didn't vanish alone")
    return score.value(after.ram) - score.value(ram)
