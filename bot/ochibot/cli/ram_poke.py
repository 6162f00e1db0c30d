"""``ochibot ram poke``: writes into RAM and shows what follows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ochibot.cli.commands import taking
from ochibot.cli.options import file_option, number_option
from ochibot.cli.output import check_picture, report_stream, save_picture, stopping
from ochibot.cli.ram_options import RomOptions, check_state, print_runs, save_state, stopper
from ochibot.report import check_target, write_json
from ochibot.wording import counted

MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class PokeOptions(RomOptions):
    """The options of ``ochibot ram poke``."""

    pokes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADDRESS=VALUE", help="0x7A=5, 0x7A:u24le=1234, or with a map score=1000.", show_default="none"
        ),
    ] = None
    frames: Annotated[int | None, number_option("Run this many frames.", default="those of the presses, or 60")] = None
    hold: Annotated[bool, typer.Option("--hold", help="Write again before every frame.")] = False
    screenshot: Annotated[Path | None, file_option("Save the last picture in this file.", default="nowhere")] = None


@taking(PokeOptions, "pokes rom machine system core ram_map state play pads frames hold saved screenshot json")
def poke(given: PokeOptions) -> None:
    """Write values into RAM, run some frames, and report how long they stayed and which other bytes changed.

    A byte counts as changed if it differs from a run of the same frames without the writing.
    """
    from ochibot.console import Button
    from ochibot.ramtools.poking import Press, length, parse_pads, parse_poke, poke_and_run

    check_target(given.json)
    check_picture(given.screenshot)
    check_state(given.saved)
    script = list(parse_pads(given.pads or ""))
    wanted = given.frames if given.frames is not None else (length(script) or 60)
    rest = wanted - length(script)
    if rest > 0:
        script.append(Press((Button.NONE, Button.NONE), rest))
    out = report_stream(given.json)
    with stopping() as stop, given.opened() as opened:
        console = opened.console
        if given.state is None and not given.play:
            # some cores load a savestate reliably only after they have run one frame
            console.step()
        wishes = [parse_poke(text, opened.ram_map) for text in given.pokes or ()]
        effect = poke_and_run(console, wishes, opened.ram_map, script, hold=given.hold, stopped=stopper(stop.asked))
        save_state(console, given.saved)
        if given.screenshot is not None:
            save_picture(console, given.screenshot)
    report = {
        "frames": effect.frames,
        "hold": given.hold,
        "pokes": [poked.as_dict() for poked in effect.pokes],
        "elsewhere": [run.as_dict() for run in effect.elsewhere],
        "state": None if given.saved is None else str(given.saved),
        "screenshot": None if given.screenshot is None else str(given.screenshot),
    }
    write_json(report, given.json)
    for poked in effect.pokes:
        stayed = (
            f"stayed for all {counted(effect.frames, 'frame')}"
            if poked.lasted is None
            else f"overwritten in frame {poked.lasted + 1}, {poked.after.hex(' ')} at the end"
        )
        print(f"{poked.name}  {poked.before.hex(' ')} → {poked.written.hex(' ')}: {stayed}", file=out)
    count = sum(len(run.before) for run in effect.elsewhere)
    verb = "is" if count == 1 else "are"
    print(
        f"{counted(count, 'other byte')} {verb} otherwise after {counted(effect.frames, 'frame')}",
        file=out,
    )
    print_runs(effect.elsewhere, MOST_SHOWN, "--json FILE", out)
