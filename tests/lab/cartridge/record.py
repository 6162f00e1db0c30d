"""Records rounds of our own cartridge's 2 PLAYER mode, event by event, for ``tests.lab.cartridge.replay``.

Addresses are those of ``roms/homebrew/famicom/README.md``; no other game is understood.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from ochibot.console import PlayedConsole, Ram
from ochibot.errors import GameError
from ochibot.falling.orientation import Orientation
from ochibot.play.battle import Battle, Contestant
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.sim.dealer import Items
from ochibot.puyo.sim.match import SEATS, Deal

from tests.puyo import FAMICOM
from tests.titles import PUYO as GAME
from tests.titles import maps_of

FIELDS: Final = (0x0303, 0x0403)
SCORES: Final = (0x007A, 0x007D)
PAIR_STATES: Final = (0x0710, 0x06E4)
DICE: Final = (0x06E0, 0x06E2)
NEXT: Final = 0x0067
LEVEL: Final = 0x0070
DELAY: Final = 0x0615
X, Y, BOTTOM, TOP, TURN = 0x0669, 0x066D, 0x0679, 0x067D, 0x06D5
STATE, COLORS, FRAME, PHASE, ITEMS, INTERVAL = 0x0700, 0x0701, 0x0702, 0x0705, 0x070E, 0x070F
WAITING, POINTS, LOSER = 0x0715, 0x0719, 0x071C
LIMIT: Final = 0x071B
SPAWN_FRAMES: Final = 12
SPAWNS, CONTROL, SETTLING, BLINKING, OVER = 1, 2, 3, 4, 5
ITEM_NAMES: tuple[Items, ...] = ("off", "big", "carbuncle", "both")

_SEED_WINDOW: Final = 600
"""START began the game at most this many frames before the first spawn."""

Kind = Literal["lock", "send", "fall", "next", "over"]


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat as RAM shows it after a frame. field: None unless the seat is at rest. points: those not yet turned into
    nuisance. dice, pair_state: the random states of the nuisance's columns and of the pairs.
    """

    field: Field | None
    score: int
    waiting: int
    points: int
    dice: int
    pair_state: int
    pair: Pair
    next_pair: Pair


@dataclass(frozen=True, slots=True)
class Event:
    """What seat 1 or 2 did on a frame; frame 0 is that of both first spawns. placement: where the pair locked. amount:
    nuisance sent, or waiting before a fall. seen: both seats after the frame of a ``next`` or ``over``."""

    frame: int
    seat: int
    kind: Kind
    placement: Placement | None = None
    amount: int = 0
    seen: tuple[SeatSeen, SeatSeen] | None = None


@dataclass
class Round:
    """One round. counter: the cartridge's frame counter at frame 0. start_frame: this counter when the pairs were
    dealt. loser: seat 1 or 2; None when the round was cut off."""

    deal: Deal
    limit: int
    counter: int
    start_frame: int
    first: tuple[SeatSeen, SeatSeen]
    events: list[Event] = field(default_factory=list)
    loser: int | None = None


def read_seats(ram: Ram) -> tuple[SeatSeen, SeatSeen]:
    """Both seats as RAM shows them now."""
    return _seat(ram, 0), _seat(ram, 1)


def read_counter(ram: Ram) -> int:
    """The cartridge's frame counter."""
    return _word(ram, FRAME, 3)


def _seat(ram: Ram, seat: int) -> SeatSeen:
    at_rest = ram[PHASE + seat] in (SPAWNS, CONTROL, OVER)
    return SeatSeen(
        field=_field(ram, FIELDS[seat]) if at_rest else None,
        score=10 * _word(ram, SCORES[seat], 3),
        waiting=ram[WAITING + seat],
        points=10 * ram[POINTS + seat],
        dice=_word(ram, DICE[seat], 2),
        pair_state=_word(ram, PAIR_STATES[seat], 4),
        pair=Pair(ram[BOTTOM + seat], ram[TOP + seat]),
        next_pair=Pair(ram[NEXT + 2 * seat], ram[NEXT + 2 * seat + 1]),
    )


def _field(ram: Ram, address: int) -> Field:
    return Field.from_cells([[ram[address + 16 * y + 2 * x] for x in range(6)] for y in range(14)])


def _word(ram: Ram, address: int, size: int) -> int:
    return sum(ram[address + i] << 8 * i for i in range(size))


class RoundRecorder:
    """Give ``watch`` to a Battle as its ``on_frame``; ``round`` holds the round once it has begun."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self._frame = 0
        self._phases = [0, 0]
        self._waiting = [0, 0]

    def watch(self, battle: Battle) -> None:
        """Records what RAM shows after a frame of play."""
        ram = battle.console.ram
        phases = [ram[PHASE], ram[PHASE + 1]]
        waiting = [ram[WAITING], ram[WAITING + 1]]
        if self.round is None:
            self._begin(ram)
        else:
            self._frame += 1
            for seat in SEATS:
                self._events(ram, seat, phases, waiting)
        self._phases, self._waiting = phases, waiting
        assert self.round is not None
        if ram[LOSER]:
            self.round.loser = ram[LOSER]

    def _begin(self, ram: Ram) -> None:
        self._frame = SPAWN_FRAMES - ram[DELAY]
        counter = read_counter(ram) - self._frame
        first = read_seats(ram)
        items = ITEM_NAMES[ram[ITEMS]]
        for frame in range(counter, max(counter - _SEED_WINDOW, 0), -1):
            deal = Deal.at(frame, ram[LEVEL], ram[COLORS], items)
            dealer = deal.dealer(FAMICOM)
            if (next(dealer), next(dealer)) == (first[0].pair, first[0].next_pair) and dealer.state == (
                first[0].pair_state
            ):
                self.round = Round(deal, ram[LIMIT], counter, frame, first)
                return
        raise GameError("the pairs are not those of our own cartridge: no frame of its counter deals them")

    def _events(self, ram: Ram, seat: int, phases: list[int], waiting: list[int]) -> None:
        """Records what a seat did in this frame, in the order in which the cartridge does it."""
        assert self.round is not None
        own, other = seat - 1, 2 - seat
        events, was, phase = self.round.events, self._phases[own], phases[own]
        sent = waiting[other] - self._waiting[other]
        if sent > 0:
            events.append(Event(self._frame, seat, "send", amount=sent))
        if waiting[own] < self._waiting[own]:
            events.append(Event(self._frame, seat, "fall", amount=self._waiting[own]))
        if was in (SETTLING, BLINKING) and phase in (SPAWNS, OVER):
            kind: Kind = "next" if phase == SPAWNS else "over"
            events.append(Event(self._frame, seat, kind, seen=read_seats(ram)))
        if was == CONTROL and phase == SETTLING:
            where = Placement(ram[X + own], ram[Y + own], Orientation(ram[TURN + own]))
            events.append(Event(self._frame, seat, "lock", where))


def record_round(
    console: PlayedConsole,
    sides: tuple[Contestant, Contestant],
    *,
    seed: int,
    options: dict[str, int],
    max_pieces: int,
) -> Round:
    """Plays one round from reset with these sides and returns what happened. Misplaced pieces don't end the round.

    Raises GameError when the cartridge isn't our own.
    """
    recorder = RoundRecorder()
    battle = Battle(
        console,
        GAME,
        sides,
        rules=FAMICOM,
        maps=maps_of(GAME, GAME.versus_mode),
        seed=seed,
        options=options,
        max_pieces=max_pieces,
        keep_going=True,
        on_frame=recorder.watch,
    )
    battle.run(1)
    if recorder.round is None:
        raise GameError("the round has not begun")
    return recorder.round
