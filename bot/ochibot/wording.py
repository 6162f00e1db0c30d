"""Counts in messages: ``1 frame``, ``2,000 frames``."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """The number, with a comma before each three digits, and what is counted. many: its plural, ``one`` + s if None."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
