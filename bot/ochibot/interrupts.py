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
    """From now on a signal ends this process. For the main thread of a program of our own; libraries don't."""
    for number in SIGNALS:
        signal.signal(number, at_once)


def installed() -> bool:
    """Whether ``install`` has been called, and nobody has taken the signals over since."""
    return all(signal.getsignal(number) is at_once for number in SIGNALS)


def at_once(number: int, _: FrameType | None) -> NoReturn:
    """The handler: remove what isn't finished, say so, and leave."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    leftovers = sys.modules.get("ochibot.leftovers")
    try:
        # one that is being imported only now has nothing to remove
        if leftovers is not None and hasattr(leftovers, "sweep"):
            leftovers.sweep()
        for stream in (sys.stdout, sys.stderr):
            # what has been said; in the middle of a write it can't be done
            try:
                stream.flush()
            except Exception:
                continue
        os.write(2, b"\nochibot: interrupted\n" if _line_open else b"ochibot: interrupted\n")
    finally:
        os._exit(128 + number)


def note(number: int) -> None:
    """A signal has come that a command takes in its own way."""
    global _received
    _received = number


def forget() -> None:
    """A new command begins."""
    note(0)


def line_open(value: bool) -> None:
    """Whether the cursor stands behind a line on stderr that isn't ended."""
    global _line_open
    _line_open = value


def exit_code() -> int:
    """Of a command that was ended by the signal last noted; 130 if there was none (Ctrl-C was an exception then)."""
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
