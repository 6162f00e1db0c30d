"""Finds the data files that ship with Ochibot: ram_maps/, configs/ and the homebrew ROMs.

They lie in ``ochibot/_data`` of an installed wheel, or in the repository's root when the package is used from a
checkout (an editable install).
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from functools import cache
from pathlib import Path

from ochibot.errors import OchibotError

_PACKAGE = Path(__file__).resolve().parent
_PART = 1 << 24
_WORD = re.compile(r"[\w-]{1,64}")


@cache
def data_root() -> Path:
    """The folder that holds ``ram_maps``, ``configs`` and ``roms``.

    Raises OchibotError when neither folder has them (the installation is broken).
    """
    for root in (_PACKAGE / "_data", _PACKAGE.parent.parent):
        if (root / "ram_maps").is_dir() and (root / "configs").is_dir():
            return root
    raise OchibotError(f"the data files of ochibot are missing from {_PACKAGE / '_data'}: install the package again")


def is_file(path: Path) -> bool:
    """Whether there is such a file. Unlike ``Path.is_file`` before Python 3.12, it never raises PermissionError."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether there is such a folder. Like ``is_file``, this never raises PermissionError."""
    return os.path.isdir(path)  # noqa: PTH112


def read_file(path: Path, most: int) -> bytes:
    """The first ``most`` bytes of a file.

    Raises OSError, also for a pipe, a device or the kernel's log, which might be read for ever.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        data = bytearray()
        while len(data) < most and (part := os.read(descriptor, min(most - len(data), _PART))):
            data += part
        return bytes(data)
    except BlockingIOError:
        raise OSError(errno.EINVAL, "it is not a file") from None
    finally:
        os.close(descriptor)


def read_typed(path: Path, most: int) -> bytes:
    """Like ``read_file``, but a pipe is read to its end: shells make one of ``<(command)``. Raises OSError."""
    if is_file(path):
        return read_file(path, most)
    with path.open("rb") as stream:
        return stream.read(most)


def data_path(relative: str) -> Path:
    """The path of a shipped file or folder, e.g. ``configs/players/article.yaml``.

    Raises OchibotError when there is no such file.
    """
    path = data_root() / relative
    if not (is_file(path) or is_folder(path)):
        raise OchibotError(f"the shipped file {relative} is missing: install the package again")
    return path


def shipped_file(folder: str, name: str) -> Path | None:
    """The shipped YAML file of a plain name, such as ``famicom`` in ``configs/rules``; None when there is none.

    Names of maps have one slash (``famicom_puyo/player1``). No name leads to another folder.
    """
    parts = name.split("/")
    if len(parts) > 2 or not all(map(_WORD.fullmatch, parts)):
        return None
    path = data_root() / folder / f"{name}.yaml"
    return path if is_file(path) else None


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a path leads into a folder or below it, links followed, or to a shipped file."""
    try:
        real, own = path.resolve(), folder.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return False
    shipped = (data_root() / part for part in ("ram_maps", "configs", "roms"))
    return any(real.is_relative_to(each) for each in (own, *shipped))


def is_own(path: Path) -> bool:
    """Whether a file or folder belongs to this user or the administrator. Raises OSError.

    Without a home folder, the cache lies in the folder for temporary files, where others may have put files before.
    """
    user = getattr(os, "geteuid", None)
    return user is None or path.stat().st_uid in (user(), 0)


def home_dir() -> Path:
    """The user's home folder, or the folder for temporary files if there is no home (as in some containers)."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(tempfile.gettempdir())


def cache_dir() -> Path:
    """The user's cache folder for Ochibot (``$XDG_CACHE_HOME/ochibot`` or ``~/.cache/ochibot``). It may not exist.

    It has machine code in it, so ``is_own`` must be asked before anything from it is run.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else home_dir() / ".cache") / "ochibot"
