"""Titles made from game files, shipped or written by users."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ochibot.console import Ram, Rom, find_system
from ochibot.console.rom import sha1_of_files
from ochibot.data import is_file, shipped_file
from ochibot.errors import ConfigError, MapError, OchibotError, RomError, UsageError
from ochibot.games.filed.read import NONE, MadeFile, read_game, read_kept, read_shipped
from ochibot.games.protocols import AnySeat
from ochibot.games.title import Title
from ochibot.quoting import brief, brief_path
from ochibot.ram import Known, RamMap, load_map, map_of, names_of
from ochibot.wording import counted

_NES_HEADER: Final = 16
"""The size of the header in an .nes file, which isn't part of the cartridge."""
_OWN_HEADER: Final = slice(0x100, 0x200)
"""Where a Mega Drive ROM has its own header."""


class MadeTitle(Title):
    """A title made from a game file, with the seats of its family."""

    def __init__(self, made: MadeFile) -> None:
        super().__init__(made.table, made.kind.family)
        self.made = made
        self.look = made.look

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> AnySeat:
        """The seat that reads one player's side. Raises MapError when the map is for another game, system or field."""
        return self.made.kind.seat(self.table, self.look, ram_map, ram, rules)

    def knows(self, rom: Rom) -> bool:
        """Whether this is a ROM of the game: ours, one that the file's ``known`` describes, or one of its sets."""
        said, whole = self.made.said, rom.sha1.lower()
        without_header = hashlib.sha1(rom.data[_NES_HEADER:], usedforsecurity=False).hexdigest()
        return (
            self.is_homebrew(rom.sha1)
            or whole in self.table.earlier_roms
            or any(one.lower() in (whole, without_header) for one in said.known.sha1)
            or any(word.encode() in rom.data[_OWN_HEADER] for word in said.known.header)
            or any(sha1_of_files(files) == whole for files in self.table.sets.values())
        )

    def map_words(self) -> Known:
        """The names that a map may use, including the family's further entries (``Kind.entries``)."""
        known = super().map_words()
        return Known(frozenset(known.entries) | self.made.kind.entries, known.codes)


def shipped_title(name: str) -> MadeTitle:
    """The title of a shipped game file."""
    return MadeTitle(read_shipped(name))


class FiledTitle(MadeTitle):
    """The title of a user's game file. Its maps are files beside it, shipped maps, or part of the file.

    ``path``: the file; None when it comes from a record, which holds the maps.
    """

    def __init__(self, made: MadeFile, path: Path | None) -> None:
        super().__init__(made)
        self.path = path
        self.map_folders = ()
        self._sources = {name: mode.maps for name, mode in made.said.modes.items()}
        self._loaded: dict[str, RamMap] = {}
        listed = counted(len(made.said.sha1), "other") if made.said.sha1 else "another"
        self.note = made.said.note or (
            f"The game file of {self.name} wasn't made for this ROM but for {listed}: its maps may not fit, and the "
            "first contradiction stops the run."
        )

    # ROMs

    def shipped_rom(self) -> Path | None:
        """The path of the ROM that the file names; None when it names none, or there is no such file."""
        return Path(self.table.rom) if self.table.rom is not None and is_file(Path(self.table.rom)) else None

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's ROM, or the one that the file names. Raises RomError, UsageError."""
        if path is None and self.shipped_rom() is None:
            if self.table.rom is None:
                raise RomError(f"the game file of {self.name} names no ROM: give yours with --rom, or add rom: to it")
            raise RomError(
                f"the game file of {self.name} names the ROM {brief_path(self.table.rom)}, and there is no such file: "
                "put it there, or give it with --rom"
            )
        return super().open_rom(path, system)

    @cached_property
    def _known_roms(self) -> frozenset[str]:
        """SHA-1 of the ROMs that the file is made for: those listed under ``sha1``, and the one named under ``rom``."""
        known = {one.lower() for one in self.made.said.sha1}
        own = self.shipped_rom()
        if own is not None:
            try:
                known.add(find_system(self.system).load_rom(own, None, self.table.sets).sha1.lower())
            except OchibotError:
                known.add(hashlib.sha1(own.read_bytes(), usedforsecurity=False).hexdigest())
        return frozenset(known)

    def knows(self, rom: Rom) -> bool:
        """Whether the file names this ROM."""
        return rom.sha1.lower() in self._known_roms

    def is_homebrew(self, sha1: str) -> bool:
        """Whether the file is made for the ROM with this hash. A file that names no ROM is made for all."""
        return not self._known_roms or sha1.lower() in self._known_roms

    # maps

    def map_names(self, mode: str) -> tuple[str, ...]:
        """The names of a mode's maps, seat 1 first: files, or ``MODE 1`` for a map inside the game file.

        Raises UsageError when the game file has no mode for this number of players (see ``NONE``).
        """
        if mode == NONE["versus"]:
            raise UsageError(
                f"the game file of {self.name} has no mode for two players: give one under modes with two maps, and "
                "its name under versus"
            )
        if mode == NONE["solo"]:
            raise UsageError(
                f"the game file of {self.name} has no mode for one player: give one under modes with one map, and its "
                "name under solo"
            )
        sources = self._sources.get(mode, ())
        return tuple(one if isinstance(one, str) else f"{mode} {seat}" for seat, one in enumerate(sources, 1))

    @property
    def own_maps(self) -> tuple[str, ...]:
        """The names of all maps that the file names."""
        return tuple(dict.fromkeys(name for mode in self._sources for name in self.map_names(mode)))

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:  # noqa: ARG002
        """One of the file's maps by its name, or another one by its path. Raises MapError."""
        if isinstance(name, Path):
            return self._checked(load_map(name, self.table.codes, self.system, self.map_words))
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> RamMap:
        for mode in self._sources:
            for seat, (known, source) in enumerate(zip(self.map_names(mode), self._sources[mode], strict=True), 1):
                if known != name:
                    continue
                codes, words = self.table.codes, self.map_words
                if isinstance(source, str):
                    return load_map(_map_file(source, self._where, mode), codes, self.system, words)
                value = self.table.modes[mode]
                basics = {"game": self.name, "name": f"{mode}{seat}", "system": self.system, "seat": seat}
                # maps needn't repeat what the game file says already
                said = {**basics, **({} if value is None else {"mode": value}), **source}
                return map_of(said, Path(f"{self._where}: modes.{mode}.maps[{seat - 1}]"), codes, self.system, words)
        raise MapError(f"the game file of {self.name} has no map {brief(name)}; give one with --map")

    @property
    def _where(self) -> str:
        return str(self.path) if self.path is not None else f"the game file of {self.name}"

    def _checked(self, loaded: RamMap) -> RamMap:
        """Checks a map given in place of the file's own: its ``game`` must be one that the file or its maps name."""
        games = {self.name, *self.table.map_games}
        for mode in self._sources:
            games |= {self.load_map(name).game for name in self.map_names(mode)}
        if loaded.game not in games:
            raise MapError(
                f"the map {loaded.name} is for the game {loaded.game!r}, not for {self.name!r}; give a map of that game"
            )
        return loaded

    def map_words(self) -> Known:
        """The names that a map may use: all that titles of the family know, and those that the file refers to."""
        kind, table = self.made.kind, self.table
        maps = [names_of(path) for path in _shipped_maps(kind.map_folders)]
        looked = (route.names for route in table.menus.values())
        own = super().map_words()
        return Known(
            frozenset(own.entries).union(kind.entries, *looked, *(known.entries for known in maps)),
            frozenset(own.codes).union(*(known.codes for known in maps)),
        )

    # records

    def kept(self) -> dict[str, Any]:
        """What a record keeps of the file: all but the ROM and its sets, player, rules, savestates and maps.

        (Every record holds the maps anyway.)
        """
        kept = {name: part for name, part in self.made.data.items() if name not in _NOT_KEPT}
        kept["modes"] = {
            name: {part: value for part, value in mode.items() if part not in ("maps", "state")}
            for name, mode in self.made.data["modes"].items()
        }
        for role in ("solo", "versus"):
            kept[role] = mode if (mode := getattr(self.table, role)) != NONE[role] else None
        return {name: part for name, part in kept.items() if part is not None}

    @classmethod
    def kept_in_record(cls, path: Path) -> FiledTitle:
        """The title of the game file in a record's folder. It has no maps and no ROM. Raises ConfigError."""
        return cls(read_kept(path), None)


_NOT_KEPT: Final = ("rom", "state", "sets", "rules", "player")


def load_game_file(path: Path) -> FiledTitle:
    """The title of a user's game file. Raises ConfigError."""
    return FiledTitle(read_game(path), path)


def _map_file(name: str, where: str, mode: str) -> Path:
    """The path of a map, given its absolute path or the name of a shipped map. Raises ConfigError."""
    path = Path(name) if Path(name).is_absolute() and is_file(Path(name)) else shipped_file("ram_maps", name)
    if path is None:
        raise ConfigError(
            f"{where}: modes.{mode}.maps: there is no map {brief(name)}, beside the file or shipped; give the name of "
            "a file beside it"
        )
    return path


def _shipped_maps(folders: tuple[str, ...]) -> list[Path]:
    from ochibot.data import data_root

    return [path for folder in folders for path in sorted((data_root() / "ram_maps" / folder).glob("*.yaml"))]
