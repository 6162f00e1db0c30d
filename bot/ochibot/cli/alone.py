"""Commands for experiments in which a player of Puyo Puyo plays alone, on all processors.

``ochibot selfplay``: repeats an experiment of the article (meatfighter.com/puyopuyo) on all processors.

A player plays alone for any number of pieces, and the puyos on the field are counted.

``ochibot tail``: estimates how probable full fields are, even those that direct play never reaches.

``ochibot lab export``: writes positions with best placements, values and outcomes for other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.commands import example, taking
from ochibot.cli.options import DealerName, DealerOption, Device, find_title, nodes_option, number_option
from ochibot.cli.output import report_stream
from ochibot.cli.sharding import AloneOptions, Progress, run_all, watching
from ochibot.errors import UsageError
from ochibot.report import write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.lab.endless import AnyConfig
    from ochibot.puyo.rules.profile import Rules


@dataclass(frozen=True, kw_only=True)
class SelfPlayOptions(AloneOptions):
    """The options of ``ochibot selfplay``."""

    pieces: Annotated[int, number_option("Pieces to play in all.")] = 1_000_000
    nodes: Annotated[
        int | None,
        nodes_option("For players that build chains: boards examined for each decision.", "as its file says"),
    ] = None
    dealer: DealerOption = DealerName.UNIFORM
    shard: Annotated[
        int | None,
        number_option(
            "Pieces per shard, which is a worker's unit of work; another size plays other games.",
            least=1_000,
            default="250,000; 5,000 of a player that isn't of the kind two_ply",
        ),
    ] = None
    device: Annotated[
        Device, typer.Option(help="cpu, or cuda for an NVIDIA GPU (kept busy with --shard 3000 or less).")
    ] = Device.CPU


@taking(
    SelfPlayOptions,
    "output pieces player nodes rules dealer colors seed shard device workers scheduler json",
)
def selfplay(given: SelfPlayOptions) -> None:
    """Puyo Puyo: let a player play alone for millions of pieces, and count fields, chains and game overs.

    The result doesn't depend on the number of workers or on interruptions: run the same command again to resume, and
    the files will be the same, byte for byte. DIR/summary.json has the result.
    """
    from ochibot.falling.player import prepare
    from ochibot.lab.contest.contestant import Entrant
    from ochibot.lab.endless import Total, endless_check, endless_identity, endless_tasks, play_endless
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer
    from ochibot.puyo.sim.engine import SELF_PLAY_KERNELS

    given.check()
    profile = load_rules(given.rules)
    config = _player(given.player, profile, given.nodes)
    source: PlainSource = given.dealer.value
    self_play_dealer(source, 0, given.colors)  # raises an error now if the dealer can't deal this many colours
    experiment = config, profile, given.colors, source, given.seed, given.pieces, given.shard
    if given.device is Device.CUDA:
        if isinstance(config, Entrant):
            raise UsageError(f"--device cuda plays players of the kind two_ply alone: {config.name} is another")
        if given.workers is not None or given.scheduler is not None:
            raise UsageError("--device cuda plays on one GPU of this machine: leave --workers and --scheduler out")
        from ochibot.jit.library import need_gpu

        need_gpu()
    out, total = report_stream(given.json), Total()
    identity = endless_identity(*experiment)
    with ExperimentFolder(given.output, identity, endless_check(identity)) as folder:
        for result in folder.results():
            total.add(result)
        progress = Progress(total.sums["pieces"], given.pieces, "piece")
        progress.tell_kept(given.output, out)

        def add(result: Mapping[str, Any]) -> int:
            total.add(result)
            return total.sums["pieces"]

        if progress.before < given.pieces:
            if isinstance(config, Entrant):
                prepare(config.open("puyo", profile, 0))
            elif given.device is Device.CPU:
                SELF_PLAY_KERNELS.kernel("self_play", profile)  # compiled once here, so that the workers needn't
            if given.device is Device.CUDA:
                from ochibot.lab.endless import run_on_gpu

                with watching(progress) as (stopped, show):

                    def on_wait(played: int) -> None:
                        progress.now = total.sums["pieces"] + played
                        show()

                    whole = run_on_gpu(folder, endless_tasks(*experiment), stopped, add, on_wait)
                progress.now = total.sums["pieces"]
                if not whole:
                    progress.stopped(out)
            else:
                run_all(folder, endless_tasks(*experiment), play_endless, progress, add, given)
        summary = total.summary()
        folder.finish(summary)
    write_json(summary, given.json)
    played = progress.now > progress.before
    print(_text(summary) + (f"\n{counted(round(progress.speed), 'piece')} a second" if played else ""), file=out)


def _player(wanted: str, rules: Rules, nodes: int | None) -> AnyConfig:
    """The player: a configuration for the kind two_ply, an ``Entrant`` for others. Raises ConfigError or UsageError."""
    from ochibot.lab.contest.contestant import contestant
    from ochibot.players import find_file
    from ochibot.puyo.search.player import load_player

    file = find_file(wanted, find_title(None, None))
    if file.kind.name == "two_ply":
        if nodes is not None:
            raise UsageError("--nodes is only for players that build chains: leave it out for this one")
        return load_player(file.path)
    made = contestant(wanted, "puyo", rules)
    if nodes is None:
        return made
    if "nodes" not in file.kind.options:
        raise UsageError(f"a player of the kind {file.kind.name} has no --nodes: leave it out")
    return replace(made, config=made.config.model_copy(update={"nodes": nodes}))


def _text(summary: Mapping[str, Any]) -> str:
    return (
        f"{counted(summary['pieces'], 'piece')}: mean {summary['mean']:.2f} puyos on the field, deviation "
        f"{summary['deviation']:.2f}, mostly {summary['mode']}, at most {summary['most']}; {summary['field_clears']:,} "
        f"field clears; longest chain {summary['longest_chain']}; {counted(summary['games_ended'], 'game')} ended"
    )


@dataclass(frozen=True, kw_only=True)
class TailOptions(AloneOptions):
    """The options of ``ochibot tail``."""

    replicas: Annotated[
        int, number_option("Independent estimates; their spread gives the 95 % intervals.", least=2)
    ] = 400
    direct: Annotated[int, number_option("Pieces of direct play in a replica, below the first level.", least=1_000)] = (
        250_000
    )
    first: Annotated[int, number_option("The first level, in puyos.", most=84)] = 20
    step: Annotated[int, number_option("The distance between levels, in puyos.", most=20)] = 2
    excursions: Annotated[int, number_option("Excursions from each level in a replica.", least=10, most=10_000_000)] = (
        10_000
    )


@taking(
    TailOptions,
    "output replicas direct first step excursions player rules colors seed workers scheduler json",
)
def tail(given: TailOptions) -> None:
    """Puyo Puyo: estimate how probable N puyos on the field after a lock are, even for N too rare to occur in play.

    It uses multilevel splitting: fields that reach a level are played on many times from there, level after level.
    The result doesn't depend on the number of workers or on interruptions. DIR/summary.json has it; `ochibot plot`
    draws it.
    """
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.tail import Splitting, play_replica, tail_check, tail_identity, tail_summary, tail_tasks
    from ochibot.players import find_file
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.search.player import load_player
    from ochibot.puyo.sim.engine import EXCURSION_KERNELS

    given.check()
    profile, config = load_rules(given.rules), load_player(find_file(given.player, find_title(None, None)).path)
    splitting = Splitting(given.direct, given.first, given.step, given.excursions)
    experiment = config, profile, given.colors, splitting, given.seed, given.replicas
    out = report_stream(given.json)
    identity = tail_identity(*experiment)
    with ExperimentFolder(given.output, identity, tail_check(identity)) as folder:
        results = list(folder.results())
        progress = Progress(len(results), given.replicas, "replica")
        progress.tell_kept(given.output, out)

        def add(result: Mapping[str, Any]) -> int:
            results.append(dict(result))
            return len(results)

        if len(results) < given.replicas:
            EXCURSION_KERNELS.kernel("excursions", profile)  # compiled once here, so that the workers needn't
            run_all(folder, tail_tasks(*experiment), play_replica, progress, add, given)
        summary = tail_summary(results)
        folder.finish(summary)
    write_json(summary, given.json)
    print(_tail_text(summary, given.step), file=out)


def _tail_text(summary: Mapping[str, Any], step: int) -> str:
    lines = [
        f"{summary['replicas']:,} replicas, {counted(summary['pieces'], 'piece')}",
        "puyos  probability  95 % interval",
    ]
    rows = [(puyos, *row) for puyos, row in enumerate(summary["frequencies"]) if row[0]]
    for puyos, value, low, high, seen in rows:
        if puyos % max(step, 2) == 0 or puyos == rows[-1][0]:
            few = "" if seen > 0.5 else f"  (seen by {seen:.0%} of the replicas)"
            lines.append(f"{puyos:5}  {value:11.3g}  {low:.3g} to {high:.3g}{few}")
    value, low, high, _ = summary["game_over"]
    if value:
        lines.append(f"a lock ends the game with a probability of {value:.3g} ({low:.3g} to {high:.3g})")
    else:
        lines.append("no game ended")
    return "\n".join(lines)


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
    print(_exported(summary), file=out)
    if progress.now > progress.before:
        print(f"{counted(round(progress.speed), 'position')} a second", file=out)


def _exported(summary: Mapping[str, Any]) -> str:
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
