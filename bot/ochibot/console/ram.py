"""The work RAM of the emulated machine, addressed as its own processor does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ochibot.console.systems import RamLayout
from ochibot.errors import ConsoleError

CLOSED = "the console is closed"

_WINDOW = 256
"""Bytes of a table of ``bytes.translate``."""


class _Gone:
    """Takes the place of the memory after closing: any use raises the error that the console is closed."""

    def _closed(self, *_: object) -> NoReturn:
        raise ConsoleError(CLOSED)

    __getitem__ = __setitem__ = __len__ = __bytes__ = __getattr__ = _closed


@dataclass(frozen=True)
class _Readers:
    """Makers of readers. All readers share one memory; ``lose`` takes it away from all of them at once."""

    number: Callable[[Sequence[int], int, int], Callable[[], int]]
    several: Callable[[Sequence[int]], Callable[[], tuple[int, ...]]]
    symbol: Callable[[int, Sequence[int]], Callable[[], int]]
    cells: Callable[[npt.NDArray[np.intp], bytes | None], Callable[[], bytes]]
    grid: Callable[[npt.NDArray[np.intp], npt.NDArray[np.uint8] | None], Callable[[], npt.NDArray[np.uint8]]]
    lose: Callable[[], None]


def _readers(view: Any, raw: Any) -> _Readers:
    """``view`` and ``raw`` are variables of the readers. So checking that the memory still exists costs nothing."""

    def number(places: Sequence[int], scale: int, offset: int) -> Callable[[], int]:
        if len(places) == 1:
            place = places[0]
            if scale == 1 and offset == 0:
                return lambda: view[place]
            return lambda: view[place] * scale + offset
        if len(places) == 2:
            low, high = places
            return lambda: (view[low] | view[high] << 8) * scale + offset

        def read() -> int:
            value = 0
            for place in reversed(places):
                value = value << 8 | view[place]
            return value * scale + offset

        return read

    def several(places: Sequence[int]) -> Callable[[], tuple[int, ...]]:
        # one call for all of them: half the time of a call each
        get = itemgetter(*places)
        if len(places) == 1:
            return lambda: (get(view),)
        return lambda: get(view)

    def symbol(place: int, table: Sequence[int]) -> Callable[[], int]:
        return lambda: table[view[place]]

    def cells(places: npt.NDArray[np.intp], table: bytes | None) -> Callable[[], bytes]:
        where = [int(place) for place in places]
        low = min(*where, len(view) - _WINDOW)
        if low >= 0 and max(where) < low + _WINDOW:
            # bytes.translate picks the cells out of a block of 256: half the time that numpy takes
            window, order = slice(low, low + _WINDOW), bytes(place - low for place in where)
            if table is None:
                return lambda: order.translate(view[window].tobytes())
            return lambda: order.translate(view[window].tobytes()).translate(table)
        if table is None:
            return lambda: raw.take(places).tobytes()
        return lambda: raw.take(places).tobytes().translate(table)

    def grid(places: npt.NDArray[np.intp], table: npt.NDArray[np.uint8] | None) -> Callable[[], npt.NDArray[np.uint8]]:
        if table is None:
            return lambda: raw[places]
        return lambda: table[raw[places]]

    def lose() -> None:
        nonlocal view, raw
        view = raw = _Gone()

    return _Readers(number, several, symbol, cells, grid, lose)


class Ram:
    """Reads and writes the live memory of a running core; nothing is copied.

    ``raw`` is the core's own block as a (size,) uint8 array in host order, for precompiled index arrays
    (``index`` gives the place of a CPU address in it). Once the console is closed, everything here raises ConsoleError;
    an array ``raw`` that somebody has kept must not be read any more.
    """

    def __init__(self, raw: npt.NDArray[np.uint8], layout: RamLayout) -> None:
        self.raw = raw
        self.layout = layout
        self._bytes = memoryview(raw.data).cast("B")
        self._parts: list[memoryview] = []
        self.readers = _readers(self._bytes, raw)
        """Makers of readers of places in ``raw``."""

    def close(self) -> None:
        """Call it before the memory goes: nobody can read it through this any more. Closing twice does nothing."""
        self.readers.lose()
        for part in (*self._parts, self._bytes):
            if isinstance(part, memoryview):
                part.release()
        self._parts.clear()
        gone: Any = _Gone()
        self.raw = self._bytes = gone

    def __len__(self) -> int:
        return len(self._bytes)

    def index(self, address: int) -> int:
        """The place of a CPU address in ``raw``. Raises ConsoleError outside the RAM."""
        place = (address - self.layout.base) ^ self.layout.swap
        if not 0 <= place < len(self._bytes):
            low = self.layout.base
            raise ConsoleError(f"address {address:#06x} is not in RAM ({low:#x} to {low + len(self) - 1:#x})")
        return place

    def __getitem__(self, address: int) -> int:
        """The byte at a CPU address."""
        return self._bytes[self.index(address)]

    def __setitem__(self, address: int, value: int) -> None:
        """Write the byte at a CPU address."""
        self._bytes[self.index(address)] = value

    def view(self, most: int | None = None) -> memoryview:
        """The block, or its first ``most`` bytes, as a writable memoryview: the fastest way to read single bytes.

        It goes by ``raw`` index. Once the console is closed, reading it raises ValueError.
        """
        if most is None:
            return self._bytes
        part = self._bytes[:most]
        self._parts.append(part)
        return part

    def snapshot(self) -> bytes:
        """A copy of the whole block."""
        return bytes(self._bytes)
