"""``ochibot movie``: converts records to movies of other emulators, and such movies to records."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.commands import example, renaming, taking
from ochibot.cli.options import OUTPUT, CoreOption, JsonOption, KeptOptions, file_option, folder_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.leftovers import whole_folder
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

_OLD_NAMES = {"--out": "--output"}

app = typer.Typer(
    no_args_is_help=True,
    help="Records to and from movies of other emulators: .fm2 and .bk2.",
    epilog=example("movie export runs/one -o one.fm2"),
)


@dataclass(frozen=True, kw_only=True)
class MovieOptions(KeptOptions):
    """The options of ``ochibot movie export``."""

    output: Annotated[Path, file_option("The movie: a .fm2 (FCEUX) or .bk2 (BizHawk) file.", *OUTPUT)]
    author: Annotated[str, typer.Option(metavar="NAME", help="The author to name in the movie.")] = "Ochibot"


@app.command("export", cls=renaming(_OLD_NAMES), epilog=example("movie export runs/one -o one.fm2"))
@taking(MovieOptions, "record output rom game author json")
def export(given: MovieOptions) -> None:
    """Write a record that starts at power-on as a movie. A .fm2 is of the Famicom; a .bk2 may be of other consoles."""
    from ochibot.record import RecordError
    from ochibot.record.machine import image_for, named_rom
    from ochibot.record.movies import check_kind, movie_of, write_movie
    from ochibot.record.movies.movie import check_system

    check_target(given.json)
    check_kind(given.output)
    source = given.opened()
    check_system(source)
    check_writable(given.output, "the movie")
    image, core = image_for(source.manifest, given.record, given.rom, None), source.manifest.core
    if image.sha1 != source.manifest.rom.sha1:
        raise RecordError(
            f"{given.record} was made with {named_rom(source.manifest)}; {image.source} is another ROM (SHA-1 "
            f"{image.sha1}): give the record's with --rom"
        )
    comments = (f"made by Ochibot of a record of {core.name} {core.version}",)
    movie = movie_of(source, image, author=given.author, comments=comments)
    write_movie(movie, given.output)
    size = given.output.stat().st_size
    print(
        f"{given.output}: {counted(len(movie.pads), 'frame')}, {counted(len(movie.resets), 'reset')}, "
        f"{counted(size, 'byte')}",
        file=report_stream(given.json),
    )
    report = {"movie": str(given.output), "frames": len(movie.pads), "resets": len(movie.resets), "bytes": size}
    write_json({**report, "rom_sha1": image.sha1}, given.json)


@app.command("import", cls=renaming(_OLD_NAMES), epilog=example("movie import one.fm2 -o runs/again"))
def import_(
    movie: Annotated[Path, typer.Argument(metavar="MOVIE", help="A .fm2 or .bk2 file.")],
    output: Annotated[Path, folder_option("The record's folder, new or empty.", *OUTPUT)],
    rom: Annotated[Path | None, file_option("The movie's ROM.", default="our own game")] = None,
    core: CoreOption = None,
    any_rom: Annotated[
        bool, typer.Option("--any-rom", help="Play the movie even if it was made for another ROM.")
    ] = False,
    json: JsonOption = None,
) -> None:
    """Play a movie from power-on and record the run. After Ctrl-C there is no record."""
    from ochibot.console import Console, find_core, find_system
    from ochibot.errors import MovieError, OutputError
    from ochibot.games import find_game, game_names
    from ochibot.record import About, Recorder
    from ochibot.record.movies import play, read_movie
    from ochibot.record.recorder import prepare_folder

    check_target(json)
    source = read_movie(movie)
    row = find_system(source.system)
    if rom is not None:
        image = row.load_rom(rom, None, {})
    else:
        image = next(title for title in map(find_game, game_names()) if title.system == source.system).open_rom(None)
    if not any_rom and not source.is_for(image):
        rom_in_file = f"{source.rom_name!r} ({source.rom_hash})" if source.rom_hash else "no ROM at all"
        raise MovieError(
            f"{movie} is not a movie of {image.source}: it is of {rom_in_file}; give its ROM with --rom, or --any-rom"
        )
    about = About(command="movie import", settings={"movie": movie.name})
    line = StatusLine()
    done = 0
    prepare_folder(output, make=False)
    try:
        with (
            stopping() as stop,
            contextlib.closing(line),
            Console.open(find_core(source.system, core), image, options=row.options) as console,
            whole_folder(output) as partial,
        ):
            with Recorder.begin(partial, console, about) as recorder:
                for done in play(source, recorder.console):
                    if line.due():
                        line.show(f"frame {done:,} of {len(source.pads):,}", done / len(source.pads))
                    if stop.asked():
                        raise KeyboardInterrupt
                recorder.end = "movie"
            ram = hashlib.sha256(console.ram.snapshot()).hexdigest()
            name = f"{console.core_name} {console.core_version}"
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"can't write the record {output}: {reason}; make room, or give another folder") from None
    print(f"{output}: {done:,} of {counted(len(source.pads), 'frame')} on {name}", file=report_stream(json))
    print(f"RAM at the end: SHA-256 {ram}", file=report_stream(json))
    write_json(
        {
            "record": str(output),
            "frames": done,
            "movie_frames": len(source.pads),
            "resets": len(source.resets),
            "stopped_by": recorder.end,
            "ram_sha256": ram,
            "core": name,
            "rom_sha1": image.sha1,
        },
        json,
    )
