"""Starts the process that serves the live page, and connects the game to it.

Messages from the game to the page's process, over a socket that the game never waits for.

A message is its kind (one byte), its length (four bytes) and its content.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import pickle
import secrets
import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.ui.web import WebError, need_web

ABOUT: Final = b"a"
"""Who plays what, as JSON. It is sent again when it changes."""
STATE: Final = b"s"
"""What a frame shows, as JSON. A newer one takes its place."""
THINK: Final = b"t"
"""A seat's number and its snapshot, pickled: the page's process works out what is in reach."""
END: Final = b"e"
"""Why the game has ended, as JSON."""

_HEAD: Final = struct.Struct(">cI")
MOST: Final = 1 << 24
"""The most bytes of a message's content."""
_BUFFER: Final = 64 * 1024
"""How much the system keeps for a process that doesn't read. (Linux doubles this.)"""


class Sender:
    """The game's end. Nothing waits: while the system takes nothing, states are dropped and other messages are kept.

    dropped: how many messages were dropped. gone: whether the other end has gone.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        sock.setblocking(False)
        self._sock = sock
        self._rest = b""
        self._kept: deque[bytes] = deque()
        self.dropped = 0
        self.gone = False

    @property
    def free(self) -> bool:
        """Whether all that was given before has been taken by the system. Tries to hand it over first."""
        return not self.gone and self._flush()

    def send(self, kind: bytes, content: bytes, *, keep: bool = False) -> bool:
        """Sends a message. If the system takes nothing now, it is dropped, or kept until it can be sent.

        Returns whether it was dropped by neither the system nor us.
        """
        if self.gone:
            return False
        message = _HEAD.pack(kind, len(content)) + content
        if self._flush():
            self._rest = message
            self._flush()
            return True
        if keep and not self.gone:
            self._kept.append(message)
            return True
        self.dropped += 1
        return False

    def _flush(self) -> bool:
        """Hands over what waits. Returns whether nothing waits any more."""
        while self._rest or self._kept:
            self._rest = self._rest or self._kept.popleft()
            try:
                sent = self._sock.send(self._rest)
            except (BlockingIOError, InterruptedError):
                return False
            except OSError:
                self.gone, self._rest = True, b""
                self._kept.clear()
                return False
            self._rest = self._rest[sent:]
        return True

    def close(self, seconds: float) -> None:
        """Hands over what waits, for at most so long, and closes the socket."""
        if not self.gone:
            self._sock.settimeout(seconds)
            try:
                self._sock.sendall(b"".join([self._rest, *self._kept]))
            except OSError:
                self.gone = True
        self._sock.close()


def messages(sock: socket.socket) -> Iterator[tuple[bytes, bytes]]:
    """The messages that arrive (kind, content), until the other end closes or sends nonsense."""
    with sock, sock.makefile("rb") as stream:
        while True:
            try:
                head = stream.read(_HEAD.size)
                if len(head) < _HEAD.size:
                    return
                kind, length = _HEAD.unpack(head)
                content = stream.read(length) if length <= MOST else b""
            except OSError:
                return
            if len(content) < length:
                return
            yield kind, content


COMMAND: Final = (sys.executable, "-P", "-m", "ochibot.ui.web.live.process")
START_SECONDS: Final = 60.0
"""How long the process may take to start. It is long, because the machine may be busy with other programs."""
_END_SECONDS: Final = 5.0
PAGE: Final = "live.html"


@dataclass(frozen=True)
class Wish:
    """Where to serve. port: None: the usual one, or another one if that is taken. pages: others to serve, by name."""

    host: str
    port: int | None
    allow_remote: bool
    pages: Mapping[str, str]
    family: Any = None
    rules: Any = None


@dataclass(frozen=True)
class Link:
    """A page that is served. url: its address on this machine. code: what other machines' browsers must type; empty on
    loopback. sender: takes what the page shows. process: the number of the process that serves.
    """

    url: str
    code: str
    sender: Sender
    process: int


@contextlib.contextmanager
def linked(wish: Wish) -> Iterator[Link]:
    """Serves the page while the block runs. Raises WebError or UsageError if it can't be served."""
    need_web()
    home = str(Path(__file__).resolve().parents[4])
    path = os.pathsep.join(part for part in (home, os.environ.get("PYTHONPATH")) if part)
    token = secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(START_SECONDS)
        given = pickle.dumps((listener.getsockname()[1], token, wish))
        process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            # Ctrl-C is for the game: the process ends when the game's end of the connection closes
            start_new_session=True,
        )
        try:
            told = _begin(process, given)
            sender = Sender(_accept(listener, token))
        except BaseException:
            process.kill()
            process.wait()
            raise
    try:
        yield Link(told["url"], told["code"], sender, process.pid)
    finally:
        sender.close(_END_SECONDS)
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _begin(process: subprocess.Popen[bytes], given: bytes) -> dict[str, str]:
    """Gives the process its task, and returns what it says about the page."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(given)
        process.stdin.close()
        line = process.stdout.readline()
        said: dict[str, str] = json.loads(line)
    except (OSError, ValueError):
        raise WebError("the live page's process has ended at once: see what it wrote above") from None
    finally:
        process.stdout.close()
    if "usage" in said:
        raise UsageError(said["usage"])
    if "error" in said:
        raise WebError(said["error"])
    return said


def _accept(listener: socket.socket, token: str) -> socket.socket:
    """The connection of the process, which knows the token. Others on this machine may connect, but don't."""
    while True:
        try:
            connection, _ = listener.accept()
            connection.settimeout(START_SECONDS)
            said = connection.recv(len(token))
        except OSError:
            raise WebError("the live page's process doesn't answer") from None
        if hmac.compare_digest(said, token.encode()):
            return connection
        connection.close()
