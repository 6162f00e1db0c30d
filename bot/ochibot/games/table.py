"""The table of a title: everything that differs between games, as plain data in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ochibot.console import Button
from ochibot.console.rom import Sets
from ochibot.errors import UsageError
from ochibot.falling.orientation import Orientation
from ochibot.falling.pace import Gravity
from ochibot.games.route import Route
from ochibot.quoting import brief


@dataclass(frozen=True)
class MenuChoice:
    """A menu option. values: its values in RAM. names: the values' names, for options that aren't plain numbers."""

    values: range
    names: tuple[str, ...] = ()

    def parse(self, option: str, text: str | int) -> int:
        """The value that a word or number stands for. Raises UsageError that lists the valid ones."""
        word = str(text)
        if word in self.names:
            return self.values[self.names.index(word)]
        if not self.names and word.isascii() and word.isdigit() and len(word) < 10 and int(word) in self.values:
            return int(word)
        raise UsageError(f"{option} goes {self.words}, not {brief(word)}")

    @property
    def words(self) -> str:
        """The values in words."""
        if self.names:
            return f"by name: {', '.join(self.names)}"
        return f"from {self.values[0]} to {self.values[-1]}"


@dataclass(frozen=True)
class Phases:
    """Values of a seat's byte ``phase``. Above ``control``, all values but ``over`` mean that the field is settling."""

    spawn: int
    control: int
    over: int


@dataclass(frozen=True)
class OnPicture:
    """Where a game's picture shows its fields, in pixels. RAM maps don't hold that.

    field_at: by seat, the upper left corner of the first row in sight. cell: a cell's width. top: y of the first
    row in sight (None: as usual in the family). screen: the size of the whole picture; a core that crops it cuts
    the same amount from opposite sides (None: no core crops it). colors: the colour of each code, roughly.
    height: a cell's height (None: its width).
    """

    field_at: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    cell: int = 16
    top: int | None = None
    screen: tuple[int, int] | None = None
    colors: Mapping[int, tuple[int, int, int]] = field(default_factory=dict)
    height: int | None = None

    def square(self, column: int, row: int) -> tuple[int, int, int]:
        """Left, top and size of the largest square in the middle of a cell, from the field's corner. Column and row
        count from 0, at the first row in sight.
        """
        height = self.cell if self.height is None else self.height
        size = min(self.cell, height)
        return self.cell * column + (self.cell - size) // 2, height * row + (height - size) // 2, size

    def on_picture(self, seat: int, column: int, row: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """The same from the corner of a picture of this size, which a core may have cropped; None where the place of
        the seat's field isn't known.
        """
        if seat not in self.field_at:
            return None
        left, top = self.field_at[seat]
        wide, high = self.screen or picture
        across, down, size = self.square(column, row)
        return left + across - (wide - picture[0]) // 2, top + down - (high - picture[1]) // 2, size


@dataclass(frozen=True)
class Table:
    """A title's table. It holds everything that differs between titles of one family.

    - name: the name on the command line.
    - system, family: the names of its system and its family. rules, player: its default rules and player.
    - rom: the path of the shipped ROM, absolute or relative to the data folder; None when there is none.
    - rom_name: the title that the game in it shows.
    - earlier_roms: SHA-1, in lower case, of every ROM that was shipped in its place before.
    - map_folder: the folder of the shipped ROM's maps, below ram_maps/ or absolute. foreign_map_folder: that of other
      ROMs' maps (None: the same). Of maps for other ROMs, only public entries are read.
    - map_games: the values of ``game:`` that a map may have (none: any).
    - modes: values of the entry ``mode`` (None: the game has no such byte, or it doesn't show the mode). solo,
      versus: the names of the two modes that are played. solo_map, versus_maps: their maps, seat 1 first.
    - menus: by mode, the route through the menus; for other modes, ``MenuWalker`` searches for one. states: by mode, a
      savestate that is loaded instead.
    - options, versus_options: what the menu offers in each mode. defaults: by command, what is set when the user
      chose nothing.
    - spawn: where pieces appear, as a position of the family.
    - orientations: what the values of the entry ``orientation`` mean.
    - codes: code names that a map may use, and the family's numbers for them.
    - buttons: the button of each action.
    - playing: a game is running while ``state`` is this value or more. over: its value when the game has ended (None:
      no value shows it).
    - spawn_signs: entries that are other than 0 during a spawn, for maps without ``spawning``.
    - entries: further names that a map may have, beside those of the title's own maps.
    - sets: the files of known sets (systems whose ROMs are sets).
    - soundless: whether the shipped ROM leaves the same RAM when its sound program doesn't run. This must have been
      tested.
    - core: the core to use when nobody names one (None: the system's first).
    - shown: where the picture shows the fields; None when that isn't known.
    - gravity: how fast pieces sink and lock. None when that isn't known; players with slow hands may then choose
      placements that they can't reach in time.
    - tap: for how many frames the game wants a button held so that it is seen, and then released.
    """

    name: str
    system: str
    family: str
    rules: str
    player: str
    rom: str | None
    map_folder: str
    modes: Mapping[str, int | None]
    solo: str
    solo_map: str
    codes: Mapping[str, int]
    buttons: Mapping[Any, Button]
    phases: Phases
    spawn: Any
    orientations: Mapping[int, Orientation]
    versus: str = "versus"
    versus_maps: tuple[str, str] | None = None
    foreign_map_folder: str | None = None
    map_games: tuple[str, ...] = ()
    options: Mapping[str, MenuChoice] = field(default_factory=dict)
    versus_options: Mapping[str, MenuChoice] = field(default_factory=dict)
    defaults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    playing: int | None = None
    over: int | None = None
    spawn_signs: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    seed_frames: int = 1
    core_options: Mapping[str, str] = field(default_factory=dict)
    sets: Sets = field(default_factory=dict)
    rom_name: str = ""
    earlier_roms: tuple[str, ...] = ()
    soundless: bool = False
    note: str = ""
    core: str | None = None
    menus: Mapping[str, Route] = field(default_factory=dict)
    states: Mapping[str, Path] = field(default_factory=dict)
    shown: OnPicture | None = None
    gravity: Gravity | None = None
    tap: tuple[int, int] = (1, 1)
