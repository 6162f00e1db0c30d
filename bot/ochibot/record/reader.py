"""Reads a record (what ran, all inputs, samples and events), and replays it on a console."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole
from ochibot.errors import ConsoleError, RecordError
from ochibot.quoting import brief, quoted
from ochibot.record.blocks import END, FRAMES, Block, read_log
from ochibot.record.events import Decided, Jump, Locked, Sample, poke
from ochibot.record.machine import open_for
from ochibot.record.manifest import LOG, MANIFEST, Manifest, read_manifest
from ochibot.record.segment import DECODE_ERRORS, References, Segment, split_sections

_CACHED = 8
"""Unpacked segments kept in memory."""


def _digest(state: bytes) -> bytes:
    return hashlib.blake2b(state, digest_size=16).digest()


class Record:
    """A record in a folder, opened with ``Record.open``. Frames are counted from 1; frame 0 is the start.

    If the run was killed, the record holds everything up to the last complete block. ``end`` is None then, and ``torn``
    counts the bytes of an incomplete last block (0 if there is none).
    """

    def __init__(self, path: Path, manifest: Manifest, blocks: list[Block], torn: int, digest: bytes) -> None:
        self.path = path
        self.manifest = manifest
        self.torn = torn
        self._blocks = [block for block in blocks if block.kind == FRAMES]
        self._firsts = np.array([block.first for block in self._blocks], np.int64)
        self.frames = self._blocks[-1].first + self._blocks[-1].count - 1 if self._blocks else 0
        self._start_block = blocks[0]
        self._references: list[References] = []
        self.start_ram, self.start_state = self._read_start(digest)
        self.end = self._read_end(blocks[-1]) if blocks[-1].kind == END else None
        self._segment = lru_cache(_CACHED)(self._decode)
        self._tried: set[tuple[str, bytes]] = set()
        """Savestates that were tried successfully, by core and digest."""

    @classmethod
    def open(cls, path: Path) -> Record:
        """Reads run.json and checks every block. Raises RecordError naming what is missing or damaged."""
        manifest, data = read_manifest(path)
        blocks, torn = read_log(path / LOG)
        return cls(path, manifest, blocks, torn, hashlib.blake2b(data, digest_size=32).digest())

    def _wrong(self, block: Block, error: Exception) -> RecordError:
        return RecordError(
            f"{self.path / LOG}: {block.name} can't be read, though its checksum fits: {brief(str(error))}"
        )

    def _read_start(self, digest: bytes) -> tuple[bytes, bytes | None]:
        block = self._start_block
        try:
            parts = split_sections(block.unpacked())
            stored, ram, state = parts[b"M"], parts[b"R"], parts.get(b"S")
        except (*DECODE_ERRORS, zlib.error) as error:
            raise self._wrong(block, error) from None
        if stored != digest:
            raise RecordError(f"{self.path / MANIFEST} is damaged or of another record: the log holds another checksum")
        if len(ram) != self.manifest.ram.size or (state is None) != (self.manifest.start == "power-on"):
            raise self._wrong(block, ValueError("it doesn't fit the manifest"))
        return ram, state

    def _read_end(self, block: Block) -> str:
        try:
            end = json.loads(block.unpacked())
            why, frames = str(end["end"]), int(end["frames"])
        except (*DECODE_ERRORS, zlib.error) as error:
            raise self._wrong(block, error) from None
        if frames != self.frames:
            raise self._wrong(block, ValueError(f"it counts {quoted(frames)} frames, the record holds {self.frames}"))
        return why

    def _decode(self, number: int) -> Segment:
        block = self._blocks[number]
        references = self._references_of(number)
        try:
            return Segment.decode(block.first, block.count, block.unpacked(), references)
        except (*DECODE_ERRORS, zlib.error) as error:
            raise self._wrong(block, error) from None

    def _references_of(self, number: int) -> References:
        """The references of the segment with this number. They are found by reading segments from the first on,
        until the references don't change any more.
        """
        known = self._references
        if not known:
            known.append(References(ram=self.start_ram, state=self.start_state or b""))
        while len(known) <= number and not known[-1].fixed:
            known.append(known[-1].after(self._segment(len(known) - 1)))
        return known[min(number, len(known) - 1)]

    def segments(self, first: int = 1) -> Iterator[Segment]:
        """The segments, beginning with the one that holds frame ``first``."""
        begin = max(int(np.searchsorted(self._firsts, first, "right")) - 1, 0)
        for number in range(begin, len(self._blocks)):
            yield self._segment(number)

    def pads(self, first: int = 1, last: int | None = None) -> Iterator[tuple[int, int]]:
        """The Button masks of both ports, one pair for each frame."""
        stop = self.frames if last is None else min(last, self.frames)
        for segment in self.segments(first):
            for frame, both in enumerate(segment.pads.tolist(), segment.first):
                if frame > stop:
                    return
                if frame >= first:
                    yield both & 0xFFFF, both >> 16

    def jumps(self) -> list[Jump]:
        """Resets, loads and changes of RAM from outside, in order."""
        return [jump for segment in self.segments() for jump in segment.jumps]

    def decisions(self) -> Iterator[Decided]:
        """Every decision, in order."""
        return (event for segment in self.segments() for event in segment.events if isinstance(event, Decided))

    def locks(self) -> Iterator[Locked]:
        """Every lock, in order."""
        return (event for segment in self.segments() for event in segment.events if isinstance(event, Locked))

    def samples(self, first: int = 1) -> Iterator[Sample]:
        """RAM and hashes, every ``manifest.every`` frames and at the end of each segment, from ``first`` on."""
        return (sample for segment in self.segments(first) for sample in segment.samples if sample.frame >= first)

    def pictures(self, first: int = 1) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
        """The kept pictures, (frame, (H, W, 3) RGB), one at the end of each segment, from ``first`` on."""
        for segment in self.segments(first):
            if segment.picture is not None and segment.picture_frame >= first:
                yield segment.picture_frame, segment.picture

    def console(
        self,
        rom: Path | None = None,
        core: str | None = None,
        *,
        system: Path | None = None,
        any_rom: bool = False,
    ) -> HostedConsole:
        """Opens a console like the record's, at power-on: its core (or ``core``, a file or name), ROM and options.

        The ROM is ``rom``, or else that of the game file or the shipped one. ``system``: the user's folder of system
        ROMs. Raises RecordError when no ROM is found, or, without ``any_rom``, for a ROM other than the record's.
        Raises ConsoleError, RomError or UsageError when something isn't available.
        """
        return open_for(self.manifest, self.path, rom, core, system, any_rom=any_rom)

    def replay(
        self,
        console: HostedConsole,
        first: int = 1,
        last: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[int]:
        """Replays the record; yields each frame's number from ``first`` on, just after the console has run it.

        The replay starts from the nearest savestate before ``first``, or else at power-on. For power-on, the console
        must have been made by ``console()`` and not have run yet. Since the record could come from anywhere, its
        savestates are tried in a separate process before they are loaded.

        Raises KeyboardInterrupt when ``stopped()`` returns true before a frame, RecordError when ``first`` isn't in the
        record, and ConsoleError when the core refuses one of the record's savestates.
        """
        stop = self.frames if last is None else min(last, self.frames)
        if not 1 <= first <= max(stop, 1):
            raise RecordError(f"{self.path} holds the frames 1 to {self.frames}; frame {first} isn't among them")
        entered = False
        for segment in self.segments(self._entry(first)):
            if not entered:
                self._enter(console, segment, stop)
                entered = True
            jumps: dict[int, list[Jump]] = {}
            for jump in segment.jumps:
                jumps.setdefault(jump.frame, []).append(jump)
            for frame, both in enumerate(segment.pads.tolist(), segment.first):
                if frame > stop:
                    return
                for jump in jumps.pop(frame - 1, ()):
                    self._jump(console, jump, stop)
                if stopped():
                    raise KeyboardInterrupt
                console.step(both & 0xFFFF, both >> 16)
                if frame >= first:
                    yield frame
            for left in jumps.values():
                for jump in left:
                    self._jump(console, jump, stop)

    def _entry(self, first: int) -> int:
        """The frame at which a replay for ``first`` starts: the beginning of the last segment that has a savestate
        and doesn't begin after ``first``; 1 if there is none.
        """
        for number in range(int(np.searchsorted(self._firsts, first, "right")) - 1, 0, -1):
            if self._segment(number).state is not None:
                return self._blocks[number].first
        return 1

    def _enter(self, console: HostedConsole, segment: Segment, stop: int) -> None:
        state = self.start_state if segment.first == 1 else segment.state
        if state is None:
            if console.frames_shown:
                raise RecordError("a replay from power-on needs a console on which nothing has run yet")
            return
        self._try(console, state, segment.first, stop)
        # some cores load a savestate reliably only after they have run one frame
        console.step()
        console.load(state)

    def _try(self, console: HostedConsole, state: bytes, frame: int, stop: int) -> None:
        """Tries a savestate, together with those that the record loads between the frames ``frame`` and ``stop``.

        Savestates that were tried before are skipped.
        """
        core = f"{console.core_name} {console.core_version} {console.rom.sha1}"
        if (core, _digest(state)) in self._tried:
            return
        ahead = takewhile(lambda segment: segment.first <= stop, self.segments(frame))
        jumps = (jump for segment in ahead for jump in segment.jumps)
        states = {_digest(state): state}
        states |= {_digest(jump.data): jump.data for jump in jumps if jump.kind == "load" and jump.frame <= stop}
        unknown = {digest: each for digest, each in states.items() if (core, digest) not in self._tried}
        try:
            console.try_state(*unknown.values())
        except ConsoleError as error:
            raise ConsoleError(
                f"a savestate in the record {self.path} can't be used: {error}; give a record made in the same core"
            ) from None
        self._tried.update((core, digest) for digest in unknown)

    def _jump(self, console: HostedConsole, jump: Jump, stop: int) -> None:
        if jump.kind == "reset":
            console.reset()
        elif jump.kind == "load":
            self._try(console, jump.data, max(jump.frame, 1), stop)
            console.load(jump.data)
        else:
            try:
                poke(console.ram.raw, jump.data)
            except ValueError as error:
                raise ConsoleError(f"the record changes RAM after frame {jump.frame}: {error}") from None
