"""The web page and its local server. It needs the extra ``ochibot[web]``.

This module itself needs no extra, so that the command can call ``need_web`` and get a clear error.
"""

from __future__ import annotations

import importlib.util

from ochibot.errors import OchibotError


class WebError(OchibotError):
    """The server can't run: its packages are missing, or its port is taken."""


def need_web() -> None:
    """Checks that the extra's packages are installed. Raises WebError."""
    missing = [name for name in ("fastapi", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        raise WebError(f'the web page needs {" and ".join(missing)}: pip install "ochibot[web]"')
