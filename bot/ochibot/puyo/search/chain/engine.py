"""Compiles and loads the kernels of the chain search."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RoomKernels

_HERE: Final = "ochibot.puyo.search.chain"

CHAIN_KERNELS: Final = RoomKernels(
    "puyo-chain",
    "the search for chains",
    {
        "grow": Kernel(
            f"{_HERE}.beam",
            "i8[::1], u8[::1], f8[::1], i8[::1], u8[::1], f8[::1], i8[::1], f8[::1], f8[::1], f8, f8[::1], "
            "f8[::1], i8[::1], u8[::1], i8[::1], u8[::1], i8[::1]",
            10,
        ),
        "potential_boards": Kernel(f"{_HERE}.potential", "u8[:,::1], i8, i8[::1], f8[::1], u8[::1], i8[:,::1]", 4),
        "lasting_locks": Kernel(f"{_HERE}.guard", "i8[::1], u8[::1], u8[::1]", 3),
        "outlives": Kernel(
            f"{_HERE}.guard", "u8[::1], i8[:,::1], i8[::1], i8[::1], u8[::1], f8[::1], u8[::1], i8[::1]", 14
        ),
        "shape_boards": Kernel(f"{_HERE}.shape", "u8[:,::1], f8[::1], f8[::1]", 1),
    },
)
"""These kernels are separate from the two-ply player's, because only players that build chains need them."""
