"""Connections that don't hold others up: those that ask nothing in time are closed, and too many are held back.

uvicorn has a time limit for connections between two requests (``timeout_keep_alive``), none for a request whose head
never ends, and its ``limit_concurrency`` counts open connections, also those that ask nothing. So a hundred half-open
ones would block everybody. uvicorn's setting ``http`` takes a protocol class; this one adds the time limit.
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
"""Open connections. A newcomer takes the place of the one that has been idle the longest."""
MOST_AT_ONCE = 64
"""Requests being served. Others wait."""
WAIT_SECONDS = 10.0
"""How long they wait before they are told to come again."""


@dataclass
class Refusals:
    """What was refused, counted: a line for each would only help whoever wants to fill the log.

    busy: requests that were told to come again. slow: connections closed because they asked nothing in time. crowded:
    connections closed to make room.
    """

    busy: int = 0
    slow: int = 0
    crowded: int = 0

    def __str__(self) -> str:
        """A clause for people; empty when nothing was refused."""
        parts = [
            (self.busy, "request", "told to come again"),
            (self.slow, "connection", "closed that asked nothing in time"),
            (self.crowded, "connection", "closed to make room"),
        ]
        return ", ".join(f"{counted(count, what)} {why}" for count, what, why in parts if count)


class Places:
    """The places of the requests that are being served at once."""

    def __init__(self, refusals: Refusals) -> None:
        self.refusals = refusals
        self._free = asyncio.Semaphore(MOST_AT_ONCE)

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A place, as soon as one is free. Raises TimeoutError when none is for WAIT_SECONDS."""
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
    """Uvicorn's protocol with the limits of this module; what it closes is counted in ``refusals``."""

    class Limited(H11Protocol):
        """A connection."""

        _deadline: asyncio.TimerHandle | None = None

        @property
        def _idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if len(self.connections) > MOST_CONNECTIONS:
                # those that have been idle the longest were made first, or nearly so
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
            """The server ends: whoever has not said all that it wants isn't waited for."""
            if self._idle or self.cycle.more_body:
                self.transport.close()
            else:
                super().shutdown()

        def _expect_head(self) -> None:
            # not anew with each byte: a drop now and then must not hold the connection for ever
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
