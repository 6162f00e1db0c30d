"""Plays whole rounds with random presses on the cartridge, and replays each lock in ``ochibot.nyaa``'s Match."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from ochibot.falling.orientation import Orientation
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.pair import Placement
from ochibot.nyaa.sim.match import Deal, Match

from tests.homebrew.neogeo.driver import LOST, OVER, SPAWNING, Cartridge, presses


@dataclass
class Replayed:
    """Counts of finished rounds, locks, and nuisance fallen and offset; the winners; and what differed."""

    rounds: int = 0
    locks: int = 0
    fallen: int = 0
    offset: int = 0
    winners: list[int] = field(default_factory=list)
    different: list[str] = field(default_factory=list)


def _cluster(dice: random.Random, grid: Grid) -> Grid:
    """The field with three columns filled to half height with one colour, so that some ignitions are large."""
    codes, color, columns = bytearray(grid.codes), dice.randint(1, 4), dice.sample((0, 1, 2, 4, 5, 6), 3)
    for column in columns:
        for row in range(11, 5, -1):
            if codes[row * 7 + column] == 0:
                codes[row * 7 + column] = color
    return Grid(bytes(codes))


class _Round:
    def __init__(self, game: Cartridge, dice: random.Random, into: Replayed) -> None:
        self.game, self.dice, self.into = game, dice, into
        self.match = Match(Deal(game.state.value("seed")), load_rules("nyaa_mvs"))
        self.placements: list[Placement | None] = [None, None]
        self.seen = [self._counts(seat) for seat in range(2)]
        self.unsettled = [False, False]

    def _counts(self, seat: int) -> tuple[int, int, int]:
        read = self.game.seats[seat].value
        return read("locks"), read("rests"), read("spawns")

    def _differ(self, what: str, got: object, right: object) -> None:
        if got != right:
            state = self.game.state
            where = f"round {state.value('rounds')}, frame {state.value('frame')}"
            self.into.different.append(f"{where}: {what} {got}, not {right}")

    def look(self) -> None:
        """Looks at RAM after a frame: repeats each lock in the match, and compares at each rest and spawn."""
        game, match = self.game, self.match
        rested = []
        for seat in range(2):
            read, (locks, rests, spawns) = game.seats[seat].value, self.seen[seat]
            self.seen[seat] = now = self._counts(seat)
            if now[0] != locks:
                self.placements[seat] = Placement(
                    read("x"), read("y"), Orientation(read("orientation")), bool(read("needle"))
                )
            if now[1] != rests:
                placement = self.placements[seat]
                assert placement is not None
                # not ``match.lock``, which refuses after the round's end: both seats may come to rest on its last
                # frame
                done = match.finish(seat + 1, match.resolved(seat + 1, placement))
                self.into.locks += 1
                self.into.fallen += done.fallen
                self.into.offset += done.offset
                self.unsettled[seat] = True
                rested.append((seat, done))
            if self.unsettled[seat] and (now[2] != spawns or read("phase") == LOST):
                self.unsettled[seat] = False
                self._differ(f"seat {seat + 1}'s field", str(game.grid(seat)), str(match.seats[seat].grid))
                self._differ("over", read("phase") == LOST, match.seats[seat].over)
                if now[2] != spawns:
                    own = match.seats[seat]
                    pairs = (game.pair(seat), game.pair(seat, "next_"), game.pair(seat, "next2_"))
                    self._differ("pairs", pairs, (own.pair, *own.nexts))
                    self._differ("generator", game.seats[seat].value("pair_dice"), own.dealer.state)
        for seat, done in rested:
            read = game.seats[seat].value
            self._differ("attack", read("attack"), done.outcome.attack)
            self._differ("sent", read("sent"), done.sent)
            self._differ("fallen", read("fallen"), done.fallen)
            self._differ("score", read("score"), match.seats[seat].score)
            self._differ("columns", read("column_dice"), match.seats[seat].dice.state)
        if rested:
            for seat in range(2):
                self._differ("pending", game.seats[seat].value("pending"), match.seats[seat].pending)

    def meddle(self) -> None:
        """Now and then puts a cluster of one colour into a field, in the cartridge and in the match."""
        for seat in range(2):
            read = self.game.seats[seat].value
            if read("phase") == SPAWNING and read("spawn_delay") == 6 and self.dice.random() < 0.15:
                own = self.match.seats[seat]
                own.grid = _cluster(self.dice, own.grid)
                self.game.put_grid(seat, own.grid)


def replay_rounds(game: Cartridge, rounds: int, seed: int, most_locks: int = 10_000) -> Replayed:
    """Plays this many rounds with random pads and compares; stops early at ``most_locks``."""
    dice, result = random.Random(seed), Replayed()
    game.start(wait=seed % 97)
    while result.rounds < rounds and result.locks < most_locks:
        play = _Round(game, dice, result)
        pads = [presses(dice), presses(dice)]
        while game.state.value("state") != OVER and result.locks < most_locks:
            play.meddle()
            game.step(*(next(pads[seat]) for seat in range(2)))
            play.look()
        if game.state.value("state") != OVER:
            break
        result.rounds += 1
        result.winners.append(3 - game.state.value("loser"))
        game.next_round()
    return result
