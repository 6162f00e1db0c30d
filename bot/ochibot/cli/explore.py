"""``ochibot explore``: finds the way from power-on to play in a game whose menus nobody has described."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.options import CoreOption, JsonOption, SystemOption
from ochibot.cli.output import StatusLine, report_stream
from ochibot.report import check_target, write_json
from ochibot.wording import counted


def explore(
    rom: Annotated[
        Path | None,
        typer.Argument(metavar="ROM", help="Your ROM, of any system known here.", show_default="our own game"),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder for the way, a savestate and pictures.")
    ] = Path("runs/explore"),
    system: SystemOption = None,
    core: CoreOption = None,
    json: JsonOption = None,
) -> None:
    """Find the way to play: taps of buttons are tried until something falls and follows left and right.

    DIR/route.yaml has the taps and the pad frame by frame, DIR/play.state is a savestate of play.
    """
    from ochibot.calibrate.run import explore_rom, load_any, open_lab
    from ochibot.games import find_game

    check_target(json)
    path = rom if rom is not None else find_game("puyo").shipped_rom()
    assert path is not None
    out = report_stream(json)
    with contextlib.ExitStack() as stack:
        lab = open_lab(load_any(path, system), core, system)
        stack.callback(lab.console.close)
        line = StatusLine()
        stack.callback(line.close)
        route = explore_rom(lab, output, lambda text, share: line.show(text, share) if line.due() else None)
        line.close()
        report = {
            "taps": list(route.buttons),
            "frames": route.frames,
            "screens": route.screens,
            "across": {lab.base + place: step for place, step in route.motion.across.items()},
            "falls": {lab.base + place: step for place, step in route.motion.fall.items()},
            "folder": str(output),
        }
        write_json(report, json)
        print(
            f"play is {counted(route.frames, 'frame')} from power-on: {', '.join(route.buttons) or 'nothing to press'} "
            f"({counted(route.screens, 'screen')} tried); {output}/route.yaml has the way",
            file=out,
        )
