"""How commands print shares, such as the agreement."""

from __future__ import annotations

import pytest
from ochibot.cli.output import share_text


@pytest.mark.parametrize(
    ("share", "digits", "text"),
    [
        (1.0, 4, "1"),
        (0.99999, 4, "0.9999"),  # one miss in 100,000 once read as 1.0000
        (4_999_999 / 5_000_000, 6, "0.999999"),
        (0.5, 4, "0.5"),
        (0.0, 6, "0"),
        (None, 6, "unknown (no piece has locked)"),
    ],
)
def test_only_what_is_whole_reads_as_one(share: float | None, digits: int, text: str) -> None:
    assert share_text(share, digits) == text
