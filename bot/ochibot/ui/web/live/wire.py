"""Messages from the game to the page's process, over a socket that the game never waits for.

A message is its kind (one byte), its length (four bytes) and its content.
"""

from __future__ import annotations

import socket
import struct
from collections import deque
from collections.abc import Iterator
from typing import Final

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
