"""``ochibot arena``: players compete in simulated matches, with ratings and a sequential test.

``ochibot watch``: shows a game of an arena in the window, or writes it as a video.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli import completing, options
from ochibot.cli.commands import taking
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.sharding import MatchesOptions, duration, warm
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.lab.contest.replay import ArenaReplay
    from ochibot.overlay.layout import Picture


@dataclass(frozen=True, kw_only=True)
class ArenaOptions(MatchesOptions):
    """The options of ``ochibot arena``."""

    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Two or more: shipped names, YAML files, classes as file.py:Class, or programs as engine:COMMAND.",
            autocompletion=completing.players,
        ),
    ]
    games: Annotated[int, options.number_option("Games of each pairing, an even number; with --sprt, the most.")] = 100
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop as soon as a sequential test decides whether the first player is better by ELO0 or ELO1 "
            "(5 % errors).",
            show_default="play all games",
        ),
    ] = None


@taking(
    ArenaOptions,
    "players output game games sprt rules level colors max_pieces seed workers scheduler json",
)
def arena(given: ArenaOptions) -> None:
    """Let players compete without an emulator: a round robin with nuisance. Each deal is played from both seats.

    The result doesn't depend on the number of workers or on interruptions: run the same command again to resume, and
    the files will be the same, byte for byte. DIR/summary.json has the result; `ochibot watch DIR` shows the games.
    """
    from ochibot.lab.contest.arena import Arena, play_pair
    from ochibot.lab.contest.contestant import contestant, with_distinct_names
    from ochibot.lab.contest.rating import check_hypotheses
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.workers import run_plan

    given.check()
    table = given.table()
    contestants = with_distinct_names([contestant(wanted, table.game, table.rules) for wanted in given.players])
    plan = Arena(
        table, contestants, given.games, given.seed, check_hypotheses(*given.sprt) if given.sprt is not None else None
    )
    out = report_stream(given.json)
    began, before = time.perf_counter(), 0
    with (
        stopping(gently=True) as stop,
        contextlib.closing(StatusLine()) as status,
        ExperimentFolder(given.output, plan.identity(), plan.check) as folder,
    ):
        before = len(folder.done)
        if before:
            print(f"{given.output} has {2 * before:,} of {counted(2 * plan.tasks, 'game')}", file=out, flush=True)
        else:
            warm(table, (contestants[0], contestants[1]))

        def tell() -> None:
            if status.due() and len(folder.done) > before:
                pace = (len(folder.done) - before) / (time.perf_counter() - began)
                left = duration((plan.tasks - len(folder.done)) / pace)
                test = "" if plan.test is None else f"; log-likelihood ratio {plan.test.ratio:+.2f}"
                status.show(f"{2 * len(folder.done):,} of {counted(2 * plan.tasks, 'game')}; at most {left} left{test}")

        whole = run_plan(
            folder,
            plan,
            play_pair,
            given.chosen_workers,
            stopped=stop.asked,
            on_wait=tell,
        )
        status.close()
        if not whole:
            print(
                f"stopped at {2 * len(folder.done):,} of {counted(2 * plan.tasks, 'game')}; run it again to resume",
                file=out,
            )
            raise KeyboardInterrupt
        summary = plan.summary()
        folder.finish(summary, lambda number: number < plan.counted)
    write_json(summary, given.json)
    print("\n".join(_lines(summary)), file=out)


def _lines(summary: Mapping[str, Any]) -> list[str]:
    players = sorted(summary["players"], key=lambda player: -player["elo"])
    width = max(len(player["name"]) for player in players)
    lines = [
        f"{player['name']:{width}}  Elo {player['elo']:+7.1f} ({player['low']:+.1f} to {player['high']:+.1f}, 95 %)  "
        f"{player['wins']} won, {player['losses']} lost, {player['draws']} drawn of {player['games']}"
        for player in players
    ]
    lines += [
        f"{pairing['first']} scores {pairing['score']:.1%} against {pairing['second']} "
        f"(95 %: {pairing['low']:.1%} to {pairing['high']:.1%}; "
        f"99 %: {pairing['low99']:.1%} to {pairing['high99']:.1%})"
        for pairing in summary["pairings"]
    ]
    lines += [
        f"{fault['player']} has lost {counted(fault['games'], 'game')} by its own fault, first: {fault['first']}"
        for fault in summary["faults"]
    ]
    if (test := summary["sprt"]) is not None:
        first, second = (player["name"] for player in summary["players"])
        verdict = {
            "H0": f"{first} is not {test['elo1']:g} Elo better than {second} (H0: {test['elo0']:g})",
            "H1": f"{first} is better than {second}: {test['elo1']:g} Elo fit better than {test['elo0']:g} (H1)",
            None: "not decided",
        }[test["accepted"]]
        low, high = test["bounds"]
        lines.append(
            f"{verdict}; log-likelihood ratio {test['llr']:+.2f} of {low:+.2f} to {high:+.2f}, {test['pairs']} pairs"
        )
    return lines


FPS = 60
"""Frames per second, of a match and of an .mp4 video."""
ANIMATED = 20
"""Pictures per second of a .gif or .png."""


def watch(
    arena: Annotated[Path, typer.Argument(metavar="ARENA", help="The folder of an ochibot arena.")],
    number: Annotated[
        int,
        typer.Argument(
            min=1, metavar="NUMBER", help="The number of the game: 1, 2, … in the order in which they were played."
        ),
    ] = 1,
    output: Annotated[
        Path | None,
        options.file_option("Write an .mp4, .gif or .png (APNG) file instead.", *OUTPUT, default="the window"),
    ] = None,
    first: options.FromOption = 1,
    last: Annotated[
        int | None,
        typer.Option("--to", min=1, metavar="FRAME", help="The last frame, included.", show_default="the game's last"),
    ] = None,
    tempo: Annotated[float, typer.Option(min=0.1, max=100, metavar="X", help="Faster (2) or slower (0.5).")] = 1.0,
    scale: options.ScaleOption = None,
    keys: options.KeysOption = None,
    shots: options.ShotsOption = Path(),
    json: options.JsonOption = None,
) -> None:
    """Watch a game of an arena: both fields, next pairs, chains, scores and nuisance. F1 shows the keys."""
    from ochibot.lab.contest.replay import KeptArena

    check_target(json)
    if output is not None:
        from ochibot.record.video import check_kind

        check_kind(output)
    replay = KeptArena(arena).replay(number)
    end = replay.frames if last is None else last
    if not first <= end <= replay.frames:
        raise UsageError(f"the game has the frames 1 to {replay.frames:,}: choose --from and --to among them")
    summary = f"{replay.names[0]} against {replay.names[1]}, {_ending(replay)}"
    report: dict[str, Any] = {
        "arena": str(arena),
        "number": number,
        "players": list(replay.names),
        "frames": replay.frames,
        **{name: replay.game[name] for name in ("loser", "pieces", "scores", "sent", "best")},
    }
    if output is None:
        from ochibot.ui.pictures import show_duel

        show_duel(
            replay.scenes,
            end,
            replay.size,
            first=first - 1,
            tempo=tempo,
            keys=keys,
            folder=shots,
            title=f"Ochibot · {replay.names[0]} – {replay.names[1]}",
        )
        print(summary, file=report_stream(json))
        write_json({**report, "video": None}, json)
        return
    check_writable(output, "the video")
    from ochibot.record.video.make import write_pictures

    fps = FPS if output.suffix.lower() == ".mp4" else ANIMATED
    times = scale or (3 if fps == FPS else 1)
    with stopping(), contextlib.closing(StatusLine()) as status:
        pictures = _pictures(replay, range(first - 1, end), tempo * FPS / fps, times, status)
        made, size = write_pictures(output, pictures, fps)
    print(f"{output}: {summary}; {counted(made, 'picture')}, {size / 1000:,.0f} kB", file=report_stream(json))
    write_json({**report, "video": str(output), "pictures": made, "bytes": size}, json)


def _ending(replay: ArenaReplay) -> str:
    pieces = max(replay.game["pieces"])
    loser = replay.game["loser"]
    won = f"{replay.names[2 - loser]} (seat {3 - loser}) wins" if loser else "a draw"
    return f"{won} after {counted(pieces, 'piece')}"


def _pictures(replay: ArenaReplay, frames: range, step: float, scale: int, status: StatusLine) -> Iterator[Picture]:
    from ochibot.overlay.duel import DuelPicture
    from ochibot.overlay.panel import Panels, beside

    drawing, panels = DuelPicture(*replay.size), Panels()
    for number in range(max(int(len(frames) / step), 1)):
        frame = frames[int(number * step)]
        if status.due():
            status.show(f"frame {frame:,} of {frames[-1] + 1:,}", (frame - frames[0]) / len(frames))
        scenes = replay.scenes(frame)
        standings = {seat: scene.standing for seat, scene in enumerate(scenes, 1)}
        yield beside(drawing.draw(scenes, frame), standings, scale, panels)
