"""The conditions in a map that recognise a game's moments: a pair spawns, is under control, the game is over or
paused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

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
