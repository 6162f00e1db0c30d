"""Loads the compiled search of Pochi & Nyaa: imports numba on first use, keeps what is compiled in the cache folder.

As in ``bot.search.engine`` the folder is named after a digest of the kernels' sources and of the numba version.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from bot.data import cache_dir
from bot.search.engine import _keep_in, _writable

OVER_NOW: Final = -2e9
"""The value of losing with the current pair; of losing with the next one, OVER_NEXT."""
OVER_NEXT: Final = -1e9

_BOT: Final = Path(__file__).resolve().parents[2]
_SOURCES: Final = (
    "puyo/lanes.py",
    "puyo/pair.py",
    "nyaa/grid.py",
    "nyaa/packed.py",
    "nyaa/bits.py",
    "nyaa/kernels.py",
    "nyaa/rules.py",
    "nyaa/pair.py",
    "nyaa/motion.py",
    "search/nyaa/engine.py",
    "search/nyaa/locks.py",
    "search/nyaa/metrics.py",
    "search/nyaa/measure.py",
    "search/nyaa/reach.py",
    "search/nyaa/kernels.py",
)
_ARGUMENTS: Final = "u8[::1], u8[::1], i8[::1], f8[::1], i8[::1], u8[::1], u8[::1], i8[::1]"
_SECONDS: Final = 12
"""About what compiling takes on a machine of 2026."""

_lock = threading.Lock()
_loaded: list[Callable[..., Any]] = []


def kernels_dir() -> Path:
    """The folder of this version's compiled kernels; it need not exist."""
    digest = hashlib.sha256(version("numba").encode())
    for source in _SOURCES:
        digest.update((_BOT / source).read_bytes())
    return cache_dir() / f"nyaa-search-{digest.hexdigest()[:16]}"


def search_kernel() -> Callable[..., Any]:
    """``bot.search.nyaa.kernels.two_ply``, compiled; it checks no types.

    The first call in a process loads it; the first on a machine compiles it, saying so on stderr, and keeps it. When
    the cache folder can't be written it is compiled in every process. Thread-safe; the kernel releases the GIL.
    """
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(_load())
    return _loaded[0]


def prepare() -> None:
    """Loads (or compiles) what the player needs, so that its first decision is quick."""
    search_kernel()


def _load() -> Callable[..., Any]:
    folder = kernels_dir()
    kept = _writable(folder)
    try:
        return _load_from(folder, kept)
    except Exception as error:  # reading a damaged file can raise anything
        if not kept:
            raise
        why = type(error).__name__
        print(
            f"the kernels kept in {folder} can't be used ({why}); compiling without them", file=sys.stderr, flush=True
        )
        shutil.rmtree(folder, ignore_errors=True)
        return _load_from(folder, False)


def _load_from(folder: Path, kept: bool) -> Callable[..., Any]:
    warm = kept and any(folder.glob(f"*/kernels.two_ply-*.py{sys.version_info.major}{sys.version_info.minor}.nbi"))
    if not warm:
        where = "once" if kept else f"and can't keep it in {folder}"
        print(f"compiling the search of Pochi & Nyaa, {where} (about {_SECONDS} s)", file=sys.stderr, flush=True)
    started = time.perf_counter()
    from numba.core.sigutils import normalize_signature

    from bot.puyo.lanes import compiled
    from bot.search.nyaa.kernels import two_ply

    dispatcher = compiled(two_ply.py_func)
    if kept:
        _keep_in(folder, dispatcher)
    arguments, _ = normalize_signature(f"void({_ARGUMENTS})")
    entry: Callable[..., Any] = dispatcher.compile(arguments)
    if not warm:
        print(f"compiled in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return entry
