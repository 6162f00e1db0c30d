"""``ochibot battle``: two AIs play against each other, at the two seats of one running game."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.options import (
    AvOption,
    ClairvoyantOption,
    CoreOption,
    GameArgument,
    GameModuleOption,
    JsonOption,
    KeepGoingOption,
    KeysOption,
    LevelOption,
    Map1Option,
    Map2Option,
    MenuOption,
    RomOption,
    RulesOption,
    SeedOption,
    ShotsOption,
    SystemOption,
    WindowOption,
    colors_option,
    find_game_and_rom,
    menu_choices,
    player_option,
    plies_option,
    speed_option,
)
from ochibot.cli.output import StatusLine, misplaced_text, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording
from ochibot.cli.running import CLAIRVOYANT, InMenus, connect, ending, finish
from ochibot.errors import ContradictionError, OchibotError, UsageError
from ochibot.falling.player import AnyPlayer, foresees, name_of
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.play.battle import Battle
    from ochibot.session import Session


OLD_NAMES = {"--p1": "--player1", "--p2": "--player2"}


def battle(
    game: GameArgument = None,
    player: Annotated[str | None, player_option("--player", "Both players", "the game's own")] = None,
    player1: Annotated[str | None, player_option("--player1", "The first player", "as --player")] = None,
    player2: Annotated[str | None, player_option("--player2", "The second player", "as --player")] = None,
    plies: Annotated[int | None, plies_option("--plies", "each player")] = None,
    plies1: Annotated[int | None, plies_option("--plies1", "the first player", "as --plies")] = None,
    plies2: Annotated[int | None, plies_option("--plies2", "the second player", "as --plies")] = None,
    clairvoyant: ClairvoyantOption = False,
    clairvoyant1: Annotated[
        bool, typer.Option("--clairvoyant1", help="Like --clairvoyant, for the first player only.")
    ] = False,
    clairvoyant2: Annotated[
        bool, typer.Option("--clairvoyant2", help="Like --clairvoyant, for the second player only.")
    ] = False,
    rules: RulesOption = None,
    speed: Annotated[int, speed_option("--speed", "Both players' speed")] = 10,
    speed1: Annotated[int | None, speed_option("--speed1", "The first player's speed", "as --speed")] = None,
    speed2: Annotated[int | None, speed_option("--speed2", "The second player's speed", "as --speed")] = None,
    games: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many games; the sides are swapped in every other one.")
    ] = 2,
    max_pieces: Annotated[
        int, typer.Option(min=1, metavar="N", help="A game is a draw once each side has had this many pieces.")
    ] = 500,
    level: LevelOption = None,
    # the default is 5: with 4 colours, a game between equal players rarely ends
    colors: Annotated[int | None, colors_option("5")] = None,
    option: MenuOption = None,
    seed: SeedOption = None,
    rom: RomOption = None,
    system: SystemOption = None,
    core: CoreOption = None,
    map1: Map1Option = None,
    map2: Map2Option = None,
    keep_going: KeepGoingOption = False,
    json: JsonOption = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    window: WindowOption = False,
    keys: KeysOption = None,
    shots: ShotsOption = Path(),
    av: AvOption = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Play this many games at the same time, each in its own process.",
            show_default="one after another, in this process",
        ),
    ] = None,
    game_module: GameModuleOption = None,
) -> None:
    """Let two AIs play the game's 2-player mode. Equal players can take almost for ever: see --max-pieces."""
    from ochibot.cli.setup import check_av, introduction, leave_out_av, opened
    from ochibot.falling.player import prepare
    from ochibot.games.choosing import random_seed
    from ochibot.play.battle import Contestant
    from ochibot.play.jobs import play_in_processes
    from ochibot.play.speed import speed_of

    check_target(json)
    if not window and keys is not None:
        raise UsageError("--keys are the window's: give --window too, or leave them out")
    out = report_stream(json)
    wanted = [player if own is None else own for own in (player1, player2)]
    ahead = [plies if own is None else own for own in (plies1, plies2)]
    speeds = [speed if own is None else own for own in (speed1, speed2)]
    for step in speeds:
        speed_of(step)
    title, rom = find_game_and_rom(game, game_module, rom, system)
    mode = title.versus_mode
    if seed is None:
        seed = random_seed(title)
    if jobs is not None:
        _check_jobs(window=window, record=record)
    check_av(av, window=window, record=record)
    sees = [clairvoyant or own for own in (clairvoyant1, clairvoyant2)]
    maps = {1: map1, 2: map2}
    with opened(title, rom=rom, system=system, core=core, rules=rules, maps=maps, mode=mode) as session:
        session.seed = seed
        sides = [
            Contestant(*_opened(session, who, seed + number, depth, seeing), step)
            for number, (who, depth, step, seeing) in enumerate(zip(wanted, ahead, speeds, sees, strict=True))
        ]
        names = sides[0].name, sides[1].name
        session.choose(menu_choices(option, level=level, colors=colors), mode)
        session.options = {**title.defaults("battle", session.maps(mode)[0]), **session.options}
        if window:
            from ochibot.ui import need_window

            need_window()
        kept = check_recording(record, dump)
        if not window and record is None:
            leave_out_av(session, av)
        for side in sides:
            prepare(side.player)
        with stopping(gently=True) as stop, contextlib.closing(StatusLine()) as status:
            print(introduction(session), file=out)
            shown = [f"{name}, clairvoyant" if one else name for name, one in zip(names, sees, strict=True)]
            against = f"{shown[0]} (speed {speeds[0]}) against {shown[1]} (speed {speeds[1]})"
            print(f"seed {seed}; {against}", file=out, flush=True)
            if kept is not None:
                # the seats in the first game; in every second game, the players swap seats
                players = [(name, seat, step) for seat, (name, step) in enumerate(zip(names, speeds, strict=True), 1)]
                seeing = [seat for seat, one in enumerate(sees, 1) if one]
                kept.begin(session, "battle", players, mode=mode, clairvoyant=seeing)
            if window:
                sides = [replace(side, player=session.thinking(side.player)) for side in sides]
                session.show(keys=keys, seats=(1, 2), folder=shots, mode=mode)

            def show_status(running: Battle) -> None:
                if running.frames & 63 == 0 and status.due():
                    status.show(_status(running))

            running = session.contest(
                (sides[0], sides[1]),
                seed=seed,
                max_pieces=max_pieces,
                keep_going=keep_going,
                on_frame=show_status,
                on_menu=InMenus(status),
            )
            titles = {
                id(side.player): (side.name, *(["clairvoyant"] if one else []), f"speed {side.speed}")
                for side, one in zip(sides, sees, strict=True)
            }
            connect(
                session,
                stop,
                running.stop,
                lambda: [(hands, titles[id(hands.player)]) for hands in running.seats or ()],
            )
            failure: OchibotError | None = None
            try:
                if jobs is None:
                    running.run(games)
                else:
                    on_game = partial(_show_games, status, games)
                    play_in_processes(running, games, jobs, stopped=stop.asked, on_game=on_game)
            except OchibotError as error:
                running.result.stopped_by = "contradiction" if isinstance(error, ContradictionError) else "error"
                failure = error
            status.close()
            if failure is not None and not running.result.pieces and not isinstance(failure, ContradictionError):
                raise failure  # no piece has been played, so there is no report to write
            about = {
                "game": title.name,
                "players": names,
                "clairvoyant": sees,
                "speeds": speeds,
                "rules": session.rules.name,
                "made": session.console.made,
            }
            report = {**about, **running.result.as_dict()}
            summary = _summary(running, (shown[0], shown[1]), session.seats(mode)[0].best)
            if any(sees):
                summary += f"\n{CLAIRVOYANT}"
            finish(session, running.result.stopped_by, report, summary, json=json, out=out, failure=failure)
            if jobs is not None and stop.asked():
                raise KeyboardInterrupt


def _check_jobs(**alone: object) -> None:
    """Raises UsageError if any of these options is set: they work only if all games run in this process."""
    if given := [name for name, value in alone.items() if value]:
        raise UsageError(f"--{given[0]} works in one process, but --jobs plays in several: leave one of them out")


def _show_games(status: StatusLine, games: int, done: int) -> None:
    if status.due():
        status.show(f"{done:,} of {counted(games, 'game')} played")


def _opened(
    session: Session, wanted: str | None, seed: int, plies: int | None, clairvoyant: bool
) -> tuple[str, AnyPlayer]:
    """Opens a player: (name, player). The name is ``wanted``, or the default player's; a class gives its own name."""
    mind = session.open_player(wanted, seed=seed, plies=plies, clairvoyant=clairvoyant)
    word = wanted or session.game.default_player
    return (name_of(mind) if ":" in word else word), mind


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
    elsewhere = misplaced_text(result.misplaced, result.given_up)
    other = f", other contradictions {result.contradictions}" if result.contradictions else ""
    cut = f", cut off {result.cut_off}" if result.cut_off else ""
    low, high = result.win_rate_interval
    lines = [
        f"{ending(result.stopped_by)} after {counted(result.games, 'game')} ({result.mean_frames:,.0f} frames each on "
        "average)",
        f"wins {result.wins[0]} ({names[0]}) to {result.wins[1]} ({names[1]}), draws {result.draws}; "
        f"the first wins {low:.1%} to {high:.1%} of decided games (95 %)",
        f"best {best} {result.best_chain[0]} and {result.best_chain[1]}, nuisance sent {result.nuisance_sent[0]} and "
        f"{result.nuisance_sent[1]}",
        f"locks {result.pieces:,}, compared {result.compared:,}, misplaced {elsewhere}, "
        f"disagreements {result.disagreements}{other}{cut}, agreement {share_text(result.agreement)}",
    ]
    for number, game in enumerate(result.games_detail, 1):
        if game["forfeit"]:
            lines.append(f"game {number} was lost by a fault: {game['forfeit']}")
    return "\n".join(lines)
