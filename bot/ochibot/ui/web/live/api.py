"""The live page's API: whether this browser may watch, the code, and the stream of what happens."""

from __future__ import annotations

import math
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import error_response
from ochibot.ui.web.live.door import Door
from ochibot.ui.web.live.feed import MOST_WATCHERS, Feed


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
