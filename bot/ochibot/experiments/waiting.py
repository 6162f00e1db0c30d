"""The nuisance that waits to fall on a seat."""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.experiments.rig import Bytes
from ochibot.ram.places import byte_order


@dataclass(frozen=True)
class Pending:
    """Where the amount of waiting nuisance is kept. each: points of the other seat that make one nuisance.

    kind: the form of the number. A ``u8`` counts nuisance; a wider one counts points. most: how many fall at once.
    queued: whether the rest waits for the next fall; otherwise it is lost. None: not seen. plus: a second number of the
    same form, from which nuisance moves into this one before it falls.
    """

    place: int
    each: int
    kind: str = "u8"
    most: int | None = None
    queued: bool | None = None
    plus: int | None = None
    offset: bool | None = None
    """Whether a seat's own points cancel what waits for it; None: not seen."""

    def bytes_of(self, count: int, less: int = 0) -> dict[int, int]:
        """The bytes for this much nuisance, or for ``less`` points less."""
        number = count if self.kind == "u8" else count * self.each - less
        return {self.place + at: number >> 8 * low & 255 for low, at in enumerate(byte_order(self.kind))}

    def number(self, ram: Bytes, place: int) -> int:
        """The number of this form at a place."""
        return sum(int(ram[place + at]) << 8 * low for low, at in enumerate(byte_order(self.kind)))

    def count(self, ram: Bytes) -> int:
        """How much nuisance waits."""
        number = sum(self.number(ram, place) for place in (self.place, self.plus) if place is not None)
        return number if self.kind == "u8" else number // self.each
