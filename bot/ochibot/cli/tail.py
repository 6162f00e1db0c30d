"""``ochibot tail``: estimates how probable full fields are, even those that direct play never reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ochibot.cli.commands import taking
from ochibot.cli.options import find_title, number_option
from ochibot.cli.output import report_stream
from ochibot.cli.sharding import AloneOptions, Progress, run_all
from ochibot.report import write_json
from ochibot.wording import counted


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
    print(_text(summary, given.step), file=out)


def _text(summary: Mapping[str, Any], step: int) -> str:
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
