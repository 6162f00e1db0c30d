"""Titles made from a table. ROMs, maps, modes and menus work alike for all titles; each makes seats of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

from ochibot.console import HostedConsole, Machine, Made, Ram, Rom, find_system
from ochibot.console.sets import same_files
from ochibot.console.states import load_state_file
from ochibot.data import data_path
from ochibot.errors import GameError, MapError, OchibotError, RomError, UsageError
from ochibot.falling.family import Family
from ochibot.games.menu import ANOTHER, MenuWalker
from ochibot.games.protocols import AnySeat
from ochibot.games.route import RouteWalker
from ochibot.games.table import MenuChoice, Table
from ochibot.ram import Known, RamMap, load_map, names_of
from ochibot.wording import counted


class Title:
    """A Game (``ochibot.games.protocols``) made from a table. Titles derive from this class and make their seats."""

    def __init__(self, table: Table, family: Family) -> None:
        self.table = table
        self.family = family
        self.name = table.name
        self.system = table.system
        self.rules = table.rules
        self.default_player = table.player
        self.seed_frames = table.seed_frames
        self.solo_mode = table.solo
        self.versus_mode = table.versus
        self.options: Mapping[str, MenuChoice] = table.options
        self.versus_options: Mapping[str, MenuChoice] = table.versus_options
        self.core_options: Mapping[str, str] = {**find_system(table.system).options, **table.core_options}
        folders = (table.map_folder, table.foreign_map_folder)
        self.map_folders = tuple(folder for folder in folders if folder is not None)
        self.note = table.note
        self.core = table.core
        self._states: dict[tuple[Path, str], bytes] = {}
        """Savestates that a console has accepted, by (file, core's name and version)."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> AnySeat:
        """The seat that reads one player's side. Raises MapError when the map is for another game, system or field."""
        raise NotImplementedError(f"the title {self.name} makes no seats")

    def shipped_rom(self) -> Path | None:
        """The path of our own game that is shipped with the title; None when there is none."""
        if self.table.rom is None:
            return None
        path = Path(self.table.rom)
        return path if path.is_absolute() else data_path(self.table.rom)

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's ROM, or the shipped one. Raises RomError, or UsageError for a system ROM that isn't needed."""
        wanted = path if path is not None else self.shipped_rom()
        if wanted is None:
            raise RomError(f"no ROM comes with the game {self.name}: give yours with --rom")
        rom = find_system(self.system).load_rom(wanted, system, self.table.sets)
        shipped = self.shipped_rom()
        if shipped is None or wanted == shipped or shipped.suffix != ".zip" or rom.known_by:
            return rom
        # our own game counts as the shipped ROM even when somebody has zipped it anew
        ours = shipped.read_bytes()
        return replace(rom, known_by=_sha1(shipped)) if same_files(rom.data, ours) else rom

    def is_homebrew(self, sha1: str) -> bool:
        """Whether the ROM with this SHA-1 is the shipped one."""
        shipped = self.shipped_rom()
        return shipped is not None and _sha1(shipped) == sha1

    def earlier_rom(self, sha1: str) -> str | None:
        """The name of our game in a ROM that was shipped before the present one; None for any other ROM."""
        table = self.table
        if table.rom is None or sha1.lower() not in table.earlier_roms or self.is_homebrew(sha1):
            return None
        return table.rom_name or Path(table.rom).stem

    def unseen(self, sha1: str) -> Made:
        """What the core must still produce for a ROM when nobody watches or listens, so that RAM stays the same."""
        return Made.NOTHING if self.table.soundless and self.is_homebrew(sha1) else Made.SOUND

    def map_names(self, mode: str) -> tuple[str, ...]:
        """The shipped maps of a mode's seats, seat 1 first."""
        if mode == self.table.solo:
            return (self.table.solo_map,)
        if mode == self.table.versus and self.table.versus_maps is not None:
            return self.table.versus_maps
        raise MapError(f"the game {self.name} has no mode {mode!r} that can be played")

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:
        """Loads a map, given its shipped name or its file. For a ROM other than the shipped one, the map contains only
        public entries.
        """
        ours = rom is None or self.is_homebrew(rom.sha1)
        table = self.table
        if isinstance(name, Path):
            loaded = load_map(name, table.codes, table.system, self.map_words)
        else:
            folder = table.map_folder if ours or table.foreign_map_folder is None else table.foreign_map_folder
            loaded = load_map(_map_path(Path(folder) / f"{name}.yaml"), table.codes)
        return loaded if ours else loaded.public()

    def map_words(self) -> Known:
        """The names that a map of this title may use: those of its own maps, and those that its table adds.

        They include every name that a seat reads or a menu sets: the table adds those that no map of the title has.
        """
        table = self.table
        maps = [names_of(path) for folder in self.map_folders for path in _maps_in(folder)]
        entries = {*_ALWAYS, *table.entries, *table.spawn_signs, *table.options, *table.versus_options}
        return Known(
            entries.union(*(known.entries for known in maps)),
            frozenset().union(*(known.codes for known in maps)),
        )

    def check_map(self, ram_map: RamMap, mode: str, seat: int | None = None) -> None:
        """Raises MapError when a map is for another mode than ``mode``, or another seat than ``seat`` (1 or 2)."""
        modes = self.table.modes
        # A map that names no mode is for all modes. In a mode whose value isn't known, any map is accepted.
        if ram_map.mode is not None and modes[mode] not in (None, ram_map.mode):
            known = {value: name for name, value in modes.items()}
            raise MapError(
                f"the map {ram_map.name} is for the mode {known.get(ram_map.mode, ram_map.mode)!r}, not for {mode!r}; "
                "give a map of that mode"
            )
        if seat not in (None, ram_map.seat):
            raise MapError(
                f"the map {ram_map.name} is for seat {ram_map.seat}, not for seat {seat}; give a map of that seat"
            )

    def defaults(self, command: str, ram_map: RamMap) -> Mapping[str, int]:
        """The menu options that a command sets when the user chose none, as far as the map has entries for them."""
        wanted = self.table.defaults.get(command, {})
        return {name: value for name, value in wanted.items() if name in ram_map.entries}

    def reach(
        self,
        machine: Machine,
        seat: AnySeat,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Gets from power-on (or anywhere in the menus) to the first spawn of a mode. Returns the frames it took.

        ``options`` are further values to set on the menu. Raises MapError when the map is for another mode or has no
        entry for an option, UsageError for an option that can't be chosen on the way, GameError when play isn't
        reached, KeyboardInterrupt as soon as ``stopped()`` is true.
        """
        self.check_map(seat.map.map, mode)
        options = self.on_menu(options)
        value = self.table.modes[mode]
        wanted = {**({} if value is None else {"mode": value}), **options}
        if mode in self.table.states:
            return self._enter(machine, seat, self.table.states[mode], options, stopped)
        if mode in self.table.menus:
            origin, route = self.name, self.table.menus[mode]
            going = RouteWalker(
                machine,
                route,
                seat.map,
                seat.update,
                wanted,
                origin=origin,
                stopped=stopped,
                sign=lambda: self._unspawned(seat),
                tap=self.table.tap,
            )
            going.walk()
            return going.frames
        read = {
            name: seat.map.reader(name, f"is needed to set the option --{name}" if name != "mode" else "shows the mode")
            for name in wanted
        }
        walker = MenuWalker(machine, read, seat.update, stopped=stopped, sign=lambda: self._unspawned(seat))
        walker.walk(wanted)
        return walker.frames

    def on_menu(self, options: Mapping[str, int]) -> Mapping[str, int]:
        """The values to set on the menu for these options. Raises UsageError for options that contradict each other."""
        return options

    def _unspawned(self, seat: AnySeat) -> str:
        """Words for the error of a failed walk: the spawn sign and its values."""
        sign = getattr(seat, "spawn_in_words", lambda: "the spawn sign")()
        return f"{sign} never rose; {ANOTHER}"

    def _enter(
        self, machine: Machine, seat: AnySeat, path: Path, options: Mapping[str, int], stopped: Callable[[], bool]
    ) -> int:
        """Loads a savestate and goes on to the next spawn. Returns the frames it took."""
        if options:
            name = next(iter(options))
            raise UsageError(
                f"--{name} is chosen on the menu, which the savestate {path} of the game {self.name} passes by: leave "
                "it out"
            )
        console = cast(HostedConsole, machine)
        key = path, f"{console.core_name} {console.core_version}"
        known = self._states.get(key)
        if known is None:
            # a file's state is tried in a separate process, which takes long, so this is done only once
            load_state_file(console, path)
            self._states[key] = machine.save()
        else:
            machine.load(known)
        seat.resync()
        for frame in range(1, STATE_PATIENCE + 1):
            if stopped():
                raise KeyboardInterrupt
            machine.step()
            if seat.update():
                return frame
        raise GameError(
            f"no pair has appeared within {counted(STATE_PATIENCE, 'frame')} of the savestate {path}: "
            f"{self._unspawned(seat)}"
        )


STATE_PATIENCE: Final = 3600
"""The most frames from a savestate to the next spawn: one minute, since the falling pair may be slow."""

_ALWAYS: Final = ("field", "level", "loser", "mode", "pending", "score", "state")
"""The entries that ``RamSeat`` and the menu walker read for every title whose map has them."""


def _map_path(path: Path) -> Path:
    return path if path.is_absolute() else data_path(f"ram_maps/{path}")


def _maps_in(folder: str) -> list[Path]:
    """The map files of a folder; none when there is no such folder."""
    try:
        return sorted(_map_path(Path(folder)).glob("*.yaml"))
    except OchibotError:
        return []


@lru_cache(maxsize=64)
def _sha1(path: Path) -> str:
    return hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest()
