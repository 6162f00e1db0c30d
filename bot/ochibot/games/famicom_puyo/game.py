"""The Famicom's Puyo Puyo as a Game (``ochibot.games.protocols``): what the commands ask of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from ochibot.console import Machine, Ram, Rom, load_nes_rom
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.falling.orientation import Orientation
from ochibot.games.famicom_puyo.seat import (
    HOMEBREW_ROM,
    ITEMS,
    NAME,
    SYSTEM,
    Seat,
    check_mode,
    is_homebrew,
    load_seat_map,
    reach,
)
from ochibot.games.protocols import Game
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search import evaluate
from ochibot.puyo.search.engine import prepare
from ochibot.puyo.search.evaluate import Evaluation
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import Decision, TwoPly
from ochibot.ram import RamMap

RULES = load_rules("famicom")


class FamicomPuyo:
    """The Game (``ochibot.games.protocols``)."""

    name = "puyo"
    system = SYSTEM
    solo_map = "player1"
    solo_mode = "endless"
    versus_maps = ("player12", "player2")
    options: Mapping[str, range] = MappingProxyType(
        {"level": range(1, 5), "colors": range(4, 7), "items": range(len(ITEMS))}
    )
    versus_options: Mapping[str, range] = options
    default_player = "article"
    homebrew_rom = HOMEBREW_ROM
    map_folders: tuple[str, ...] = (NAME,)
    core_options: Mapping[str, str] = MappingProxyType({})
    note = (
        "This ROM isn't our own game: only the public addresses are read. What their values mean (colour codes, which "
        "half of the pair x and y denote) is taken to be as in our game, and is not calibrated for it: the first "
        "contradiction stops the run. Calibrate with a map of your own and --map."
    )

    def open_rom(self, path: Path | None, system: Path | None = None) -> Rom:
        """The user's cartridge, or our own; it needs no system ROM. Raises RomError or UsageError."""
        if system is not None:
            raise UsageError("a Famicom cartridge needs no system ROM: leave --system out")
        return load_nes_rom(path if path is not None else data_path(HOMEBREW_ROM))

    def load_map(self, name: str | Path, rom: Rom | None = None) -> RamMap:
        """``load_seat_map``; for a ROM other than ours without what is only known of ours."""
        loaded = load_seat_map(name)
        return loaded if rom is None or is_homebrew(rom.sha1) else loaded.public()

    def check_map(self, ram_map: RamMap, mode: str, seat: int | None = None) -> None:
        """``check_mode``."""
        check_mode(ram_map, mode, seat)

    def seat(self, ram_map: RamMap, ram: Ram) -> Seat:
        """A Seat."""
        return Seat(ram_map, ram)

    def reach(
        self,
        machine: Machine,
        seat: Seat,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """``reach``."""
        return reach(machine, seat, mode, options, stopped)

    def is_homebrew(self, sha1: str) -> bool:
        """``is_homebrew``."""
        return is_homebrew(sha1)

    def check_player(self, file: Path) -> None:
        """``load_player``."""
        load_player(file)

    def open_player(self, file: Path, plies: int, seed: int | None) -> TwoPly:
        """A TwoPly. Raises ConfigError."""
        return TwoPly(load_player(file), RULES, plies, seed)

    def recalled(
        self, field: str, pair: str, next_pair: str, where: tuple[int, int, int, bool], value: float
    ) -> tuple[Snapshot, Decision]:
        """A snapshot and its decision from a record's words. Raises FieldError."""
        x, y, orientation, _ = where
        snapshot = Snapshot(Field.parse(field), Pair.parse(pair), Pair.parse(next_pair), 0, RULES.spawn)
        placement = Placement(x, y, Orientation(orientation))
        return snapshot, Decision(placement, value, place(snapshot.field, snapshot.pair, placement, RULES), 0)

    def judge(self, player: object) -> Callable[[Snapshot, Decision], Evaluation] | None:
        """The evaluation of a two-ply player."""
        if not isinstance(player, TwoPly):
            return None
        config = player.config
        evaluate(Field.empty(), config, RULES)
        return lambda _, decision: evaluate(decision.outcome.field, config, RULES)

    def prepare(self) -> None:
        """The two-ply search's."""
        prepare(RULES)


GAME: Game = FamicomPuyo()
