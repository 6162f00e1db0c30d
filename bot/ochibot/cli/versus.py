"""``ochibot versus``: you against the AI, in a window."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.output import report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording, recorded_line, recording, told_of
from ochibot.errors import OchibotError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.console import Console
    from ochibot.play.versus import Round, Versus
    from ochibot.record import RecordedConsole, Recorder


def versus(
    game: Annotated[str, typer.Argument(help="The game: puyo or nyaa.")] = "puyo",
    player: Annotated[str | None, typer.Option(help="The AI: a player file, or the name of a shipped one.")] = None,
    speed: Annotated[int, typer.Option(help="The AI's speed: 0 (a slow human) to 10.")] = 3,
    plies: Annotated[int, typer.Option(min=1, max=2, help="Plies that the AI searches.")] = 2,
    level: Annotated[int | None, typer.Option(min=1, max=4, help="puyo: the level on the menu.")] = None,
    colors: Annotated[int | None, typer.Option(min=4, max=6, help="puyo: how many colours (default: 4).")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Leave after so many rounds (default: never).")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same pairs again in the first round.")] = None,
    keys: Annotated[Path | None, typer.Option(help="A keys file of your own (see configs/keys.yaml).")] = None,
    shots: Annotated[Path, typer.Option(help="The folder for screenshots.")] = Path(),
    rom: Annotated[Path | None, typer.Option(help="puyo: your .nes or .zip; nyaa: pnyaa.zip (default: ours).")] = None,
    system: Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")] = None,
    core: Annotated[str | None, typer.Option(help="A libretro core: a file, or a name.")] = None,
    map1: Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 1.")] = None,
    map2: Annotated[Path | None, typer.Option(help="A RAM map file of your own for seat 2.")] = None,
    keep_going: Annotated[bool, typer.Option(help="Go on after the game has contradicted the rules.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report there (- for stdout).")] = None,
    record: RecordOption = None,
    dump: DumpOption = None,
) -> None:
    """You (keyboard or gamepad, seat 1) against the AI (seat 2). F1 shows the keys; START begins the next round."""
    from ochibot.cli.setup import menu_options, open_console, open_rom, player_file, seat_maps
    from ochibot.cli.window import check_window, opened_window, smoothness, thinking
    from ochibot.games import find_game
    from ochibot.play.battle import SEED_FRAMES
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of
    from ochibot.play.versus import Versus

    check_target(json)
    out = report_stream(json)
    pace = speed_of(speed)
    if seed is None:
        seed = random.SystemRandom().randrange(SEED_FRAMES)
    title = find_game(game)
    mind = title.open_player(player_file(player or title.default_player, title), plies, seed)
    options = menu_options(title, versus=True, level=level, colors=colors)
    bindings = check_window(keys)
    image = open_rom(rom, title, system)
    maps = seat_maps(title, (map1, map2), image)
    if "colors" in title.versus_options and "colors" in maps[0].entries:
        options.setdefault("colors", 4)
    kept = check_recording(record, dump)
    with contextlib.ExitStack() as stack:
        stop = stack.enter_context(stopping())
        console = stack.enter_context(open_console(core, image, title))
        brain = stack.enter_context(thinking(mind, title))
        person, seat = (title.seat(ram_map, console.ram) for ram_map in maps)
        shown_console: Console | RecordedConsole = console
        recorder: Recorder | None = None
        if kept is not None:
            players = [("a person", 1, None), (mind.name, 2, speed)]
            about = told_of("versus", title, "versus", seed, players, options, maps)
            recorder = stack.enter_context(recording(kept, console, title, about))
            shown_console = recorder.console
        screen = stack.enter_context(
            opened_window(shown_console, bindings, ports=(1,), person_port=0, folder=shots, game=title, seat=person)
        )
        print(f"{console.core_name} {console.core_version} · {image.name} (SHA-1 {image.sha1})", file=out)
        print(f"seed {seed}; you against {mind.name} (speed {speed})", file=out, flush=True)

        def told(played: Round) -> None:
            you, ai = running.result.wins
            who = "You win" if played.winner == 1 else "The AI wins"
            screen.window.say(f"{who} · {you} : {ai} · START for the next round", screen.now(), seconds=8)

        ai = SeatPlayer(seat, brain, pace, keep_going=keep_going, watcher=recorder)
        running = Versus(screen, person, ai, on_round=told)
        screen.watch(lambda: [(ai, (mind.name, f"speed {speed}"))])
        screen.when_quit(running.stop)
        stop.tell(screen.quit)
        failure: OchibotError | None = None
        for _ in range(seed % SEED_FRAMES):
            screen.step()
        title.reach(screen, person, "versus", options, stop.asked)
        seat.resync()
        screen.hurries = False
        try:
            running.run(rounds)
        except OchibotError as error:
            failure = error
        if recorder is not None:
            recorder.end = running.result.stopped_by
        told_of_game = {"game": title.name, "player": mind.name, "seed": seed, "window": screen.report().as_dict()}
        write_json({**told_of_game, **running.result.as_dict()}, json)
        print(f"{_summary(running)}\n{smoothness(screen)}", file=out)
        if recorder is not None:
            print(recorded_line(recorder), file=out)
        if failure is not None:
            raise failure


def _summary(running: Versus) -> str:
    result = running.result
    return (
        f"you {result.wins[0]}, the AI {result.wins[1]} of {result.rounds} rounds (ended by {result.stopped_by})\n"
        f"the AI's locks {result.pieces:,}, compared {result.compared:,}, misplaced {result.misplaced}, "
        f"disagreements {result.disagreements}, agreement {share_text(result.agreement)}, "
        f"best {running.ai.seat.best} {result.best_chain}"
    )
