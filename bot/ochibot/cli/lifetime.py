"""How the process of a command begins and ends: without work that only a long-lived program needs.

A command makes some hundred thousand objects while it imports what it needs, and keeps nearly all of them. To look
among them for garbage, and to take them apart one by one at the end, took a fifth of a short command's time.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

FIRST_SEARCH = 400_000
"""Objects made and kept before garbage is looked for the first time, about three times what ``play`` needs to begin.
From then on it is looked for as often as Python does."""

_code: int | None = None


def begin() -> None:
    """For a process of our own, before it imports anything large."""
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], _: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)

    gc.set_threshold(FIRST_SEARCH, *usual[1:])
    gc.callbacks.append(restore)
    # pydantic reads the metadata of every installed package for plugins: commands need none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # the first to be registered is the last to be called: threads have ended then, and all others were called
    atexit.register(_leave)


def ends_with(code: int) -> None:
    """The command has ended: ``code`` is the exit code of the process."""
    global _code
    _code = code


def _leave() -> None:
    """End the process where Python would go on to take its objects apart."""
    if _code is None:
        return  # an exception that nobody has caught: Python tells it
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # Python's own end tells what it can't write
    os._exit(_code)
