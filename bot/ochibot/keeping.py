"""Keeps what changes in an object while a game runs, and puts it back.

A savestate of the console isn't enough to go on from it: seats and pilots remember what earlier frames showed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any, ClassVar

Kept = tuple[tuple[str, Any], ...]
"""The values of an object's changing attributes, by name. Nothing in it changes afterwards."""


class Keeps:
    """An object whose changing attributes are named in ``_changing``, each class naming its own.

    Their values are immutable, or lists of immutable values, or dataclasses of them, or objects that are ``Keeps``.
    """

    _changing: ClassVar[tuple[str, ...]] = ()

    def kept(self) -> Kept:
        """The present values."""
        return tuple((name, _copied(getattr(self, name))) for name in self._all_changing())

    def put_back(self, kept: Kept) -> None:
        """Restores the values that ``kept`` returned, here or in an object made in the same way."""
        for name, value in kept:
            own = getattr(self, name)
            if isinstance(own, Keeps):
                own.put_back(value)
            elif isinstance(own, list):
                own[:] = value  # others may hold the list
            else:
                setattr(self, name, copy.copy(value) if is_dataclass(value) else value)

    def _all_changing(self) -> Iterator[str]:
        for kind in type(self).__mro__:
            yield from vars(kind).get("_changing", ())


def _copied(value: Any) -> Any:
    if isinstance(value, Keeps):
        return value.kept()
    if isinstance(value, list):
        return tuple(value)
    return copy.copy(value) if is_dataclass(value) else value
