"""What all seats read in the same way: the map, the field's bytes, and values that only some maps have.

A value that is read in every frame is only made when something in it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from ochibot.console import Button, Ram
from ochibot.errors import GameError, MapError, PointerError
from ochibot.falling.deciding import decided
from ochibot.falling.family import Family
from ochibot.falling.pace import Pace
from ochibot.games.piece import place_entries
from ochibot.games.table import Table
from ochibot.keeping import Keeps
from ochibot.quoting import brief
from ochibot.ram import MOMENTS, BoundMap, RamMap
from ochibot.wording import counted

V = TypeVar("V")


class Unchanged(Generic[V]):
    """Calls ``make`` with the parts of an immutable value. For the same parts as in the call before, it returns that
    call's value.
    """

    __slots__ = ("_make", "_parts", "_value")

    def __init__(self, make: Callable[..., V]) -> None:
        self._make = make
        self._parts: tuple[Any, ...] | None = None
        self._value: Any = None

    def __call__(self, *parts: Any) -> V:
        """The value made of these parts."""
        if parts != self._parts:
            self._value = self._make(*parts)
            self._parts = parts
        value: V = self._value
        return value


A = TypeVar("A")
R = TypeVar("R")


class RamSeat(Keeps, Generic[A, R]):
    """A seat's map bound to RAM; titles derive their seats from it. A: the family's actions. R: its rules.

    ``rows``, ``columns``: the field's size. ``first_row``: the number of its top row in messages. ``most_unread``: how
    many rows at its top the map's grid may leave out.
    """

    _changing: ClassVar[tuple[str, ...]] = (
        "spawned",
        "_spawn_sign",
        "_control_sign",
        "_over_sign",
        "_paused_sign",
        "_announced",
        "_had_control",
    )

    _sign: Callable[[], int]
    """Reads the sign that a pair is being announced."""
    _phase: Callable[[], int] | None
    _falling: bool

    def __init__(
        self,
        table: Table,
        family: Family,
        ram_map: RamMap,
        ram: Ram,
        rules: R,
        *,
        rows: int,
        columns: int,
        first_row: int,
        most_unread: int = 0,
    ) -> None:
        """Raises MapError for a map of another game or system, or one whose field has another size."""
        if table.map_games and ram_map.game not in table.map_games:
            raise MapError(f"the map {ram_map.name} is for the game {ram_map.game!r}, not for {table.map_games[0]!r}")
        if ram_map.system != table.system:
            raise MapError(f"the map {ram_map.name} is for the system {ram_map.system!r}, not for {table.system!r}")
        self.table = table
        self.family = family
        self.rules = rules
        self._ram = ram
        self.map = BoundMap(ram_map, ram, table.codes)
        self.number: int = ram_map.seat
        self.spawned = False
        self._rows = rows
        self._columns = columns
        self._first_row = first_row
        self._most_unread = most_unread
        self._cells = self._field_reader("field", "is the playfield")
        self._score = self._optional("score")
        self._level = self._optional("level")
        self._state = self._optional("state", astray=-1)
        self._pending = self._optional("pending", astray=0)
        self._own = ram_map.sources()["homebrew"] > 0
        signs = [self.map.sign(name) for name in MOMENTS]
        self._spawn_sign, self._control_sign, self._over_sign, self._paused_sign = signs
        # every frame asks them, so a call less counts
        self._spawn, self._control, self._over, self._paused = (sign and sign.look for sign in signs)
        self._has_signs = any(signs)
        # the other signs remember nothing
        self._edges = [sign for sign in signs if sign is not None and sign.is_edge]
        # for maps with the sign "control": whether a piece was announced, and whether it has been under control
        self._announced = self._had_control = False

    def _keep_signs(self, *, in_control: bool) -> None:
        """Updates the signs at the end of a frame. ``spawned`` must be set already."""
        for sign in self._edges:
            sign.keep()
        self._had_control |= in_control
        if self.spawned:
            self._announced, self._had_control = True, in_control

    def _forget_signs(self) -> None:
        """Makes the signs forget the values of earlier frames, after a savestate was loaded or RAM was written."""
        for sign in self._edges:
            sign.keep()
        self._announced = self._had_control = False

    def _in_hand_by_signs(self, control: Callable[[], bool]) -> bool:
        """Whether a piece has spawned and not locked yet, by the map's signs."""
        announced = self._spawn is not None and self._spawn()
        return control() or announced or (self._announced and not self._had_control)

    def _field_reader(self, name: str, why: str) -> Callable[[], bytes]:
        """A function that reads the grid ``name`` as the cells of a whole field. Rows that the grid lacks are read as
        empty; rows above the field are left out.

        Raises MapError unless the grid has all columns of the field, and all rows but the first ``most_unread``.
        """
        shape = self.map.require(name, why)
        the_grid = f"the {name} of the map {self.map.map.name}"
        if shape.rows is None or shape.columns != self._columns or (shape.top is None and shape.rows != self._rows):
            size = f"a grid of {self._rows} rows and {self._columns} columns"
            top = self._rows - (shape.rows or self._rows)
            other = f"; with other rows, say which of these its first is (top: {top} if its last is the floor)"
            has = f", and has {shape.rows} and {shape.columns}: correct them" if shape.columns and not top else ""
            raise MapError(f"{the_grid} must be {size}{has}{other if top else ''}")
        top = shape.top or 0
        if top + shape.rows != self._rows:
            raise MapError(
                f"{the_grid} has {counted(shape.rows, 'row')} from row {top} on, "
                f"so its last one is row {top + shape.rows - 1}; "
                f"it must be the floor, row {self._rows - 1}: correct rows or top"
            )
        if top > self._most_unread:
            raise MapError(
                f"{the_grid} begins in row {top}, so it doesn't show all visible rows, the first of which is row "
                f"{self._most_unread}: give it more rows"
            )
        read = self.map.cells_reader(name)
        if top > 0:
            unread = bytes(top * self._columns)
            return lambda: unread + read()
        beyond = -top * self._columns
        return (lambda: read()[beyond:]) if beyond else read

    def ready(self) -> bool:
        """Whether the announced pair can be moved with the pad.

        The map's sign ``control`` decides. Without it, a pair can be moved when the spawn sign no longer holds. No pair
        can be moved while the map's sign ``paused`` holds.
        """
        if self._paused is not None and self._paused():
            return False
        return not self._sign() if self._control is None else self._control()

    def falling(self) -> bool:
        """Whether ``pair_state`` shows a pair that is falling or has just locked.

        Always True for maps with neither ``phase`` nor the sign ``control``, assuming that x, y and orientation stay as
        they are after a lock.
        """
        return self._falling

    def has_locked(self) -> bool:
        """Whether the pair has locked and the field is still settling; False without ``phase`` and ``control``."""
        if self._control is not None:
            return self._had_control and not self._control()
        return self._phase is not None and self._phase() > self.table.phases.control

    def _optional(self, name: str, astray: int | None = None) -> Callable[[], int] | None:
        """The reader of a value that not all maps have; None when this map lacks it.

        ``astray``: what the reader returns while the value's pointer holds no address in RAM. Give it for values that
        are read in every frame, including the menus. Without it, the reader then raises PointerError.
        """
        if name not in self.map:
            return None
        read = self.map.reader(name)
        if astray is None or self.map.map.entries[name].pointer is None:
            return read
        otherwise = astray

        def read_or_astray() -> int:
            try:
                return read()
            except PointerError:
                return otherwise

        return read_or_astray

    @property
    def tap(self) -> tuple[int, int]:
        """For how many frames the game wants a button held, and then released."""
        return self.table.tap

    @property
    def knows_score(self) -> bool:
        """Whether the map has this seat's score."""
        return self._score is not None

    def score(self) -> int:
        """The score that the game shows; 0 when the map has no score."""
        return self._score() if self._score is not None else 0

    def level(self) -> int:
        """The level, from 1; 1 when the map has no level."""
        return self._level() if self._level is not None else 1

    def pace(self) -> Pace | None:
        """How fast the falling piece sinks and locks; None when that isn't known for this ROM or level."""
        table, gravity = self.table, self.table.gravity
        if gravity is None or not (gravity.anywhere or self._own):
            return None
        versus = self.map.map.mode is not None and self.map.map.mode == table.modes.get(table.versus)
        return gravity.pace(self._level() if self._level is not None else None, versus)

    def pending(self) -> int:
        """Nuisance waiting to fall on this seat; 0 when the map has no such entry."""
        return self._pending() if self._pending is not None else 0

    def counter(self, name: str) -> int | None:
        """The value of the map's entry ``name``, which not every map has; None if the seat's map lacks it."""
        return self.map.value(name) if name in self.map else None

    @property
    def knows_loser(self) -> bool:
        """Whether the map has an entry for the loser of a round."""
        return "loser" in self.map

    def loser(self) -> int:
        """The seat (1 or 2) that has lost the round; 0 while it goes on. Raises MapError without ``loser``."""
        return self.map.reader("loser", "names who has lost a round")()

    def in_menus(self) -> bool:
        """Whether no game is running; always False when the map has no ``state``."""
        return self._state is not None and self._state() < (self.table.playing or 0)

    def button(self, action: A) -> Button:
        """The button of a press."""
        return self.table.buttons[action]

    def spawn_in_words(self) -> str:
        """The spawn sign in words: its entries with their addresses and present values."""
        condition, entries = self.map.map.signs.spawn, self.map.map.entries
        if condition is not None:
            names = [question.entry for question in condition.questions() if question.entry is not None]
        else:
            names = ["spawning"] if "spawning" in self.map else [*self.table.spawn_signs]
        described = []
        for name in dict.fromkeys(names):
            if name in entries:
                places = entries[name].byte_addresses()
                at = f"{places[0]:#06x}" if places else "a pointer"
                described.append(f"{name} at {at}, now {self._now(name)}")
        return f"the spawn sign ({'; '.join(described)})"

    def _now(self, name: str) -> str:
        try:
            return str(self.map.value(name))
        except PointerError:
            return "astray"

    def decided(self, snapshot: Any, choice: Any) -> Any:
        """A choice as a decision; a bare placement, or a tuple that names one, gets its path and outcome.

        Raises GameError when the piece can't get there, or the choice is neither a decision nor a placement.
        """
        return decided(self.family, snapshot, choice, self.rules)

    def placements(self, snapshot: Any) -> Sequence[Any]:
        """Every place where the piece of a snapshot can lock."""
        return self.family.placements(snapshot, self.rules)

    def unknown_cell(self, name: str, cells: bytes, most: int) -> GameError:
        """The error for a grid with a cell whose code is above ``most``."""
        row, column = divmod(next(place for place, code in enumerate(cells) if code > most), self._columns)
        entry = self.map.map.entries[name]
        cell = row - (entry.top or 0), column
        held = int(self.map.raw_grid(name)[cell])
        address = self.map.addresses(name)[(cell[0] * self._columns + column) * entry.width]
        table = "the map" if entry.table is None else f"the map's codes.{brief(entry.table)}"
        return GameError(
            f"the {name} cell in row {row + self._first_row}, column {column + 1} holds {held:#04x}, which the map "
            f"{self.map.map.name} doesn't know (address {address:#06x}): give that a meaning in {table}, or calibrate "
            "the map for this game, and give it with --map"
        )

    def unknown_pair(self, names: tuple[str, str], wrong: Callable[[int], bool]) -> GameError:
        """The error for values that make no pair. ``names``: its entries. ``wrong``: whether a value is no colour."""
        its_map = f"the map {self.map.map.name}"
        for name in names:
            value = self.map.value(name)
            if wrong(value):
                words = self.map.words(name)
                means = f"means {words[value]}, no colour," if value in words else "is no colour"
                return GameError(
                    f"the pair's entry {name} holds {self._bytes_of(name)}, which {means} by {its_map}: give that byte "
                    "a colour in the map's codes, or calibrate the map for this game, and give it with --map"
                )
        held = " and ".join(f"{name} holds {self._bytes_of(name)}" for name in names)
        return GameError(
            f"{held}, which is no pair by {its_map}: an item is both halves; calibrate the map for this game and give "
            "it with --map"
        )

    def _bytes_of(self, name: str) -> str:
        """Words for messages: an entry's bytes in RAM, with their addresses."""
        where = self.map.addresses(name)
        held = " ".join(f"{self._ram[address]:#04x}" for address in where)
        return f"{held} at {' '.join(f'{address:#06x}' for address in where)}"

    def no_position(self) -> GameError:
        """The error for a falling pair that isn't in the field, listing what each of its entries holds."""
        held = []
        for name in place_entries(self.map.map.pair.denotes):
            try:
                value = self.map.value(name)
                words = self.map.words(name)
                means = words.get(value, "unknown") if words else value
                held.append(f"{name} is {means} ({self._bytes_of(name)})")
            except PointerError as error:
                return GameError(str(error))
        return GameError(
            f"the falling pair is nowhere in the field by the map {self.map.map.name}: {brief(', '.join(held), 130)}; "
            "correct these entries (offset, symbols, pair: denotes) and give the map with --map"
        )
