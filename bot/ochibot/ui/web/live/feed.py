"""What the page's process knows of the game, and those who wait for news of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Final

BEAT_SECONDS: Final = 2.0
"""After so long without news, a page gets a sign that the connection stands."""
MOST_WATCHERS: Final = 24
"""The most pages that may watch at the same time."""


class Feed:
    """Keeps the newest content of each kind of news. ``put`` may be called by any thread, all else by the server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news: dict[str, tuple[int, bytes]] = {}
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self.ended = False
        self.watchers = 0

    def put(self, kind: str, content: bytes, *, last: bool = False) -> None:
        """Replaces the content of a kind. ``last``: nothing comes after it."""
        with self._lock:
            self._count += 1
            self._news[kind] = self._count, content
            self.ended = self.ended or last
        self._tell()

    def close(self) -> None:
        """Ends all streams."""
        self.ended = True
        self._tell()

    def _tell(self) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for one in self._waiting:
            if not one.done():
                one.set_result(None)
        self._waiting.clear()

    def newest(self) -> dict[str, bytes]:
        """The newest content of each kind."""
        with self._lock:
            return {kind: content for kind, (_, content) in self._news.items()}

    async def events(self) -> AsyncIterator[bytes]:
        """The news as server-sent events. Whoever reads slowly gets the newest and misses what was between."""
        self._loop = asyncio.get_running_loop()
        seen = 0
        self.watchers += 1
        try:
            while True:
                arrival = self._loop.create_future()
                self._waiting.add(arrival)
                with self._lock:
                    count, ended = self._count, self.ended
                    fresh = sorted((at, kind, content) for kind, (at, content) in self._news.items() if at > seen)
                seen = count
                if fresh:
                    yield b"".join(b"event: %s\ndata: %s\n\n" % (kind.encode(), told) for _, kind, told in fresh)
                if ended:
                    return
                try:
                    async with asyncio.timeout(BEAT_SECONDS):
                        await arrival
                except TimeoutError:
                    yield b"event: beat\ndata: {}\n\n"
                finally:
                    self._waiting.discard(arrival)
        finally:
            self.watchers -= 1
