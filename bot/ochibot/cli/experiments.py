"""What the lab's commands share: options, and compiling the kernels before workers start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli import completing

if TYPE_CHECKING:
    from ochibot.lab.contest.contestant import Contestant
    from ochibot.lab.contest.table import MatchTable

FolderOption = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="DIR", help="The folder of the run; the same command resumes it."),
]
RunSeedOption = Annotated[int, typer.Option(min=0, metavar="N", help="The same seed plays the same games.")]
SimulatedOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The game whose matches are simulated: puyo, tsu or nyaa, or one whose family brings matches of its own.",
        autocompletion=completing.games,
    ),
]
DealtColorsOption = Annotated[
    int | None,
    typer.Option(
        "--colors",
        min=3,
        max=6,
        metavar="N",
        help="puyo, tsu: the number of colours chosen on the menu.",
        show_default="5",
    ),
]
MostPiecesOption = Annotated[
    int | None,
    typer.Option(
        "--max-pieces",
        min=1,
        metavar="N",
        help="A game is a draw once each side has had this many pieces.",
        show_default="500; nyaa 300",
    ),
]


def warm(table: MatchTable, players: tuple[Contestant, Contestant]) -> None:
    """Compiles the kernels for a game once, so that the workers needn't."""
    first, second = (player.open(table.game, table.rules, 0) for player in players)
    whole: Any = table
    short = replace(whole, max_pieces=1)
    short.play(1, (first, second))
