"""Checks every request before any route sees it: its Host, its Origin and its size.

The server trusts only the page that it served itself. A foreign page could reach the server through the user's browser
in two ways: with a form or a fetch (then the Origin is foreign), or by giving its own host name our address (DNS
rebinding; then the Host is foreign). Both are refused here.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ochibot.ui.web.connections import Places, Refusals

MAX_BODY = 64 * 1024
"""The most bytes of a request's body."""
MAX_ADDRESS = 2_000
"""The most bytes of a request's path and query."""
BODY_SECONDS = 10.0
"""The most seconds that a body may take to arrive."""

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

log = logging.getLogger("ochibot.web")


class RefusedError(Exception):
    """A refused request, with the HTTP status and a sentence for the sender."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class _GoneError(Exception):
    """The client has disconnected before the end of its request."""


@dataclass(frozen=True)
class Hosts:
    """The host names that requests may use.

    ``any_address``: whether every IP address is allowed as well, for servers beyond loopback. That is safe, since DNS
    rebinding needs a name.
    """

    names: frozenset[str] = frozenset({"localhost", "127.0.0.1", "::1"})
    any_address: bool = False

    def allows(self, host: str) -> bool:
        """Whether a Host header (``name``, ``name:port``, ``[v6]:port``) is allowed."""
        name = host_name(host)
        return name in self.names or (self.any_address and is_address(name))


_HOST = re.compile(r"(?:\[([^][]*)]|([^][:]*))(?::[0-9]*)?")


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case. Empty for a header of another form, such as
    ``[::1].example``.
    """
    found = _HOST.fullmatch(host)
    return (found[1] or found[2] or "").lower() if found is not None else ""


def is_address(name: str) -> bool:
    """Whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def error_response(status: int, text: str) -> Response:
    """The response ``{"error": text}``. It is plain ASCII, because the text may quote anything, even lone
    surrogates.
    """
    return Response(json.dumps({"error": text}), status, media_type="application/json")


class Guard:
    """The outermost layer of the app. The module's docstring says what it checks."""

    def __init__(self, app: ASGIApp, hosts: Hosts, refusals: Refusals) -> None:
        self._app = app
        self._hosts = hosts
        self._places = Places(refusals)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        started = False

        async def secured(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, text in SECURITY_HEADERS.items():
                    headers.setdefault(name, text)
            await send(message)

        try:
            self._check(scope)
            if scope["type"] == "http":
                receive = _replay(await _body(Headers(scope=scope), receive), receive)
            await self._serve(scope, receive, secured)
        except _GoneError:
            return
        except RefusedError as refused:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008, "reason": str(refused)})
                return
            await error_response(refused.status, str(refused))(scope, receive, secured)
        except Exception as error:
            log.error(
                "a bug of ochibot: %s %s: %s: %s", scope.get("method"), scope["path"], type(error).__name__, error
            )
            if not started and scope["type"] == "http":
                text = f"this is a bug of ochibot ({type(error).__name__}); please report it with what you did"
                await error_response(500, text)(scope, receive, secured)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        # a place is taken only after the body has arrived, and left when the answer begins, so that a client that sends
        # or reads slowly doesn't occupy one
        try:
            place = await self._places.take()
        except TimeoutError:
            busy = error_response(503, "too many are asking at once: come again in a moment")
            busy.headers["retry-after"] = "2"
            await busy(scope, receive, send)
            return

        async def answering(message: Message) -> None:
            place.leave()
            await send(message)

        try:
            await self._app(scope, receive, answering)
        finally:
            place.leave()

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._hosts.allows(host):
            raise RefusedError(421, "this server isn't known by that name: use the address that `ochibot web` printed")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_ADDRESS:
            raise RefusedError(414, f"the address is too long: at most {MAX_ADDRESS:,} characters")
        path: str = scope["path"]
        odd = ".." in path.split("/") or "\\" in path or not path.isprintable()
        # in a query, bytes beyond ASCII must be written as %XX, because they needn't be valid text
        if odd or not scope["query_string"].isascii():
            raise RefusedError(400, "the address has parts that no page of ours has")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise RefusedError(403, "only the server's own page may ask this")
        internal = path.startswith("/api/") or scope["type"] == "websocket"
        if internal and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise RefusedError(403, "only the server's own page may ask this")
        if scope.get("method") == "POST" and headers.get("content-type", "").partition(";")[0] != "application/json":
            raise RefusedError(415, "the body must be JSON (Content-Type: application/json)")


async def _body(headers: Mapping[str, str], receive: Receive) -> bytes:
    """Reads the whole body. Raises RefusedError when it is too long or too slow, _GoneError when the client leaves."""
    too_long = RefusedError(413, f"the body is too long: at most {MAX_BODY:,} bytes")
    announced = headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced[:20]) > MAX_BODY:
        raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _GoneError
                body += message.get("body", b"")
                if len(body) > MAX_BODY:
                    raise too_long
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise RefusedError(408, "the body didn't arrive in time") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Makes a ``receive`` that returns the body once, then further messages (such as the client's disconnect)."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
