"""``ochibot battle``: two AIs play against each other, at the two seats of one running game."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.inretroarch import joined
from ochibot.cli.livepage import check_page, go_live
from ochibot.cli.options import colors_option, number_option, player_option, plies_option, speed_option
from ochibot.cli.output import StatusLine, locks_text, report_stream, stopping
from ochibot.cli.running import (
    CLAIRVOYANT,
    ConsoleOptions,
    ConsoleRun,
    InMenus,
    connect,
    ending,
    failure_of,
    introduction,
)
from ochibot.errors import ContradictionError, UsageError
from ochibot.falling.player import foresees, name_of
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.play.battle import Battle, Contestant
    from ochibot.session import Session


OLD_NAMES = {"--p1": "--player1", "--p2": "--player2"}


@dataclass(frozen=True)
class SideOptions:
    """What the options say of one side. clairvoyant: whether its player knows all pairs to come."""

    player: str | None
    plies: int | None
    speed: int
    clairvoyant: bool

    def contestant(self, session: Session, seed: int) -> Contestant:
        """Opens the player. Its name is the word given, or the default player's; a class gives its own name."""
        from ochibot.play.battle import Contestant

        mind = session.open_player(self.player, seed=seed, plies=self.plies, clairvoyant=self.clairvoyant)
        word = self.player or session.game.default_player
        return Contestant(name_of(mind) if ":" in word else word, mind, self.speed)


@dataclass(frozen=True, kw_only=True)
class BattleOptions(ConsoleOptions):
    """The options of ``ochibot battle``."""

    player: Annotated[str | None, player_option("--player", "Both players", "the game's own")] = None
    player1: Annotated[str | None, player_option("--player1", "The first player", "as --player")] = None
    player2: Annotated[str | None, player_option("--player2", "The second player", "as --player")] = None
    plies: Annotated[int | None, plies_option("--plies", "each player")] = None
    plies1: Annotated[int | None, plies_option("--plies1", "the first player", "as --plies")] = None
    plies2: Annotated[int | None, plies_option("--plies2", "the second player", "as --plies")] = None
    clairvoyant1: Annotated[
        bool, typer.Option("--clairvoyant1", help="Like --clairvoyant, for the first player only.")
    ] = False
    clairvoyant2: Annotated[
        bool, typer.Option("--clairvoyant2", help="Like --clairvoyant, for the second player only.")
    ] = False
    speed: Annotated[int, speed_option("--speed", "Both players' speed")] = 10
    speed1: Annotated[int | None, speed_option("--speed1", "The first player's speed", "as --speed")] = None
    speed2: Annotated[int | None, speed_option("--speed2", "The second player's speed", "as --speed")] = None
    games: Annotated[int, number_option("How many games; the sides are swapped in every other one.")] = 2
    max_pieces: Annotated[int, number_option("A game is a draw once each side has had this many pieces.")] = 500
    # the default is 5: with 4 colours, a game between equal players rarely ends
    colors: Annotated[int | None, colors_option("5")] = None
    jobs: Annotated[
        int | None,
        number_option(
            "Play this many games at the same time, each in its own process.",
            most=256,
            default="one after another, in this process",
        ),
    ] = None

    def sides(self) -> list[SideOptions]:
        """What the options say of each side: its own ones, otherwise those of both."""
        return [
            SideOptions(
                self.player if player is None else player,
                self.plies if plies is None else plies,
                self.speed if speed is None else speed,
                self.clairvoyant or clairvoyant,
            )
            for player, plies, speed, clairvoyant in (
                (self.player1, self.plies1, self.speed1, self.clairvoyant1),
                (self.player2, self.plies2, self.speed2, self.clairvoyant2),
            )
        ]

    def check(self) -> None:
        """Raises UsageError for options that contradict each other, before anything is opened."""
        alone = {"window": self.window, "record": self.record, "web": self.web}
        if self.jobs is not None and (given := [name for name, value in alone.items() if value]):
            raise UsageError(f"--{given[0]} works in one process, but --jobs plays in several: leave one of them out")
        self.check_watched(record=self.record)
        check_page(self)


@taking(
    BattleOptions,
    "game player player1 player2 plies plies1 plies2 clairvoyant clairvoyant1 clairvoyant2 rules speed speed1 speed2 "
    "games max_pieces level colors option seed rom system core map1 map2 keep_going json record dump window keys shots "
    "av jobs game_module retroarch lockstep any_address web host port allow_remote pace",
)
def battle(given: BattleOptions) -> None:
    """Let two AIs play the game's 2-player mode. Equal players can take almost for ever: see --max-pieces."""
    from ochibot.games.choosing import random_seed
    from ochibot.play.jobs import play_in_processes
    from ochibot.play.speed import speed_of

    check_target(given.json)
    wanted = given.sides()
    for one in wanted:
        speed_of(one.speed)
    given.check()
    there = joined(given, ports=(0, 1))
    with given.opened(versus=True, there=there) as session:
        mode = session.game.versus_mode
        seed = session.seed = random_seed(session.game) if given.seed is None else given.seed
        first, second = (side.contestant(session, seed + number) for number, side in enumerate(wanted))
        session.choose(given.chosen(), mode)
        session.options = {**session.game.defaults("battle", session.maps(mode)[0]), **session.options}
        out = report_stream(given.json)
        console_run = ConsoleRun(given, session, there, out)
        kept = console_run.ready(first.player, second.player)
        with stopping(gently=True) as stop, contextlib.closing(StatusLine()) as status:
            print(introduction(session), file=out)
            sides = first, second
            names, sees = (first.name, second.name), [one.clairvoyant for one in wanted]
            shown = [f"{name}, clairvoyant" if one else name for name, one in zip(names, sees, strict=True)]
            against = f"{shown[0]} (speed {first.speed}) against {shown[1]} (speed {second.speed})"
            print(f"seed {seed}; {against}", file=out, flush=True)
            if kept is not None:
                # the seats in the first game; in every second game, the players swap seats
                players = [(side.name, seat, side.speed) for seat, side in enumerate(sides, 1)]
                seeing = [seat for seat, one in enumerate(sees, 1) if one]
                kept.begin(session, "battle", players, mode=mode, clairvoyant=seeing)
            if given.window:
                first, second = (replace(side, player=session.thinking(side.player)) for side in sides)
                session.show(keys=given.keys, seats=(1, 2), folder=given.shots, mode=mode)

            go_live(given, session, out, in_menus=lambda: not running.seats or running.seats[0].seat.in_menus())
            in_menus = InMenus(status)
            if there is not None:
                there.begin(session, mode, lambda: running.seats or ())
                first, second = (replace(side, player=there.thinking(session, side.player)) for side in sides)

            def show_status(running: Battle) -> None:
                if there is not None:
                    there.in_play()
                    there.see(running.seats or ())
                if running.frames & 63 == 0 and status.due():
                    status.show(_status(running))

            def on_menu() -> None:
                in_menus()
                if there is not None:
                    there.in_menus()

            running = session.contest(
                (first, second),
                seed=seed,
                max_pieces=given.max_pieces,
                keep_going=given.keep_going,
                on_frame=show_status,
                on_menu=on_menu,
            )
            titles = {
                id(side.player): (side.name, *(["clairvoyant"] if one else []), f"speed {side.speed}")
                for side, one in zip((first, second), sees, strict=True)
            }
            connect(
                session,
                stop,
                running.stop,
                lambda: [(hands, titles[id(hands.player)]) for hands in running.seats or ()],
            )
            run: Callable[[], None] = partial(running.run, given.games)
            if given.jobs is not None:
                on_game = partial(_show_games, status, given.games)
                run = partial(play_in_processes, running, given.games, given.jobs, stopped=stop.asked, on_game=on_game)
            failure = failure_of(run, lambda: running.result.pieces)
            if failure is not None:
                running.result.stopped_by = "contradiction" if isinstance(failure, ContradictionError) else "error"
            status.close()
            about = {
                "game": session.game.name,
                "players": names,
                "clairvoyant": sees,
                "speeds": [first.speed, second.speed],
                "rules": session.rules.name,
                "made": session.console.made,
            }
            summary = _summary(running, (shown[0], shown[1]), session.seats(mode)[0].best)
            if any(sees):
                summary += f"\n{CLAIRVOYANT}"
            console_run.finish(about, running.result, summary, delays=running.delays, failure=failure)
            if given.jobs is not None and stop.asked():
                raise KeyboardInterrupt


def _show_games(status: StatusLine, games: int, done: int) -> None:
    if status.due():
        status.show(f"{done:,} of {counted(games, 'game')} played")


def _status(running: Battle) -> str:
    assert running.seats is not None
    result = running.result
    sides = "  |  ".join(
        f"{counted(player.tally.pieces, 'piece')}, score {player.seat.score():,}, "
        f"best {player.seat.best} {player.tally.best_chain}, pending {player.seat.pending()}"
        + (", clairvoyant" if foresees(player.player) else "")
        for player in running.seats
    )
    return f"game {result.games + 1}: {sides}  |  wins {result.wins[0]}-{result.wins[1]}, draws {result.draws}"


def _summary(running: Battle, names: tuple[str, str], best: str) -> str:
    result = running.result
    low, high = result.win_rate_interval
    lines = [
        f"{ending(result.stopped_by)} after {counted(result.games, 'game')} ({result.mean_frames:,.0f} frames each on "
        "average)",
        f"wins {result.wins[0]} ({names[0]}) to {result.wins[1]} ({names[1]}), draws {result.draws}; "
        f"the first wins {low:.1%} to {high:.1%} of decided games (95 %)",
        f"best {best} {result.best_chain[0]} and {result.best_chain[1]}, nuisance sent {result.nuisance_sent[0]} and "
        f"{result.nuisance_sent[1]}",
        f"locks {locks_text(result)}",
    ]
    for number, game in enumerate(result.games_detail, 1):
        if game["forfeit"]:
            lines.append(f"game {number} was lost by a fault: {game['forfeit']}")
    return "\n".join(lines)
