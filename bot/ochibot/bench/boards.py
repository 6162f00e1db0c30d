"""Five kinds of boards for measuring how fast boards resolve. They are always the same boards.

The C yardstick (``yardstick.c``) is compiled and called here. Only the benchmark and its test use it.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.data import data_path
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.profile import Geometry, Rules
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.player import load_player
from ochibot.wording import counted

Boards = npt.NDArray[np.uint64]

KINDS: Final = ("nothing_to_clear", "search_leaves", "leaves_that_clear", "full_boards", "chain_19")

_COLORS: Final = 4
_FULL_COLORS: Final = 5
_FULL_CHAIN: Final = 4
_PIECES: Final = 600
_FULL: Final = 256
_TRIES: Final = 20_000
"""How many full boards are tried at most. On 13 visible rows, one in ten makes a chain of ``_FULL_CHAIN`` or more. If
fewer than 1 % of the first 2,000 do, NoBoardsError says that the rules allow no boards of this kind.
"""

CHAIN_19: Final = """
    .G.BRG
    GBRRYR
    RRYYBY
    RGYRBR
    YGYRBY
    YGBGYR
    GRBGYR
    BRBYBY
    RYYBYY
    BRBYBR
    BGBYRR
    YGBGBG
    RBGBGG
"""
"""The 19-chain with which Puyo simulators are commonly measured: 76 puyos, and every step clears one group of four. Its
13 rows are all visible on the Famicom; Tsu hides the highest one."""


class NoBoardsError(Exception):
    """These rules allow no boards of this kind; the message says why."""


def boards(kind: str, rules: Rules) -> Boards:
    """(n, BOARD_WORDS) boards, settled but not resolved.

    - nothing_to_clear: the fields after each lock of a self-play by the article's player with 4 colours.
    - search_leaves: these fields with two more random pairs in random places, of which only the first was resolved.
    - leaves_that_clear: those search leaves on which something clears.
    - full_boards: all visible rows full of 5 random colours, on which at least a 4-chain follows (4.4 steps on average
      on 13 visible rows).
    - chain_19: a single board.

    Raises NoBoardsError when the rules allow no boards of this kind.
    """
    if kind == "chain_19":
        found = [Field.parse(CHAIN_19)]
    elif kind == "full_boards":
        found = _full(rules)
    else:
        fields = _fields(rules)
        found = fields if kind == "nothing_to_clear" else _leaves(fields, rules)
        if kind == "leaves_that_clear":
            found = [field for field in found if resolve(field, rules).chain]
    if not found:
        raise NoBoardsError(f"nothing clears under rules {rules.name}")
    return np.array([field.planes for field in found], np.uint64)


def _fields(rules: Rules) -> list[Field]:
    game = SelfPlay(load_player(data_path("configs/players/article.yaml")), _COLORS, 1, rules)
    fields = []
    for _ in range(_PIECES):
        game.play(1)
        fields.append(game.field)
    return fields


def _leaves(fields: list[Field], rules: Rules) -> list[Field]:
    rng = np.random.default_rng(1)
    return [_with_pair(resolve(_with_pair(field, rng, rules), rules).field, rng, rules) for field in fields]


def _with_pair(field: Field, rng: np.random.Generator, rules: Rules) -> Field:
    """The field after two more random puyos, side by side or one on the other, have dropped. Nothing is cleared yet."""
    cells = field.cells.copy()
    x = int(rng.integers(COLUMNS))
    beside = int(rng.integers(2)) if x + 1 < COLUMNS else 0
    for column in (x, x + beside):
        y = ROWS - 1 - int((cells[:, column] != 0).sum())
        if y >= rules.kept_top:
            cells[y, column] = rng.integers(1, _COLORS + 1)
    return Field.from_cells(cells)


def _full(rules: Rules) -> list[Field]:
    rng = np.random.default_rng(1)
    found: list[Field] = []
    for tried in range(_TRIES):
        if len(found) == _FULL:
            break
        if tried == _TRIES // 10 and len(found) < tried // 100:
            raise NoBoardsError(
                f"of {counted(tried, 'board')} full under rules {rules.name} {len(found)} make a chain of "
                f"{_FULL_CHAIN} or more"
            )
        cells = np.zeros((ROWS, COLUMNS), np.uint8)
        cells[rules.spawn.y :] = rng.integers(1, _FULL_COLORS + 1, (ROWS - rules.spawn.y, COLUMNS))
        field = Field.from_cells(cells)
        if resolve(field, rules).chain >= _FULL_CHAIN:
            found.append(field)
    return found


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

        Raises NoCompilerError, or NoYardstickError unless the clear size is CLEAR_SIZE and pairs turn around their
        axis.
        """
        from ochibot.puyo.search.reach import SINGLE_LOCKS  # imports numba

        geometry = rules.geometry()
        if geometry.clear_size != CLEAR_SIZE:
            raise NoYardstickError(
                f"the yardstick knows groups of {CLEAR_SIZE} only, under rules {rules.name} {geometry.clear_size} clear"
            )
        if geometry.box:
            raise NoYardstickError(
                f"the yardstick's pairs turn around their axis, under rules {rules.name} within a box"
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
