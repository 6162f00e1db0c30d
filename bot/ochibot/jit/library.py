"""Loads compiled kernels, imports numba only to compile, and keeps what is compiled in the user's cache folder.

A library's folder is named after a digest of its sources, the versions of Python and numba, and the processor, so that
copies of the package with equal sources share it. numba's own cache isn't used: it doesn't notice a change in a file
that a kernel's file imports, and reading it takes numba. Kept files are checked before they are loaded (``kept``), and
run without numba (``native``).

Which processor kernels are made for: this one, or another one if numba's environment variables name it.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ochibot.data import cache_dir
from ochibot.errors import UsageError
from ochibot.jit.kept import FOLDER, KeptKernel, State, find_shipped, machine_code, numba_version
from ochibot.jit.native import MachineCode, callable_of, code_of
from ochibot.jit.waiting import elapsed, elapsed_aloud, estimate, remember, say, shown_estimate

_NAMED: Final = ("avx512f", "avx512bw", "avx2", "avx", "sse4.2", "bmi2", "popcnt", "neon", "sve")
"""The features that kernels profit from, and that reports name."""


def host_features() -> frozenset[str]:
    """The features of this processor, as LLVM names them; none if LLVM can't tell."""
    from llvmlite import binding

    try:
        return frozenset(name for name, has in binding.get_host_cpu_features().items() if has)
    except RuntimeError:
        return frozenset()


def target_features() -> frozenset[str]:
    """The features that kernels may use.

    ``NUMBA_CPU_FEATURES`` (+avx2,-bmi2) replaces this processor's features. ``NUMBA_CPU_NAME`` alone leaves them as
    they are, so such kernels still use AVX-512 if this processor has it.
    """
    given = os.environ.get("NUMBA_CPU_FEATURES")
    if given is None:
        return host_features()
    return frozenset(one[1:] for one in given.split(",") if one.startswith("+"))


def named_features() -> tuple[str, ...]:
    """Those of ``target_features`` that reports name."""
    found = target_features()
    return tuple(name for name in _NAMED if name in found)


_SETTINGS: Final = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX", "NUMBA_OPT")
"""Environment variables that change what numba makes."""
_PACKAGE: Final = Path(__file__).resolve().parent.parent
_IMPORT: Final = re.compile(r"^from (ochibot(?:\.\w+)*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


COMPILED: Final[list[str]] = []
"""The kernels that this process has compiled, each as LIBRARY.NAME."""


class Kernel(NamedTuple):
    """A function of one of our modules, to be compiled.

    arguments: their numba types. seconds: roughly how long compiling it takes on a machine of 2026. These seconds are
    never shown. Only their ratios matter: the time of one kernel on this machine predicts the time of another.
    """

    module: str
    arguments: str
    seconds: float


class Variant(NamedTuple):
    """A kernel made for one value of its first argument: the folder of its code, and that argument's numba type."""

    folder: str
    type: Callable[[], Any]


class KernelLibrary:
    """Kernels that share a cache folder. name: how the folder's name begins. what: what messages call the kernels."""

    def __init__(self, name: str, what: str, kernels: Mapping[str, Kernel]) -> None:
        self.name = name
        self.what = what
        self.kernels = kernels
        self._lock = threading.Lock()
        self._loaded: dict[tuple[str, str], Callable[..., Any]] = {}
        self._digest: str | None = None

    def kernel_sources(self) -> list[Path]:
        """The kernels' modules, and all our modules that these import."""
        return imported_files(kernel.module for kernel in self.kernels.values())

    def sources(self) -> list[Path]:
        """The files that a kept kernel depends on: those of the kernels, and those that keep and load them."""
        return sorted({*self.kernel_sources(), *imported_files(("ochibot.jit.library",))})

    def folder(self) -> Path:
        """The folder of this version's compiled kernels; it need not exist."""
        if self._digest is None:
            self._digest = digest_of(self.sources())
        what = f"{numba_version()} {sys.implementation.cache_tag} {_processor()} {self._digest}"
        return cache_dir() / f"{self.name}-{hashlib.sha256(what.encode()).hexdigest()[:16]}"

    def shipped_file(self, name: str, variant: Variant | None = None) -> Path:
        """The file in which LLVM's code of a kernel is shipped, if it is."""
        return FOLDER / ("_".join((self.name, name, *((variant.folder,) if variant else ()))) + ".bc")

    def kept(self, name: str, variant: Variant | None = None) -> KeptKernel:
        """The file of a kernel, which need not exist."""
        wanted = self.kernels[name]
        library, inside = self.folder(), variant.folder if variant else ""
        identity = "\n".join((library.name, inside, *wanted[:2], name))
        return KeptKernel(library / inside, f"{wanted.module.rsplit('.', 1)[1]}.{name}", identity)

    def load(self, name: str, variant: Variant | None = None) -> Callable[..., Any]:
        """A compiled kernel. It checks none of its arguments' types.

        The first call in a process loads the kernel. The first call on a machine compiles it, says so on stderr, and
        keeps it. A damaged file is reported and compiled anew. A kernel that can't be kept is compiled in every
        process. When several processes need it, one compiles and the others wait. Thread-safe; kernels release the GIL.
        """
        key = name, variant.folder if variant else ""
        if key not in self._loaded:
            with self._lock:
                if key not in self._loaded:
                    self._loaded[key] = self._load(name, variant)
        return self._loaded[key]

    def forget(self) -> None:
        """Drops all loaded kernels, so that the next use loads them again as in a new process."""
        self._loaded.clear()
        self._digest = None

    def _load(self, name: str, variant: Variant | None) -> Callable[..., Any]:
        kept = self.kept(name, variant)
        state, code = kept.read()
        why = ""
        if code is not None:
            try:
                return callable_of(code, name)
            except (OSError, RuntimeError, ValueError) as error:
                # another build of the same version of numba
                why = f" ({error})"
        with kept.alone(lambda: elapsed_aloud(f"another process is compiling {self.what}: waiting for it")) as keeps:
            if not keeps:
                return self._compile(None, name, variant, f", and can't keep them in {kept.folder}")
            state, code = kept.read()
            if code is not None and not why:
                return callable_of(code, name)  # another process has compiled it while this one waited
            if state is not State.NOTHING:
                say(f"what is kept of {self.what} in {kept.folder} is damaged and can't be used{why}: compiling anew")
            kept.clear()
            return self._compile(kept, name, variant, ", once")

    def _compile(self, kept: KeptKernel | None, name: str, variant: Variant | None, how: str) -> Callable[..., Any]:
        """Compiles a kernel and reports it on stderr. ``kept``: where it is kept (None: nowhere)."""
        label, weight = f"{self.name}.{name}", self.kernels[name].seconds
        about = estimate(label, weight)
        say(f"compiling {self.what}{how}{shown_estimate(about)}")
        with elapsed(f"compiling {self.what}", about) as clock:
            entry = self._shipped(kept, name, variant)
            shipped = entry is not None
            if entry is None:
                dispatcher, arguments = self._dispatcher(name, variant)
                entry = dispatcher.compile(arguments)
                if kept is not None:
                    entry = _kept_entry(kept, lambda: code_of(dispatcher), name) or entry
        say(f"compiled in {clock.seconds:.1f} s")
        COMPILED.append(label)
        if not shipped:
            remember(label, clock.seconds, weight)
        return entry

    def _shipped(self, kept: KeptKernel | None, name: str, variant: Variant | None) -> Callable[..., Any] | None:
        """Makes a kernel of its shipped code, if that fits."""
        if any(setting in os.environ for setting in _SETTINGS):
            return None
        file = self.shipped_file(name, variant)
        shipped = find_shipped(file, digest_of(self.kernel_sources())) if file.is_file() else None
        if shipped is None:
            return None
        try:
            code = machine_code(shipped)
        except RuntimeError:
            return None  # another version of LLVM
        return _kept_entry(kept, lambda: code, name)

    def _dispatcher(self, name: str, variant: Variant | None) -> tuple[Any, tuple[Any, ...]]:
        """The function for numba to compile, and the types of its arguments."""
        from numba.core.sigutils import normalize_signature

        from ochibot.jit.lanes import entry

        wanted = self.kernels[name]
        source = getattr(importlib.import_module(wanted.module), name)
        arguments, _ = normalize_signature(f"void({wanted.arguments})")
        return entry(source.py_func), (variant.type(), *arguments) if variant else arguments


def _kept_entry(kept: KeptKernel | None, code: Callable[[], MachineCode], name: str) -> Callable[..., Any] | None:
    """Keeps machine code, and returns it as a function; None, aloud, if it can't be run without numba."""
    entry = None
    try:
        made = code()
        # what is kept is run at once, so that no file is kept that can't be
        entry = callable_of(made, name)
        if kept is not None:
            kept.write(made)
    except (OSError, RuntimeError, ValueError) as error:
        if kept is not None:
            # the disk may be full
            said = error.strerror if isinstance(error, OSError) else None
            say(f"can't keep what was compiled in {kept.folder}: {said or error}")
    return entry


def digest_of(files: Iterable[Path]) -> str:
    """The SHA-256 of the contents of files, in their order."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def imported_files(modules: Iterable[str]) -> list[Path]:
    """The files of these modules, and of all our modules that they import at their top level, sorted."""
    files: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in files:
            continue
        plain = _file(module)
        files[module] = file = plain if plain.is_file() else plain.with_suffix("") / "__init__.py"
        for room, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
            waiting.append(room)
            # a name that isn't lower-case is a class or a constant
            inside = [f"{room}.{name}" for name in re.findall(r"\w+", names) if name.islower()]
            waiting += [name for name in inside if name not in files and _file(name).is_file()]
    return sorted(files.values())


def _file(module: str) -> Path:
    return _PACKAGE.parent / f"{module.replace('.', '/')}.py"


def _processor() -> str:
    """The target processor, including what numba's settings change about it."""
    from llvmlite import binding

    settings = [f"{name}={os.environ[name]}" for name in _SETTINGS if name in os.environ]
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return " ".join((binding.get_default_triple(), binding.get_host_cpu_name(), features, *settings))


def need_gpu() -> None:
    """Raises UsageError when numba can't use a GPU."""
    from numba import cuda

    if not cuda.is_available():
        raise UsageError(
            "--device cuda needs an NVIDIA GPU and its driver, and there is none here; "
            "leave it out, or on a machine with one: pip install 'ochibot[cuda]'"
        )
