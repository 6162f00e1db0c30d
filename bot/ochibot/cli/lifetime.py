"""Begins and ends a command's process without work that only long-running programs need.

A command's imports create some hundred thousand objects, and nearly all of them live to the end. Searching them for
garbage and destroying them one by one at the end took a fifth of a short command's time.
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
"""How many objects are created before the first garbage collection, about three times as many as ``play`` creates
until it starts playing. From then on, garbage is collected as often as Python usually does."""

_code: int | None = None


def begin() -> None:
    """Puts off garbage collection, and lets the process end without destroying its objects.

    Call it only in a process that runs nothing but a command, before the process imports anything large.
    """
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], _: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)

    gc.set_threshold(FIRST_SEARCH, *usual[1:])
    gc.callbacks.append(restore)
    # commands need no pydantic plugins; looking for them reads the metadata of every installed package
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # numpy's library would start a thread for each processor; the matrices of the lab's training are small
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # registered first, so called last: by then threads have ended and all other exit functions have run
    atexit.register(_leave)


def ends_with(code: int) -> None:
    """Notes that the command has ended and that the process shall exit with ``code``."""
    global _code
    _code = code


def _leave() -> None:
    """Flushes the output and ends the process, before Python begins to destroy all objects."""
    if _code is None:
        return  # ``main`` was left by an uncaught exception, which Python reports
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # the output can't be written: Python's own exit reports that
    os._exit(_code)
