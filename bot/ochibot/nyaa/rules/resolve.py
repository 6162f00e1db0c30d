"""Resolves an ignition to a single outcome, as a game needs it: the profile's tie rule settles all ties.

Plain Python. The search's kernels do the same (``ochibot.nyaa.kernels.ignite``).

Computes the grid after an ignition: blocks pop, needles and nuisance change by the rules, and the rest falls.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ochibot.nyaa.rules.grid import CELLS, COLUMNS, EMPTY, NUISANCE, Grid
from ochibot.nyaa.rules.profile import Rules, attack_of
from ochibot.nyaa.rules.ties import NOTHING, Sums, sums_of
from ochibot.nyaa.rules.wave import NEIGHBOURS, burn, groups_of


def burnt_out(grid: Grid, popped: Collection[int], rules: Rules) -> Grid:
    """The settled grid after the blocks at these cells have popped.

    Needles that lit a block vanish. The rules profile decides what happens to other needles, and to nuisance beside
    blocks that popped.
    """
    codes = bytearray(grid.codes)
    for cell in range(CELLS):
        color = grid.needle(cell)
        near = [at for at, _ in NEIGHBOURS[cell]]
        if cell in popped or (rules.nuisance_pops and codes[cell] == NUISANCE and any(at in popped for at in near)):
            codes[cell] = EMPTY
        elif color:
            idle = all(grid.block(at) != color for at in near)
            if not idle or rules.idle_needle == "vanish":
                codes[cell] = EMPTY
            elif rules.idle_needle == "block":
                codes[cell] = color
    return settled(Grid(bytes(codes)))


def settled(grid: Grid) -> Grid:
    """The same grid after everything that floats has fallen."""
    codes = bytearray(CELLS)
    for x in range(COLUMNS):
        column = grid.codes[x::COLUMNS]
        kept = bytes(code for code in column if code != EMPTY)
        codes[x::COLUMNS] = bytes(len(column) - len(kept)) + kept
    return Grid(bytes(codes))


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of igniting a grid with needles.

    after: the settled grid. s0, s1, t: those of the first ignition, as in
    ``ochibot.nyaa.calculator.ignition.WaveOutcome``. attack: the attack of all ignitions together. starts: how many
    blocks the needles lit. popped: how many blocks popped, without nuisance. tied: whether there was an open tie, so
    that the real game may do something else.
    ignitions: how many there were (more than one only if the profile repeats them).
    """

    after: Grid
    attack: int
    s0: int
    s1: int
    t: int
    starts: int
    popped: int
    tied: bool
    ignitions: int


def resolve(grid: Grid, rules: Rules) -> Resolution:
    """Ignites all needles of a grid at once, removes the blocks that pop and lets the rest fall.

    If the profile says so (``repeated_ignition``), this is repeated as long as needles light blocks.
    """
    after, first, attack, starts, popped, tied, ignitions = grid, NOTHING, 0, 0, 0, False, 0
    while True:
        groups = groups_of(after)
        if groups or not ignitions:
            burns = [burn(group, rules.ruleset) for group in groups]
            parts = [sums_of(one) for one in burns]
            t = max((part.t for part in parts), default=0)
            sums = Sums(sum(part.s0 for part in parts), sum(part.s1 for part in parts), t)
            first = first if ignitions else sums
            attack += attack_of(rules.ruleset, *sums)
            starts += sum(len(group.starts) for group in groups)
            popped += sum(len(group.cells) for group in groups)
            tied |= any(one.ties for one in burns)
            after = burnt_out(after, {cell for group in groups for cell in group.cells}, rules)
        ignitions += bool(groups)
        if not groups or not rules.repeated_ignition:
            return Resolution(settled(after), attack, *first, starts, popped, tied, ignitions)
