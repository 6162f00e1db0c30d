"""``ochibot review``: replays a game, and says of every placement what it was worth beside the best one."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import CoreOption, GameModuleOption, JsonOption, RulesOption, SystemOption
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.review.sources import Source


class Effort(StrEnum):
    """The choices of --effort."""

    QUICK = "quick"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of ``ochibot review``."""

    source: Annotated[
        Path,
        typer.Argument(metavar="RECORD|MOVIE", help="A folder made with --record, or a movie: .fm2, .bk2, .replay."),
    ]
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The page.", show_default="beside the game, .html"),
    ] = None
    effort: Annotated[
        Effort, typer.Option(help="How long the reviewer thinks: about 20 ms, 200 ms or 2 s for each placement.")
    ] = Effort.NORMAL
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="A movie's game.", show_default="one of ours with this ROM"),
    ] = None
    rom: Annotated[
        Path | None, typer.Option("--rom", metavar="FILE", help="The game's ROM.", show_default="our own game")
    ] = None
    core: CoreOption = None
    system: SystemOption = None
    rules: RulesOption = None
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="How many threads think.", show_default="all cores")
    ] = None
    json: JsonOption = None
    game_module: GameModuleOption = None


@taking(ReviewOptions, "source output effort game rom core system rules jobs json")
def review(given: ReviewOptions) -> None:
    """Review a game: what each placement was worth, mistakes, missed chains, accuracy; as a page and as JSON.

    The reviewer knows only what the player could see. A review that is cut short goes on when it is started again.
    """
    from ochibot.review.game import review_game
    from ochibot.review.sources import open_source

    check_target(given.json)
    source = open_source(
        given.source, game=given.game, rom=given.rom, core=given.core, system=given.system, rules=given.rules
    )
    page = given.output or _beside(given.source)
    check_writable(page, "the page")
    out = report_stream(given.json)
    status = StatusLine()
    with stopping() as stop, contextlib.closing(status):

        def progress(what: str, done: int, of: int) -> None:
            if status.due():
                status.show(f"{what} {done:,} of {of:,}", done / max(1, of))

        found = review_game(
            source, page, str(given.effort), given.jobs or os.cpu_count() or 1, progress=progress, stopped=stop.asked
        )
    for line in told(found, source):
        print(line, file=out)
    print(f"the page: {page}", file=out)
    write_json({**found, "page": str(page)}, given.json)


def _beside(source: Path) -> Path:
    return source.with_name(f"{source.name}.html") if source.is_dir() else source.with_suffix(".html")


def told(found: dict[str, Any], source: Source) -> list[str]:
    """The review in a few lines."""
    lines = [f"{source.path}: {source.game.name}, {counted(len(found['moves']), 'placement')}"]
    for seat in found["seats"]:
        if seat["accuracy"] is None:
            lines.append(f"seat {seat['seat']}: nothing could be judged")
            continue
        words = ", ".join(f"{name} {count}" for name, count in seat["grades"].items())
        best = max((chain["steps"] for chain in seat["chains"]), default=0)
        lines.append(f"seat {seat['seat']}: accuracy {seat['accuracy']:.1f}; {words}; longest chain {best}")
    for at in found["moments"]:
        move = found["moves"][at]
        lines.append(_moment(move))
    if not found["moves"]:
        raise UsageError(f"{source.path}: no placement was found; was the game ever played in it?")
    return lines


def _moment(move: dict[str, Any]) -> str:
    mine, best = move["played"], move["choices"][0]
    where = f"{move['seconds']:7.1f} s, seat {move['seat']}, piece {move['number']:3}"
    what = f"{move['grade']}: {_words(mine)}"
    if move["grade"] in ("inaccuracy", "mistake", "blunder"):
        what += f"; better {_words(best)}"
    marks = f" ({', '.join(move['marks'])})" if move["marks"] else ""
    return f"{where}: {what}{marks}"


def _words(choice: dict[str, Any]) -> str:
    place = choice["place"]
    text = f"column {place['x']}, {place['orientation']}" + (", needles" if place.get("needle") else "")
    if choice["made"]:
        text += f", {choice['steps']}-chain" if choice["steps"] else f", attack {choice['made']}"
    elif choice["towards"]:
        towards = f"{choice['towards_steps']}-chain" if choice["towards_steps"] else f"attack {choice['towards']}"
        text += f" (towards {towards})"
    return text
