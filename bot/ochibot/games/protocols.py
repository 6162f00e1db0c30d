"""What the frame loop needs of a game: a seat to read the game through, routes to placements, forecasts of locks.

``ochibot.play`` knows only these Protocols. A title implements them in a folder of its own. Snapshots, placements and
fields belong to its family and player; here they are type variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from ochibot.console import Button, Machine, Made, Ram, Rom
from ochibot.falling.family import Family
from ochibot.falling.pace import Pace
from ochibot.falling.player import Snapshot
from ochibot.games.table import MenuChoice
from ochibot.ram import BoundMap, RamMap

S = TypeVar("S", bound=Snapshot)
"""A snapshot."""
P = TypeVar("P")
"""A placement."""
T = TypeVar("T")
"""A position of the falling piece. Positions are compared with ``==``."""
A = TypeVar("A")
"""What one press does to the piece."""
Z = TypeVar("Z")
"""What a seat shows at a settled field, to be compared with a forecast."""

S_contra = TypeVar("S_contra", contravariant=True)
P_contra = TypeVar("P_contra", contravariant=True)
D_contra = TypeVar("D_contra", contravariant=True)
T_contra = TypeVar("T_contra", contravariant=True)
Z_contra = TypeVar("Z_contra", contravariant=True)


class Course(Protocol[T, A]):
    """The route of one piece to its placement, made anew for each piece. It uses actions; the seat knows the
    buttons.
    """

    @property
    def presses(self) -> Sequence[A]:
        """The presses of the path that the player has found, which begins where the piece appeared."""

    @property
    def down(self) -> A:
        """The action that makes the piece sink. It is held until RAM shows its effect; all others are short presses."""

    def way(self, state: T) -> Sequence[A] | None:
        """The shortest route from ``state`` to the target; None when there is none."""

    def after(self, state: T, action: A) -> T:
        """Where the piece is after one press at ``state``: still there if the press does nothing."""

    def there(self, state: T) -> bool:
        """Whether the piece is above its target, oriented as wanted, and needs only to fall."""

    def brought(self, seen: T, expected: T) -> bool:
        """Whether a piece seen at ``seen`` is where the press should have brought it, or has sunk further since."""


class Forecast(Protocol[T_contra, Z_contra]):
    """What must follow from a lock by the rules. It is fixed before the first press, and compared with RAM at the next
    settled field.
    """

    @property
    def chain(self) -> int:
        """What ``best_chain`` counts: chain steps, or the attack in games without chains."""

    def misses(self, landed: T_contra) -> bool:
        """Whether a piece last seen at ``landed`` has landed elsewhere than meant."""

    def elsewhere(self, landed: T_contra) -> Forecast[T_contra, Z_contra]:
        """The forecast for a piece that lands at ``landed``. Raises FieldError when the piece can't be there."""

    def covers(self, seen: Z_contra) -> bool:
        """Whether the field is as forecast, apart from nuisance that fell on it."""

    def holds(self, seen: Z_contra) -> bool:
        """Whether everything is as forecast: the field, the score, and whatever else the seat shows."""

    def describe(self, seen: Z_contra) -> str:
        """A report for people: the field before, as forecast and as seen, side by side."""


class Look(Protocol[S_contra, D_contra]):
    """How a plan is shown: as a ghost on the game's own picture, and in words beside it."""

    def planned(self, snapshot: S_contra, decision: D_contra) -> frozenset[tuple[int, int, int]]:
        """(x, y, code) of the cells in which the falling piece should come to rest."""

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Left, top and size of a seat's cell, in pixels; None when it isn't shown. ``picture``: width and height."""

    def color(self, code: int) -> tuple[int, int, int]:
        """The colour, roughly, in which the game shows a code."""

    def in_words(self, decision: D_contra) -> list[tuple[str, str]]:
        """The plan in words, as (label, text), such as ("plan", "column 3, up")."""


@runtime_checkable
class ThornyLook(Protocol):
    """What a Look offers in addition if halves of a pair can land as needles: their ghosts are drawn with thorns."""

    def thorns(self, code: int) -> int | None:
        """None for a code of ``planned`` that lands as a block. For a needle, the sides on which it lights neighbours.

        The sides are bits: 1 above, 2 right, 4 below, 8 left (0: it lights nothing).
        """


class Drawing(Protocol):
    """What a seat shows, as cells of a drawn field: column and row from 0, the top row first, and a code.

    Every call reads RAM anew. Values that the map does not know are returned as they are.
    """

    @property
    def board(self) -> Mapping[str, Any]:
        """What a page needs to draw the field (docs/review-page.md)."""

    def field(self) -> bytes:
        """The codes of the field, row by row, without the falling piece."""

    def piece(self) -> tuple[tuple[int, int, int], ...]:
        """The cells of the piece that falls, the axis first; none while no piece is out."""

    def nexts(self) -> tuple[tuple[int, int], ...]:
        """The codes of the next pieces, each axis first."""

    def planned(self, snapshot: Any, decision: Any) -> tuple[tuple[int, int, int], ...]:
        """The cells in which the piece of a decision should come to rest."""

    def way(self, states: Sequence[Any]) -> tuple[tuple[int, int], ...]:
        """The cells of the axis at these positions."""

    def told(self, decision: Any) -> Mapping[str, Any]:
        """A decision as plain values: ``column`` and ``turn`` (up, right, down or left), what the lock sets off
        (``steps``, ``made``), and in games with needles ``needle``.
        """


@runtime_checkable
class DrawnLook(Protocol):
    """What a Look offers in addition if its game can be drawn elsewhere, cell by cell."""

    def drawing(self, seat: Any) -> Drawing:
        """The drawing of a seat."""


class Seat(Protocol[S, P_contra, T, A, Z]):
    """One player's side of the running game, read through its map.

    Call ``update`` once after every frame. No method writes to RAM.
    """

    number: int
    """1 or 2."""
    map: BoundMap
    look: Look[Any, Any]
    best: str
    """What ``best_chain`` counts: chain steps, or the best attack in games without chains."""
    spawned: bool
    received: int | None
    """Nuisance that the other side has sent to this one so far; None when the game or map doesn't show it."""
    sent: int | None
    """Nuisance that this side has sent so far; None when the game or map doesn't show it."""

    def update(self) -> bool:
        """Reads RAM. Returns whether a new piece has just been announced, and sets ``spawned`` to the same."""

    def resync(self) -> None:
        """Forgets what was seen before. Call it after a savestate was loaded or RAM was written."""

    def snapshot(self) -> S:
        """What a player needs to choose. Call it on the frame of a spawn."""

    def starts_at(self, state: T) -> bool:
        """Whether ``state`` is where pieces appear."""

    def pair_state(self) -> T | None:
        """Where the falling piece is; None when RAM holds no valid place."""

    def ready(self) -> bool:
        """Whether the announced piece can be moved with the pad."""

    def falling(self) -> bool:
        """Whether ``pair_state`` shows a piece that is falling or has just locked."""

    def in_hand(self) -> bool:
        """Whether a piece has spawned and not locked yet."""

    def has_locked(self) -> bool:
        """Whether the piece has locked and the field is still settling."""

    def over(self) -> bool:
        """Whether the game is over for this seat."""

    def in_menus(self) -> bool:
        """Whether no game is running."""

    def loser(self) -> int:
        """The seat (1 or 2) that has lost the round; 0 while it goes on."""

    def score(self) -> int:
        """The score that the game shows."""

    def level(self) -> int:
        """The level, from 1."""

    def pending(self) -> int:
        """Nuisance that waits to fall on this seat."""

    def counter(self, name: str) -> int | None:
        """The value of the map's entry ``name``, which not every map has; None if the seat's map lacks it."""

    def settled(self) -> Z:
        """What a forecast is compared with: the settled field, and other results of the last lock."""

    def fresh(self) -> None:
        """Call it when a new piece has spawned: the counts in ``settled`` start again at 0."""

    def decided(self, snapshot: S, choice: Any) -> Any:
        """A choice as a decision; a bare placement, or a tuple that names one, gets its path and outcome.

        Raises GameError when the piece can't get there.
        """

    def placements(self, snapshot: S) -> Sequence[Any]:
        """Every place where the piece of a snapshot can lock."""

    def forecast(self, snapshot: S, placement: P_contra) -> Forecast[T, Z]:
        """What must follow from a placement by the rules."""

    def course(self, snapshot: S, placement: P_contra) -> Course[T, A]:
        """The route to a placement."""

    def button(self, action: A) -> Button:
        """The button of a press."""


class MeetingCourse(Course[T, A], Protocol[T, A]):
    """A course that can also say whether a landing is the one that was meant."""

    def meets(self, landed: T) -> bool:
        """Whether a piece that locks at ``landed`` leaves the same field as one that locks at the target."""


@runtime_checkable
class Paced(Protocol):
    """A seat of a game whose pace may be known. A player with slow hands then chooses among the placements that the
    hands reach in time.

    Its courses are ``MeetingCourse``.
    """

    def pace(self) -> Pace | None:
        """How fast the falling piece sinks and locks; None when that isn't known."""


@runtime_checkable
class Facing(Protocol):
    """A seat whose snapshots can show the other side of a match."""

    def face(self, other: Any) -> None:
        """Makes all later snapshots show the other side. ``other``: that side's seat, also updated once a frame."""


class Foretelling(Protocol):
    """A seat of a game whose memory holds the coming pieces before the screen shows them."""

    def foresee(self, snapshot: Any, pieces: int) -> Any:
        """The snapshot with up to ``pieces`` pieces after the next one in ``foreseen``. Only certain pieces are
        included.

        Call it on the frame of a spawn. Raises GameError when memory doesn't agree with the pieces seen so far.
        """


AnySeat = Seat[Any, Any, Any, Any, Any]
"""A seat of any title."""

AnyForecast = Forecast[Any, Any]


class Game(Protocol):
    """A title: its system, ROMs and maps, and how to get into play. ``ochibot.games.title`` makes one from a table."""

    name: str
    """The name on the command line."""
    system: str
    family: Family
    rules: str
    """The shipped rules profile that it uses."""
    default_player: str
    seed_frames: int
    """With seed N, the walk through the menus presses START N mod this many frames later. The pieces that a cartridge
    deals depend on that frame.
    """
    solo_mode: str
    """The 1-player mode that ``play`` uses."""
    versus_mode: str
    options: Mapping[str, MenuChoice]
    """The menu options of the 1-player mode."""
    versus_options: Mapping[str, MenuChoice]
    """The menu options of the 2-player mode, without those that the menu shows but this mode ignores."""
    core_options: Mapping[str, str]
    map_folders: tuple[str, ...]
    """The folders of ram_maps/ that hold this title's maps."""
    note: str
    """A warning shown when the ROM isn't the title's own."""

    def shipped_rom(self) -> Path | None:
        """Our own game that is shipped with the title; None when there is none."""

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's ROM, or the shipped one; ``system``: where the user keeps system ROMs. Raises RomError."""

    def is_homebrew(self, sha1: str) -> bool:
        """Whether the ROM with this SHA-1 is the shipped one."""

    def earlier_rom(self, sha1: str) -> str | None:
        """The name of our game in a ROM that was shipped before the present one; None for any other ROM."""

    def unseen(self, sha1: str) -> Made:
        """What the core must still produce for a ROM when nobody watches or listens, so that RAM stays the same."""

    def map_names(self, mode: str) -> tuple[str, ...]:
        """The shipped maps of a mode's seats, seat 1 first."""

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:
        """Loads a map by its shipped name or its file. Raises MapError. ``rom``: its ROM (None: the shipped one)."""

    def check_map(self, ram_map: RamMap, mode: str, seat: int | None = None) -> None:
        """Raises MapError when a map is for another mode than ``mode``, or another seat than ``seat`` (1 or 2)."""

    def defaults(self, command: str, ram_map: RamMap) -> Mapping[str, int]:
        """The menu options that a command (play, battle, versus) sets when the user chose none. Options without an
        entry in the map are left out.
        """

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> AnySeat:
        """The seat that reads one player's side. ``rules``: a rules profile. Raises MapError if the map doesn't fit."""

    def reach(
        self,
        machine: Machine,
        seat: AnySeat,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Gets from power-on (or the menus) to the first spawn of a mode. Returns the frames it took.

        Raises GameError when play isn't reached, KeyboardInterrupt as soon as ``stopped()`` is true.
        """
