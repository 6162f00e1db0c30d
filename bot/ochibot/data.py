"""Finds the data files that ship with Ochibot: ram_maps/, configs/ and the homebrew ROMs.

They lie in ``ochibot/_data`` of an installed wheel, or in the repository's root when the package is used from a
checkout (an editable install).
"""

from __future__ import annotations

import os
import re
import tempfile
from functools import cache
from pathlib import Path

from ochibot.errors import OchibotError

_PACKAGE = Path(__file__).resolve().parent
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


def home_dir() -> Path:
    """The user's home folder, or the folder for temporary files if there is no home (as in some containers)."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(tempfile.gettempdir())


def cache_dir() -> Path:
    """The user's cache folder for Ochibot (``$XDG_CACHE_HOME/ochibot`` or ``~/.cache/ochibot``). It may not exist."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else home_dir() / ".cache") / "ochibot"
