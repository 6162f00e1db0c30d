"""The nuisance that waits to fall on a seat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pending:
    """Where the amount of waiting nuisance is kept. each: points of the other seat that make one nuisance.

    most: how many fall at once. queued: whether the rest waits for the next fall; otherwise it is
    lost. None: not seen.
    """

    place: int
    each: int
    most: int | None = None
    queued: bool | None = None
