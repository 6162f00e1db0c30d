"""Compares the plain engine, and on MVS the search's kernels, with the naive reference, board by board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from ochibot.jit.lanes import entry
from ochibot.nyaa import Grid, Ignition, Ruleset, ignite
from ochibot.nyaa.kernels.bits import burn_out
from ochibot.nyaa.kernels.ignite import ignite as ignite_board
from ochibot.nyaa.kernels.packed import WORK_WORDS, boards_of
from ochibot.nyaa.rules.resolve import resolve

from tests.nyaa import reference
from tests.nyaa.boards import grid_of

MOST_OUTCOMES = 256
"""If a board has this many outcomes or more, only the outcome of the tie rule is compared."""


@dataclass
class Agreement:
    """How many boards were compared, and (``different``) those on which something differed.

    lit, tied, not_exact: on how many boards something was lit, there was a tie, or several attacks were possible.
    """

    boards: int = 0
    lit: int = 0
    tied: int = 0
    not_exact: int = 0
    all_outcomes_compared: int = 0
    different: list[str] = field(default_factory=list)


def after(text: str, popped: set[reference.Place]) -> str:
    """The drawing after the pops and the fall, made column by column from the letters of ``text``."""
    blocks, _ = reference.read(text)
    rows = text.split()
    columns = []
    for column in range(7):
        kept = ""
        for row in range(12):
            letter, near = rows[row][column], reference.neighbours((row, column))
            if letter in "RGBY":
                kept += letter.lower() if all(blocks.get(n) != letter.lower() for n in near) else ""
            elif letter != "." and (row, column) not in popped and not (letter == "o" and popped & set(near)):
                kept += letter
        columns.append(kept.rjust(12, "."))
    return "\n".join("".join(column[row] for column in columns) for row in range(12))


def compare(grids: Sequence[Grid], ruleset: Ruleset) -> Agreement:
    """Compares with the reference: all outcomes of the plain engine, its outcome by the tie rule, the kernels' outcome
    (MVS only), and the boards that are left.
    """
    seen = Agreement()
    is_mvs = ruleset is Ruleset.MVS
    for grid in grids:
        text = str(grid)
        expected = list((reference.mvs if is_mvs else reference.ps2)(text, MOST_OUTCOMES))
        rule = expected[0]
        popped = set(reference.distances(text)[0])
        found, one = ignite(grid, ruleset), resolve(grid, ruleset.rules)
        numbers = (rule.attack, rule.s0, rule.s1, rule.t if is_mvs else 0, len(popped), rule.ties > 0)
        same = (
            (one.attack, one.s0, one.s1, one.t if is_mvs else 0, one.popped, one.tied) == numbers
            and after(text, popped) == str(one.after) == str(found.after)
            and len(found.open_ties) == rule.ties
            and (not is_mvs or _by_kernels(grid) == (rule.attack, rule.t, len(popped), one.after))
        )
        if len(expected) < MOST_OUTCOMES:
            seen.all_outcomes_compared += 1
            same = same and _same_outcomes(found, expected, is_mvs)
        seen.boards += 1
        seen.lit += bool(found.starts)
        seen.tied += bool(rule.ties)
        seen.not_exact += not found.exact
        if not same:
            seen.different.append(f"{ruleset} {grid!r}")
    return seen


_burn_out: Final = entry(burn_out.py_func)
_ignite_board: Final = entry(ignite_board.py_func)


def _by_kernels(grid: Grid) -> tuple[int, int, int, Grid]:
    """(attack, most tails of one start, blocks that pop, what is left), computed by the kernels."""
    (board,) = boards_of([grid])
    attack, t, low, high = _ignite_board(board, np.zeros(WORK_WORDS, np.uint64))
    _burn_out(board, np.uint64(low), np.uint64(high), 0, 1)
    return attack, t, low.bit_count() + high.bit_count(), grid_of(board)


def _same_outcomes(found: Ignition, expected: Sequence[reference.Result], is_mvs: bool) -> bool:
    # on the PS2 only the attack counts
    wanted = {(one.attack, one.s0, one.s1, one.t) if is_mvs else (one.attack, 0, 0, 0) for one in expected}
    told = [(one.attack, one.s0, one.s1, one.t) if is_mvs else (one.attack, 0, 0, 0) for one in found.outcomes]
    tails = {one.tails for one in expected}
    return (
        found.complete
        and sorted(wanted) == told
        and (found.low, found.high) == (told[0][0], told[-1][0])
        and found.exact == (len(wanted) == 1)
        and all(tuple(sorted((tail.value, tail.owner) for tail in one.tails)) in tails for one in found.outcomes)
    )
