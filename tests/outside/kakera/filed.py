"""Kakera's row among the families of game files, as an installed package offers it."""

from __future__ import annotations

from ochibot.games.filed.families import Kind, Piece

from kakera.family import FAMILY, Action
from kakera.match import KakeraTable
from kakera.seat import Look, Seat
from kakera.table import HERE, TABLE

KIND = Kind(
    family=FAMILY,
    player=f"{HERE / 'player.py'}:Greedy",
    codes=TABLE.codes,
    actions={action.name.lower(): action for action in Action},
    buttons=TABLE.buttons,
    place=lambda x, y, _: (x, y),
    spawn=lambda _: TABLE.spawn,
    map_folders=(TABLE.map_folder,),
    entries=frozenset(),
    seat=Seat,
    look=lambda *_: Look(),
    table=KakeraTable.of,
    piece=Piece(cells=("lower", "upper"), following=("next_lower", "next_upper")),
)
"""An entry point of the group ``ochibot.families``."""

NO_KIND = "kakera"
