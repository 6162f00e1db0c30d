"""The compiled kernels of a package, each specialised for the geometry of the rules (``ochibot.puyo.rules.profile``).

A package names its kernels in a module ``engine``: this one, ``ochibot.puyo.search.engine``,
``ochibot.puyo.sim.engine``. numba is imported when a kernel is first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import UsageError
from ochibot.jit.library import Kernel, KernelLibrary, Variant, host_features, is_for_all, target_features
from ochibot.jit.native import Numbers
from ochibot.puyo.rules.profile import Geometry, Rules

PEXT_VARIABLE: Final = "OCHIBOT_PEXT"
"""Environment variable: 0 keeps the kernels from using the instructions pext and pdep, and 1 makes them use these.

Otherwise they use them where they are fast, unless numba's variables name another processor.
"""


class RoomKernels:
    """The kernels of one package. Each geometry has machine code of its own, except inside ``code_for_all``."""

    def __init__(self, name: str, what: str, kernels: Mapping[str, Kernel]) -> None:
        """``name``: the first part of the cache folder's name. ``what``: the kernels' name in the compiling message."""
        self.library = KernelLibrary(name, what, kernels)
        self._ready: dict[tuple[str, Geometry, bool], Callable[..., Any]] = {}

    def kernel(self, name: str, rules: Rules) -> Callable[..., Any]:
        """A compiled kernel by its name. Call it without the geometry, which is the Python function's first argument.

        The kernel doesn't check the types of its arguments; see ``KernelLibrary.load``.
        """
        wanted = name, rules.geometry(uses_pext()), is_for_all()
        if wanted not in self._ready:
            self._ready[wanted] = self._load(*wanted)
        return self._ready[wanted]

    def _load(self, name: str, geometry: Geometry, for_all: bool) -> Callable[..., Any]:
        # the machine code has the geometry in it or in its memory, and doesn't look at its first argument
        return partial(self.library.load(name, variant_of_all(geometry) if for_all else variant_of(geometry)), None)


def variant_of(geometry: Geometry) -> Variant:
    """The machine code for one geometry."""

    def type_of_geometry() -> Any:
        from ochibot.puyo.kernels.special import GeometryType

        return GeometryType(geometry)

    return Variant("-".join(str(int(number)) for number in geometry), type_of_geometry)


def variant_of_all(geometry: Geometry) -> Variant:
    """The machine code for all geometries, which reads the numbers of this one."""
    from ochibot.puyo.kernels.special import OpenGeometryType, open_words

    numbers = Numbers(OpenGeometryType.PLACE, tuple(open_words(geometry)))
    return Variant("any", lambda: OpenGeometryType(geometry), numbers)


RESOLVE_KERNELS: Final = RoomKernels(
    "puyo-kernels",
    "the kernels of the rules",
    {
        "repeat_resolve": Kernel("ochibot.puyo.kernels.resolve", "u8[::1], i8[::1], i8, u8[::1], i8[::1]", 2),
        "resolve_boards": Kernel("ochibot.puyo.kernels.resolve", "u8[:,::1], i8[::1], i8[:,::1]", 2),
    },
)
"""The kernels that resolve boards."""


def zeros(words: int) -> npt.NDArray[np.uint64]:
    """Memory for boards, aligned to a cache line: vectors that cross two lines are slow."""
    line = 8
    memory = np.zeros(words + line - 1, np.uint64)
    begin = -(memory.ctypes.data // memory.itemsize) % line
    return memory[begin : begin + words]


@cache
def _has_fast_pext() -> bool:
    """Whether the processor has pext and pdep and runs them fast; AMD's first two Zen generations are slow at them."""
    from llvmlite import binding

    if {"NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"} & os.environ.keys():
        return False  # these variables make numba compile for another processor, which may lack pext and pdep
    return "bmi2" in host_features() and binding.get_host_cpu_name() not in ("znver1", "znver2", "bdver4")


def uses_pext() -> bool:
    """Whether kernels loaded from now on use pext and pdep. Results don't depend on it.

    Raises UsageError if ``OCHIBOT_PEXT=1`` asks for them where kernels can't have them.
    """
    wanted = os.environ.get(PEXT_VARIABLE, "")
    if wanted == "1" and not _has_fast_pext() and "bmi2" not in target_features() & host_features():
        raise UsageError(
            f"{PEXT_VARIABLE}=1 asks for the instructions pext and pdep (bmi2), which this processor or "
            "NUMBA_CPU_FEATURES lacks: unset it"
        )
    return wanted == "1" or (wanted != "0" and _has_fast_pext())
