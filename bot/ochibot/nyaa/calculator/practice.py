"""Makes random boards on which to practise reading values. Each holds a needle that lights a large structure."""

from __future__ import annotations

from random import Random
from typing import Final

from ochibot.nyaa.calculator.heat import resting_cells
from ochibot.nyaa.rules.grid import CELLS, COLORS, COLUMNS, EMPTY, NUISANCE, ROWS, Grid
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.nyaa.rules.ties import AttackRange, attack_range

_KIN: Final = 0.62
"""The probability that a block gets the colour of one of its neighbours."""
_NUISANCE: Final = 0.06


def practice_board(seed: int, colors: int = 4, least: int = 4) -> Grid:
    """The board of a seed; it is the same on every machine.

    It has ``colors`` (1..4) colours. Its MVS attack is at least ``least`` (1..12). Under neither ruleset does the
    attack depend on open ties.
    """
    dice = Random(seed)
    while True:
        grid = _random_grid(dice, colors)
        needles: list[tuple[int, Grid]] = []
        for cell in resting_cells(grid, Ruleset.MVS):
            for color in COLORS[:colors]:
                loaded = grid.with_needle(cell, color)
                found = attack_range(loaded, Ruleset.MVS)
                if found.high >= least and _is_sure(found) and _is_sure(attack_range(loaded, Ruleset.PS2)):
                    needles.append((found.low, loaded))
        if needles:
            needles.sort(key=lambda one: one[0])
            better = needles[len(needles) // 2 :]
            return better[_below(dice, len(better))][1]


def _is_sure(found: AttackRange) -> bool:
    return found.low == found.high and found.complete


def _below(dice: Random, limit: int) -> int:
    """A number from 0 to limit - 1. It uses only ``random()``: Python doesn't promise that other methods stay the same
    between versions.
    """
    return int(dice.random() * limit)


def _random_grid(dice: Random, colors: int) -> Grid:
    codes = bytearray(CELLS)
    heights = [3 + _below(dice, ROWS - 4) for _ in range(COLUMNS)]
    for row in range(ROWS - 1, -1, -1):
        for column in range(COLUMNS):
            if ROWS - row > heights[column]:
                continue
            cell = row * COLUMNS + column
            kin = [codes[cell - 1]] if column else []
            kin += [codes[cell + COLUMNS]] if row < ROWS - 1 else []
            kin = [code for code in kin if code not in (EMPTY, NUISANCE)]
            if dice.random() < _NUISANCE:
                codes[cell] = NUISANCE
            elif kin and dice.random() < _KIN:
                codes[cell] = kin[_below(dice, len(kin))]
            else:
                codes[cell] = 1 + _below(dice, colors)
    return Grid(bytes(codes))
