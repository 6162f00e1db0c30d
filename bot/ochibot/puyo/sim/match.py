"""Two players against each other: the same pairs for both, chains that send nuisance, and who loses.

A ``Match`` applies locks in the order in which it is called; ``ochibot.puyo.sim.timed`` finds that order from frames.
Within one lock, the order of events is our own cartridge's (``roms/homebrew/famicom``, README): resolve the field, send
what the chain earned, check the spawn cell, drop waiting nuisance, check the spawn cell again, bring the next piece.

What each seat of a simulated match sees of the other seat: no more than the screen shows.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar, Final, Literal

from ochibot.errors import ConfigError, GameError
from ochibot.falling.draws import ColumnDice
from ochibot.falling.player import Facts
from ochibot.puyo.rules.field import COLUMNS, EMPTY, ROWS, Field
from ochibot.puyo.rules.nuisance import Tray, nuisance_by_column, with_nuisance
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.rules.steps import Lock, lock_piece
from ochibot.puyo.sim.dealer import Items, PoolDealer, UniformDealer, XorshiftDealer, seeded


def rival(match: Match, seat: int, lock: Lock | None, frames: int, frame: int, *, deciding: bool = False) -> Rival:
    """The seat ``seat`` as the other seat sees it.

    ``lock``: the seat's last lock while its chain is still running; None otherwise. ``frames``: how long the chain
    still runs. ``frame``: the frame of the round. ``deciding``: whether the seat's pair is still falling.
    """
    own = match.side(seat)
    shown = own.pair, own.next_pair, *match.shown(seat)
    if lock is None:
        return Rival(own.field, shown if deciding else shown[1:], own.tray.waiting, own.earned, int(own.earned > 0))
    tray, coming = own.tray.after_chain(lock.chain_score, lock.emptied, match.rules, frame + frames, match.most_made)
    return Rival(lock.field, shown[1:], tray.waiting, coming, frames if lock.steps else 0)


def facing(snapshot: Snapshot, match: Match, seat: int, other: Rival, frame: int) -> Snapshot:
    """Adds to a seat's snapshot the nuisance that waits above the seat, the round's frame and the other side."""
    return replace(snapshot, waiting=match.side(seat).tray.waiting, frame=frame, rival=other)


SEATS: Final = (1, 2)
Source = Literal["cartridge", "uniform", "tsu", "puyo1", "modern"]
"""The generator of the pairs: our own cartridge's, a uniform one, or a published game's."""

MOST_WAITING: Final = 255
"""The most nuisance that can wait above a field; the cartridge counts it in a byte."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The random state and the options with which a match begins.

    state: that of the pairs' generator before the first piece (``seeded`` makes one from a frame number). source: the
    generator that deals pairs from this state; ``modern`` uses its low 16 bits as the seed. interval: every
    ``interval``-th piece is an item (None: as the rules say). The others are the menu's options.
    """

    state: int
    level: int = 1
    colors: int = 4
    items: Items = "off"
    interval: int | None = None
    source: Source = "cartridge"

    @classmethod
    def at(cls, frame: int, level: int = 1, colors: int = 4, items: Items = "off") -> Deal:
        """The cartridge's deal for a game that START begins when the cartridge's frame counter is at ``frame``."""
        return cls(seeded(frame), level, colors, items)

    def dealer(self, rules: Rules, seat: int = 1) -> XorshiftDealer | UniformDealer | PoolDealer:
        """The dealer of a seat's pieces, from the first piece on. Only ``puyo1`` deals seat 2 other pairs than seat 1.

        Raises ConfigError for items in a game that has none, and for colours that the source can't deal.
        """
        if self.items != "off" and not rules.items.allowed:
            raise ConfigError(f"the rules {rules.name} have no items: deal without them")
        interval = rules.items.interval if self.interval is None else self.interval
        if self.source == "cartridge":
            return XorshiftDealer(self.state, self.colors, self.items, interval)
        if self.items != "off":
            raise ConfigError(f"the generator {self.source} deals no items: deal without them")
        if self.source == "uniform":
            return UniformDealer(self.state, self.colors)
        state = self.state & 0xFFFF if self.source == "modern" else self.state
        return PoolDealer(self.source, state, self.colors, seat)


@dataclass(slots=True)
class SeatState:
    """The state of one seat. earned: nuisance that its last chain has yet to send. over: whether the game ended because
    the spawn cell was occupied. owed: whether the field has become empty and no chain has come since
    (``Rules.all_clear_paid``).
    """

    dealer: XorshiftDealer | UniformDealer | PoolDealer
    dice: ColumnDice
    pair: Pair
    next_pair: Pair
    field: Field
    tray: Tray
    score: int = 0
    earned: int = 0
    pieces: int = 0
    sent: int = 0
    best_chain: int = 0
    over: bool = False
    owed: bool = False


@dataclass(frozen=True, slots=True)
class NuisanceFallen:
    """Nuisance that fell. count: how much left the tray (some of it may find no room and be lost). rows: the most rows
    that one puyo fell.
    """

    count: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class SeatSettled:
    """Everything that a lock led to. sent: nuisance to the other side. over: whether the seat has lost."""

    lock: Lock
    sent: int
    fall: NuisanceFallen
    over: bool


class Match:
    """Two seats, 1 and 2. ``lock`` applies one lock with all its consequences; the caller decides whose turn it is.

    most_waiting: the most nuisance that can wait above a field; the cartridge counts it in a byte. most_made: the most
    nuisance that one chain can make (None: no limit). shown_beyond: pairs that the screen shows after the next one.
    """

    most_waiting: ClassVar[int] = MOST_WAITING
    most_made: ClassVar[int | None] = None
    shown_beyond: ClassVar[int] = 0

    def __init__(self, deal: Deal, rules: Rules) -> None:
        """Raises ConfigError when the deal isn't possible."""
        self.deal = deal
        self.rules = rules
        self.seats = self._dealt(1), self._dealt(2)
        """The state of both seats; ``side`` returns one by its number."""

    def _dealt(self, seat: int) -> SeatState:
        deal = self.deal
        dice = ColumnDice.of_seat(seat, deal.state, COLUMNS)
        dealer = deal.dealer(self.rules, seat)
        return SeatState(dealer, dice, next(dealer), next(dealer), Field.empty(), Tray())

    def side(self, seat: int) -> SeatState:
        """The state of seat 1 or 2."""
        return self.seats[SEATS.index(seat)]

    def shown(self, seat: int, foreseen: int = 0) -> tuple[Pair, ...]:
        """The pairs after the next one: as many as the screen shows, or ``foreseen`` if that is more."""
        return tuple(islice(copy(self.side(seat).dealer), max(self.shown_beyond, foreseen)))

    def snapshot(self, seat: int, foreseen: int = 0) -> Snapshot:
        """What the player at that seat sees when its piece spawns. ``foreseen``: further pieces that a clairvoyant
        player sees.
        """
        own = self.side(seat)
        state, deal = self.rules.spawn, self.deal
        coming, tray = self.shown(seat, foreseen), own.tray
        nuisance = self.rules.nuisance
        owed = own.owed if self.rules.all_clear_later else tray.all_clear and nuisance.all_clear_points > 0
        facts = Facts(seat, tray.waiting, "after_lock", nuisance.most_per_fall, tray.points, owed)
        return Snapshot(
            own.field, own.pair, own.next_pair, own.score, state, deal.level, deal.colors, coming, facts=facts
        )

    def lock(self, seat: int, placement: Placement, soft_rows: int = 0, frame: int = 0) -> SeatSettled:
        """Locks the seat's piece, settles the field, sends nuisance, drops waiting nuisance, and brings the next piece.

        ``soft_rows``: rows that the piece sank with Down held, for rules with a drop bonus. ``frame``: the round's
        frame count, for rules with margin time. Raises FieldError when the piece doesn't fit at ``placement``,
        GameError when the round is over.
        """
        if self.over:
            raise GameError("the round is over: begin another Match")
        done = self.resolved(seat, placement)
        self.settle(seat, done, soft_rows, frame)
        sent = self.send(seat)
        fall = NuisanceFallen() if self.is_topped(seat) else self.fall(seat)
        return SeatSettled(done, sent, fall, self.finish(seat))

    def resolved(self, seat: int, placement: Placement) -> Lock:
        """The result of locking the seat's piece; nothing changes yet. Raises FieldError as ``lock`` does."""
        own = self.side(seat)
        return lock_piece(own.field, own.pair, placement, self.rules)

    def settle(self, seat: int, done: Lock, soft_rows: int = 0, frame: int = 0) -> None:
        """The first part of ``lock``: settles the seat's field. What the chain earned is not sent yet."""
        own = self.side(seat)
        own.field = done.field
        gained = done.score + soft_rows * self.rules.drop_bonus
        if done.steps:
            gained += self.rules.all_clear_later if own.owed else 0
            own.owed = False
        own.owed |= done.emptied
        own.score = min(own.score + gained, self.rules.score_cap)
        emptied = done.field.count() == 0
        own.tray, own.earned = own.tray.after_chain(done.chain_score, emptied, self.rules, frame, self.most_made)
        own.pieces += 1
        own.best_chain = max(own.best_chain, len(done.steps))

    def send(self, seat: int) -> int:
        """The second part: what the chain earned now waits above the other side. Returns how much that is."""
        own, other = self.side(seat), self.side(3 - seat)
        sent, own.earned = own.earned, 0
        waiting = min(other.tray.waiting + sent, self.most_waiting)
        other.tray = replace(other.tray, waiting=waiting)
        own.sent += sent
        return sent

    def fall(self, seat: int) -> NuisanceFallen:
        """The third part: drops pending nuisance on the seat, at most one batch."""
        own = self.side(seat)
        own.tray, count = own.tray.fall(self.rules)
        if not count:
            return NuisanceFallen()
        heights = own.field.heights()
        falls = nuisance_by_column(count, self._columns(seat, count), own.field, self.rules)
        own.field = with_nuisance(own.field, falls)
        ways = (ROWS - self.rules.kept_top - height for height, number in zip(heights, falls, strict=True) if number)
        return NuisanceFallen(count, max(ways, default=0))

    def _columns(self, seat: int, count: int) -> tuple[int, ...]:
        """All columns in the order in which that much nuisance fills them. Advances the generator."""
        return self.side(seat).dice.order(count % COLUMNS)

    def is_topped(self, seat: int) -> bool:
        """Whether the cell where the axis appears is occupied."""
        spawn = self.rules.spawn
        return bool(self.side(seat).field.cells[spawn.y, spawn.x - 1] != EMPTY)

    def finish(self, seat: int) -> bool:
        """The last part: brings the next piece or ends the seat's game. Returns whether the game ended."""
        own = self.side(seat)
        own.over = self.is_topped(seat)
        if not own.over:
            own.pair, own.next_pair = own.next_pair, next(own.dealer)
        return own.over

    @property
    def over(self) -> bool:
        """Whether a seat has lost."""
        return any(seat.over for seat in self.seats)

    def loser(self, counter: int = 0) -> int | None:
        """The seat that has lost; None while the round goes on.

        ``counter``: the frame counter's value after the last frame. It decides when both seats lose on that frame: if
        it is even, seat 1 loses, otherwise seat 2.
        """
        first, second = (seat.over for seat in self.seats)
        if first and second:
            return 2 if counter & 1 else 1
        if first:
            return 1
        return 2 if second else None
