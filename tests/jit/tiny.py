"""Two kernels that compile quickly, and their library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ochibot.jit.lanes import compiled
from ochibot.jit.library import Kernel, KernelLibrary


@compiled  # type: ignore[untyped-decorator]
def triple(numbers: Any) -> None:
    """Triples each number in place."""
    for index in range(len(numbers)):
        numbers[index] *= 3


@compiled  # type: ignore[untyped-decorator]
def square(numbers: Any) -> None:
    """Squares each number in place."""
    for index in range(len(numbers)):
        numbers[index] *= numbers[index]


class TinyLibrary(KernelLibrary):
    """The kernels of this file, which isn't part of the package."""

    def sources(self) -> list[Path]:
        """This file."""
        return [Path(__file__)]


LIBRARY = TinyLibrary(
    "tiny",
    "tiny kernels",
    {"triple": Kernel("tests.jit.tiny", "i8[::1]", 2), "square": Kernel("tests.jit.tiny", "i8[::1]", 4)},
)
