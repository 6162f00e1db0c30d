"""Games with needles: fields that are ignited, nuisance that is made to fall, and how needles look in the field.

The rules predict each ignition. What RAM then shows is compared with them elsewhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.effects import Poker
from ochibot.experiments.rig import Bytes
from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, ROWS, Grid, cell_of
from ochibot.nyaa.rules.lock import Outcome, place
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement, cells_of, dropped
from ochibot.nyaa.rules.profile import Rules

FIELDS: Final = 8
"""How many fields with different attacks or tails are ignited."""

MOST_DRAWN: Final = 400
"""How many random fields are drawn at most, to find FIELDS with different attacks or tails."""


@dataclass(frozen=True, eq=False)
class Ignition:
    """One experiment. grid: before the lock. pair, placement: what locked. before, after: RAM when the pair answered
    the pad, and when the next one did. later: RAM when another pair has locked as blocks. seen: the field in ``after``;
    None when a byte has no meaning in a field.
    """

    grid: Grid
    pair: Pair
    placement: Placement
    before: Bytes
    after: Bytes
    later: Bytes
    seen: Grid | None

    def outcome(self, rules: Rules) -> Outcome:
        """The outcome that the rules predict."""
        return place(self.grid, self.pair, self.placement, rules)


@dataclass(frozen=True, eq=False)
class Fallen:
    """Nuisance that fell. code: of its cells. ram: RAM when the next piece was under control."""

    code: int
    ram: Bytes


def needle_codes(poker: Poker, button: Button) -> dict[int, int]:
    """The bytes of needles that lie in the field, each with its colour's kind.

    They show while a block burns that the lower needle has lit. Some games show needles as blocks.
    """
    ground = poker.ground
    column, grid, kinds = ground.spawn_column, ground.grid, ground.colors
    found: dict[int, int] = {}
    for low, high in zip(kinds, [*kinds[1:], kinds[0]], strict=True):
        pokes = {**ground.painted({(column, 0): low}), **poker.pokes(low, high)}
        fallen = ground.driver.fall(ground.state, turns=(int(button),), pokes=pokes, keep=True)
        assert fallen.trace is not None
        above = fallen.trace[:, grid.cell(column, 2)]
        frame = int((above != above[0]).argmax())
        for row, kind in ((1, low), (2, high)):
            byte = int(fallen.trace[frame, grid.cell(column, row)])
            if frame and byte not in (grid.empty, kind):
                found.setdefault(byte, kind)
    return found


def nuisance_falls(poker: Poker, counter: int, amount: int) -> Fallen | None:
    """Writes ``amount`` to the byte at offset ``counter``. Returns the nuisance that falls after the next lock; None
    unless exactly so much falls.
    """
    ground = poker.ground
    try:
        pokes = {**ground.painted(), counter: amount}
        fallen = ground.driver.fall(ground.state, pokes=pokes)
    except CalibrationError:
        return None
    cells = ground.cells(fallen.ram)
    own = {(ground.spawn_column, 0), (ground.spawn_column, 1)}
    codes = {code for cell, code in cells.items() if cell not in own}
    if not own <= set(cells) or len(cells) != amount + 2 or len(codes) != 1 or codes & set(ground.colors):
        return None
    return Fallen(codes.pop(), fallen.ram)


class Igniter:
    """Ignites fields. numbers: the family's number of each kind of cell. spawn: where pairs appear. pending: the offset
    of the byte that counts waiting nuisance; None if there is none.
    """

    def __init__(
        self,
        poker: Poker,
        button: Button,
        rules: Rules,
        numbers: Mapping[int, int],
        spawn: NyaaState,
        pending: int | None,
    ) -> None:
        self.poker = poker
        self.button = button
        self.rules = rules
        self.numbers = numbers
        self.kinds = {number: kind for kind, number in numbers.items()}
        self.spawn = spawn
        self.pending = pending

    def ignite(self) -> list[Ignition]:
        """Ignites FIELDS fields, or fewer if the rules know no more with different results."""
        ground = self.poker.ground
        rig, (axis, partner) = ground.rig, ground.colors[:2]
        pair = Pair(self.numbers[axis], self.numbers[partner])
        low, high = (axis, partner) if self.spawn.orientation.name == "UP" else (partner, axis)
        rig.load(ground.state)
        before = rig.snap()
        done = []
        for number, (grid, placement) in enumerate(self._fields(pair)):
            pokes = {**ground.painted(self._cells(grid)), **self.poker.pokes(low, high)}
            if self.pending is not None and number % 2 and place(grid, pair, placement, self.rules).attack > 1:
                # an attack cancels pending nuisance first, so bytes that count what is sent don't fit the attack
                pokes[self.pending] = 1
            try:
                fallen = ground.driver.fall(ground.state, turns=(int(self.button),), pokes=pokes)
                later = ground.driver.fall(fallen.state).ram
            except CalibrationError:
                continue
            done.append(Ignition(grid, pair, placement, before, fallen.ram, later, self.grid_of(fallen.ram)))
        return done

    def grid_of(self, ram: Bytes) -> Grid | None:
        """The field in a copy of RAM; None when a byte has no meaning in a field."""
        ground = self.poker.ground
        codes = bytearray(ROWS * COLUMNS)
        for column in range(COLUMNS):
            for row in range(ROWS):
                number = self.numbers.get(int(ram[ground.grid.cell(column, row)]) & ground.mask, 255)
                if number > NUISANCE:
                    return None
                codes[cell_of(column + 1, row + 1)] = number
        return Grid(bytes(codes))

    def _cells(self, grid: Grid) -> dict[tuple[int, int], int]:
        found = {}
        for column in range(COLUMNS):
            for row in range(ROWS):
                number = grid.codes[cell_of(column + 1, row + 1)]
                if number:
                    found[column, row] = self.kinds[number]
        return found

    def _fields(self, pair: Pair) -> Iterator[tuple[Grid, Placement]]:
        """Yields random fields, each with the pair's placement. By the rules, none has a tie, lost halves or game over.

        Stops at FIELDS different results (attack and tails), or after MOST_DRAWN draws. Results may repeat only in the
        second half of the draws. Attacks below 4 are skipped until there are FIELDS // 2 different results.
        """
        dice = random.Random(1)
        seen: set[tuple[int, int]] = set()
        for number in range(MOST_DRAWN):
            grid = self._drawn(pair, dice)
            rest = dropped(cells_of(grid), self.spawn._replace(needle=True))
            placement = Placement(*rest)
            found = place(grid, pair, placement, self.rules)
            worth = found.attack, found.t
            if found.tied or found.over or found.lost or (worth in seen and number < MOST_DRAWN // 2):
                continue
            if len(seen) < FIELDS // 2 and found.attack < 4:
                continue
            seen.add(worth)
            yield grid, placement
            if len(seen) == FIELDS:
                return

    def _drawn(self, pair: Pair, dice: random.Random) -> Grid:
        """A field with random heaps, mostly of the axis's colour, in the columns other than the spawn column."""
        kinds = [pair.axis] * 6 + [pair.partner, *([NUISANCE] if self.pending is not None else [])]
        grid = Grid.empty()
        for x in range(1, COLUMNS + 1):
            if x != self.spawn.x:
                for y in range(1, dice.randint(1, 5)):
                    grid = grid.with_block(cell_of(x, y), dice.choice(kinds))
        return grid


def needle_moments(poker: Poker, button: Button, turn: Button) -> list[tuple[Bytes, int]]:
    """RAM after taps of the needle's button, each with 1 if the pair was needles then, else 0."""
    ground = poker.ground
    tap = ground.driver.tap
    found = []
    for times in range(4):
        found.append((ground.rig.after(ground.state, tap.pads(button, times) + [0] * 4), times % 2))
    turned = tap.pads(button) + tap.pads(Button.RIGHT) + tap.pads(turn) + [0] * 4
    return [*found, (ground.rig.after(ground.state, turned), 1)]
