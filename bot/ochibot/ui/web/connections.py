"""Keeps connections from blocking each other: idle ones are closed in time, and too many requests have to wait.

uvicorn limits the time between two requests of a connection (``timeout_keep_alive``), but not the time that a request's
head may take. Its ``limit_concurrency`` counts open connections, idle ones too, so a hundred half-open connections
would block everybody. uvicorn's setting ``http`` takes a protocol class; the class here adds the time limit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ochibot.wording import counted

HEAD_SECONDS = 8.0
"""How long a request's head may take to arrive, from the connection's start or from the head's first byte."""
MOST_CONNECTIONS = 512
"""The most open connections. A further one replaces the oldest idle one, or is closed if none is idle."""
MOST_AT_ONCE = 64
"""The most requests served at the same time. Others wait."""
WAIT_SECONDS = 10.0
"""How long a request waits for a place before it is refused with 503."""


@dataclass
class Refusals:
    """Counts what the server refused. It doesn't log each refusal, so that nobody can fill the log.

    busy: requests refused with 503 because too many were being served. slow: connections closed because no request came
    in time. crowded: connections closed to make room.
    """

    busy: int = 0
    slow: int = 0
    crowded: int = 0

    def __str__(self) -> str:
        """The counts in words; empty when nothing was refused."""
        parts = [
            (self.busy, "request", "refused as busy"),
            (self.slow, "connection", "closed for want of a request"),
            (self.crowded, "connection", "closed to make room"),
        ]
        return ", ".join(f"{counted(count, what)} {why}" for count, what, why in parts if count)


class Places:
    """Limits the requests that are served at the same time to MOST_AT_ONCE, one for each place."""

    def __init__(self, refusals: Refusals) -> None:
        self.refusals = refusals
        self._free = asyncio.Semaphore(MOST_AT_ONCE)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A block that occupies a place, after waiting for a free one. Raises TimeoutError after WAIT_SECONDS."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            self.refusals.busy += 1
            raise
        try:
            yield
        finally:
            self._free.release()


def protocol(refusals: Refusals) -> type[H11Protocol]:
    """Makes uvicorn's protocol class with this module's limits. ``refusals`` counts the connections that it closes."""

    class Limited(H11Protocol):
        """A connection that is closed when a request's head takes longer than HEAD_SECONDS."""

        _deadline: asyncio.TimerHandle | None = None

        @property
        def _idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > MOST_CONNECTIONS:
                # closes the oldest idle connection, or this new one if none is idle
                others = [one for one in self.connections if one is not self and getattr(one, "_idle", False)]
                oldest = min(others, key=lambda one: getattr(one, "since", 0.0), default=self)
                refusals.crowded += 1
                oldest.transport.close()
            self.since = self.loop.time()
            self._expect_head()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._idle:
                self._expect_head()
            else:
                self._forget_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget_head()
            super().connection_lost(exc)

        def shutdown(self) -> None:
            """Closes the connection when the server ends, without waiting for the rest of an incomplete request."""
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

        def _too_slow(self) -> None:
            self._deadline = None
            if self._idle and not self.transport.is_closing():
                refusals.slow += 1
                self.transport.close()

    return Limited
