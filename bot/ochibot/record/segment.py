"""A segment: the contents of one "frames" block of the log, some seconds of a run.

Everything in it is coded so that zlib compresses it well. Inputs are runs of equal pads. RAM is stored as exclusive-or
with the RAM before it. The savestate and the picture are stored as exclusive-or with the record's first ones (the
references).
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.record.events import Decided, Jump, Locked, Sample, pack_jumps, unpack_jumps

Picture = npt.NDArray[np.uint8]

_EVENTS: dict[str, type[Decided] | type[Locked]] = {"decided": Decided, "locked": Locked}
_SAMPLE = struct.Struct("<I8s8s")
_PICTURE = struct.Struct("<IHH")
_RUN = np.dtype([("length", "<u2"), ("pads", "<u4")])


@dataclass(frozen=True)
class References:
    """The data against which a segment's savestate, picture and first RAM are coded: the record's first ones.

    ram: the RAM at the start; from the second segment on, the RAM at the end of the first segment. So any segment can
    be read with only the first segments, up to the one after which the references are ``fixed``.
    """

    ram: bytes = b""
    state: bytes = b""
    picture: bytes = b""
    beyond_first: bool = False

    @property
    def fixed(self) -> bool:
        """Whether no later segment changes the references."""
        return self.beyond_first and bool(self.state) and bool(self.picture)

    def after(self, segment: Segment) -> References:
        """The references for the segment that follows ``segment``."""
        if self.fixed:
            return self
        first = not self.beyond_first and bool(segment.samples)
        return References(
            ram=segment.samples[-1].ram if first else self.ram,
            state=self.state or segment.state or b"",
            picture=self.picture or (b"" if segment.picture is None else segment.picture.tobytes()),
            beyond_first=self.beyond_first or first,
        )


@dataclass
class Segment:
    """Frames ``first`` to ``first + len(pads) - 1``.

    pads: one u32 per frame, the first port's mask in the lower half. checks: ``ram_check`` of each frame. state: a
    savestate from before ``first``, if any. picture: that of frame ``picture_frame``.
    """

    first: int
    pads: npt.NDArray[np.uint32]
    checks: npt.NDArray[np.uint16]
    state: bytes | None = None
    jumps: list[Jump] = field(default_factory=list)
    events: list[Decided | Locked] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    picture: Picture | None = None
    picture_frame: int = 0

    @property
    def last(self) -> int:
        """The number of the segment's last frame."""
        return self.first + len(self.pads) - 1

    def encode(self, references: References) -> bytes:
        """The segment as the payload of a block, not yet compressed."""
        parts = {b"I": _pack_runs(self.pads), b"C": self.checks.astype("<u2").tobytes()}
        if self.state is not None:
            parts[b"S"] = xor(self.state, references.state)
        if self.jumps:
            parts[b"J"] = pack_jumps(self.jumps)
        if self.events:
            parts[b"E"] = _pack_events(self.events)
        if self.samples:
            parts[b"P"] = _pack_samples(self.samples, references.ram)
        if self.picture is not None:
            height, width = self.picture.shape[:2]
            head = _PICTURE.pack(self.picture_frame, width, height)
            parts[b"V"] = head + xor(self.picture.tobytes(), references.picture)
        return join_sections(parts)

    @classmethod
    def decode(cls, first: int, count: int, payload: bytes, references: References) -> Segment:
        """The inverse of ``encode``. Raises one of DECODE_ERRORS for anything but such a payload."""
        parts = split_sections(payload)
        segment = cls(first, _unpack_runs(parts[b"I"], count), np.frombuffer(parts[b"C"], "<u2"))
        if len(segment.checks) != count:
            raise ValueError(f"{len(segment.checks)} checks for {count} frames")
        if b"S" in parts:
            segment.state = xor(parts[b"S"], references.state)
        segment.jumps = unpack_jumps(parts.get(b"J", b""))
        segment.events = _unpack_events(parts.get(b"E", b"[]"))
        segment.samples = _unpack_samples(parts.get(b"P", b""), references.ram)
        if b"V" in parts:
            segment.picture_frame, width, height = _PICTURE.unpack_from(parts[b"V"])
            pixels = xor(parts[b"V"][_PICTURE.size :], references.picture)
            segment.picture = np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
        segment._check_frames()
        return segment

    def _check_frames(self) -> None:
        before, last = self.first - 1, self.last
        frames = [item.frame for item in (*self.jumps, *self.events, *self.samples)]
        if self.picture is not None:
            frames.append(self.picture_frame)
        if any(not before <= frame <= last for frame in frames):
            raise ValueError("something in it belongs to frames outside it")
        if [jump.frame for jump in self.jumps] != sorted(jump.frame for jump in self.jumps):
            raise ValueError("its jumps aren't in order")


DECODE_ERRORS = (ValueError, KeyError, IndexError, TypeError, OverflowError, RecursionError, MemoryError, struct.error)
"""The exceptions that ``decode`` may raise for damaged bytes."""


def xor(new: bytes, old: bytes) -> bytes:
    """``new`` exclusive-or ``old``, which is cut or filled up with zeros. Doing it twice gives ``new`` again."""
    result = np.frombuffer(new, np.uint8).copy()
    common = min(len(new), len(old))
    result[:common] ^= np.frombuffer(old, np.uint8)[:common]
    return result.tobytes()


def join_sections(parts: dict[bytes, bytes]) -> bytes:
    """Joins named byte strings into one; names are one byte."""
    return b"".join(name + struct.pack("<I", len(data)) + data for name, data in parts.items())


def split_sections(payload: bytes) -> dict[bytes, bytes]:
    """The inverse of ``join_sections``. Raises ValueError or struct.error."""
    parts, at = {}, 0
    while at < len(payload):
        name = payload[at : at + 1]
        (length,) = struct.unpack_from("<I", payload, at + 1)
        at += 5
        if at + length > len(payload):
            raise ValueError(f"its part {name!r} is cut short")
        parts[name] = payload[at : at + length]
        at += length
    return parts


def _pack_runs(pads: npt.NDArray[np.uint32]) -> bytes:
    """Codes pads as runs: the length of each run of equal pads, and the pads."""
    starts = np.flatnonzero(np.diff(pads, prepend=~pads[:1]))
    runs = np.empty(len(starts), _RUN)
    runs["length"], runs["pads"] = np.diff(starts, append=len(pads)), pads[starts]
    return runs.tobytes()


def _unpack_runs(data: bytes, count: int) -> npt.NDArray[np.uint32]:
    runs = np.frombuffer(data, _RUN)
    if int(runs["length"].sum()) != count:
        raise ValueError(f"inputs of {int(runs['length'].sum())} frames for {count}")
    return np.repeat(runs["pads"], runs["length"]).astype(np.uint32)


def _pack_events(events: list[Decided | Locked]) -> bytes:
    names = {kind: name for name, kind in _EVENTS.items()}
    rows = [[names[type(event)], *asdict(event).values()] for event in events]
    return json.dumps(rows, separators=(",", ":")).encode()


def _unpack_events(data: bytes) -> list[Decided | Locked]:
    rows: Any = json.loads(data)
    events = []
    for name, *values in rows:
        event = _EVENTS[name](*values)
        if not (isinstance(event.frame, int) and isinstance(event.seat, int) and isinstance(event.field, str)):
            raise ValueError("an event without frame, seat and field")
        events.append(event)
    return events


def _pack_samples(samples: list[Sample], ram: bytes) -> bytes:
    """Codes samples: the frames and hashes, then the changes of RAM.

    The changes are sorted by the offset in RAM, then by sample, because bytes at one offset change in similar ways.
    """
    heads = b"".join(_SAMPLE.pack(sample.frame, sample.ram_hash, sample.picture_hash) for sample in samples)
    before = [ram, *(sample.ram for sample in samples)]
    changes = [np.frombuffer(xor(sample.ram, old), np.uint8) for sample, old in zip(samples, before, strict=False)]
    return heads + np.stack(changes, axis=1).tobytes()


def _unpack_samples(data: bytes, ram: bytes) -> list[Sample]:
    size = _SAMPLE.size + len(ram)
    if len(data) % size:
        raise ValueError("its samples are cut short")
    count = len(data) // size
    changes = np.frombuffer(data, np.uint8, offset=count * _SAMPLE.size).reshape(len(ram), count)
    samples = []
    for number in range(count):
        frame, ram_hash, picture_hash = _SAMPLE.unpack_from(data, number * _SAMPLE.size)
        ram = xor(changes[:, number].tobytes(), ram)
        samples.append(Sample(frame, ram_hash, picture_hash, ram))
    return samples
