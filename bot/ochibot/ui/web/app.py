"""The server's app: the guard, the features' routes, the page's files, and errors as a sentence in JSON."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ochibot.errors import OchibotError
from ochibot.ui.web import nyaa
from ochibot.ui.web.connections import Refusals
from ochibot.ui.web.export import START, STATIC, start_page
from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import SECURITY_HEADERS, Guard, Hosts, error_response

FEATURES: tuple[Feature, ...] = (nyaa.FEATURE,)
LOOK = ["GET", "HEAD"]
"""The methods of routes that only show something. (The server itself drops the body of a HEAD response.)"""
_FRESH = {"cache-control": "no-cache"}
"""The header that makes a browser check each time whether a file has changed, so that updates arrive at once."""

# some systems' lists of MIME types lack these two or have wrong ones
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")


def create_app(
    hosts: Hosts | None = None,
    features: tuple[Feature, ...] = FEATURES,
    refusals: Refusals | None = None,
    pages: Mapping[str, str] | None = None,
) -> FastAPI:
    """Makes the ASGI app. ``hosts``: the host names that requests may use (default: those of loopback).

    ``pages``: the text of pages that are one file each, by name. They bring their own content security policy.
    """
    # FastAPI's documentation pages would load scripts from other sites
    app = FastAPI(title="Ochibot", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=hosts or Hosts(), refusals=refusals or Refusals())
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(OchibotError, _on_ours)

    first = start_page(pages)

    @app.api_route("/", methods=LOOK)
    def start() -> HTMLResponse:
        return HTMLResponse(first, headers=_FRESH)

    @app.api_route("/nyaa", methods=LOOK)
    def earlier(request: Request) -> RedirectResponse:
        """Redirects from the page's address in earlier versions, so that old links still work."""
        return RedirectResponse(f"/?{request.url.query}" if request.url.query else "/")

    @app.api_route("/favicon.ico", methods=LOOK)
    def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg")

    for feature in features:
        app.include_router(feature.router, prefix=f"/api/{feature.name}")

    files = _Static(directory=STATIC)
    others = pages or {}

    # a route, not a mount: a mount at the root would catch requests with wrong methods for the routes above
    @app.api_route("/{name}", methods=LOOK)
    async def file(name: str, request: Request) -> Response:
        if name == START:
            return start()
        if name in others:
            return HTMLResponse(others[name], headers=_FRESH | _policy_of(others[name]))
        return await files.get_response(name, request.scope)

    return app


def prepare(features: tuple[Feature, ...] = FEATURES) -> None:
    """Prepares all features, so that their first answers aren't slow."""
    for feature in features:
        feature.prepare()


def _policy_of(page: str) -> dict[str, str]:
    """The header for a page's own policy. No other page may show it in a frame."""
    policy = page.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    return {"content-security-policy": f"{policy}; frame-ancestors 'none'"}


class _Static(StaticFiles):
    """Serves the page's files."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers.update(_FRESH)
        return response


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return _nothing_here()
    texts = {
        404: f"there is nothing at {request.url.path}",
        405: f"{request.method} isn't possible at {request.url.path}",
        400: "the body isn't JSON that can be read",
    }
    response = error_response(error.status_code, texts.get(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


def _nothing_here() -> Response:
    """The 404 page for browsers. Its links work from any path."""
    page = (STATIC / "404.html").read_text("utf-8").replace('="./', '="/')
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # the style is inline, because a static host may send the page for a path in a sub-folder, where a relative link
    # to a style sheet wouldn't work
    policy = SECURITY_HEADERS["content-security-policy"].replace("style-src 'self'", f"style-src 'sha256-{digest}'")
    return HTMLResponse(page, 404, headers={"content-security-policy": policy})


def _on_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return error_response(422, "the body isn't JSON")
    where = ".".join(str(part) for part in first["loc"][1:])
    return error_response(422, f"{where or 'the body'}: {first['msg'][:1].lower()}{first['msg'][1:]}")


def _on_ours(_: Request, error: Exception) -> Response:
    return error_response(422, str(error))
