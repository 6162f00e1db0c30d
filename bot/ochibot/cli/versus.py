"""``ochibot versus``: you against the AI, in a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import SpeedOption
from ochibot.cli.output import locks_text, report_stream, stopping
from ochibot.cli.recording import check_recording
from ochibot.cli.running import ConsoleOptions, connect, ending, finish, introduction
from ochibot.errors import OchibotError
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.play.versus import Round, Versus


@dataclass(frozen=True, kw_only=True)
class VersusOptions(ConsoleOptions):
    """The options of ``ochibot versus``."""

    speed: SpeedOption = 3
    rounds: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Leave after this many rounds.", show_default="never")
    ] = None


@taking(
    VersusOptions,
    "game player speed plies rules level colors option rounds seed keys shots rom system core map1 map2 keep_going "
    "json record dump game_module",
)
def versus(given: VersusOptions) -> None:
    """You (keyboard or gamepad, seat 1) against the AI (seat 2). F1 shows the keys; START begins the next round."""
    from ochibot.falling.player import name_of, prepare
    from ochibot.games.choosing import random_seed
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of
    from ochibot.play.versus import Versus
    from ochibot.ui import need_window
    from ochibot.ui.watch import PersonWatch

    check_target(given.json)
    out = report_stream(given.json)
    pace = speed_of(given.speed)
    with given.opened(versus=True) as session:
        title, mode = session.game, session.game.versus_mode
        seed = session.seed = random_seed(title) if given.seed is None else given.seed
        mind = session.open_player(given.player, seed=seed, plies=given.plies)
        name = name_of(mind)
        session.choose(given.chosen(), mode)
        session.options = {**title.defaults("versus", session.maps(mode)[0]), **session.options}
        kept = check_recording(given.record, given.dump)
        need_window()
        prepare(mind)
        with stopping(gently=True) as stop:
            if kept is not None:
                kept.begin(session, "versus", [("a person", 1, None), (name, 2, given.speed)], mode=mode)
            person, seat = session.seats(mode)
            brain = session.thinking(mind)
            screen = session.show(keys=given.keys, seats=(1, 2), person_seat=1, folder=given.shots, mode=mode)
            print(introduction(session), file=out)
            print(f"seed {seed}; you against {name} (speed {given.speed})", file=out, flush=True)

            def announce(played: Round) -> None:
                you, ai = running.result.wins
                who = "You win" if played.winner == 1 else "The AI wins"
                screen.window.say(f"{who} · {you} : {ai} · START for the next round", screen.now(), seconds=8)

            hands = SeatPlayer(seat, brain, pace, keep_going=given.keep_going, watcher=session.recorder)
            running = Versus(screen, person, hands, on_round=announce)
            connect(session, stop, running.stop, lambda: [(hands, (name, f"speed {given.speed}"))])
            failure: OchibotError | None = None
            session.wait()
            session.reach(person, mode, stop.asked)
            seat.resync()
            # the person's panel is shown only from here on, because RAM may hold anything before the game begins
            you = PersonWatch(person, lambda: running.result.wins[0], ("you", "seat 1"))
            screen.beside(lambda: [] if person.in_menus() else [you.side()])
            screen.hurries = False
            try:
                running.run(given.rounds)
            except OchibotError as error:
                failure = error
            about = {"game": title.name, "player": name, "seed": seed, "window": screen.report().as_dict()}
            report, summary = {**about, **running.result.as_dict()}, _summary(running)
            finish(session, running.result.stopped_by, report, summary, json=given.json, out=out, failure=failure)


def _summary(running: Versus) -> str:
    result = running.result
    return (
        f"you {result.wins[0]}, the AI {result.wins[1]} of {counted(result.rounds, 'round')} ("
        f"{ending(result.stopped_by)})\n"
        f"the AI's locks {locks_text(result)}, best {running.ai.seat.best} {result.best_chain}"
    )
