"""Helpers for tests of our own titles: they open ROMs and consoles, and make seats, maps and players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ochibot import games, players
from ochibot.console import Console, Machine, Ram, Rom, find_core
from ochibot.falling.player import AnyPlayer
from ochibot.games.filed.title import shipped_title
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.games.protocols import Game
from ochibot.games.puyoseat import PuyoSeat
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.player import PlayerConfig, load_player
from ochibot.ram import RamMap, load_map

PUYO: Game = games.find_game("puyo")
NYAA: Game = games.find_game("nyaa")
TSU: Game = games.find_game("tsu")

_PUYO, _NYAA, _TSU, _TSU_C2 = map(shipped_title, ("puyo", "nyaa", "tsu", "tsu_c2"))

TABLE, NYAA_TABLE, TSU_TABLE, ARCADE_TABLE = _PUYO.table, _NYAA.table, _TSU.table, _TSU_C2.table
LOOK, NYAA_LOOK, TSU_LOOK = _PUYO.look, _NYAA.look, _TSU.look
"""The tables and looks in our titles' game files."""

RULES: Rules = load_rules("famicom")
"""The rules of our Famicom cartridge."""

HOMEBREW_ROM = "roms/homebrew/famicom/ochidama.nes"


def rules_of(game: Game) -> Any:
    """The rules that a title is played by."""
    return game.family.load_rules(game.rules)


def open_rom(path: Path | None, game: Game = PUYO) -> Rom:
    """A title's ROM; None: the shipped one."""
    return game.open_rom(path)


def open_console(core: str | None, rom: Rom | None = None, game: Game = PUYO) -> Console:
    """A console with a title's ROM in it (None: the shipped one)."""
    image = rom if rom is not None else game.open_rom(None)
    return Console.open(find_core(game.system, core), image, options=game.core_options)


def load_seat_map(name: str | Path) -> RamMap:
    """A map of our Famicom cartridge."""
    return PUYO.load_map(name)


def famicom_seat(ram_map: RamMap, ram: Ram, rules: Rules = RULES) -> PuyoSeat:
    """A seat of our Famicom cartridge; by default, with the cartridge's rules."""
    return PuyoSeat(TABLE, LOOK, ram_map, ram, rules)


def neogeo_seat(ram_map: RamMap, ram: Ram, rules: Any) -> NyaaSeat:
    """A seat of our Neo Geo game."""
    return NyaaSeat(NYAA_TABLE, NYAA_LOOK, ram_map, ram, rules)


def seat_of(game: Game, console: Machine, mode: str | None = None, number: int = 1) -> Any:
    """A seat of a title in a mode (None: its solo mode)."""
    name = game.map_names(mode or game.solo_mode)[number - 1]
    return game.seat(game.load_map(name), console.ram, rules_of(game))


def maps_of(game: Game, mode: str | None = None) -> Any:
    """The maps of the seats of a mode (None: the solo mode)."""
    return tuple(game.load_map(name) for name in game.map_names(mode or game.solo_mode))


def reach(
    machine: Machine,
    seat: Any,
    mode: str,
    options: Mapping[str, int],
    stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Brings our Famicom cartridge to the first spawn of a mode. Returns how many frames it took."""
    return PUYO.reach(machine, seat, mode, options, stopped)


def player_file(wanted: str, game: Game = PUYO) -> Path:
    """The path of a player's file."""
    return players.find_file(wanted, game).path


def find_player(wanted: str) -> PlayerConfig:
    """A Puyo Puyo player's configuration, read from its file."""
    return load_player(player_file(wanted))


def player_of(game: Game, wanted: str | None = None, plies: int = 2, seed: int | None = None) -> AnyPlayer:
    """A player for a title, with the title's rules. wanted None: the title's default player."""
    return players.open_player(wanted, game, rules_of(game), seed=seed, options={"plies": plies})


__all__ = ["TABLE", "load_map"]
