"""``ochibot video``: a record as a video with sound, or as an animated picture."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.options import GameModuleOption, JsonOption, find_title
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.report import check_target, check_writable, write_json


def video(
    record: Annotated[Path, typer.Argument(help="A record's folder.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="An .mp4 (with sound), .gif or .png (APNG) file.")],
    speed: Annotated[float, typer.Option(help="Faster (2) or slower (0.5); the sound's pitch goes with it.")] = 1.0,
    overlay: Annotated[bool, typer.Option("--overlay", help="Show the AI's plan and what it thinks of it.")] = False,
    first: Annotated[int | None, typer.Option("--from", help="The first frame (default: 1).")] = None,
    last: Annotated[int | None, typer.Option("--to", help="The last frame (default: the record's).")] = None,
    scale: Annotated[int | None, typer.Option(help="Pixels to a pixel (default: 3 for mp4, else 1).")] = None,
    fps: Annotated[
        int | None, typer.Option(help="Pictures a second of a .gif or .png: 50, 25, 20 (the default) or 10.")
    ] = None,
    rom: Annotated[Path | None, typer.Option(help="The ROM of the record (default: our own game).")] = None,
    system: Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")] = None,
    core: Annotated[str | None, typer.Option(help="Another libretro core than the record's.")] = None,
    game_module: GameModuleOption = None,
    json: JsonOption = None,
) -> None:
    """Play a record again and write it as a video. Ctrl-C gives it up: there is no file then."""
    from ochibot.errors import VideoError
    from ochibot.record import Record
    from ochibot.record.video import check_kind

    check_target(json)
    if game_module is not None:
        find_title(None, game_module)
    check_kind(output)
    try:
        wanted = Fraction(speed).limit_denominator(1000)
    except (OverflowError, ValueError):
        raise VideoError(f"--speed is a number such as 2 or 0.5, not {speed}") from None
    source = Record.open(record)
    check_writable(output, "the video")
    from ochibot.record.video.make import Wish, make_video

    line = StatusLine()
    with stopping() as stop:

        def progress(done: int, of: int) -> bool:
            if line.due():
                line.show(f"[{'#' * (30 * done // of):30}] frame {done:,} of {of:,}")
            return stop.asked()

        wish = Wish(wanted, overlay, first, last, scale, fps)
        made = make_video(source, output, wish, rom=rom, core=core, system=system, progress=progress)
    line.close()
    width, height = made.size
    print(
        f"{output}: {made.pictures:,} pictures of {width} x {height} at {made.fps:.4g} a second, "
        f"{made.seconds:.1f} s, {made.bytes / 1000:,.0f} kB",
        file=report_stream(json),
    )
    write_json({"video": str(output), **asdict(made)}, json)
