"""A map's signs bound to RAM: each tells whether its condition holds now, such as a spawn or game over."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.keeping import Keeps
from ochibot.ram.conditions import Condition

Look = Callable[[], bool]
Read = Callable[[], int | None]
"""Reads an entry. While its pointer leads nowhere it returns None, which fulfils no condition."""


class Sign(Keeps):
    """A function that returns whether a condition holds now. It may be called any number of times.

    ``keep`` remembers the present values, with which ``rises`` and ``changes`` are compared later. Call ``keep`` once
    at the end of each frame, and after RAM was replaced, for example by loading a savestate.
    """

    _changing = ("_last",)

    def __init__(
        self, condition: Condition, reader: Callable[[str], Read], number: Callable[[str, int | str], int]
    ) -> None:
        """reader: returns an entry's reader. number: returns, for an entry and a number or symbol, the number that the
        entry's reader returns for it.
        """
        self._reader, self._number = reader, number
        self._reads: list[Read] = []
        self._last: list[int | None] = []
        self.look = self._made(condition)
        """Returns whether the condition holds now, as a call of the sign does, with one call less in every frame."""
        self.is_edge = bool(self._reads)
        """Whether the condition depends on the frame before, so that it may hold for a single frame only."""
        self.keep()

    def __call__(self) -> bool:
        """Whether the condition holds now."""
        return self.look()

    def keep(self) -> None:
        """Remembers the present values, which the next frame is compared with."""
        for at, read in enumerate(self._reads):
            self._last[at] = read()

    def _made(self, condition: Condition) -> Look:
        if condition.entry is not None:
            return self._question(condition, condition.entry)
        together = [self._made(part) for part in condition.all or condition.any or ()]
        if condition.all is not None:
            return lambda: all(look() for look in together)
        return lambda: any(look() for look in together)

    def _question(self, condition: Condition, entry: str) -> Look:
        read = self._reader(entry)
        values = frozenset(self._number(entry, value) for value in condition.is_ or condition.is_not or ())
        if condition.is_ is not None:
            (first, *others) = values
            return (lambda: read() in values) if others else (lambda: read() == first)
        if condition.is_not is not None:
            return lambda: (now := read()) is not None and now not in values
        at, last = len(self._reads), self._last
        self._reads.append(read)
        last.append(None)
        if condition.rises:
            return lambda: last[at] == 0 and bool(read())
        return lambda: (now := read()) is not None and last[at] is not None and now != last[at]
