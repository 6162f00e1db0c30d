"""Puts random fields and locks into the running cartridge, and compares the results with ``ochibot.nyaa``."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from ochibot.nyaa import Grid, Ruleset, cell_of, ignite
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.lock import Outcome, locked, place
from ochibot.nyaa.rules.pair import Placement

from tests.homebrew.neogeo.driver import LOST, Cartridge, random_grid, random_lock


@dataclass
class Compared:
    """Counts of boards, of those that ignited or had an open tie, and of tails; the most steps; and what differed."""

    boards: int = 0
    ignited: int = 0
    tied: int = 0
    tails: int = 0
    most_steps: int = 0
    different: list[str] = field(default_factory=list)


class _Board:
    """One lock at one seat."""

    def __init__(self, game: Cartridge, seat: int, dice: random.Random) -> None:
        self.game, self.seat = game, seat
        self.grid: Grid = random_grid(dice)
        self.pair, x, y, orientation, needle = random_lock(dice, self.grid)
        self.placement = Placement(x, y, orientation, needle)
        self.spawns = game.seats[seat].value("spawns")
        game.put_grid(seat, self.grid)
        game.put_pair(seat, self.pair, x, y, orientation, needle)
        game.seats[seat].write("pending", 0)
        game.lock_now(seat)

    def done(self) -> bool:
        read = self.game.seats[self.seat].value
        return read("phase") == LOST or read("spawns") != self.spawns

    def differences(self, into: Compared) -> None:
        seen, expected = self.game.seats[self.seat], place(self.grid, self.pair, self.placement, load_rules("nyaa_mvs"))
        into.boards += 1
        into.ignited += expected.ignited
        into.tied += expected.tied
        into.most_steps = max(into.most_steps, expected.steps)
        where = f"{self.grid}\n{self.pair} {self.placement}: "
        pairs = {
            "field": (str(self.game.grid(self.seat)), str(expected.grid)),
            "attack": (seen.value("attack"), expected.attack),
            "popped": (seen.value("popped"), expected.popped),
            "tail_count": (seen.value("tail_count"), expected.tails),
            "tails": (seen.value("tails"), expected.t),
            "lost": (seen.value("phase") == LOST, expected.over),
        }
        into.different += [f"{where}{name} {got}, not {right}" for name, (got, right) in pairs.items() if got != right]
        into.different += [where + what for what in self._paths(expected, into)]

    def _paths(self, expected: Outcome, into: Compared) -> list[str]:
        """Compares steps, owners and each tail's place and value. Skips ties, since the rules leave them open."""
        if not expected.ignited or expected.tied:
            return []
        lit = ignite(locked(self.grid, self.pair, self.placement)[0], Ruleset.MVS).outcomes[0]
        seen = self.game.seats[self.seat]
        values = np.zeros(84, np.uint8)
        for tail in lit.tails:
            values[cell_of(tail.x, tail.y)] = tail.value
        into.tails += len(lit.tails)
        wrong = []
        for name, right in (("steps", lit.steps), ("owners", lit.owner), ("tail_values", values.reshape(12, 7))):
            if (seen.grid(name) != right).any():
                wrong.append(f"{name}\n{seen.grid(name)}\nnot\n{right}")
        return wrong


def compare_locks(game: Cartridge, boards: int, seed: int) -> Compared:
    """Compares at least ``boards`` random locks, two at a time (one for each seat), in the two-player mode."""
    dice, result = random.Random(seed), Compared()
    game.start()
    while result.boards < boards:
        batch = [_Board(game, seat, dice) for seat in range(2)]
        for _ in range(1500):
            game.step()
            for seat in range(2):
                if batch[seat].done():
                    game.hold(seat)
            if any(game.seats[seat].value("phase") == LOST for seat in range(2)) or all(b.done() for b in batch):
                break
        for board in batch:
            if board.done():
                board.differences(result)
        if any(game.seats[seat].value("phase") == LOST for seat in range(2)):
            game.next_round()
    return result
