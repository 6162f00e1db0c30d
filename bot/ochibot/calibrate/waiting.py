"""What waits to fall on a seat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pending:
    """Where the nuisance that waits for a seat is. each: points for one, as the other seat's clears tell."""

    place: int
    each: int
