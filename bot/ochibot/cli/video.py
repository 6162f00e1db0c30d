"""``ochibot video``: turns a record into a video with sound, or into an animated picture."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.options import (
    FromOption,
    GameModuleOption,
    JsonOption,
    RecordArgument,
    RecordCoreOption,
    RecordGameOption,
    RecordRomOption,
    ScaleOption,
    SystemOption,
    ToOption,
    check_of_title,
    name_title,
)
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted


def video(
    record: RecordArgument,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="An .mp4 (with sound), .gif or .png (APNG) file."),
    ],
    tempo: Annotated[
        float,
        typer.Option(min=0.1, max=100, metavar="X", help="Faster (2) or slower (0.5); the sound's pitch changes too."),
    ] = 1.0,
    overlay: Annotated[bool, typer.Option("--overlay", help="Show the AI's plan and its value.")] = False,
    first: FromOption = 1,
    last: ToOption = None,
    scale: ScaleOption = None,
    fps: Annotated[
        int | None,
        typer.Option(
            min=10,
            max=50,
            metavar="N",
            help="Pictures a second of a .gif or .png: 50, 25, 20 or 10.",
            show_default="20",
        ),
    ] = None,
    rom: RecordRomOption = None,
    system: SystemOption = None,
    core: RecordCoreOption = None,
    game: RecordGameOption = None,
    game_module: GameModuleOption = None,
    json: JsonOption = None,
) -> None:
    """Play a record again and write it as a video. After Ctrl-C there is no file."""
    from fractions import Fraction

    from ochibot.errors import VideoError
    from ochibot.record import Record
    from ochibot.record.video import check_kind

    check_target(json)
    title = name_title(game, game_module)
    check_kind(output)
    try:
        wanted = Fraction(tempo).limit_denominator(1000)
    except (OverflowError, ValueError):
        raise VideoError(f"--tempo is a number such as 2 or 0.5, not {tempo}") from None
    source = check_of_title(Record.open(record), title)
    check_writable(output, "the video")
    from ochibot.record.video.make import Wish, make_video

    line = StatusLine()
    with stopping() as stop, contextlib.closing(line):

        def progress(done: int, of: int) -> bool:
            if line.due():
                line.show(f"frame {done:,} of {of:,}", done / of)
            return stop.asked()

        wish = Wish(wanted, overlay, first, last, scale, fps)
        made = make_video(source, output, wish, rom=rom, core=core, system=system, progress=progress)
    width, height = made.size
    print(
        f"{output}: {counted(made.pictures, 'picture')} of {width} x {height} at {made.fps:.4g} a second, "
        f"{made.seconds:.1f} s, {made.bytes / 1000:,.0f} kB",
        file=report_stream(json),
    )
    write_json({"video": str(output), **asdict(made)}, json)
