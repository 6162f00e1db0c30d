"""The options ``--record`` and ``--dump`` of every command that plays on a console, and starting such a record."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ochibot.errors import OutputError, UsageError
from ochibot.quoting import quoted
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.record import Recorder
    from ochibot.session import Session

RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="DIR", help="Keep a record of the run in this folder.", show_default="nowhere"),
]
DumpOption = Annotated[
    str | None,
    typer.Option(
        "--dump",
        metavar="every=K|locks",
        help="With --record: pictures too, into DIR/dump, as PNG.",
        show_default="no pictures",
    ),
]


@dataclass(frozen=True)
class Wanted:
    """What to keep: a record in ``folder``, a picture of each ``every``-th frame (None: no such pictures), and with
    ``at_locks`` a picture at each lock.
    """

    folder: Path
    every: int | None = None
    at_locks: bool = False

    def begin(
        self,
        session: Session,
        command: str,
        players: Sequence[tuple[str, int, int | None]],
        *,
        mode: str | None = None,
        from_here: bool = False,
        clairvoyant: Collection[int] = (),
    ) -> Recorder:
        """Starts recording the session. Raises OutputError."""
        return session.record(
            self.folder,
            command=command,
            mode=mode,
            players=players,
            dump_every=self.every,
            dump_locks=self.at_locks,
            from_here=from_here,
            clairvoyant=clairvoyant,
        )


def check_recording(record: Path | None, dump: str | None) -> Wanted | None:
    """Checks the options, makes the record's folder, and returns what to keep; None if ``record`` is None.

    Raises UsageError or OutputError.
    """
    if record is None:
        if dump is not None:
            raise UsageError("--dump keeps pictures in the folder of a record: give --record DIR too")
        return None
    wanted = Wanted(record)
    if dump == "locks":
        wanted = Wanted(record, at_locks=True)
    elif dump is not None:
        name, _, number = dump.partition("=")
        if name != "every" or not (number.isascii() and number.isdigit() and len(number) < 10) or int(number) < 1:
            raise UsageError(f"--dump takes every=K (each K-th frame, such as every=60) or locks, not {quoted(dump)}")
        wanted = Wanted(record, every=int(number))
    from ochibot.record.recorder import prepare_folder

    prepare_folder(record)
    return wanted


def recorded_line(recorder: Recorder) -> str:
    """Closes the record, which writes its last frames, and returns a line about it for the summary.

    If the record can't be written, the end of the session reports that.
    """
    with contextlib.suppress(OutputError):
        recorder.close()
    return f"record {recorder.folder}: {counted(recorder.kept, 'frame')}"
