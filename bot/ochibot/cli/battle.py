"""``ochibot battle``: AI against AI, both at the seats of one running game."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.output import StatusLine, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording, recorded_line, recording, told_of
from ochibot.errors import ContradictionError, OchibotError, UsageError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.console import Console, PlayedConsole
    from ochibot.play.battle import Battle
    from ochibot.record import RecordedConsole, Recorder
    from ochibot.ui.screen import Screen


def battle(
    game: Annotated[str, typer.Argument(help="The game: puyo or nyaa.")] = "puyo",
    p1: Annotated[str | None, typer.Option(help="The first player: a file, or the name of a shipped one.")] = None,
    p2: Annotated[str | None, typer.Option(help="The second player.")] = None,
    plies1: Annotated[int, typer.Option(min=1, max=2, help="Plies that the first player searches.")] = 2,
    plies2: Annotated[int, typer.Option(min=1, max=2, help="Plies that the second player searches.")] = 2,
    speed: Annotated[int, typer.Option(help="Both players' speed, 0 to 10.")] = 10,
    speed1: Annotated[int | None, typer.Option(help="The first player's speed.")] = None,
    speed2: Annotated[int | None, typer.Option(help="The second player's speed.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games; the sides are swapped in every other one.")] = 2,
    max_pieces: Annotated[int, typer.Option(min=1, help="A game is a draw after so many pieces of each side.")] = 500,
    level: Annotated[int | None, typer.Option(min=1, max=4, help="puyo: the level on the menu.")] = None,
    colors: Annotated[int | None, typer.Option(min=4, max=6, help="puyo: how many colours (default: 5).")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the battle reproducible.")] = None,
    rom: Annotated[Path | None, typer.Option(help="puyo: your .nes or .zip; nyaa: pnyaa.zip (default: ours).")] = None,
    system: Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")] = None,
    core: Annotated[str | None, typer.Option(help="A libretro core: a file, or a name.")] = None,
    map1: Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 1.")] = None,
    map2: Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 2.")] = None,
    keep_going: Annotated[bool, typer.Option(help="Go on after the game has contradicted the rules.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report there (- for stdout).")] = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    window: Annotated[bool, typer.Option("--window", help="Watch it in a window, with sound.")] = False,
    keys: Annotated[Path | None, typer.Option(help="The window's keys: a file of your own.")] = None,
    shots: Annotated[Path, typer.Option(help="The folder for the window's screenshots.")] = Path(),
) -> None:
    """Two AIs in the game's 2-player mode. Equal players can go on almost for ever: see --max-pieces."""
    from ochibot.cli.setup import kernels_ready, menu_options, open_console, open_rom, player_file, seat_maps
    from ochibot.cli.window import check_window, opened_window, smoothness, thinking
    from ochibot.games import find_game
    from ochibot.play.battle import SEED_FRAMES, Battle, Contestant
    from ochibot.play.speed import speed_of

    check_target(json)
    if not window and keys is not None:
        raise UsageError("--keys are the window's: give --window too, or leave them out")
    out = report_stream(json)
    if seed is None:
        seed = random.SystemRandom().randrange(SEED_FRAMES)
    speeds = [speed if own is None else own for own in (speed1, speed2)]
    for step in speeds:
        speed_of(step)
    title = find_game(game)
    names = (p1 or title.default_player, p2 or title.default_player)
    sides = tuple(
        Contestant(name, title.open_player(player_file(name, title), plies, seed + number), step)
        for number, (name, plies, step) in enumerate(zip(names, (plies1, plies2), speeds, strict=True))
    )
    image = open_rom(rom, title, system)
    maps = seat_maps(title, (map1, map2), image)
    options = menu_options(title, versus=True, level=level, colors=colors)
    if "colors" in title.versus_options and "colors" in maps[0].entries:
        options.setdefault("colors", 5)
    bindings = check_window(keys) if window else None
    kept = check_recording(record, dump)
    with (
        open_console(core, image, title) as console,
        kernels_ready(title),
        stopping() as stop,
        contextlib.ExitStack() as stack,
    ):
        print(f"{console.core_name} {console.core_version} · {console.rom.name} (SHA-1 {console.rom.sha1})", file=out)
        print(
            f"seed {seed}; {names[0]} (speed {speeds[0]}) against {names[1]} (speed {speeds[1]})", file=out, flush=True
        )
        status = StatusLine()
        machine: PlayedConsole = console
        shown_console: Console | RecordedConsole = console
        screen: Screen | None = None
        recorder: Recorder | None = None
        if kept is not None:
            # in the first game; the sides are swapped in every other one
            players = [(name, seat, step) for seat, (name, step) in enumerate(zip(names, speeds, strict=True), 1)]
            about = told_of("battle", title, "versus", seed, players, options, maps)
            recorder = stack.enter_context(recording(kept, console, title, about))
            machine = shown_console = recorder.console
        if bindings is not None:
            sides = tuple(replace(side, player=stack.enter_context(thinking(side.player, title))) for side in sides)
            seat = title.seat(maps[0], console.ram)
            shown = opened_window(shown_console, bindings, ports=(0, 1), folder=shots, game=title, seat=seat)
            machine = screen = stack.enter_context(shown)

        def told(running: Battle) -> None:
            if running.frames & 63 == 0 and status.due():
                status.show(_status(running))

        running = Battle(
            machine,
            title,
            (sides[0], sides[1]),
            seed=seed,
            options=options,
            max_pieces=max_pieces,
            maps=maps,
            keep_going=keep_going,
            on_frame=told,
            watcher=recorder,
        )
        if screen is None:
            stop.tell(running.stop)
        else:
            titles = {id(side.player): (side.name, f"speed {side.speed}") for side in sides}
            screen.watch(lambda: [(hands, titles[id(hands.player)]) for hands in running.seats or ()])
            screen.when_quit(running.stop)
            stop.tell(screen.quit)
        failure: OchibotError | None = None
        try:
            running.run(games)
        except OchibotError as error:
            running.result.stopped_by = "contradiction" if isinstance(error, ContradictionError) else "error"
            failure = error
        status.close()
        if failure is not None and not running.result.pieces and running.seats is None:
            raise failure  # nothing has been played
        if recorder is not None:
            recorder.end = running.result.stopped_by
        told_of_game = {"game": title.name, "players": names, "speeds": speeds}
        write_json({**told_of_game, **running.result.as_dict()}, json)
        print(_summary(running, names), file=out)
        if screen is not None:
            print(smoothness(screen), file=out)
        if recorder is not None:
            print(recorded_line(recorder), file=out)
        if failure is not None:
            raise failure


def _status(running: Battle) -> str:
    assert running.seats is not None
    result = running.result
    sides = "  |  ".join(
        f"{player.tally.pieces:,} pieces, score {player.seat.score():,}, "
        f"best {player.seat.best} {player.tally.best_chain}, pending {player.seat.pending()}"
        for player in running.seats
    )
    return f"game {result.games + 1}: {sides}  |  wins {result.wins[0]}-{result.wins[1]}, draws {result.draws}"


def _summary(running: Battle, names: tuple[str, str]) -> str:
    result = running.result
    low, high = result.win_rate_interval
    best = running.seats[0].seat.best if running.seats else "chain"
    lines = [
        f"stopped by {result.stopped_by} after {result.games} games ({result.mean_frames:,.0f} frames each on average)",
        f"wins {result.wins[0]} ({names[0]}) to {result.wins[1]} ({names[1]}), draws {result.draws}; "
        f"the first wins {low:.1%} to {high:.1%} of decided games (95 %)",
        f"best {best} {result.best_chain[0]} and {result.best_chain[1]}, nuisance sent {result.nuisance_sent[0]} and "
        f"{result.nuisance_sent[1]}",
        f"locks {result.pieces:,}, compared {result.compared:,}, misplaced {result.misplaced}, "
        f"disagreements {result.disagreements}, agreement {share_text(result.agreement)}",
    ]
    return "\n".join(lines)
