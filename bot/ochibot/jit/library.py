"""Loads compiled kernels: imports numba on first use, and keeps what is compiled in the user's cache folder.

A library's folder is named after a digest of its sources, of where they lie and of the numba version: numba's own cache
does not notice a change in a file that a kernel's file imports, and does not find what was compiled for a copy
elsewhere. A processor of another kind compiles anew.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from ochibot.data import cache_dir

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_IMPORT: Final = re.compile(r"^from (ochibot(?:\.\w+)*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


class Kernel(NamedTuple):
    """A function of a module of ours: the numba types of its arguments, and about how many seconds compiling it
    takes on a machine of 2026.
    """

    module: str
    arguments: str
    seconds: int


class Variant(NamedTuple):
    """A kernel made for one value of its first argument: the folder of its code, and that argument's numba type."""

    folder: str
    type: Callable[[], Any]


class KernelLibrary:
    """Kernels of one room. name: of the cache folder. what: for the message while they are compiled."""

    def __init__(self, name: str, what: str, kernels: Mapping[str, Kernel]) -> None:
        self.name = name
        self.what = what
        self.kernels = kernels
        self._lock = threading.Lock()
        self._loaded: dict[tuple[str, str], Callable[..., Any]] = {}

    def sources(self) -> list[Path]:
        """The files that the machine code depends on: the kernels' modules and all of ours that these import."""
        return imported_files(("ochibot.jit.library", *(kernel.module for kernel in self.kernels.values())))

    def folder(self) -> Path:
        """The folder of this version's compiled kernels; it need not exist."""
        digest = hashlib.sha256(f"{version('numba')} {_PACKAGE}".encode())
        for source in self.sources():
            digest.update(source.read_bytes())
        return cache_dir() / f"{self.name}-{digest.hexdigest()[:16]}"

    def load(self, name: str, variant: Variant | None = None) -> Callable[..., Any]:
        """A compiled kernel, which checks none of its arguments' types.

        The first call in a process loads it; the first on a machine compiles it, saying so on stderr, and keeps it.
        When the cache folder can't be written it is compiled in every process; a cache that is damaged or full is done
        without, and said to be. Thread-safe; kernels release the GIL.
        """
        key = name, variant.folder if variant else ""
        if key not in self._loaded:
            with self._lock:
                if key not in self._loaded:
                    self._loaded[key] = self._load(name, variant)
        return self._loaded[key]

    def forget(self) -> None:
        """Drop what is loaded, as a new process would."""
        self._loaded.clear()

    def _load(self, name: str, variant: Variant | None) -> Callable[..., Any]:
        folder = self.folder() / (variant.folder if variant else "")
        kept = _writable(folder)
        try:
            return self._load_from(name, variant, folder, kept)
        except Exception as error:  # reading a damaged file can raise anything
            if not kept:
                raise
            why = type(error).__name__
            _say(f"the kernels kept in {folder} can't be used ({why}); compiling without them")
            shutil.rmtree(folder, ignore_errors=True)
            return self._load_from(name, variant, folder, False)

    def _load_from(self, name: str, variant: Variant | None, folder: Path, kept: bool) -> Callable[..., Any]:
        wanted = self.kernels[name]
        file = wanted.module.rsplit(".", 1)[1]
        warm = kept and any(folder.glob(f"*/{file}.{name}-*.py{sys.version_info.major}{sys.version_info.minor}.nbi"))
        if not warm:
            where = "once" if kept else f"and can't keep them in {folder}"
            _say(f"compiling {self.what}, {where} (about {wanted.seconds} s)")
        started = time.perf_counter()
        from numba.core.sigutils import normalize_signature

        from ochibot.jit.lanes import compiled

        source = getattr(importlib.import_module(wanted.module), name)
        dispatcher = compiled(source.py_func)  # one for each variant, so that each has a folder of its own
        if kept:
            _keep_in(folder, dispatcher)
        arguments, _ = normalize_signature(f"void({wanted.arguments})")
        entry: Callable[..., Any] = dispatcher.compile((variant.type(), *arguments) if variant else arguments)
        if not warm:
            _say(f"compiled in {time.perf_counter() - started:.1f} s")
        return entry


def imported_files(modules: Iterable[str]) -> list[Path]:
    """The files of these modules of ours and of all that they import at their top level, sorted."""
    files: set[Path] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        path = _PACKAGE.parent.joinpath(*module.split("."))
        file = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
        if file in files:
            continue
        files.add(file)
        for room, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
            waiting.append(room)
            inside = _PACKAGE.parent.joinpath(*room.split("."))
            waiting += [f"{room}.{name}" for name in re.findall(r"\w+", names) if (inside / f"{name}.py").is_file()]
    return sorted(files)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _keep_in(folder: Path, dispatcher: Any) -> None:
    """Lets numba keep what it compiles for a function in our folder; that of other users of numba stays theirs."""
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        dispatcher.enable_caching()
    finally:
        numba.config.CACHE_DIR = before


def _writable(folder: Path) -> bool:
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
    except OSError:
        return False
    return True
