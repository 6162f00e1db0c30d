"""What all commands share: options as one object, an example at the end of the help, old names of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, Generic, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand

Options = TypeVar("Options")
Result = TypeVar("Result")


def example(words: str) -> str:
    """The last line of a command's help: an example that works. ``words``: the words after ``ochibot``."""
    return f"Example: ochibot {words}"


class Taking(Generic[Options, Result]):
    """A command whose function takes its options as one object. typer reads its signature only if it is called."""

    def __init__(self, function: Callable[[Options], Result], options: type[Options], names: list[str]) -> None:
        self._function, self._options, self._names = function, options, names
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __call__(self, **given: Any) -> Result:
        """Runs the command with these options."""
        return self._function(self._options(**given))

    @property
    def __signature__(self) -> Signature:
        annotations = get_type_hints(self._options, include_extras=True)
        defaults = {field.name: field.default for field in fields(self._options)}  # type: ignore[arg-type]
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if defaults[name] is MISSING else defaults[name],
                    annotation=annotations[name],
                )
                for name in self._names
            ]
        )

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        annotations = get_type_hints(self._options, include_extras=True)
        return {name: annotations[name] for name in self._names}


def taking(options: type[Options], order: str) -> Callable[[Callable[[Options], Result]], Taking[Options, Result]]:
    """Makes a command of a function that takes its options as one object, so that commands can share options.

    ``options``: a dataclass, with the annotations of typer. ``order``: the fields that are options of this command, in
    the order of the help. Other fields keep their default.
    """
    return lambda function: Taking(function, options, order.split())


def renaming(old_names: Mapping[str, str]) -> type[TyperCommand]:
    """Makes a command class whose options also have old names. ``old_names``: the new name of each old one.

    The help doesn't show old names. Using one prints a note on stderr.
    """

    class Renaming(TyperCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, list(_renamed(args, old_names, aloud=not ctx.resilient_parsing)))

    return Renaming


def _renamed(args: list[str], old_names: Mapping[str, str], *, aloud: bool) -> Iterator[str]:
    shown = set()
    for number, word in enumerate(args):
        if word == "--":
            yield from args[number:]
            return
        name, equals, value = word.partition("=")
        new = old_names.get(name)
        if new is None:
            yield word
            continue
        if aloud and name not in shown:
            shown.add(name)
            typer.echo(f"{name} is called {new} now", err=True)
        yield f"{new}{equals}{value}"
