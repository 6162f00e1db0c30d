"""What every command shares: pictures that must be writable, where people's text goes, the status line, Ctrl-C."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TextIO

from ochibot import interrupts
from ochibot.errors import OutputError
from ochibot.report import check_writable


def check_picture(path: Path | None) -> None:
    """Make sure, before a long job begins, that a picture can be written. Its ending must tell a format.

    Raises OutputError.
    """
    if path is None:
        return
    from PIL import Image

    Image.init()
    if Image.EXTENSION.get(path.suffix.lower()) not in Image.SAVE:
        raise OutputError(f"can't write the picture {path}: its ending tells no format; give another, such as shot.png")
    check_writable(path, "the picture")


def share_text(share: float | None, digits: int = 6) -> str:
    """A share for people, cut off instead of rounded: only what is whole reads as 1."""
    if share is None:
        return "unknown (no piece has locked)"
    cut = math.floor(share * 10**digits) / 10**digits
    return f"{cut:.{digits}f}".rstrip("0").rstrip(".") or "0"


def report_stream(target: str | None) -> TextIO:
    """Where people's text goes: stdout, or stderr when stdout carries JSON."""
    return sys.stderr if target == "-" else sys.stdout


class Stop:
    """Whether somebody wants the command to end, and whom to tell."""

    def __init__(self) -> None:
        self._asked = False
        self._tell: Callable[[str], None] | None = None

    def asked(self) -> bool:
        """Whether Ctrl-C has been pressed or SIGTERM received."""
        return self._asked

    def tell(self, stop: Callable[[str], None]) -> None:
        """From now on call ``stop("interrupt")`` as well; at once if it has been asked for already."""
        self._tell = stop
        if self._asked:
            stop("interrupt")

    def ask(self) -> None:
        """Somebody wants it to end."""
        self._asked = True
        if self._tell is not None:
            self._tell("interrupt")


@contextlib.contextmanager
def stopping(*, gently: bool = False) -> Iterator[Stop]:
    """While the block runs, Ctrl-C and SIGTERM only set a flag; a second one breaks off at once.

    A flag instead of an exception: one raised inside a library's callback would be lost there. Only a command that has
    something to finish asks for it ``gently`` and may end well; in all others the process is left at once where
    ``ochibot.interrupts`` is in charge, and elsewhere KeyboardInterrupt is raised at the end of the block.
    """
    stop = Stop()
    if not gently and interrupts.installed():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in interrupts.SIGNALS}

    def on_signal(number: int, _: FrameType | None) -> None:
        for each, handler in before.items():
            signal.signal(each, interrupts.at_once if handler is interrupts.at_once else signal.default_int_handler)
        interrupts.note(number)
        stop.ask()

    for number in before:
        signal.signal(number, on_signal)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if stop.asked() and not gently:
        raise KeyboardInterrupt


class StatusLine:
    """One line on stderr, written over and over; nothing where stderr is no terminal (but a line now and then)."""

    def __init__(self, every: float = 0.1, plain_every: float = 10.0) -> None:
        self._tty = sys.stderr is not None and sys.stderr.isatty()
        self._every = every if self._tty else plain_every
        self._last = time.perf_counter() if not self._tty else 0.0
        self._width = 0

    def due(self) -> bool:
        """Whether it is time for another line: ask first, making the text costs something."""
        if sys.stderr is None:
            return False
        now = time.perf_counter()
        if now - self._last < self._every:
            return False
        self._last = now
        return True

    def show(self, text: str) -> None:
        """Put the text in place of the last one."""
        if not self._tty:
            print(text, file=sys.stderr, flush=True)
            return
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        """End the line."""
        if self._tty and self._width:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self._width = 0
