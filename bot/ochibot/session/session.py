"""The session itself; see ``ochibot.session``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ochibot.console import HostedConsole, Made, PlayedConsole, Rom
from ochibot.falling.player import AnyPlayer, name_of
from ochibot.games import Game
from ochibot.games.choosing import (
    PathLike,
    check_state_mode,
    checked_options,
    maps_of,
    random_seed,
    two_maps,
)
from ochibot.games.protocols import AnySeat
from ochibot.players import open_player
from ochibot.ram import RamMap
from ochibot.session.byhand import ByHand

if TYPE_CHECKING:
    from ochibot.play.battle import Battle, BattleResult, Contestant
    from ochibot.play.endless import Endless, Result
    from ochibot.record import Recorder
    from ochibot.ui.screen import Screen
    from ochibot.ui.web.live.console import Broadcast

Held = TypeVar("Held")
PlayerLike = str | Path | AnyPlayer | None
"""A player by name, file, ``module:Class``, ``file.py:Class`` or ``engine:COMMAND``; a player object; or None for the
game's own player.
"""


class Session(ByHand):
    """One running game. Open it with ``ochibot.open`` and use it in a ``with`` block.

    game, rom, rules: what is played. console: the emulated machine. machine: the object whose ``step`` is called: the
    console, or a recorder or window around it. seed: delays START, so that each seed gives a reproducible run (see
    ``Game.seed_frames``); None: no delay. options: the choices on the game's menu, by name.
    """

    def __init__(
        self,
        game: Game,
        rom: Rom,
        rules: Any,
        console: HostedConsole,
        *,
        maps: Mapping[int, PathLike] | None = None,
        seed: int | None = None,
        options: Mapping[str, int] | None = None,
    ) -> None:
        """``maps``: the user's map files by seat (1, 2). Other seats use the shipped maps."""
        self.game = game
        self.rom = rom
        self.rules = rules
        self.console = console
        self.machine: PlayedConsole = console
        self.recorder: Recorder | None = None
        self.window: Screen | None = None
        self.live: Broadcast | None = None
        self.seed = seed
        self.options = dict(options or {})
        self._own_maps = {seat: Path(file) for seat, file in (maps or {}).items()}
        self._maps: dict[str, tuple[RamMap, ...]] = {}
        self._stack = contextlib.ExitStack()
        self._stack.callback(console.close)
        super().__init__()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def close(self) -> None:
        """Closes the record, the window and the console."""
        self._stack.close()

    def hold(self, context: contextlib.AbstractContextManager[Held]) -> Held:
        """Enters a context that is left when the session closes."""
        return self._stack.enter_context(context)

    # maps, seats, menu options and players

    def maps(self, mode: str | None = None) -> tuple[RamMap, ...]:
        """The maps of a mode's seats, seat 1 first. ``mode`` None: the one-player mode. Raises MapError."""
        wanted = mode or self.game.solo_mode
        if wanted not in self._maps:
            self._maps[wanted] = maps_of(self.game, self.rom, wanted, self._own_maps)
        return self._maps[wanted]

    def seats(self, mode: str | None = None) -> tuple[AnySeat, ...]:
        """Makes new seats for a mode, seat 1 first."""
        return tuple(self.game.seat(one, self.console.ram, self.rules) for one in self.maps(mode))

    def choose(self, chosen: Mapping[str, str | int | None], mode: str | None = None) -> dict[str, int]:
        """Sets choices on the game's menu. Returns all choices.

        chosen: values by option, as ``{"level": 4}``; None leaves one unchanged. mode: None is the one-player mode.
        Raises UsageError for an option that the game doesn't have in that mode, or a value that it doesn't take.
        """
        versus = mode is not None and mode != self.game.solo_mode
        self.options |= checked_options(self.game, chosen, versus=versus)
        return self.options

    def open_player(
        self,
        wanted: PlayerLike = None,
        *,
        seed: int | None = None,
        clairvoyant: bool = False,
        **options: int | None,
    ) -> AnyPlayer:
        """Makes a player for this game and its rules.

        wanted: a name, a file, ``module:Class``, ``file.py:Class`` or ``engine:COMMAND``; a player is returned as it
        is; None: the game's own player. seed: decides between placements of equal value. clairvoyant: whether it may
        see the pieces that the game hasn't shown yet. options: settings of that kind of player, such as ``plies=1``.
        Raises ConfigError or UsageError.
        """
        given = {name: value for name, value in options.items() if value is not None}
        return open_player(wanted, self.game, self.rules, seed=seed, options=given, clairvoyant=clairvoyant)

    # recorders and windows around the console

    def record(
        self,
        folder: PathLike,
        *,
        command: str,
        mode: str | None = None,
        players: Sequence[tuple[str, int, int | None]] = (),
        dump_every: int | None = None,
        dump_locks: bool = False,
        from_here: bool = False,
        clairvoyant: Collection[int] = (),
    ) -> Recorder:
        """Starts a record in ``folder``: from now on, ``machine`` is recorded.

        ``command``: the words to keep as the cause of the record. ``mode``: None is the one-player mode. ``players``:
        (name, seat, speed) of each. ``dump_every``: frames between dumped pictures. ``dump_locks``: whether a picture
        of each lock is dumped. ``from_here``: the record starts at a savestate of this moment; otherwise nothing may
        have run yet. ``clairvoyant``: the seats of clairvoyant players. Raises OutputError.
        """
        from ochibot.record import About, PlayerInfo, Recorder
        from ochibot.record.dump import DumpWriter
        from ochibot.record.machine import kept_of
        from ochibot.record.manifest import DUMP

        about = About(
            command=command,
            game=self.game.name,
            mode=mode or self.game.solo_mode,
            seed=self.seed,
            players=tuple(
                PlayerInfo(name=name, seat=1 if seat == 1 else 2, speed=speed, clairvoyant=seat in clairvoyant)
                for name, seat, speed in players
            ),
            settings=dict(self.options),
            maps=self.maps(mode),
            rules=self.rules.name,
            filed=kept_of(self.game, Path(folder)),
        )
        options = self.game.core_options
        recorder = self._stack.enter_context(
            Recorder.begin(Path(folder), self.console, about, from_here=from_here, options=options)
        )
        if dump_every is not None or dump_locks:
            writer = DumpWriter(Path(folder) / DUMP, recorder.manifest, every=dump_every, at_locks=dump_locks)
            recorder.attach(self._stack.enter_context(writer))
        self.recorder, self.machine = recorder, recorder.console
        return recorder

    def show(
        self,
        *,
        keys: PathLike | None = None,
        seats: tuple[int, ...] = (1,),
        person_seat: int | None = None,
        folder: PathLike = ".",
        mode: str | None = None,
    ) -> Screen:
        """Opens a window with picture and sound. ``seats``: the AIs' seats; each gets a panel.

        ``keys``: the user's keys file. ``person_seat``: the seat of a person who plays, None without one. ``folder``:
        where screenshots go. ``mode``: None is the one-player mode. Raises WindowError or ConfigError.
        """
        from ochibot.ui import opened_window

        shown = self.recorder.console if self.recorder is not None else self.console
        seat = self.seats(mode)[0]
        self.window = self._stack.enter_context(
            opened_window(
                shown,
                keys=None if keys is None else Path(keys),
                seats=seats,
                person_seat=person_seat,
                folder=Path(folder),
                ghosts=self.game.is_homebrew(self.rom.sha1),
                in_menus=seat.in_menus,
            )
        )
        self.machine = self.window
        return self.window

    def thinking(self, player: AnyPlayer) -> AnyPlayer:
        """Wraps a player so that it thinks in its own thread, and the window's frames needn't wait for it."""
        from ochibot.play.background import ThinkingPlayer

        return self._stack.enter_context(contextlib.closing(ThinkingPlayer(player)))

    def leave_out_av(self, wanted: bool | None = None) -> Made:
        """Lets the core leave out picture and sound, for runs that nobody watches. Returns what it still makes.

        ``wanted`` None: leaves out only what is known not to affect RAM (``Game.unseen``). True: leaves out both with
        any ROM, but a game that waits for its sound program may then hang. False: the core makes everything. In any
        case no picture is kept.
        """
        if wanted is not False:
            self.console.make(Made.NOTHING if wanted else self.game.unseen(self.rom.sha1))
        self.console.keep_video(False)
        return self.console.made

    # from power-on to play

    def load_state(self, path: PathLike) -> None:
        """Loads the user's savestate file ``path``, made in the one-player mode. The seed becomes None.

        Raises RomError, ConsoleError, UsageError.
        """
        from ochibot.console.states import load_state_file

        load_state_file(self.console, Path(path))
        self.seed = None
        check_state_mode(Path(path), self.seats()[0], self.game.solo_mode)

    def wait(self) -> None:
        """Runs ``seed`` modulo ``seed_frames`` frames. START comes that much later, so the game deals other pairs."""
        if self.seed is not None:
            for _ in range(self.seed % self.game.seed_frames):
                self.machine.step()

    def reach(self, seat: AnySeat, mode: str | None = None, stopped: Callable[[], bool] = lambda: False) -> None:
        """Goes through the menus to a seat's first spawn. ``mode`` None: the one-player mode.

        Raises GameError, or KeyboardInterrupt if ``stopped()``.
        """
        self.game.reach(self.machine, seat, mode or self.game.solo_mode, self.options, stopped)

    # playing by players

    def endless(
        self,
        player: PlayerLike = None,
        *,
        speed: int = 10,
        keep_going: bool = False,
        restart: Callable[[], None] | None = None,
        on_piece: Callable[[Endless], None] | None = None,
    ) -> Endless:
        """Prepares a run of one player. Call its ``run`` once the game is at a spawn.

        player: see ``open_player``. speed: that of the hands, 0 to 10. keep_going: plays on after a contradiction
        between game and rules. restart: brings an ended game to a first spawn again (None: the run ends). on_piece: is
        called at each spawn.
        """
        from ochibot.play.endless import Endless
        from ochibot.play.seat import SeatPlayer
        from ochibot.play.speed import hands_of

        (seat,) = self.seats()
        mind = self.open_player(player)
        pace = hands_of(speed, self.console)
        hands = SeatPlayer(seat, mind, pace, keep_going=keep_going, watcher=self.recorder)
        return Endless(self.machine, hands, seed=self.seed, speed=speed, on_piece=on_piece, restart=restart)

    def play(
        self,
        player: PlayerLike = None,
        *,
        pieces: int | None = None,
        frames: int | None = None,
        speed: int = 10,
        keep_going: bool = False,
        clairvoyant: bool = False,
        restart: bool = False,
        from_here: bool = False,
        in_menus: Callable[[], bool] = lambda: False,
        on_run: Callable[[Endless], object] | None = None,
        on_piece: Callable[[Endless], None] | None = None,
    ) -> Result:
        """Lets a player play alone from power-on, up to a number of pieces or frames, or to the game's end.

        ``player``: see ``open_player``. ``speed``: that of the hands, 0 to 10. ``keep_going``: plays on after a
        contradiction between game and rules. ``clairvoyant``: the player also sees the pieces that the game hasn't
        shown yet, if its memory holds them. ``restart``: begins again after a game over. ``from_here``: play has begun,
        as after ``load_state``. ``in_menus``: is called before each frame of the menus, and returns whether to stop.
        ``on_run``: gets the run behind the menus, before its first frame. ``on_piece``: is called at each spawn.
        """
        from ochibot.games.menu import MenuLimit

        mind = self.open_player(player, clairvoyant=clairvoyant)
        limit = MenuLimit(frames, in_menus)

        def begin() -> None:
            self.reach(run.player.seat, stopped=limit)

        again = begin if restart else None
        run = self.endless(mind, speed=speed, keep_going=keep_going, restart=again, on_piece=on_piece)
        if from_here:
            run.player.seat.resync()
        else:
            self.wait()
            begin()
        if on_run is not None:
            on_run(run)
        run.run(pieces=pieces, frames=frames)
        if self.recorder is not None:
            self.recorder.end = run.stopped_by
        return run.result()

    def contest(
        self,
        contestants: tuple[Contestant, Contestant],
        *,
        seed: int,
        max_pieces: int = 500,
        keep_going: bool = False,
        on_frame: Callable[[Battle], None] | None = None,
        on_menu: Callable[[], object] | None = None,
    ) -> Battle:
        """Prepares a battle of two contestants (``ochibot.play.battle.Contestant``). Call its ``run`` to begin.

        seed: decides which pairs come. max_pieces: of a game, after which it is a draw. keep_going: plays on after a
        contradiction between game and rules. on_frame, on_menu: are called after each frame of a game, of a menu.
        """
        from ochibot.play.battle import Battle

        first, second = self._versus_maps()
        return Battle(
            self.machine,
            self.game,
            contestants,
            rules=self.rules,
            maps=(first, second),
            seed=seed,
            options=self.options,
            max_pieces=max_pieces,
            keep_going=keep_going,
            on_frame=on_frame,
            on_menu=on_menu,
            watcher=self.recorder,
        )

    def _versus_maps(self) -> tuple[RamMap, RamMap]:
        return two_maps(self.game, self.maps(self.game.versus_mode))

    def battle(
        self,
        first: PlayerLike = None,
        second: PlayerLike = None,
        *,
        games: int = 2,
        speed: int = 10,
        max_pieces: int = 500,
    ) -> BattleResult:
        """Lets two players play against each other in the game's 2-player mode. They swap sides after each game.

        first, second: see ``open_player``. games: how many. speed: that of both players' hands, 0 to 10. max_pieces: of
        a game, after which it is a draw.
        """
        from ochibot.play.battle import Contestant

        seed = self.seed if self.seed is not None else random_seed(self.game)
        self.options = {**self.game.defaults("battle", self._versus_maps()[0]), **self.options}
        minds = [self.open_player(wanted, seed=seed + number) for number, wanted in enumerate((first, second))]
        one, other = (Contestant(name_of(mind), mind, speed) for mind in minds)
        fight = self.contest((one, other), seed=seed, max_pieces=max_pieces)
        fight.run(games)
        if self.recorder is not None:
            self.recorder.end = fight.result.stopped_by
        return fight.result
