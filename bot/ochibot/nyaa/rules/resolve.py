"""Resolves an ignition to a single outcome, as a game needs it: the profile's tie rule settles all ties.

Plain Python. The search's kernels do the same (``ochibot.nyaa.kernels.ignite``).
"""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.nyaa.rules.fall import burnt_out, settled
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.profile import Rules, attack_of
from ochibot.nyaa.rules.ties import NOTHING, Sums, sums_of
from ochibot.nyaa.rules.wave import burn, groups_of


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
