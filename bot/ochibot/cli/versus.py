"""``ochibot versus``: you against the AI, in a window or in your own RetroArch."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TextIO

from ochibot.cli.commands import taking
from ochibot.cli.inretroarch import await_play, joined
from ochibot.cli.livepage import check_page, go_live, watched_with
from ochibot.cli.options import SpeedOption, number_option
from ochibot.cli.output import StatusLine, locks_text, report_stream, stopping
from ochibot.cli.running import (
    ConsoleOptions,
    ConsoleRun,
    InMenus,
    check_recording,
    connect,
    ending,
    failure_of,
    introduction,
)
from ochibot.errors import OchibotError, UsageError
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.cli.inretroarch import Joined
    from ochibot.cli.output import Stop
    from ochibot.console import PlayedConsole
    from ochibot.falling.player import AnyPlayer
    from ochibot.games.protocols import AnySeat
    from ochibot.play.versus import Round, Versus
    from ochibot.session import Session


@dataclass(frozen=True, kw_only=True)
class VersusOptions(ConsoleOptions):
    """The options of ``ochibot versus``."""

    speed: SpeedOption = 3
    rounds: Annotated[int | None, number_option("Leave after this many rounds.", default="never")] = None
    seat: Annotated[int | None, number_option("With --retroarch: the AI's seat.", most=2, default="2")] = None

    def joined(self) -> Joined | None:
        """The RetroArch that is played in; None without ``--retroarch``. Raises UsageError."""
        there = joined(
            self,
            ports=((self.seat or 2) - 1,),
            refused=dict.fromkeys(("level", "colors", "option"), "the person chooses on the game's menu"),
        )
        if there is None and self.seat is not None:
            raise UsageError("--seat belongs to --retroarch: give both, or leave it out")
        return there


@taking(
    VersusOptions,
    "game player speed plies rules level colors option rounds seed keys shots rom system core map1 map2 keep_going "
    "json record dump game_module retroarch lockstep any_address seat web host port allow_remote",
)
def versus(given: VersusOptions) -> None:
    """You (keyboard or gamepad, seat 1) against the AI (seat 2). F1 shows the keys; START begins the next round."""
    from ochibot.falling.player import name_of
    from ochibot.games.choosing import random_seed
    from ochibot.play.speed import speed_of

    check_target(given.json)
    speed_of(given.speed)
    check_page(given)
    there = given.joined()
    with given.opened(versus=True, there=there) as session:
        title, mode = session.game, session.game.versus_mode
        seed = session.seed = random_seed(title) if given.seed is None else given.seed
        mind = session.open_player(given.player, seed=seed, plies=given.plies)
        run = _VersusRun(given, session, name_of(mind), report_stream(given.json))
        with stopping(gently=True) as stop:
            if there is None:
                session.choose(given.chosen(), mode)
                session.options = {**title.defaults("versus", session.maps(mode)[0]), **session.options}
                run.in_window(mind, stop)
            else:
                run.in_retroarch(mind, stop, there)


class _VersusRun:
    """Plays for ``versus``, and reports."""

    def __init__(self, given: VersusOptions, session: Session, name: str, out: TextIO) -> None:
        self.given = given
        self.session = session
        self.mode = session.game.versus_mode
        self.name = name
        self.out = out

    def in_window(self, mind: AnyPlayer, stop: Stop) -> None:
        """Plays in a window, in which the person has seat 1."""
        from ochibot.falling.player import prepare
        from ochibot.ui import need_window
        from ochibot.ui.watch import PersonWatch

        given, session, mode, name = self.given, self.session, self.mode, self.name
        kept = check_recording(given.record, given.dump)
        need_window()
        prepare(mind)
        if kept is not None:
            kept.begin(session, "versus", [("a person", 1, None), (name, 2, given.speed)], mode=mode)
        person, seat = session.seats(mode)
        screen = session.show(keys=given.keys, seats=(1, 2), person_seat=1, folder=given.shots, mode=mode)
        self._introduce()
        shown = session.seats(mode)[0]
        go_live(given, session, self.out, follows=[shown])

        def announce(played: Round) -> None:
            screen.window.say(f"{_score(running, played)} · START for the next round", screen.now(), seconds=8)

        running = self._versus(session.machine, person, seat, session.thinking(mind), announce)
        lines = (name, f"speed {given.speed}")
        connect(session, stop, running.stop, lambda: [(running.ai, lines)])
        watched_with(session, shown, lambda: [(running.ai, lines)])
        session.wait()
        session.reach(person, mode, stop.asked)
        seat.resync()
        # the person's panel is shown only from here on, because RAM may hold anything before the game begins
        you = PersonWatch(person, lambda: running.result.wins[0], ("you", "seat 1"))
        screen.beside(lambda: [] if person.in_menus() else [you.side()])
        screen.hurries = False
        failure = failure_of(lambda: running.run(given.rounds), lambda: 1)
        self._finish(running, failure, {"window": screen.report().as_dict()})

    def in_retroarch(self, mind: AnyPlayer, stop: Stop, there: Joined) -> None:
        """Plays in a RetroArch, from when the person has started the game there."""
        from ochibot.falling.player import prepare

        session = self.session
        prepare(mind)
        seats = session.seats(self.mode)
        seat = seats[(self.given.seat or 2) - 1]
        (person,) = (one for one in seats if one is not seat)
        self._introduce()
        shown = next(one for one in session.seats(self.mode) if one.number == person.number)
        go_live(self.given, session, self.out, follows=[shown])

        def announce(played: Round) -> None:
            print(f"round {running.result.rounds}: {_score(running, played)}", file=self.out, flush=True)

        there.begin(session, self.mode, lambda: [running.ai])
        running = self._versus(
            session.machine, person, seat, there.thinking(session, mind), announce, lambda run: there.see([run.ai])
        )
        connect(session, stop, running.stop, list)
        lines = (self.name, f"speed {self.given.speed}")
        watched_with(session, shown, lambda: [(running.ai, lines)])
        with contextlib.closing(StatusLine()) as status:
            fresh = await_play(session, seats, InMenus(status, stop.asked), self.out)
        there.in_menus()
        if fresh:
            running.ai.rejoin()  # its first pair may be out already
        failure = failure_of(lambda: running.run(self.given.rounds, joins=True), lambda: running.result.frames)
        self._finish(running, failure, {"seat": seat.number}, there)

    def _introduce(self) -> None:
        print(introduction(self.session), file=self.out)
        facing = f"seed {self.session.seed}; you against {self.name} (speed {self.given.speed})"
        print(facing, file=self.out, flush=True)

    def _versus(
        self,
        console: PlayedConsole,
        person: AnySeat,
        seat: AnySeat,
        mind: AnyPlayer,
        announce: Callable[[Round], None],
        on_frame: Callable[[Versus], None] | None = None,
    ) -> Versus:
        from ochibot.play.seat import SeatPlayer
        from ochibot.play.speed import hands_of
        from ochibot.play.versus import Versus

        given, session = self.given, self.session
        pace = hands_of(given.speed, session.console)
        hands = SeatPlayer(seat, mind, pace, keep_going=given.keep_going, watcher=session.recorder)
        return Versus(console, person, hands, on_round=announce, on_frame=on_frame)

    def _finish(
        self, running: Versus, failure: OchibotError | None, further: dict[str, object], there: Joined | None = None
    ) -> None:
        about = {"game": self.session.game.name, "player": self.name, "seed": self.session.seed, **further}
        run = ConsoleRun(self.given, self.session, there, self.out)
        run.finish(about, running.result, _summary(running), delays=running.ai.pilot.delays, failure=failure)


def _score(running: Versus, played: Round) -> str:
    you, ai = running.result.wins
    return f"{'You win' if played.winner == 1 else 'The AI wins'} · {you} : {ai}"


def _summary(running: Versus) -> str:
    result = running.result
    return (
        f"you {result.wins[0]}, the AI {result.wins[1]} of {counted(result.rounds, 'round')} ("
        f"{ending(result.stopped_by)})\n"
        f"the AI's locks {locks_text(result)}, best {running.ai.seat.best} {result.best_chain}"
    )
