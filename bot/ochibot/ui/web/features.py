"""The server's features beside the page: each has an API under ``/api/NAME``.

The page itself needs none of them. A new feature is a module with a ``FEATURE``, and an entry in ``app.FEATURES``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter


def _nothing() -> None:
    """The default for ``prepare``: does nothing."""


@dataclass(frozen=True)
class Feature:
    """One API.

    ``router``: the routes, without their common prefix. ``prepare``: loads everything that would slow down the first
    answer.
    """

    name: str
    router: APIRouter
    prepare: Callable[[], None] = _nothing
