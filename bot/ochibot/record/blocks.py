"""The log file of a record: a file of blocks that is only appended to. Each block has a kind, a number and checksums.

::

    magic (8 bytes) | block 0 "start" | block 1 "frames" | block 2 "frames" | … | block n "end"
    block:  kind (4 bytes), number, first, count, length, checksum of the payload, checksum of this header; payload

All numbers are u32, lowest byte first; checksums are CRC-32. A block holds ``count`` frames from ``first`` on. If the
writer was killed, the log has no end block and its last block may be incomplete. A reader then uses the blocks
before it.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from ochibot.data import read_file
from ochibot.errors import OutputError, RecordError

MAGIC = b"OCHILOG1"
_MOST_BYTES = 1 << 34
START, FRAMES, END = b"strt", b"fram", b"end."
HEADER = struct.Struct("<4s6I")
MAX_PAYLOAD = 1 << 28
"""The largest unpacked payload that a reader accepts; a block of ten seconds holds far less."""

MAX_COUNT = 60_000
"""The most frames of a block."""

_HEAD = struct.Struct("<4s5I")


@dataclass(frozen=True)
class Block:
    """A block of the log. ``payload`` is still compressed. Its frames are ``first`` to ``first + count - 1``."""

    kind: bytes
    number: int
    first: int
    count: int
    payload: bytes

    @property
    def name(self) -> str:
        """The block's name in error messages."""
        if self.kind == FRAMES:
            return f"block {self.number} (frames {self.first} to {self.first + self.count - 1})"
        return f"block {self.number} ({'the start' if self.kind == START else 'the end'})"

    def unpacked(self) -> bytes:
        """The decompressed payload. Raises zlib.error or ValueError when it is damaged."""
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(self.payload, MAX_PAYLOAD)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("it is packed wrongly")
        return data

    def encoded(self) -> bytes:
        """The bytes of the block in the log, checksums included."""
        size, checksum = len(self.payload), zlib.crc32(self.payload)
        head = _HEAD.pack(self.kind, self.number, self.first, self.count, size, checksum)
        return head + struct.pack("<I", zlib.crc32(head)) + self.payload


class LogWriter:
    """Appends blocks to a log. If the disk reports an error, the log is cut back to its last complete block."""

    def __init__(self, path: Path) -> None:
        """Begins a new log. Raises OutputError."""
        self.path = path
        self._number = 0
        self._size = 0
        self._file = -1
        self.failed = False
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            reason = error.strerror or error
            raise OutputError(f"can't write the record {path}: {reason}; give another folder") from None
        self._write(MAGIC)

    def append(self, kind: bytes, first: int, count: int, payload: bytes) -> None:
        """Packs the payload and writes it as a block. Raises OutputError when that fails, for example on a full disk.

        After an error it refuses further blocks, because they would follow a gap.
        """
        if self.failed:
            raise OutputError(f"nothing more can be written in the record {self.path} after an error of the disk")
        self._write(Block(kind, self._number, first, count, zlib.compress(payload, 6)).encoded())
        self._number += 1

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            self.failed = True
            # an incomplete block is useless, so the log is cut back to its last complete one
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise OutputError(
                f"can't write on in the record {self.path}: {error.strerror or error}; what is in it so far is valid: "
                "make room, or give another folder"
            ) from None
        self._size += len(data)

    def close(self) -> None:
        """Closes the file; nothing can be written afterwards."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read_log(path: Path) -> tuple[list[Block], int]:
    """All whole blocks of a log, after checking their checksums, and the number of bytes in an incomplete last block.

    Raises RecordError, with the block's name, for anything but a log or the valid beginning of one.
    """
    try:
        data = read_file(path, _MOST_BYTES)
    except OSError as error:
        raise RecordError(f"can't read the record's log {path}: {error.strerror or error}") from None
    if data[: len(MAGIC)] != MAGIC:
        raise RecordError(f"{path} is not the log of a record: it doesn't begin as one (or a later version made it)")
    blocks: list[Block] = []
    at, frame = len(MAGIC), 1
    while at + HEADER.size <= len(data):
        number = len(blocks)
        kind, stored, first, count, length, payload_crc, header_crc = HEADER.unpack_from(data, at)
        if blocks and blocks[-1].kind == END:
            raise RecordError(f"{path}: bytes follow after {blocks[-1].name}: restore the file from a copy")
        if zlib.crc32(data[at : at + _HEAD.size]) != header_crc:
            raise RecordError(f"{path}: block {number}, at byte {at}, is damaged: its header's checksum doesn't fit")
        payload = data[at + HEADER.size : at + HEADER.size + length]
        block = Block(kind, stored, first, count, payload)
        known = kind in (START, FRAMES, END) and (kind == START) == (number == 0) and count <= MAX_COUNT
        if not known or stored != number or first != frame:
            raise RecordError(f"{path}: {block.name} is out of place as block {number}, at frame {frame}")
        if len(payload) < length:
            break
        if zlib.crc32(payload) != payload_crc:
            raise RecordError(f"{path}: {block.name} is damaged: its checksum doesn't fit; restore it from a copy")
        blocks.append(block)
        frame += count
        at += HEADER.size + length
    if blocks and blocks[-1].kind == END and at < len(data):
        raise RecordError(f"{path}: bytes follow after {blocks[-1].name}: restore the file from a copy")
    if not blocks:
        raise RecordError(f"{path} is cut short: its first block (the start) isn't whole, so nothing can be replayed")
    return blocks, len(data) - at
