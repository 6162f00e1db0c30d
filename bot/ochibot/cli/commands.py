"""What all commands share besides their options: an example at the end of the help, and old names of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperCommand


def example(words: str) -> str:
    """The last line of a command's help: an example that works. ``words``: the words after ``ochibot``."""
    return f"Example: ochibot {words}"


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
