"""Options and arguments that several commands share, so that they mean the same everywhere.

In games of two seats, an option for one seat ends in the seat's number (``--map1``). Without a number, an option is for
all seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ochibot.cli import completing
from ochibot.errors import UsageError
from ochibot.quoting import brief, quoted

if TYPE_CHECKING:
    from ochibot.games import Game
    from ochibot.record import Record

OUTPUT: Final = ("--output", "-o")
"""The names of the option for what a command writes."""


def number_option(
    text: str, *names: str, least: int | None = 1, most: int | None = None, default: bool | str = True
) -> Any:
    """Makes an option that takes a whole number. ``text``: its help. ``default``: the default that the help shows."""
    return typer.Option(*names, min=least, max=most, metavar="N", help=text, show_default=default)


def file_option(text: str, *names: str, default: bool | str = True) -> Any:
    """Makes an option that takes the path of a file. ``text``: its help."""
    return typer.Option(*names, metavar="FILE", help=text, show_default=default)


def folder_option(text: str, *names: str, default: bool | str = True) -> Any:
    """Makes an option that takes the path of a folder. ``text``: its help."""
    return typer.Option(*names, metavar="DIR", help=text, show_default=default)


GameArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="puyo, nyaa, tsu or another title, your game file (.yaml), or your ROM.",
        show_default="puyo",
        autocompletion=completing.games,
    ),
]
GameModuleOption = Annotated[
    Path | None, file_option("A Python file that defines your own game as GAME.", "--game-module", default="none")
]
RomOption = Annotated[
    Path | None, file_option("Your ROM: puyo .nes, nyaa pnyaa.zip, tsu .md, or a .zip.", default="our own game")
]
SystemOption = Annotated[
    Path | None, folder_option("The folder of your system ROMs (Neo Geo: neogeo.zip).", default="the ROM's folder")
]
MachineOption = Annotated[
    str | None,
    typer.Option(
        "--machine",
        metavar="NAME",
        help="The machine that the ROM is for: nes, megadrive, neogeo, system_c2, gameboy, mastersystem, gamegear, "
        "snes, pcengine, gba, or plain for any other.",
        show_default="by the file's ending or contents",
        autocompletion=completing.machines,
    ),
]
CoreOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="A libretro core: a file, or a name such as nestopia.",
        show_default="the first one found",
        autocompletion=completing.cores,
    ),
]
RecordGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="FILE",
        help="The record's game file, if it has been moved.",
        show_default="where it was",
        autocompletion=completing.games,
    ),
]
RecordArgument = Annotated[Path, typer.Argument(metavar="RECORD", help="A folder made with --record.")]
RecordRomOption = Annotated[Path | None, file_option("The ROM of the record.", "--rom", default="our own game")]
RecordCoreOption = Annotated[
    str | None,
    typer.Option(
        "--core",
        metavar="NAME|FILE",
        help="Another libretro core: a file or a name.",
        show_default="the record's",
        autocompletion=completing.cores,
    ),
]
FromOption = Annotated[int, typer.Option("--from", min=1, metavar="FRAME", help="Begin at this frame.")]
ToOption = Annotated[
    int | None,
    typer.Option("--to", min=1, metavar="FRAME", help="The last frame, included.", show_default="the record's last"),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="A rules profile, or a rules file of yours.",
        show_default="the game's own",
        autocompletion=completing.rules,
    ),
]
PuyoRulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        help="A rules profile of puyo, or a rules file of yours.",
        autocompletion=completing.rules,
    ),
]
PuyoPlayerOption = Annotated[
    str,
    typer.Option(
        "--player",
        metavar="NAME|FILE",
        help="A player of puyo: shipped, or a YAML file.",
        autocompletion=completing.players,
    ),
]


def player_option(name: str, whose: str, default: str) -> Any:
    """Makes an option that names a player. ``whose``: the beginning of its help."""
    return typer.Option(
        name,
        metavar="NAME|FILE|CLASS|ENGINE",
        help=f"{whose}: shipped, a YAML file, a class as file.py:Class, or a program as engine:COMMAND. "
        "Its options may stand in brackets: chain[nodes=60000 threads=2].",
        show_default=default,
        autocompletion=completing.players,
    )


def nodes_option(text: str, default: bool | str = True) -> Any:
    """Makes an option for how many boards a player examines for each decision. ``text``: its help."""
    return number_option(text, most=100_000_000, default=default)


def effort_option(what: str) -> Any:
    """Makes an option for how many frames a search by experiment may take. ``what``: that search, for the help."""
    return typer.Option(
        metavar="quick|normal|high|FRAMES",
        help=f"How many emulated frames {what} may take: 100,000, 250,000, 1,000,000, or your number.",
    )


def plies_option(name: str, whose: str, default: str = "the player's own") -> Any:
    """Makes an option for the number of plies. ``whose``: the player that looks ahead, for the help."""
    return typer.Option(
        name,
        min=1,
        max=2,
        metavar="N",
        help=f"How many pairs {whose} looks ahead: 1 (the falling pair) or 2 (also the next).",
        show_default=default,
    )


def speed_option(name: str, whose: str, default: bool | str = True) -> Any:
    """Makes an option for the speed. ``whose``: the beginning of its help."""
    return typer.Option(
        name,
        min=0,
        max=10,
        metavar="N",
        help=f"{whose}: 0 (a slow human) to 10 (as fast as the pad allows).",
        show_default=default,
    )


def colors_option(default: bool | str) -> Any:
    """Makes an option for the number of colours on puyo's menu. ``default``: what the help shows as the default."""
    return number_option(
        "puyo, tsu: the number of colours chosen on the menu.", "--colors", least=3, most=6, default=default
    )


PlayerOption = Annotated[str | None, player_option("--player", "The player", "the game's own")]
PliesOption = Annotated[int | None, plies_option("--plies", "the player")]
SpeedOption = Annotated[int, speed_option("--speed", "The AI's speed")]
LevelOption = Annotated[
    int | None, number_option("The level (tsu: the difficulty) chosen on the menu.", most=5, default="the menu's own")
]
ColorsOption = Annotated[int | None, colors_option("the menu's own")]
MenuOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="Another choice on the game's menu; may be repeated.",
        show_default="the menu's own",
    ),
]
SeedOption = Annotated[
    int | None,
    number_option("Makes the run reproducible.", "--seed", least=0, default="a random one, which is printed"),
]
ClairvoyantOption = Annotated[
    bool, typer.Option("--clairvoyant", help="tsu: let the player know all pairs to come, from the game's memory.")
]
KeepGoingOption = Annotated[bool, typer.Option(help="Continue after the game has contradicted the bot's prediction.")]


class Device(StrEnum):
    """The choices of --device."""

    CPU = "cpu"
    CUDA = "cuda"


class DealerName(StrEnum):
    """The choices of --dealer."""

    UNIFORM = "uniform"
    TSU = "tsu"
    PUYO1 = "puyo1"
    MODERN = "modern"


DealerOption = Annotated[DealerName, typer.Option("--dealer", help="The generator that deals the pairs.")]
JsonOption = Annotated[
    str | None, file_option("Write the report as JSON to this file (- for stdout).", default="nowhere")
]
AvOption = Annotated[
    bool | None,
    typer.Option(
        "--av/--no-av",
        help="Neo Geo: make picture and sound even if nobody watches; --no-av leaves them out (1.5 times as fast).",
        show_default="our own game plays without; of other sets only the picture is left out",
    ),
]
WindowOption = Annotated[bool, typer.Option("--window", help="Watch it in a window, with sound.")]
KeysOption = Annotated[Path | None, file_option("Your own file of the window's keys.", default="the shipped keys")]
ScaleOption = Annotated[
    int | None, number_option("Enlarge each pixel to N x N pixels.", most=12, default="3 for .mp4, otherwise 1")
]
ShotsOption = Annotated[Path, folder_option("The folder for the window's screenshots.")]

RetroArchOption = Annotated[
    str | None,
    typer.Option(
        metavar="HOST[:PORT]",
        help="Play in the RetroArch that runs there, such as localhost, instead of in a core of our own.",
        show_default="a core of our own",
    ),
]
LockstepOption = Annotated[
    bool, typer.Option("--lockstep", help="With --retroarch: let its game wait for the bot in each frame.")
]
AnyAddressOption = Annotated[
    bool, typer.Option("--any-address", help="With --retroarch: take an address outside your network, too.")
]


def map_option(name: str, seat: int) -> Any:
    """Makes an option for the RAM map of a seat."""
    return typer.Option(
        name, metavar="FILE", help=f"A RAM map file of your own for seat {seat}.", show_default="the game's own"
    )


Map1Option = Annotated[Path | None, map_option("--map1", 1)]
Map2Option = Annotated[Path | None, map_option("--map2", 2)]
RoundsOption = Annotated[int, number_option("Rounds; the report has the medians.", "--rounds")]
FramesOption = Annotated[int, number_option("Frames that each loop runs in a round.", "--frames", least=100)]


def find_title(game: str | None, module: Path | None) -> Game:
    """The title that a command is to play. Raises UsageError or ConfigError."""
    from ochibot.games.choosing import resolve_game

    return resolve_game(game, module)


@dataclass(frozen=True, kw_only=True)
class KeptOptions:
    """The options of the commands that read a record."""

    record: RecordArgument
    rom: RecordRomOption = None
    system: SystemOption = None
    core: RecordCoreOption = None
    game: RecordGameOption = None
    game_module: GameModuleOption = None
    json: JsonOption = None

    def opened(self) -> Record:
        """Opens the record. The user's game is registered first, so that its records can be read.

        Raises UsageError, ConfigError or RecordError, also when the record was made with another game.
        """
        from ochibot.errors import RecordError
        from ochibot.record import Record

        if self.game_module is not None:
            find_title(None, self.game_module)
        title = None if self.game is None else find_title(self.game, None)
        record = Record.open(self.record)
        own = record.manifest.about.game
        if title is not None and own not in ("", title.name):
            raise RecordError(f"{self.record} is of the game {brief(own)}, not of {title.name}: give its own game file")
        return record


def menu_choices(words: Sequence[str] | None, **known: int | str | None) -> Mapping[str, int | str | None]:
    """The user's choices on the game's menu, by name.

    ``words``: the values of ``--option``, each NAME=VALUE. ``known``: choices that have their own options, such as
    ``--level``. Raises UsageError for a word that isn't NAME=VALUE, or a choice that is given twice.
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
