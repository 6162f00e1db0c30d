"""``--record DIR`` and ``--dump``, the same for every command that plays."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.errors import OutputError, UsageError

if TYPE_CHECKING:
    from ochibot.console import Console
    from ochibot.games import Game
    from ochibot.ram import RamMap
    from ochibot.record import About, Recorder

RecordOption = Annotated[Path | None, typer.Option("--record", metavar="DIR", help="Keep a record of the run there.")]
DumpOption = Annotated[
    str | None,
    typer.Option("--dump", metavar="every=K|locks", help="With --record: pictures too, into DIR/dump, as PNG."),
]


@dataclass(frozen=True)
class Wanted:
    """What was asked for: where the record goes, how often pictures are dumped (None: not by frames), and at locks."""

    folder: Path
    every: int | None = None
    at_locks: bool = False


def check_recording(record: Path | None, dump: str | None) -> Wanted | None:
    """Make sense of the options and make the folder. Raises UsageError or OutputError; None when nothing is kept."""
    if record is None:
        if dump is not None:
            raise UsageError("--dump keeps pictures in the folder of a record: give --record DIR too")
        return None
    wanted = Wanted(record)
    if dump == "locks":
        wanted = Wanted(record, at_locks=True)
    elif dump is not None:
        name, _, number = dump.partition("=")
        if name != "every" or not number.isascii() or not number.isdigit() or int(number) < 1:
            raise UsageError(f"--dump takes every=K (each K-th frame, such as every=60) or locks, not {dump!r}")
        wanted = Wanted(record, every=int(number))
    from ochibot.record.recorder import prepare_folder

    prepare_folder(record)
    return wanted


def told_of(
    command: str,
    game: Game,
    mode: str,
    seed: int | None,
    players: Sequence[tuple[str, int, int | None]],
    settings: Mapping[str, int],
    maps: Sequence[RamMap],
) -> About:
    """What the manifest tells of the run; players as (name, seat, speed)."""
    from ochibot.record import About, PlayerInfo

    return About(
        command=command,
        game=game.name,
        mode=mode,
        seed=seed,
        players=tuple(PlayerInfo(name=name, seat=1 if seat == 1 else 2, speed=speed) for name, seat, speed in players),
        settings=dict(settings),
        maps=tuple(maps),
    )


@contextlib.contextmanager
def recording(
    wanted: Wanted, console: Console, game: Game, about: About, *, from_here: bool = False
) -> Iterator[Recorder]:
    """A recorder of the console, which ``recorder.console`` then stands for; closed at the end of the block."""
    from ochibot.record import Recorder
    from ochibot.record.dump import DumpWriter
    from ochibot.record.manifest import DUMP

    with contextlib.ExitStack() as stack:
        recorder = stack.enter_context(
            Recorder.begin(
                wanted.folder,
                console,
                about,
                from_here=from_here,
                system=game.system,
                options=game.core_options,
            )
        )
        if wanted.every is not None or wanted.at_locks:
            writer = DumpWriter(wanted.folder / DUMP, recorder.manifest, every=wanted.every, at_locks=wanted.at_locks)
            recorder.attach(stack.enter_context(writer))
        yield recorder


def recorded_line(recorder: Recorder) -> str:
    """A line for the summary, when nothing more is played: the record is closed before its frames are counted.

    That it can't be written is told by the end of the ``recording`` block.
    """
    with contextlib.suppress(OutputError):
        recorder.close()
    return f"record {recorder.folder}: {recorder.kept:,} frames"
