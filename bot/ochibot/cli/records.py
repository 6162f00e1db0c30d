"""Commands on records.

``ochibot verify`` plays a record again and reports whether RAM and pictures are the same. ``ochibot movie`` converts
records to movies of other emulators, and such movies to records.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli import options
from ochibot.cli.commands import example, renaming, taking
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, check_picture, report_stream, stopping
from ochibot.errors import RecordError
from ochibot.leftovers import kept_folder, whole_folder
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.record import Record
    from ochibot.record.verify import VerifyResult

_NO_END = "it has no end: what wrote it was killed, or it is cut short"


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(options.KeptOptions):
    """The options of ``ochibot verify``."""

    dump: Annotated[
        Path | None, options.folder_option("Compare the pictures of this dump as well.", default="no pictures")
    ] = None
    first: options.FromOption = 1
    repeat: Annotated[
        int, options.number_option("Play the record N times, and report whether all runs were the same.")
    ] = 1
    whole: Annotated[bool, typer.Option("--whole", help="Refuse a record or dump that was cut off before its end.")] = (
        False
    )
    strict: Annotated[
        bool, typer.Option("--strict", help="Also count a difference in RAM that is gone at the next sample.")
    ] = False
    picture: Annotated[
        Path | None,
        options.file_option(
            "The file for the picture of a difference: expected, actual, difference.",
            default="a folder for temporary files",
        ),
    ] = None


@taking(
    VerifyOptions,
    "record dump first repeat whole strict rom system core picture game game_module json",
)
def verify(given: VerifyOptions) -> int:
    """Play a record again and compare RAM and pictures. Exit code 0: same, 1: different, 2: can't be played."""
    from ochibot.record.verify import verify as check

    check_target(given.json)
    check_picture(given.picture)
    out = report_stream(given.json)
    opened = given.opened()
    if opened.end is None:
        note = f"it has no end: its run was killed, or it is cut short after frame {opened.frames:,}"
        if given.whole:
            raise RecordError(f"{given.record} is not whole: {note}")
        torn = f" ({counted(opened.torn, 'byte')} of a torn block)" if opened.torn else ""
        print(f"{note}{torn}", file=out, flush=True)
    if given.whole and given.dump is not None:
        from ochibot.record.dump import open_dump

        if not open_dump(given.dump).ended:
            raise RecordError(f"the dump {given.dump} is not whole: {_NO_END}")
    status = StatusLine()

    def progress(run: int, frame: int) -> None:
        if status.due():
            again = f"run {run + 1} of {given.repeat}: " if given.repeat > 1 else ""
            status.show(f"{again}frame {frame:,} of {opened.frames:,}", frame / opened.frames)

    began = time.perf_counter()
    with stopping() as stop, contextlib.closing(status):
        result = check(
            opened,
            rom=given.rom,
            core=given.core,
            system=given.system,
            dump=given.dump,
            first=given.first,
            repeat=given.repeat,
            strict=given.strict,
            progress=progress,
            stopped=stop.asked,
        )
    seconds = time.perf_counter() - began
    shown = _save_picture(result, given.picture)
    for line in _told(opened, result, seconds, given.repeat):
        print(line, file=out)
    if shown is not None:
        print(f"expected, actual and difference side by side: {shown}", file=out)
    write_json(_report(opened, result, seconds, shown), given.json)
    return 0 if result.same else 1


def _save_picture(result: VerifyResult, wanted: Path | None) -> Path | None:
    from ochibot.record.difference import save_side_by_side

    found = result.difference
    if found is None or found.pixels is None or found.expected is None or found.actual is None:
        return None
    if wanted is not None:
        save_side_by_side(wanted, found.expected, found.actual)
        return wanted
    with kept_folder() as folder:
        path = folder / f"frame{found.frame}.png"
        save_side_by_side(path, found.expected, found.actual)
    return path


def _told(record: Record, result: VerifyResult, seconds: float, repeat: int) -> list[str]:
    lines = [text for text in (result.other_rom, result.other_core) if text is not None]
    if result.difference is not None:
        lines += result.difference.lines()
    if result.first_passing is not None:
        lines.append(
            f"RAM differed in passing at {counted(result.passing, 'frame')}, first at frame {result.first_passing:,}, "
            "and was as recorded at the next sample"
        )
    if repeat > 1:
        kinds = len(set(result.digests))
        alike = "all alike" if kinds == 1 else f"in {counted(kinds, 'different way')}: it isn't deterministic"
        lines.append(f"{counted(repeat, 'run')}, {alike}")
    if result.dump_ended is False:
        lines.append(f"the dump: {_NO_END}")
    if result.dump_beyond:
        many = counted(result.dump_beyond, "picture")
        lines.append(f"the dump has {many} after the record's end: not compared")
    speed = result.frames * repeat / seconds if seconds else 0.0
    looked = f"{counted(result.samples, 'sample')}" + (
        f", {counted(result.dumped, 'dumped picture')}" if result.dumped else ""
    )
    verdict = "same" if result.same else "DIFFERENT"
    span = f"frames {result.first:,} to {result.first + result.frames - 1:,}"
    lines.append(f"{verdict}: {record.path}, {span} ({looked}) in {seconds:.1f} s, {speed:,.0f} frames/s")
    return lines


def _report(record: Record, result: VerifyResult, seconds: float, shown: Path | None) -> dict[str, object]:
    return {
        "record": str(record.path),
        "same": result.same,
        "first": result.first,
        "frames": result.frames,
        "record_frames": record.frames,
        "end": record.end,
        "torn": record.torn,
        "samples": result.samples,
        "dumped": result.dumped,
        "dump_beyond": result.dump_beyond,
        "dump_ended": result.dump_ended,
        "other_rom": result.other_rom,
        "other_core": result.other_core,
        "difference": result.difference.as_dict() if result.difference is not None else None,
        "picture": str(shown) if shown is not None else None,
        "passing": result.passing,
        "first_passing": result.first_passing,
        "runs": len(result.digests),
        "deterministic": result.deterministic,
        "digests": result.digests,
        "seconds": round(seconds, 3),
        "frames_per_second": round(result.frames * len(result.digests) / seconds, 1) if seconds else 0.0,
    }


_OLD_NAMES = {"--out": "--output"}

app = typer.Typer(
    no_args_is_help=True,
    help="Records to and from movies of other emulators: .fm2 and .bk2.",
    epilog=example("movie export runs/one -o one.fm2"),
)


@dataclass(frozen=True, kw_only=True)
class MovieOptions(options.KeptOptions):
    """The options of ``ochibot movie export``."""

    output: Annotated[Path, options.file_option("The movie: a .fm2 (FCEUX) or .bk2 (BizHawk) file.", *OUTPUT)]
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
    output: Annotated[Path, options.folder_option("The record's folder, new or empty.", *OUTPUT)],
    rom: Annotated[Path | None, options.file_option("The movie's ROM.", default="our own game")] = None,
    core: options.CoreOption = None,
    any_rom: Annotated[
        bool, typer.Option("--any-rom", help="Play the movie even if it was made for another ROM.")
    ] = False,
    json: options.JsonOption = None,
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
