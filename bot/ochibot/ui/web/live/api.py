"""The live page's API: whether this browser may watch, the code, and the stream of what happens.

Who may watch: on this machine everybody; from others only browsers whose person has typed the code.

What the page's process knows of the game, and those who wait for news of it.
"""

from __future__ import annotations

import asyncio
import hmac
import math
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import error_response

DIGITS: Final = 6
TRIES: Final = 5
"""So many wrong codes, by whomever, and for WAIT_SECONDS no code is taken."""
WAIT_SECONDS: Final = 60.0
MOST_WRONG: Final = 20
"""So many wrong codes, and no further browser is let in until the command starts anew."""
_MOST_IN: Final = 64
"""The most browsers that are known. The oldest one has to type the code again."""


class Door:
    """Checks codes, and knows the browsers that are in by a random token.

    code: what has to be typed; empty if everybody may watch.
    """

    def __init__(self, *, closed: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}" if closed else ""
        self._clock = clock
        self._wrong = 0
        self._opens = 0.0
        self._tokens: list[str] = []

    def admits(self, token: str) -> bool:
        """Whether a browser with this token may watch."""
        if not self.code:
            return True
        given = token.encode()
        # all are compared, so that the time says nothing
        found = [hmac.compare_digest(given, known.encode()) for known in self._tokens]
        return any(found)

    def waits(self) -> float:
        """For how many seconds no code is taken; 0 if one is; infinity if none ever is."""
        if self._wrong >= MOST_WRONG:
            return float("inf")
        return max(0.0, self._opens - self._clock())

    def enter(self, typed: str) -> str | None:
        """A new token for the right code; None for a wrong one. Ask ``waits`` before."""
        right = hmac.compare_digest("".join(typed.split()).encode("utf-8", "replace"), self.code.encode())
        if not right or not self.code:
            self._wrong += 1
            if self._wrong % TRIES == 0:
                self._opens = self._clock() + WAIT_SECONDS
            return None
        token = secrets.token_urlsafe(24)
        self._tokens = [*self._tokens[-_MOST_IN + 1 :], token]
        return token


class Typed(BaseModel):
    """A code that somebody has typed."""

    model_config = ConfigDict(extra="forbid", strict=True)
    code: str = Field(max_length=40)


def feature_of(feed: Feed, door: Door, port: int) -> Feature:
    """The API. ``port``: the server's, which tells its cookie from those of other servers on this machine."""
    router = APIRouter()
    cookie = f"ochibot-live-{port}"

    def admitted(request: Request) -> bool:
        return door.admits(request.cookies.get(cookie, ""))

    def shut() -> Response:
        return error_response(401, "type the code that the terminal shows")

    @router.get("/now", response_model=None)
    def now(request: Request) -> Response:
        """The newest of each kind of news."""
        if not admitted(request):
            return shut()
        parts = b",".join(b'"%s":%s' % (kind.encode(), content) for kind, content in feed.newest().items())
        return Response(b"{%s}" % parts, media_type="application/json", headers={"cache-control": "no-store"})

    @router.post("/code", response_model=None)
    def code(typed: Typed) -> Response:
        """Lets a browser in that sends the right code."""
        seconds = door.waits()
        if seconds == math.inf:
            return error_response(429, "too many wrong codes: start the command again for a new one")
        if seconds:
            refusal = error_response(429, "too many wrong codes: wait a minute")
            refusal.headers["retry-after"] = str(math.ceil(seconds))
            return refusal
        token = door.enter(typed.code)
        if token is None:
            return error_response(403, "this isn't the code")
        answer: Response = JSONResponse({"ok": True})
        answer.set_cookie(cookie, token, path="/api/live", httponly=True, samesite="strict")
        return answer

    @router.get("/events", response_model=None)
    async def events(request: Request) -> Response:
        """The stream of news."""
        if not admitted(request):
            return shut()
        if feed.watchers >= MOST_WATCHERS:
            return error_response(503, f"{MOST_WATCHERS} pages are watching already: close one")
        headers: dict[str, Any] = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(feed.events(), media_type="text/event-stream", headers=headers)

    return Feature("live", router)


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
