"""Compiles and calls the C yardstick (``yardstick.c``). Only the benchmark and its test use it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.rules.profile import Geometry, Rules
from ochibot.puyo.search.locks import lock_order

SOURCE: Final = Path(__file__).with_name("yardstick.c")
FLAGS: Final = ("-O3", "-march=native", "-ffp-contract=off")
"""As in numba, multiplication and addition aren't fused, so that values are equal to the last bit."""
CLEAR_SIZE: Final = 4
"""The only clear size that the yardstick supports."""


class NoYardstickError(Exception):
    """The yardstick can't be used; the message says why."""


class NoCompilerError(NoYardstickError):
    """There is no C compiler, or it doesn't compile the yardstick."""


def compiler() -> str:
    """The version line of cc. Raises NoCompilerError."""
    if shutil.which("cc") is None:
        raise NoCompilerError("no C compiler (cc) found")
    done = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.strip():
        raise NoCompilerError(f"cc doesn't say its version: {_reason(done)}")
    return done.stdout.strip().splitlines()[0]


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """The first line that a failed program printed."""
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return said[0] if said else f"it ended with {done.returncode} and said nothing"


def _near(geometry: Geometry, columns: range) -> str:
    """C source of eight masks, one for each bit of ``ochibot.puyo.kernels.special.nearness``: the cells of ``columns``
    whose nearness has that bit.
    """
    from ochibot.puyo.kernels.special import nearness  # imports numba

    cells = [(16 * k + row, nearness(geometry, x, row)) for k, x in enumerate(columns) for row in range(geometry.kept)]
    return ",".join(f"{sum(1 << place for place, near in cells if near >> bit & 1)}ULL" for bit in range(8))


class Yardstick:
    """The functions of ``yardstick.c``, compiled for one rules profile. Calls of them release the GIL."""

    def __init__(self, rules: Rules, folder: Path) -> None:
        """Compiles the yardstick into ``folder``.

        Raises NoCompilerError, or NoYardstickError unless the clear size is CLEAR_SIZE.
        """
        from ochibot.puyo.search.reach import SINGLE_LOCKS  # imports numba

        geometry = rules.geometry()
        if geometry.clear_size != CLEAR_SIZE:
            raise NoYardstickError(
                f"the yardstick knows groups of {CLEAR_SIZE} only, under rules {rules.name} {geometry.clear_size} clear"
            )
        compiler()
        numbers = {
            "VISIBLE": geometry.visible,
            "GROUPING": geometry.grouping,
            "KEPT": geometry.kept,
            "MOVING": geometry.moving,
            "KICKS": int(geometry.kicks),
            "QUICK_TURN": int(geometry.quick_turn),
            "ORIENTATIONS": ",".join(str(int(orientation)) for _, orientation in lock_order()),
            "COLUMNS": ",".join(str(x - 1) for x, _ in lock_order()),
            "SINGLE_LOCKS": f"{SINGLE_LOCKS}ULL",
            "NEAR_WEST": _near(geometry, range(1, 5)),
            "NEAR_EAST": _near(geometry, range(5, 7)),
        }
        library = folder / "yardstick.so"
        defines = [f"-D{name}={value}" for name, value in numbers.items()]
        command = ["cc", *FLAGS, "-shared", "-fPIC", *defines, "-o", str(library), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompilerError(f"cc can't compile {SOURCE.name}: {_reason(done)}")
        self._library: Any = ctypes.CDLL(str(library))

    def resolve_boards(self, boards: Any, table: Any, results: Any) -> None:
        """Does the same as the kernel of that name."""
        self._library.resolve_boards(_at(boards), ctypes.c_int64(len(boards)), _at(table), _at(results))

    def repeat_resolve(self, boards: Any, table: Any, times: int, board: Any, sums: Any) -> None:
        """Does the same as the kernel of that name."""
        count, turns = ctypes.c_int64(len(boards) // BOARD_WORDS), ctypes.c_int64(times)
        self._library.repeat_resolve(_at(boards), count, _at(table), turns, _at(board), _at(sums))

    def self_play(self, *arrays: Any) -> None:
        """Does the same as the kernel ``self_play``, but needs no scratch memory."""
        self._library.self_play(*map(_at, arrays))


def _at(array: npt.NDArray[Any]) -> Any:
    assert array.flags.c_contiguous
    assert array.dtype in (np.uint64, np.int64, np.float64)
    return array.ctypes.data_as(ctypes.c_void_p)
