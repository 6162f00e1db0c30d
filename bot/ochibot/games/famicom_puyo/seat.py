"""Famicom Puyo Puyo, and our own cartridge that keeps its state at the same addresses.

The addresses are in ram_maps/famicom_puyo; this module knows what the values mean: when a pair has spawned, what the
pad does, how play is reached from power-on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ochibot.console import Machine, Ram
from ochibot.data import data_path
from ochibot.errors import FieldError, MapError
from ochibot.falling.orientation import Orientation
from ochibot.games.famicom_puyo.lock import PairCourse, Prediction, Settled
from ochibot.games.famicom_puyo.look import LOOK
from ochibot.games.menu import MenuWalker
from ochibot.games.ramseat import RamSeat
from ochibot.puyo.rules.field import COLORS, COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, Pair, PairState, Placement
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.ram import RamMap, load_map

NAME = "famicom_puyo"
SYSTEM = "nes"
RULES = load_rules("famicom")
HOMEBREW_ROM = "roms/homebrew/famicom/ochidama.nes"

SYMBOLS: dict[str, int] = {
    "empty": 0,
    "red": 1,
    "green": 2,
    "blue": 3,
    "yellow": 4,
    "purple": 5,
    "cyan": 6,
    "nuisance": 7,
    "wall": 8,
    "big": 9,
    "carbuncle": 10,
}
"""Code names that a map may use, and the numbers they have in ``ochibot.puyo``."""

MODES = {"endless": 0, "versus": 2}
"""Values of the mode byte (006F), documented; 1 is Mission."""

ITEMS = {"off": 0, "big": 1, "carbuncle": 2, "both": 3}
"""Values of our own cartridge's item option (070E)."""

MAX_FALL = 30
"""Nuisance puyos that fall at a time at the most; the excess is dropped (first-generation rules)."""

SCORE_CAP = 99_999_990
"""The highest score shown (documented); the game goes on at it."""

SPAWN_SIGNS = ("spawn_phase", "spawn_delay")
"""Entries that are other than 0 during a spawn, for seats without the documented spawn flag (004A): a spawn is when one
of them is and the pair is on the row where pairs appear."""

STILL_FRAMES = 300
"""No step of a chain takes as long."""

STATE_OVER = 5
PHASE_CONTROL = 2
PHASE_OVER = 5


_STATES = {
    (x, y, int(orientation)): PairState(x, y, orientation)
    for x in range(1, COLUMNS + 1)
    for y in range(ROWS)
    for orientation in Orientation
    if 1 <= x + (orientation == Orientation.RIGHT) - (orientation == Orientation.LEFT) <= COLUMNS
}
"""Every place a pair can be at, by its bytes: a snapshot is read at every frame."""

_SPAWN_CELL = RULES.spawn.y * COLUMNS + RULES.spawn.x - 1

_PAIRS = {(axis, partner): Pair(axis, partner) for axis in COLORS for partner in COLORS} | {
    (item, item): Pair(item, item) for item in (BIG, CARBUNCLE)
}


def load_seat_map(name: str | Path) -> RamMap:
    """A map by its shipped name (``player1``, ``player2``, ``player12``) or by its file. Raises MapError."""
    if isinstance(name, Path):
        return load_map(name, SYMBOLS, SYSTEM)
    return load_map(data_path(f"ram_maps/{NAME}/{name}.yaml"), SYMBOLS)


@dataclass(frozen=True)
class Seen:
    """What one seat's RAM shows at one frame: the falling pair, and whether play is over."""

    state: PairState | None
    controllable: bool
    over: bool


class Seat(RamSeat):
    """One player's side of the running game, read through its map.

    Call ``update`` once after every frame; ``spawned`` then says whether a new pair was announced on it.
    """

    def __init__(self, ram_map: RamMap, ram: Ram) -> None:
        if ram_map.game != NAME:
            raise MapError(f"the map {ram_map.name} is for the game {ram_map.game!r}, not for {NAME!r}")
        super().__init__(ram_map, ram, system=SYSTEM, codes=SYMBOLS, rows=ROWS, columns=COLUMNS, first_row=0)
        self.look = LOOK
        self.best = "chain"
        read = self.map.reader
        self._sign = self._spawn_sign()
        self._x, self._y, self._orientation = read("x"), read("y"), read("orientation")
        self._pair = read("axis"), read("partner")
        self._next = read("next_axis"), read("next_partner")
        self._colors = self._optional("colors")
        self._blocks = self._optional("blocks")
        self._phase = self._optional("phase")
        self._last_sign = self._sign()
        self._was_control = False
        self._frames = 0
        self._still = b"", 0
        self.received: int | None = 0
        self.sent: int | None = None
        self._waiting = self.pending()
        self._fallen = 0

    def _spawn_sign(self) -> Callable[[], int]:
        """What reads as other than 0 while a pair is being announced."""
        if "spawning" in self.map:
            return self.map.reader("spawning")
        signs = [self.map.reader(name) for name in SPAWN_SIGNS if name in self.map]
        if not signs:
            self.map.require("spawn_phase", "tells that a new pair has spawned")
        row = self.map.reader("y")
        return lambda: int(row() == RULES.spawn.y and any(sign() for sign in signs))

    def update(self) -> bool:
        """Look at the spawn sign after a frame; whether a new pair has just been announced."""
        self._frames += 1
        self._watch_nuisance()
        sign = self._sign()
        self.spawned = bool(sign) and not self._last_sign
        self._last_sign = sign
        return self.spawned

    def _watch_nuisance(self) -> None:
        """What is pending grows when the other side's chains send, and goes when it falls."""
        waiting = self.pending()
        if waiting > self._waiting:
            self.received = (self.received or 0) + waiting - self._waiting
        elif waiting < self._waiting:
            self._fallen = min(self._waiting, self.fall_limit())
        self._waiting = waiting

    def resync(self) -> None:
        """Forget the last sign and nuisance, after a savestate was loaded or RAM was written."""
        self._last_sign = self._sign()
        self.spawned = False
        self._still = b"", 0
        self._waiting, self._fallen = self.pending(), 0

    def over(self) -> bool:
        """Whether the game is over for this seat.

        Where the map has neither ``phase`` nor ``state``: whether a puyo has lain where pairs appear (which ends the
        game, documented) for STILL_FRAMES while nothing in the field has changed. Ask now and then.
        """
        if self._phase is not None:
            return self._phase() == PHASE_OVER
        if self._state is not None:
            return self._state() == STATE_OVER
        cells = self._cells()
        seen, since = self._still
        if cells != seen or not cells[_SPAWN_CELL]:
            self._still = cells, self._frames
            return False
        return self._frames - since >= STILL_FRAMES

    def ready(self) -> bool:
        """Whether the announced pair answers the pad: the spawn sign has gone down again."""
        return not self._sign()

    def fall_limit(self) -> int:
        """The most nuisance puyos that fall at a time."""
        chosen = self.counter("limit")
        return min(chosen, MAX_FALL) if chosen else MAX_FALL

    def falling(self) -> bool:
        """Whether ``pair_state`` is where the pair is falling or has just locked.

        Maps without ``phase`` can't tell; it is True from a spawn to the next then, for x, y and orientation are
        taken to stay as they are after a lock.
        """
        if self._phase is None:
            return True
        was, self._was_control = self._was_control, self._phase() == PHASE_CONTROL
        return self._was_control or was

    def in_hand(self) -> bool:
        """Whether a pair has spawned and not locked yet; False when the map has no ``phase``."""
        return self._phase is not None and 0 < self._phase() <= PHASE_CONTROL

    def has_locked(self) -> bool:
        """Whether the pair has locked and its field is still settling; False when the map has no ``phase``."""
        return self._phase is not None and self._phase() > PHASE_CONTROL

    def pair_state(self) -> PairState | None:
        """Where the falling pair is; None when the bytes make no sense as one (a half outside the columns)."""
        return _STATES.get((self._x(), self._y(), self._orientation()))

    def field(self) -> Field:
        """The field. Raises GameError when a cell's byte is not a puyo by the map's codes."""
        cells = self._cells()
        try:
            return Field.from_codes(cells)
        except FieldError:
            raise self.unknown_cell("field", cells, NUISANCE) from None

    def snapshot(self) -> Snapshot:
        """What a player needs, read now: call it on the frame of a spawn. Raises GameError as ``field`` does."""
        pair, following = self._colors_of(self._pair), self._colors_of(self._next)
        state = self.pair_state()
        if state is None:
            raise self.no_position()
        if self._colors is not None:
            colors = self._colors()
        else:
            colors = max(4, *(color for color in (*pair, *following) if color < NUISANCE))
        return Snapshot(self.field(), pair, following, self.score(), state, self.level(), colors)

    def starts_at(self, state: PairState) -> bool:
        """Whether pairs appear there."""
        return state == RULES.spawn

    def settled(self) -> Settled:
        """The settled field, the score, and the nuisance that has fallen since ``fresh``."""
        return Settled(self.field(), self.score(), self._fallen)

    def fresh(self) -> None:
        """A new pair is out: the nuisance that falls is counted from now on."""
        self._fallen = 0

    def forecast(self, snapshot: Snapshot, placement: Placement) -> Prediction:
        """What a placement must lead to."""
        return Prediction.of(snapshot, placement, SCORE_CAP if self.knows_score else None)

    def course(self, snapshot: Snapshot, placement: Placement) -> PairCourse:
        """The way there."""
        return PairCourse.to(snapshot, placement, RULES)

    def _colors_of(self, readers: tuple[Callable[[], int], Callable[[], int]]) -> Pair:
        axis, partner = readers[0](), readers[1]()
        pair = _PAIRS.get((axis, partner))
        if pair is None:
            raise self.unknown_pair(axis, partner)
        return pair


def check_mode(ram_map: RamMap, mode: str, seat: int | None = None) -> None:
    """Raises MapError when a map doesn't hold in a mode (a key of MODES), or isn't that of a seat (1 or 2)."""
    if ram_map.mode != MODES[mode]:
        known = {value: name for name, value in MODES.items()}
        raise MapError(
            f"the map {ram_map.name} is for the mode {known.get(ram_map.mode, ram_map.mode)!r}, not for {mode!r}; "
            "give a map of that mode"
        )
    if seat not in (None, ram_map.seat):
        raise MapError(
            f"the map {ram_map.name} is for seat {ram_map.seat}, not for seat {seat}; give a map of that seat"
        )


def is_homebrew(sha1: str) -> bool:
    """Whether a ROM is the shipped cartridge of our own."""
    import hashlib

    return hashlib.sha1(data_path(HOMEBREW_ROM).read_bytes(), usedforsecurity=False).hexdigest() == sha1


def reach(
    machine: Machine,
    seat: Seat,
    mode: str,
    options: Mapping[str, int],
    stopped: Callable[[], bool] = lambda: False,
) -> int:
    """From power-on (or anywhere in the menus) to the first spawn of a mode; returns the frames it took.

    ``options`` are further values to set on the menu (``level``, ``colors``). Raises MapError when the map is for
    another mode or has no entry for an option, GameError when play isn't reached, KeyboardInterrupt as soon as
    ``stopped()`` is true.
    """
    check_mode(seat.map.map, mode)
    wanted = {"mode": MODES[mode], **options}
    read = {
        name: seat.map.reader(name, f"is needed to set the option --{name}" if name != "mode" else "tells the mode")
        for name in wanted
    }
    walker = MenuWalker(machine, read, seat.update, stopped=stopped)
    walker.walk(wanted)
    return walker.frames
