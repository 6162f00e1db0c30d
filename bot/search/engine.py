"""Loads the compiled kernels: imports numba on first use, and keeps what is compiled in the user's cache folder.

The folder is named after a digest of the kernels' sources and of the numba version, because numba's own cache does
not notice a change in a file that a kernel's file imports. A processor of another kind compiles anew. Every geometry
(``bot.puyo.rules``) has machine code of its own.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.data import cache_dir
from bot.puyo.field import BOARD_WORDS
from bot.puyo.rules import FAMICOM, Geometry, Rules

_BOT: Final = Path(__file__).resolve().parent.parent
_SOURCES: Final = (
    "puyo/field.py",
    "puyo/pair.py",
    "puyo/rules.py",
    "puyo/dealer.py",
    "puyo/special.py",
    "puyo/lanes.py",
    "puyo/bits.py",
    "puyo/codes.py",
    "puyo/kernels.py",
    "search/engine.py",
    "search/locks.py",
    "search/twoply.py",
    "search/metrics.py",
    "search/measure.py",
    "search/reach.py",
    "search/items.py",
    "search/kernels.py",
    "search/selfplay.py",
)

PEXT_VARIABLE: Final = "OCHIBOT_PEXT"
"""Environment variable: 0 keeps the kernels from using the instructions pext and pdep."""


class _Kernel(NamedTuple):
    module: str
    arguments: str
    seconds: int  # about what compiling it takes on a machine of 2026


_KERNELS: Final = {
    "two_ply": _Kernel("bot.search.kernels", "u8[::1], i8[::1], f8[::1], i8[::1], u8[::1], i8[::1], u8[::1]", 10),
    "self_play": _Kernel(
        "bot.search.selfplay", "u8[::1], u8[::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], u8[::1]", 10
    ),
    "measure_boards": _Kernel("bot.search.kernels", "u8[:,::1], i8[:,::1]", 2),
    "lock_boards": _Kernel("bot.search.kernels", "u8[:,::1], i8[::1], b1, u8[:,::1]", 2),
    "repeat_resolve": _Kernel("bot.puyo.kernels", "u8[::1], i8[::1], i8, u8[::1], i8[::1]", 2),
    "resolve_boards": _Kernel("bot.puyo.kernels", "u8[:,::1], i8[::1], i8[:,::1]", 2),
}

SPOT_WORDS: Final = 16
"""Words for the positions of a flood (``bot.search.reach``)."""
MEMORY: Final = 32
"""Fields after the current piece that a search remembers, to see that another lock leads to the same."""
CODE_WORDS: Final = 6
"""Words that tell a field (``bot.puyo.codes``)."""
WORK_WORDS: Final = 2 * BOARD_WORDS + SPOT_WORDS + (CODE_WORDS + 1) * MEMORY
"""Words of scratch memory that a search needs (``bot.search.kernels.search``)."""

_lock = threading.Lock()
_loaded: dict[tuple[str, Geometry], Callable[..., Any]] = {}


def kernels_dir() -> Path:
    """The folder of this version's compiled kernels; it need not exist."""
    digest = hashlib.sha256(version("numba").encode())
    for source in _SOURCES:
        digest.update((_BOT / source).read_bytes())
    return cache_dir() / f"kernels-{digest.hexdigest()[:16]}"


@cache
def _processor_has_pext() -> bool:
    """Whether pext and pdep are there and fast: they are microcode on AMD's first two Zen generations."""
    from llvmlite import binding

    if {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"} & os.environ.keys():
        return False  # code is made for another processor, which may lack them
    try:
        features = binding.get_host_cpu_features()
    except RuntimeError:
        return False
    return bool(features.get("bmi2")) and binding.get_host_cpu_name() not in ("znver1", "znver2", "bdver4")


def uses_pext() -> bool:
    """Whether kernels loaded from now on use pext and pdep; the results are the same."""
    return os.environ.get(PEXT_VARIABLE, "1") != "0" and _processor_has_pext()


def kernel(name: str, rules: Rules = FAMICOM) -> Callable[..., Any]:
    """A compiled kernel, by its name: ``two_ply``, ``self_play``, or another of ``_KERNELS``.

    It takes the arguments of the function of that name after the geometry, and checks none of their types. The first
    call in a process loads it; the first on a machine compiles it, saying so on stderr, and keeps it. When the cache
    folder can't be written it is compiled in every process. Thread-safe; kernels release the GIL.
    """
    wanted = name, rules.geometry(uses_pext())
    if wanted not in _loaded:
        with _lock:
            if wanted not in _loaded:
                _loaded[wanted] = _load(*wanted)
    return _loaded[wanted]


def _load(name: str, geometry: Geometry) -> Callable[..., Any]:
    """The kernel from the cache, or compiled; a cache that is damaged or full is done without, and said to be."""
    folder = kernels_dir() / "-".join(str(int(number)) for number in geometry)
    kept = _writable(folder)
    try:
        return _load_from(name, geometry, folder, kept)
    except Exception as error:  # reading a damaged file can raise anything
        if not kept:
            raise
        print(
            f"the kernels kept in {folder} can't be used ({type(error).__name__}); compiling without them",
            file=sys.stderr,
            flush=True,
        )
        shutil.rmtree(folder, ignore_errors=True)
        return _load_from(name, geometry, folder, False)


def _load_from(name: str, geometry: Geometry, folder: Path, kept: bool) -> Callable[..., Any]:
    wanted = _KERNELS[name]
    file = wanted.module.rsplit(".", 1)[1]
    warm = kept and any(folder.glob(f"*/{file}.{name}-*.py{sys.version_info.major}{sys.version_info.minor}.nbi"))
    if not warm:
        where = "once" if kept else f"and can't keep them in {folder}"
        print(f"compiling the search kernels, {where} (about {wanted.seconds} s)", file=sys.stderr, flush=True)
    started = time.perf_counter()
    from numba.core.sigutils import normalize_signature

    from bot.puyo.lanes import compiled
    from bot.puyo.special import GeometryType, Special

    source = getattr(importlib.import_module(wanted.module), name)
    dispatcher = compiled(source.py_func)  # one for each geometry, so that each has a folder of its own
    if kept:
        _keep_in(folder, dispatcher)
    arguments, _ = normalize_signature(f"void({wanted.arguments})")
    entry = dispatcher.compile((GeometryType(geometry), *arguments))
    if not warm:
        print(f"compiled in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return partial(entry, Special(geometry))


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


def prepare(rules: Rules = FAMICOM) -> None:
    """Loads (or compiles) what the two-ply player needs, so that its first decision is quick."""
    kernel("two_ply", rules)
