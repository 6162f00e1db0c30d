"""A small linker: makes a module of one object file in which every function is defined.

Memory begins with the stack, so that a stack that grows too large leaves the memory and ends the call. The data follow,
then the heap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from webengine.wasm import (
    CODE,
    DATA,
    DATUM,
    EXPORTS,
    FUNCTION,
    FUNCTIONS,
    GLOBAL,
    GLOBALS,
    MAGIC,
    MEMORIES,
    TYPES,
    ObjectFile,
    Reader,
    Relocation,
    listed,
    named,
    section,
    signed,
    unsigned,
)

STACK: Final = 65536
_PAGE: Final = 65536
_HEAP_ALIGN: Final = 64
_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _ADDRESS_BYTES, _TYPE_INDEX, _GLOBAL_INDEX = 0, 3, 4, 5, 6, 7
_PADDED: Final = 5
"""How many bytes a number takes that waits for a linker."""
_I32, _CONST_I32, _END = b"\x7f", b"\x41", b"\x0b"
_OF_FUNCTION, _OF_MEMORY, _OF_GLOBAL = b"\x00", b"\x02", b"\x03"


def link(code: ObjectFile, functions: Mapping[str, str], data: Mapping[str, str]) -> bytes:
    """A module. functions: the functions that it exports, each with its symbol's name. data: the same for data, whose
    addresses become globals. It also exports ``memory`` and the global ``__heap_base``, the address after the data.

    Raises ValueError.
    """
    if code.imports not in ([], ["__stack_pointer"]):
        raise ValueError(f"not all is defined: {', '.join(code.imports)}")
    addresses, at = [], STACK
    for segment in code.segments:
        at = -(-at // segment.align) * segment.align
        addresses.append(at)
        at += len(segment.content)
    heap = -(-at // _HEAP_ALIGN) * _HEAP_ALIGN
    by_name = {symbol.name: symbol for symbol in code.symbols}
    values = {"__heap_base": heap}
    for name, symbol in data.items():
        values[name] = addresses[by_name[symbol].place] + by_name[symbol].offset
    pointer = _I32 + b"\x01" + _CONST_I32 + signed(STACK) + _END
    constants = [_I32 + b"\x00" + _CONST_I32 + signed(value) + _END for value in values.values()]
    exports = [named("memory") + _OF_MEMORY + unsigned(0)]
    exports += [named(name) + _OF_FUNCTION + unsigned(by_name[symbol].place) for name, symbol in functions.items()]
    exports += [named(name) + _OF_GLOBAL + unsigned(1 + number) for number, name in enumerate(values)]
    return b"".join(
        (
            MAGIC,
            section(TYPES, code.sections[TYPES]),
            section(FUNCTIONS, code.sections[FUNCTIONS]),
            section(MEMORIES, listed([b"\x00" + unsigned(-(-heap // _PAGE))])),
            section(GLOBALS, listed([pointer, *constants])),
            section(EXPORTS, listed(exports)),
            section(CODE, listed(_bodies(code, addresses))),
            section(DATA, listed(_data(code, addresses))),
        )
    )


def _value(code: ObjectFile, wanted: Relocation, addresses: list[int]) -> int:
    """The number that belongs in a place."""
    if wanted.kind == _TYPE_INDEX:
        return wanted.symbol
    symbol = code.symbols[wanted.symbol]
    kinds = {_FUNCTION_INDEX: FUNCTION, _GLOBAL_INDEX: GLOBAL}
    if symbol.kind != kinds.get(wanted.kind, DATUM):
        raise ValueError(f"a relocation of kind {wanted.kind} for {symbol.name}")
    if symbol.kind == DATUM:
        return addresses[symbol.place] + symbol.offset + wanted.addend
    return symbol.place


def _bodies(code: ObjectFile, addresses: list[int]) -> Iterator[bytes]:
    """The functions, each with its size. Numbers that waited for a linker take no more bytes than they need."""
    reader = Reader(code.sections[CODE])
    waiting = iter([*code.relocations.get(CODE, ()), Relocation(-1, len(reader.raw), 0, 0)])
    wanted = next(waiting)
    for _ in range(reader.number()):
        size = reader.number()
        start, end = reader.at, reader.at + size
        reader.at = end
        parts = []
        while wanted.offset < end:
            if wanted.kind not in (_FUNCTION_INDEX, _ADDRESS, _SIGNED_ADDRESS, _TYPE_INDEX, _GLOBAL_INDEX):
                raise ValueError(f"relocations of kind {wanted.kind} aren't known in code")
            write = signed if wanted.kind == _SIGNED_ADDRESS else unsigned
            parts += [reader.raw[start : wanted.offset], write(_value(code, wanted, addresses))]
            start = wanted.offset + _PADDED
            wanted = next(waiting)
        body = b"".join((*parts, reader.raw[start:end]))
        yield unsigned(len(body)) + body


def _data(code: ObjectFile, addresses: list[int]) -> Iterator[bytes]:
    """The segments; those of zeros only are left out, because memory begins as zeros."""
    for segment, address in zip(code.segments, addresses, strict=True):
        content = bytearray(segment.content)
        for wanted in code.relocations.get(DATA, ()):
            place = wanted.offset - segment.at
            if 0 <= place < len(content):
                if wanted.kind != _ADDRESS_BYTES:
                    raise ValueError(f"relocations of kind {wanted.kind} aren't known in data")
                content[place : place + 4] = _value(code, wanted, addresses).to_bytes(4, "little")
        if any(content):
            yield b"\x00" + _CONST_I32 + signed(address) + _END + unsigned(len(content)) + content
