"""``ochibot lab``: what the lab writes for other programs.

``ochibot lab export`` writes positions with best placements, values and outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.commands import example, taking
from ochibot.cli.options import DealerName, DealerOption, find_title, number_option
from ochibot.cli.output import report_stream
from ochibot.cli.sharding import AloneOptions, Progress, run_all
from ochibot.errors import UsageError
from ochibot.report import write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.puyo.rules.profile import Rules


class FileFormat(StrEnum):
    """The choices of --format."""

    NPZ = "npz"
    PARQUET = "parquet"


@dataclass(frozen=True, kw_only=True)
class ExportOptions(AloneOptions):
    """The options of ``ochibot lab export``."""

    positions: Annotated[int, number_option("Positions to write in all.", most=10**11)] = 1_000_000
    dealer: DealerOption = DealerName.UNIFORM
    length: Annotated[int, number_option("Pieces after which a game is cut.", most=100_000)] = 200
    epsilon: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="The share of placements that are random.")
    ] = 0.1
    all_values: Annotated[
        bool, typer.Option("--all-values", help="Write the value of each placement, not only that of the best one.")
    ] = False
    format: Annotated[FileFormat, typer.Option(help="npz for numpy, or parquet, which needs pyarrow.")] = FileFormat.NPZ
    shard: Annotated[
        int,
        number_option(
            "Positions in a file, which is a worker's unit of work; another size plays other games.",
            least=1_000,
            most=1_000_000,
        ),
    ] = 250_000


@taking(
    ExportOptions,
    "output positions player rules dealer colors length epsilon all_values seed format shard workers scheduler json",
)
def export(given: ExportOptions) -> None:
    """Puyo Puyo: write positions with the two-ply player's best placements, their values, and what came of them.

    DIR/positions has the files, DIR/summary.json says what is in them. The files don't depend on the number of workers
    or on interruptions: run the same command again to resume.
    """
    from ochibot.games.choosing import find_rules
    from ochibot.lab.positions.files import Playing, need, position_tasks
    from ochibot.lab.positions.folder import PositionsFolder, make_file
    from ochibot.players import find_file
    from ochibot.puyo.search.player import load_player
    from ochibot.puyo.sim.dealer import self_play_dealer
    from ochibot.puyo.sim.engine import RECORD_KERNELS

    given.check()
    title = find_title(None, None)
    profile: Rules = find_rules(title, given.rules)
    file = find_file(given.player, title)
    if file.kind.name != "two_ply":
        raise UsageError(f"lab export plays players of the kind two_ply alone: {given.player} is a {file.kind.name}")
    self_play_dealer(given.dealer.value, 0, given.colors)  # raises an error now if it can't deal this many colours
    form = given.format.value
    need(form)
    playing = Playing(
        player=load_player(file.path),
        rules=profile,
        colors=given.colors,
        source=given.dealer.value,
        seed=given.seed,
        length=given.length,
        epsilon=given.epsilon,
        shard=given.shard,
        all_values=given.all_values,
    )
    out = report_stream(given.json)
    with PositionsFolder(given.output, playing.identity(given.positions, form)) as folder:
        written = sum(line["positions"] for line in folder.finished())
        progress = Progress(written, given.positions, "position")
        progress.tell_kept(given.output, out)

        def add(result: Mapping[str, Any]) -> int:
            return progress.now + int(result["positions"])

        if written < given.positions:
            RECORD_KERNELS.kernel("record_play", profile)  # compiled once here, so that the workers needn't
            tasks = position_tasks(playing, given.positions, form)
            run_all(folder, tasks, make_file, progress, add, given)
        summary = folder.summary()
        folder.finish(summary)
    write_json(summary, given.json)
    print(_text(summary), file=out)
    if progress.now > progress.before:
        print(f"{counted(round(progress.speed), 'position')} a second", file=out)


def _text(summary: Mapping[str, Any]) -> str:
    return (
        f"{counted(summary['positions'], 'position')} in {counted(len(summary['files']), 'file')}: "
        f"{counted(summary['games'], 'game')}, {summary['games_ended']:,} of them to a game over; "
        f"{counted(summary['explored'], 'placement')} not the best; {counted(summary['points'], 'point')}"
    )


app = typer.Typer(no_args_is_help=True)


@app.callback(epilog=example("lab export --positions 20_000 -o runs/positions"))
def lab() -> None:
    """Write positions with decisions and outcomes as data (docs/data.md)."""


app.command("export", epilog=example("lab export --positions 20_000 -o runs/positions"))(export)
