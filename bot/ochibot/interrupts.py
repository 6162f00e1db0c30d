"""What Ctrl-C (SIGINT) and SIGTERM do to a command: it ends at once, with exit code 130 or 143 and nothing left behind.

The process is left from the signal's handler itself. An exception raised there would be lost in a callback of a core,
or come out of an import as another one. Commands that want to end in their own way (``play`` with its summary) take the
signals over while they do. This module imports little: it is the first that a command needs.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_received = 0
_line_open = False


def install() -> None:
    """From now on a signal ends this process. For the main thread of our own programs, not for libraries."""
    for number in SIGNALS:
        signal.signal(number, at_once)


def installed() -> bool:
    """Whether ``install`` has been called, and nobody has taken the signals over since."""
    return all(signal.getsignal(number) is at_once for number in SIGNALS)


def at_once(number: int, _: FrameType | None) -> NoReturn:
    """The handler: removes unfinished files, reports the signal, and exits."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    leftovers = sys.modules.get("ochibot.leftovers")
    try:
        # a module that is only being imported now has nothing to remove
        if leftovers is not None and hasattr(leftovers, "sweep"):
            leftovers.sweep()
        for stream in (sys.stdout, sys.stderr):
            # flushes what was written; in the middle of a write that isn't possible
            try:
                stream.flush()
            except Exception:
                continue
        os.write(2, b"\nochibot: interrupted\n" if _line_open else b"ochibot: interrupted\n")
    finally:
        os._exit(128 + number)


def note(number: int) -> None:
    """Notes a signal that a command handles itself."""
    global _received
    _received = number


def forget() -> None:
    """Call it when a new command begins."""
    note(0)


def line_open(value: bool) -> None:
    """Whether the cursor stands behind an unfinished line on stderr."""
    global _line_open
    _line_open = value


def exit_code() -> int:
    """The exit code of a command that was ended by the signal last noted; 130 if there was none (Ctrl-C was an
    exception).
    """
    return 128 + (_received or signal.SIGINT)


def run(command: Callable[[], None]) -> NoReturn:
    """Run a program of one function: its errors are one line and exit code 2, signals end it at once."""
    from ochibot.errors import OchibotError

    install()
    try:
        command()
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(0)
