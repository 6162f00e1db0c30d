"""Compiles and loads the search of Pochi & Nyaa."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ochibot.jit.library import Kernel, KernelLibrary

OVER_NOW: Final = -2e9
"""The value of a lock that loses the game at once. OVER_NEXT: its value if every lock of the next pair loses."""
OVER_NEXT: Final = -1e9

_ARGUMENTS: Final = "u8[::1], u8[::1], i8[::1], f8[::1], i8[::1], u8[::1], u8[::1], i8[::1]"

LIBRARY: Final = KernelLibrary(
    "nyaa-search",
    "the search of Pochi & Nyaa",
    {"two_ply": Kernel("ochibot.nyaa.search.kernels", _ARGUMENTS, 11)},
)


def search_kernel() -> Callable[..., Any]:
    """``ochibot.nyaa.search.kernels.two_ply``, compiled; see ``KernelLibrary.load``."""
    return LIBRARY.load("two_ply")


def prepare() -> None:
    """Loads (or compiles) what the player needs, so that its first decision is quick."""
    search_kernel()
