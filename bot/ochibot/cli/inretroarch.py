"""``ochibot play --retroarch``: the bot plays in a RetroArch that somebody has started."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from ochibot.cli.output import report_stream, stopping
from ochibot.cli.running import InMenus, connect, failure_of, finish, introduction
from ochibot.errors import UsageError

if TYPE_CHECKING:
    from ochibot.cli.play import PlayOptions
    from ochibot.console.rom import Rom
    from ochibot.play.endless import Endless

_ITS_OWN = {
    "core": "RetroArch has chosen its core",
    "from_state": "RetroArch loads its own savestates",
    "seed": "the game may be running already",
    "screenshot": "RetroArch shows its picture itself",
    "record": "its memory can be read, but no savestates",
    "window": "RetroArch shows its picture itself",
    "clairvoyant": "it is for runs without people",
}


def play_there(given: PlayOptions, address: str) -> None:
    """Plays in the RetroArch at ``address``: from the next piece on if its game is in play, else through the menus.

    Raises UsageError and ConsoleError.
    """
    from ochibot.cli.play import Status, summary_of
    from ochibot.console.netcommands import Address
    from ochibot.console.netconsole import RetroArchConsole
    from ochibot.falling.player import name_of, prepare

    for name, why in _ITS_OWN.items():
        if getattr(given, name):
            raise UsageError(f"--{name.replace('_', '-')} doesn't go with --retroarch, because {why}: leave it out")
    there = Address.parse(address)
    consoles: list[RetroArchConsole] = []

    def opener(rom: Rom) -> RetroArchConsole:
        consoles.append(RetroArchConsole(rom, there, lockstep=given.lockstep))
        return consoles[0]

    with given.opened(opener=opener) as session:
        (console,) = consoles
        mind = session.open_player(given.player, plies=given.plies)
        options = session.choose(given.chosen())
        entries = [entry for one in session.maps() for entry in one.entries.values()]
        if all(entry.pointer is None for entry in entries):
            console.watch(address for entry in entries for address in entry.byte_addresses())
        prepare(mind)
        out = report_stream(given.json)
        with stopping(gently=True) as stop, contextlib.closing(Status()) as status:
            print(introduction(session), file=out, flush=True)
            counter = session.maps()[0].entries.get("frame")
            if counter is not None and counter.pointer is None:
                console.count_by(counter.byte_addresses()[0])
            elif not given.lockstep:
                console.find_counter()
            in_play = not session.seats()[0].in_menus()
            if in_play:
                print("the game is in play: the bot begins with its next piece", file=out, flush=True)
            runs: list[Endless] = []

            def begun(run: Endless) -> None:
                connect(session, stop, run.stop, list)
                console.missed = 0  # in the menus nothing is lost, and a game that has just begun may set its counter
                runs.append(run)

            def played() -> None:
                session.play(
                    mind,
                    pieces=given.pieces,
                    frames=given.frames,
                    speed=given.speed,
                    keep_going=given.keep_going,
                    restart=given.restart,
                    from_here=in_play,
                    in_menus=InMenus(status.line, stop.asked),
                    on_run=begun,
                    on_piece=status,
                )

            failure = failure_of(played, lambda: sum(run.player.tally.pieces for run in runs))
            status.close()
            (run,) = runs
            how = f"{'in lockstep, ' if given.lockstep else ''}frames missed {console.missed:,}"
            about = {
                "game": session.game.name,
                "player": name_of(mind),
                "rules": session.rules.name,
                "options": options,
                "retroarch": str(there),
                "lockstep": given.lockstep,
                "missed": console.missed,
            }
            report = {**about, **run.result().as_dict()}
            summary = f"{summary_of(run)}\n{how}"
            finish(session, run.stopped_by, report, summary, json=given.json, out=out, failure=failure)
