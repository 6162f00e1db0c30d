"""What all commands share: checks that pictures can be written, the stream for text, the status line, Ctrl-C."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TextIO

from ochibot import interrupts
from ochibot.errors import OutputError
from ochibot.report import check_writable

if TYPE_CHECKING:
    from rich.live import Live

    from ochibot.console import HostedConsole
    from ochibot.play.agreement import Counts


def check_picture(path: Path | None) -> None:
    """Checks, before a long job begins, that a picture can be written to ``path``.

    Raises OutputError, also when the file's ending isn't that of a picture format.
    """
    if path is None:
        return
    from PIL import Image

    Image.init()
    if Image.EXTENSION.get(path.suffix.lower()) not in Image.SAVE:
        raise OutputError(f"can't write the picture {path}: its ending names no format; give another, such as shot.png")
    check_writable(path, "the picture")


def save_picture(console: HostedConsole, path: Path) -> None:
    """Saves the console's picture in the format of the file's ending, such as PNG. Raises OutputError."""
    from PIL import Image

    from ochibot.leftovers import whole_file

    try:
        with whole_file(path) as partial:
            Image.fromarray(console.frame()).save(partial)
    except (OSError, ValueError) as error:
        raise OutputError(f"can't write the picture {path}: {error}; give another path, such as shot.png") from None


def misplaced_text(misplaced: int, given_up: int) -> str:
    """In words: how many pieces landed elsewhere than planned, and for how many of them the pilot had given up."""
    return f"{misplaced} ({given_up} given up)" if given_up else str(misplaced)


def locks_text(result: Counts) -> str:
    """In words: how many locks there were, how they were compared, and the agreement."""
    other = f", other contradictions {result.contradictions}" if result.contradictions else ""
    cut = f", cut off {result.cut_off}" if result.cut_off else ""
    return (
        f"{result.pieces:,}, compared {result.compared:,}, misplaced "
        f"{misplaced_text(result.misplaced, result.given_up)}, disagreements {result.disagreements}{other}{cut}, "
        f"agreement {share_text(result.agreement)}"
    )


def share_text(share: float | None, digits: int = 6) -> str:
    """A share as text, rounded down, so that only a share of exactly 1 is shown as 1."""
    if share is None:
        return "unknown (no piece has locked)"
    cut = math.floor(share * 10**digits) / 10**digits
    return f"{cut:.{digits}f}".rstrip("0").rstrip(".") or "0"


def report_stream(target: str | None) -> TextIO:
    """The stream for text: stdout, or stderr when stdout carries JSON."""
    return sys.stderr if target == "-" else sys.stdout


def has_desktop() -> bool:
    """Whether to open a browser by default: stdout is a terminal, and the system has a desktop."""
    if not sys.stdout.isatty():
        return False
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Stop:
    """Holds whether somebody has asked the command to end, and the function to call when that happens."""

    def __init__(self) -> None:
        self._asked = False
        self._end: Callable[[str], None] | None = None

    def asked(self) -> bool:
        """Whether Ctrl-C has been pressed, or SIGTERM or SIGHUP received."""
        return self._asked

    def calls(self, stop: Callable[[str], None]) -> None:
        """Registers a function: ``stop("interrupt")`` is called as soon as the end is requested, or now if it already
        has been requested.
        """
        self._end = stop
        if self._asked:
            stop("interrupt")

    def ask(self) -> None:
        """Requests the end: sets the flag and calls the registered function."""
        self._asked = True
        if self._end is not None:
            self._end("interrupt")


@contextlib.contextmanager
def stopping(*, gently: bool = False) -> Iterator[Stop]:
    """While the block runs, Ctrl-C, SIGTERM and SIGHUP only set a flag, because an exception raised inside a library's
    callback would be lost there. A second signal ends the process at once, or raises KeyboardInterrupt if
    ``ochibot.interrupts`` isn't installed. A SIGHUP never counts as the second signal: when a terminal is closed,
    several may come.

    With ``gently``, the command continues after the block and finishes its work. Without it, KeyboardInterrupt is
    raised at the end of the block; but if ``ochibot.interrupts`` is installed, the signals keep its handlers, no flag
    is set, and the first signal ends the process at once.
    """
    stop = Stop()
    if not gently and interrupts.installed():
        yield stop
        return
    before = interrupts.handlers()

    def on_signal(number: int, _: FrameType | None) -> None:
        for each, handler in before.items():
            ends = interrupts.at_once if handler is interrupts.at_once else signal.default_int_handler
            signal.signal(each, ends if each in (signal.SIGINT, signal.SIGTERM) else signal.SIG_IGN)
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
    """One line on stderr that shows the progress of a job. rich redraws it in place, cut at the terminal's width.

    If stderr isn't a terminal, or its terminal can't overwrite a line, a plain line is printed now and then. rich is
    imported only when a terminal shows the first line.
    """

    def __init__(self, every: float = 0.1, plain_every: float = 10.0) -> None:
        plain = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
        self._tty = sys.stderr is not None and sys.stderr.isatty() and not plain
        self._every = every if self._tty else plain_every
        self._last = time.perf_counter() if not self._tty else 0.0
        self._live: Live | None = None
        self._gone = False

    def due(self) -> bool:
        """Whether it is time for another line. Ask once for each line, before making its text, which takes time."""
        if sys.stderr is None or self._gone:
            return False
        now = time.perf_counter()
        if now - self._last < self._every:
            return False
        self._last = now
        return True

    def show(self, text: str, share: float | None = None) -> None:
        """Replaces the line's text. With the share done (0 to 1), a progress bar stands before it.

        If the terminal is gone, no line is due any more. The signal that tells the command so may still be to come.
        """
        try:
            self._show(text, share)
        except OSError:
            self._gone = True

    def _show(self, text: str, share: float | None) -> None:
        if not self._tty:
            print(text, file=sys.stderr, flush=True)
            return
        from ochibot.cli.live import line, start

        if self._live is None:
            self._live = start()
            interrupts.line_open(True)
        self._live.transient = share is not None
        self._live.update(line(text, share), refresh=True)

    def close(self) -> None:
        """Ends the line. Its last text stays on the screen, but a line with a progress bar is removed."""
        if self._live is not None:
            with contextlib.suppress(OSError):
                self._live.stop()
            self._live = None
            interrupts.line_open(False)
