"""BizHawk's ``.wch``: a line ``SystemID NES``, then one watch on each line, with tabs between its parts.

The parts: the address in hexadecimal digits, within a memory domain; the size (``b`` byte, ``w`` word, ``d`` four
bytes, ``S`` a separator); how it is shown (``u`` unsigned, ``s`` signed, ``h`` hexadecimal, ``b`` binary, …; ``_`` for
a separator); 1 when the highest byte comes first; the domain; a note. Source: BizHawk's ``Watch.cs`` and
``WatchList.cs`` (TASEmulators/BizHawk, src/BizHawk.Client.Common/tools/Watch).
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import MapError
from ochibot.quoting import brief, quoted
from ochibot.ram import RamMap
from ochibot.ramtools.exchange.symbols import Exported, Imported, Symbol, System, symbols_of, system_of

DOMAINS: Final = {"nes": ("NES", "RAM"), "megadrive": ("GEN", "68K RAM"), "gameboy": ("GB", "WRAM")}
"""BizHawk's names of each machine and of its work RAM. BizHawk has no Neo Geo."""

_SAME: Final = {"GBC": "GB"}
"""Further names of machines."""

BUSES: Final = ("System Bus", "M68K BUS")
"""Domains whose addresses are the processor's."""

_SIZES: Final = {1: "b", 2: "w", 4: "d"}


def write(ram_map: RamMap) -> Exported:
    """Writes the map as watches, one for each cell of a grid. Raises MapError for a machine without a known domain."""
    if ram_map.system not in DOMAINS:
        known = ", ".join(DOMAINS)
        raise MapError(f"no domain of BizHawk's is known for {ram_map.system}: .wch is for maps of {known}")
    name, domain = DOMAINS[ram_map.system]
    system = system_of(ram_map.system)
    symbols, left = symbols_of(ram_map, cells=True)
    lines = [f"SystemID {name}"]
    for symbol in symbols:
        for part in _parts(symbol, left):
            shown = "s" if part.kind[0] == "s" else "h" if part.digits or symbol.digits else "u"
            note = f"{part.name}: {part.note}" if part.note else part.name
            offset = system.offset(part.address)
            place, where = (part.address, BUSES[0]) if offset is None else (offset, domain)
            lines.append("\t".join((f"{place:04X}", _SIZES[part.width], shown, str(int(part.big)), where, note)))
    return Exported("\r\n".join(lines) + "\r\n", len(lines) - 1, left)


def _parts(symbol: Symbol, left: list[str]) -> list[Symbol]:
    if symbol.digits is None and symbol.width in _SIZES:
        return [symbol]
    if symbol.width > 1:
        left.append(f"{symbol.name}: {symbol.width} bytes, each a watch of its own")
    return [
        Symbol(symbol.name if symbol.width == 1 else f"{symbol.name}_byte{number}", symbol.address + number)
        for number in range(symbol.width)
    ]


def read(text: str, system: System) -> Imported:
    """Reads the watches on work RAM. Raises MapError when the text is no list of watches."""
    wanted, domain = DOMAINS.get(system.name, ("", ""))
    found = Imported()
    watches = 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("SystemID"):
            machine = line.removeprefix("SystemID").strip()
            if _SAME.get(machine, machine) != wanted:
                raise MapError(f"it is for BizHawk's machine {brief(machine)}, not for {system.name}")
            continue
        parts = line.split("\t", 5)
        if len(parts) < 6 or parts[2] == "_":
            continue
        watches += 1
        symbol = _symbol(parts, system, domain)
        if isinstance(symbol, str):
            found.left_out.append(f"line {number}, {brief(parts[5] or parts[0])}: {symbol}")
        else:
            found.symbols.append(symbol)
    if not watches:
        raise MapError("a .wch has a watch in each line, its parts apart by tabs; this has none")
    return found


def _symbol(parts: list[str], system: System, domain: str) -> Symbol | str:
    place, size, shown, big, where, note = parts
    width = next((width for width, letter in _SIZES.items() if letter == size), None)
    try:
        address = int(place, 16)
    except ValueError:
        return f"{quoted(place)} is no address"
    if width is None:
        return f"the size {quoted(size)} isn't known"
    if where == domain:
        address = system.address(address)
    elif where not in BUSES:
        return f"it is in {brief(where)}, not in work RAM"
    if address not in system:
        return f"there is no RAM at {place} of {brief(where)}"
    sign = "s" if shown == "s" else "u"
    name, _, rest = note.strip().partition(": ")
    kind = f"{sign}8" if width == 1 else f"{sign}{8 * width}{'be' if big.strip() == '1' else 'le'}"
    return Symbol(name or f"at_{place}", address, kind, rest)
