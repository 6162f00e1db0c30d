"""``ochibot explore``: finds the way from power-on to play in a game whose menus nobody has described."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.options import (
    OUTPUT,
    CoreOption,
    JsonOption,
    MachineOption,
    SystemOption,
    effort_option,
    file_option,
    folder_option,
)
from ochibot.cli.output import StatusLine, report_stream
from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.report import check_target, write_json
from ochibot.wording import counted


def explore(
    rom: Annotated[
        Path | None,
        typer.Argument(metavar="ROM", help="Your ROM, of any system known here.", show_default="our own game"),
    ] = None,
    output: Annotated[Path, folder_option("The folder for the route, a savestate and pictures.", *OUTPUT)] = Path(
        "runs/explore"
    ),
    mode: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A mode's name, and the value of the mode byte in it; may be repeated.",
            show_default="none",
        ),
    ] = None,
    mode_byte: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The documented address of the byte that holds the mode, such as 0x006F; all modes are searched.",
            show_default="any play",
        ),
    ] = None,
    from_state: Annotated[
        Path | None, file_option("A savestate to begin at, such as one behind a title screen.", default="power-on")
    ] = None,
    effort: Annotated[str, effort_option("the search")] = "normal",
    machine: MachineOption = None,
    system: SystemOption = None,
    core: CoreOption = None,
    json: JsonOption = None,
) -> None:
    """Find the way to play: tap buttons from power-on, or from a savestate, until a piece falls that obeys the pad.

    DIR/route.yaml has the taps and the pad frame by frame, DIR/play.state is a savestate of play. With a documented
    mode byte it searches for each mode, and DIR/NAME has the way to it.
    """
    from ochibot.cli.calibrate import state_of
    from ochibot.experiments.effort import frames_of
    from ochibot.experiments.run import explore_modes, explore_rom, open_rig
    from ochibot.games import find_game
    from ochibot.ramtools.opening import open_rom

    check_target(json)
    names = _modes(mode_byte, mode or [])
    frames = frames_of(effort)
    path = rom if rom is not None else find_game("puyo").shipped_rom()
    assert path is not None
    out = report_stream(json)
    image = open_rom(path, machine=machine, system=system)
    if image.note:
        print(image.note, file=out)
    state = None if from_state is None else state_of(image, system, core, from_state)
    with contextlib.ExitStack() as stack:
        lab = open_rig(image, core, system)
        stack.callback(lab.console.close)
        line = StatusLine()
        stack.callback(line.close)

        def told_of(text: str, share: float) -> None:
            if line.due():
                line.show(text, share)

        if mode_byte is not None:
            found, used_up = explore_modes(lab, output, int(mode_byte, 0), names, told_of, frames, state)
            line.close()
            write_json({"modes": {name: list(route.buttons) for name, route in found.items()}}, json)
            for name, route in found.items():
                print(f"{name}: {', '.join(route.buttons) or 'nothing to press'}; {output / name}/route.yaml", file=out)
            for name in names.values():
                if name not in found:
                    print(f"{name}: not reached", file=out)
            if used_up:
                print(used_up, file=out)
            return
        route = explore_rom(lab, output, told_of, frames, state)
        line.close()
        report = {
            "taps": list(route.buttons),
            "frames": route.frames,
            "screens": route.screens,
            "across": {lab.address(place): step for place, step in route.motion.across.items()},
            "falls": {lab.address(place): step for place, step in route.motion.fall.items()},
            "folder": str(output),
        }
        write_json(report, json)
        begin = "power-on" if state is None else "the savestate"
        print(
            f"play is {counted(route.frames, 'frame')} from {begin}: {', '.join(route.buttons) or 'nothing to press'} "
            f"({counted(route.screens, 'screen')} tried); {output}/route.yaml has the way",
            file=out,
        )


def _modes(address: str | None, given: list[str]) -> dict[int, str]:
    """Reads the --mode options: the mode's name by the byte's value. Raises UsageError, also for a wrong address."""
    if (address is None) != (not given):
        raise UsageError("--mode-byte and --mode go together: --mode-byte 0x006F --mode endless=0")
    found: dict[int, str] = {}
    try:
        if address is not None:
            int(address, 0)
    except ValueError:
        raise UsageError(f"--mode-byte is an address, as 0x006F, not {quoted(str(address))}") from None
    for one in given:
        name, _, value = one.partition("=")
        try:
            number = int(value, 0)
        except ValueError:
            number = -1
        if not re.fullmatch(r"[\w-]+", name) or not 0 <= number <= 255:
            raise UsageError(f"--mode is NAME=VALUE with a value from 0 to 255, as endless=0, not {quoted(one)}")
        if number in found or name in found.values():
            raise UsageError(f"--mode {quoted(one)}: this name or value has been given already")
        found[number] = name
    return found
