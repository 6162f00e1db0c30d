"""Makes functions that read a console's memory at fixed indices, as fast as Python allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConsoleError

CLOSED = "the console is closed"

_WINDOW = 256
"""The size in bytes of a table for ``bytes.translate``."""


class Gone:
    """Replaces the memory of a closed console: every access raises ConsoleError."""

    def _closed(self, *_: object) -> NoReturn:
        raise ConsoleError(CLOSED)

    __getitem__ = __setitem__ = __len__ = __bytes__ = __getattr__ = _closed


@dataclass(frozen=True)
class Readers:
    """Functions that make readers of one memory at given indices. After ``lose``, all readers raise ConsoleError.

    What their readers return: number: a little-endian number, times a scale, plus an offset. several: a tuple of bytes.
    symbol: a byte's entry in a table. cells: bytes. grid: an array with the shape of its indices. ``cells`` and
    ``grid`` look each byte up in a table if one is given.
    """

    number: Callable[[Sequence[int], int, int], Callable[[], int]]
    several: Callable[[Sequence[int]], Callable[[], tuple[int, ...]]]
    symbol: Callable[[int, Sequence[int]], Callable[[], int]]
    cells: Callable[[npt.NDArray[np.intp], bytes | None], Callable[[], bytes]]
    grid: Callable[[npt.NDArray[np.intp], npt.NDArray[np.uint8] | None], Callable[[], npt.NDArray[np.uint8]]]
    lose: Callable[[], None]


def readers_of(view: Any, raw: Any) -> Readers:
    """The functions that make readers of one memory. Readers refer to ``view`` and ``raw`` as closure variables, so
    ``lose`` can replace the memory, and no read needs a check.
    """

    def number(places: Sequence[int], scale: int, offset: int) -> Callable[[], int]:
        if len(places) == 1:
            place = places[0]
            if scale == 1 and offset == 0:
                return lambda: view[place]
            return lambda: view[place] * scale + offset
        if len(places) == 2:
            low, high = places
            return lambda: (view[low] | view[high] << 8) * scale + offset

        low, beyond = places[0], places[-1] + 1
        if list(places) == list(range(low, beyond)):
            return lambda: int.from_bytes(view[low:beyond], "little") * scale + offset

        def read() -> int:
            value = 0
            for place in reversed(places):
                value = value << 8 | view[place]
            return value * scale + offset

        return read

    def several(places: Sequence[int]) -> Callable[[], tuple[int, ...]]:
        # one call for all bytes takes half the time of one call for each
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
            # bytes.translate can pick cells out of a block of up to 256 bytes, in half the time of numpy
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
        view = raw = Gone()

    return Readers(number, several, symbol, cells, grid, lose)


def banked(parts: Sequence[tuple[int, Readers]]) -> Readers:
    """The functions that make readers of several blocks of memory whose indices follow each other.

    parts: each block's first index (0 for the first block) and its ``Readers``. Bytes within one block are read as fast
    as if it were the only one. Bytes from several blocks are read one by one.
    """
    starts = [start for start, _ in parts]

    def block_of(place: int) -> int:
        return max(at for at, start in enumerate(starts) if start <= place)

    def only(places: Sequence[int]) -> tuple[Readers, int] | None:
        blocks = {block_of(place) for place in places}
        at = next(iter(blocks)) if len(blocks) == 1 else None
        return None if at is None else (parts[at][1], starts[at])

    def number(places: Sequence[int], scale: int, offset: int) -> Callable[[], int]:
        one = only(places)
        if one is not None:
            return one[0].number([place - one[1] for place in places], scale, offset)
        read = several(places)
        return lambda: int.from_bytes(bytes(read()), "little") * scale + offset

    def several(places: Sequence[int]) -> Callable[[], tuple[int, ...]]:
        one = only(places)
        if one is not None:
            return one[0].several([place - one[1] for place in places])
        singles = [number([place], 1, 0) for place in places]
        return lambda: tuple([read() for read in singles])

    def symbol(place: int, table: Sequence[int]) -> Callable[[], int]:
        at = block_of(place)
        return parts[at][1].symbol(place - starts[at], table)

    def cells(places: npt.NDArray[np.intp], table: bytes | None) -> Callable[[], bytes]:
        where = [int(place) for place in places.reshape(-1)]
        one = only(where)
        if one is not None:
            return one[0].cells(places - one[1], table)
        read = several(where)
        if table is None:
            return lambda: bytes(read())
        return lambda: bytes(read()).translate(table)

    def grid(places: npt.NDArray[np.intp], table: npt.NDArray[np.uint8] | None) -> Callable[[], npt.NDArray[np.uint8]]:
        one = only([int(place) for place in places.reshape(-1)])
        if one is not None:
            return one[0].grid(places - one[1], table)
        read = cells(places, None if table is None else table.tobytes())
        return lambda: np.frombuffer(read(), np.uint8).reshape(places.shape).copy()

    def lose() -> None:
        for _, makers in parts:
            makers.lose()

    return Readers(number, several, symbol, cells, grid, lose)
