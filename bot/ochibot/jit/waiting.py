"""The message shown while a kernel is compiled: the time so far, and an estimate from earlier times on this machine."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ochibot.data import cache_dir

_FILE: Final = "compile-times.json"
_LARGEST: Final = 1 << 20
_TTY_EVERY: Final = 1.0
"""Seconds between two updates of the line on a terminal."""
_PLAIN_EVERY: Final = 10.0
"""Seconds between two lines if stderr is no terminal."""
_BAR: Final = 20
"""The length of the bar that a terminal shows, if the time was estimated."""
_LEAST_SHOWN: Final = 3.0
"""Estimates below this many seconds are shown as "a few seconds". They mean little: the first kernel of a process also
waits for numba to start, which may take longer.
"""


def say(line: str, end: str = "\n") -> None:
    """Writes a line to stderr. If stderr can't be written, compiling continues."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(line + end)
            sys.stderr.flush()


class Elapsed:
    """Shows the time that has passed since its creation, until it is closed. about: the estimated seconds."""

    def __init__(self, what: str, about: float | None = None) -> None:
        self._what = what
        self._about = about
        self._tty = sys.stderr is not None and sys.stderr.isatty()
        self._started = time.perf_counter()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, name="elapsed", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """The time so far."""
        return time.perf_counter() - self._started

    def close(self) -> None:
        """Ends the display. On a terminal its line is removed."""
        self._done.set()
        self._thread.join()

    def line(self) -> str:
        """The line to show now."""
        seconds = self.seconds
        line = f"{self._what}: {seconds:.0f} s"
        if self._about is None or self._about < _LEAST_SHOWN:
            return line
        done = round(_BAR * min(1.0, seconds / self._about))
        bar = f" [{'#' * done}{'.' * (_BAR - done)}]" if self._tty else ""
        return f"{line} {'of about' if seconds <= self._about else 'instead of'} {round(self._about)} s{bar}"

    def _show(self) -> None:
        width = 0
        while not self._done.wait(_TTY_EVERY if self._tty else _PLAIN_EVERY):
            if self._tty:
                line = self.line()
                say("\r" + line.ljust(width), end="")
                width = len(line)
            else:
                say(self.line())
        if width:
            say("\r" + " " * width + "\r", end="")


@contextlib.contextmanager
def elapsed(what: str, about: float | None = None) -> Iterator[Elapsed]:
    """An ``Elapsed`` that ends with the block."""
    clock = Elapsed(what, about)
    try:
        yield clock
    finally:
        clock.close()


@contextlib.contextmanager
def elapsed_aloud(what: str) -> Iterator[Elapsed]:
    """Like ``elapsed``, but the first line is shown at once."""
    say(what)
    with elapsed(what) as clock:
        yield clock


def estimate(kernel: str, weight: float) -> float | None:
    """Roughly how many seconds compiling this kernel will take: as many as the last time on this machine.

    If it was never compiled here, the total time of the others is scaled by weight. None if no kernel was compiled.
    """
    times = _times()
    if kernel in times:
        return times[kernel][0]
    if not times:
        return None
    # The sums let large kernels count more. A small kernel's time is mostly what numba needs for any kernel.
    taken, weights = map(sum, zip(*times.values(), strict=True))
    return weight * taken / weights


def shown_estimate(about: float | None) -> str:
    """An estimate as text, to follow the name of the kernel; empty if there is no estimate."""
    if about is None:
        return ""
    return f" ({'a few seconds' if about < _LEAST_SHOWN else f'about {round(about)} s'} on this machine)"


def remember(kernel: str, took: float, weight: float) -> None:
    """Records how long a kernel took to compile. If writing fails, it raises nothing, since only estimates suffer."""
    # Imported here: kernels are compiled anew when a module changes that is imported at the top of this file.
    from ochibot.leftovers import whole_file

    times = {**_times(), kernel: (round(took, 3), weight)}
    with contextlib.suppress(OSError, RuntimeError), whole_file(_place()) as partial:
        partial.write_text(json.dumps(times), encoding="utf-8")


def _place() -> Path:
    return cache_dir() / _FILE


def _times() -> dict[str, tuple[float, float]]:
    """Reads the kept times: (seconds, weight) by kernel. Invalid entries are left out."""
    try:
        with _place().open(encoding="utf-8") as file:
            data = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    times = {}
    for kernel, entry in data.items() if isinstance(data, dict) else ():
        if isinstance(entry, list) and len(entry) == 2 and all(map(_is_time, entry)):
            times[kernel] = (float(entry[0]), float(entry[1]))
    return times


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e5
