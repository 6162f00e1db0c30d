"""Binds a map to the RAM of a running console, for fast, typed reads.

Access to RAM by the names of a map's entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Mapping as MappingOf
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ochibot.console.ram import Ram
from ochibot.errors import ConsoleError, MapError, PointerError
from ochibot.quoting import brief, quoted
from ochibot.ram import values
from ochibot.ram.conditions import Sign
from ochibot.ram.entry import Entry
from ochibot.ram.model import ORIENTATIONS, OWN_WORDS, RamMap
from ochibot.ram.places import WIDTHS
from ochibot.ram.values import meaning, stored

T = TypeVar("T")

_Make = Callable[[Entry, int | None], Callable[[], T]]
"""Makes a reader of an entry whose bytes are at the given address (None: at the address that the entry gives)."""

UNKNOWN = 255
"""The symbol number for a value that isn't in the entry's table of codes or symbols."""

_KNOWN = 4096
"""``several`` caches the values of at most this many combinations of bytes. Games use a few hundred."""

_POINTED = 64
"""For each entry with a pointer, readers are cached for at most this many addresses to which it leads."""


class BoundMap:
    """Reads the entries of a RamMap from a Ram. The constructor converts addresses to array indices once.

    ``symbols`` gives each code name of the game its number (at most 127). Orientations (up, right, down, left) have the
    numbers of ``ORIENTATIONS``. Words that only the map knows are numbered from ``OWN_WORDS`` on, in their table's
    order.
    """

    def __init__(self, ram_map: RamMap, ram: Ram, symbols: MappingOf[str, int]) -> None:
        self.map = ram_map
        self._ram = ram
        self._symbols = symbols
        own = ram_map.own_tables()
        self._tables = {name: self._table(name, own=name in own) for name in ram_map.codes}
        self._readers: dict[str, Callable[[], int]] = {}
        self._cells: dict[str, Callable[[], bytes]] = {}
        self._grids: dict[str, Callable[[], npt.NDArray[np.uint8]]] = {}
        for name, entry in ram_map.entries.items():
            if entry.is_grid:
                self._cells[name] = self._pointed(name, entry, self._cells_at)
                self._grids[name] = self._grid_reader(name, entry)
            else:
                self._readers[name] = self._pointed(name, entry, self._value_at)

    def __contains__(self, name: str) -> bool:
        return name in self.map.entries

    def _table(self, name: str, *, own: bool) -> dict[int, int]:
        """For each number of a code table, the number of its symbol. ``own``: whether the map may add words."""
        table: dict[int, int] = {}
        words: dict[str, int] = {}
        for value, symbol in self.map.codes[name].values.items():
            number = self._symbols.get(symbol, ORIENTATIONS.get(symbol))
            if number is None and own:
                number = words.setdefault(symbol, OWN_WORDS + len(words))
            if number is None:
                # a map file was checked when it was read, but a map inside a record may not have been
                raise MapError(f"the map {self.map.name}: codes.{brief(name)}: unknown code name {quoted(symbol)}")
            table[value] = number
        return table

    # -- making readers

    def _pointed(self, name: str, entry: Entry, make: _Make[T]) -> Callable[[], T]:
        """The reader that ``make`` makes of an entry. If the entry has a pointer, the reader follows it at every
        read.
        """
        if entry.pointer is None:
            return make(entry, None)
        follow = self._follower(entry)
        known: dict[int, Callable[[], T]] = {}

        def read() -> T:
            base = follow()
            found = known.get(base)
            if found is None:
                if len(known) >= _POINTED:
                    known.clear()
                try:
                    found = known[base] = make(entry, base)
                except ConsoleError as error:
                    raise self._astray(name, entry, base, error) from None
            return found()

        return read

    def _follower(self, entry: Entry) -> Callable[[], int]:
        """A function that reads to which address an entry's pointer leads now. That address may lie outside RAM."""
        pointer = entry.pointer
        assert pointer is not None
        read = self._ram.readers.number([self._ram.index(a) for a in pointer.byte_addresses()], 1, 0)
        sign = 1 << 8 * WIDTHS[pointer.type] - 1 if pointer.type.startswith("s") else 0
        scale, offset, bus = pointer.scale, pointer.offset, _bus(self._ram.layout.last)
        return lambda: ((read() ^ sign) - sign) * scale + offset & bus

    def _astray(self, name: str, entry: Entry, base: int, error: ConsoleError) -> PointerError:
        assert entry.pointer is not None
        return PointerError(
            f"the pointer of the entry {quoted(name)} of the map {self.map.name}, the bytes at "
            f"{entry.pointer.address:#06x}, leads to {base:#06x}: {error}; correct the pointer's address, type, scale "
            "and offset, or wait until the game has set it"
        )

    def _value_at(self, entry: Entry, base: int | None) -> Callable[[], int]:
        where = [self._ram.index(address) for address in entry.byte_addresses(base)]
        if entry.is_plain:
            return self._ram.readers.number(where, entry.scale, entry.offset)
        mean = self._meaning(entry)
        if len(where) == 1:
            return self._ram.readers.symbol(where[0], [mean(byte) for byte in range(256)])
        read = self._ram.readers.number(where, 1, 0)
        last, value = -1, 0

        def means() -> int:
            # a score, say, is read often and changes rarely
            nonlocal last, value
            there = read()
            if there != last:
                last, value = there, mean(there)
            return value

        return means

    def _meaning(self, entry: Entry) -> Callable[[int], int]:
        number = meaning(entry)
        if entry.table is None:
            return number
        table = self._tables[entry.table]
        return lambda there: table.get(number(there), UNKNOWN)

    def _places(self, addresses: Sequence[int]) -> npt.NDArray[np.intp]:
        return np.array([self._ram.index(address) for address in addresses], np.intp)

    def _read_bytes(self, addresses: Sequence[int]) -> Callable[[], bytes]:
        return self._ram.readers.cells(self._places(addresses), None)

    def _lookup(self, entry: Entry) -> npt.NDArray[np.uint8]:
        return values.lookup(entry, {} if entry.table is None else self._tables[entry.table], UNKNOWN)

    def _cells_at(self, entry: Entry, base: int | None) -> Callable[[], bytes]:
        if not values.is_plain(entry):
            return values.cells_reader(entry, base, self._read_bytes, self._lookup(entry))
        as_it_stands = entry.table is None and entry.field_bits == 255 and not entry.shift
        table = None if as_it_stands else self._lookup(entry).tobytes()
        return self._ram.readers.cells(self._places(entry.byte_addresses(base)), table)

    def _grid_reader(self, name: str, entry: Entry) -> Callable[[], npt.NDArray[np.uint8]]:
        assert entry.rows is not None
        assert entry.columns is not None
        shape = entry.rows, entry.columns
        if entry.pointer is None and values.is_plain(entry):
            plain = entry.table is None and entry.field_bits == 255 and not entry.shift
            places = self._places(entry.byte_addresses()).reshape(shape)
            return self._ram.readers.grid(places, None if plain else self._lookup(entry))
        cells = self._cells[name]
        return lambda: np.frombuffer(cells(), np.uint8).reshape(shape).copy()

    # -- what the map has

    def require(self, name: str, why: str) -> Entry:
        """The entry of that name. If the map lacks it, raises MapError: the message says "…, which {why}"."""
        entry = self.map.entries.get(name)
        if entry is None:
            raise MapError(
                f"the map {self.map.game}/{self.map.name} has no entry {quoted(name)}, which {why}; "
                "add it in a map of your own (extends: …) and give that with --map"
            )
        return entry

    def _required_grid(self, name: str, why: str = "is needed here") -> Entry:
        entry = self.require(name, why)
        if not entry.is_grid:
            raise MapError(f"the entry {quoted(name)} of the map {self.map.name} is a single value; a grid is needed")
        return entry

    def base(self, name: str) -> int | None:
        """The address to which an entry's pointer leads now; None for an entry without a pointer."""
        entry = self.require(name, "is needed here")
        return None if entry.pointer is None else self._follower(entry)()

    def addresses(self, name: str) -> list[int]:
        """The CPU addresses of an entry's bytes now, in the order of ``Entry.byte_addresses``. Raises PointerError."""
        entry, base = self.require(name, "is needed here"), self.base(name)
        found = entry.byte_addresses(base)
        try:
            for address in found:
                self._ram.index(address)
        except ConsoleError as error:
            if base is None:
                raise  # without a pointer, the error means that the console is closed
            raise self._astray(name, entry, base, error) from None
        return found

    def raw_bytes(self, name: str) -> bytes:
        """An entry's bytes as they lie in RAM, in the order of ``addresses``. Raises PointerError."""
        return bytes(self._ram[address] for address in self.addresses(name))

    def words(self, name: str) -> dict[int, str]:
        """The symbol of each number that ``reader`` can return for an entry with a table; empty without a table."""
        entry = self.require(name, "is needed here")
        if entry.table is None:
            return {}
        table = self._tables[entry.table]
        return {table[value]: symbol for value, symbol in self.map.codes[entry.table].values.items()}

    # -- reading

    def reader(self, name: str, why: str = "is needed here") -> Callable[[], int]:
        """A function that reads one value as an int; with a table, the symbol's number (UNKNOWN if not in the table).

        If the entry has a pointer, the function raises PointerError when the pointer leads out of RAM. Raises MapError
        when the map lacks the entry, or the entry is a grid. ``why`` completes the message: "…, which {why}".
        """
        if self.require(name, why).is_grid:
            raise MapError(f"the entry {quoted(name)} of the map {self.map.name} is a grid; a single value is needed")
        return self._readers[name]

    def several(self, *names: str) -> Callable[[], tuple[int, ...]]:
        """A function that reads several values at once, each as ``reader`` does. It takes half the time of separate
        reads.
        """
        readers = [self.reader(name) for name in names]
        entries = [self.map.entries[name] for name in names]
        if any(entry.pointer is not None for entry in entries):
            return lambda: tuple(read() for read in readers)
        places = [[self._ram.index(address) for address in entry.byte_addresses()] for entry in entries]
        read_bytes = self._ram.readers.several([place for part in places for place in part])
        if all(entry.is_plain and (entry.width, entry.scale, entry.offset) == (1, 1, 0) for entry in entries):
            return read_bytes
        means = [self._meaning(entry) for entry in entries]
        ends = [sum(map(len, places[: at + 1])) for at in range(len(places))]
        begins = [end - len(part) for end, part in zip(ends, places, strict=True)]
        known: dict[tuple[int, ...], tuple[int, ...]] = {}

        def read() -> tuple[int, ...]:
            found = read_bytes()
            values = known.get(found)
            if values is None:
                if len(known) >= _KNOWN:
                    known.clear()
                parts = (bytes(found[begin:end]) for begin, end in zip(begins, ends, strict=True))
                values = tuple(mean(int.from_bytes(part, "little")) for mean, part in zip(means, parts, strict=True))
                known[found] = values
            return values

        return read

    def cells_reader(self, name: str, why: str = "is needed here") -> Callable[[], bytes]:
        """A function that reads a grid as bytes, row by row: with a table, symbol numbers (UNKNOWN if not in it).

        It is four times as fast as ``grid``: use it for a grid that is read on every frame.
        """
        self._required_grid(name, why)
        return self._cells[name]

    def value(self, name: str) -> int:
        """Reads one value now, as ``reader`` does."""
        return self.reader(name)()

    def grid(self, name: str) -> npt.NDArray[np.uint8]:
        """Reads a grid now. Returns a copy, (rows, columns) uint8; with a table, symbol numbers."""
        self._required_grid(name)
        return self._grids[name]()

    def raw_grid(self, name: str) -> npt.NDArray[np.uint8] | npt.NDArray[np.uint16]:
        """A grid's raw numbers in RAM, (rows, columns), before mask and shift: uint8, or uint16 for words."""
        entry = self._required_grid(name)
        assert entry.rows is not None
        assert entry.columns is not None
        shape = entry.rows, entry.columns
        where = self.addresses(name)
        if values.is_plain(entry):
            return self._ram.readers.grid(self._places(where).reshape(shape), None)()
        raw = values.numbers_reader(entry, self.base(name), self._read_bytes)().reshape(shape)
        return raw if entry.width > 1 else raw.astype(np.uint8)

    def sign(self, name: str) -> Sign | None:
        """One of the map's signs (``spawn``, ``control``, ``over``, ``paused``); None when the map doesn't have it.

        Each call returns a new sign, which remembers by itself the values that ``rises`` and ``changes`` need.
        """
        condition = self.map.signs.given().get(name)
        return None if condition is None else Sign(condition, self._sign_reader, self._sign_value)

    def _sign_reader(self, name: str) -> Callable[[], int | None]:
        read = self.reader(name, "a sign needs")
        if self.map.entries[name].pointer is None:
            return read

        def read_or_none() -> int | None:
            # while a game is in its menus, it may not have set its pointers yet
            try:
                return read()
            except PointerError:
                return None

        return read_or_none

    def _sign_value(self, name: str, value: int | str) -> int:
        if isinstance(value, int):
            return value
        for number, word in self.words(name).items():
            if word == value:
                return number
        raise MapError(f"the map {self.map.name}: signs: the entry {quoted(name)} has no symbol {quoted(value)}")

    # -- writing

    def write(self, name: str, value: int | str) -> None:
        """Writes a single value, for tests and experiments. With a table, ``value`` is a symbol's number or its word.

        Bits that the entry doesn't read keep their values. Raises MapError when the value can't be stored.
        """
        entry = self.require(name, "is to be written")
        if entry.is_grid:
            raise MapError(f"the entry {quoted(name)} is a grid, not a plain number")
        wanted = self._sign_value(name, value) if isinstance(value, str) else value
        number: int | None = wanted
        if entry.table is not None:
            number = next((there for there, symbol in self._tables[entry.table].items() if symbol == wanted), None)
        where = self.addresses(name)
        before = sum(self._ram[address] << 8 * at for at, address in enumerate(where))
        after = None if number is None else stored(entry, number, before)
        if after is None:
            raise MapError(f"{quoted(value)} can't be stored in the entry {quoted(name)}")
        for at, address in enumerate(where):
            self._ram[address] = after >> 8 * at & 255

    def name_of(self, address: int) -> str:
        """The name of the entry (and the cell) to which a CPU address belongs now; else the address as text."""
        for name, entry in self.map.entries.items():
            where = entry.byte_addresses(self.base(name))
            if address in where:
                if not entry.is_grid or entry.columns is None:
                    return name
                row, column = divmod(where.index(address) // entry.width, entry.columns)
                return f"{name}[{row},{column}]"
        return f"{address:#06x}"


def _bus(last: int) -> int:
    """The mask (16, 24 or 32 bits) of the address bus of a processor whose RAM ends at ``last``."""
    return next(bus for bus in (0xFFFF, 0xFF_FFFF, 0xFFFF_FFFF) if last <= bus)


class NamedRam:
    """``ram["score"]`` reads a value through the map, ``ram["field"]`` a grid; ``ram[0x6F]`` a byte by address."""

    def __init__(self, bound: BoundMap, ram: Ram, check: Callable[[], None] = lambda: None) -> None:
        """``check`` raises an error while RAM holds nothing that the map describes."""
        self._bound = bound
        self._ram = ram
        self._check = check

    def __getitem__(self, name: str | int) -> int | npt.NDArray[np.uint8]:
        """A value, a grid (rows, columns), or a byte. Raises MapError for a name that the map doesn't have."""
        if isinstance(name, int):
            return self._ram[name]
        if name not in self._bound:
            has = brief(", ".join(self.names()), 160)
            raise MapError(f"the map {self._bound.map.name} has no entry {quoted(name)}; it has {has}")
        self._check()
        return self._bound.grid(name) if self._bound.map.entries[name].is_grid else self._bound.value(name)

    def __setitem__(self, name: str | int, value: int) -> None:
        """Writes a value or a byte, for experiments. Raises MapError when it can't be stored there."""
        if isinstance(name, int):
            self._ram[name] = value
        else:
            self._bound.write(name, value)

    def names(self) -> tuple[str, ...]:
        """The names of the map's entries."""
        return tuple(self._bound.map.entries)
