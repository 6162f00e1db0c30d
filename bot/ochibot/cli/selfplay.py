"""``ochibot selfplay``: the article's experiment, any number of pieces on all processors."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.options import DealerName, DealerOption, JsonOption, PuyoPlayerOption, PuyoRulesOption, find_title
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from ochibot.lab.sharded.workers import Workers


def selfplay(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The folder of the run; the same command goes on with what is there."
        ),
    ],
    pieces: Annotated[int, typer.Option(min=1, metavar="N", help="Pieces to play, in all.")] = 1_000_000,
    player: PuyoPlayerOption = "article",
    rules: PuyoRulesOption = "famicom",
    dealer: DealerOption = DealerName.UNIFORM,
    colors: Annotated[int, typer.Option(min=1, max=6, metavar="N", help="Colours of the pairs.")] = 5,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The same seed plays the same games.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=1024, metavar="N", help="Processes that play.", show_default="one for each processor"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on the Dask cluster of this scheduler instead, such as tcp://host:8786.",
            show_default="this machine",
        ),
    ] = None,
    json: JsonOption = None,
) -> None:
    """Puyo Puyo: a player alone for millions of pieces: how full its field is, which chains it makes, how it ends.

    The result depends on neither the number of workers nor on interruptions: whatever ends the command, the same
    command goes on, and ends with the same files, byte for byte. DIR/summary.json has the result.
    """
    from ochibot.lab.endless import Total, endless_identity, endless_tasks, play_endless
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.run import run_shards
    from ochibot.players import find_file
    from ochibot.puyo.rules.file import load_rules
    from ochibot.puyo.search.player import load_player
    from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer
    from ochibot.puyo.sim.engine import SELF_PLAY_KERNELS

    if workers is not None and scheduler is not None:
        raise UsageError("--workers are processes of this machine, --scheduler is a cluster: give one of them")
    check_target(json)
    profile, config = load_rules(rules), load_player(find_file(player, find_title(None, None)).path)
    source: PlainSource = dealer.value
    self_play_dealer(source, 0, colors)  # says at once which colours it can't deal
    experiment = config, profile, colors, source, seed, pieces
    out, total = report_stream(json), Total()
    with (
        stopping(gently=True) as stop,
        contextlib.closing(StatusLine()) as status,
        ExperimentFolder(output, endless_identity(*experiment)) as folder,
    ):
        for shard in folder.results():
            total.add(shard)
        before = total.sums["pieces"]
        if before:
            print(f"{output} has {before:,} of {pieces:,} pieces", file=out, flush=True)
        began = time.perf_counter()

        def done(shard: Mapping[str, Any]) -> None:
            total.add(shard)

        def tell() -> None:
            now, seconds = total.sums["pieces"], time.perf_counter() - began
            if now > before and status.due():
                speed = (now - before) / seconds
                left = _duration((pieces - now) / speed)
                status.show(f"{now:,} of {pieces:,} pieces; {speed:,.0f} a second; {left} left")

        whole = before >= pieces
        if not whole:
            SELF_PLAY_KERNELS.kernel("self_play", profile)  # compiled here once, not by every worker
            with _workers(workers, scheduler) as ready:
                whole = run_shards(
                    folder,
                    endless_tasks(*experiment),
                    play_endless,
                    ready,
                    stopped=stop.asked,
                    on_done=done,
                    on_wait=tell,
                )
        status.close()
        summary = total.summary()
        if not whole:
            print(f"stopped at {total.sums['pieces']:,} of {pieces:,} pieces; the same command goes on", file=out)
            raise KeyboardInterrupt
        folder.finish(summary)
    write_json(summary, json)
    speed = (pieces - before) / max(time.perf_counter() - began, 1e-9)
    print(_text(summary) + (f"\n{speed:,.0f} pieces a second" if pieces > before else ""), file=out)


@contextlib.contextmanager
def _workers(count: int | None, scheduler: str | None) -> Iterator[Workers]:
    from ochibot.lab.sharded.workers import cluster_workers, local_workers

    with cluster_workers(scheduler) if scheduler is not None else local_workers(count or os.cpu_count() or 1) as ready:
        yield ready


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _text(summary: Mapping[str, Any]) -> str:
    return (
        f"{summary['pieces']:,} pieces: mean {summary['mean']:.2f} puyos on the field, deviation "
        f"{summary['deviation']:.2f}, mostly {summary['mode']}, at most {summary['most']}; {summary['field_clears']:,} "
        f"field clears; longest chain {summary['longest_chain']}; {summary['games_ended']:,} games ended"
    )
