"""``ochibot bench live``: what the live page costs the game."""

from __future__ import annotations

from ochibot.cli.options import (
    CoreOption,
    FramesOption,
    GameArgument,
    GameModuleOption,
    JsonOption,
    RomOption,
    RoundsOption,
    RulesOption,
    SystemOption,
    find_title,
)
from ochibot.cli.output import report_stream, stopping
from ochibot.report import check_target, write_json


def live(
    game: GameArgument = None,
    frames: FramesOption = 6000,
    rounds: RoundsOption = 7,
    core: CoreOption = None,
    rom: RomOption = None,
    system: SystemOption = None,
    rules: RulesOption = None,
    game_module: GameModuleOption = None,
    json: JsonOption = None,
) -> None:
    """Frames per second of play's whole loop with the live page (--web) and a reader, and without.

    The two take turns. Processor time is that of the thread that plays.
    """
    from ochibot.bench.live import measure
    from ochibot.ui.web import need_web

    check_target(json)
    need_web()
    title = find_title(game, game_module)
    with stopping() as stop:
        report = measure(title, frames, rounds, stop.asked, core=core, rom=rom, system=system, rules=rules)
    write_json(report.as_dict(), json)
    print(report.table(), file=report_stream(json))
