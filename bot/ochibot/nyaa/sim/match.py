"""A match of two players: deals both the same pairs, applies their locks, sends nuisance, and tells who loses.

Seats are numbered 1 and 2, as in records and maps.

A ``Match`` applies locks in the order of the calls; ``ochibot.nyaa.sim.timed`` finds that order from frames. The steps
of one lock follow our own cartridge (``roms/homebrew/neogeo``). The grid is resolved. The attack cancels nuisance
that waits at this seat, and the rest is sent to the other seat. The cell that ends the game is checked. If the lock has
ignited nothing, waiting nuisance falls, and the cell is checked again. Then the next pair comes.

The generators of our own cartridge, so that a simulated match deals the same pairs as the cartridge.

Marsaglia's xorshift: 32 bits (13, 17, 5) for pairs, 16 bits (7, 9, 8) for the columns of nuisance. This is our own
game's choice (roms/homebrew/neogeo); how the original deals is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.errors import ConfigError, GameError
from ochibot.falling.draws import MASK_32, ColumnDice, step32
from ochibot.falling.player import Facts
from ochibot.nyaa.rules.grid import COLUMNS, Grid
from ochibot.nyaa.rules.lock import Outcome, check_match_rules, drop_nuisance, is_over, place
from ochibot.nyaa.rules.pair import SPAWN, Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot

_SEED_FACTOR: Final = 0x9E37_79B1


def seeded(frame: int) -> int:
    """The initial state of the pairs' generator in a game that begins when the cartridge's counter is at ``frame``."""
    return frame * _SEED_FACTOR & MASK_32 | 1


class PairDealer:
    """Deals a seat's pairs. ``state``: the state of the pairs' generator before the first pair, 1..2^32 - 1.

    The generator makes one step for each half, the axis first. The two highest bits of its state are the colour less 1.
    """

    def __init__(self, state: int) -> None:
        """Raises ConfigError for a state that the generator can't have."""
        if not 0 < state <= MASK_32:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {MASK_32:#x}")
        self.state = state

    def __iter__(self) -> PairDealer:
        return self

    def __next__(self) -> Pair:
        return Pair(self._color(), self._color())

    def _color(self) -> int:
        self.state = step32(self.state)
        return 1 + (self.state >> 30)


@dataclass(frozen=True, slots=True)
class Deal:
    """The random state with which a match begins. state: the state of the pairs' generator before the first pair.
    ``at`` makes a deal from a frame number.
    """

    state: int

    @classmethod
    def at(cls, frame: int) -> Deal:
        """The cartridge's deal in a game that START begins when the frame counter is at ``frame``."""
        return cls(seeded(frame))


@dataclass(slots=True)
class SeatState:
    """One seat.

    pending: nuisance that waits to fall here. earned: nuisance of the latest lock's attack that ``send`` has yet to
    offset or send. received: nuisance sent to this seat, without what found no room in ``pending``. sent: nuisance sent
    to the other seat. offset: nuisance that attacks cancelled here.
    """

    dealer: PairDealer
    dice: ColumnDice
    pair: Pair
    nexts: tuple[Pair, Pair]
    grid: Grid
    pending: int = 0
    score: int = 0
    earned: int = 0
    pieces: int = 0
    sent: int = 0
    received: int = 0
    offset: int = 0
    best_attack: int = 0
    most_tails: int = 0
    over: bool = False


@dataclass(frozen=True, slots=True)
class SeatSettled:
    """Everything that a lock led to.

    offset: own nuisance that its attack cancelled. sent: nuisance that went to the other side. fallen: nuisance that
    fell here, including blocks that found no room. over: whether the seat has lost.
    """

    outcome: Outcome
    offset: int
    sent: int
    fallen: int
    over: bool


class Match:
    """Two seats, 1 and 2. ``lock`` applies one lock with all its consequences; the caller decides whose turn it is."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        """Raises ConfigError for an impossible deal, and for rules by which no match is possible."""
        check_match_rules(rules)
        self.deal = deal
        self.rules = rules
        self._spawn = SPAWN._replace(x=rules.spawn_column)
        self.seats: Final = (self._dealt(1), self._dealt(2))
        """The states of seat 1 and seat 2."""

    def _dealt(self, seat: int) -> SeatState:
        dealer = PairDealer(self.deal.state)
        dice = ColumnDice.of_seat(seat, self.deal.state, COLUMNS)
        return SeatState(dealer, dice, next(dealer), (next(dealer), next(dealer)), Grid.empty())

    def seat(self, number: int) -> SeatState:
        """The state of a seat, 1 or 2. Raises GameError for another number."""
        if number not in (1, 2):
            raise GameError(f"there is no seat {number}: give 1 or 2")
        return self.seats[number - 1]

    def snapshot(self, seat: int) -> Snapshot:
        """What the player at that seat sees when its pair spawns."""
        own, other = self.seat(seat), self.seat(3 - seat)
        seen = Opponent(other.grid, other.pair, other.pending)
        facts = Facts(seat, own.pending, "after_idle_lock", self.rules.attack.most_per_fall)
        return Snapshot(own.grid, own.pair, own.nexts, self._spawn, own.pending, seen, own.score, facts=facts)

    def lock(self, seat: int, placement: Placement) -> SeatSettled:
        """Locks the seat's pair, settles the grid, sends nuisance, drops waiting nuisance, and brings the next pair.

        Raises FieldError when the pair doesn't fit at the placement, GameError when the round is over.
        """
        if self.over:
            raise GameError("the round is over: begin another Match")
        return self.finish(seat, self.resolved(seat, placement))

    def resolved(self, seat: int, placement: Placement) -> Outcome:
        """The result of locking the seat's pair; nothing changes yet. Raises FieldError as ``lock`` does."""
        own = self.seat(seat)
        return place(own.grid, own.pair, placement, self.rules)

    def finish(self, seat: int, done: Outcome) -> SeatSettled:
        """All parts of ``lock`` that happen once the grid is at rest."""
        self.settle(seat, done)
        offset, sent = self.send(seat)
        fallen = 0 if done.ignited or self.is_topped(seat) else self.fall(seat)
        return SeatSettled(done, offset, sent, fallen, self.next(seat))

    def settle(self, seat: int, done: Outcome) -> None:
        """The first part of ``finish``: updates the seat's grid, score and counts. Nuisance isn't sent yet."""
        own, attack = self.seat(seat), self.rules.attack
        own.grid = done.grid
        own.score = min(own.score + done.attack * attack.score_each, attack.score_cap)
        own.earned = done.attack * attack.nuisance_each
        own.pieces += 1
        own.best_attack = max(own.best_attack, done.attack)
        own.most_tails = max(own.most_tails, done.tails)

    def send(self, seat: int) -> tuple[int, int]:
        """The second part: the nuisance earned cancels nuisance that waits here; the rest is sent to the other side.

        Returns (nuisance cancelled, nuisance sent).
        """
        own, other, attack = self.seat(seat), self.seat(3 - seat), self.rules.attack
        earned, own.earned = own.earned, 0
        offset = min(earned, own.pending) if attack.offset else 0
        sent = earned - offset
        waiting = min(other.pending + sent, attack.most_pending)
        other.received += waiting - other.pending
        own.pending, other.pending = own.pending - offset, waiting
        own.sent += sent
        own.offset += offset
        return offset, sent

    def fall(self, seat: int) -> int:
        """The third part: drops pending nuisance, at most ``most_per_fall`` blocks. Returns how many fell."""
        own = self.seat(seat)
        count = min(own.pending, self.rules.attack.most_per_fall)
        if count:
            own.pending -= count
            own.grid = drop_nuisance(own.grid, count, own.dice.order(count % COLUMNS))
        return count

    def is_topped(self, seat: int) -> bool:
        """Whether the cell that ends the game is occupied."""
        return is_over(self.seat(seat).grid, self.rules)

    def next(self, seat: int) -> bool:
        """The last part: brings the next pair, or ends the seat's game. Returns whether it ended."""
        own = self.seat(seat)
        own.over = self.is_topped(seat)
        if not own.over:
            own.pair, own.nexts = own.nexts[0], (own.nexts[1], next(own.dealer))
        return own.over

    @property
    def over(self) -> bool:
        """Whether a seat has lost."""
        return any(state.over for state in self.seats)

    def loser(self, counter: int = 0) -> int | None:
        """The seat that has lost; None while the round goes on.

        When both seats end on the same frame, the frame counter decides: even, seat 1 loses; odd, seat 2.
        """
        first, second = (state.over for state in self.seats)
        if first:
            return 1 + (counter & 1) if second else 1
        return 2 if second else None
