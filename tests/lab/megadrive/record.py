"""Records two-player rounds of our own Mega Drive cartridge, lock by lock, for ``tests.lab.megadrive.replay``.

Addresses are those of ``roms/homebrew/megadrive/README.md``; no other game is understood.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ochibot.console import PlayedConsole, Ram
from ochibot.errors import GameError
from ochibot.falling.orientation import Orientation
from ochibot.games import find_game
from ochibot.play.battle import Battle, Contestant
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.sim.dealer import CODES
from ochibot.puyo.sim.match import SEATS, Deal

from tests.puyo import TSU
from tests.titles import maps_of

GAME: Final = find_game("tsu")
FIELDS: Final = (0xFF8000, 0xFF8800)
NEXT: Final = (0xFF85A0, 0xFF8DA0)
RANDOM, DIFFICULTY, FRAME, LOSER, SEED, COLORS, TIME, MARGIN = (
    *(0xFFA134, 0xFFB002, 0xFFB004, 0xFFB00A, 0xFFB00C, 0xFFB013, 0xFFB014, 0xFFB01B),
)
SEAT: Final = (0xFFB100, 0xFFB200)
PHASE, DELAY, X, Y, TURN, AXIS, SPAWNS, LOCKS, PENDING = 0x00, 0x02, 0x04, 0x05, 0x06, 0x08, 0x0C, 0x0E, 0x10
ALL_CLEAR, POINTS, SCORE, SOFT, SENT = 0x15, 0x16, 0x18, 0x2A, 0x2C
SPAWN_FRAMES: Final = 12
OVER: Final = 5
LETTERS: Final = {8: 1, 9: 4, 0xA: 2, 0xB: 2, 0xC: 5, 0xD: 3, 0xE: 7}
"""The code in a ``Field`` for the first hexadecimal digit of a cell's byte; both greens have the same code."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat on the frame of a spawn, or once it has lost. sent: the nuisance it has sent in the round."""

    field: Field
    score: int
    points: int
    all_clear: bool
    sent: int
    pair: Pair
    next_pair: Pair


@dataclass(frozen=True, slots=True)
class Locked:
    """A lock. control: for how many frames the pair was under control. soft_rows: rows that it sank with DOWN held."""

    frame: int
    placement: Placement
    control: int
    soft_rows: int


@dataclass(frozen=True, slots=True)
class Spawned:
    """What was seen of a seat on the frame of a spawn, or once it had lost."""

    frame: int
    seen: SeatSeen


@dataclass
class Round:
    """One round. On frame 0, both first pairs spawn. counter: the cartridge's frame counter then. locks and spawns: by
    seat. dues: (frame, (nuisance due at seat 1, due at seat 2, random state)), at the beginning and after each frame
    that changed any of the three. frames: how many were played. loser, over_at: the losing seat and the frame of its
    loss; None when the round was cut off.
    """

    deal: Deal
    margin: bool
    counter: int
    locks: tuple[list[Locked], list[Locked]] = field(default_factory=lambda: ([], []))
    spawns: tuple[list[Spawned], list[Spawned]] = field(default_factory=lambda: ([], []))
    dues: list[tuple[int, tuple[int, int, int]]] = field(default_factory=list)
    frames: int = 0
    loser: int | None = None
    over_at: int | None = None


def word(ram: Ram, address: int, size: int = 2) -> int:
    return int.from_bytes(bytes(ram[address + at] for at in range(size)), "big")


def read_seat(ram: Ram, seat: int) -> SeatSeen:
    """Reads a seat from RAM. Its field must be at rest."""
    at = SEAT[seat - 1]
    cells = [[_code(ram[FIELDS[seat - 1] + 12 * y + 2 * x]) for x in range(6)] for y in range(14)]
    following = NEXT[seat - 1]
    return SeatSeen(
        Field.from_cells(cells),
        word(ram, at + SCORE, 4),
        word(ram, at + POINTS),
        bool(ram[at + ALL_CLEAR]),
        word(ram, at + SENT),
        Pair(CODES[ram[at + AXIS]], CODES[ram[at + AXIS + 1]]),
        Pair(CODES[ram[following]], CODES[ram[following + 1]]),
    )


def _code(sprite: int) -> int:
    return LETTERS[sprite >> 4] if sprite else 0


class RoundRecorder:
    """Records a round. Give ``watch`` to a Battle as its ``on_frame``. ``round`` is None until the round begins."""

    def __init__(self) -> None:
        self.round: Round | None = None
        self._frame = 0
        self._counts = [(1, 0), (1, 0)]

    def watch(self, battle: Battle) -> None:
        """Records what RAM shows after a frame of play."""
        ram = battle.console.ram
        if self.round is None:
            self._begin(ram)
        else:
            self._frame += 1
        played = self.round
        assert played is not None
        if word(ram, TIME) != self._frame:
            raise GameError("the cartridge's frames of play aren't the core's")
        for seat in SEATS:
            at = SEAT[seat - 1]
            spawns, locks = self._counts[seat - 1]
            self._counts[seat - 1] = word(ram, at + SPAWNS), word(ram, at + LOCKS)
            if word(ram, at + LOCKS) > locks:
                where = Placement(ram[at + X], ram[at + Y], Orientation(ram[at + TURN]))
                control = self._frame - played.spawns[seat - 1][-1].frame - SPAWN_FRAMES
                played.locks[seat - 1].append(Locked(self._frame, where, control, word(ram, at + SOFT)))
            if word(ram, at + SPAWNS) > spawns or ram[at + PHASE] == OVER:
                played.spawns[seat - 1].append(Spawned(self._frame, read_seat(ram, seat)))
        due = word(ram, SEAT[0] + PENDING), word(ram, SEAT[1] + PENDING), word(ram, RANDOM, 4)
        if not played.dues or due != played.dues[-1][1]:
            played.dues.append((self._frame if played.dues else 0, due))
        played.frames = self._frame
        if ram[LOSER]:
            played.loser, played.over_at = ram[LOSER], self._frame

    def _begin(self, ram: Ram) -> None:
        self._frame = word(ram, TIME)
        counter = word(ram, FRAME, 4) - self._frame
        deal = Deal(word(ram, SEED, 4), ram[DIFFICULTY], ram[COLORS], source="tsu")
        self.round = Round(deal, bool(ram[MARGIN]), counter)
        for seat in SEATS:
            self.round.spawns[seat - 1].append(Spawned(0, read_seat(ram, seat)))


def record_round(
    console: PlayedConsole,
    sides: tuple[Contestant, Contestant],
    *,
    seed: int,
    options: dict[str, int],
    max_pieces: int,
) -> Round:
    """Plays one round from reset with these sides and returns it. Pieces that slow hands misplace don't end it.

    Raises GameError when the cartridge isn't our own.
    """
    recorder = RoundRecorder()
    battle = Battle(
        console,
        GAME,
        sides,
        rules=TSU,
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
