"""The web page: a local server and the pages it serves. It needs the extra ``ochibot[web]``.

This module itself needs nothing, so that the command can ask with ``need_web`` and get a clear error.
"""

from __future__ import annotations

import importlib.util

from ochibot.errors import OchibotError


class WebError(OchibotError):
    """The server can't run: its packages are missing, or its port can't be had."""


def need_web() -> None:
    """Make sure that the packages of the extra are here. Raises WebError."""
    missing = [name for name in ("fastapi", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        raise WebError(f'the web page needs {" and ".join(missing)}: pip install "ochibot[web]"')
