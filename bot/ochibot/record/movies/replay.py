"""RetroArch's .replay: a savestate, and for each frame the answers that the core got when it asked for the pads.

All numbers but those of MessagePack are little-endian. Source: RetroArch, input/bsv/bsvmovie.c and tasks/task_movie.c
(versions 1 and 2)::

    head        "2VSB", u32 version, u32 CRC-32 of the content, u32 bytes of the savestate, i64 time
    version 2   u32 frames, u32 bytes of a block, u32 blocks of a superblock, u32 settings
    savestate   version 1: as it is. version 2: a checkpoint (below), without its token
    frame       version 2: u32 distance to an earlier frame. u8 count of key events of 12 bytes, u16 count of inputs of
                8 bytes (u8 port, u8 device, u8 index, u8 0, u16 id, i16 value), then a token: "f" for nothing more,
                "c" u64 size and a savestate, "C" a checkpoint
    checkpoint  u8 compression (0 none, 1 zlib, 2 zstd), u8 encoding (0 none, 1 blocks that are kept once), u32 bytes of
                the savestate, u32 of its encoded form, u32 of its compressed form, and that

RetroArch 1.20 and 1.21 write version 1, each record before the next frame: the first is of no frame, and is left out.
Newer ones write version 2, each record after its frame. Version 0 of older ones doesn't say which buttons its values
are. A checkpoint is the state after its frame; its blocks may be those of earlier ones. Nothing else tells that the
game was reset. When RetroArch is killed, what it hadn't written yet of the file is zeros.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ochibot.errors import MovieError
from ochibot.quoting import brief_path
from ochibot.record.movies.movie import read_bytes

ENDING: Final = ".replay"
MAGIC: Final = 0x42535632
_OLD_MAGIC: Final = 0x42535631
_HEAD: Final = struct.Struct("<IIIIq")
_HEAD_2: Final = struct.Struct("<IIII")
_INPUT: Final = struct.Struct("<BBBxHh")
_CHECKPOINT_HEAD: Final = struct.Struct("<BBIII")
_KEY_BYTES: Final = 12
_JOYPAD, _DEVICES, _MASK = 1, 0xFF, 256
_BUTTONS: Final = 16
_MOST_STATE: Final = 64 << 20
"""No savestate that we can use is larger."""
_START, _BLOCK, _SUPERBLOCK, _SEQUENCE = 0, 1, 2, 3


@dataclass(frozen=True)
class Replay:
    """A file of RetroArch. version: of its format. crc: the content's CRC-32. state: the core's savestate from which it
    starts. pads: the Button masks of both ports, a pair per frame. whole: whether it ends with a whole frame.
    checkpoints: (a frame's index in ``pads``, a checkpoint as it is in the file). ``states`` unpacks them.
    """

    version: int
    crc: int
    state: bytes
    pads: tuple[tuple[int, int], ...]
    whole: bool
    checkpoints: tuple[tuple[int, bytes], ...]
    _first: bytes
    _sizes: tuple[int, int]

    def states(self) -> Iterator[tuple[int, bytes]]:
        """The checkpoints: a frame's index in ``pads``, and the core's savestate after it. Raises MovieError."""
        unpacked = _Checkpoints(*self._sizes)
        if self.version == 2 and self.checkpoints:
            unpacked.state(_Bytes(self._first))
        for frame, packed in self.checkpoints:
            try:
                yield frame, packed if self.version == 1 else unpacked.state(_Bytes(packed))
            except _CutShortError:
                raise MovieError(f"the checkpoint after frame {frame + 1} is damaged: record it again") from None


class _CutShortError(Exception):
    """The file ends too early."""


class _Bytes:
    """Reads bytes one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self.at = data, 0

    @property
    def left(self) -> int:
        return len(self._data) - self.at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise _CutShortError
        self.at += count
        return self._data[self.at - count : self.at]

    @property
    def only_zeros(self) -> bool:
        """Whether nothing but zeros is left."""
        return not self._data[self.at :].strip(b"\0")

    def number(self, form: str, order: str = "<") -> int:
        """A number in a form of ``struct``. ``order``: "<" little-endian, ">" big-endian."""
        (found,) = struct.unpack(order + form, self.take(struct.calcsize(order + form)))
        return int(found)


def is_replay(path: Path) -> bool:
    """Whether a file's name is that of a replay. RetroArch adds the slot's number: game.replay, game.replay1."""
    return path.suffix.lower().rstrip("0123456789") == ENDING


def read_replay(path: Path) -> Replay:
    """Reads a .replay file. Raises MovieError naming the file."""
    data = read_bytes(path)
    try:
        return _read(_Bytes(data))
    except _CutShortError:
        raise MovieError(f"{brief_path(path)} is cut short before its first frame: record it again") from None
    except MovieError as error:
        raise MovieError(f"{brief_path(path)}: {error}") from None


def _read(data: _Bytes) -> Replay:
    magic, version, crc, size, _ = _HEAD.unpack(data.take(_HEAD.size))
    if magic == _OLD_MAGIC:
        raise MovieError("it is a .bsv of an old RetroArch, which says nothing of its pads: record a .replay")
    if magic != MAGIC:
        raise MovieError("it is no replay of RetroArch")
    if version == 0:
        raise MovieError(
            "a RetroArch before 1.20 wrote it, which doesn't say which buttons were pressed: record it anew"
        )
    if version not in (1, 2):
        raise MovieError(f"its format has version {version}, and 1 and 2 are known here")
    blocks = (0, 0)
    if version == 2:
        _, *blocks_, _ = _HEAD_2.unpack(data.take(_HEAD_2.size))
        blocks = blocks_[0], blocks_[1]
    if size > _MOST_STATE:
        raise MovieError(f"the size that it gives of its savestate ({size:,}) is more than any has")
    first = data.take(size)
    state = first if version == 1 else _Checkpoints(*blocks).state(_Bytes(first))
    pads: list[tuple[int, int]] = []
    saved: list[tuple[int, bytes]] = []
    whole = True
    while data.left:
        try:
            both, checkpoint = _frame(data, version, len(pads))
        except _CutShortError:
            whole = False
            break
        if checkpoint is not None:
            saved.append((len(pads) - (version == 1), checkpoint))
        pads.append(both)
    return Replay(version, crc, state, tuple(pads[version == 1 :]), whole, tuple(saved), first, blocks)


def _frame(data: _Bytes, version: int, number: int) -> tuple[tuple[int, int], bytes | None]:
    """The pads of a frame, and its checkpoint. ``number``: how many frames there are before it."""
    if version == 2:
        data.take(4)
    data.take(data.number("B") * _KEY_BYTES)
    pads = [0, 0]
    for _ in range(data.number("H")):
        port, device, _, button, value = _INPUT.unpack(data.take(_INPUT.size))
        if port > 1 or device & _DEVICES != _JOYPAD:
            continue
        if button == _MASK:
            pads[port] |= value & 0xFFFF
        elif button < _BUTTONS and value:
            pads[port] |= 1 << button
    token, checkpoint = data.take(1), None
    if token == b"c":
        checkpoint = data.take(data.number("Q"))
    elif token == b"C":
        head = data.take(_CHECKPOINT_HEAD.size)
        checkpoint = head + data.take(_CHECKPOINT_HEAD.unpack(head)[-1])
    elif token == b"\0" and data.only_zeros:
        raise _CutShortError
    elif token != b"f":
        raise MovieError(f"frame {number} ends in an unknown token: the file is damaged, record it again")
    return (pads[0], pads[1]), checkpoint


class _Checkpoints:
    """Unpacks checkpoints, which must come in order: each may use blocks of the earlier ones."""

    def __init__(self, block: int, superblock: int) -> None:
        self._block, self._superblock = block, superblock
        self._blocks: dict[int, bytes] = {}
        self._superblocks: dict[int, list[int]] = {}

    def state(self, data: _Bytes) -> bytes:
        """The next checkpoint's savestate."""
        compression, encoding, size, encoded, compressed = _CHECKPOINT_HEAD.unpack(data.take(_CHECKPOINT_HEAD.size))
        if max(size, encoded) > _MOST_STATE:
            raise MovieError(f"the size that it gives of its savestate ({max(size, encoded):,}) is more than any has")
        found = _unpacked(data.take(compressed), compression, encoded)
        if encoding == 0:
            return found
        if encoding == 1:
            return self._joined(_Bytes(found), size)
        raise MovieError(f"its savestate is encoded in an unknown way ({encoding})")

    def _joined(self, data: _Bytes, size: int) -> bytes:
        """Joins a savestate from blocks: a stream of MessagePack values, in which each block stands once."""
        if not 0 < self._block <= _MOST_STATE or not 0 < self._superblock <= 1 << 16:
            raise MovieError("the sizes of its savestate's blocks are impossible")
        blocks, superblocks = self._blocks, self._superblocks
        blocks.setdefault(0, bytes(self._block))
        superblocks.setdefault(0, [0] * self._superblock)
        if _value(data) != _START:
            raise MovieError("its savestate doesn't begin as it should")
        _value(data)
        while True:
            token = _value(data)
            if token == _BLOCK:
                index, content = _value(data), _value(data)
                if not isinstance(content, bytes) or len(content) != self._block:
                    raise MovieError("a block of its savestate is damaged")
                blocks[index] = content
            elif token == _SUPERBLOCK:
                index, content = _value(data), _value(data)
                superblocks[index] = content if isinstance(content, list) else []
            elif token == _SEQUENCE:
                sequence = _value(data)
                try:
                    return b"".join(blocks[one] for each in sequence for one in superblocks[each])[:size]
                except (KeyError, TypeError):
                    raise MovieError("its savestate names blocks that it doesn't hold") from None
            else:
                raise MovieError("its savestate holds something unknown")


def _unpacked(packed: bytes, compression: int, size: int) -> bytes:
    try:
        if compression == 0:
            return packed
        if compression == 1:
            return zlib.decompressobj().decompress(packed, size)
        if compression == 2:
            return _zstd(packed, size)
    except MovieError:
        raise
    except Exception as error:  # zlib.error and what a zstd module raises
        raise MovieError(f"its savestate can't be unpacked ({type(error).__name__}): record it again") from None
    raise MovieError(f"its savestate is compressed in an unknown way ({compression})")


def _zstd(packed: bytes, size: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise MovieError(
            "its savestate is compressed with zstd: pip install zstandard, or record it with savestate compression off"
        ) from None
    found: bytes = zstandard.ZstdDecompressor().decompress(packed, max_output_size=size)
    return found


def _value(data: _Bytes, *, within: bool = False) -> Any:
    """The next value of MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md): big-endian whole numbers,
    bytes, and lists of these. ``within``: whether it is in a list, where no list is.
    """
    kind = data.number("B")
    if kind < 0x80:
        return kind
    if kind >= 0xE0:
        return kind - 0x100
    if 0x90 <= kind < 0xA0 and not within:
        return [_value(data, within=True) for _ in range(kind & 0xF)]
    if kind in (0xC4, 0xC5, 0xC6):
        return data.take(data.number("BHI"[kind - 0xC4], ">"))
    if 0xCC <= kind <= 0xCF:
        return data.number("BHIQ"[kind - 0xCC], ">")
    if 0xD0 <= kind <= 0xD3:
        return data.number("bhiq"[kind - 0xD0], ">")
    if kind in (0xDC, 0xDD) and not within:
        return [_value(data, within=True) for _ in range(min(data.number("HI"[kind - 0xDC], ">"), data.left + 1))]
    raise MovieError("its savestate holds a value of an unknown kind")
