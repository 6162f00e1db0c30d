"""FCEUX's ``.nl``: names of addresses for its debugger, in ``GAME.nes.ram.nl`` beside the ROM.

A line is ``$0303/DF#field#the playfield``: the address in hexadecimal digits, after a slash the size of an array, also
in hexadecimal digits, then the name and a comment, both of which may be empty. A line that begins with a backslash goes
on with the comment of the line above. Source: FCEUX's help, ".nl files format" (fceux.com/web/help/NLFilesFormat.html).
"""

from __future__ import annotations

import re

from ochibot.errors import MapError
from ochibot.quoting import brief
from ochibot.ram import RamMap
from ochibot.ramtools.exchange.symbols import Exported, Imported, Symbol, System, symbols_of

_LINE = re.compile(r"\$([0-9A-Fa-f]{1,6})(?:/([0-9A-Fa-f]{1,6}))?#([^#]*)#(.*)")


def write(ram_map: RamMap) -> Exported:
    """Writes the map's entries as names. Raises MapError for a machine that isn't a Famicom."""
    if ram_map.system != "nes":
        raise MapError(f"FCEUX is for the Famicom alone: .nl isn't for maps of {ram_map.system}")
    symbols, left = symbols_of(ram_map, cells=False)
    lines = []
    for symbol in sorted(symbols, key=lambda each: each.address):
        size = symbol.size if symbol.size > 1 else symbol.width
        array = f"/{size:X}" if size > 1 else ""
        lines.append(f"${symbol.address:04X}{array}#{symbol.name}#{symbol.note.replace('#', ' ')}")
    return Exported("\n".join(lines) + "\n", len(lines), left)


def read(text: str, system: System) -> Imported:
    """Reads the names. Raises MapError when the text has none, or the machine is no Famicom."""
    if system.name != "nes":
        raise MapError(f"FCEUX is for the Famicom alone, not for {system.name}")
    found = Imported()
    lines = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("\\") and found.symbols:
            last = found.symbols[-1]
            found.symbols[-1] = Symbol(
                last.name, last.address, note=f"{last.note} {line[1:].strip()}".strip(), size=last.size
            )
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            if line.strip():
                found.left_out.append(f"line {number}: {brief(line.strip())} is no name of an address")
            continue
        lines += 1
        address = int(match[1], 16)
        if address not in system:
            found.left_out.append(f"line {number}: ${match[1]} is outside RAM")
        elif not match[3].strip():
            found.left_out.append(f"line {number}: ${match[1]} has a comment and no name")
        else:
            size = int(match[2], 16) if match[2] else 1
            found.symbols.append(Symbol(match[3].strip(), address, note=match[4].strip(), size=max(size, 1)))
    if not lines:
        raise MapError("a .nl has lines such as $0303#field#the playfield; this has none")
    return found
