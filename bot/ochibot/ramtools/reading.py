"""Reads images of RAM through a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ochibot.console import Bank, Ram, RamLayout
from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.pair import PairState
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.fits import Number, Symbols
from ochibot.ramtools.image import Image
from ochibot.ramtools.mapping import AnySymbols, byte_addresses


class Paper:
    """A map bound to images instead of a running console."""

    def __init__(self, ram_map: RamMap, layout: RamLayout, size: int, symbols: Mapping[str, int]) -> None:
        self.map = ram_map
        self.symbols = AnySymbols(symbols)
        self._ram = Ram(np.zeros(size, np.uint8), layout)
        self._order = np.arange(size) ^ layout.swap
        self.bound = BoundMap(ram_map, self._ram, self.symbols)

    def _show(self, image: Image) -> None:
        self._ram.raw[self._order[: len(image)]] = image.cells

    def value(self, name: str, image: Image) -> int:
        """The value of a single entry (not a grid) in an image."""
        self._show(image)
        return self.bound.value(name)

    def symbol(self, name: str, image: Image) -> str | None:
        """The symbol that an entry with codes has in an image; None for a byte that its table lacks."""
        return self.symbols.name_of(self.value(name, image))

    def __contains__(self, name: str) -> bool:
        return name in self.map.entries


def table_of(ram_map: RamMap, name: str, otherwise: Mapping[int, str] | None = None) -> Mapping[int, str]:
    """The table of an entry: symbols by number; ``otherwise`` when it has no table."""
    entry: Any = ram_map.entries.get(name)
    table = getattr(entry, "codes", None) or getattr(entry, "symbols", None)
    if table is None or table not in ram_map.codes:
        return otherwise or {}
    return ram_map.codes[table].values


def field_table(ram_map: RamMap) -> str:
    """The name of the field's table of codes, or ``colors``, the name for a proposed table."""
    return str(getattr(ram_map.entries.get("field"), "codes", None) or "colors")


def bits_of(ram_map: RamMap, name: str) -> tuple[int, int]:
    """The bit field that an entry reads: (mask, shift)."""
    entry: Any = ram_map.entries.get(name)
    mask, shift = getattr(entry, "mask", None), getattr(entry, "shift", None)
    return (0xFF if mask is None else int(mask)), (0 if shift is None else int(shift))


def address_of(ram_map: RamMap, name: str) -> int | None:
    """The address of an entry; None when the map lacks the entry, or it isn't a single byte."""
    if name not in ram_map.entries:
        return None
    addresses = byte_addresses(ram_map, name)
    return addresses[0] if len(addresses) == 1 else None


def uses(ram_map: RamMap, bank: Bank) -> bool:
    """Whether a map has entries in this bank of the cartridge's RAM."""
    return any(
        bank.first <= address <= bank.last for name in ram_map.entries for address in byte_addresses(ram_map, name)
    )


def raw_table(samples: Sequence[tuple[int, str]], address: int, most: int = 8) -> str:
    """A text that lists bytes (at most ``most``) and what each must mean, in the order of the bytes."""
    pairs = sorted(set(samples))
    told = ", ".join(f"{byte:#04x} is {meaning}" for byte, meaning in pairs[:most])
    more = f", and {len(pairs) - most} more" if len(pairs) > most else ""
    return f"at {address:04X} {told}{more}"


def denotes(ram_map: RamMap) -> str:
    """Whose position x and y are, as the map says: axis, partner or halves."""
    pair: Any = getattr(ram_map, "pair", None)
    said = pair.get("denotes") if isinstance(pair, dict) else getattr(pair, "denotes", None)
    return str(said or "axis")


@dataclass(frozen=True)
class PairReading:
    """Reads where the pair is, with the (address, form) of each value that the experiments found."""

    x: tuple[int, Number]
    y: tuple[int, Number]
    orientation: tuple[int, Symbols]
    denotes: str = "axis"

    def state(self, image: Image) -> PairState | None:
        """The pair's state; None when the bytes make no sense as one."""
        symbol = self.orientation[1].of(image[self.orientation[0]])
        if symbol is None or symbol.upper() not in Orientation.__members__:
            return None
        orientation = Orientation[symbol.upper()]
        x, y = self.x[1].of(image[self.x[0]]), self.y[1].of(image[self.y[0]])
        if self.denotes == "partner":
            dx, dy = STEP[orientation]
            x, y = x - dx, y - dy
        return PairState(x, y, orientation)
