"""Commands that play a record again and save its pictures.

``ochibot dump``: saves frames of a record as PNG files, with a manifest.

``ochibot video``: turns a record into a video with sound, or into an animated picture.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli import options
from ochibot.cli.commands import taking
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.record import Record


@dataclass(frozen=True, kw_only=True)
class DumpOptions(options.KeptOptions):
    """The options of ``ochibot dump``."""

    out: Annotated[Path, options.folder_option("The folder for the pictures.", *OUTPUT)]
    every: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Save every Kth frame.", show_default="each frame")
    ] = None
    at_locks: Annotated[bool, typer.Option("--at-locks", help="Save the frame of each lock.")] = False
    first: Annotated[
        int | None, typer.Option("--from", min=1, metavar="FRAME", help="Begin at this frame.", show_default="1")
    ] = None
    last: options.ToOption = None
    frames: Annotated[str | None, typer.Option(hidden=True)] = None


@taking(
    DumpOptions,
    "record out every at_locks first last frames rom system core game game_module json",
)
def dump(given: DumpOptions) -> int:
    """Play a record again and save pictures of the chosen frames, with a manifest of their hashes."""
    from ochibot.record.dump import DumpWriter

    check_target(given.json)
    every, at_locks, first, last = given.every, given.at_locks, given.first, given.last
    if given.frames is not None:
        if every is not None or at_locks or first is not None or last is not None:
            raise UsageError("--frames A-B is the old name of --from A --to B: leave it out beside other frames")
        first, last = frame_range(given.frames)
        typer.echo(f"--frames {given.frames} is called --from {first} --to {last} now", err=True)
    if every is None and not at_locks and first is None and last is None:
        raise UsageError("tell which frames to dump: one of --every K, --at-locks, or --from A and --to B")
    if every is not None and at_locks:
        raise UsageError("--every K and --at-locks are different frames: leave one of them out")
    opened = given.opened()
    wanted = _wanted(opened, every, at_locks, first, last)
    status = StatusLine()
    with (
        stopping(gently=True) as stop,
        opened.console(given.rom, given.core, system=given.system) as console,
        DumpWriter(given.out, opened.manifest, core=f"{console.core_name} {console.core_version}") as writer,
        # after Ctrl-C, the pictures so far are a complete dump of fewer frames
        contextlib.suppress(KeyboardInterrupt),
        contextlib.closing(status),
    ):
        left = iter(wanted)
        want = next(left)
        for frame in opened.replay(console, wanted[0], wanted[-1], stop.asked):
            if frame == want:
                writer.put(frame, console.frame())
                want = next(left, 0)
                if status.due():
                    status.show(f"frame {frame:,} of {wanted[-1]:,}", frame / wanted[-1])
    done = wanted[: writer.written]
    print(f"{counted(len(done), 'picture')} in {given.out}", file=report_stream(given.json))
    write_json(
        {"record": str(given.record), "output": str(given.out), "pictures": len(done), "frames": done}, given.json
    )
    return 0 if done == wanted else 130  # main replaces 130 by the exit code of the signal that arrived


def _wanted(record: Record, every: int | None, at_locks: bool, first: int | None, last: int | None) -> list[int]:
    """The frames to dump, in order; at least one. Raises UsageError when there are none, or the record ends earlier."""
    begin, end = 1 if first is None else first, record.frames if last is None else last
    if begin > end and last is not None:
        raise UsageError(f"--from {begin} comes after --to {end}: there are no frames between")
    if end > record.frames or begin > record.frames:
        option = f"--to {end}" if end > record.frames else f"--from {begin}"
        raise UsageError(f"{option}: the record {record.path} ends at frame {record.frames}; give fewer")
    if at_locks:
        locks = sorted({lock.frame for lock in record.locks() if lock.frame and begin <= lock.frame <= end})
        if not locks:
            raise UsageError(f"--at-locks: the record {record.path} tells of no lock there; give --every K")
        return locks
    step = every or 1
    wanted = list(range(-(-begin // step) * step, end + 1, step))
    if not wanted:
        where = f"the record {record.path} ends at frame {record.frames}" if last is None else f"--to {end} is below"
        raise UsageError(f"--every {step}: {where}; give fewer")
    return wanted


def frame_range(text: str) -> tuple[int, int]:
    """Reads A-B, or A for one frame: (first, last). Raises UsageError."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f"--frames takes A-B with 1 ≤ A ≤ B, such as 100-200, not {quoted(text)}")
    return first, last


@dataclass(frozen=True, kw_only=True)
class VideoOptions(options.KeptOptions):
    """The options of ``ochibot video``."""

    output: Annotated[Path, options.file_option("An .mp4 (with sound), .gif or .png (APNG) file.", *OUTPUT)]
    tempo: Annotated[
        float,
        typer.Option(min=0.1, max=100, metavar="X", help="Faster (2) or slower (0.5); the sound's pitch changes too."),
    ] = 1.0
    overlay: Annotated[bool, typer.Option("--overlay", help="Show the AI's plan and its value.")] = False
    first: options.FromOption = 1
    last: options.ToOption = None
    scale: options.ScaleOption = None
    fps: Annotated[
        int | None,
        options.number_option(
            "Pictures a second of a .gif or .png: 50, 25, 20 or 10.", least=10, most=50, default="20"
        ),
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
    from ochibot.record.video.make import VideoWish, make_video

    line = StatusLine()
    with stopping() as stop, contextlib.closing(line):

        def progress(done: int, of: int) -> bool:
            if line.due():
                line.show(f"frame {done:,} of {of:,}", done / of)
            return stop.asked()

        wish = VideoWish(wanted, given.overlay, given.first, given.last, given.scale, given.fps)
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
