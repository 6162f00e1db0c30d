"""What every command that plays does around its run: whom Ctrl-C and the window end, and the end itself."""

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
"""What every summary of such a run says."""

Watched = Sequence[tuple["AnySeatPlayer", tuple[str, ...]]]


def connect(session: Session, stop: Stop, end: Callable[[str], None], watched: Callable[[], Watched]) -> None:
    """Let Ctrl-C, and a window that is closed, end the run; the window shows the AIs of ``watched``, with their
    lines.
    """
    screen = session.screen
    if screen is None:
        stop.tell(end)
        return
    screen.watch(watched)
    screen.when_quit(end)
    stop.tell(screen.quit)


class InMenus:
    """Counts frames in the menus on the status line: call it before each. It passes on what ``stopped`` says."""

    def __init__(self, status: StatusLine, stopped: Callable[[], bool] = lambda: False) -> None:
        self._status = status
        self._stopped = stopped
        self._frames = 0

    def __call__(self) -> bool:
        """Whether to stop."""
        self._frames += 1
        if self._status.due():
            self._status.show(f"in the menus, looking for the first pair: frame {self._frames:,}")
        return self._stopped()


def ending(by: str) -> str:
    """What ended a run, for people; ``by`` is a report's ``stopped_by``."""
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
    """The end of a run: the report, then what people read, then what went wrong.

    Files come first: what was played is not lost where nobody reads the text.
    """
    if session.recorder is not None:
        session.recorder.end = ended_by
    write_json(report, json)
    print(summary, file=out, flush=True)
    if session.screen is not None:
        print(session.screen.report().line(), file=out)
    if session.recorder is not None:
        print(recorded_line(session.recorder), file=out)
    if failure is not None:
        raise failure
