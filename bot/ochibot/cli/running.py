"""What the commands that play share: Ctrl-C and the window end the run, the status in menus, the report at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO

from ochibot.cli.output import StatusLine, Stop
from ochibot.cli.recording import recorded_line
from ochibot.errors import OchibotError
from ochibot.report import write_json

if TYPE_CHECKING:
    from ochibot.play.seat import AnySeatPlayer
    from ochibot.session import Session

_ENDINGS: Final = {
    **{limit: f"--{limit}" for limit in ("pieces", "frames", "games", "rounds")},
    "game over": "a game over",
    "interrupt": "an interrupt",
    "window": "the window",
    "contradiction": "a contradiction",
    "stall": "a stall",
    "error": "an error",
}


CLAIRVOYANT = "clairvoyant: the player knew pairs that the game hadn't shown, read from its memory"
"""The line in the summary of every clairvoyant run."""

Watched = Sequence[tuple["AnySeatPlayer", tuple[str, ...]]]


def connect(session: Session, stop: Stop, end: Callable[[str], None], watched: Callable[[], Watched]) -> None:
    """Lets Ctrl-C and closing the window end the run. The window shows the AIs that ``watched`` returns."""
    screen = session.window
    if screen is None:
        stop.calls(end)
        return
    screen.watch(watched)
    screen.when_quit(end)
    stop.calls(screen.quit)


class InMenus:
    """Counts the frames spent in menus on the status line. Call it before each frame; it returns whether to stop."""

    def __init__(self, status: StatusLine, stopped: Callable[[], bool] = lambda: False) -> None:
        self._status = status
        self._stopped = stopped
        self._frames = 0

    def __call__(self) -> bool:
        """Counts a frame. Returns whether to stop."""
        self._frames += 1
        if self._status.due():
            self._status.show(f"in the menus, looking for the first pair: frame {self._frames:,}")
        return self._stopped()


def ending(by: str) -> str:
    """In words, what ended a run; ``by`` is a report's ``stopped_by``."""
    return f"stopped by {_ENDINGS.get(by, by)}"


def finish(
    session: Session,
    ended_by: str,
    report: Mapping[str, Any],
    summary: str,
    *,
    json: str | None,
    out: TextIO,
    failure: OchibotError | None,
) -> None:
    """Ends a run: writes the report, prints the summary, closes the record, then raises the failure if there was one.

    The report is written first, so that it isn't lost if the summary can't be printed.
    """
    if session.recorder is not None:
        session.recorder.end = ended_by
    write_json(report, json)
    print(summary, file=out, flush=True)
    if session.window is not None:
        print(session.window.report().line(), file=out)
    if session.recorder is not None:
        print(recorded_line(session.recorder), file=out)
    if failure is not None:
        raise failure
