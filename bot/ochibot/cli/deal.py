"""``ochibot deal``: shows the pairs that a random state (or seed) of a published game deals.

``--find`` goes the other way: it finds the states that deal the first pairs that somebody saw.
"""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ochibot.cli.options import Device, JsonOption, file_option, number_option
from ochibot.cli.output import check_picture, report_stream
from ochibot.errors import UsageError
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.text import Text

    from ochibot.puyo.pairs.claims import Claims
    from ochibot.puyo.pairs.generators import Generator

STYLES: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "magenta"}
PER_LINE: Final = 16


class GeneratorName(StrEnum):
    """The choices of --generator."""

    TSU = "tsu"
    PUYO1 = "puyo1"
    MODERN = "modern"


def deal(
    generator: Annotated[
        GeneratorName,
        typer.Option(
            help="tsu: Puyo Puyo Tsu; puyo1: Puyo Puyo 1 and Mean Bean Machine; modern: games of 2011 and later."
        ),
    ],
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
            help="The first pairs seen, such as 'RR PR ?Y': find the states. Repeatable.",
            show_default="none: give --state",
        ),
    ] = None,
    stats: Annotated[
        int | None, number_option("Test the wiki's statements about the pools on N states.", default="not shown")
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(
            "--range", metavar="FROM-TO", help="With --find: only these states, both included.", show_default="all"
        ),
    ] = None,
    threads: Annotated[
        int | None, number_option("With --find: how many threads search.", most=1024, default="one for each processor")
    ] = None,
    checkpoint: Annotated[
        Path | None, file_option("With --find: the .npz file that keeps the search's progress.", default="the cache")
    ] = None,
    device: Annotated[
        Device | None,
        typer.Option(help="With --find: cpu, or cuda for an NVIDIA GPU (tsu, puyo1).", show_default="cpu"),
    ] = None,
    colors: Annotated[int, number_option("Colours in the game.", least=3, most=5)] = 4,
    seat: Annotated[int, number_option("The seat whose pairs are shown (they differ in puyo1 only).", most=2)] = 1,
    pairs: Annotated[int, number_option("How many pairs to show; after 128 the pool repeats.", most=10_000)] = 128,
    picture: Annotated[Path | None, file_option("Draw the pairs in this PNG file.", default="nowhere")] = None,
    json: JsonOption = None,
) -> None:
    """Puyo Puyo: the pairs that a published game deals in versus from a random state, each with its axis puyo first.

    --find goes the other way: from the first pairs that you saw to all states that deal them, and what comes next.
    Equal letters are equal colours, whatever their names; ? or * is a puyo that you didn't see.
    """
    from rich.console import Console

    from ochibot.cli.deal_find import number as deal_number
    from ochibot.puyo.pairs.generators import pairs_of, pool_of

    if stats is not None:
        if state is not None or find:
            raise UsageError("--stats measures states of its own choice: give it without --state and --find")
        _stats(generator.value, stats, colors, seat, picture, json)
        return
    if find:
        if state is not None or picture is not None:
            raise UsageError("--find looks for states: give it without --state and --picture")
        from ochibot.cli import deal_find

        deal_find.find(find, generator.value, colors, seat, within, threads, checkpoint, json, device or "cpu")
        return
    if any(option is not None for option in (within, threads, checkpoint, device)):
        raise UsageError("--range, --threads, --checkpoint and --device belong to a search: give --find PAIRS too")
    if state is None:
        raise UsageError("nothing says which pairs to deal: give --state 0x35879de2, --find PAIRS or --stats N")
    number = deal_number(state, "state")
    pool = pool_of(generator.value, number, colors, seat)
    check_picture(picture)
    check_target(json)
    dealt = list(islice(pairs_of(generator.value, pool), pairs))
    if picture is not None:
        from ochibot.lab.plots.strip import strip

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


def _stats(generator: Generator, count: int, colors: int, player: int, picture: Path | None, json: str | None) -> None:
    """Measures the pools and prints the results. Raises ConfigError and OutputError."""
    from ochibot.puyo.pairs.claims import measure, verdicts

    check_picture(picture)
    check_target(json)
    claims = measure(generator, count, colors, player)
    results = verdicts(claims)
    if picture is not None:
        from ochibot.lab.plots.pools import charts

        charts(claims).save(picture)
    write_json(
        _report(claims) | {"claims": [asdict(verdict) | {"verdict": verdict.verdict} for verdict in results]}, json
    )
    out = report_stream(json)
    states = counted(claims.states, "seed" if generator == "modern" else "state")
    print(f"{states} of {generator}, {colors} colours, player {player}", file=out)
    for verdict in results:
        print(f"\nthe article says: {verdict.says}", file=out)
        print(f"measured: {verdict.measured}", file=out)
        print(f"verdict: {verdict.verdict}", file=out)


def _report(claims: Claims) -> dict[str, Any]:
    from ochibot.puyo.pairs.claims import CODES

    return {
        "generator": claims.generator,
        "colors": claims.colors,
        "player": claims.player,
        "states": claims.states,
        "most_off": claims.most_off,
        "equal": claims.equal,
        "by_color": {str(code): share for code, share in zip(CODES, claims.by_color.tolist(), strict=True)},
        "by_place": {str(code): row for code, row in zip(CODES, claims.by_place.tolist(), strict=True)},
        "streaks": claims.streaks.tolist(),
        "fair_streaks": claims.fair_streaks.tolist(),
        "halves": claims.halves.tolist(),
        "fair_halves": claims.fair_halves.tolist(),
        "measures": {name: asdict(measured) for name, measured in claims.measures.items()},
        "first_two": claims.first_two,
        "first_four": claims.first_four,
    }
