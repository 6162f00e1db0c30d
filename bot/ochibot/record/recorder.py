"""Writes a record while a run goes on.

::

    Endless, Battle, Screen ──step, reset, load──► RecordedConsole ──► Console
    SeatPlayer ──decided, settled──► Recorder ──segments──► LogWriter
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from array import array
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole
from ochibot.errors import ConsoleError, OutputError
from ochibot.leftovers import make_folder
from ochibot.record.blocks import END, FRAMES, START, LogWriter
from ochibot.record.events import Decided, Jump, Locked, Sample
from ochibot.record.manifest import (
    FORMAT,
    LOG,
    VERSION,
    About,
    CoreId,
    Manifest,
    RamShape,
    RomId,
    now,
    versions,
    write_manifest,
)
from ochibot.record.recorded import NO_PICTURE, RAM_LIMIT, RecordedConsole, picture_hash, ram_check, ram_hash
from ochibot.record.segment import References, Segment, join_sections

EVERY = 60
"""Frames between samples of RAM and of the picture's hash: once a second."""

SEGMENT = 600
"""Frames between flushes, each with a savestate and a picture: ten seconds of the game."""


class Sink(Protocol):
    """Takes pictures during a run, for example a dump.

    every: frames between pictures, None for none of these. at_locks: whether each lock gets a picture.
    """

    every: int | None
    at_locks: bool

    def put(self, frame: int, picture: npt.NDArray[np.uint8]) -> None:
        """Takes the picture of a frame."""


def prepare_folder(folder: Path, *, make: bool = True) -> None:
    """Makes the folder of a record (or only checks it). Raises OutputError when it can't be made or isn't empty."""
    try:
        if make:
            make_folder(folder)
        if folder.exists() and any(folder.iterdir()):
            raise OutputError(f"can't write the record {folder}: something is in it already; give a new folder")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"can't write the record {folder}: {reason}; give another folder") from None


class Recorder:
    """Keeps the record of one run in a folder. Play the whole run on its ``console``, then call ``close``.

    ``end`` is the reason why the run ended; it goes into the log's last block, which a killed run doesn't have. Any
    call that writes to the log (``console.step`` as well) raises OutputError when that fails. What was written before
    stays valid.
    """

    def __init__(self, folder: Path, console: HostedConsole, manifest: Manifest, start: bytes | None) -> None:
        self.folder = folder
        self.manifest = manifest
        self.frames = 0
        self.end: str | None = None
        self.sink: Sink | None = None
        self.console = RecordedConsole(console, self)
        self._machine = console
        self._closed = False
        self._kept = 0
        self._failure: OutputError | None = None
        self._ram = ram = bytes(console.ram.view(RAM_LIMIT))
        # later savestates are coded against the one at the start
        self._references = References(ram=ram, state=start or b"")
        self._saves = True
        self._begin_segment(None)
        digest = hashlib.blake2b(write_manifest(folder, manifest), digest_size=32).digest()
        self._log = LogWriter(folder / LOG)
        parts = {b"M": digest, b"R": ram} | ({b"S": start} if start is not None else {})
        self._log.append(START, 1, 0, join_sections(parts))

    @classmethod
    def begin(
        cls,
        folder: Path,
        console: HostedConsole,
        about: About,
        *,
        every: int = EVERY,
        segment: int = SEGMENT,
        from_here: bool = False,
        options: Mapping[str, str] | None = None,
    ) -> Recorder:
        """Begins a record in a new or empty folder. ``about``: what runs. ``options``: the core's options.

        The record starts at power-on, so the console must not have run yet. With ``from_here`` it starts at a savestate
        made now. Raises OutputError, or ConsoleError when the core makes no savestate.
        """
        prepare_folder(folder)
        start = console.save() if from_here else None
        layout = console.ram.layout
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            created=now(),
            versions=versions(),
            about=about,
            system=console.rom.system,
            core=CoreId(
                name=console.core_name,
                version=console.core_version,
                file=console.core_file,
                sha1=console.core_sha1,
            ),
            rom=RomId(name=console.rom.name, sha1=console.rom.sha1),
            options=dict(options or {}),
            start="savestate" if from_here else "power-on",
            fps=console.fps,
            sample_rate=console.sample_rate,
            picture=console.picture_size,
            ram=RamShape(size=min(len(console.ram), RAM_LIMIT), base=layout.base, swap=1 if layout.swap else 0),
            every=every,
            segment=segment,
        )
        return cls(folder, console, manifest, start)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        self.end = self.end or ("interrupt" if issubclass(kind, KeyboardInterrupt) else "error")
        # the error that ended the run is more important
        with contextlib.suppress(OutputError):
            self.close()

    def _begin_segment(self, state: bytes | None) -> None:
        self._first = self.frames + 1
        self._state = state
        self._pads = array("I")
        self._checks = array("H")
        self._jumps: list[Jump] = []
        self._events: list[Decided | Locked] = []
        self._samples: list[Sample] = []
        self._due = self._next_due()

    def _next_due(self) -> int:
        """The next frame after which a sample, a picture or the end of a segment is due."""
        due = [self.manifest.every, self.manifest.segment]
        if self.sink is not None and self.sink.every is not None:
            due.append(self.sink.every)
        return min((self.frames // every + 1) * every for every in due)

    def attach(self, sink: Sink) -> None:
        """Passes pictures to the sink from now on."""
        self.sink = sink
        self._due = self._next_due()

    def note(self, pads: int, ram: bytes) -> None:
        """Notes a frame: the pads (the second port's in the upper half) and the RAM after it."""
        self._pads.append(pads)
        self._checks.append(ram_check(ram))
        self._ram = ram
        self.frames += 1
        if self.frames >= self._due:
            self._at_due(ram)

    def _at_due(self, ram: bytes) -> None:
        frame = self.frames
        self._due = self._next_due()
        full = frame % self.manifest.segment == 0
        picture = self._picture()
        if full or frame % self.manifest.every == 0:
            self._sample(ram, picture)
        sink = self.sink
        if sink is not None and sink.every is not None and frame % sink.every == 0 and picture is not None:
            sink.put(frame, picture)
        if full:
            self._flush(picture)
            self._begin_segment(self._save())

    def _picture(self) -> npt.NDArray[np.uint8] | None:
        try:
            return self._machine.frame()
        except ConsoleError:
            return None

    def _save(self) -> bytes | None:
        if not self._saves:
            return None
        try:
            return self._machine.save()
        except ConsoleError:
            # a core without savestates can be recorded too, but its replays always start at power-on
            self._saves = False
            return None

    def _sample(self, ram: bytes, picture: npt.NDArray[np.uint8] | None) -> None:
        shown = NO_PICTURE if picture is None else picture_hash(picture)
        self._samples.append(Sample(self.frames, ram_hash(ram), shown, ram))

    def _flush(self, picture: npt.NDArray[np.uint8] | None) -> None:
        segment = Segment(
            first=self._first,
            pads=np.array(self._pads, np.uint32),
            checks=np.array(self._checks, np.uint16),
            state=self._state,
            jumps=self._jumps,
            events=self._events,
            samples=self._samples,
            picture=picture,
            picture_frame=self.frames,
        )
        self._log.append(FRAMES, segment.first, len(segment.pads), segment.encode(self._references))
        self._references = self._references.after(segment)
        self._kept = self.frames

    @property
    def kept(self) -> int:
        """Frames in the record, including those not yet written; after a disk error only those written."""
        return self._kept if self._log.failed else self.frames

    def jumped(self, jump: Jump) -> None:
        """Notes a load, a poke or a reset of the machine."""
        self._jumps.append(jump)

    def decided(self, seat: int, piece: int, snapshot: Any, decision: Any, chain: int) -> None:
        """Notes a decision (called by ``SeatPlayer``)."""
        where = decision.placement
        self._events.append(
            Decided(
                frame=self.frames,
                seat=seat,
                piece=piece,
                field=field_text(snapshot.field),
                pair=str(snapshot.pair),
                next_pair=str(snapshot.next_pair),
                x=where.x,
                y=where.y,
                orientation=int(where.orientation),
                value=round(float(getattr(decision, "value", 0.0)), 6),
                chain=chain,
                score=int(getattr(getattr(decision, "outcome", None), "score", 0)),
                needle=bool(getattr(where, "needle", False)),
            )
        )

    def settled(self, seat: int, piece: int, seen: Any, level: int, difference: str | None) -> None:
        """Notes a lock whose field has settled (called by ``SeatPlayer``)."""
        self._events.append(Locked(self.frames, seat, piece, field_text(seen.field), seen.score, level, difference))
        if self.sink is not None and self.sink.at_locks:
            picture = self._picture()
            if picture is not None:
                self.sink.put(self.frames, picture)

    def close(self) -> None:
        """Writes the frames since the last flush, and the end block.

        Raises OutputError when that fails, and again at each further call.
        """
        if self._closed:
            if self._failure is not None:
                raise self._failure
            return
        self._closed = True
        try:
            if not self._log.failed:
                self._finish()
        except OutputError as error:
            self._failure = error
            raise
        finally:
            self._log.close()

    def _finish(self) -> None:
        picture = self._picture() if self._pads else None
        if self._pads:
            self._sample(self._ram, picture)
        if self._pads or self._jumps or self._events:
            self._flush(picture)
        why = json.dumps({"end": self.end or "closed", "frames": self.frames}).encode()
        self._log.append(END, self.frames + 1, 0, why)


def field_text(field: Any) -> str:
    """A field in one line: its rows from the top with ``/`` between them."""
    return str(field).replace("\n", "/")
