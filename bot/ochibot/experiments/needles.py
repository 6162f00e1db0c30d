"""The nyaa family: groups never vanish by their size. A button turns the piece into needles, which pop equal blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.digits import FORMS, Numbers
from ochibot.experiments.effects import Poker
from ochibot.experiments.known import Cells, Ground
from ochibot.experiments.rig import TURNERS, Bytes
from ochibot.experiments.score import Score
from ochibot.experiments.turning import kept_bytes, turned
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.rules import grid as rules_grid
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import Pair, Placement
from ochibot.wording import counted

RULES = "nyaa_mvs"
MOST_CODES = 8
"""How many codes that no piece had are tried as nuisance."""

MOST_EACH = 1000
"""A point of attack is worth at most this many shown points."""


@dataclass(frozen=True)
class Needles:
    """The button that turns a piece into needles. place: the byte that marks them. values: that byte's value for
    blocks, and for needles.

    idle: whether a needle that pops nothing becomes a ``block`` or does ``vanish``. nuisance: codes that vanish
    beside blocks that pop. trials: how many locks showed this.
    """

    button: Button
    place: int
    values: tuple[int, int]
    idle: str
    nuisance: tuple[int, ...]
    trials: int


def find_needles(poker: Poker, tried: Sequence[int]) -> Needles:
    """Try the buttons that don't turn the piece. ``tried``: codes that no piece had. Raises CalibrationError when no
    button makes needles.
    """
    ground = poker.ground
    turning = ground.turning
    turns = {turning.button, turning.back, *turning.also}
    one, other = ground.colors[:2]
    cells = {(0, 0): one, (0, 1): one}
    trials = 0
    for button in TURNERS:
        if button in turns:
            continue
        trials += 2
        after = _locked(poker, cells, one, other, [int(button)])
        if one in ground.kinds(after).values() or one not in ground.kinds(_locked(poker, cells, one, other)).values():
            continue
        for where, values in _switched(ground, button):
            trials += 1
            pokes = {where: values[1]}
            if one not in ground.kinds(_locked(poker, cells, one, other, pokes=pokes)).values():
                alone = ground.kinds(_locked(poker, {}, one, other, [int(button)]))
                idle = "vanish" if not alone else "block"
                if set(alone.values()) - {one, other}:
                    raise CalibrationError("needles that light nothing stay: such rules aren't known here")
                nuisance = tuple(code for code in tried[:MOST_CODES] if _goes(poker, cells, code, int(button)))
                return Needles(button, where, values, idle, nuisance, trials + 1 + len(tried[:MOST_CODES]))
    raise CalibrationError("no button turns a piece into one that sets off equal cells")


def sets_off(poker: Poker, button: Button) -> bool:
    """Whether a tap of a button turns the piece into one that sets off the equal cells below it."""
    one, other = poker.ground.colors[:2]
    cells = {(0, 0): one, (0, 1): one}
    return one not in poker.ground.kinds(_locked(poker, cells, one, other, [int(button)])).values()


def _locked(
    poker: Poker,
    cells: Mapping[tuple[int, int], int],
    low: int,
    high: int,
    turns: Sequence[int] = (),
    pokes: Mapping[int, int] | None = None,
) -> Bytes:
    """RAM after a piece, ``low`` below ``high``, was turned by these taps and dropped into the first column."""
    painted = {**poker.pokes(low, high), **(pokes or {})}
    return poker.ground.drop(cells=cells, column=0, turns=turns, pokes=painted).ram


def _switched(ground: Ground, button: Button) -> list[tuple[int, tuple[int, int]]]:
    """Bytes that a tap changes and a second tap changes back, with both values. The most followed come first."""
    rig = ground.rig
    rig.load(ground.state)
    rig.poke(ground.painted())
    state = rig.save()
    none, once, twice, *_ = turned(rig, state, button)
    places = np.flatnonzero((none == twice) & (none != once)).tolist()
    values = {int(where): (int(none[where]), int(once[where])) for where in places}
    return [(where, values[where]) for where in kept_bytes(rig, state, values, values)]


def _goes(poker: Poker, cells: Cells, code: int, button: int) -> bool:
    """Whether a cell with this code vanishes beside blocks that pop, and stays where nothing pops."""
    ground = poker.ground
    one, other = ground.colors[:2]
    beside = {**cells, (1, 0): code}
    try:
        popped = ground.kinds(_locked(poker, beside, one, other, [button]))
        own = ground.kinds(_locked(poker, {(0, 0): code, (0, 1): code}, one, other, [button]))
    except CalibrationError:
        return False
    return (1, 0) not in popped and own.get((0, 0)) == code


def _shapes(ground: Ground) -> list[Cells]:
    """Blocks of one colour that a needle in the first column sets off: columns, rows and combs of different attacks."""
    one = ground.colors[0]
    shapes: list[Cells] = [{(0, row): one for row in range(count)} for count in (2, 4, 6, 8)]
    for width in (3, 5, 7):
        level: Cells = {(column, 0): one for column in range(min(width, ground.grid.columns))}
        shapes.append(level)
        # a comb: its first tooth is two columns from the needle, which thus touches only the block on which it lies
        shapes.append(level | {(column, 1): one for column in range(2, min(width, ground.grid.columns), 2)})
    return shapes


def find_attack_score(poker: Poker, needles: Needles) -> tuple[Score, int, list[tuple[str, int]]]:
    """Finds the number that grows in proportion to the attack, which is computed by the published rules.

    Returns where it is, the shown points of one point of attack, and each lock with its points. Raises
    CalibrationError when no number grows so.
    """
    ground = poker.ground
    one, other = ground.colors[:2]
    before = _locked(poker, {}, one, other)
    locks = []
    for cells in _shapes(ground):
        after = _locked(poker, cells, one, other, [int(needles.button)])
        locks.append((counted(len(cells), "block"), _attack(cells), after))
    if len({attack for _, attack, _ in locks if attack}) < 3:
        raise CalibrationError("the painted blocks have too few different attacks")
    for form in FORMS:
        nothing = form.read(before)
        found = _grows(nothing, [(attack, form.read(ram) - nothing) for _, attack, ram in locks])
        for where, each in found.items():
            if not form.digits and int(before[where if not form.little else where + form.width - 1]):
                continue
            low = where if form.little else where + form.width - 1
            pushed = _locked(poker, _shapes(ground)[3], one, other, [int(needles.button)], {low: int(before[low]) + 1})
            plain = _locked(poker, _shapes(ground)[3], one, other, [int(needles.button)])
            if int(pushed[low]) != int(plain[low]) + 1 & 0xFF:
                continue
            # the screen may add zeros to the number in RAM; ``score_each`` of the published rules says how many
            shown = load_rules(RULES).attack.score_each
            scale = shown // each if each and shown % each == 0 and shown // each in (1, 10, 100) else 1
            points = [(f"{name}, attack {attack}", attack * each * scale) for name, attack, _ in locks]
            return Score(where, form, scale, kept=True), each * scale, points
    raise CalibrationError("no number grows with the attack of the published rules")


def _grows(nothing: Numbers, seen: Sequence[tuple[int, Numbers]]) -> dict[int, int]:
    """Offsets where each lock added the same multiple of its attack, with the factor."""
    attack, more = seen[-1]
    places = np.flatnonzero((nothing >= 0) & (more > 0) & (more % attack == 0) & (more // attack <= MOST_EACH))
    each = more // max(1, attack)
    for other, added in seen:
        places = places[added[places] == each[places] * other]
    return {int(where): int(each[where]) for where in places}


def _attack(cells: Cells) -> int:
    """The attack of a needle on top of the first column, by the published rules."""
    codes = bytearray(rules_grid.CELLS)
    for (column, row), _ in cells.items():
        codes[rules_grid.cell_of(column + 1, row + 1)] = 1
    height = sum(column == 0 for column, _ in cells)
    axis = rules_grid.ROWS - height
    spot = Placement(1, axis, Orientation.UP, needle=True)
    return place(rules_grid.Grid(bytes(codes)), Pair(1, 2), spot, load_rules(RULES)).attack
