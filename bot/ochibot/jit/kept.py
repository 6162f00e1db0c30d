"""The files of one compiled kernel in the cache folder. They are checked before they are loaded, and written by only
one process at a time.

numba keeps a kernel in an index (``.nbi``) and its machine code (``.nbc``), and trusts both: one changed bit in them
can kill the process. So a third file (``.sums``) holds their digests. A kernel's files are whole if the digests fit.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Final

from ochibot.data import is_own

_FORMAT: Final = "ochibot kernel 1"
_LARGEST: Final = 1 << 26
"""An upper limit for the size of a kernel's file, in bytes."""


class State(Enum):
    """What is kept of a kernel: nothing, files of an older source, damaged files, or whole ones."""

    NOTHING = "nothing"
    STALE = "stale"
    DAMAGED = "damaged"
    WHOLE = "whole"


class KeptKernel:
    """One kernel's files.

    folder: the folder of its library and variant; numba makes its own folder inside. stem: how its files' names begin.
    identity: everything that distinguishes this kernel from others. source: its source file; numba rejects code
    that was compiled when this file had another modification time.
    """

    def __init__(self, folder: Path, stem: str, identity: str, source: Path) -> None:
        self.folder = folder
        self._stem = stem
        self._identity = hashlib.sha256(identity.encode()).hexdigest()
        self._source = source
        self._sums = folder / f"{stem}.sums"
        self._lock = folder / f"{stem}.lock"

    def state(self) -> State:
        """What is kept. Only files that are ``WHOLE`` may be loaded."""
        try:
            if not (is_own(self.folder) and is_own(self._sums)):
                # machine code that another user put there is never run
                return State.NOTHING
            text = _read(self._sums).decode("utf-8")
        except FileNotFoundError:
            # files without sums were left by a process that was killed while writing them
            return State.NOTHING
        except (OSError, ValueError):
            return State.DAMAGED
        body = text.removesuffix("\n").rpartition("\n")[0]
        if text != _sealed(body):
            return State.DAMAGED
        form, identity, source, *files = body.split("\n")
        if (form, identity) != (_FORMAT, self._identity):
            return State.DAMAGED
        if source != self._stamp():
            return State.STALE
        try:
            return State.WHOLE if files and files == self._digests() else State.DAMAGED
        except (OSError, ValueError):
            return State.DAMAGED

    def seal(self) -> None:
        """Records that the files are whole as they are now. Raises OSError."""
        body = "\n".join((_FORMAT, self._identity, self._stamp(), *self._digests()))
        partial = self._sums.with_name(f"{self._sums.name}.{os.getpid()}")
        partial.write_text(_sealed(body), encoding="utf-8")
        partial.replace(self._sums)

    def clear(self) -> None:
        """Deletes the files, including what killed processes left behind."""
        for path in (self._sums, *self.folder.glob(f"{self._stem}.sums.*"), *self._files()):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self, waiting: Callable[[], contextlib.AbstractContextManager[object]]) -> Iterator[bool]:
        """Locks this kernel against other processes. Yields whether anything can be kept.

        ``waiting`` is entered while another process holds the lock. The lock ends with its process, however that ends.
        """
        # Imported here: kernels are compiled anew when a module changes that is imported at the top of this file.
        from ochibot.leftovers import lock, written_by_others

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = self._lock.open("ab") if is_own(self.folder) else None
        except OSError:
            file = None
        if file is None:
            yield False
            return
        with file:
            # on a file system without locks two processes may compile the same kernel
            with contextlib.suppress(OSError):
                try:
                    lock(file.fileno())
                except BlockingIOError:
                    with waiting():
                        lock(file.fileno(), wait=True)
            # files under a temporary name: numba writes NAME.tmp.NUMBER, and ``seal`` NAME.sums.NUMBER
            with (
                written_by_others(self.folder, f"*/{self._stem}-*.tmp.*"),
                written_by_others(self.folder, f"{self._stem}.sums.*"),
            ):
                yield True

    def _stamp(self) -> str:
        """The modification time and size of the source file, which numba compares."""
        stat = self._source.stat()
        return f"{stat.st_mtime_ns} {stat.st_size}"

    def _files(self) -> list[Path]:
        """Numba's files of this kernel."""
        return sorted(self.folder.glob(f"*/{self._stem}-*"))

    def _digests(self) -> list[str]:
        return [f"{_digest(_read(file))} {file.relative_to(self.folder)}" for file in self._files()]


def _read(file: Path) -> bytes:
    """A file's bytes. Raises ValueError if it is too large, or no regular file (reading a pipe would never end)."""
    if file.exists() and not file.is_file():
        raise ValueError(f"{file} is no file")
    with file.open("rb") as opened:
        data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"{file} is too large")
    return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _sealed(body: str) -> str:
    """The lines of a ``.sums`` file, followed by their own digest."""
    return f"{body}\n{_digest(body.encode())}\n"
