"""Five kinds of boards for measuring how fast boards resolve. They are always the same boards."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.data import data_path
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import resolve
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
