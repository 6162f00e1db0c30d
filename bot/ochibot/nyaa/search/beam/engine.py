"""The compiled kernels of the beam of Pochi & Nyaa."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel, KernelLibrary

_HERE: Final = "ochibot.nyaa.search.beam.kernels"
_MEMORY: Final = "i8[::1], f8[::1], i8[::1], u8[::1], u8[::1]"
"""The types of the kernels' common arguments: question, factors, numbers, memory and work."""

LIBRARY: Final = KernelLibrary(
    "nyaa-beam",
    "the beam of Pochi & Nyaa",
    {
        "grow": Kernel(
            _HERE,
            f"u8[::1], u8[:,::1], i8[:,::1], i8, i8, {_MEMORY}, i8[::1], u8[:,::1], i8[:,::1], f8[::1], i8, i8[::1]",
            11,
        ),
        "expect": Kernel(_HERE, f"u8[:,::1], i8[:,::1], i8, i8, {_MEMORY}, f8[::1], i8[::1]", 10),
    },
)
"""Separate from the two-ply player's library, because only the beam needs these kernels."""
