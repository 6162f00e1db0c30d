"""Finds libretro cores.

A core is found by its short name, such as ``nestopia``, in these places, in this order: the folders of
``OCHIBOT_CORES``, the folders of RetroArch's downloads, the package stable-retro, which the extra ``cores`` installs
(it is never imported), and the folders of Linux distributions, whose packages may be years old (Debian 12's Gambatte
doesn't show all memory). Or the user gives a file: a path has a slash or ends in .so, .dylib or .dll. Loading a core
runs its code, so a path may come from the command line or from Python only; what a game file or a record says is a name
(``named_core``).
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ochibot.console.systems import find_system
from ochibot.data import home_dir, is_file, is_folder
from ochibot.errors import ConsoleError
from ochibot.quoting import brief
from ochibot.wording import counted


@dataclass(frozen=True)
class FoundCore:
    """A core file: its short name, its path, and where it was found (``OCHIBOT_CORES``, ``RetroArch``, ``wheel``,
    ``system``).
    """

    name: str
    path: Path
    origin: str


def library_suffix() -> str:
    """The file ending of shared libraries on this system: ``.so``, ``.dylib`` or ``.dll``."""
    return {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


_LIB = Path("/usr/lib")


def retroarch_homes() -> Iterator[Path]:
    """The folders in which RetroArch may keep what it downloads and its settings, on this system."""
    home = home_dir()
    if sys.platform == "darwin":
        yield home / "Library/Application Support/RetroArch"
        return
    if sys.platform == "win32":
        yield Path(os.environ.get("APPDATA", str(home))) / "RetroArch"
        return
    yield Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "retroarch"
    yield home / ".var/app/org.libretro.RetroArch/config/retroarch"


def _packaged() -> Iterator[Path]:
    """Where the packages of a Linux distribution keep cores."""
    if sys.platform in ("darwin", "win32"):
        return
    # Debian has a folder for each architecture, such as /usr/lib/aarch64-linux-gnu; this machine's comes first
    own = sysconfig.get_config_var("MULTIARCH")
    each = sorted(_LIB.glob("*-linux-*"), key=lambda path: (path.name != own, path.name))
    for lib in (_LIB, *each, Path("/usr/lib64"), Path("/usr/local/lib")):
        yield lib / "libretro"


def _wheel_folder() -> Path | None:
    spec = importlib.util.find_spec("stable_retro")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / "cores"


def core_folders() -> list[tuple[str, Path]]:
    """The folders to search, in order, as (origin, folder). Folders that don't exist are left out."""
    folders = [("OCHIBOT_CORES", Path(part)) for part in os.environ.get("OCHIBOT_CORES", "").split(os.pathsep) if part]
    folders += [("RetroArch", home / "cores") for home in retroarch_homes()]
    wheel = _wheel_folder()
    if wheel is not None:
        folders.append(("wheel", wheel))
    folders += [("system", path) for path in _packaged()]
    return [(origin, path) for origin, path in folders if is_folder(path)]


def find_cores(name: str) -> list[FoundCore]:
    """All files found of the core with the short name ``name``, in the order of ``core_folders``."""
    file = f"{name}_libretro{library_suffix()}"
    return [FoundCore(name, path / file, origin) for origin, path in core_folders() if is_file(path / file)]


_LIBRARIES = (".so", ".dylib", ".dll")
_NAME = re.compile(r"\w[\w.+-]{0,63}")


def is_core_path(wanted: str) -> bool:
    """Whether a word that stands for a core is the path of a file: it has a slash or a library's ending."""
    return "/" in wanted or os.sep in wanted or wanted.lower().endswith(_LIBRARIES)


def is_core_name(wanted: str) -> bool:
    """Whether a word can be the short name of a core. Such a name never leads out of the core folders."""
    return _NAME.fullmatch(wanted) is not None and not is_core_path(wanted)


def find_core(system: str, wanted: str | Path | None = None) -> Path:
    """The core file to use for a system. ``system``: its name in ``ochibot.console.systems``.

    ``wanted``: a path or a short name. Without it, the first of the system's known cores that is found.
    Raises ConsoleError, which says what to do.
    """
    if wanted is None:
        return named_core(system)
    word = os.fspath(wanted)
    if not is_core_path(word):
        return named_core(system, word)
    if not is_file(Path(word)):
        raise ConsoleError(f"no such core: {word}; give the path of a libretro core file")
    return Path(word)


def named_core(system: str, name: str | None = None) -> Path:
    """Like ``find_core`` for a word from somebody's file: it is a name, and is looked up in the core folders alone."""
    names = (name,) if name is not None else find_system(system).cores
    if not names:
        raise ConsoleError(f"no core is known for {find_system(system).title}: give one with --core")
    for one in names:
        found = find_cores(one) if is_core_name(one) else []
        if found:
            return found[0].path
    # the message only counts the folders, because their paths may be long
    count = len(core_folders())
    raise ConsoleError(
        f"no core found for {brief(' or '.join(names))} in {counted(count, 'folder')} (`ochibot doctor` lists them); "
        "pip install 'ochibot[cores]' (x86-64 Linux), install the core in RetroArch or from Debian, set OCHIBOT_CORES "
        "to a folder of cores, or give a file: --core ./core.so"
    )
