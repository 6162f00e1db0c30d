"""AI against AI: two players at the two seats of one running game, changing sides after each game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ochibot.console import Button, PlayedConsole
from ochibot.errors import StalledError
from ochibot.falling.player import AnyPlayer, EngineError, tell_ends, watches
from ochibot.falling.series import SeriesGame, SeriesStanding
from ochibot.falling.series import games as series_of
from ochibot.games.protocols import AnySeat, Facing, Game
from ochibot.play.agreement import Counts
from ochibot.play.endless import STALL_FRAMES
from ochibot.play.pilot import LONGEST_DELAY
from ochibot.play.seat import AnySeatPlayer, SeatPlayer, Watcher, loser_of
from ochibot.play.speed import hands_of
from ochibot.ram import RamMap


@dataclass(frozen=True)
class Contestant:
    """One side of a battle: its player and the speed (0 to 10) of its hands."""

    name: str
    player: AnyPlayer
    speed: int


@dataclass(frozen=True)
class GameResult:
    """The result of one game. Pairs of values are in the order of the contestants.

    winner: 0 or 1, the contestant's number, None for a draw. swapped: whether contestant 0 had seat 2. seed: how many
    frames passed between the reset and the menus. forfeit: why an engine has lost the game by its own fault, in words.
    """

    winner: int | None
    swapped: bool
    seed: int
    frames: int
    pieces: tuple[int, int]
    best_chain: tuple[int, int]
    nuisance_sent: tuple[int, int]
    scores: tuple[int, int]
    forfeit: str = ""


@dataclass
class Played(Counts):
    """The results of one game. game: None when it was stopped or ended by an error. The counts are sums over the locks
    of both seats.
    """

    game: GameResult | None = None


@dataclass
class BattleResult(Counts):
    """All games so far; the fields of ``ochibot battle --json``. ``agreement`` is over all locks of both seats.

    cut_off: locks whose field hadn't settled when the round ended or was stopped; they don't count as pieces. given_up:
    misplaced pairs whose target the pilot gave up. contradictions, contradicted: see ``Counts``. The locks of a game
    that was stopped, or ended by a contradiction, count too. best_chain: each contestant's longest chain; in Pochi &
    Nyaa the best attack.
    """

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    win_rate_interval: list[float] = field(default_factory=lambda: [0.0, 1.0])
    mean_frames: float = 0.0
    best_chain: list[int] = field(default_factory=lambda: [0, 0])
    nuisance_sent: list[int] = field(default_factory=lambda: [0, 0])
    seconds: float = 0.0
    seed: int = 0
    core: str = ""
    rom_sha1: str = ""
    stopped_by: str = ""
    games_detail: list[dict[str, object]] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return self.ordered("win_rate_interval")

    def add_game(self, played: Played) -> None:
        """Adds a game, or the part of one that was played."""
        self.add(played)
        game = played.game
        if game is None:
            return
        standing = SeriesStanding((self.wins[0], self.wins[1]), self.draws)
        standing.add(game.winner)
        frames = sum(int(str(one["frames"])) for one in self.games_detail) + game.frames
        self.games += 1
        self.wins, self.draws = list(standing.wins), standing.draws
        self.win_rate_interval = list(standing.interval)
        self.mean_frames = round(frames / self.games, 1)
        for side in range(2):
            self.best_chain[side] = max(self.best_chain[side], game.best_chain[side])
            self.nuisance_sent[side] += game.nuisance_sent[side]
        self.games_detail.append(asdict(game))


class Battle:
    """Plays games in ``console``; ``result`` grows with each. ``on_frame(battle)`` is called after every frame.

    ``on_menu()`` is called before every frame in the menus. delays: of all games so far, see ``Pilot``.
    """

    def __init__(
        self,
        console: PlayedConsole,
        game: Game,
        contestants: tuple[Contestant, Contestant],
        *,
        rules: Any,
        maps: tuple[RamMap, RamMap],
        seed: int,
        options: Mapping[str, int],
        max_pieces: int,
        keep_going: bool = False,
        on_frame: Callable[[Battle], None] | None = None,
        on_menu: Callable[[], object] | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self.console = console
        self.game = game
        self.contestants = contestants
        self.seed = seed
        self.options = options
        self.max_pieces = max_pieces
        self.rules = rules
        self.maps = maps
        self.keep_going = keep_going
        self.seats: tuple[AnySeatPlayer, AnySeatPlayer] | None = None
        self.frames = 0
        self.delays = [0] * (LONGEST_DELAY + 1)
        self.result = BattleResult(
            seed=seed, core=f"{console.core_name} {console.core_version}", rom_sha1=console.rom.sha1
        )
        self.on_frame = on_frame
        self._on_menu = on_menu
        self._watcher = watcher
        self._stop = ""
        self._began = time.perf_counter()

    def stop(self, why: str) -> None:
        """Ends the battle after the current frame; the unfinished game isn't counted."""
        self._stop = why

    def run(self, games: int) -> None:
        """Plays this many games, swapping sides after each. Raises GameError at a disagreement."""
        for game in series_of(games):
            played = Played()
            try:
                self.play_one(game, played)
            finally:
                # the locks of a game that ends early count as well
                self.result.add_game(played)
                self.result.seconds = self.seconds
            if played.game is None:
                self.result.stopped_by = self._stop
                return
        self.result.stopped_by = "games"

    def play_one(self, game: SeriesGame, played: Played) -> None:
        """Plays one game of the series and writes its counts to ``played``, also when it raises GameError."""
        try:
            played.game = self._game(game)
        finally:
            for player in self.seats or ():
                player.abandon()
                played.add(player.tally)
                self.delays = [one + more for one, more in zip(self.delays, player.pilot.delays, strict=True)]

    @property
    def seconds(self) -> float:
        """Seconds since this object was made."""
        return round(time.perf_counter() - self._began, 2)

    def _sit_down(self, game: SeriesGame) -> tuple[AnySeatPlayer, AnySeatPlayer]:
        made = [
            SeatPlayer(
                self.game.seat(ram_map, self.console.ram, self.rules),
                side.player,
                hands_of(side.speed, self.console),
                keep_going=self.keep_going,
                watcher=self._watcher,
            )
            for ram_map, side in zip(self.maps, game.seated(self.contestants), strict=True)
        ]
        for own, other in (made, made[::-1]):
            if watches(own.player) and isinstance(own.seat, Facing):
                own.seat.face(other.seat)
        return made[0], made[1]

    def _game(self, game: SeriesGame) -> GameResult | None:
        """Plays one game from reset; None when stopped.

        The game's seed is the number of frames between the reset and the menus, so the game can be repeated alone.
        """
        seed = game.own_deal(self.seed) % self.game.seed_frames
        console = self.console
        self.seats = None
        console.reset()
        for _ in range(seed):
            console.step()
        self.seats = seats = self._sit_down(game)
        try:
            self.game.reach(console, seats[0].seat, self.game.versus_mode, self.options, self._in_menus)
        except KeyboardInterrupt:
            # pass an interrupt on if the battle hasn't had a frame of play: there is nothing to report
            if self._stop and (self.frames or self._stop != "interrupt"):
                return None
            raise
        second = seats[1].seat
        second.resync()
        faults: dict[int, str] = {}
        _fair(seats[0], seats[0].spawn, faults)
        # Most games deal to both seats in the same frame. Where the second seat's pair isn't out yet, its spawn is
        # still to come.
        if second.in_hand() or not second.ready():
            _fair(seats[1], seats[1].spawn, faults)
        lost = loser_of(seats[0].seat, second)
        began, idle = self.frames, 0
        pads = [Button.NONE, Button.NONE]
        loser = next(iter(faults), 0)
        while not loser:
            if self._stop:
                return None
            if min(player.tally.pieces for player in seats) >= self.max_pieces:
                break
            console.step(*pads)
            self.frames += 1
            idle += 1
            for at, player in enumerate(seats):
                pads[at] = _fair(player, player.frame, faults) or Button.NONE
                if player.seat.spawned:
                    idle = 0
            loser = next(iter(faults), 0) or lost()
            if self.on_frame is not None:
                self.on_frame(self)
            if idle > STALL_FRAMES:
                raise StalledError(f"no new pair has come for {STALL_FRAMES} frames: the round hangs, or is paused")
        for number, player in enumerate(seats, 1):
            # the loser's last lock has settled; the winner's may not have settled when the round ended, for both
            if number != (loser or number) or not player.game_over():
                player.abandon()
        tell_ends([player.player for player in seats], loser)
        return self._game_result(game, seed, began, loser or None, faults.get(loser, ""))

    def _in_menus(self) -> bool:
        """Called before each frame of the menus. Returns whether to stop."""
        if self._on_menu is not None:
            self._on_menu()
        return bool(self._stop)

    def _game_result(self, game: SeriesGame, seed: int, began: int, loser: int | None, forfeit: str) -> GameResult:
        assert self.seats is not None
        first, second = game.seated(self.seats)
        return GameResult(
            winner=game.winner(loser),
            swapped=game.swapped,
            seed=seed,
            frames=self.frames - began,
            pieces=(first.tally.pieces, second.tally.pieces),
            best_chain=(first.tally.best_chain, second.tally.best_chain),
            nuisance_sent=(_sent(first.seat, second.seat), _sent(second.seat, first.seat)),
            scores=(first.seat.score(), second.seat.score()),
            forfeit=forfeit,
        )


def _fair(player: AnySeatPlayer, act: Callable[[], Any], faults: dict[int, str]) -> Any:
    """Lets a player act. If its engine fails, notes why under its seat and returns None."""
    try:
        return act()
    except EngineError as error:
        faults.setdefault(player.seat.number, str(error))
        return None


def _sent(seat: AnySeat, other: AnySeat) -> int:
    """How much nuisance a seat has sent: its own count, or, if the map has none, how much the other seat received."""
    return seat.sent if seat.sent is not None else other.received or 0
