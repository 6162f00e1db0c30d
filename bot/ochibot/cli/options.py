"""Options and arguments that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.errors import UsageError
from ochibot.quoting import brief, quoted

if TYPE_CHECKING:
    from ochibot.games import Game

GameArgument = Annotated[str | None, typer.Argument(metavar="GAME", help="puyo (default), nyaa, tsu or another title.")]
GameModuleOption = Annotated[
    Path | None, typer.Option("--game-module", metavar="FILE.py", help="A Python file with a title of your own (GAME).")
]
RomOption = Annotated[
    Path | None,
    typer.Option(help="Your ROM: puyo .nes, nyaa pnyaa.zip, tsu .md, or a .zip (default: our own)."),
]
SystemOption = Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")]
CoreOption = Annotated[str | None, typer.Option(help="A libretro core: a file, or a name such as nestopia.")]
RulesOption = Annotated[
    str | None,
    typer.Option(metavar="NAME|FILE", help="A rules profile, or a rules file of yours (default: the game's)."),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(metavar="NAME|FILE|CLASS", help="A player: shipped, a YAML file, or a class as file.py:Class."),
]
PliesOption = Annotated[int | None, typer.Option(min=1, max=2, help="How many pairs a two-ply player looks ahead.")]
LevelOption = Annotated[int | None, typer.Option(min=1, max=5, help="The level (tsu: the difficulty) on the menu.")]
ColorsOption = Annotated[int | None, typer.Option(min=3, max=6, help="puyo, tsu: how many colours, on the menu.")]
MenuOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Any other choice on the game's menu; may be repeated."),
]
ClairvoyantOption = Annotated[
    bool, typer.Option("--clairvoyant", help="tsu: tell the player all pairs to come, as the game's memory has them.")
]
KeepGoingOption = Annotated[bool, typer.Option(help="Go on after the game has contradicted the rules.")]
JsonOption = Annotated[str | None, typer.Option(metavar="FILE", help="Write the report there (- for stdout).")]
WindowOption = Annotated[bool, typer.Option("--window", help="Watch it in a window, with sound.")]
KeysOption = Annotated[Path | None, typer.Option(help="The window's keys: a file of your own.")]
ShotsOption = Annotated[Path, typer.Option(help="The folder for the window's screenshots.")]
Map1Option = Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 1.")]
Map2Option = Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 2.")]


def find_title(game: str | None, module: Path | None) -> Game:
    """The title that a command is to play. Raises UsageError or ConfigError."""
    from ochibot.games.choosing import resolve_game

    return resolve_game(game, module)


def menu_choices(words: Sequence[str] | None, **known: int | str | None) -> Mapping[str, int | str | None]:
    """What was chosen on the menu, by name: the options of their own, and those given as ``--option NAME=VALUE``.

    Raises UsageError for words of another form, or an option that is given twice.
    """
    chosen: dict[str, int | str | None] = dict(known)
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier() or not value:
            raise UsageError(f"--option takes NAME=VALUE, such as level=4, not {quoted(word)}")
        if chosen.get(name) is not None:
            raise UsageError(f"the menu option {brief(name)} is given twice")
        chosen[name] = value
    return chosen
