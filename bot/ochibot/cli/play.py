"""``ochibot play``: the bot plays alone, headless, from power-on."""

from __future__ import annotations

import contextlib
import random
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.cli.output import StatusLine, check_picture, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording, recorded_line, recording, told_of
from ochibot.errors import GameError, OchibotError, UsageError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.console import Console, PlayedConsole
    from ochibot.play.endless import Endless
    from ochibot.play.seat import Player
    from ochibot.record import RecordedConsole, Recorder
    from ochibot.ui.screen import Screen

SEED_FRAMES = 1021
"""The seed N makes the game's START wait N mod this many frames; our cartridge deals by that frame."""


class ItemChoice(StrEnum):
    """The menu's choices of items."""

    OFF = "off"
    BIG = "big"
    CARBUNCLE = "carbuncle"
    BOTH = "both"


def play(
    game: Annotated[str, typer.Argument(help="The game: puyo or nyaa.")] = "puyo",
    rom: Annotated[Path | None, typer.Option(help="puyo: your .nes or .zip; nyaa: pnyaa.zip (default: ours).")] = None,
    system: Annotated[Path | None, typer.Option(help="The folder of your system ROMs (Neo Geo: neogeo.zip).")] = None,
    core: Annotated[str | None, typer.Option(help="A libretro core: a file, or a name such as nestopia.")] = None,
    player: Annotated[str | None, typer.Option(help="A player file, or the name of a shipped one.")] = None,
    ram_map: Annotated[Path | None, typer.Option("--map", help="A RAM map file of your own.")] = None,
    level: Annotated[int | None, typer.Option(min=1, max=4, help="Both games: the level on the menu.")] = None,
    colors: Annotated[int | None, typer.Option(min=4, max=6, help="puyo: how many colours, on the menu.")] = None,
    items: Annotated[ItemChoice | None, typer.Option(help="puyo: special items, on the menu.")] = None,
    speed: Annotated[int, typer.Option(help="0 (a slow human) to 10 (as fast as the pad allows).")] = 10,
    pieces: Annotated[int | None, typer.Option(min=1, help="Stop after so many pieces.")] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="Stop after so many frames of play.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Makes the run reproducible (default: a random one).")] = None,
    from_state: Annotated[Path | None, typer.Option(help="Start from a savestate of the core's instead.")] = None,
    restart: Annotated[bool, typer.Option(help="Begin again after a game over.")] = False,
    keep_going: Annotated[bool, typer.Option(help="Go on after the game has contradicted the rules.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report there (- for stdout).")] = None,
    screenshot: Annotated[Path | None, typer.Option(help="Save the last picture there.")] = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    window: Annotated[bool, typer.Option("--window", help="Watch it in a window, with sound.")] = False,
    keys: Annotated[Path | None, typer.Option(help="The window's keys: a file of your own.")] = None,
    shots: Annotated[Path, typer.Option(help="The folder for the window's screenshots.")] = Path(),
) -> None:
    """Let the bot play alone (puyo: Endless Mode, nyaa: solo), headless and as fast as the core runs, or in a window.

    Ctrl-C ends it.
    """
    from ochibot.cli.setup import (
        kernels_ready,
        load_state,
        menu_options,
        open_console,
        open_rom,
        player_file,
        save_picture,
    )
    from ochibot.cli.window import check_window, opened_window, smoothness, thinking
    from ochibot.games import find_game
    from ochibot.play.endless import Endless
    from ochibot.play.seat import SeatPlayer
    from ochibot.play.speed import speed_of

    pace = speed_of(speed)
    check_target(json)
    check_picture(screenshot)
    out = report_stream(json)
    title = find_game(game)
    mind = title.open_player(player_file(title.default_player if player is None else player, title), 2, None)
    image = open_rom(rom, title, system)
    seat_map = title.load_map(ram_map if ram_map is not None else title.solo_map, image)
    title.check_map(seat_map, title.solo_mode, seat=1)
    chosen = None if items is None else list(ItemChoice).index(items)
    options = menu_options(title, level=level, colors=colors, items=chosen)
    if from_state is not None and restart:
        raise UsageError("--restart goes through the menus, which --from-state passes by: leave one of them out")
    if from_state is not None and seed is not None:
        raise UsageError("--seed makes START wait in the menus, which --from-state passes by: leave one of them out")
    if not window and keys is not None:
        raise UsageError("--keys are the window's: give --window too, or leave them out")
    if from_state is not None and options:
        raise UsageError(
            "--level, --colors and --items are chosen on the menu, which --from-state passes by: leave them out"
        )
    bindings = check_window(keys) if window else None
    kept = check_recording(record, dump)
    with contextlib.ExitStack() as stack:
        console = stack.enter_context(open_console(core, image, title))
        stack.enter_context(kernels_ready(title))
        stop = stack.enter_context(stopping())
        print(f"{console.core_name} {console.core_version} · {image.name} (SHA-1 {image.sha1})", file=out, flush=True)
        if not title.is_homebrew(image.sha1):
            print(title.note, file=out)
        seat = title.seat(seat_map, console.ram)
        brain: Player = mind
        machine: PlayedConsole = console
        shown_console: Console | RecordedConsole = console
        screen: Screen | None = None
        recorder: Recorder | None = None
        if from_state is not None:
            seed = None
            load_state(console, from_state)
            mode = seat.counter("mode")
            if mode not in (None, seat_map.mode):
                raise UsageError(
                    f"{from_state} is not of the mode {title.solo_mode}: the mode byte is {mode}, and "
                    f"{seat_map.mode} in the map {seat_map.name}; give a savestate of that mode"
                )
        elif seed is None:
            seed = random.SystemRandom().randrange(SEED_FRAMES)
        if kept is not None:
            players = [(mind.name, seat.port + 1, speed)]
            about = told_of("play", title, title.solo_mode, seed, players, options, [seat_map])
            recorder = stack.enter_context(recording(kept, console, title, about, from_here=from_state is not None))
            machine = shown_console = recorder.console
        if bindings is not None:
            brain = stack.enter_context(thinking(mind, title))
            shown = opened_window(shown_console, bindings, ports=(seat.port,), folder=shots, game=title, seat=seat)
            machine = screen = stack.enter_context(shown)

        def begin() -> None:
            title.reach(machine, seat, title.solo_mode, options, stop.asked)

        if seed is None:
            seat.resync()
        else:
            print(f"seed {seed}: START waits {seed % SEED_FRAMES} frames", file=out, flush=True)
            for _ in range(seed % SEED_FRAMES):
                machine.step()
            try:
                begin()
            except GameError as error:
                raise _with_picture(console, error) from None
        hands = SeatPlayer(seat, brain, pace, keep_going=keep_going, watcher=recorder)
        status = _Status()
        run = Endless(
            machine,
            hands,
            seed=seed,
            speed=speed,
            on_piece=status,
            restart=begin if restart else None,
        )
        if screen is None:
            stop.tell(run.stop)
        else:
            screen.watch(lambda: [(hands, (mind.name, f"speed {speed}"))])
            screen.when_quit(run.stop)
            stop.tell(screen.quit)
        failure: OchibotError | None = None
        try:
            run.run(pieces=pieces, frames=frames)
        except OchibotError as error:
            failure = error
        status.close()
        # files first: what was played is not lost where nobody reads the text
        if recorder is not None:
            recorder.end = run.stopped_by
        try:
            if screenshot is not None:
                save_picture(console, screenshot)
        finally:
            write_json({"game": title.name, "player": mind.name, **run.result().as_dict()}, json)
        print(_summary(run), file=out, flush=True)
        if screen is not None:
            print(smoothness(screen), file=out)
        if recorder is not None:
            print(recorded_line(recorder), file=out)
        if screenshot is not None:
            print(f"screenshot {screenshot}", file=out)
        if failure is not None:
            raise failure


def _with_picture(console: Console, error: GameError) -> GameError:
    """The error of menus that weren't got through, with the screen saved for the user to look at."""
    from ochibot.cli.setup import save_picture

    shown = Path(tempfile.mkdtemp(prefix="ochibot-")) / "screen.png"
    save_picture(console, shown)
    return GameError(f"{error}; the screen is saved as {shown}; start from a savestate of your own with --from-state")


class _Status:
    """Shows the live line; called after each decision."""

    def __init__(self) -> None:
        self._line = StatusLine()
        self.close = self._line.close

    def __call__(self, run: Endless) -> None:
        if not self._line.due():
            return
        result, snapshot = run.result(), run.player.snapshot
        on_field = snapshot.field.count() if snapshot is not None else 0
        agreement = "-" if result.agreement is None else share_text(result.agreement, 4)
        self._line.show(
            f"pieces {result.pieces:,}  score {result.score:,}  level {result.level}  "
            f"best {run.player.seat.best} {result.best_chain}  "
            f"on the field {on_field}  {result.frames_per_second:,.0f} frames/s  agreement {agreement}"
        )


def _summary(run: Endless) -> str:
    result = run.result()
    other = f", other contradictions {result.contradictions}" if result.contradictions else ""
    lines = [
        f"stopped by {result.stopped_by} after {result.frames:,} frames in {result.seconds:.1f} s "
        f"({result.frames_per_second:,.0f} frames/s)",
        f"pieces {result.pieces:,}, compared {result.compared:,}, misplaced {result.misplaced}, "
        f"disagreements {result.disagreements}{other}, agreement {share_text(result.agreement)}",
        f"score {result.score:,}, level {result.level}, best {run.player.seat.best} {result.best_chain}"
        + (f", game overs {result.game_overs}" if result.game_overs else ""),
    ]
    return "\n".join(lines)
