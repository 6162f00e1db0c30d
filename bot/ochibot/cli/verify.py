"""``ochibot verify``: plays a record again and reports whether RAM and pictures are the same."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import FromOption, KeptOptions, file_option, folder_option, number_option
from ochibot.cli.output import StatusLine, check_picture, report_stream, stopping
from ochibot.errors import RecordError
from ochibot.leftovers import kept_folder
from ochibot.report import check_target, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.record import Record
    from ochibot.record.verify import VerifyResult


_NO_END = "it has no end: what wrote it was killed, or it is cut short"


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(KeptOptions):
    """The options of ``ochibot verify``."""

    dump: Annotated[Path | None, folder_option("Compare the pictures of this dump as well.", default="no pictures")] = (
        None
    )
    first: FromOption = 1
    repeat: Annotated[int, number_option("Play the record N times, and report whether all runs were the same.")] = 1
    whole: Annotated[bool, typer.Option("--whole", help="Refuse a record or dump that was cut off before its end.")] = (
        False
    )
    strict: Annotated[
        bool, typer.Option("--strict", help="Also count a difference in RAM that is gone at the next sample.")
    ] = False
    picture: Annotated[
        Path | None,
        file_option(
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
