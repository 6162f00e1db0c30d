"""``ochibot dump``: pictures of a record, as PNG files with a manifest."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.options import GameModuleOption, JsonOption, find_title
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.record import Record


def dump(
    record: Annotated[Path, typer.Argument(help="A folder made with --record.")],
    out: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the pictures go.")],
    every: Annotated[int | None, typer.Option(min=1, help="Every K-th frame.")] = None,
    at_locks: Annotated[bool, typer.Option("--at-locks", help="The frames at which a lock is known.")] = False,
    frames: Annotated[str | None, typer.Option(metavar="A-B", help="All of these frames, such as 100-200.")] = None,
    rom: Annotated[Path | None, typer.Option(help="The ROM, when it isn't the shipped one.")] = None,
    system: Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")] = None,
    core: Annotated[str | None, typer.Option(help="A libretro core: a file or a name (default: the record's).")] = None,
    game_module: GameModuleOption = None,
    json: JsonOption = None,
) -> int:
    """Play a record again and save pictures of the frames wanted, with a manifest that tells each one's hash."""
    from ochibot.record import Record
    from ochibot.record.dump import DumpWriter

    check_target(json)
    if game_module is not None:
        find_title(None, game_module)
    if sum((every is not None, at_locks, frames is not None)) != 1:
        raise UsageError("tell which frames to dump: one of --every K, --at-locks and --frames A-B")
    opened = Record.open(record)
    wanted = list(_wanted(opened, every, at_locks, frames))
    status = StatusLine()
    with (
        stopping(gently=True) as stop,
        opened.console(rom, core, system=system) as console,
        DumpWriter(out, opened.manifest, core=f"{console.core_name} {console.core_version}") as writer,
        # what is dumped so far is a whole dump of fewer frames
        contextlib.suppress(KeyboardInterrupt),
    ):
        left = iter(wanted)
        want = next(left)
        for frame in opened.replay(console, wanted[0], wanted[-1], stop.asked):
            if frame == want:
                writer.put(frame, console.frame())
                want = next(left, 0)
                if status.due():
                    status.show(f"frame {frame:,} of {wanted[-1]:,}")
    status.close()
    done = wanted[: writer.written]
    print(f"{len(done):,} pictures in {out}", file=report_stream(json))
    write_json({"record": str(record), "output": str(out), "pictures": len(done), "frames": done}, json)
    return 0 if done == wanted else 130  # main tells which signal it was


def _wanted(record: Record, every: int | None, at_locks: bool, frames: str | None) -> Iterator[int]:
    """The frames to dump, in order. Raises UsageError when the record doesn't hold them."""
    if every is not None:
        if every > record.frames:
            raise UsageError(f"--every {every}: the record {record.path} ends at frame {record.frames}; give fewer")
        yield from range(every, record.frames + 1, every)
    elif at_locks:
        locks = sorted({lock.frame for lock in record.locks() if lock.frame})
        if not locks:
            raise UsageError(f"--at-locks: the record {record.path} tells of no lock; give --every K or --frames A-B")
        yield from locks
    elif frames is not None:
        first, last = frame_range(frames)
        if last > record.frames:
            raise UsageError(f"--frames {frames}: the record {record.path} ends at frame {record.frames}")
        yield from range(first, last + 1)


def frame_range(text: str) -> tuple[int, int]:
    """A-B, or A for one frame. Raises UsageError."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f"--frames takes A-B with 1 ≤ A ≤ B, such as 100-200, not {quoted(text)}")
    return first, last
