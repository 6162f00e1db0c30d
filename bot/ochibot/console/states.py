"""Loads the user's savestate files.

In a savestate that RetroArch wrote, the core's bytes lie in a container, which may be compressed.

All numbers are little-endian. Seen in files that RetroArch 1.14 wrote (tests/console/data/README.md)::

    RZIP     "#RZIPv" 01 "#", u32 size of a chunk, u64 size of all; for each chunk: u32 size, that many bytes of zlib
    RASTATE  "RASTATE" 01; blocks: a name of 4 letters, u32 size, the bytes, padding to a multiple of 8
             "MEM " holds the core's savestate, "END " ends the file; "ACHV" and others may lie between

A compressed file holds a RASTATE. Compressed files of older versions hold the core's bytes directly.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

import numpy as np

from ochibot.console.protocols import HostedConsole
from ochibot.console.rom import HEAD, but, core_of_state, kind_of, kind_of_file
from ochibot.data import is_file, is_folder, read_file
from ochibot.errors import ConsoleError, RomError
from ochibot.wording import counted

RZIP: Final = b"#RZIPv"
RASTATE: Final = b"RASTATE"

_RZIP_HEAD: Final = 20
_BLOCK_HEAD: Final = 8
MOST_BYTES: Final = 64 << 20
"""No savestate that we can use is larger."""


def is_wrapped(head: bytes) -> bool:
    """Whether a file with these first bytes was compressed or wrapped by RetroArch."""
    return head.startswith((RZIP, RASTATE))


def unwrapped(data: bytes) -> bytes:
    """The core's savestate inside a file's bytes. Bytes that RetroArch hasn't wrapped are returned unchanged.

    Raises RomError (its message doesn't name the file) when they are cut off or damaged.
    """
    if data.startswith(RZIP):
        data = _unzipped(data)
    return _memory(data) if data.startswith(RASTATE) else data


def _unzipped(data: bytes) -> bytes:
    version, chunk, total = data[6:7], _number(data, 8, 4), _number(data, 12, 8)
    if version != b"\x01" or data[7:8] != b"#":
        raise RomError("RetroArch has compressed it in a form that isn't known here (RZIP, version 1, is)")
    if total > MOST_BYTES or chunk > MOST_BYTES:
        raise RomError(f"it says that it holds {total:,} bytes, more than any savestate")
    at, parts, left = _RZIP_HEAD, [], total
    while left > 0:
        size = _number(data, at, 4)
        packed = data[at + 4 : at + 4 + size]
        if not size or len(packed) != size:
            raise RomError("its compressed bytes are cut off")
        part = _inflated(packed, min(chunk, left))
        parts.append(part)
        left -= len(part)
        at += 4 + size
    return b"".join(parts)


def _inflated(packed: bytes, wanted: int) -> bytes:
    """Decompresses one chunk to at most ``wanted`` bytes."""
    reader = zlib.decompressobj()
    try:
        part = reader.decompress(packed, wanted)
    except zlib.error:
        raise RomError("its compressed bytes are damaged") from None
    if len(part) != wanted or not wanted:
        raise RomError("its compressed bytes are damaged")
    return part


def _memory(data: bytes) -> bytes:
    """The content of the block ``MEM``, the core's savestate."""
    if data[7:8] != b"\x01":
        raise RomError("RetroArch has wrapped it in a form that isn't known here (RASTATE, version 1, is)")
    at = 8
    while at + _BLOCK_HEAD <= len(data):
        name, size = data[at : at + 4], _number(data, at + 4, 4)
        if name == b"END ":
            break
        held = data[at + _BLOCK_HEAD : at + _BLOCK_HEAD + size]
        if len(held) != size:
            raise RomError("it is cut off")
        if name == b"MEM ":
            return held
        at += _BLOCK_HEAD + size + -size % 8
    raise RomError("it holds no savestate of a core (no block MEM)")


def _number(data: bytes, at: int, size: int) -> int:
    """Reads a little-endian number of ``size`` bytes. Raises RomError beyond the end of the data."""
    if at + size > len(data):
        raise RomError("it is cut off")
    return int.from_bytes(data[at : at + size], "little")


def load_state_file(console: HostedConsole, path: Path) -> None:
    """Loads a savestate file with a core's own bytes, or one that RetroArch wrote (compressed or not).

    Raises RomError or ConsoleError that says what to do.
    """
    # some cores load a savestate reliably only after they have run one frame
    console.step()
    own = console.save()
    state = _read(path)
    give = "give one made by the same core"
    if is_wrapped(state):
        try:
            state = unwrapped(state)
        except RomError as error:
            raise RomError(f"can't read the savestate {path} of RetroArch: {error}; {give}") from None
    if not _like(state, own):
        raise RomError(f"{path} is no savestate of {console.core_name} for this ROM{_why(state, own)}")
    try:
        console.try_state(state)
    except ConsoleError as error:
        raise RomError(f"the savestate {path} can't be used: {error}; {give}, its version and ROM") from None
    console.load(state)


def _why(state: bytes, own: bytes) -> str:
    """Words for the error: what the file is instead, as far as that is known, and what to do."""
    kind, core = kind_of(state[:HEAD]), core_of_state(state)
    if core is not None and core != core_of_state(own):
        return f"{but(kind)}; play it with --core {core}, or give one made by the same core"
    if core is not None and len(state) != len(own):
        return (
            f": it has {counted(len(state), 'byte')} where this core's have {len(own):,}, "
            "so another version of the core made "
            "it, or it is of another ROM; give one made by the same core and ROM"
        )
    return f"{but(kind if kind != kind_of(own[:HEAD]) else None)}; give one made by the same core"


def _read(path: Path) -> bytes:
    """Reads the file's bytes. Raises RomError when it can't be read."""
    try:
        if path.exists() and not is_file(path):
            what = kind_of_file(path) if is_folder(path) else "a device"
            raise RomError(f"can't read the savestate {path}: it is {what}, not a file; give one made by the same core")
        return read_file(path, MOST_BYTES)
    except OSError as error:
        raise RomError(
            f"can't read the savestate {path}: {error.strerror or error}; give the path of one made by the same core"
        ) from None


ALIKE = 0.25
"""The least share of equal bytes in two savestates of one core. It is used for cores whose states begin
with no mark.
"""


def _like(state: bytes, own: bytes) -> bool:
    """Whether a file looks like a savestate of the core that made ``own``. FBNeo crashes on other data.

    Savestates of the NES cores begin with a fixed mark. Those of FBNeo begin with the number of the frame, but most of
    the other bytes are the same in all of them. A state that looks right may still be damaged.
    """
    if len(state) != len(own):
        return False
    same = np.frombuffer(state, np.uint8) == np.frombuffer(own, np.uint8)
    return state[:4] == own[:4] or float(same.mean()) >= ALIKE
