"""RetroArch's ``.cht``: cheats. Those for RetroArch's own handler name an address in the core's RAM.

A file has a line ``cheats = N``, then lines for each cheat: ``cheat0_desc = "score"``, ``cheat0_address``,
``cheat0_memory_search_size`` (0, 1, 2: 1, 2, 4 bits; 3, 4, 5: 8, 16, 32 bits), ``cheat0_big_endian``,
``cheat0_handler`` (1: RetroArch's own; 0: the core's, by a ``code``), ``cheat0_cheat_type`` (1: set to
``cheat0_value``), ``cheat0_enable``. The address counts from the start of the core's memory block, which holds words in
the host's order on some machines. Source: RetroArch's ``cheat_manager.c`` (what it saves and loads) and
docs.libretro.com, "Cheat codes".
"""

from __future__ import annotations

import re

from ochibot.errors import MapError
from ochibot.ram import RamMap
from ochibot.ramtools.exchange.symbols import Exported, Imported, Symbol, System, symbols_of, system_of

_BITS = {1: 3, 2: 4, 4: 5}
_LINE = re.compile(r"\s*(cheats|cheat(\d{1,5})_(\w+))\s*=\s*(.*?)\s*")
_MOST = 10_000


def write(ram_map: RamMap) -> Exported:
    """Writes the map's single values as cheats that are off and would set the value 0. Leaves out grids."""
    system = system_of(ram_map.system)
    swap = system.ram.swap
    symbols, left = symbols_of(ram_map, cells=False)
    lines: list[str] = []
    number = 0
    for symbol in symbols:
        if symbol.size > 1:
            left.append(f"{symbol.name}: a cheat is of a single value")
            continue
        for part in _parts(symbol, left):
            offset = system.offset(part.address)
            width, big = part.width, part.big
            if offset is None:
                left.append(f"{part.name}: no cheat can name what isn't in work RAM")
                continue
            if swap:
                if width == 4 or (width == 2 and offset % 2):
                    left.append(f"{part.name}: the core keeps its words in another order, so no cheat can name it")
                    continue
                offset, big = (offset ^ swap, False) if width == 1 else (offset, not big)
            said = {
                "desc": f'"{part.name}"',
                "code": '""',
                "enable": '"false"',
                "handler": '"1"',
                "address": f'"{offset}"',
                "memory_search_size": f'"{_BITS[width]}"',
                "big_endian": f'"{str(big).lower()}"',
                "cheat_type": '"1"',
                "value": '"0"',
            }
            lines += [f"cheat{number}_{key} = {value}" for key, value in said.items()]
            number += 1
    return Exported("\n".join([f'cheats = "{number}"', *lines]) + "\n", number, left)


def _parts(symbol: Symbol, left: list[str]) -> list[Symbol]:
    """The symbol itself, or a symbol for each of its bytes if no cheat can hold the whole value."""
    if symbol.digits is None and symbol.width in _BITS:
        return [symbol]
    if symbol.width == 1:
        return [Symbol(symbol.name, symbol.address, note=symbol.note)]
    left.append(f"{symbol.name}: {symbol.width} bytes, each a cheat of its own")
    return [Symbol(f"{symbol.name}_byte{number}", symbol.address + number) for number in range(symbol.width)]


def read(text: str, system: System) -> Imported:
    """Reads the cheats that name an address. Raises MapError when the text is no list of cheats."""
    cheats: dict[int, dict[str, str]] = {}
    counted = False
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        counted = counted or match[1] == "cheats"
        if match[2] is not None and int(match[2]) < _MOST:
            cheats.setdefault(int(match[2]), {})[match[3]] = match[4].strip('"')
    if not counted:
        raise MapError("a .cht begins with the number of its cheats (cheats = 3); this has none")
    found = Imported()
    for number, said in sorted(cheats.items()):
        name = said.get("desc") or f"cheat{number}"
        if said.get("handler", "0") != "1":
            found.left_out.append(f"{name}: it is a code for the core, which names no address")
            continue
        symbol = _symbol(name, said, system)
        if isinstance(symbol, str):
            found.left_out.append(f"{name}: {symbol}")
        else:
            found.symbols.append(symbol)
    return found


def _symbol(name: str, said: dict[str, str], system: System) -> Symbol | str:
    numbers = {key: said.get(key, default) for key, default in (("address", ""), ("memory_search_size", "3"))}
    if not all(value.isascii() and value.isdigit() and len(value) < 12 for value in numbers.values()):
        return "its address or size is no number"
    offset, bits = (int(value) for value in numbers.values())
    width = next((width for width, size in _BITS.items() if size == bits), None)
    big = said.get("big_endian", "false") in ("true", "1")
    if width is None:
        return "it is of single bits"
    swap = system.ram.swap
    if swap and width > 1:
        if width == 4 or offset % 2:
            return "the core keeps its words in another order"
        big = not big
    address = system.address(offset ^ swap if width == 1 else offset)
    if address not in system:
        return f"there is no work RAM at {offset:#x}"
    return Symbol(name, address, "u8" if width == 1 else f"u{8 * width}{'be' if big else 'le'}")
