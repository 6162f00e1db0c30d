"""Maps for tools that know no game: they accept any symbol, and name addresses by a map's entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ochibot.console import Ram
from ochibot.data import data_root, is_file, shipped_file
from ochibot.errors import MapError, UsageError
from ochibot.quoting import brief_path, quoted
from ochibot.ram import BoundMap, RamMap, load_map
from ochibot.ramtools.kinds import KINDS, Kind, find_kind, number_of


class AnySymbols(Mapping[str, int]):
    """A mapping that has any symbol. A symbol gets the lowest unused number when it is first looked up."""

    def __init__(self, first: Mapping[str, int] | None = None) -> None:
        self._numbers = dict(first or {"empty": 0})

    def __getitem__(self, name: str) -> int:
        if name not in self._numbers:
            taken = set(self._numbers.values())
            self._numbers[name] = next(number for number in range(255) if number not in taken)
        return self._numbers[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def name_of(self, number: int) -> str | None:
        """The symbol of a number; None when no symbol has it."""
        return next((name for name, each in self._numbers.items() if each == number), None)


def map_path(wanted: Path) -> Path:
    """The file of a map: the path itself, or a shipped map's file by its name, such as ``famicom_puyo/player1``.

    Raises MapError, with the names of the shipped maps.
    """
    # a shipped name means the shipped map, whatever files lie in the current folder
    shipped = shipped_file("ram_maps", wanted.as_posix())
    if shipped is not None:
        return shipped
    if is_file(wanted) or wanted.suffix:
        return wanted
    root = data_root() / "ram_maps"
    names = ", ".join(str(path.relative_to(root).with_suffix("")) for path in sorted(root.glob("*/player1.yaml")))
    raise MapError(f"there is no map {brief_path(wanted)}; give a file, or a shipped one such as {names}")


def read_map(wanted: Path, symbols: Mapping[str, int] | None = None) -> RamMap:
    """Reads a map of any game, by its file or its shipped name. Raises MapError."""
    return load_map(map_path(wanted), AnySymbols() if symbols is None else symbols)


@dataclass(frozen=True)
class NamedPlace:
    """A value in RAM to look at. entry: its name in the map, or None for a plain address."""

    name: str
    address: int
    kind: Kind
    entry: str | None = None


class Names:
    """The names that a map gives to the bytes of RAM."""

    def __init__(self, ram_map: RamMap | None) -> None:
        self.map = ram_map
        self._names: dict[int, str] = {}
        for name, entry in (ram_map.entries if ram_map is not None else {}).items():
            for number, address in enumerate(byte_addresses(ram_map, name)):
                self._names.setdefault(address, _cell_name(name, entry.is_grid, entry.columns, number))

    def of(self, address: int) -> str:
        """The map's name for a byte; empty when it has none."""
        return self._names.get(address, "")

    def __contains__(self, address: int) -> bool:
        return address in self._names


def byte_addresses(ram_map: RamMap | None, name: str) -> list[int]:
    """The addresses of an entry's bytes; none for an entry with a pointer."""
    assert ram_map is not None
    entry = ram_map.entries[name]
    if getattr(entry, "pointer", None) is not None:
        return []
    return entry.byte_addresses()


def _cell_name(name: str, grid: bool, columns: int | None, number: int) -> str:
    if not grid or not columns:
        return name
    row, column = divmod(number, columns)
    return f"{name}[{row},{column}]"


def parse_place(text: str, ram_map: RamMap | None = None) -> NamedPlace:
    """Parses a place as people type it: an entry's name, an address, or ``0x7A:u24le``. Raises UsageError."""
    where, colon, kind = text.partition(":")
    if ram_map is not None and where in ram_map.entries:
        if colon:
            raise UsageError(f"{quoted(text)}: the map already has the kind of {where}; give the name alone")
        addresses = byte_addresses(ram_map, where)
        return NamedPlace(where, addresses[0] if addresses else 0, KINDS["u8"], where)
    try:
        address = number_of(where)
    except ValueError:
        names = f" or a name of the map, such as {next(iter(ram_map.entries), 'score')}" if ram_map is not None else ""
        raise UsageError(f"{quoted(text)} is no address: give one such as 0x7A or 0x7A:u24le{names}") from None
    return NamedPlace(f"{address:04X}", address, find_kind(kind) if colon else KINDS["u8"])


def check_inside(place: NamedPlace, ram: Ram) -> None:
    """Raises UsageError when a place isn't in RAM."""
    if place.entry is None and not all(place.address + byte in ram for byte in range(place.kind.width)):
        raise UsageError(f"the address {place.address:#x} is not in RAM, which lies from {ram.areas()}")


def shown(bound: BoundMap, symbols: AnySymbols, name: str) -> str:
    """An entry's present value as text: a number, a symbol, or a grid's rows in one line."""
    entry = bound.map.entries[name]
    if entry.is_grid:
        rows = bound.grid(name)
        return "/".join("".join(_sign(symbols, int(cell), entry.codes) for cell in row) for row in rows)
    value = bound.value(name)
    if entry.codes is not None:
        return symbols.name_of(value) or f"unknown ({bound.raw_bytes(name).hex(' ')})"
    return str(value)


def _sign(symbols: AnySymbols, cell: int, codes: str | None) -> str:
    if codes is None:
        return f"{cell:02x}"
    name = symbols.name_of(cell)
    if name is None:
        return "?"
    return "." if name == "empty" else name[0].upper() if name != "nuisance" else "o"
