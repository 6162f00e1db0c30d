"""The conditions in a map that recognise a game's moments: a pair spawns, is under control, the game is over or
paused.

A map's signs bound to RAM: each tells whether its condition holds now, such as a spawn or game over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from ochibot.keeping import Keeps
from ochibot.yamlfile import Exact

MOMENTS: Final = ("spawn", "control", "over", "paused")

_MOST_PARTS: Final = 16


def _listed(value: object) -> object:
    return [value] if isinstance(value, int | str) else value


def _true(value: object) -> object:
    # 1 equals True in Python, but a user who writes 1 doesn't mean true
    if value is not True:
        raise ValueError("give true, or leave it out")
    return value


_Value = Annotated[int, Field(strict=True)] | str
_Values = Annotated[tuple[_Value, ...], BeforeValidator(_listed), Field(min_length=1, max_length=256)]
_OnlyTrue = Annotated[Literal[True], BeforeValidator(_true)]


class Condition(Exact):
    """One condition on RAM.

    It is either a question about one ``entry``: exactly one of ``is``, ``is_not`` (with values: numbers, or symbols of
    the entry's table), ``rises`` (the value was 0 a frame ago and isn't now) and ``changes`` (the value was another a
    frame ago); or a list of conditions under ``all`` or ``any``.
    """

    entry: str | None = None
    is_: Annotated[_Values | None, Field(alias="is")] = None
    is_not: _Values | None = None
    rises: _OnlyTrue | None = None
    changes: _OnlyTrue | None = None
    all: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=_MOST_PARTS)] | None = None
    any: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=_MOST_PARTS)] | None = None

    @model_validator(mode="after")
    def _one_question(self) -> Condition:
        asked = sum(part is not None for part in (self.is_, self.is_not, self.rises, self.changes))
        joined = sum(part is not None for part in (self.all, self.any))
        if self.entry is not None and (asked != 1 or joined):
            raise ValueError("an entry has exactly one of is, is_not, rises and changes beside it")
        if self.entry is None and (asked or joined != 1):
            raise ValueError("give an entry with is, is_not, rises or changes, or a list under all or any")
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {"is" if name == "is_" else name: value for name, value in write(self).items()}

    def questions(self) -> Iterator[Condition]:
        """Yields the conditions on single entries that this condition contains, or itself if it is one."""
        if self.entry is not None:
            yield self
        for part in (*(self.all or ()), *(self.any or ())):
            yield from part.questions()


class Signs(Exact):
    """The moments that a map can recognise: spawn (a pair is announced), control (it answers the pad), over, paused."""

    spawn: Condition | None = None
    control: Condition | None = None
    over: Condition | None = None
    paused: Condition | None = None

    def given(self) -> dict[str, Condition]:
        """The conditions that the map gives, by name."""
        return {name: found for name in MOMENTS if (found := getattr(self, name)) is not None}


Look = Callable[[], bool]
Read = Callable[[], int | None]
"""Reads an entry. While its pointer leads nowhere it returns None, which fulfils no condition."""


class Sign(Keeps):
    """A function that returns whether a condition holds now. It may be called any number of times.

    ``keep`` remembers the present values, with which ``rises`` and ``changes`` are compared later. Call ``keep`` once
    at the end of each frame, and after RAM was replaced, for example by loading a savestate.
    """

    _changing = ("_last",)

    def __init__(
        self, condition: Condition, reader: Callable[[str], Read], number: Callable[[str, int | str], int]
    ) -> None:
        """reader: returns an entry's reader. number: returns, for an entry and a number or symbol, the number that the
        entry's reader returns for it.
        """
        self._reader, self._number = reader, number
        self._reads: list[Read] = []
        self._last: list[int | None] = []
        self.look = self._made(condition)
        """Returns whether the condition holds now, as a call of the sign does, with one call less in every frame."""
        self.is_edge = bool(self._reads)
        """Whether the condition depends on the frame before, so that it may hold for a single frame only."""
        self.keep()

    def __call__(self) -> bool:
        """Whether the condition holds now."""
        return self.look()

    def keep(self) -> None:
        """Remembers the present values, which the next frame is compared with."""
        for at, read in enumerate(self._reads):
            self._last[at] = read()

    def _made(self, condition: Condition) -> Look:
        if condition.entry is not None:
            return self._question(condition, condition.entry)
        together = [self._made(part) for part in condition.all or condition.any or ()]
        if condition.all is not None:
            return lambda: all(look() for look in together)
        return lambda: any(look() for look in together)

    def _question(self, condition: Condition, entry: str) -> Look:
        read = self._reader(entry)
        values = frozenset(self._number(entry, value) for value in condition.is_ or condition.is_not or ())
        if condition.is_ is not None:
            (first, *others) = values
            return (lambda: read() in values) if others else (lambda: read() == first)
        if condition.is_not is not None:
            return lambda: (now := read()) is not None and now not in values
        at, last = len(self._reads), self._last
        self._reads.append(read)
        last.append(None)
        if condition.rises:
            return lambda: last[at] == 0 and bool(read())
        return lambda: (now := read()) is not None and last[at] is not None and now != last[at]
