"""Removes unfinished and temporary files and folders when the program ends early.

Each path is noted here before the file is made, so that none is ever missed. ``sweep`` removes all that are still
noted; ``ochibot.interrupts`` calls it when a signal ends the process.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from ochibot.errors import OutputError

_noted: dict[Path, int] = {}
"""The paths to remove, each with the process that owns it (a forked process inherits its parent's notes)."""

_made: dict[Path, int] = {}
"""Folders to be removed if they are still empty."""

_numbers = itertools.count()


def sweep() -> None:
    """Removes unfinished and temporary files. Raises nothing."""
    for path in list(_noted):
        _remove(path)
    remove_empty()


def remove_empty() -> None:
    """Removes folders whose contents were never written. Raises nothing."""
    # inner folders first
    for folder, owner in reversed(list(_made.items())):
        if owner == os.getpid():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _note(path: Path) -> None:
    _noted[path] = os.getpid()


def _remove(path: Path) -> None:
    if _noted.get(path) != os.getpid():
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        shutil.rmtree(path, ignore_errors=True)
    _noted.pop(path, None)


def _beside(path: Path) -> Path:
    """A temporary name in the same folder. It keeps the name's ending, by which some libraries choose the format."""
    return path.with_name(f".ochibot-{os.getpid()}-{next(_numbers)}{path.suffix}")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Writes a file completely or not at all: yields a temporary path, which is renamed to ``path`` at the block's end.

    After an exception, the temporary file is removed. A device or a pipe is written directly. Raises OSError or
    RuntimeError.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    partial = _beside(path)
    _note(partial)
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        # a full disk is reported without a path, and nobody knows the temporary one
        if error.filename is None or str(error.filename) == str(partial):
            # PyAV's errors keep their path
            with contextlib.suppress(AttributeError):
                error.filename = str(path)
        raise
    finally:
        _remove(partial)


@contextlib.contextmanager
def written(path: Path, what: str = "", instead: str = "give another path") -> Iterator[Path]:
    """``whole_file``, whose OSErrors become an OutputError: it says that ``what``, such as "the page ", can't be
    written, and what to do ``instead``.
    """
    try:
        with whole_file(path) as partial:
            yield partial
    except OSError as error:
        raise OutputError(f"can't write {what}{path}: {error.strerror or error}; {instead}") from None


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Like ``whole_file`` for a folder: yields a new temporary folder. ``path`` must be empty or missing. Raises
    OSError.
    """
    path = path.resolve()
    partial = _beside(path)
    _note(partial)
    try:
        make_folder(partial.parent)
        partial.mkdir()
        yield partial
        partial.replace(path)
    finally:
        _remove(partial)


@contextlib.contextmanager
def probed(path: Path) -> Iterator[None]:
    """Removes the file ``path`` after the block. The block makes it only to test whether it can be made."""
    path = path.resolve()
    _note(path)
    try:
        yield
    finally:
        _remove(path)


def make_folder(folder: Path) -> None:
    """Makes a folder and its parents if they are missing. Raises OSError.

    Folders that are still empty when the program ends early are removed again.
    """
    whole = folder.absolute()
    for each in reversed((whole, *whole.parents)):
        if not each.exists():
            _made[each] = os.getpid()
    folder.mkdir(parents=True, exist_ok=True)


def lock(file: int, *, wait: bool = False) -> None:
    """Locks an open file or folder (its descriptor) until it is closed, also against other processes.

    Raises BlockingIOError when another has locked it (``wait``: waits for that instead), and OSError where the file
    system has no locks. Does nothing on Windows, which has none of this kind.
    """
    if sys.platform == "win32":
        return
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Locks an existing folder while the block runs, also against other processes. It writes nothing.

    Raises BlockingIOError when another process (or block) has locked it. Where a folder can't be locked, such as on
    Windows and on some network drives, nothing is locked.
    """
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        try:
            lock(opened)
        except BlockingIOError:
            raise
        except OSError:
            pass
        yield
    finally:
        os.close(opened)


class TemporaryFolder:
    """A temporary folder. It is removed by ``cleanup``, at the end of a ``with`` block, and when the process ends."""

    def __init__(self, prefix: str = "ochibot-") -> None:
        self.path = _temporary(prefix)
        self._finalizer = weakref.finalize(self, _remove, self.path)

    def cleanup(self) -> None:
        """Removes the folder now."""
        self._finalizer()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(self.path)
        self.cleanup()


@contextlib.contextmanager
def kept_folder(prefix: str = "ochibot-") -> Iterator[Path]:
    """Makes a folder in the system's folder for temporary files. It stays for the user, unless the block ends with an
    exception.
    """
    path = _temporary(prefix)
    try:
        yield path
    except BaseException:
        _remove(path)
        raise
    _noted.pop(path, None)


def _temporary(prefix: str) -> Path:
    """Like ``tempfile.mkdtemp``, but the folder is noted for ``sweep`` before it is made."""
    # imported here, because these two modules take some milliseconds and few commands need them
    import secrets
    import tempfile

    root = Path(tempfile.gettempdir()).absolute()
    while True:
        path = root / f"{prefix}{secrets.token_hex(6)}"
        _note(path)
        try:
            path.mkdir(0o700)
        except FileExistsError:
            # another program's folder has this name, so it must not be removed
            _noted.pop(path)
            continue
        except BaseException:
            _remove(path)
            raise
        return path
