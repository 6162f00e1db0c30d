"""``ochibot play``: the bot plays alone, from power-on or a savestate, headless or in a window."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.options import (
    AvOption,
    ClairvoyantOption,
    ColorsOption,
    CoreOption,
    GameArgument,
    GameModuleOption,
    JsonOption,
    KeepGoingOption,
    KeysOption,
    LevelOption,
    MenuOption,
    PlayerOption,
    PliesOption,
    RomOption,
    RulesOption,
    SeedOption,
    ShotsOption,
    SpeedOption,
    SystemOption,
    WindowOption,
    find_game_and_rom,
    map_option,
    menu_choices,
)
from ochibot.cli.output import StatusLine, check_picture, misplaced_text, report_stream, share_text, stopping
from ochibot.cli.recording import DumpOption, RecordOption, check_recording
from ochibot.cli.running import CLAIRVOYANT, InMenus, connect, ending, finish
from ochibot.errors import ContradictionError, GameError, OchibotError, UsageError
from ochibot.falling.player import foresees
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.play.endless import Endless


class ItemChoice(StrEnum):
    """The choices of items on puyo's menu."""

    OFF = "off"
    BIG = "big"
    CARBUNCLE = "carbuncle"
    BOTH = "both"


def play(
    game: GameArgument = None,
    rom: RomOption = None,
    system: SystemOption = None,
    core: CoreOption = None,
    player: PlayerOption = None,
    plies: PliesOption = None,
    clairvoyant: ClairvoyantOption = False,
    rules: RulesOption = None,
    ram_map: Annotated[Path | None, map_option("--map", 1)] = None,
    level: LevelOption = None,
    colors: ColorsOption = None,
    items: Annotated[
        ItemChoice | None,
        typer.Option(help="puyo: the special items chosen on the menu.", show_default="off, the menu's own"),
    ] = None,
    option: MenuOption = None,
    speed: SpeedOption = 10,
    pieces: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Stop after this many pieces.", show_default="never")
    ] = None,
    frames: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Stop after this many frames of play; menus don't count.", show_default="never"
        ),
    ] = None,
    seed: SeedOption = None,
    from_state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Start from this savestate of the core, instead of from power-on.",
            show_default="power-on and the menus",
        ),
    ] = None,
    restart: Annotated[bool, typer.Option(help="Begin again after a game over.")] = False,
    keep_going: KeepGoingOption = False,
    json: JsonOption = None,
    screenshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the last picture in this file.", show_default="nowhere")
    ] = None,
    record: RecordOption = None,
    dump: DumpOption = None,
    window: WindowOption = False,
    keys: KeysOption = None,
    shots: ShotsOption = Path(),
    av: AvOption = None,
    game_module: GameModuleOption = None,
) -> None:
    """Let the bot play alone (puyo: Endless Mode, nyaa: solo), headless and as fast as the core runs, or in a window.

    Ctrl-C ends it.
    """
    from ochibot.cli.setup import check_av, introduction, leave_out_av, opened, save_picture, with_picture
    from ochibot.falling.player import name_of, prepare
    from ochibot.games.choosing import random_seed
    from ochibot.play.menus import MenuLimit
    from ochibot.play.speed import speed_of

    speed_of(speed)
    check_target(json)
    check_picture(screenshot)
    out = report_stream(json)
    title, rom = find_game_and_rom(game, game_module, rom, system)
    chosen = menu_choices(option, level=level, colors=colors, items=items)
    picked = any(value is not None for value in chosen.values())
    _check_together(from_state, restart=restart, seed=seed, picked=picked, window=window, keys=keys)
    check_av(av, window=window, screenshot=screenshot, record=record)
    kept = None
    with opened(title, rom=rom, system=system, core=core, rules=rules, maps={1: ram_map}) as session:
        mind = session.open_player(player, plies=plies, clairvoyant=clairvoyant)
        options = session.choose(chosen)
        name = name_of(mind)
        if window:
            from ochibot.ui import need_window

            need_window()
        kept = check_recording(record, dump)
        if not window and screenshot is None and record is None:
            leave_out_av(session, av)
        prepare(mind)
        with stopping(gently=True) as stop, contextlib.closing(_Status()) as status:
            print(introduction(session), file=out, flush=True)
            if from_state is not None:
                session.load_state(from_state)
            else:
                session.seed = random_seed(title) if seed is None else seed
            if kept is not None:
                seeing = (1,) if clairvoyant else ()
                kept.begin(session, "play", [(name, 1, speed)], from_here=from_state is not None, clairvoyant=seeing)
            shown = mind
            if window:
                shown = session.thinking(mind)
                session.show(keys=keys, seats=(1,), folder=shots)
            in_menus = InMenus(status.line, MenuLimit(frames, stop.asked))
            run = session.endless(
                shown,
                speed=speed,
                keep_going=keep_going,
                restart=(lambda: session.reach(run.player.seat, stopped=in_menus)) if restart else None,
                on_piece=status,
            )
            seat = run.player.seat
            if session.seed is None:
                seat.resync()
            else:
                print(
                    f"seed {session.seed}: START waits {counted(session.seed % title.seed_frames, 'frame')}",
                    file=out,
                    flush=True,
                )
                session.wait()
                try:
                    session.reach(seat, stopped=in_menus)
                except GameError as error:
                    raise with_picture(session.console, error) from None
            lines = (name, "clairvoyant", f"speed {speed}") if clairvoyant else (name, f"speed {speed}")
            connect(session, stop, run.stop, lambda: [(run.player, lines)])
            failure: OchibotError | None = None
            try:
                run.run(pieces=pieces, frames=frames)
            except OchibotError as error:
                failure = error
            status.close()
            if failure is not None and not run.player.tally.pieces and not isinstance(failure, ContradictionError):
                raise failure  # no piece has been played, so there is no report to write
            summary = _summary(run)
            if screenshot is not None:
                try:
                    save_picture(session.console, screenshot)
                    summary += f"\nscreenshot {screenshot}"
                except OchibotError as error:
                    failure = failure or error
            about = {
                "game": title.name,
                "player": name,
                "clairvoyant": clairvoyant,
                "rules": session.rules.name,
                "options": options,
                "made": session.console.made,
            }
            report = {**about, **run.result().as_dict()}
            finish(session, run.stopped_by, report, summary, json=json, out=out, failure=failure)


def _check_together(
    from_state: Path | None, *, restart: bool, seed: int | None, picked: bool, window: bool, keys: Path | None
) -> None:
    """Raises UsageError for options that contradict each other."""
    if from_state is not None:
        if restart:
            raise UsageError("--restart goes through the menus, which --from-state passes by: leave one of them out")
        if seed is not None:
            raise UsageError(
                "--seed makes START wait in the menus, which --from-state passes by: leave one of them out"
            )
        if picked:
            raise UsageError(
                "--level, --colors and --items are chosen on the menu, which --from-state passes by: leave them out"
            )
    if not window and keys is not None:
        raise UsageError("--keys are the window's: give --window too, or leave them out")


class _Status:
    """Shows the status line; called at each spawn."""

    def __init__(self) -> None:
        self.line = StatusLine()
        self.close = self.line.close

    def __call__(self, run: Endless) -> None:
        if not self.line.due():
            return
        result = run.result()
        field: Any = getattr(run.player.snapshot, "field", None)
        agreement = "-" if result.agreement is None else share_text(result.agreement, 4)
        on_field = f"field {field.count()}  " if hasattr(field, "count") else ""
        seeing = "clairvoyant  " if foresees(run.player.player) else ""
        self.line.show(
            f"{seeing}pieces {result.pieces:,}  score {result.score:,}  level {result.level}  "
            f"best {run.player.seat.best} {result.best_chain}  "
            f"{on_field}agreement {agreement}  {result.frames_per_second:,.0f} frames/s"
        )


def _summary(run: Endless) -> str:
    result = run.result()
    other = f", other contradictions {result.contradictions}" if result.contradictions else ""
    elsewhere = misplaced_text(result.misplaced, result.given_up)
    cut = f", cut off {result.cut_off}" if result.cut_off else ""
    lines = [
        f"{ending(result.stopped_by)} after {counted(result.frames, 'frame')} in {result.seconds:.1f} s "
        f"({result.frames_per_second:,.0f} frames/s)",
        f"pieces {result.pieces:,}, compared {result.compared:,}, misplaced {elsewhere}, "
        f"disagreements {result.disagreements}{other}{cut}, agreement {share_text(result.agreement)}",
        f"score {result.score:,}, level {result.level}, best {run.player.seat.best} {result.best_chain}"
        + (f", game overs {result.game_overs}" if result.game_overs else ""),
    ]
    if foresees(run.player.player):
        lines.append(CLAIRVOYANT)
    return "\n".join(lines)
