"""What each family of games contributes to a title made from a game file. Each family has one row."""

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
"""A function that makes a seat from (table, look, map, RAM, rules)."""


@dataclass(frozen=True)
class Kind:
    """What one family contributes.

    player: the default player. codes: the numbers of cell contents, by name. actions: the actions, by their names in
    files. buttons: the button of each action, for files that don't give one. place: makes a position of the family from
    (column, row, orientation); raises ValueError outside the field. spawn: where pairs appear under given rules.
    map_folders: the folders of the shipped maps; a map may use all names in them. entries: further names that a map may
    use. seat: makes a seat. look: makes a look from (where the picture shows the fields, a function that loads the
    rules).
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
    """The families that game files may name."""
    return tuple(_ROWS)


def find_kind(family: str) -> Kind:
    """The row of a family; its module is loaded on demand. Raises ConfigError."""
    if family not in _ROWS:
        raise ConfigError(f"there is no family {quoted(family)}; known are {', '.join(_ROWS)}")
    kind: Kind = import_module(_ROWS[family]).KIND
    return kind
