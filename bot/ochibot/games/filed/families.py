"""What a game file of a family is made a title with: one row for each family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from ochibot.console import Button, Ram
from ochibot.errors import ConfigError
from ochibot.falling.family import Family
from ochibot.falling.orientation import Orientation
from ochibot.games.protocols import AnySeat, Look
from ochibot.games.table import Shown, Table
from ochibot.quoting import quoted
from ochibot.ram import RamMap

SeatOf = Callable[[Table, Look[Any, Any], RamMap, Ram, Any], AnySeat]
"""(table, look, map, RAM, rules) → a seat."""


@dataclass(frozen=True)
class Kind:
    """A row. player: who plays when nobody says it. codes: what cells are called, and their numbers.

    actions: by the names of files. buttons: of actions, where a file doesn't say it. place: a position of the
    family's, of (column, row, orientation); ValueError outside the field. spawn: where pairs appear by rules.
    map_folders: of the shipped maps, whose names a map may use; entries: further ones. look: of (where it is shown,
    what loads the rules).
    """

    family: Family
    player: str
    codes: Mapping[str, int]
    actions: Mapping[str, Any]
    buttons: Mapping[Any, Button]
    place: Callable[[int, int, Orientation], Any]
    spawn: Callable[[Any], Any]
    map_folders: tuple[str, ...]
    entries: frozenset[str]
    seat: SeatOf
    look: Callable[[Shown | None, Callable[[], Any]], Look[Any, Any]]


_ROWS: Final = {
    "puyo": "ochibot.games.filed.puyo",
    "nyaa": "ochibot.games.filed.nyaa",
}


def family_names() -> tuple[str, ...]:
    """The families that game files can be of."""
    return tuple(_ROWS)


def find_kind(family: str) -> Kind:
    """The row of a family; its module is loaded only then. Raises ConfigError."""
    if family not in _ROWS:
        raise ConfigError(f"there is no family {quoted(family)}; known are {', '.join(_ROWS)}")
    kind: Kind = import_module(_ROWS[family]).KIND
    return kind
