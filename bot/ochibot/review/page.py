"""The page of a review: one HTML file that needs no network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_PAGE: Final = Path(__file__).resolve().parent / "static" / "review.html"
_MARK: Final = "__REVIEW__"


def page_of(review: Mapping[str, Any] | None) -> str:
    """The page with a review in it; None: only its analysis board."""
    # no text of a game may end the script element that holds the data
    data = json.dumps(review, separators=(",", ":")).replace("<", "\\u003c")
    return _PAGE.read_text(encoding="utf-8").replace(_MARK, data, 1)
