"""``ochibot review``: replays a game, and says of every placement what it was worth beside the best one."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot.cli import options
from ochibot.cli.commands import taking
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.review.sources import Source


_SUMMARY = "summary.html"
"""The page of many reviews, in their folder."""


class Effort(StrEnum):
    """The choices of --effort."""

    QUICK = "quick"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True)
class ReviewOptions:
    """The options of ``ochibot review``."""

    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="RECORD|MOVIE",
            help="A folder made with --record, or a movie: .fm2, .bk2, .replay.",
            show_default="none, with --against",
        ),
    ] = None
    output: Annotated[Path | None, options.file_option("The page.", *OUTPUT, default="beside the game, .html")] = None
    effort: Annotated[
        Effort,
        typer.Option(
            help="How many boards the reviewer examines for each placement: about 100,000, 1 million or 10 million."
        ),
    ] = Effort.NORMAL
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="A movie's game.", show_default="one of ours with this ROM"),
    ] = None
    rom: Annotated[Path | None, options.file_option("The game's ROM.", "--rom", default="our own game")] = None
    core: options.CoreOption = None
    system: options.SystemOption = None
    rules: options.RulesOption = None
    jobs: Annotated[int | None, options.number_option("How many threads think.", most=256, default="all cores")] = None
    against: Annotated[
        Path | None,
        options.folder_option("Sum up the reviews in this folder (pages or --json), with plots.", default="none"),
    ] = None
    seat: Annotated[int, options.number_option("With --against: whose games.", most=2)] = 1
    json: options.JsonOption = None


@taking(ReviewOptions, "source output effort game rom core system rules jobs against seat json")
def review(given: ReviewOptions) -> None:
    """Review a game: what each placement was worth, mistakes, missed chains, accuracy; as a page and as JSON.

    The reviewer knows only what the player could see. A review that is cut short goes on when it is started again.
    """
    check_target(given.json)
    if given.source is None:
        if given.against is None:
            raise UsageError("give a game: a record's folder or a movie; or --against DIR for many reviews")
        page = given.output or given.against / _SUMMARY
        check_writable(page, "the page")
        write_json({**_sum_up(given, page), "page": str(page)}, given.json)
        return
    page = given.output or page_beside(given.source)
    found = review_one(given, given.source, page, report_stream(given.json))
    more = {} if given.against is None else {"against": _sum_up(given, given.against / _SUMMARY)}
    write_json({**found, "page": str(page), **more}, given.json)


def review_one(given: ReviewOptions, path: Path, page: Path, out: TextIO) -> dict[str, Any]:
    """Reviews a game, and prints what there is to say."""
    from ochibot.review.report import review_game
    from ochibot.review.sources import open_source

    source = open_source(path, game=given.game, rom=given.rom, core=given.core, system=given.system, rules=given.rules)
    check_writable(page, "the page")
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
    return found


def _sum_up(given: ReviewOptions, page: Path) -> dict[str, Any]:
    """Sums up the reviews of a folder, writes the page with the plots, and prints what there is to say."""
    from ochibot.leftovers import written
    from ochibot.review.history import page_of, reviewed, reviews_in, summary
    from ochibot.review.history import told as told_of_many

    assert given.against is not None
    every = [reviewed(name, review, given.seat) for name, review in reviews_in(given.against)]
    rows = [row for row in every if row is not None]
    if not rows:
        raise UsageError(f"no review in {given.against} is of seat {given.seat}: give the other --seat")
    found = summary(rows)
    with written(page, "the page ", "give another path with -o") as partial:
        partial.write_text(page_of(found), encoding="utf-8")
    out = report_stream(given.json)
    for line in told_of_many(found):
        print(line, file=out)
    print(f"the plots: {page}", file=out)
    return found


def page_beside(source: Path) -> Path:
    """Where the page of a game goes if nobody says."""
    if not source.is_dir():
        return source.with_suffix(".html") if source.name else Path("game.html")
    # "." and ".." are no names for a page
    folder = source if source.name not in ("", "..") else source.resolve()
    return folder.parent / f"{folder.name or 'game'}.html"


def told(found: dict[str, Any], source: Source) -> list[str]:
    """The review in a few lines."""
    lines = [f"{source.path}: {source.game.name}, {counted(len(found['moves']), 'placement')}"]
    if source.note is not None:
        lines.append(source.note)
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
