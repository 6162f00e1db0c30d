"""The live page's API: whether this browser may watch, the code, and the stream of what happens.

Who may watch: on this machine everybody; from others only browsers whose person has typed the code.
"""

from __future__ import annotations

import hmac
import math
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import error_response
from ochibot.ui.web.live.feed import MOST_WATCHERS, Feed

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
