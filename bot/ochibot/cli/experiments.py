"""What the commands of the lab share: their folder, the tables that they sit at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli import completing

if TYPE_CHECKING:
    from ochibot.lab.contest.contestant import Contestant
    from ochibot.lab.contest.table import AnyTable

FolderOption = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="DIR", help="The folder of the run; the same command goes on with what is there."
    ),
]
RunSeedOption = Annotated[int, typer.Option(min=0, metavar="N", help="The same seed plays the same games.")]
SimulatedOption = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Whose matches are simulated: puyo, tsu or nyaa.", autocompletion=completing.games
    ),
]
DealtColorsOption = Annotated[
    int | None,
    typer.Option(
        "--colors", min=3, max=6, metavar="N", help="puyo, tsu: how many colours, on the menu.", show_default="5"
    ),
]
MostPiecesOption = Annotated[
    int | None,
    typer.Option(
        "--max-pieces",
        min=1,
        metavar="N",
        help="A game in which both sides have locked so many is a draw.",
        show_default="500; nyaa 300",
    ),
]


def warm(table: AnyTable, players: tuple[Contestant, Contestant]) -> None:
    """Compile what a game needs: once here, not by every worker."""
    first, second = (player.open(table.game, table.rules, 0) for player in players)
    short: Any = replace(table, max_pieces=1)
    short.play(1, (first, second))
