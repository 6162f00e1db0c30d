"""Words for counts in messages: ``1 frame``, ``2,000 frames``."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with commas and its noun: ``2,000 frames``. ``many``: the plural (None: ``one`` + s)."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
