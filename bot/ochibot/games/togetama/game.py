"""Pochi & Nyaa on the Neo Geo, and our own game Togetama that is played by the same rules.

The addresses are in the maps; this module knows what the values mean: when a pair has spawned, how play is reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ochibot.console import Machine, Ram, Rom
from ochibot.console.neogeo import OPTIONS, load_neogeo_rom
from ochibot.data import data_path
from ochibot.errors import FieldError, MapError
from ochibot.falling.orientation import Orientation
from ochibot.games.menu import MenuWalker
from ochibot.games.protocols import Game
from ochibot.games.ramseat import RamSeat
from ochibot.games.togetama.lock import PairCourse, Prediction, Settled
from ochibot.games.togetama.look import LOOK
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import COLORS, COLUMNS, ROWS, SYMBOLS, Grid
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.motion import ALL_ROWS
from ochibot.nyaa.rules.pair import SPAWN, NyaaState, Pair, Placement, halves
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.engine import search_kernel
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.nyaa.search.twoply import Decision, NyaaPlayer
from ochibot.ram import RamMap, load_map

SYSTEM = "neogeo"
HOMEBREW_ROM = "roms/homebrew/neogeo/togetama.zip"
HOMEBREW_MAPS = "nyaa_homebrew"
PNYAA_MAPS = "pnyaa"
RULES = load_rules("nyaa_mvs")

CODES: dict[str, int] = {
    "empty": 0,
    "red": 1,
    "green": 2,
    "blue": 3,
    "yellow": 4,
    "nuisance": 5,
    "red_needle": 6,
    "green_needle": 7,
    "blue_needle": 8,
    "yellow_needle": 9,
    "wall": 10,
}
"""Code names that a map may use, and the numbers they have in ``ochibot.nyaa.Grid``."""

MODES = {"solo": 0, "versus": 1}
"""Values of our own game's mode byte."""

PHASE_SPAWN, PHASE_CONTROL, PHASE_LOST = 1, 2, 5


def _inside(state: NyaaState) -> bool:
    return all(1 <= x <= COLUMNS and 0 <= y < ALL_ROWS for x, y in halves(state))


_STATES = {
    (state.x, state.y, int(state.orientation), int(state.needle)): state
    for state in (
        NyaaState(x, y, orientation, needle)
        for x in range(1, COLUMNS + 1)
        for y in range(ALL_ROWS)
        for orientation in Orientation
        for needle in (False, True)
    )
    if _inside(state)
}
"""Every place a pair can be at, by its bytes: a snapshot is read at every frame."""

_PAIRS = {(axis, partner): Pair(axis, partner) for axis in COLORS for partner in COLORS}


@dataclass
class _Other:
    """What is read of the other seat."""

    cells: Callable[[], bytes]
    phase: Callable[[], int]
    pair: tuple[Callable[[], int], Callable[[], int]]
    following: tuple[Callable[[], int], Callable[[], int]]
    pending: Callable[[], int]


class Seat(RamSeat):
    """One player's side of the running game, read through its map; see ``ochibot.games.protocols.Seat``."""

    def __init__(self, ram_map: RamMap, ram: Ram) -> None:
        super().__init__(ram_map, ram, system=SYSTEM, codes=CODES, rows=ROWS, columns=COLUMNS, first_row=1)
        self.look = LOOK
        self.best = "attack"
        read = self.map.reader
        self._spawning = read("spawning", "tells that a new pair has spawned")
        self._phase = read("phase", "tells whether a pair is under control")
        self._x, self._y, self._orientation = read("x"), read("y"), read("orientation")
        self._needle = read("needle")
        self._pairs = [(read(f"{which}axis"), read(f"{which}partner")) for which in ("", "next_", "next2_")]
        self._rests = self._optional("rests")
        self._sent = self._optional("sent")
        self._other = self._other_seat() if "opponent_field" in self.map else None
        self.received: int | None = None
        self.sent: int | None = 0 if self._rests is not None and self._sent is not None else None
        self._was_control = False
        self._last_sign = self._spawning()
        self._last_rests = self._rests() if self._rests is not None else 0

    def _other_seat(self) -> _Other:
        read = self.map.reader
        return _Other(
            self.map.cells_reader("opponent_field"),
            read("opponent_phase"),
            (read("opponent_axis"), read("opponent_partner")),
            (read("opponent_next_axis"), read("opponent_next_partner")),
            read("opponent_pending"),
        )

    def update(self) -> bool:
        """Look at RAM after a frame; whether a new pair has just been announced."""
        if self._rests is not None and (rests := self._rests()) != self._last_rests:
            # begins again at 0 with each round
            if self.sent is not None and self._sent is not None and rests:
                self.sent += self._sent()
            self._last_rests = rests
        sign = self._spawning()
        self.spawned = bool(sign) and not self._last_sign
        self._last_sign = sign
        return self.spawned

    def resync(self) -> None:
        """Forget the last sign, after a savestate was loaded or RAM was written."""
        self._last_sign = self._spawning()
        self._last_rests = self._rests() if self._rests is not None else 0
        self.spawned = False

    def fresh(self) -> None:
        """A new pair is out; the game counts what falls after each lock by itself."""

    def over(self) -> bool:
        """Whether this seat has lost."""
        return self._phase() == PHASE_LOST

    def ready(self) -> bool:
        """Whether the announced pair answers the pad."""
        return not self._spawning()

    def falling(self) -> bool:
        """Whether ``pair_state`` is where the pair is falling or has just locked."""
        was, self._was_control = self._was_control, self._phase() == PHASE_CONTROL
        return self._was_control or was

    def in_hand(self) -> bool:
        """Whether a pair has spawned and not locked yet."""
        return self._phase() in (PHASE_SPAWN, PHASE_CONTROL)

    def has_locked(self) -> bool:
        """Whether the pair has locked and its field is still settling."""
        return self._phase() > PHASE_CONTROL

    def starts_at(self, state: NyaaState) -> bool:
        """Whether pairs appear there."""
        return state == SPAWN

    def pair_state(self) -> NyaaState | None:
        """Where the falling pair is; None when the bytes make no sense as one."""
        return _STATES.get((self._x(), self._y(), self._orientation(), self._needle()))

    def field(self) -> Grid:
        """The field. Raises GameError when a cell's byte is nothing that a field holds."""
        return self._grid("field", self._cells)

    def _grid(self, name: str, read: Callable[[], bytes]) -> Grid:
        cells = read()
        try:
            return Grid(cells)
        except FieldError:
            raise self.unknown_cell(name, cells, len(SYMBOLS) - 1) from None

    def _pair(self, readers: tuple[Callable[[], int], Callable[[], int]]) -> Pair:
        axis, partner = readers[0](), readers[1]()
        pair = _PAIRS.get((axis, partner))
        if pair is None:
            raise self.unknown_pair(axis, partner)
        return pair

    def snapshot(self) -> Snapshot:
        """What a player needs, read now: call it on the frame of a spawn. Raises GameError as ``field`` does."""
        pair, first, second = (self._pair(readers) for readers in self._pairs)
        state = self.pair_state()
        if state is None:
            raise self.no_position()
        return Snapshot(self.field(), pair, (first, second), state, self.pending(), self._opponent(), self.score())

    def _opponent(self) -> Opponent | None:
        other = self._other
        if other is None:
            return None
        in_hand = other.phase() in (PHASE_SPAWN, PHASE_CONTROL)
        return Opponent(
            self._grid("opponent_field", other.cells),
            self._pair(other.pair if in_hand else other.following),
            other.pending(),
        )

    def settled(self) -> Settled:
        """The settled field, the score, and what the last lock came to."""
        fallen = self.counter("fallen") or 0
        return Settled(self.field(), self.score(), fallen, self.counter("attack"), self.counter("tails"))

    def forecast(self, snapshot: Snapshot, placement: Placement) -> Prediction:
        """What a placement must lead to."""
        return Prediction.of(snapshot, placement, self.knows_score)

    def course(self, snapshot: Snapshot, placement: Placement) -> PairCourse:
        """The way there."""
        return PairCourse.to(snapshot, placement)


@dataclass(frozen=True)
class Judgement:
    """What a player thinks of a field: its weightiest terms, and the sum of all."""

    terms: tuple[tuple[str, float], ...]
    total: float


TERMS_SHOWN = 8


class NeoGeoNyaa:
    """The Game (``ochibot.games.protocols``)."""

    name = "nyaa"
    system = SYSTEM
    solo_mode = "solo"
    options: Mapping[str, range] = MappingProxyType({"level": range(1, 5)})
    versus_options: Mapping[str, range] = MappingProxyType({})  # pairs of two players fall at one speed
    default_player = "nyaa"
    homebrew_rom = HOMEBREW_ROM
    map_folders: tuple[str, ...] = (HOMEBREW_MAPS, PNYAA_MAPS)
    core_options: Mapping[str, str] = MappingProxyType(OPTIONS)
    solo_map = "player1"
    versus_maps = ("player12", "player2")
    note = (
        "This isn't our own game. Where Pochi & Nyaa keeps its field and pairs isn't public: a map of your own (--map) "
        "must tell, and the first contradiction stops the run."
    )

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's set with its system ROM, or our own game. Raises RomError."""
        return load_neogeo_rom(path if path is not None else data_path(HOMEBREW_ROM), system)

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:
        """A map by its file, or a shipped one by its name: of our own game, or of the real one. Raises MapError."""
        ours = rom is None or self.is_homebrew(rom.sha1)
        if isinstance(name, Path):
            loaded = load_map(name, CODES, SYSTEM)
            return loaded if ours else loaded.public()
        folder = HOMEBREW_MAPS if ours else PNYAA_MAPS
        return load_map(data_path(f"ram_maps/{folder}/{name}.yaml"), CODES)

    def check_map(self, ram_map: RamMap, mode: str, seat: int | None = None) -> None:
        """Raises MapError when a map isn't for a mode, or not for a seat."""
        known = {value: name for name, value in MODES.items()}
        if ram_map.mode != MODES[mode]:
            raise MapError(
                f"the map {ram_map.name} is for the mode {known.get(ram_map.mode, ram_map.mode)!r}, not for {mode!r}; "
                "give a map of that mode"
            )
        if seat not in (None, ram_map.seat):
            raise MapError(
                f"the map {ram_map.name} is for seat {ram_map.seat}, not for seat {seat}; give a map of that seat"
            )

    def seat(self, ram_map: RamMap, ram: Ram) -> Seat:
        """A Seat."""
        return Seat(ram_map, ram)

    def reach(
        self,
        machine: Machine,
        seat: Seat,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """From power-on to the first spawn of a mode; the frames it took. Raises GameError when it isn't reached."""
        self.check_map(seat.map.map, mode)
        wanted = {"mode": MODES[mode], **options}
        read = {name: seat.map.reader(name, f"is needed to reach the mode {mode}") for name in wanted}
        walker = MenuWalker(machine, read, seat.update, stopped=stopped)
        walker.walk(wanted)
        return walker.frames

    def is_homebrew(self, sha1: str) -> bool:
        """Whether a ROM is the shipped game of our own."""
        return hashlib.sha1(data_path(HOMEBREW_ROM).read_bytes(), usedforsecurity=False).hexdigest() == sha1

    def check_player(self, file: Path) -> None:
        """``load_nyaa_player``."""
        load_nyaa_player(file)

    def open_player(self, file: Path, plies: int, seed: int | None) -> NyaaPlayer:
        """A NyaaPlayer. Raises ConfigError."""
        return NyaaPlayer(load_nyaa_player(file), RULES, plies, seed)

    def recalled(
        self, field: str, pair: str, next_pair: str, where: tuple[int, int, int, bool], value: float
    ) -> tuple[Snapshot, Decision]:
        """A snapshot and its decision from a record's words. Raises FieldError."""
        x, y, orientation, needle = where
        following = Pair.parse(next_pair)
        snapshot = Snapshot(Grid.parse(field), Pair.parse(pair), (following, following))
        placement = Placement(x, y, Orientation(orientation), needle)
        return snapshot, Decision(placement, value, place(snapshot.grid, snapshot.pair, placement, RULES), 0)

    def judge(self, player: object) -> Callable[[Snapshot, Decision], Judgement] | None:
        """The weightiest terms of the field that a decision leads to."""
        if not isinstance(player, NyaaPlayer):
            return None
        mind = NyaaPlayer(player.config, player.rules, player.plies, player.seed)
        weights = player.config.weights.model_dump()

        def think(snapshot: Snapshot, decision: Decision) -> Judgement:
            first, second = snapshot.nexts
            after = Snapshot(decision.outcome.grid, first, (second, second), SPAWN, snapshot.pending, snapshot.opponent)
            seen = mind.measure(after)
            terms = [(name, weights[name] * value) for name, value in seen.metrics.items()]
            shown = sorted(terms, key=lambda term: -abs(term[1]))[:TERMS_SHOWN]
            return Judgement(tuple(shown), seen.value)

        return think

    def prepare(self) -> None:
        """The two-ply search's."""
        search_kernel()


GAME: Game = NeoGeoNyaa()
