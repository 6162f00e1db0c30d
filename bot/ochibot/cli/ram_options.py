"""What the commands of ``ochibot ram`` share: options, and a way to open any ROM."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot.cli.options import CoreOption, JsonOption, MachineOption, RomOption, SystemOption, file_option
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.report import check_writable
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.console import Console
    from ochibot.ram import RamMap
    from ochibot.ramtools.searching import Run

RamMapOption = Annotated[
    Path | None,
    file_option("A RAM map, or a shipped one's name such as famicom_puyo/player1.", "--map", default="none"),
]
StateOption = Annotated[
    Path | None, file_option("Start from this savestate of the core.", "--from-state", default="power-on")
]
PadsOption = Annotated[
    str | None,
    typer.Option("--pads", metavar="TEXT", help="Buttons to press: start:6 wait:30 left+a:2.", show_default="nothing"),
]
PlayOption = Annotated[bool, typer.Option("--play", help="Go through the menus of the map's game to its first piece.")]
SaveStateOption = Annotated[
    Path | None, file_option("Save the final state in this file.", "--save-state", default="nowhere")
]


@dataclass
class Opened:
    """A running ROM, and the map given with ``--map`` (or None). title: the map's game; None without ``--play``."""

    console: Console
    ram_map: RamMap | None
    title: Any = None


@dataclass(frozen=True, kw_only=True)
class RomOptions:
    """The options of the commands that run any ROM."""

    rom: RomOption = None
    machine: MachineOption = None
    system: SystemOption = None
    core: CoreOption = None
    ram_map: RamMapOption = None
    state: StateOption = None
    play: PlayOption = False
    pads: PadsOption = None
    saved: SaveStateOption = None
    json: JsonOption = None

    @contextlib.contextmanager
    def opened(self) -> Iterator[Opened]:
        """Runs the ROM in a core, from power-on, from a savestate, or from a game's first piece. Raises an
        OchibotError.
        """
        from ochibot.ramtools.mapping import read_map
        from ochibot.ramtools.opening import fits, open_console, open_rom

        if self.play and self.state is not None:
            raise UsageError("--play goes through the menus, which --from-state passes by: leave one of them out")
        if self.play and self.ram_map is None:
            raise UsageError("--play needs the game of a map: give one with --map")
        given = None if self.ram_map is None else read_map(self.ram_map)
        by_map = given.system if given is not None and self.rom is None else None
        image = open_rom(self.rom, machine=self.machine or by_map, system=self.system)
        if given is not None:
            fits(given, image)
        title = title_of(given) if self.play and given is not None else None
        options = None if title is None else dict(title.core_options)
        with open_console(image, self.core, options) as console:
            if self.state is not None:
                from ochibot.console.states import load_state_file

                load_state_file(console, self.state)
            if title is not None and given is not None:
                reach(title, given, console)
            yield Opened(console, given, title)


def title_of(ram_map: RamMap) -> Any:
    """The title that a map belongs to. Raises UsageError when there is none."""
    from ochibot.games import find_game, game_names

    for name in game_names():
        title: Any = find_game(name)
        table = getattr(title, "table", None)
        if table is None or table.system != ram_map.system:
            continue
        folders = [Path(folder).name for folder in (table.map_folder, table.foreign_map_folder) if folder]
        if ram_map.game in (table.map_games or (title.name, *folders)):
            return title
    raise UsageError(
        f"no game is known for the map {ram_map.name}, which is of the game {quoted(ram_map.game)}; give a game file "
        "instead, or a savestate with --from-state"
    )


def reach(title: Any, ram_map: RamMap, console: Console) -> None:
    """Goes through the menus to the first piece in the map's mode."""
    seat = title.seat(ram_map, console.ram, title.family.load_rules(title.rules))
    mode = next((name for name, value in title.table.modes.items() if value == ram_map.mode), title.solo_mode)
    title.reach(console, seat, mode, {})


def check_state(path: Path | None) -> None:
    """Checks, before anything runs, that the final savestate can be written to ``path``. Raises OutputError."""
    if path is not None:
        check_writable(path, "the state")


def print_runs(runs: Sequence[Run], most: int, more: str, out: TextIO) -> None:
    """Prints runs of bytes that differ, one per line, at most ``most``. ``more``: the options that show the others."""
    for run in runs[:most]:
        before, after = _short(run.before), _short(run.after)
        print(f"  {run.address:04X}  {before:<24} {after:<24} {run.name}".rstrip(), file=out)
    if len(runs) > most:
        print(f"  and {counted(len(runs) - most, 'place')} more ({more})", file=out)


def _short(data: bytes) -> str:
    return data[:7].hex(" ") + (" …" if len(data) > 7 else "")


def save_state(console: Console, path: Path | None) -> None:
    """Writes a savestate to a file; None: does nothing. Raises OutputError."""
    from ochibot.leftovers import written

    if path is None:
        return
    with written(path, "the state ") as partial:
        partial.write_bytes(console.save())


def stopper(asked: Any) -> Any:
    """Makes a function that raises KeyboardInterrupt if ``asked()`` returns true."""

    def check() -> None:
        if asked():
            raise KeyboardInterrupt

    return check
