"""An engine's process: lines of JSON to and from it, and the limits of its processor time."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Final

from ochibot.errors import ConfigError
from ochibot.falling.player import EngineError
from ochibot.quoting import brief, quoted

_LONGEST: Final = 1 << 20
"""The longest line that an engine may send, in bytes."""
_POLL: Final = 0.05
"""Seconds between two looks at the processor time of an engine that hasn't answered."""
_FAREWELL: Final = 0.5
"""Seconds that an engine has to end by itself after ``quit``."""


class EngineProcess:
    """A running engine. Its stderr is the user's terminal. It ends with this object at the latest."""

    def __init__(self, command: str) -> None:
        """Raises ConfigError if there is no such program."""
        self._shown = brief(command)
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("there is no command")
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ConfigError(f"the engine {self._shown} can't be started: {reason}; give engine:COMMAND") from None
        self._lines: queue.Queue[bytes] = queue.Queue(1024)
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True).start()
        self.close = weakref.finalize(self, _end, self._process, os.getpid())
        """Ends the engine. It does nothing when it is called again, or in a process that was forked later."""

    @property
    def left(self) -> bool:
        """Whether the engine has ended by itself, with exit code 0."""
        return self._process.poll() == 0

    def send(self, **message: Any) -> None:
        """Sends a message. Raises EngineError if the engine has ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError:
            raise self._ended() from None

    def receive(
        self,
        wanted: Callable[[Mapping[str, Any]], bool],
        what: str,
        *,
        limit: float | None,
        wall: float,
    ) -> Mapping[str, Any]:
        """Waits for the message that is ``wanted`` and drops all others. ``what`` the engine should do, for errors.

        limit: seconds of processor time of the engine and all its processes (None: any). At the limit, the engine is
        asked to ``stop`` and gets a quarter of the limit more. wall: seconds by the clock, as a safety net. Raises
        EngineError when the engine ends, sends something else than lines of JSON objects, or takes too long.
        """
        before, stopped = self.processor_time(), False
        began = looked = time.monotonic()
        while True:
            try:
                line = self._lines.get(timeout=_POLL)
            except queue.Empty:
                line = None
            if line is not None:
                if not line.endswith(b"\n"):
                    raise self._ended() if len(line) < _LONGEST else self.wrong("sent a line that is too long")
                message = self._parsed(line)
                if wanted(message):
                    return message
                if time.monotonic() < looked + _POLL:
                    continue
            used, looked = self.processor_time() - before, time.monotonic()
            if limit is not None and used > 1.25 * limit:
                raise self.wrong(f"took more than {1.25 * limit:g} s of processor time to {what}")
            if looked - began > wall:
                raise self.wrong(f"took more than {wall:g} s to {what}")
            if limit is not None and used > limit and not stopped:
                stopped = True
                self.send(type="stop")

    def processor_time(self) -> float:
        """Seconds of processor time that the engine and all processes of its group have used; 0 if unknown here."""
        return _group_time(self._process.pid)

    def _parsed(self, line: bytes) -> Mapping[str, Any]:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise self.wrong(f"sent a line that is no JSON object: {quoted(line.decode('utf-8', 'replace').strip())}")
        return message

    def wrong(self, what: str) -> EngineError:
        """Ends the engine because of a fault, and returns the error that says so."""
        self.close()
        return EngineError(f"the engine {self._shown} {what}")

    def _ended(self) -> EngineError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        code = self._process.poll()
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return self.wrong(f"has ended {how}" if code is not None else "has closed its output")


def _read(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Puts each line into the queue; at the end, a line without a line break."""
    with contextlib.suppress(OSError, ValueError):
        buffered = os.fdopen(os.dup(stream.fileno()), "rb")
        with buffered:
            while True:
                line = buffered.readline(_LONGEST)
                lines.put(line)
                if not line.endswith(b"\n"):
                    return
    lines.put(b"")


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Says ``quit``, and kills the whole group if that doesn't end it soon."""
    if os.getpid() != owner:
        return
    with contextlib.suppress(OSError, ValueError):
        assert process.stdin is not None
        process.stdin.write(b'{"type":"quit"}\n')
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_FAREWELL)
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGTERM if process.poll() is not None else signal.SIGKILL)
        else:
            process.kill()
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        process.wait(_FAREWELL)
    if process.stdout is not None:
        process.stdout.close()


def _group_time(group: int) -> float:
    """The processor time of a group's processes and of their children that have ended, by Linux's /proc."""
    if sys.platform == "win32":
        return 0.0
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = file.read_bytes().rpartition(b")")[2].split(None, 15)
        except OSError:
            continue
        if int(words[2]) == group:
            ticks += sum(map(int, words[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0
