"""Measures a call's work without a clock, so that the result is the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """How many lines of Python a call runs in this thread, repeated lines included."""
    lines = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:  # noqa: ARG001
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return lines
