"""What all commands share: options as one object, an example at the end of the help, old names of options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand

Options = TypeVar("Options")
Result = TypeVar("Result")


def example(words: str) -> str:
    """The last line of a command's help: an example that works. ``words``: the words after ``ochibot``."""
    return f"Example: ochibot {words}"


def taking(options: type[Options], order: str) -> Callable[[Callable[[Options], Result]], Callable[..., Result]]:
    """Makes a command of a function that takes its options as one object, so that commands can share options.

    ``options``: a dataclass, with the annotations of typer. ``order``: the fields that are options of this command, in
    the order of the help. Other fields keep their default.
    """
    annotations = get_type_hints(options, include_extras=True)
    defaults = {field.name: field.default for field in fields(options)}  # type: ignore[arg-type]
    names = order.split()

    def command_of(function: Callable[[Options], Result]) -> Callable[..., Result]:
        @functools.wraps(function)
        def command(**given: Any) -> Result:
            return function(options(**given))

        parameters = [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if defaults[name] is MISSING else defaults[name],
                annotation=annotations[name],
            )
            for name in names
        ]
        # typer reads these, and not the one parameter of the function
        del command.__wrapped__
        command.__annotations__ = {name: annotations[name] for name in names}
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command

    return command_of


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
