"""The binary format of WebAssembly: numbers, sections, and LLVM's object files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MAGIC: Final = b"\0asm\x01\0\0\0"
TYPES, IMPORTS, FUNCTIONS, MEMORIES, GLOBALS, EXPORTS, CODE, DATA = 1, 2, 3, 5, 6, 7, 10, 11
_CUSTOM: Final = 0
_SEGMENT_INFO, _SYMBOLS = 5, 8
FUNCTION, DATUM, GLOBAL = 0, 1, 2
"""The kinds of symbols."""
_UNDEFINED, _NAMED = 0x10, 0x40


def unsigned(number: int) -> bytes:
    """A whole number from 0 in the format LEB128."""
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*made, number])


def signed(number: int) -> bytes:
    """A whole number in the signed format LEB128."""
    made = bytearray()
    while not -0x40 <= number < 0x40:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*made, number & 0x7F])


def named(name: str) -> bytes:
    """A name with its length."""
    raw = name.encode()
    return unsigned(len(raw)) + raw


def listed(parts: Iterable[bytes]) -> bytes:
    """Parts with their number before them."""
    parts = list(parts)
    return unsigned(len(parts)) + b"".join(parts)


def section(number: int, content: bytes) -> bytes:
    """A section of a module."""
    return bytes([number]) + unsigned(len(content)) + content


class Reader:
    """Reads numbers, names and bytes one after the other."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.at = 0

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.raw[self.at - 1]

    def number(self) -> int:
        """The next number; a signed one only if it isn't negative."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return found

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self.at += count
        return self.raw[self.at - count : self.at]

    def name(self) -> str:
        """The next name."""
        return self.take(self.number()).decode()

    def ends(self) -> bool:
        """Whether all is read."""
        return self.at >= len(self.raw)


class Symbol(NamedTuple):
    """A symbol of an object file. place: a function's or global's index; a datum's segment. offset: in the segment."""

    kind: int
    name: str
    place: int
    offset: int = 0


class Relocation(NamedTuple):
    """A place in a section where a symbol's number belongs. kind: as the format numbers them."""

    kind: int
    offset: int
    symbol: int
    addend: int


class Segment(NamedTuple):
    """A part of the initial memory. align: its address is a multiple of this power of two."""

    content: bytes
    align: int
    at: int
    """Where the content begins in its section."""


@dataclass
class ObjectFile:
    """An object file that LLVM wrote. relocations: by the number of the section."""

    sections: dict[int, bytes] = field(default_factory=dict)
    symbols: list[Symbol] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    relocations: dict[int, list[Relocation]] = field(default_factory=dict)
    imports: list[str] = field(default_factory=list)


WITH_ADDEND: Final = (3, 4, 5)
"""The kinds of relocations that are addresses in memory: as an unsigned number, as a signed one, as four bytes."""


def read_object(raw: bytes) -> ObjectFile:
    """Reads an object file. Raises ValueError."""
    reader = Reader(raw)
    if reader.take(len(MAGIC)) != MAGIC:
        raise ValueError("no WebAssembly")
    found = ObjectFile()
    numbers: list[int] = []
    aligns: list[int] = []
    while not reader.ends():
        number = reader.byte()
        inside = Reader(reader.take(reader.number()))
        numbers.append(number)
        if number != _CUSTOM:
            found.sections[number] = inside.raw
            continue
        name = inside.name()
        if name == "linking":
            aligns = _read_linking(inside, found)
        elif name.startswith("reloc."):
            of = numbers[inside.number()]
            found.relocations[of] = list(_relocations(inside))
    found.imports = list(_imports(found.sections.get(IMPORTS, b"\0")))
    found.segments = list(_segments(found.sections.get(DATA, b"\0"), aligns))
    return found


def _read_linking(reader: Reader, found: ObjectFile) -> list[int]:
    """Reads the symbols; returns how the segments are aligned."""
    aligns: list[int] = []
    if (version := reader.number()) != 2:
        raise ValueError(f"object files of version {version} aren't known")
    while not reader.ends():
        kind = reader.byte()
        inside = Reader(reader.take(reader.number()))
        if kind == _SEGMENT_INFO:
            for _ in range(inside.number()):
                inside.name()
                aligns.append(1 << inside.number())
                inside.number()
        elif kind == _SYMBOLS:
            found.symbols = [_symbol(inside) for _ in range(inside.number())]
    return aligns


def _symbol(reader: Reader) -> Symbol:
    kind, flags = reader.byte(), reader.number()
    if kind == DATUM:
        name = reader.name()
        if flags & _UNDEFINED:
            raise ValueError(f"{name} isn't defined")
        place, offset, _ = reader.number(), reader.number(), reader.number()
        return Symbol(kind, name, place, offset)
    if kind not in (FUNCTION, GLOBAL):
        raise ValueError(f"symbols of kind {kind} aren't known")
    place = reader.number()
    named = not flags & _UNDEFINED or flags & _NAMED
    return Symbol(kind, reader.name() if named else "", place)


def _relocations(reader: Reader) -> Iterator[Relocation]:
    for _ in range(reader.number()):
        kind, offset, symbol = reader.byte(), reader.number(), reader.number()
        yield Relocation(kind, offset, symbol, _addend(reader) if kind in WITH_ADDEND else 0)


def _addend(reader: Reader) -> int:
    start = reader.at
    number = reader.number()
    bits = 7 * (reader.at - start)
    return number - (1 << bits) if number >> (bits - 1) & 1 else number


def _imports(raw: bytes) -> Iterator[str]:
    """The names of the imported functions and globals, memory left out."""
    reader = Reader(raw)
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == 0:
            reader.number()
        elif kind == 2:
            limits = reader.byte()
            reader.number()
            if limits & 1:
                reader.number()
            continue
        elif kind == 3:
            reader.take(2)
        else:
            raise ValueError(f"{name}: imports of kind {kind} aren't known")
        yield name


def _segments(raw: bytes, aligns: list[int]) -> Iterator[Segment]:
    reader = Reader(raw)
    for number in range(reader.number()):
        if reader.number() != 0 or reader.byte() != 0x41:
            raise ValueError("a segment without a constant place")
        reader.number()
        reader.byte()
        size = reader.number()
        at = reader.at
        yield Segment(reader.take(size), aligns[number], at)
