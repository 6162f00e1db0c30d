"""Replays a record and compares RAM after every frame, hashes, and kept and dumped pictures.

A record keeps the whole RAM and its hash every ``manifest.every`` frames (a sample), and a picture at the end of every
segment. So the bytes and pictures shown for a difference are those of the next such frame. The first frame whose RAM
differs is known exactly, because the record keeps 16 bits of a checksum for every frame.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole
from ochibot.errors import ConsoleError, RecordError
from ochibot.record.difference import PixelDifference, RamDifference, pixel_difference, ram_differences
from ochibot.record.dump import INDEX, Dump, DumpEntry, open_dump
from ochibot.record.reader import Record
from ochibot.record.recorded import NO_PICTURE, picture_hash, ram_check, ram_hash
from ochibot.record.segment import Segment
from ochibot.record.sparing import EVERY_FRAME, Sparing, check_core, identity
from ochibot.wording import counted

Picture = npt.NDArray[np.uint8]

LISTED = 64
"""The most bytes of RAM that a report lists."""


@dataclass(frozen=True)
class Difference:
    """The first difference. kind: "RAM", "picture" or "dumped picture", first seen at ``frame``.

    ram: the bytes that differ at ``ram_frame`` (empty when RAM is equal again by then). pixels: how the two pictures at
    ``picture_frame``, ``expected`` and ``actual``, differ; None when they are equal, or when no expected
    picture is kept from there on.
    """

    kind: str
    frame: int
    ram_frame: int | None = None
    ram: tuple[RamDifference, ...] = ()
    picture_frame: int | None = None
    pixels: PixelDifference | None = None
    note: str = ""
    expected: Picture | None = field(default=None, repr=False, compare=False)
    actual: Picture | None = field(default=None, repr=False, compare=False)

    def as_dict(self) -> dict[str, object]:
        """The difference as plain values, with at most LISTED of the bytes that differ, and their number."""
        return {
            "kind": self.kind,
            "frame": self.frame,
            "ram_frame": self.ram_frame,
            "ram_count": len(self.ram),
            "ram": [
                {"address": f"{d.address:#06x}", "name": d.name, "expected": d.expected, "actual": d.actual}
                for d in self.ram[:LISTED]
            ],
            "picture_frame": self.picture_frame,
            "pixels": self.pixels.count if self.pixels is not None else None,
            "pixel": [self.pixels.x, self.pixels.y] if self.pixels is not None else None,
            "note": self.note,
        }

    def lines(self) -> list[str]:
        """The difference in lines of text."""
        lines = [f"the {self.kind} differs at frame {self.frame:,}" + (f": {self.note}" if self.note else "")]
        if self.ram_frame is not None:
            if self.ram:
                many = counted(len(self.ram), "byte of RAM differs", "bytes of RAM differ")
                lines.append(f"at frame {self.ram_frame:,} {many}:")
                lines += [f"  {difference}" for difference in self.ram[:12]]
                lines += [f"  … and {len(self.ram) - 12:,} more"] if len(self.ram) > 12 else []
            else:
                lines.append(f"at frame {self.ram_frame:,} RAM is equal again")
        if self.picture_frame is not None:
            what = "the pictures are equal" if self.pixels is None else str(self.pixels)
            lines.append(f"at frame {self.picture_frame:,} {what}")
        return lines


@dataclass
class VerifyResult:
    """The result of a verification.

    digests: one for each repetition, over the RAM of every frame and every compared picture. other_rom, other_core: how
    ROM and core differ from the record's, in words; None when they are the same. dump_beyond: how many pictures of the
    dump are from frames after the record's end (if its run was killed); these aren't compared. dump_ended: whether the
    dump is known to be complete; None without a dump, or for a version that doesn't show it. passing: in how many
    frames RAM differed, but was as recorded again at the next sample. first_passing: the first of these frames.
    """

    frames: int
    first: int
    samples: int
    dumped: int
    complete: bool
    other_rom: str | None
    other_core: str | None
    difference: Difference | None
    digests: list[str]
    passing: int = 0
    first_passing: int | None = None
    dump_beyond: int = 0
    dump_ended: bool | None = None

    @property
    def same(self) -> bool:
        """Whether every repetition did what is recorded, with the record's ROM."""
        return self.difference is None and self.other_rom is None and self.deterministic

    @property
    def deterministic(self) -> bool:
        """Whether all repetitions have the same digest."""
        return len(set(self.digests)) == 1


Progress = Callable[[int, int], None]
"""Called now and then with the number of the repetition, from 0, and the frame reached."""


def verify(
    record: Record,
    *,
    rom: Path | None = None,
    core: str | None = None,
    system: Path | None = None,
    dump: Path | None = None,
    first: int = 1,
    repeat: int = 1,
    strict: bool = False,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> VerifyResult:
    """Replays the record from frame ``first`` on, ``repeat`` times in fresh consoles, and compares.

    A single replay stops after the first difference, once a sample and a kept picture have shown its details.
    Several replays run to the end, to show whether they differ from each other. RAM may differ after one sample and
    be as recorded again at the next one, for example when a button changed only the game's copy of the pad. That
    counts as a difference only if ``strict``. A core that can leave out pictures makes only those that are
    compared, in a single replay. If anything differs in it, the record is replayed once more with every picture,
    and that replay decides.

    Raises KeyboardInterrupt when ``stopped()`` returns true before a frame, and RecordError, ConsoleError or RomError
    when the replay isn't possible.
    """
    if not record.frames:
        raise RecordError(f"{record.path} holds no frames: its run ended before the first was written")
    if not 1 <= first <= record.frames:
        raise RecordError(f"{record.path} holds the frames 1 to {record.frames}; frame {first} isn't among them")
    result = VerifyResult(0, first, 0, 0, record.end is not None, None, None, None, [])
    pictures = _opened_dump(record, dump, first, result) if dump is not None else None
    entries = pictures.entries if pictures is not None else {}
    for run in range(repeat):
        for sparing in (repeat == 1, False):
            with record.console(rom, core, system=system, any_rom=True) as console:
                if not run:
                    result.other_rom, result.other_core = identity(record, console)
                    if pictures is not None:
                        check_core(record, pictures, console)
                play = _Play(record, console, entries, first, to_the_end=repeat > 1, strict=strict, sparing=sparing)
                with _explained(result):
                    play.run(None if progress is None else partial(progress, run), stopped)
            if play.equal or not play.spares:
                break
        result.digests.append(play.digest.hexdigest())
        result.difference = result.difference or play.difference
        result.frames, result.samples, result.dumped = play.frames, play.samples, play.dumped
        result.passing, result.first_passing = play.passing, play.first_passing
    return result


def _opened_dump(record: Record, folder: Path, first: int, result: VerifyResult) -> Dump:
    """The dump to compare with. Raises RecordError when it isn't of this record, or none of it can be compared."""
    dump = open_dump(folder)
    if dump.rom != record.manifest.rom.sha1:
        rom = f"the ROM of SHA-1 {dump.rom:.60}" if dump.rom is not None else "no ROM"
        raise RecordError(
            f"the dump {folder} is not of this record: it names {rom}, the record of {record.manifest.rom.sha1}"
        )
    dump.check_listed()
    beyond = [frame for frame in dump.entries if frame > record.frames]
    if beyond and record.end is not None:
        raise RecordError(f"the dump {folder} has a picture of frame {beyond[0]}; the record ends at {record.frames}")
    if not any(first <= frame <= record.frames for frame in dump.entries):
        raise RecordError(
            f"the dump {folder} has no picture of the frames {first} to {record.frames}: there is nothing to compare; "
            "leave --dump out"
        )
    result.dump_beyond, result.dump_ended = len(beyond), dump.ended
    return dump


@contextlib.contextmanager
def _explained(result: VerifyResult) -> Iterator[None]:
    """Adds to a ConsoleError inside the block that the core or ROM isn't the record's: that may be the cause."""
    try:
        yield
    except ConsoleError as error:
        other = result.other_core or result.other_rom
        if other is None:
            raise
        raise ConsoleError(f"{other}; {error}") from None


class _Play:
    """One replay and its comparison."""

    def __init__(
        self,
        record: Record,
        console: HostedConsole,
        dumped: Mapping[int, DumpEntry],
        first: int,
        *,
        to_the_end: bool,
        strict: bool,
        sparing: bool,
    ) -> None:
        self.record = record
        self.console = console
        self.difference: Difference | None = None
        self.digest = hashlib.blake2b(digest_size=16)
        self.frames = 0
        self.samples = 0
        self.dumped = 0
        self.passing = 0
        self.first_passing: int | None = None
        self._strict = strict
        self._sparing = Sparing(console, record.manifest)
        self.spares = sparing and self._sparing.possible
        # since the last sample: the frames whose RAM wasn't as recorded
        self._open: list[int] = []
        self._dump = dumped
        self._first = first
        self._to_the_end = to_the_end
        self._view = console.ram.view(record.manifest.ram.size)
        if len(self._view) != record.manifest.ram.size:
            raise RecordError(
                f"the core shows {counted(len(self._view), 'byte')} of RAM, the record keeps "
                f"{record.manifest.ram.size}: give the core that it was made with"
            )

    def run(self, progress: Callable[[int], None] | None, stopped: Callable[[], bool]) -> None:
        """Plays the record and compares."""
        replay = self.record.replay(self.console, self._first, stopped=stopped)
        for segment in self.record.segments(self._first):
            samples = {sample.frame: sample for sample in segment.samples}
            checks = segment.checks.tolist()
            shown = {*samples, *self._dump, segment.picture_frame} if self.spares else EVERY_FRAME
            for frame in range(max(segment.first, self._first), segment.last + 1):
                pictures = self._sparing.before(frame, shown)
                next(replay)
                self._sparing.after(pictures)
                ram = bytes(self._view)
                self.frames += 1
                seen = ram_check(ram)
                if seen != checks[frame - segment.first]:
                    self._open.append(frame)
                    if self._strict:
                        self._found(Difference("RAM", frame))
                if self._to_the_end:
                    self.digest.update(seen.to_bytes(2, "little"))
                if frame in samples:
                    self._compare_sample(frame, ram, samples[frame].ram_hash, samples[frame].picture_hash)
                if frame in self._dump:
                    self._compare_dumped(frame)
                if self.spares and (self.difference or self.passing or self._sparing.doubtful):
                    return
                if self.difference is not None and not self._to_the_end:
                    self._look_closer(replay, segment, frame)
                    return
            if progress is not None:
                progress(segment.last)
        # jumps after the last frame belong to the replay too
        next(replay, None)

    @property
    def equal(self) -> bool:
        """Whether everything was as recorded in every frame. If not, a replay that makes every picture decides."""
        return self.difference is None and not self.passing and not self._open and not self._sparing.doubtful

    def _found(self, difference: Difference) -> None:
        if self.difference is None:
            self.difference = difference

    def _compare_sample(self, frame: int, ram: bytes, wanted_ram: bytes, wanted_picture: bytes) -> None:
        self.samples += 1
        seen_ram, seen_picture = ram_hash(ram), self._picture_hash()
        self.digest.update(seen_ram + seen_picture)
        if seen_ram != wanted_ram:
            self._found(Difference("RAM", self._open[0] if self._open else frame))
        elif self._open:
            self.passing += len(self._open)
            self.first_passing = self.first_passing or self._open[0]
        self._open = []
        if seen_picture != wanted_picture:
            self._found(Difference("picture", frame))

    def _picture_hash(self) -> bytes:
        try:
            return picture_hash(self.console.frame())
        except ConsoleError:
            return NO_PICTURE

    def _compare_dumped(self, frame: int) -> None:
        self.dumped += 1
        entry, actual = self._dump[frame], self.console.frame()
        expected = entry.picture()
        pixels = pixel_difference(expected, actual)
        changed = picture_hash(expected) != entry.hash
        if pixels is None:
            if changed:
                note = f"{entry.path.name} is as it should be, but {INDEX} has another hash for it"
                self._found(Difference("dumped picture", frame, note=note))
            return
        note = f"{entry.path.name}, {pixels}"
        if changed:
            note += "; the file has been changed since it was dumped"
        self._found(
            Difference(
                "dumped picture",
                frame,
                picture_frame=frame,
                pixels=pixels,
                note=note,
                expected=expected,
                actual=actual,
            )
        )

    def _look_closer(self, replay: Iterator[int], segment: Segment, frame: int) -> None:
        """Adds to the difference what the next sample and the next kept picture show. Both lie within this segment."""
        found = self.difference
        assert found is not None
        ram_frame, picture_frame = found.ram_frame, found.picture_frame
        ram, expected, actual = found.ram, found.expected, found.actual
        samples = {sample.frame: sample for sample in segment.samples}
        while True:
            if ram_frame is None and frame in samples:
                ram_frame = frame
                ram = tuple(self._ram_at(samples[frame].ram))
            if picture_frame is None and segment.picture is not None and segment.picture_frame == frame:
                picture_frame, expected, actual = frame, segment.picture, self.console.frame()
            if frame >= segment.last or (ram_frame is not None and picture_frame is not None):
                break
            frame = next(replay)
        pixels = found.pixels
        if expected is not None and actual is not None:
            pixels = pixel_difference(expected, actual)
        self.difference = Difference(
            found.kind, found.frame, ram_frame, ram, picture_frame, pixels, found.note, expected, actual
        )

    def _ram_at(self, expected: bytes) -> list[RamDifference]:
        manifest = self.record.manifest
        return ram_differences(expected, bytes(self._view), manifest.ram, manifest.about.maps)


def assert_replays(path: Path | str, rom: Path | str | None = None, core: str | None = None) -> None:
    """For tests: replays a record, which must be complete and made with this ROM, and checks that everything is equal.

    Raises AssertionError describing the first difference, RecordError when the record is damaged or not whole,
    ConsoleError or RomError when it can't be played.
    """
    record = Record.open(Path(path))
    if record.end is None:
        raise RecordError(f"{path} is not whole: it has no end (its run was killed, or it is cut short)")
    result = verify(record, rom=Path(rom) if rom is not None else None, core=core, strict=True)
    differences = [text for text in (result.other_rom, result.other_core) if text is not None]
    if result.difference is not None:
        differences += result.difference.lines()
    if not result.same:
        raise AssertionError(f"{path} replays differently:\n" + "\n".join(differences))
