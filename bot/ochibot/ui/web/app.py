"""The server's app: the guard, the features' routes, the pages, and errors as one sentence of JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ochibot.errors import OchibotError
from ochibot.ui.web import nyaa
from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import Guard, Hosts, error_response

STATIC = Path(__file__).resolve().parent / "static"
FEATURES: tuple[Feature, ...] = (nyaa.FEATURE,)
"""In the order of the page's navigation; the first is the start page."""
LOOK = ["GET", "HEAD"]
"""The methods of what only shows something; the server leaves out the body of a HEAD."""


def create_app(hosts: Hosts | None = None, features: tuple[Feature, ...] = FEATURES) -> FastAPI:
    """The ASGI app. ``hosts``: the names under which it may be asked (default: those of loopback)."""
    # the documentation pages of FastAPI would load scripts from elsewhere
    app = FastAPI(title="Ochibot", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=hosts or Hosts())
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(OchibotError, _on_ours)

    @app.api_route("/", methods=LOOK)
    def start() -> RedirectResponse:
        return RedirectResponse(f"/{features[0].name}")

    @app.api_route("/api/pages", methods=LOOK)
    def pages() -> list[dict[str, str]]:
        return [{"name": feature.name, "title": feature.title} for feature in features]

    @app.api_route("/favicon.ico", methods=LOOK)
    def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg")

    for feature in features:
        app.include_router(feature.router, prefix=f"/api/{feature.name}")
        app.api_route(f"/{feature.name}", methods=LOOK, response_model=None)(_page(feature))
    app.mount("/static", _Static(directory=STATIC))
    return app


def prepare(features: tuple[Feature, ...] = FEATURES) -> None:
    """Load what would make the features' first answers slow."""
    for feature in features:
        feature.prepare()


class _Static(StaticFiles):
    """The files of the page; a browser asks each time whether they have changed, so that an update is seen."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["cache-control"] = "no-cache"
        return response


def _page(feature: Feature) -> Callable[[Request], Response]:
    def page(request: Request) -> Response:
        status = 200
        try:
            feature.check(request.query_params)
        except OchibotError as error:
            if "text/html" not in request.headers.get("accept", ""):
                return error_response(400, str(error))
            # a person gets the page, which finds the same fault and tells it
            status = 400
        return FileResponse(STATIC / "index.html", status, headers={"cache-control": "no-cache"})

    return page


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    texts = {
        404: f"there is nothing at {request.url.path}",
        405: f"{request.method} isn't possible at {request.url.path}",
        400: "the body isn't JSON that can be read",
    }
    response = error_response(error.status_code, texts.get(error.status_code, str(error.detail)))
    response.headers.update(error.headers or {})
    return response


def _on_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return error_response(422, "the body isn't JSON")
    where = ".".join(str(part) for part in first["loc"][1:])
    return error_response(422, f"{where or 'the body'}: {first['msg'][:1].lower()}{first['msg'][1:]}")


def _on_ours(_: Request, error: Exception) -> Response:
    return error_response(422, str(error))
