"""What the puyo family contributes to titles made from game files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ochibot.console import Button
from ochibot.falling.orientation import STEP, Orientation
from ochibot.games.filed.families import Kind
from ochibot.games.puyolook import PuyoLook
from ochibot.games.puyoseat import PuyoSeat
from ochibot.games.table import OnPicture
from ochibot.puyo.family import FAMILY
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.pair import Action, PairState
from ochibot.puyo.rules.profile import Rules


def _place(x: int, y: int, orientation: Orientation) -> PairState:
    across, down = STEP[orientation]
    if not (1 <= x <= COLUMNS and 1 <= x + across <= COLUMNS and 0 <= y < ROWS and y + down < ROWS):
        raise ValueError(f"both halves are in columns 1 to {COLUMNS}, the axis in rows 0 to {ROWS - 1}")
    return PairState(x, y, orientation)


def _look(shown: OnPicture | None, load: Callable[[], Rules]) -> PuyoLook:
    needed = shown is not None and shown.top is None
    return PuyoLook(shown, ROWS - load().visible_rows if needed else 0)


KIND: Final = Kind(
    family=FAMILY,
    player="article",
    codes={
        "empty": 0,
        "red": 1,
        "green": 2,
        "blue": 3,
        "yellow": 4,
        "purple": 5,
        "cyan": 6,
        "nuisance": 7,
        "wall": 8,
        "big": 9,
        "carbuncle": 10,
    },
    actions={action.name.lower(): action for action in Action},
    buttons={
        Action.LEFT: Button.LEFT,
        Action.RIGHT: Button.RIGHT,
        Action.DOWN: Button.DOWN,
        Action.ROTATE_CW: Button.A,
        Action.ROTATE_CCW: Button.B,
    },
    place=_place,
    spawn=lambda rules: rules.spawn,
    map_folders=("famicom_puyo", "tsu", "tsu_c2", "puyo1", "mean_bean", "kodama_gb"),
    entries=frozenset({"partner_x", "partner_y"}),
    seat=PuyoSeat,
    look=_look,
)
