"""``ochibot coach``: shows a person the best places for his piece, and what threatens him, while he plays."""

from __future__ import annotations

import contextlib
import re
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.commands import taking
from ochibot.cli.inretroarch import await_play, joined
from ochibot.cli.livepage import check_page, go_live
from ochibot.cli.options import SpeedOption, file_option, folder_option, number_option, player_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.running import ConsoleOptions, InMenus, ending, introduction
from ochibot.errors import OchibotError, UsageError
from ochibot.falling.advice import FRAMES_A_SECOND, Adviser
from ochibot.play.coach import Coach, Counsel, Hints, Took, check_player
from ochibot.quoting import quoted
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.cli.coachshow import Show
    from ochibot.cli.inretroarch import Joined
    from ochibot.cli.output import Stop
    from ochibot.games.protocols import AnySeat, Game
    from ochibot.play.seat import AnySeatPlayer
    from ochibot.session import Session


@dataclass(frozen=True, kw_only=True)
class CoachOptions(ConsoleOptions):
    """The options of ``ochibot coach``."""

    player: Annotated[
        str | None, player_option("--player", "The player whose places are shown", "the strongest of the game's kind")
    ] = None
    hints: Annotated[Hints, typer.Option(help="When the best places are shown; dangers are always shown.")] = Hints.ALL
    after: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help="With --hints later: after so much time of a piece.")
    ] = 3.0
    match: Annotated[
        bool, typer.Option("--match", help="A game of two players, both sides of which are looked at.")
    ] = False
    seat: Annotated[int, number_option("The person's seat.", most=2)] = 1
    against: Annotated[
        str | None,
        player_option("--against", "With --match, in our window: the player on the other side", "the game's own"),
    ] = None
    speed: SpeedOption = 3
    replay: Annotated[
        Path | None, folder_option("Coach the game of a record, as fast as possible.", default="a running game")
    ] = None
    show: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="Where it is shown: window, terminal or lines.",
            show_default="window with --retroarch, lines with --replay, else beside the game",
        ),
    ] = None
    pieces: Annotated[int | None, number_option("Stop after this many pieces.", default="never")] = None
    at: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y", help="Where the window goes, in pixels.", show_default="where your desktop puts it"
        ),
    ] = None
    picture: Annotated[Path | None, file_option("Save the coach's last picture in this file.", default="nowhere")] = (
        None
    )

    def check(self) -> None:
        """Raises UsageError for options that contradict each other."""
        from ochibot.cli.coachshow import WHERE

        if self.show is not None and self.show not in WHERE:
            raise UsageError(f"--show is one of {', '.join(WHERE)}")
        if self.at is not None and not re.fullmatch(r"\d{1,5},\d{1,5}", self.at):
            raise UsageError(f"--at takes two numbers of pixels, such as 620,20, not {quoted(self.at)}")
        if self.replay is not None and self.retroarch is not None:
            raise UsageError("--replay and --retroarch are two different games: leave one of them out")
        if self.replay is not None and self.record is not None:
            raise UsageError("--replay is a record already: leave --record out, and give it to ochibot review")
        if self.against is not None and (not self.match or self.replay is not None or self.retroarch is not None):
            raise UsageError("--against is for --match in our own window: give --match, or leave it out")
        if self.replay is not None and self.web:
            raise UsageError("--web shows a running game, and --replay is a record: leave one of them out")
        check_page(self)


@taking(
    CoachOptions,
    "game rom system core rules map1 map2 player hints after match seat against speed replay show at retroarch "
    "any_address level colors option seed pieces picture record json keys shots game_module web host port allow_remote",
)
def coach(given: CoachOptions) -> None:
    """Get coached while you play: the best places for your piece, what they lead to, and what threatens you.

    It presses nothing. Use it in practice: in play against other people over a network, help like this is cheating.
    """
    check_target(given.json)
    given.check()
    there = joined(
        # what can be kept of a game in RetroArch is kept by the coach itself
        replace(given, record=None),
        ports=(),
        refused=dict.fromkeys(("level", "colors", "option", "seed"), "you choose it on the game's menu"),
    )
    with stopping(gently=True) as stop:
        run = _CoachRun(given, stop)
        if given.replay is not None:
            run.record(given.replay)
            return
        if there is not None:
            run.in_retroarch(there)
        else:
            run.in_window()
    run.keeping.review(run.out)


class _CoachRun:
    """One run of the coach."""

    def __init__(self, given: CoachOptions, stop: Stop) -> None:
        from ochibot.cli.coachshow import Keeping

        self.given = given
        self.stop = stop
        self.out = report_stream(given.json)
        self.log: list[dict[str, Any]] = []
        self.shown: list[float] = []
        self._ended = ""
        self.keeping = Keeping(given)

    @contextlib.contextmanager
    def _counsel(
        self, game: Game, rules: Any, seat: AnySeat, *, match: bool
    ) -> Iterator[tuple[Counsel, Adviser | None, str]]:
        from ochibot.falling.player import name_of
        from ochibot.players import open_player

        maker = getattr(game.family, "adviser", None)
        adviser: Adviser | None = None if maker is None else maker(rules)
        wanted: str | None = self.given.player
        quicker: Mapping[str, int] = {}
        if wanted is None and adviser is not None:
            wanted, quicker = adviser.match_player if match else adviser.player, adviser.again
        minds = [
            open_player(wanted, game, rules, seed=None, options=options, clairvoyant=False) for options in ({}, quicker)
        ]
        for mind in minds:
            check_player(mind)
        with contextlib.closing(Counsel(minds[0], minds[1], adviser, seat.look.planned)) as counsel:
            counsel.prepare()
            yield counsel, adviser, name_of(minds[0])

    def _coach(self, seat: AnySeat, counsel: Counsel, other: AnySeat | None, *, waits: bool) -> Coach:
        frames = round(self.given.after * FRAMES_A_SECOND)
        return Coach(seat, counsel, other, hints=self.given.hints, after=frames, waits=waits, on_took=self._note)

    def _show(self, usual: str, seat: AnySeat, adviser: Adviser | None, name: str) -> Show:
        from ochibot.cli.coachshow import shown_where

        at = None if self.given.at is None else tuple(map(int, self.given.at.split(",")))
        return shown_where(self.given.show or usual, seat, adviser, name, self.out, at)

    def _note(self, took: Took) -> None:
        from ochibot.cli.coachshow import took_as_dict

        self.log.append(took_as_dict(took, self._look))

    def _follow(self, coach: Coach, show: Show, arrived: float | None = None) -> bool:
        """Looks at a frame, and shows what has changed. Returns whether the run goes on."""
        before = coach.shown.advice
        if coach.frame(arrived):
            show.put(coach.shown)
            if before is None and coach.shown.advice is not None:
                self.shown.append(time.perf_counter() - coach.arrived)
        if self.given.pieces is not None and coach.result.judged >= self.given.pieces:
            self._ended = "pieces"
        elif not show.goes_on():
            self._ended = "window"
        elif self.stop.asked():
            self._ended = "interrupt"
        return not self._ended

    def record(self, folder: Path) -> None:
        """Coaches the game of a record."""
        from ochibot.errors import RecordError
        from ochibot.record import Record
        from ochibot.record.machine import own_title

        given = self.given
        record = Record.open(folder)
        found = own_title(record.manifest, folder)
        if found is None:
            raise RecordError(f"{folder}: its game isn't known here: give the game file with GAME")
        game, rules = found
        with record.console(given.rom, given.core, system=given.system) as console:
            seats = [game.seat(one, console.ram, rules) for one in record.manifest.about.maps]
            seat, other = self._sides(seats)
            self._look = seat.look
            with self._counsel(game, rules, seat, match=other is not None) as (counsel, adviser, name):
                coach = self._coach(seat, counsel, other, waits=True)
                with (
                    self._show("lines", seat, adviser, name) as show,
                    self._reported(coach, show, name, game.name, lambda: {"record": str(folder)}),
                ):
                    for _ in record.replay(console):
                        if not self._follow(coach, show):
                            break

    def _sides(self, seats: list[AnySeat]) -> tuple[AnySeat, AnySeat | None]:
        """The person's seat and the other one; None in a game of one person. Raises UsageError."""
        if len(seats) == 1:
            if self.given.seat != seats[0].number and self.given.seat != 1:
                raise UsageError(f"the game has one seat: leave --seat {self.given.seat} out")
            return seats[0], None
        mine = next(seat for seat in seats if seat.number == self.given.seat)
        return mine, next(seat for seat in seats if seat is not mine)

    def in_retroarch(self, there: Joined) -> None:
        """Coaches a person who plays in his RetroArch."""
        from ochibot.console.netcommands import plays_online

        given = self.given
        with given.opened(versus=given.match, there=there) as session:
            mode = session.game.versus_mode if given.match else None
            seats = list(session.seats(mode))
            seat, other = self._sides(seats)
            self._look = seat.look
            local = there.address.host == "127.0.0.1"
            self._refuse_online(local and plays_online())
            with self._counsel(session.game, session.rules, seat, match=given.match) as (counsel, adviser, name):
                print(introduction(session), file=self.out)
                there.begin(session, mode, list)
                coach = self._coach(seat, counsel, other, waits=False)
                go_live(given, session, self.out)
                self._broadcast(session, coach, name)
                with self._show("window", seat, adviser, name) as show:
                    with contextlib.closing(StatusLine()) as status:
                        await_play(session, seats, InMenus(status, self.stop.asked), self.out, who="the coach")
                    there.in_menus()
                    self.keeping.begin_list(session, mode)
                    show.put(coach.shown)
                    about = {"retroarch": str(there.address)}
                    with self._reported(
                        coach, show, name, session.game.name, lambda: {**about, "missed": there.console.missed}
                    ):
                        while True:
                            session.machine.step()
                            there.in_play()
                            self.keeping.frame()
                            if coach.result.frames % 60 == 0:
                                self._refuse_online(local and plays_online())
                            if not self._follow(coach, show, there.console.arrived):
                                break

    @staticmethod
    def _refuse_online(online: bool) -> None:
        if online:
            raise UsageError(
                "RetroArch plays over the network: a coach would be cheating there, so it is off; end netplay first"
            )

    def in_window(self) -> None:
        """Coaches a person who plays in our window."""
        from ochibot.cli.coachshow import Beside
        from ochibot.games.choosing import random_seed
        from ochibot.ui import need_window

        given = self.given
        if given.seat != 1:
            raise UsageError("in our window you have seat 1: leave --seat out")
        need_window()
        with given.opened(versus=given.match) as session:
            title = session.game
            mode = title.versus_mode if given.match else None
            session.seed = random_seed(title) if given.seed is None else given.seed
            session.choose(given.chosen(), mode)
            seats = list(session.seats(mode))
            seat, other = self._sides(seats)
            self._look = seat.look
            with self._counsel(title, session.rules, seat, match=given.match) as (counsel, _, name):
                print(introduction(session), file=self.out, flush=True)
                self.keeping.begin_record(session, mode)
                screen = session.show(
                    keys=given.keys, seats=(1, 2) if given.match else (1,), person_seat=1, folder=given.shots, mode=mode
                )
                show = Beside(screen, seat, name)
                coach = self._coach(seat, counsel, other, waits=False)
                go_live(given, session, self.out)
                self._broadcast(session, coach, name)
                with self._reported(coach, show, name, title.name, lambda: {"window": screen.report().as_dict()}):
                    if given.match:
                        self._match(session, coach, show, mode, name)
                    else:
                        session.wait()
                        session.reach(session.seats(mode)[0], mode, self.stop.asked)
                        seat.resync()
                        screen.hurries = False
                        screen.when_quit(self._end)
                        while not self._ended and self._follow(coach, show):
                            session.machine.step()

    @staticmethod
    def _broadcast(
        session: Session, coach: Coach, name: str, ai: AnySeatPlayer | None = None, titles: tuple[str, ...] = ()
    ) -> None:
        """Lets the page show the person's seat with the best place, and the other side (``ai``: its player)."""
        from ochibot.cli.coachshow import watched_by

        if session.live is not None:
            session.live.watch(lambda: watched_by(coach, name, ai, titles))

    def _end(self, why: str) -> None:
        self._ended = self._ended or why

    def _match(self, session: Session, coach: Coach, show: Show, mode: str | None, coach_name: str) -> None:
        """A match in our window against a player."""
        from ochibot.falling.player import name_of, prepare
        from ochibot.play.seat import SeatPlayer
        from ochibot.play.speed import hands_of
        from ochibot.play.versus import Versus

        given, screen = self.given, session.window
        assert screen is not None
        session.options = {**session.game.defaults("versus", session.maps(mode)[0]), **session.options}
        mind = session.open_player(given.against, seed=session.seed)
        prepare(mind)
        person, seat = session.seats(mode)
        session.wait()
        session.reach(person, mode, self.stop.asked)
        for one in (seat, coach.seat, coach.other):
            if one is not None:
                one.resync()
        screen.hurries = False
        hands = SeatPlayer(seat, session.thinking(mind), hands_of(given.speed, session.console), keep_going=True)

        def each(versus: Versus) -> None:
            if not self._follow(coach, show):
                versus.stop(self._ended)

        running = Versus(session.machine, person, hands, on_frame=each)
        titles = (name_of(mind), f"speed {given.speed}")
        self._broadcast(session, coach, coach_name, hands, titles)
        screen.watch(lambda: [(hands, titles)])
        screen.when_quit(running.stop)
        running.run()
        self._end(running.result.stopped_by)

    @contextlib.contextmanager
    def _reported(
        self, coach: Coach, show: Show, name: str, game: str, further: Callable[[], dict[str, object]]
    ) -> Iterator[None]:
        """Reports after the block, also if an error ended it, unless there was nothing to say yet."""
        failure: OchibotError | None = None
        try:
            yield
        except OchibotError as error:
            if not coach.result.pieces:
                raise
            self._ended, failure = "error", error
        self._finish(coach, show, name, game, further())
        if failure is not None:
            raise failure

    def _finish(self, coach: Coach, show: Show, name: str, game: str, further: dict[str, object]) -> None:
        from ochibot.cli.coachshow import summary

        coach.settle()
        result = coach.result
        result.stopped_by = self._ended or "the end"
        if self.given.picture is not None:
            show.picture(self.given.picture)
        times = sorted(1000 * one for one in self.shown)
        latency = None
        if times and self.given.replay is None:
            latency = {
                "median": statistics.median(times),
                "p99": times[int(0.99 * (len(times) - 1))],
                "most": times[-1],
            }
        print(summary(result, latency, ending(result.stopped_by)), file=self.out, flush=True)
        about = {"game": game, "player": name, "hints": str(self.given.hints), **further}
        write_json({**about, **result.as_dict(), "latency_ms": latency, "log": self.log}, self.given.json)
