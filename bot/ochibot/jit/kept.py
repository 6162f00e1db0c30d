"""The file of one compiled kernel in the cache folder. It is checked before it is loaded, and written by only one
process at a time.

One changed bit in machine code can kill the process. So the file begins with the digest of all that follows.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Final

from ochibot.data import is_own
from ochibot.jit.native import MachineCode

_FORMAT: Final = b"ochibot kernel 2"
_LARGEST: Final = 1 << 26
"""An upper limit for the size of a kernel's file, in bytes."""


class State(Enum):
    """What is kept of a kernel: nothing, a damaged file, or a whole one."""

    NOTHING = "nothing"
    DAMAGED = "damaged"
    WHOLE = "whole"


class KeptKernel:
    """One kernel's file.

    folder: the folder of its library and variant. stem: the file's name without its ending. identity: everything that
    distinguishes this kernel from others.
    """

    def __init__(self, folder: Path, stem: str, identity: str) -> None:
        self.folder = folder
        self.file = folder / f"{stem}.code"
        self._identity = hashlib.sha256(identity.encode()).hexdigest().encode()
        self._lock = folder / f"{stem}.lock"

    def read(self) -> tuple[State, MachineCode | None]:
        """What is kept, and the machine code if it is whole."""
        try:
            if not (is_own(self.folder) and is_own(self.file)):
                # machine code that another user put there is never run
                return State.NOTHING, None
            raw = _read(self.file)
        except FileNotFoundError:
            return State.NOTHING, None
        except (OSError, ValueError):
            return State.DAMAGED, None
        digest, _, body = raw.partition(b"\n")
        head, _, code = body.partition(b"\n")
        if digest != _digest(body) or head != self._head():
            return State.DAMAGED, None
        return State.WHOLE, MachineCode.from_bytes(code)

    def write(self, code: MachineCode) -> None:
        """Keeps the machine code. Raises OSError."""
        # Imported here: kernels are compiled anew when a module changes that is imported at the top of this file.
        from ochibot.leftovers import whole_file

        body = self._head() + b"\n" + code.to_bytes()
        with whole_file(self.file) as partial:
            partial.write_bytes(_digest(body) + b"\n" + body)

    def clear(self) -> None:
        """Deletes what lies in the file's place."""
        if self.file.is_dir() and not self.file.is_symlink():
            shutil.rmtree(self.file, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                self.file.unlink(missing_ok=True)

    @contextlib.contextmanager
    def alone(self, waiting: Callable[[], contextlib.AbstractContextManager[object]]) -> Iterator[bool]:
        """Locks this kernel against other processes. Yields whether anything can be kept.

        ``waiting`` is entered while another process holds the lock. The lock ends with its process, however that ends.
        """
        from ochibot.leftovers import lock

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
            yield True

    def _head(self) -> bytes:
        return _FORMAT + b" " + self._identity


def _read(file: Path) -> bytes:
    """A file's bytes. Raises ValueError if it is too large, or no regular file (reading a pipe would never end)."""
    if file.exists() and not file.is_file():
        raise ValueError(f"{file} is no file")
    with file.open("rb") as opened:
        data = opened.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(f"{file} is too large")
    return data


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
