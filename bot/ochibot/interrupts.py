"""Ends a command at once on Ctrl-C (SIGINT), SIGTERM or SIGHUP (its terminal was closed), without leftover files.

The exit code is 130, 143 or 129. Under ``nohup``, SIGHUP stays ignored.

The process exits inside the signal handler. An exception raised there could be lost in a core's callback, or turned
into another one by an import. Commands that end in their own way (``play`` prints its summary) replace the handlers
while they run. This module imports little, because it is the first that a command needs.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))

_received = 0
_acts: list[Callable[[], None]] = []
_line_open = False


def handlers() -> dict[int, Any]:
    """The present handler of each signal that ends a command: all of SIGNALS, but not a SIGHUP that is ignored."""
    found = {int(number): signal.getsignal(number) for number in SIGNALS}
    return {
        number: handler
        for number, handler in found.items()
        if number in (signal.SIGINT, signal.SIGTERM) or handler is not signal.SIG_IGN
    }


def install() -> None:
    """Installs the handlers that end this process. Call it only from the main thread of our own programs."""
    for number in handlers():
        signal.signal(number, at_once)


def installed() -> bool:
    """Whether the handlers of ``install`` are still in place."""
    return all(handler is at_once for handler in handlers().values())


def at_once(number: int, _: FrameType | None) -> NoReturn:
    """The handler: removes unfinished files, reports the signal, and exits."""
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    leftovers = sys.modules.get("ochibot.leftovers")
    try:
        # if the module isn't completely imported yet, there is nothing to remove
        if leftovers is not None and hasattr(leftovers, "sweep"):
            leftovers.sweep()
        for act in _acts:
            try:
                act()
            except Exception:
                continue
        for stream in (sys.stdout, sys.stderr):
            # flushes the output, which fails if the signal came in the middle of a write
            try:
                stream.flush()
            except Exception:
                continue
        os.write(2, b"\nochibot: interrupted\n" if _line_open else b"ochibot: interrupted\n")
    finally:
        os._exit(128 + number)


def note(number: int) -> None:
    """Remembers a signal that a command handles itself, for ``exit_code``."""
    global _received
    _received = number


def before_exit(act: Callable[[], None]) -> None:
    """Has the handlers call a function before the process exits, such as one that releases buttons elsewhere."""
    _acts.append(act)


def not_before_exit(act: Callable[[], None]) -> None:
    """Takes back ``before_exit``. Taking it back twice does nothing."""
    if act in _acts:
        _acts.remove(act)


def forget() -> None:
    """Forgets the last signal. Call it when a new command begins."""
    note(0)


def line_open(value: bool) -> None:
    """Tells the handler whether a line on stderr is unfinished. If so, the handler ends it before its message."""
    global _line_open
    _line_open = value


def exit_code() -> int:
    """The exit code for a command that a signal ended: 128 + the last noted signal, or 130 if none was noted."""
    return 128 + (_received or signal.SIGINT)


def run(command: Callable[[], None]) -> NoReturn:
    """Runs a function as a program: errors become one line and exit code 2, and signals end it at once."""
    from ochibot.errors import OchibotError

    install()
    try:
        command()
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(0)
