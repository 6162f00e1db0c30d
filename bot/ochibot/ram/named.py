"""Access to RAM by the names of a map's entries."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ochibot.console.ram import Ram
from ochibot.errors import MapError
from ochibot.quoting import brief, quoted
from ochibot.ram.bound import BoundMap


class NamedRam:
    """``ram["score"]`` reads a value through the map, ``ram["field"]`` a grid; ``ram[0x6F]`` a byte by address."""

    def __init__(self, bound: BoundMap, ram: Ram, check: Callable[[], None] = lambda: None) -> None:
        """``check`` raises an error while RAM holds nothing that the map describes."""
        self._bound = bound
        self._ram = ram
        self._check = check

    def __getitem__(self, name: str | int) -> int | npt.NDArray[np.uint8]:
        """A value, a grid (rows, columns), or a byte. Raises MapError for a name that the map doesn't have."""
        if isinstance(name, int):
            return self._ram[name]
        if name not in self._bound:
            has = brief(", ".join(self.names()), 160)
            raise MapError(f"the map {self._bound.map.name} has no entry {quoted(name)}; it has {has}")
        self._check()
        return self._bound.grid(name) if self._bound.map.entries[name].is_grid else self._bound.value(name)

    def __setitem__(self, name: str | int, value: int) -> None:
        """Writes a value or a byte, for experiments. Raises MapError when it can't be stored there."""
        if isinstance(name, int):
            self._ram[name] = value
        else:
            self._bound.write(name, value)

    def names(self) -> tuple[str, ...]:
        """The names of the map's entries."""
        return tuple(self._bound.map.entries)
