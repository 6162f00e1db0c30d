"""What the server offers beside the page: each feature has its API under ``/api/NAME``.

The page itself needs none of it. A new feature is a module with a ``FEATURE`` and an entry in ``FEATURES``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi import APIRouter


def _nothing() -> None:
    """A feature with nothing to prepare."""


@dataclass(frozen=True)
class Feature:
    """One API.

    ``router``: the routes, without their common prefix. ``prepare``: loads what makes a first answer slow.
    """

    name: str
    router: APIRouter
    prepare: Callable[[], None] = _nothing
