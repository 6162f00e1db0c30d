"""Loads compiled kernels: imports numba on first use, and keeps what is compiled in the user's cache folder.

A library's folder is named after a digest of its sources, of where they lie, of the versions of Python and numba and of
the processor: numba's own cache does not notice a change in a file that a kernel's file imports, and does not find what
was compiled for a copy elsewhere. What is kept is checked before it is loaded (``kept``).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from ochibot.data import cache_dir
from ochibot.jit.kept import KeptKernel, State
from ochibot.jit.waiting import elapsed, elapsed_aloud, estimate, remember, say, told_estimate

_SETTINGS: Final = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX", "NUMBA_OPT")
"""Environment variables that change what numba makes."""
_PACKAGE: Final = Path(__file__).resolve().parent.parent
_IMPORT: Final = re.compile(r"^from (ochibot(?:\.\w+)*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


COMPILED: Final[list[str]] = []
"""The kernels that this process has compiled, each as LIBRARY.NAME."""


class Kernel(NamedTuple):
    """A function of a module of ours: the numba types of its arguments, and about how many seconds compiling it
    takes on a machine of 2026. Nobody is told these: they say how kernels compare, so that what one took on this
    machine tells what another will.
    """

    module: str
    arguments: str
    seconds: float


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
        digest = hashlib.sha256(f"{version('numba')} {_PACKAGE} {sys.implementation.cache_tag} {_processor()}".encode())
        for source in self.sources():
            digest.update(source.read_bytes())
        return cache_dir() / f"{self.name}-{digest.hexdigest()[:16]}"

    def kept(self, name: str, variant: Variant | None = None) -> KeptKernel:
        """Where a kernel is kept; nothing need be there."""
        wanted = self.kernels[name]
        module = importlib.util.find_spec(wanted.module)
        assert module is not None
        assert module.origin is not None
        library, inside = self.folder(), variant.folder if variant else ""
        identity = "\n".join((library.name, inside, *wanted[:2], name))
        return KeptKernel(library / inside, f"{wanted.module.rsplit('.', 1)[1]}.{name}", identity, Path(module.origin))

    def load(self, name: str, variant: Variant | None = None) -> Callable[..., Any]:
        """A compiled kernel, which checks none of its arguments' types.

        The first call in a process loads it; the first on a machine compiles it, saying so on stderr, and keeps it.
        What is damaged is compiled anew, and said to be; what can't be kept is compiled in every process. Of several
        processes one compiles, the others wait for it. Thread-safe; kernels release the GIL.
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
        kept = self.kept(name, variant)
        why = ""
        if kept.state() is State.WHOLE:
            try:
                return self._load_from(kept, name, variant)
            except Exception as error:  # files that are as they were written, but that numba can't read
                why = type(error).__name__
        with kept.alone(lambda: elapsed_aloud(f"another process is compiling {self.what}: waiting for it")) as keeps:
            if not keeps:
                return self._compile(None, name, variant, f", and can't keep them in {kept.folder}")
            state = kept.state()
            if state is State.WHOLE and not why:
                return self._load_from(kept, name, variant)  # what the process waited for has compiled
            if state is State.DAMAGED or why:
                told = f" ({why})" if why else ""
                say(f"what is kept of {self.what} in {kept.folder} is damaged and can't be used{told}: compiling anew")
            kept.clear()
            return self._compile(kept, name, variant, ", once")

    def _load_from(self, kept: KeptKernel, name: str, variant: Variant | None) -> Callable[..., Any]:
        dispatcher, arguments = self._dispatcher(name, variant)
        _keep_in(kept.folder, dispatcher)
        _load_alone(dispatcher)
        entry: Callable[..., Any] = dispatcher.compile(arguments)
        if dispatcher.stats.cache_misses:
            kept.seal()  # numba wanted it otherwise than it was kept, and has compiled it
        return entry

    def _compile(self, kept: KeptKernel | None, name: str, variant: Variant | None, how: str) -> Callable[..., Any]:
        """``kept``: where it goes; None: nowhere."""
        label, weight = f"{self.name}.{name}", self.kernels[name].seconds
        about = estimate(label, weight)
        say(f"compiling {self.what}{how}{told_estimate(about)}")
        with elapsed(f"compiling {self.what}", about) as clock:
            dispatcher, arguments = self._dispatcher(name, variant)
            if kept is not None and not _keep_in(kept.folder, dispatcher):
                say(f"can't keep it in {kept.folder}")
                dispatcher, arguments = self._dispatcher(name, variant)
                kept = None
            entry = _entry(dispatcher, arguments, kept)
        say(f"compiled in {clock.seconds:.1f} s")
        COMPILED.append(label)
        remember(label, clock.seconds, weight)
        return entry

    def _dispatcher(self, name: str, variant: Variant | None) -> tuple[Any, tuple[Any, ...]]:
        """What numba compiles, and the types of its arguments."""
        from numba.core.sigutils import normalize_signature

        from ochibot.jit.lanes import entry

        wanted = self.kernels[name]
        source = getattr(importlib.import_module(wanted.module), name)
        arguments, _ = normalize_signature(f"void({wanted.arguments})")
        # one for each variant, so that each has a folder of its own
        return entry(source.py_func), (variant.type(), *arguments) if variant else arguments


def _load_alone(dispatcher: Any) -> None:
    """Lets a function load what is kept without numba declaring all that it could compile, a quarter of a second.

    numba does so before it looks into its cache, and again before it compiles: the second time is enough. Where its
    cache has another make, nothing is changed.
    """
    cache: Any = getattr(dispatcher, "_cache", None)
    plain = getattr(cache, "_load_overload", None)
    if callable(plain):
        cache.load_overload = plain


def _entry(dispatcher: Any, arguments: tuple[Any, ...], kept: KeptKernel | None) -> Callable[..., Any]:
    """Compiled, and kept if it can be."""
    try:
        entry: Callable[..., Any] = dispatcher.compile(arguments)
        if kept is not None:
            kept.seal()
    except OSError as error:
        if kept is None or not dispatcher.signatures:
            raise
        # a full disk: it is compiled, and only keeping it has failed
        kept.clear()
        say(f"can't keep what was compiled in {kept.folder}: {error.strerror or error}")
        entry = dispatcher.compile(arguments)
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


def _processor() -> str:
    """The processor that is compiled for, with what numba's settings change of it."""
    from llvmlite import binding

    settings = [f"{name}={os.environ[name]}" for name in _SETTINGS if name in os.environ]
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return " ".join((binding.get_default_triple(), binding.get_host_cpu_name(), features, *settings))


def _keep_in(folder: Path, dispatcher: Any) -> bool:
    """Lets numba keep what it compiles for a function in our folder, and in no other; that of other users of numba
    stays theirs. Whether it can.
    """
    import numba

    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # it has found no place at all
        return False
    finally:
        numba.config.CACHE_DIR = before
    # where our folder can't be written it would take one beside the source, which nobody checks
    return Path(dispatcher.stats.cache_path).is_relative_to(folder)
