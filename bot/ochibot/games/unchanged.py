"""Makes a value only when something in it has changed, for values that are read in every frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class Unchanged(Generic[V]):
    """Calls ``make`` with the parts of an immutable value. For the same parts as in the call before, it returns that
    call's value.
    """

    __slots__ = ("_make", "_parts", "_value")

    def __init__(self, make: Callable[..., V]) -> None:
        self._make = make
        self._parts: tuple[Any, ...] | None = None
        self._value: Any = None

    def __call__(self, *parts: Any) -> V:
        """The value made of these parts."""
        if parts != self._parts:
            self._value = self._make(*parts)
            self._parts = parts
        value: V = self._value
        return value
