"""What the nyaa family contributes to titles made from game files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ochibot.console import Button
from ochibot.falling.orientation import STEP, Orientation
from ochibot.games.filed.families import Kind
from ochibot.games.nyaalook import NyaaLook
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.games.table import OnPicture
from ochibot.nyaa.family import FAMILY
from ochibot.nyaa.rules.grid import COLUMNS
from ochibot.nyaa.rules.pair import ALL_ROWS, SPAWN, Action, NyaaState


def _place(x: int, y: int, orientation: Orientation) -> NyaaState:
    across, down = STEP[orientation]
    if not (1 <= x <= COLUMNS and 1 <= x + across <= COLUMNS and 0 <= y < ALL_ROWS and 0 <= y + down < ALL_ROWS):
        raise ValueError(f"both halves are in columns 1 to {COLUMNS} and rows 0 to {ALL_ROWS - 1}")
    return NyaaState(x, y, orientation)


def _look(shown: OnPicture | None, load: Callable[[], Any]) -> NyaaLook:  # noqa: ARG001
    return NyaaLook(shown)


def _spawn(rules: Any) -> NyaaState:
    return SPAWN._replace(x=rules.spawn_column)


KIND: Final = Kind(
    family=FAMILY,
    player="nyaa",
    codes={
        "empty": 0,
        "red": 1,
        "green": 2,
        "blue": 3,
        "yellow": 4,
        "nuisance": 5,
        "red_needle": 6,
        "green_needle": 7,
        "blue_needle": 8,
        "yellow_needle": 9,
        "wall": 10,
    },
    actions={action.name.lower(): action for action in Action},
    # FBNeo's classic pad: RetroPad B, A, Y are the Neo Geo's A, B, C
    buttons={
        Action.LEFT: Button.LEFT,
        Action.RIGHT: Button.RIGHT,
        Action.DOWN: Button.DOWN,
        Action.ROTATE_CW: Button.B,
        Action.ROTATE_CCW: Button.A,
        Action.NEEDLE: Button.Y,
    },
    place=_place,
    spawn=_spawn,
    map_folders=("nyaa_homebrew", "pnyaa"),
    entries=frozenset({"partner_x", "partner_y"}),
    seat=NyaaSeat,
    look=_look,
)
