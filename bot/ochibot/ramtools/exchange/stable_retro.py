"""stable-retro's ``data.json``: ``{"info": {"score": {"address": 122, "type": "<u3"}}}``.

Addresses are those of the machine's processor. A type is the byte order (``<``, ``>``, or ``|`` for one byte), a letter
and the number of bytes. The letters: ``u`` unsigned, ``i`` signed, ``d`` two decimal digits a byte, ``n`` one digit in
the lower half of each byte. Source: stable-retro's documentation, "Game integration"
(stable-retro.farama.org), and the files of its own integrations, which use all of these.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ochibot.errors import MapError
from ochibot.quoting import brief, quoted
from ochibot.ram import RamMap
from ochibot.ramtools.exchange.symbols import Exported, Imported, Symbol, System, symbols_of

_TYPE = re.compile(r"([<>|=])([uidn])([1-8])")


def write(ram_map: RamMap) -> Exported:
    """Writes the map as a ``data.json``, with each cell of a grid as a variable of its own."""
    symbols, left = symbols_of(ram_map, cells=True)
    info = {symbol.name: {"address": symbol.address, "type": _type(symbol)} for symbol in symbols}
    return Exported(json.dumps({"info": info}, indent=2) + "\n", len(info), left)


def _type(symbol: Symbol) -> str:
    letter = {"bcd": "d", "decimal": "n"}.get(symbol.digits or "", "i" if symbol.kind[0] == "s" else "u")
    if symbol.width == 1:
        return f"|{letter}1"
    big = not symbol.low_first if symbol.digits else symbol.big
    return f"{'>' if big else '<'}{letter}{symbol.width}"


def read(text: str, system: System) -> Imported:
    """Reads the variables of a ``data.json``. Raises MapError."""
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MapError(f"not valid JSON: {brief(str(error), 120)}") from None
    info = data.get("info") if isinstance(data, dict) else None
    if not isinstance(info, dict):
        raise MapError('a data.json has a table "info" of names, addresses and types; this has none')
    found = Imported()
    for name, said in info.items():
        address = said.get("address") if isinstance(said, dict) else None
        kind = said.get("type") if isinstance(said, dict) else None
        if not isinstance(address, int) or isinstance(address, bool) or not isinstance(kind, str):
            raise MapError(f"info.{brief(name)}: give an address (a number) and a type such as |u1")
        match = _TYPE.fullmatch(kind)
        if match is None:
            found.left_out.append(f"{name}: the type {quoted(kind)} isn't known here")
        elif address not in system:
            found.left_out.append(f"{name}: {address:#x} is outside RAM")
        else:
            symbol = _symbol(name, address, match)
            if symbol is None:
                found.left_out.append(f"{name}: no map has the type {quoted(kind)}")
            else:
                found.symbols.append(symbol)
    return found


def _symbol(name: str, address: int, match: re.Match[str]) -> Symbol | None:
    order, letter, count = match[1], match[2], int(match[3])
    if letter in "dn":
        digits = "bcd" if letter == "d" else "decimal"
        return Symbol(name, address, digits=digits, count=count, low_first=order == "<" and count > 1)
    if count > 4:
        return None
    sign = "u" if letter == "u" else "s"
    return Symbol(name, address, f"{sign}8" if count == 1 else f"{sign}{8 * count}{'be' if order == '>' else 'le'}")
