"""The compiled search of Puyo Puyo: which kernels there are, and machine code of its own for every geometry
(``ochibot.puyo.rules.profile``).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.jit.library import Kernel, KernelLibrary, Variant
from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.rules.profile import FAMICOM, Geometry, Rules

PEXT_VARIABLE: Final = "OCHIBOT_PEXT"
"""Environment variable: 0 keeps the kernels from using the instructions pext and pdep."""


_KERNELS: Final = {
    "two_ply": Kernel(
        "ochibot.puyo.search.kernels", "u8[::1], i8[::1], f8[::1], i8[::1], u8[::1], i8[::1], u8[::1]", 15
    ),
    "self_play": Kernel(
        "ochibot.puyo.sim.selfplay", "u8[::1], u8[::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], u8[::1]", 15
    ),
    "measure_boards": Kernel("ochibot.puyo.search.kernels", "u8[:,::1], i8[:,::1]", 2),
    "lock_boards": Kernel("ochibot.puyo.search.kernels", "u8[:,::1], i8[::1], b1, u8[:,::1]", 2),
    "repeat_resolve": Kernel("ochibot.puyo.kernels.resolve", "u8[::1], i8[::1], i8, u8[::1], i8[::1]", 2),
    "resolve_boards": Kernel("ochibot.puyo.kernels.resolve", "u8[:,::1], i8[::1], i8[:,::1]", 2),
}

OVER_NOW: Final = -2e9
"""The value of ending the game with the current piece; of ending it with the next one, OVER_NEXT."""
OVER_NEXT: Final = -1e9

SPOT_WORDS: Final = 16
"""Words for the positions of a flood (``ochibot.puyo.search.reach``)."""
MEMORY: Final = 32
"""Fields after the current piece that a search remembers, to see that another lock leads to the same."""
WORK_WORDS: Final = SPOT_WORDS + (BOARD_WORDS + 1) * MEMORY
"""Words of scratch memory that a search needs (``ochibot.puyo.search.kernels.search``)."""

LIBRARY: Final = KernelLibrary("kernels", "the search kernels", _KERNELS)

_ready: dict[tuple[str, Geometry], Callable[..., Any]] = {}


def zeros(words: int) -> npt.NDArray[np.uint64]:
    """Memory for boards, which begins where a cache line does: vectors across two lines are slow."""
    line = 8
    memory = np.zeros(words + line - 1, np.uint64)
    begin = -(memory.ctypes.data // memory.itemsize) % line
    return memory[begin : begin + words]


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

    A kernel takes the arguments of the function of that name after the geometry; see ``KernelLibrary.load``.
    """
    wanted = name, rules.geometry(uses_pext())
    if wanted not in _ready:
        _ready[wanted] = _load(*wanted)
    return _ready[wanted]


def _load(name: str, geometry: Geometry) -> Callable[..., Any]:
    def type_of_geometry() -> Any:
        from ochibot.puyo.kernels.special import GeometryType

        return GeometryType(geometry)

    folder = "-".join(str(int(number)) for number in geometry)
    entry = LIBRARY.load(name, Variant(folder, type_of_geometry))
    from ochibot.puyo.kernels.special import Special

    return partial(entry, Special(geometry))


def prepare(rules: Rules = FAMICOM) -> None:
    """Loads (or compiles) what the two-ply player needs, so that its first decision is quick."""
    kernel("two_ply", rules)
