"""The nuisance that waits to fall on a seat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pending:
    """Where the number of waiting nuisance is. each: the other seat's points for one of them.

    most: how many fall at once. queued: whether those beyond that wait on; they are lost otherwise. None: not seen.
    """

    place: int
    each: int
    most: int | None = None
    queued: bool | None = None
