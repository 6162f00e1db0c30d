"""What the web page is made of: each feature has a page at ``/NAME`` and its API under ``/api/NAME``.

A new feature is a module with a ``FEATURE``, an entry in ``FEATURES``, and ``static/js/pages/NAME.js``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fastapi import APIRouter


def _anything(_: Mapping[str, str]) -> None:
    """A page whose address has nothing to check."""


def _nothing() -> None:
    """A feature with nothing to prepare."""


@dataclass(frozen=True)
class Feature:
    """One page and its API.

    ``router``: the routes, without their common prefix. ``check``: raises OchibotError when the page can't be
    shown with this query (the address is a shared one, and may be anything). ``prepare``: loads what makes a first
    answer slow.
    """

    name: str
    title: str
    router: APIRouter
    check: Callable[[Mapping[str, str]], None] = _anything
    prepare: Callable[[], None] = _nothing
