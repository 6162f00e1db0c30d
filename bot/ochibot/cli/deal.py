"""``ochibot deal``: the pairs that a seed or random state of a published game deals, and the seeds that deal pairs.

``--find`` goes the other way: from the first pairs that somebody saw to the seeds that deal them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ochibot.cli.options import JsonOption
from ochibot.cli.output import check_picture, report_stream
from ochibot.errors import UsageError
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.text import Text

STYLES: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "magenta"}
PER_LINE: Final = 16
TOLD: Final = 20
"""Candidates printed at the most; the JSON has all."""

FORETOLD: Final = 8
"""Pairs told of each candidate."""


class Which(StrEnum):
    """The choices of --generator."""

    TSU = "tsu"
    PUYO1 = "puyo1"
    MODERN = "modern"


def deal(
    generator: Annotated[Which, typer.Option(help="Puyo Puyo Tsu; Puyo Puyo 1 and Mean Bean Machine; 2011 and later.")],
    state: Annotated[
        str | None,
        typer.Option(
            metavar="0x…", help="The random state (modern: the seed, up to 0xffff).", show_default="none: give --find"
        ),
    ] = None,
    find: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PAIRS",
            help="The first pairs seen, such as 'RR PR ?Y': which seeds deal them (modern).",
            show_default="none: give --state",
        ),
    ] = None,
    colors: Annotated[int, typer.Option(min=3, max=5, metavar="N", help="Colours in the game.")] = 4,
    seat: Annotated[int, typer.Option(min=1, max=2, metavar="N", help="Whose pairs (they differ in puyo1 only).")] = 1,
    pairs: Annotated[
        int, typer.Option(min=1, max=10_000, metavar="N", help="How many; after 128 a pool begins again.")
    ] = 128,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw them there, as PNG.", show_default="nowhere")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Puyo Puyo: the pairs that a random state of a published game deals in versus, the axis first."""
    from rich.console import Console

    from ochibot.puyo.pairs.generators import pairs_of, pool_of

    if find:
        _find(find, generator, state, colors, picture, json)
        return
    if state is None:
        raise UsageError("nothing says which pairs to deal: give --state, such as --state 0x35879de2, or --find PAIRS")
    number = _state(state)
    pool = pool_of(generator.value, number, colors, seat)
    check_picture(picture)
    check_target(json)
    dealt = list(islice(pairs_of(generator.value, pool), pairs))
    if picture is not None:
        from ochibot.cli.deal_drawing import strip

        strip(dealt).save(picture)
    write_json(
        {
            "generator": generator.value,
            "state": number,
            "colors": colors,
            "player": seat,
            "pool": list(pool),
            "pairs": [list(pair) for pair in dealt],
        },
        json,
    )
    Console(file=report_stream(json), highlight=False, soft_wrap=True).print(_table(dealt), end="")


def _find(
    find: list[str], generator: Which, state: str | None, colors: int, picture: Path | None, json: str | None
) -> None:
    """The seeds that deal what was seen, and what each deals next. Raises UsageError for what isn't there."""
    from rich.console import Console

    if generator is not Which.MODERN:
        raise UsageError(f"--find can't search the 2^32 states of {generator.value} yet: it finds modern seeds only")
    if state is not None or picture is not None:
        raise UsageError("--find looks for states: give it without --state and --picture")
    if len(find) > 1:
        raise UsageError("--find was given more than once: give all pairs of one game in one --find, such as 'RR PR'")
    from ochibot.puyo.pairs.engine import find_modern

    check_target(json)
    seen = find[0].split()
    candidates = find_modern(seen, colors)
    write_json(
        {"generator": generator.value, "colors": colors, "find": seen, "candidates": candidates},
        json,
    )
    out = Console(file=report_stream(json), highlight=False, soft_wrap=True)
    out.print(f"{len(candidates):,} of 65,536 seeds deal these pairs")
    for candidate in candidates[:TOLD]:
        out.print(f"0x{candidate:04x}, then {_next(candidate, seen, colors)}", markup=False)
    if len(candidates) > TOLD:
        out.print(f"and {counted(len(candidates) - TOLD, 'other')}: more pairs leave fewer")


def _next(seed: int, seen: list[str], colors: int) -> str:
    """The pairs after the seen ones, in the letters of whoever saw them; ``?`` is a colour not seen yet."""
    from ochibot.puyo.pairs.generators import pairs_of, pool_of

    dealt = list(islice(pairs_of("modern", pool_of("modern", seed, colors)), len(seen) + FORETOLD))
    codes = [code for pair in dealt for code in pair]
    called = {code: sign for code, sign in zip(codes, "".join(seen).upper(), strict=False) if sign != "?"}
    return " ".join("".join(called.get(code, "?") for code in pair) for pair in dealt[len(seen) :])


def _state(text: str) -> int:
    """The number written in hexadecimal with 0x before it, or in decimal. Raises UsageError."""
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}", text):
        return int(text, 16)
    if re.fullmatch(r"[0-9]{1,20}", text):
        return int(text)
    raise UsageError(f"{text[:40]!r} is no state: give a number, such as 0x35879de2 or 42")


def _table(pairs: list[tuple[int, int]]) -> Text:
    """Lines of sixteen pairs, each line with the number of its first pair before it."""
    from rich.text import Text

    from ochibot.puyo.pairs.generators import LETTERS

    text = Text()
    for first in range(0, len(pairs), PER_LINE):
        text.append(f"{first + 1:5} ", "dim")
        for pair in pairs[first : first + PER_LINE]:
            text.append(" ")
            for code in pair:
                text.append(LETTERS[code], STYLES[LETTERS[code]])
        text.append("\n")
    return text
