"""Loads the compiled kernels: imports numba on first use, and keeps what is compiled in the user's cache folder.

The folder is named after a digest of the kernels' sources and of the numba version, because numba's own cache does not
notice a change in a file that a kernel's file imports.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.data import cache_dir
from bot.nyaa.grid import Grid
from bot.nyaa.packed import boards_of
from bot.nyaa.rules import Ruleset

_BOT: Final = Path(__file__).resolve().parent.parent
_SOURCES: Final = (
    "puyo/lanes.py",
    "nyaa/grid.py",
    "nyaa/packed.py",
    "nyaa/bits.py",
    "nyaa/kernels.py",
    "nyaa/engine.py",
)

_KERNELS: Final = {
    "resolve_boards": "u8[:,::1], b1, u8[::1], i8[:,::1]",
    "value_boards": "u8[:,::1], b1, u8[::1], i8[:,::1]",
    "repeat_resolve": "u8[:,::1], b1, i8, b1, u8[::1], u8[::1], i8[::1]",
}

_lock = threading.Lock()
_loaded: dict[str, Callable[..., Any]] = {}


class Values(NamedTuple):
    """What ``values`` tells of n boards: arrays of n int64, ``tied`` of bool. See ``bot.nyaa.ignition.Outcome``.

    Ties are settled by the tie rule; where ``tied`` is set there was one. popped: blocks, nuisance not included.
    t is 0 on the PS2, where it doesn't count.
    """

    attack: npt.NDArray[np.int64]
    s0: npt.NDArray[np.int64]
    s1: npt.NDArray[np.int64]
    t: npt.NDArray[np.int64]
    popped: npt.NDArray[np.int64]
    tied: npt.NDArray[np.bool_]


def values(grids: Sequence[Grid], ruleset: Ruleset) -> Values:
    """Ignites many grids with the kernel."""
    from bot.nyaa.kernels import RESULTS, WORK_WORDS

    results = np.zeros((len(grids), RESULTS), np.int64)
    work = np.zeros(WORK_WORDS, np.uint64)
    kernel("value_boards")(boards_of(grids), ruleset is Ruleset.MVS, work, results)
    attack, s0, s1, t, popped, tied = results.T
    return Values(attack, s0, s1, t, popped, tied.astype(np.bool_))


def kernels_dir() -> Path:
    """The folder of this version's compiled kernels; it need not exist."""
    digest = hashlib.sha256(version("numba").encode())
    for source in _SOURCES:
        digest.update((_BOT / source).read_bytes())
    return cache_dir() / f"nyaa-{digest.hexdigest()[:16]}"


def kernel(name: str) -> Callable[..., Any]:
    """A compiled kernel of ``bot.nyaa.kernels``, by its name (see ``_KERNELS``).

    It takes the arguments of the function of that name and checks none of their types. The first call in a process
    loads it; the first on a machine compiles it, saying so on stderr, and keeps it. When the cache folder can't be
    written it is compiled in every process. Thread-safe; kernels release the GIL.
    """
    if name not in _loaded:
        with _lock:
            if name not in _loaded:
                _loaded[name] = _load(name)
    return _loaded[name]


def _load(name: str) -> Callable[..., Any]:
    folder = kernels_dir()
    kept = _writable(folder)
    try:
        return _load_from(name, folder, kept)
    except Exception as error:  # reading a damaged file can raise anything
        if not kept:
            raise
        why = type(error).__name__
        print(
            f"the kernels kept in {folder} can't be used ({why}); compiling without them", file=sys.stderr, flush=True
        )
        shutil.rmtree(folder, ignore_errors=True)
        return _load_from(name, folder, False)


def _load_from(name: str, folder: Path, kept: bool) -> Callable[..., Any]:
    warm = kept and any(folder.glob(f"*/kernels.{name}-*.py{sys.version_info.major}{sys.version_info.minor}.nbi"))
    if not warm:
        where = "once" if kept else f"and can't keep them in {folder}"
        print(f"compiling the ignition kernels, {where} (some seconds)", file=sys.stderr, flush=True)
    started = time.perf_counter()
    import numba
    from numba.core.sigutils import normalize_signature

    from bot.nyaa import kernels
    from bot.puyo.lanes import compiled

    dispatcher = compiled(getattr(kernels, name).py_func)
    if kept:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            dispatcher.enable_caching()
        finally:
            numba.config.CACHE_DIR = before
    arguments, _ = normalize_signature(f"void({_KERNELS[name]})")
    entry: Callable[..., Any] = dispatcher.compile(arguments)
    if not warm:
        print(f"compiled in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return entry


def _writable(folder: Path) -> bool:
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
    except OSError:
        return False
    return True
