"""A map bound to the RAM of a running console: fast, typed reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from ochibot.console.ram import Ram
from ochibot.errors import MapError
from ochibot.quoting import brief, quoted
from ochibot.ram.model import Entry, RamMap

UNKNOWN = 255
"""What a cell reads as when its byte is not in the entry's code table."""

_PLAIN = list(range(256))
_KNOWN = 4096
"""Combinations of bytes whose values are kept; games show some hundred."""


class BoundMap:
    """Reads the entries of a RamMap from a Ram; addresses are turned into array indices once, here.

    ``symbols`` gives each code name its number (at most 254); see ``codes`` in the map.
    """

    def __init__(self, ram_map: RamMap, ram: Ram, symbols: Mapping[str, int]) -> None:
        self.map = ram_map
        self._ram = ram
        self._symbols = symbols
        self._places = {
            name: np.array([ram.index(a) for a in entry.byte_addresses()], np.intp)
            for name, entry in ram_map.entries.items()
        }
        self._readers = {
            name: self._make_reader(entry, self._places[name])
            for name, entry in ram_map.entries.items()
            if not entry.is_grid
        }
        self._tables = {name: self._table(name) for name in ram_map.codes}
        self._grids = {
            name: self._make_grid(entry, self._places[name]) for name, entry in ram_map.entries.items() if entry.is_grid
        }

    def __contains__(self, name: str) -> bool:
        return name in self.map.entries

    def _table(self, name: str) -> npt.NDArray[np.uint8]:
        table = np.full(256, UNKNOWN, np.uint8)
        for value, symbol in self.map.codes[name].values.items():
            if symbol not in self._symbols:
                # a map file is checked when it is read; one inside a record may be anybody's
                raise MapError(f"the map {self.map.name}: codes.{brief(name)}: unknown code name {quoted(symbol)}")
            table[value] = self._symbols[symbol]
        return table

    def _make_reader(self, entry: Entry, places: npt.NDArray[np.intp]) -> Callable[[], int]:
        where = [int(place) for place in places]
        if entry.codes is not None and len(where) == 1:
            return self._ram.readers.symbol(where[0], bytes(self._table(entry.codes)))
        return self._ram.readers.number(where, entry.scale, entry.offset)

    def _make_grid(self, entry: Entry, places: npt.NDArray[np.intp]) -> Callable[[], npt.NDArray[np.uint8]]:
        assert entry.rows is not None
        assert entry.columns is not None
        if entry.type != "u8":
            raise MapError(f"the map {self.map.name} has a grid of {entry.type}; only grids of u8 can be read")
        table = None if entry.codes is None else self._tables[entry.codes]
        return self._ram.readers.grid(places.reshape(entry.rows, entry.columns), table)

    def require(self, name: str, why: str) -> Entry:
        """The entry of that name. Raises MapError, with why it is needed, when the map lacks it."""
        entry = self.map.entries.get(name)
        if entry is None:
            raise MapError(
                f"the map {self.map.game}/{self.map.name} has no entry {quoted(name)}, which {why}; "
                "add it in a map of your own (extends: …) and give that with --map"
            )
        return entry

    def reader(self, name: str, why: str = "is needed here") -> Callable[[], int]:
        """A function that reads one value as an int; with codes, the symbol's number (UNKNOWN if not in the table)."""
        if self.require(name, why).is_grid:
            raise MapError(f"the entry {quoted(name)} of the map {self.map.name} is a grid; a single value is needed")
        return self._readers[name]

    def several(self, *names: str) -> Callable[[], tuple[int, ...]]:
        """A function that reads several values at once, each as ``reader`` does, in half the time."""
        readers = [self.reader(name) for name in names]
        places = [self._places[name] for name in names]
        if any(len(place) != 1 for place in places):
            return lambda: tuple(read() for read in readers)
        tables = [self._values(self.map.entries[name]) for name in names]
        read_bytes = self._ram.readers.several([int(place[0]) for place in places])
        if all(table == _PLAIN for table in tables):
            return read_bytes
        known: dict[tuple[int, ...], tuple[int, ...]] = {}

        def read() -> tuple[int, ...]:
            found = read_bytes()
            values = known.get(found)
            if values is None:
                if len(known) >= _KNOWN:
                    known.clear()
                values = known[found] = tuple(table[byte] for table, byte in zip(tables, found, strict=True))
            return values

        return read

    def _values(self, entry: Entry) -> list[int]:
        """The value of each byte that an entry of one byte may hold."""
        if entry.codes is not None:
            return [int(symbol) for symbol in self._tables[entry.codes]]
        return [byte * entry.scale + entry.offset for byte in range(256)]

    def cells_reader(self, name: str, why: str = "is needed here") -> Callable[[], bytes]:
        """A function that reads a grid as bytes, row by row: with codes, symbol numbers (UNKNOWN if not in the table).

        Four times as quick as ``grid``: for what is read at every frame.
        """
        entry = self.require(name, why)
        if not entry.is_grid:
            raise MapError(f"the entry {quoted(name)} of the map {self.map.name} is a single value; a grid is needed")
        table = None if entry.codes is None else self._tables[entry.codes].tobytes()
        return self._ram.readers.cells(self._places[name], table)

    def value(self, name: str) -> int:
        """One value, read now."""
        return self.reader(name)()

    def grid(self, name: str) -> npt.NDArray[np.uint8]:
        """A grid, read now: (rows, columns) uint8; with codes, symbol numbers. A copy."""
        if not self.require(name, "is needed here").is_grid:
            raise MapError(f"the entry {quoted(name)} of the map {self.map.name} is a single value; a grid is needed")
        return self._grids[name]()

    def raw_grid(self, name: str) -> npt.NDArray[np.uint8]:
        """A grid's bytes as they stand in RAM, (rows, columns) uint8, not translated."""
        entry = self.require(name, "is needed here")
        assert entry.rows is not None
        assert entry.columns is not None
        return self._ram.raw[self._places[name].reshape(entry.rows, entry.columns)]

    def write(self, name: str, value: int) -> None:
        """Write a single value (for tests and experiments). Raises MapError when it doesn't fit or isn't plain."""
        entry = self.require(name, "is to be written")
        if entry.is_grid or entry.codes is not None:
            raise MapError(f"the entry {quoted(name)} is not a plain number")
        stored, rest = divmod(value - entry.offset, entry.scale)
        places = self._places[name]
        if rest or not 0 <= stored < 256 ** len(places):
            raise MapError(f"{quoted(value)} can't be stored in the entry {quoted(name)}")
        for place in places:
            self._ram.raw[place] = stored & 255
            stored >>= 8

    def write_grid(self, name: str, cells: npt.NDArray[np.uint8]) -> None:
        """Write a grid of symbol numbers, (rows, columns), as the bytes the map gives them (for tests)."""
        entry = self.require(name, "is to be written")
        assert entry.rows is not None
        assert entry.columns is not None
        back = {int(symbol): value for value, symbol in enumerate(self._tables[entry.codes])} if entry.codes else {}
        flat = [back.get(int(c), int(c)) for c in cells.reshape(-1)]
        self._ram.raw[self._places[name]] = np.array(flat, np.uint8)

    def name_of(self, address: int) -> str:
        """The entry (and cell) that a CPU address belongs to, or the address itself."""
        for name, entry in self.map.entries.items():
            where = entry.byte_addresses()
            if address in where:
                if not entry.is_grid or entry.columns is None:
                    return name
                row, column = divmod(where.index(address), entry.columns)
                return f"{name}[{row},{column}]"
        return f"{address:#06x}"
