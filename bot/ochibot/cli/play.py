"""``ochibot play``: the bot plays alone, from power-on or a savestate, headless or in a window."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.commands import taking
from ochibot.cli.inretroarch import joined
from ochibot.cli.livepage import check_page, go_live
from ochibot.cli.options import file_option, map_option, menu_choices, number_option
from ochibot.cli.output import StatusLine, check_picture, locks_text, report_stream, save_picture, share_text, stopping
from ochibot.cli.running import (
    CLAIRVOYANT,
    ConsoleOptions,
    ConsoleRun,
    InMenus,
    connect,
    ending,
    failure_of,
    introduction,
    with_picture,
)
from ochibot.errors import GameError, OchibotError, UsageError
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


@dataclass(frozen=True, kw_only=True)
class PlayOptions(ConsoleOptions):
    """The options of ``ochibot play``."""

    map1: Annotated[Path | None, map_option("--map", 1)] = None
    items: Annotated[
        ItemChoice | None,
        typer.Option(help="puyo: the special items chosen on the menu.", show_default="off, the menu's own"),
    ] = None
    pieces: Annotated[int | None, number_option("Stop after this many pieces.", default="never")] = None
    frames: Annotated[
        int | None, number_option("Stop after this many frames of play; menus don't count.", default="never")
    ] = None
    from_state: Annotated[
        Path | None,
        file_option(
            "Start from this savestate of the core, instead of from power-on.", default="power-on and the menus"
        ),
    ] = None
    restart: Annotated[bool, typer.Option(help="Begin again after a game over.")] = False
    screenshot: Annotated[Path | None, file_option("Save the last picture in this file.", default="nowhere")] = None

    def chosen(self) -> Mapping[str, int | str | None]:
        """The choices on the game's menu. Raises UsageError."""
        return menu_choices(self.option, level=self.level, colors=self.colors, items=self.items)

    def check(self) -> None:
        """Raises UsageError for options that contradict each other, before anything is opened."""
        if self.from_state is not None:
            if self.restart:
                raise UsageError(
                    "--restart goes through the menus, which --from-state passes by: leave one of them out"
                )
            if self.seed is not None:
                raise UsageError(
                    "--seed makes START wait in the menus, which --from-state passes by: leave one of them out"
                )
            if any(value is not None for value in self.chosen().values()):
                raise UsageError(
                    "--level, --colors and --items are chosen on the menu, which --from-state passes by: leave them out"
                )
        self.check_watched(screenshot=self.screenshot, record=self.record)
        check_page(self)


@taking(
    PlayOptions,
    "game rom system core player plies clairvoyant rules map1 level colors items option speed pieces frames seed "
    "from_state restart keep_going json screenshot record dump window keys shots av game_module retroarch lockstep "
    "any_address web host port allow_remote pace",
)
def play(given: PlayOptions) -> None:
    """Let the bot play alone (puyo: Endless Mode, nyaa: solo), headless and as fast as the core runs, or in a window.

    Ctrl-C ends it.
    """
    from ochibot.falling.player import name_of
    from ochibot.games.choosing import random_seed
    from ochibot.play.speed import speed_of

    speed_of(given.speed)
    check_target(given.json)
    check_picture(given.screenshot)
    given.check()
    there = joined(given, ports=(0,), refused={"seed": "the game may be running already"})
    with given.opened(there=there) as session:
        mind = session.open_player(given.player, plies=given.plies, clairvoyant=given.clairvoyant)
        options = session.choose(given.chosen())
        out = report_stream(given.json)
        console_run = ConsoleRun(given, session, there, out)
        kept = console_run.ready(mind, seen=given.screenshot is not None)
        with stopping(gently=True) as stop, contextlib.closing(EndlessStatus()) as status:
            print(introduction(session), file=out, flush=True)
            from_here = given.from_state is not None
            runs: list[Endless] = []
            if there is not None:
                from_here = there.begin(session, None, lambda: [run.player for run in runs])
                if from_here:
                    print("the game is in play: the bot begins with its next piece", file=out, flush=True)
            elif given.from_state is not None:
                session.load_state(given.from_state)
            else:
                session.seed = random_seed(session.game) if given.seed is None else given.seed
            name, seeing = name_of(mind), (1,) if given.clairvoyant else ()
            if kept is not None:
                kept.begin(session, "play", [(name, 1, given.speed)], from_here=from_here, clairvoyant=seeing)
            shown = mind if there is None else there.thinking(session, mind)
            if given.window:
                shown = session.thinking(mind)
                session.show(keys=given.keys, seats=(1,), folder=given.shots)
            go_live(given, session, out, in_menus=lambda: not runs or runs[0].player.seat.in_menus())
            if session.seed is not None:
                waits = counted(session.seed % session.game.seed_frames, "frame")
                print(f"seed {session.seed}: START waits {waits}", file=out, flush=True)

            def on_piece(run: Endless) -> None:
                status(run)
                if there is not None:
                    there.see([run.player])

            def begun(run: Endless) -> None:
                lines = (name, *(["clairvoyant"] if seeing else []), f"speed {given.speed}")
                connect(session, stop, run.stop, lambda: [(run.player, lines)])
                if there is not None:
                    there.in_menus()
                runs.append(run)

            def played() -> None:
                try:
                    session.play(
                        shown,
                        pieces=given.pieces,
                        frames=given.frames,
                        speed=given.speed,
                        keep_going=given.keep_going,
                        restart=given.restart,
                        from_here=from_here,
                        in_menus=InMenus(status.line, stop.asked),
                        on_run=begun,
                        on_piece=on_piece,
                    )
                except GameError as error:
                    if runs or from_here or there is not None:
                        raise
                    raise with_picture(session.console, error) from None

            failure = failure_of(played, lambda: sum(run.player.tally.pieces for run in runs))
            status.close()
            (run,) = runs
            summary = summary_of(run)
            if given.screenshot is not None:
                try:
                    save_picture(session.console, given.screenshot)
                    summary += f"\nscreenshot {given.screenshot}"
                except OchibotError as error:
                    failure = failure or error
            about = {
                "game": session.game.name,
                "player": name,
                "clairvoyant": given.clairvoyant,
                "rules": session.rules.name,
                "options": options,
                "made": session.console.made,
            }
            console_run.finish(about, run.result(), summary, delays=run.player.pilot.delays, failure=failure)


class EndlessStatus:
    """Shows the status line; called at each spawn."""

    def __init__(self) -> None:
        self.line = StatusLine()
        self.close = self.line.close

    def __call__(self, run: Endless) -> None:
        """Shows how far a run is."""
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


def summary_of(run: Endless) -> str:
    """What the terminal says after a run."""
    result = run.result()
    lines = [
        f"{ending(result.stopped_by)} after {counted(result.frames, 'frame')} in {result.seconds:.1f} s "
        f"({result.frames_per_second:,.0f} frames/s)",
        f"pieces {locks_text(result)}",
        f"score {result.score:,}, level {result.level}, best {run.player.seat.best} {result.best_chain}"
        + (f", game overs {result.game_overs}" if result.game_overs else ""),
    ]
    if foresees(run.player.player):
        lines.append(CLAIRVOYANT)
    return "\n".join(lines)
