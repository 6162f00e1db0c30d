"""What the frame loop asks of a game: a seat to look through, the way to a placement, what must come of it.

``ochibot.play`` knows these Protocols only. A game implements them in a module of its own
(``ochibot.games.famicom_puyo.seat``, …); what it takes for a snapshot, a placement or a field is its affair and its
player's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ochibot.console import Button, Machine, Ram, Rom
from ochibot.ram import RamMap

State = Any
"""Where a falling piece is: a value of the game's own, compared with ``==``."""

Action = Any
"""What one press does to the piece: a value of the game's own."""


class Course(Protocol):
    """The way of one piece to its placement; made anew for each piece."""

    @property
    def presses(self) -> Sequence[Action]:
        """The way that the player has found, from where the piece appeared."""

    def way(self, state: State) -> Sequence[Action] | None:
        """The shortest way from anywhere; None when there is none."""

    def after(self, state: State, action: Action) -> State:
        """Where one press brings the piece; the same state when it does nothing."""

    def there(self, state: State) -> bool:
        """Whether the piece is as it is wanted and needs only to fall."""

    def brought(self, seen: State, expected: State) -> bool:
        """Whether a press has brought the piece where it should, though it may have sunk further since."""

    def button(self, action: Action) -> Button:
        """The button of a press."""

    def sinks(self, action: Action) -> bool:
        """Whether the press is Down, which is held until it shows."""


class Seen(Protocol):
    """What a seat shows at a settled field, for a forecast to be compared with."""


class Forecast(Protocol):
    """What a lock must lead to: frozen before the first press, compared with RAM at the next settled field."""

    @property
    def chain(self) -> int:
        """What ``best_chain`` counts: the chain's length; where a game has no chains, what its reports say instead."""

    def misses(self, landed: State) -> bool:
        """Whether a piece last seen there has landed elsewhere than meant."""

    def elsewhere(self, landed: State) -> Forecast:
        """What a landing there must lead to. Raises FieldError when the piece can't be there."""

    def covers(self, seen: Any) -> bool:
        """Whether the field is as foreseen (with the nuisance that fell on it)."""

    def holds(self, seen: Any) -> bool:
        """Whether all is as foreseen: the field, the score, and whatever else the seat shows."""

    def describe(self, seen: Any) -> str:
        """Before, foreseen and seen, side by side, for people."""


class Look(Protocol):
    """How a plan is shown: as a ghost on the game's own picture, and in words beside it."""

    def planned(self, snapshot: Any, decision: Any) -> frozenset[tuple[int, int, int]]:
        """(x, y, code) of the cells in which the falling piece is meant to end."""

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Left, top and size of a cell of a seat (1 or 2) in a picture of that size, in pixels; None where it isn't
        shown."""

    def color(self, code: int) -> tuple[int, int, int]:
        """About the colour in which the game shows a code."""

    def told(self, decision: Any) -> list[tuple[str, str]]:
        """The plan in words: (what, how)."""


class Seat(Protocol):
    """One player's side of the running game, read through its map. Call ``update`` once after every frame."""

    port: int
    look: Look
    best: str
    """What ``best_chain`` is of: a chain, or what the game has in its place."""
    spawned: bool
    received: int | None
    """Nuisance that the other side has sent to this one so far; None when that can't be told from here."""
    sent: int | None
    """Nuisance that this side has sent so far; None when that can't be told from here."""

    def update(self) -> bool:
        """Look at RAM; whether a new piece has just been announced (``spawned`` says it too)."""

    def resync(self) -> None:
        """RAM has jumped: forget what was seen before."""

    def snapshot(self) -> Any:
        """What a player needs (with ``pair``, ``next_pair``, ``state``, ``field``): read it on the frame of a spawn."""

    def starts_at(self, state: State) -> bool:
        """Whether pieces appear there."""

    def pair_state(self) -> State | None:
        """Where the falling piece is; None when RAM makes no sense as that."""

    def ready(self) -> bool:
        """Whether the announced piece answers the pad."""

    def falling(self) -> bool:
        """Whether ``pair_state`` is where the piece is falling or has just locked."""

    def in_hand(self) -> bool:
        """Whether a piece has spawned and not locked yet."""

    def has_locked(self) -> bool:
        """Whether the piece has locked and its field is still settling."""

    def over(self) -> bool:
        """Whether the game is over for this seat."""

    def in_menus(self) -> bool:
        """Whether no game is running."""

    def loser(self) -> int:
        """The seat (1 or 2) that has lost the round; 0 while it goes on."""

    def score(self) -> int:
        """The score as shown."""

    def level(self) -> int:
        """The level, from 1."""

    def pending(self) -> int:
        """Nuisance that waits to fall on this seat."""

    def counter(self, name: str) -> int | None:
        """A value that only some maps have; None when this one lacks it."""

    def settled(self) -> Any:
        """What a forecast is compared with: the settled field and what came with it."""

    def fresh(self) -> None:
        """A new piece is out: what comes with the next settled field is counted from now on."""

    def forecast(self, snapshot: Any, placement: Any) -> Forecast:
        """What a placement must lead to, by the rules."""

    def course(self, snapshot: Any, placement: Any) -> Course:
        """The way there."""


class Game(Protocol):
    """A title: its cores, ROMs and maps, and how play is reached."""

    name: str
    """What it is called on the command line."""
    system: str
    versus_maps: tuple[str, str]
    """The maps of the two seats in its 2-player mode."""
    solo_map: str
    solo_mode: str
    """The mode of one player that ``play`` plays."""
    options: Mapping[str, range]
    """What can be chosen on the menu for the mode of one player, and its values (without the mode)."""
    versus_options: Mapping[str, range]
    """The same for the 2-player mode: what the menu shows but that mode passes over isn't among them."""
    default_player: str
    core_options: Mapping[str, str]
    homebrew_rom: str
    """Where our own game is, from the data folder."""
    map_folders: tuple[str, ...]
    """The folders of ram_maps/ that are this game's."""
    note: str
    """Told when the ROM isn't our own game."""

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's ROM, or our own game; ``system``: where the user keeps system ROMs. Raises RomError."""

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:
        """A map by its shipped name (for that ROM; None: our own game) or its file. Raises MapError."""

    def check_map(self, ram_map: RamMap, mode: str, seat: int | None = None) -> None:
        """Raises MapError when a map isn't for a mode, or not for a seat (1 or 2)."""

    def seat(self, ram_map: RamMap, ram: Ram) -> Seat:
        """One player's side. Raises MapError when the map is for something else."""

    def reach(
        self,
        machine: Machine,
        seat: Any,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """From power-on (or the menus) to the first spawn of a mode; the frames it took."""

    def is_homebrew(self, sha1: str) -> bool:
        """Whether a ROM is the shipped game of our own."""

    def check_player(self, file: Path) -> None:
        """Raises ConfigError when the file describes no player of this game."""

    def open_player(self, file: Path, plies: int, seed: int | None) -> Any:
        """The player (``choose(snapshot)``) that a file describes; its ``name``. Raises ConfigError."""

    def recalled(
        self, field: str, pair: str, next_pair: str, where: tuple[int, int, int, bool], value: float
    ) -> tuple[Any, Any]:
        """A snapshot and the decision for it from a record's words (field: rows with line breaks; where: x, y,
        orientation, needle): as much as ``Look`` needs. Raises FieldError."""

    def judge(self, player: Any) -> Callable[[Any, Any], Any] | None:
        """What that player thinks of the field that a decision for a snapshot leads to; None when it can't tell."""

    def prepare(self) -> None:
        """Load or compile the kernels, before a run's clock starts."""
