"""``ochibot video``: turns a record into a video with sound, or into an animated picture."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import OUTPUT, FromOption, KeptOptions, ScaleOption, ToOption, file_option, number_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted


@dataclass(frozen=True, kw_only=True)
class VideoOptions(KeptOptions):
    """The options of ``ochibot video``."""

    output: Annotated[Path, file_option("An .mp4 (with sound), .gif or .png (APNG) file.", *OUTPUT)]
    tempo: Annotated[
        float,
        typer.Option(min=0.1, max=100, metavar="X", help="Faster (2) or slower (0.5); the sound's pitch changes too."),
    ] = 1.0
    overlay: Annotated[bool, typer.Option("--overlay", help="Show the AI's plan and its value.")] = False
    first: FromOption = 1
    last: ToOption = None
    scale: ScaleOption = None
    fps: Annotated[
        int | None,
        number_option("Pictures a second of a .gif or .png: 50, 25, 20 or 10.", least=10, most=50, default="20"),
    ] = None


@taking(
    VideoOptions,
    "record output tempo overlay first last scale fps rom system core game game_module json",
)
def video(given: VideoOptions) -> None:
    """Play a record again and write it as a video. After Ctrl-C there is no file."""
    from fractions import Fraction

    from ochibot.errors import VideoError
    from ochibot.record.video import check_kind

    check_target(given.json)
    check_kind(given.output)
    try:
        wanted = Fraction(given.tempo).limit_denominator(1000)
    except (OverflowError, ValueError):
        raise VideoError(f"--tempo is a number such as 2 or 0.5, not {given.tempo}") from None
    source = given.opened()
    check_writable(given.output, "the video")
    from ochibot.record.video.make import Wish, make_video

    line = StatusLine()
    with stopping() as stop, contextlib.closing(line):

        def progress(done: int, of: int) -> bool:
            if line.due():
                line.show(f"frame {done:,} of {of:,}", done / of)
            return stop.asked()

        wish = Wish(wanted, given.overlay, given.first, given.last, given.scale, given.fps)
        made = make_video(
            source, given.output, wish, rom=given.rom, core=given.core, system=given.system, progress=progress
        )
    width, height = made.size
    print(
        f"{given.output}: {counted(made.pictures, 'picture')} of {width} x {height} at {made.fps:.4g} a second, "
        f"{made.seconds:.1f} s, {made.bytes / 1000:,.0f} kB",
        file=report_stream(given.json),
    )
    write_json({"video": str(given.output), **asdict(made)}, given.json)
