"""``ochibot watch``: shows a game of an arena in the window, or writes it as a video."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ochibot.cli.options import OUTPUT, FromOption, JsonOption, KeysOption, ScaleOption, ShotsOption, file_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.report import check_target, check_writable, write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.lab.contest.replay import Replay
    from ochibot.overlay.layout import Picture

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
        Path | None, file_option("Write an .mp4, .gif or .png (APNG) file instead.", *OUTPUT, default="the window")
    ] = None,
    first: FromOption = 1,
    last: Annotated[
        int | None,
        typer.Option("--to", min=1, metavar="FRAME", help="The last frame, included.", show_default="the game's last"),
    ] = None,
    tempo: Annotated[float, typer.Option(min=0.1, max=100, metavar="X", help="Faster (2) or slower (0.5).")] = 1.0,
    scale: ScaleOption = None,
    keys: KeysOption = None,
    shots: ShotsOption = Path(),
    json: JsonOption = None,
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


def _ending(replay: Replay) -> str:
    pieces = max(replay.game["pieces"])
    loser = replay.game["loser"]
    won = f"{replay.names[2 - loser]} (seat {3 - loser}) wins" if loser else "a draw"
    return f"{won} after {counted(pieces, 'piece')}"


def _pictures(replay: Replay, frames: range, step: float, scale: int, status: StatusLine) -> Iterator[Picture]:
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
