"""Builds and calls the C yardstick (``yardstick.c``); only the benchmark and its test do."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bot.puyo import Rules
from bot.puyo.field import BOARD_WORDS
from bot.search.locks import lock_order

SOURCE: Final = Path(__file__).with_name("yardstick.c")
FLAGS: Final = ("-O3", "-march=native")


class NoCompilerError(Exception):
    """There is no C compiler, or it doesn't compile the yardstick; the message says which."""


def compiler() -> str:
    """The version line of cc. Raises NoCompilerError."""
    if shutil.which("cc") is None:
        raise NoCompilerError("no C compiler (cc) found")
    done = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=False)
    return done.stdout.split("\n", 1)[0]


class Yardstick:
    """The functions of ``yardstick.c``, compiled for one profile into a folder. Their calls release the GIL."""

    def __init__(self, rules: Rules, folder: Path) -> None:
        """Raises NoCompilerError."""
        compiler()
        geometry = rules.geometry()
        numbers = {
            "VISIBLE": geometry.visible,
            "GROUPING": geometry.grouping,
            "KEPT": geometry.kept,
            "MOVING": geometry.moving,
            "KICKS": int(geometry.kicks),
            "QUICK_TURN": int(geometry.quick_turn),
            "ORIENTATIONS": ",".join(str(int(orientation)) for _, orientation in lock_order()),
            "COLUMNS": ",".join(str(x - 1) for x, _ in lock_order()),
        }
        library = folder / "yardstick.so"
        defines = [f"-D{name}={value}" for name, value in numbers.items()]
        command = ["cc", *FLAGS, "-shared", "-fPIC", *defines, "-o", str(library), str(SOURCE)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompilerError(f"cc can't compile {SOURCE.name}: {done.stderr.strip().splitlines()[0]}")
        self._library: Any = ctypes.CDLL(str(library))

    def resolve_boards(self, boards: Any, table: Any, results: Any) -> None:
        """Like the kernel of that name."""
        self._library.resolve_boards(_at(boards), ctypes.c_int64(len(boards)), _at(table), _at(results))

    def repeat_resolve(self, boards: Any, table: Any, times: int, board: Any, sums: Any) -> None:
        """Like the kernel of that name."""
        count, turns = ctypes.c_int64(len(boards) // BOARD_WORDS), ctypes.c_int64(times)
        self._library.repeat_resolve(_at(boards), count, _at(table), turns, _at(board), _at(sums))

    def self_play(self, *arrays: Any) -> None:
        """Like the kernel of that name, without its scratch memory."""
        self._library.self_play(*map(_at, arrays))


def _at(array: npt.NDArray[Any]) -> Any:
    assert array.flags.c_contiguous
    assert array.dtype in (np.uint64, np.int64, np.float64)
    return array.ctypes.data_as(ctypes.c_void_p)
