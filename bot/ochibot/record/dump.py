"""Dumps: pictures of a run as PNG files, with an index that is only appended to.

The folder holds a file for each frame (``00000060.png`` …) and the index ``dump.jsonl``. The index's first line names
the run. Each further line is a picture, added once its file is complete. The last line is the number of pictures. A
dump that was killed is valid up to its last complete line.

Writes PNG files of pixel art quickly.

Pillow tries five filters for each row. That takes three times as long as this whole module and hardly makes such
pictures smaller. When Pillow wrote the pictures of a live dump, it took most of the dump's time.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import struct
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ochibot.data import read_file
from ochibot.errors import OutputError, RecordError
from ochibot.quoting import brief
from ochibot.record.manifest import Manifest
from ochibot.record.recorded import picture_hash
from ochibot.wording import counted

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB8 = struct.pack("5B", 8, 2, 0, 0, 0)
"""The last bytes of IHDR: 8 bits per channel, RGB, the standard compression and filter method, not interlaced."""


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def encode(picture: npt.NDArray[np.uint8]) -> bytes:
    """An (H, W, 3) RGB picture as a PNG file, every row with filter 0 (PNG specification, sections 5 and 9)."""
    height, width = picture.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)
    head = struct.pack(">2I", width, height) + _RGB8
    packed = zlib.compress(rows.tobytes(), 3)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


INDEX = "dump.jsonl"
FORMAT = "ochibot dump"
VERSION = 2
"""The version of the format. Dumps of version 1 have no last line."""
WAITING = 32
"""The most pictures in the encoder's queue. When it is full, the run waits, so that no picture is lost."""

_MOST_BYTES = 1 << 30
_ENTRY_KEYS = {"frame", "file", "hash"}
_PICTURES = re.compile(r"[0-9]{8,}\.png")

Picture = npt.NDArray[np.uint8]
T = TypeVar("T")


class DumpWriter:
    """Encodes pictures in a thread of its own. ``put`` waits when too many are queued, and raises that thread's errors.

    every, at_locks: which pictures a recorder passes to it (see ``recorder.Sink``). core: name and version of the
    core that makes the pictures, if it isn't the record's core.
    """

    def __init__(
        self,
        folder: Path,
        about: Manifest,
        *,
        every: int | None = None,
        at_locks: bool = False,
        core: str | None = None,
    ) -> None:
        """Makes the folder and begins the index. Raises OutputError when that fails or the folder holds a dump."""
        self.every = every
        self.at_locks = at_locks
        self.folder = folder
        self.written = 0
        self._last = 0
        self._queue: queue.Queue[tuple[int, Picture] | None] = queue.Queue(WAITING)
        self._failure: Exception | None = None
        core = core or f"{about.core.name} {about.core.version}"
        head = {"format": FORMAT, "version": VERSION, "rom": about.rom.sha1, "core": core}
        if folder.is_file():
            raise OutputError(f"can't write the dump {folder}: it is a file; give a new folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / INDEX).open("x", encoding="utf-8") as file:
                file.write(json.dumps(head) + "\n")
        except FileExistsError:
            raise OutputError(f"can't write the dump {folder}: it holds one already; give a new folder") from None
        except OSError as error:
            raise self._cant(error) from None
        self._thread = threading.Thread(target=self._encode, name="ochibot-dumps")
        self._thread.start()

    def _cant(self, error: OSError) -> OutputError:
        return OutputError(
            f"can't write the dump {self.folder}: {error.strerror or error}; make room, or give another folder"
        )

    def put(self, frame: int, picture: Picture) -> None:
        """Queues the picture of a frame, unless that frame is queued already. Raises OutputError."""
        if self._failure is not None:
            raise self._failure
        if frame != self._last:
            self._last = frame
            self._queue.put((frame, picture))

    def _encode(self) -> None:
        try:
            with (self.folder / INDEX).open("a", encoding="utf-8") as index:
                while (item := self._queue.get()) is not None:
                    self._write(*item)
                    index.write(self._line(*item))
                    index.flush()
                    self.written += 1
                index.write(json.dumps({"pictures": self.written}) + "\n")
                return
        except OSError as error:
            self._failure = self._cant(error)
        except Exception as error:
            self._failure = error
        # after an error, the queue is still emptied, so that ``put`` can't wait for ever
        while self._queue.get() is not None:
            pass

    def _write(self, frame: int, picture: Picture) -> None:
        path = self.folder / file_name(frame)
        try:
            path.write_bytes(encode(picture))
        except OSError:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            raise

    def _line(self, frame: int, picture: Picture) -> str:
        return json.dumps({"frame": frame, "file": file_name(frame), "hash": picture_hash(picture).hex()}) + "\n"

    def close(self) -> None:
        """Writes the queued pictures. Raises OutputError when one could not be written."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        if self._failure is not None:
            raise self._failure

    def __enter__(self) -> DumpWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OutputError:
            if kind is None:
                raise


def file_name(frame: int) -> str:
    """The name of a frame's PNG file."""
    return f"{frame:08d}.png"


@dataclass(frozen=True)
class DumpEntry:
    """One picture: its frame, file and the hash of its pixels when it was made."""

    frame: int
    path: Path
    hash: bytes

    def picture(self) -> Picture:
        """Reads the pixels, (H, W, 3) RGB. Raises RecordError when the file is missing or isn't a picture."""
        from PIL import Image

        try:
            with Image.open(self.path) as image:
                return np.asarray(image.convert("RGB"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            reason = getattr(error, "strerror", None) or "it is no picture, or a damaged one"
            raise RecordError(f"can't read the dumped picture {self.path}: {reason}") from None


@dataclass(frozen=True)
class Dump:
    """A dump's index. rom: SHA-1. core: name and version.

    ended: whether the index has its last line, so that the dump is known to be complete; None for version 1, which has
    no such line.
    """

    folder: Path
    rom: str | None
    core: str | None
    entries: dict[int, DumpEntry]
    ended: bool | None

    def check_listed(self) -> None:
        """Raises RecordError when the folder holds pictures that the index doesn't list.

        If the dump was killed, one such picture after the last listed frame is allowed.
        """
        try:
            names = {path.name for path in self.folder.iterdir() if _PICTURES.fullmatch(path.name)}
        except OSError as error:
            raise RecordError(f"can't read the dump {self.folder}: {error.strerror or error}") from None
        lost = sorted(names - {entry.path.name for entry in self.entries.values()}, key=lambda name: int(name[:-4]))
        last = max(self.entries, default=0)
        if not lost or (not self.ended and len(lost) == 1 and int(lost[0][:-4]) > last):
            return
        many = counted(len(lost), "picture")
        raise RecordError(
            f"{self.folder / INDEX} doesn't list {many} in the folder, the first {lost[0]}: it has been cut short "
            "or changed; make the dump anew"
        )


def open_dump(folder: Path) -> Dump:
    """Reads a dump's index. Raises RecordError naming the line that is wrong."""
    path = folder / INDEX
    try:
        lines = read_file(path, _MOST_BYTES).decode("utf-8").splitlines(keepends=True)
    except FileNotFoundError:
        raise RecordError(f"{folder} is not a dump: there is no {INDEX} in it; give a folder made by dumping") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"can't read {path}: {getattr(error, 'strerror', None) or 'it is not a text file'}") from None
    if lines and not lines[-1].endswith("\n"):
        # the unfinished last line of a killed dump
        lines.pop()
    if not lines:
        raise RecordError(f"{path} is empty: it is no dump")
    version, rom, core = _line(path, 1, lines[0], _head)
    entries: dict[int, DumpEntry] = {}
    ended = None if version == 1 else False
    for number, line in enumerate(lines[1:], 2):
        if ended:
            raise RecordError(f"{path}, line {number}: it stands after the dump's last line")
        entry = _line(path, number, line, _entry)
        if isinstance(entry, int):
            if entry != len(entries):
                raise RecordError(
                    f"{path}, line {number}: it counts {counted(entry, 'picture')}, but there are "
                    f"{counted(len(entries), 'line')}"
                )
            ended = True
            continue
        frame, file, digest = entry
        if frame <= max(entries, default=0):
            raise RecordError(f"{path}, line {number}: frame {frame} is out of order")
        entries[frame] = DumpEntry(frame, folder / file, digest)
    return Dump(folder, rom, core, entries, ended)


def _line(path: Path, number: int, line: str, read: Callable[[Any], T]) -> T:
    try:
        return read(json.loads(line))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else brief(str(error))
        raise RecordError(f"{path}, line {number}: {reason}") from None


def _head(entry: Any) -> tuple[int, str | None, str | None]:
    version = entry["version"]
    if entry["format"] != FORMAT or type(version) is not int or not 1 <= version <= VERSION:
        raise ValueError("it is no dump, or of a later version")
    rom, core = entry.get("rom"), entry.get("core")
    return version, rom if isinstance(rom, str) else None, core if isinstance(core, str) else None


def _entry(entry: Any) -> tuple[int, str, bytes] | int:
    """Reads a line of the index: a picture's frame, file and hash, or in the last line the number of pictures."""
    if set(entry) == {"pictures"} and type(entry["pictures"]) is int:
        return int(entry["pictures"])
    frame, file, digest = entry["frame"], entry["file"], bytes.fromhex(entry["hash"])
    fits = type(frame) is int and frame > 0 and file == file_name(frame) and len(digest) == 8
    if set(entry) != _ENTRY_KEYS or not fits:
        raise ValueError("it is no entry of a dump")
    return frame, file, digest
