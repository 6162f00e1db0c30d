"""What each family of games contributes to a title made from a game file. Each family has one row.

A family of an installed package has its row as an entry point in the group ``ochibot.families``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ochibot.console import Button, Ram
from ochibot.errors import ConfigError
from ochibot.falling.family import Family
from ochibot.falling.orientation import Orientation
from ochibot.games.protocols import AnySeat, Look
from ochibot.games.table import OnPicture, Table
from ochibot.installed import Registry
from ochibot.ram import RamMap

ENTRY_POINTS: Final = "ochibot.families"

SeatOf = Callable[[Table, Look[Any, Any], RamMap, Ram, Any], AnySeat]
"""A function that makes a seat from (table, look, map, RAM, rules)."""


@dataclass(frozen=True)
class Piece:
    """The entries in which a family's maps have the falling piece and the next one: what an experiment can find out
    without knowing the rules. A map needn't have them all.

    x, y: of one of its cells. column, row: the numbers of the leftmost column and of the top row. cells: the colours of
    its cells as it appears, those of the left column first, from the floor up. following: those of the next piece.
    """

    cells: tuple[str, ...]
    following: tuple[str, ...]
    x: str = "x"
    y: str = "y"
    column: int = 0
    row: int = 0


@dataclass(frozen=True)
class Kind:
    """What one family contributes.

    player: the default player. codes: the numbers of cell contents, by name. actions: the actions, by their names in
    files. buttons: the button of each action, for files that don't give one. place: makes a position of the family from
    (column, row, orientation); raises ValueError outside the field. spawn: where pairs appear under given rules.
    map_folders: the folders of maps, in ram_maps/ or as whole paths; a map may use all names in them. entries: further
    names that a map may use. seat: makes a seat. look: makes a look from (where the picture shows the fields, a
    function that loads the rules).

    Families from outside may also have these. table: makes the table of simulated matches (``ochibot arena``) from
    (the title's name or game file, the rules, the most pieces of each side, or None): a frozen dataclass, as
    ``ochibot.lab.contest.table.MatchTable`` says. piece: the entries of the falling piece, for ``ochibot ram check``.
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
    look: Callable[[OnPicture | None, Callable[[], Any]], Look[Any, Any]]
    table: Callable[[str, Any, int | None], Any] | None = None
    piece: Piece | None = None


_FAMILIES: Final = Registry(
    ENTRY_POINTS, "family", {"puyo": "ochibot.games.filed.puyo", "nyaa": "ochibot.games.filed.nyaa"}
)


def family_names() -> tuple[str, ...]:
    """The families that game files may name, ours first."""
    return _FAMILIES.names()


def is_family(name: str) -> bool:
    """Whether game files may name this family."""
    return name in _FAMILIES


def find_kind(family: str) -> Kind:
    """The row of a family; its module is loaded on demand. Raises ConfigError."""
    kind = _FAMILIES.find(family)
    if not isinstance(kind, Kind) or kind.family.name != family:
        point = _FAMILIES.installed()[family].value
        raise ConfigError(f"{point} is no row for the family {family}; it must be a Kind whose family has that name")
    return kind
