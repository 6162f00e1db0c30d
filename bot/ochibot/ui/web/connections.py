"""Keeps connections from blocking each other: those that don't get on are closed, and too many requests have to wait.

uvicorn limits the time between two requests of a connection (``timeout_keep_alive``), but not the time that a request's
head may take, nor the time that a client may take to read an answer. Its ``limit_concurrency`` counts open connections,
idle ones too, so a hundred half-open connections would block everybody. uvicorn's setting ``http`` takes a protocol
class; the class here adds the time limits, and makes room for newcomers.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ochibot.wording import counted

HEAD_SECONDS = 8.0
"""How long a request's head may take to arrive, from the connection's start or from the head's first byte."""
WRITE_SECONDS = 30.0
"""How long a client may take to read what waits to be sent to it. Reading a part of it gains no time."""
MOST_CONNECTIONS = 512
"""The most open connections. A further one replaces the oldest idle one. If none is idle, it replaces the one whose
request has been arriving, or whose answer has been waiting to be read, for longest; or else the one that has asked
most often. If all have asked once, it is closed."""
MOST_AT_ONCE = 64
"""The most requests worked on at the same time. Others wait. A request whose answer has begun doesn't count."""
WAIT_SECONDS = 10.0
"""How long a request waits for a place before it is refused with 503."""
_FILES = 64
"""How many open files are kept for other things than connections. (A connection may need two: itself, and a file of the
page that it sends.)"""
_FAREWELL = 1.0
"""How long a client may go on reading when the server ends."""


@dataclass
class Refusals:
    """Counts what the server refused. It doesn't log each refusal, so that nobody can fill the log.

    busy: requests refused with 503 because too many were being served. slow: connections closed because no request came
    in time. unread: connections closed because nobody read what was sent. crowded: connections closed to make room.
    """

    busy: int = 0
    slow: int = 0
    unread: int = 0
    crowded: int = 0

    def __str__(self) -> str:
        """The counts in words; empty when nothing was refused."""
        parts = [
            (self.busy, "request", "refused as busy"),
            (self.slow, "connection", "closed for want of a request"),
            (self.unread, "connection", "closed because nobody read the answers"),
            (self.crowded, "connection", "closed to make room"),
        ]
        return ", ".join(f"{counted(count, what)} {why}" for count, what, why in parts if count)


class Slot:
    """A place that a request occupies."""

    def __init__(self, free: asyncio.Semaphore) -> None:
        self._free: asyncio.Semaphore | None = free

    def leave(self) -> None:
        """Frees the place. Further calls do nothing."""
        if self._free is not None:
            self._free.release()
            self._free = None


class Places:
    """Limits the requests that are worked on at the same time to MOST_AT_ONCE, one for each place."""

    def __init__(self, refusals: Refusals) -> None:
        self.refusals = refusals
        self._free = asyncio.Semaphore(MOST_AT_ONCE)

    async def take(self) -> Slot:
        """Occupies a place, after waiting for a free one. Raises TimeoutError after WAIT_SECONDS."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            self.refusals.busy += 1
            raise
        return Slot(self._free)


def most_connections() -> int:
    """MOST_CONNECTIONS, or fewer if the system allows this process fewer open files."""
    if sys.platform == "win32":  # it has no such limit
        return MOST_CONNECTIONS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else max(1, min(MOST_CONNECTIONS, (files - _FILES) // 2))


def protocol(refusals: Refusals) -> type[H11Protocol]:
    """Makes uvicorn's protocol class with this module's limits. ``refusals`` counts the connections that it closes."""
    most = most_connections()

    class Limited(H11Protocol):
        """A connection that is closed when a request's head takes longer than HEAD_SECONDS, or when what was written
        isn't read within WRITE_SECONDS. since: when it was opened, or its last request came. asked: its requests.
        """

        since = 0.0
        asked = 0
        _deadline: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _answered: object = None

        @property
        def _idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _waiting(self) -> tuple[bool, float] | None:
            """Orders the connections that wait for their client: first the idle ones, and each sort by its age. None
            for a connection on whose request the server is working, and for one that is being closed.
            """
            if self.transport.is_closing() or not (self._idle or self.cycle.more_body or self.flow.write_paused):
                return None
            return not self._idle or self.flow.write_paused, self.since

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.since = self.loop.time()
            # so that ``pause_writing`` is called whenever something waits to be sent
            transport.set_write_buffer_limits(high=0)
            if len(self.connections) > most:
                self._make_room()
            self._expect_head()

        def _make_room(self) -> None:
            others = [one for one in self.connections if isinstance(one, Limited) and one is not self]
            if sum(not one.transport.is_closing() for one in others) < most:
                return
            waiting = [(order, id(one), one) for one in others if (order := one._waiting()) is not None]
            if waiting:
                leaves = min(waiting)[2]
            else:
                most_asked = max((one for one in others if not one.transport.is_closing()), key=lambda one: one.asked)
                leaves = most_asked if most_asked.asked > 1 else self
            refusals.crowded += 1
            leaves.transport.abort()

        def handle_events(self) -> None:
            super().handle_events()
            if self.cycle is not self._answered:
                self._answered, self.since = self.cycle, self.loop.time()
                self.asked += 1

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._idle:
                self._expect_head()
            else:
                self._forget_head()

        def pause_writing(self) -> None:
            super().pause_writing()
            if self._unread is None:
                self._unread = self.loop.call_later(WRITE_SECONDS, self._not_read)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._forget_unread()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_head()
            self._forget_unread()
            super().connection_lost(exc)

        def shutdown(self) -> None:
            """Closes the connection when the server ends, without waiting for the rest of an incomplete request."""
            if self.flow.write_paused:
                self.loop.call_later(_FAREWELL, self.transport.abort)
            if self._idle or self.cycle.more_body:
                self.transport.close()
            else:
                super().shutdown()

        def _expect_head(self) -> None:
            # the time limit doesn't start again with each byte, or a slow drip of bytes could hold the connection for
            # ever
            if self._deadline is None and not self.transport.is_closing():
                self._deadline = self.loop.call_later(HEAD_SECONDS, self._too_slow)

        def _forget_head(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _forget_unread(self) -> None:
            if self._unread is not None:
                self._unread.cancel()
                self._unread = None

        def _too_slow(self) -> None:
            self._deadline = None
            if self._idle and not self.transport.is_closing():
                refusals.slow += 1
                self.transport.close()

        def _not_read(self) -> None:
            self._unread = None
            refusals.unread += 1
            # not ``close``, which would wait until all is sent
            self.transport.abort()

    return Limited
