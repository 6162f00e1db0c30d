"""Which processor kernels are made for: this one, or another one if numba's environment variables name it."""

from __future__ import annotations

import os
from typing import Final

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
