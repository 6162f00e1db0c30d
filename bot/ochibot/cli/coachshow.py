"""Where a coach's advice is shown: a small window, the terminal, lines of text, or beside the game in our window.

``ochibot coach --record``: keeps the game while it is coached, and reviews it at its end.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TextIO

from ochibot.cli.running import check_recording
from ochibot.errors import OutputError, UsageError
from ochibot.falling.advice import Advice, Adviser
from ochibot.overlay.coaching import CoachView, draw_coach, size_of, view_of
from ochibot.play.coach import CoachResult, CoachShown, Took
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ochibot.cli.coach import CoachOptions
    from ochibot.games.protocols import AnySeat, Look
    from ochibot.overlay.standing import Side
    from ochibot.play.coach import Coach
    from ochibot.play.seat import AnySeatPlayer
    from ochibot.review.following import Follower
    from ochibot.review.sources import PlacementLog
    from ochibot.session import Session
    from ochibot.ui.screen import Screen
    from ochibot.ui.web.live.states import WatchedSeat

WHERE: Final = ("window", "terminal", "lines")
_SCALE: Final = 2
_NO_FIELD: Final = (12, 6)
"""The rows and columns for which there is room where the field isn't known."""


class Show:
    """Shows what a coach says. ``put`` takes what may be shown now."""

    def __init__(self, seat: AnySeat, adviser: Adviser | None, name: str) -> None:
        """``name``: the player's."""
        self._seat, self._adviser = seat, adviser
        self._title = f"seat {seat.number} · {name}"
        self.view: CoachView | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def put(self, shown: CoachShown) -> None:
        """Shows something else. While the advice for a new piece is worked out, the last one stays."""
        if shown.advice is None and self.view is not None and self.view.rows:
            return
        self.view = view_of(self._seat, self._adviser, shown.advice, places=shown.places, title=self._title)
        self.draw(self.view, shown)

    def draw(self, view: CoachView, shown: CoachShown) -> None:
        """Draws it."""

    def goes_on(self) -> bool:
        """Whether the person hasn't closed what he sees. Call it in every frame."""
        return True

    def close(self) -> None:
        """Takes it away."""

    def picture(self, path: Path) -> None:
        """Saves what was shown last. Raises OutputError."""
        from PIL import Image

        from ochibot.leftovers import whole_file

        view = self.view or CoachView(())
        shape = (len(view.rows), len(view.rows[0])) if view.rows else _NO_FIELD
        drawn = draw_coach(view, size_of(*shape, _SCALE), _SCALE)
        try:
            with whole_file(path) as partial:
                Image.fromarray(drawn).save(partial)
        except (OSError, ValueError) as error:
            raise OutputError(
                f"can't write the picture {path}: {error}; give another path, such as coach.png"
            ) from None


class _InWindow(Show):
    """In a small window of its own."""

    def __init__(self, seat: AnySeat, adviser: Adviser | None, name: str, at: tuple[int, ...] | None) -> None:
        from ochibot.ui import need_window

        super().__init__(seat, adviser, name)
        need_window()
        self._at = at
        self._window: Any = None

    def draw(self, view: CoachView, shown: CoachShown) -> None:  # noqa: ARG002
        """Draws it; the first time, the window opens."""
        from ochibot.ui.pictures import CoachWindow

        if self._window is None:
            shape = _NO_FIELD if self._adviser is None else self._adviser.shape
            self._window = CoachWindow(*shape, title="Ochibot · coach", at=self._at)
        self._window.show(view)

    def goes_on(self) -> bool:
        """Whether the window is open."""
        if self._window is None:
            return True
        self._window.listen()
        return bool(self._window.is_open)

    def close(self) -> None:
        """Closes the window."""
        if self._window is not None:
            self._window.close()


class _InTerminal(Show):
    """In the terminal, in place."""

    def __init__(self, seat: AnySeat, adviser: Adviser | None, name: str) -> None:
        from ochibot.cli import live

        super().__init__(seat, adviser, name)
        self._live = live.start()

    def draw(self, view: CoachView, shown: CoachShown) -> None:  # noqa: ARG002
        """Draws it."""
        self._live.update(_in_colors(view), refresh=True)

    def close(self) -> None:
        """Leaves the last one standing."""
        with contextlib.suppress(OSError):
            self._live.stop()


def _in_colors(view: CoachView) -> RenderableType:
    """The field, two columns of the terminal for each cell, and the lines beside it."""
    from rich.table import Table
    from rich.text import Text

    ghosts = {(ghost.row, ghost.column): ghost for ghost in reversed(view.ghosts)}
    field = Text()
    for y, row in enumerate(view.rows):
        for x, color in enumerate(row):
            ghost = ghosts.get((y, x))
            if ghost is not None:
                field.append(f"{ghost.number} ", f"bold rgb({_rgb(ghost.color)})")
            elif color is not None:
                field.append("██", f"rgb({_rgb(color)})")
            else:
                field.append("· ", "dim")
        field.append("\n")
    lines = Text()
    for line in view.lines:
        lines.append(f"{'   ' if line.indent else ''}{line.text}\n", f"rgb({_rgb(line.color)})")
    table = Table.grid(padding=(0, 2))
    table.add_row(field, lines)
    return table


def _rgb(color: tuple[int, int, int]) -> str:
    return ",".join(map(str, color))


class _InLines(Show):
    """As lines of text: one for each piece, and one for each new danger."""

    def __init__(self, seat: AnySeat, adviser: Adviser | None, name: str, out: TextIO) -> None:
        super().__init__(seat, adviser, name)
        self._out = out
        self._pieces = 0
        self._about: Any = None
        self._said: tuple[str, ...] = ()

    def draw(self, view: CoachView, shown: CoachShown) -> None:
        """Prints what is new."""
        advice = shown.advice
        if advice is None:
            return
        dangers = tuple(danger.text for danger in advice.dangers)
        fresh = [str(danger) for danger in advice.dangers if danger.text not in self._said]
        self._said = dangers
        if shown.places and advice.snapshot is not self._about:
            self._about = advice.snapshot
            self._pieces += 1
            words = [line.text for line in view.lines if line.text not in map(str, advice.dangers)][1:]
            print(f"piece {self._pieces}: {' · '.join(words)}", file=self._out)
        for line in fresh:
            print(f"  ! {line}", file=self._out)


class Beside(Show):
    """Beside the game in our window: as a panel, the best place as a ghost on the game."""

    def __init__(self, screen: Screen, seat: AnySeat, name: str) -> None:
        super().__init__(seat, None, name)
        self._told = CoachShown()
        screen.beside(lambda: [self.side()])

    def draw(self, view: CoachView, shown: CoachShown) -> None:  # noqa: ARG002
        """Keeps it for the next picture."""
        self._told = shown

    def side(self) -> Side:
        """The panel now."""
        from ochibot.overlay.standing import NO_CELLS, Side, Standing

        seat, shown = self._seat, self._told
        advice = shown.advice
        rows: list[tuple[str, str]] = []
        cells, lines = NO_CELLS, ["coach", self._title.partition(" · ")[2]]
        if advice is not None:
            lines += [str(danger) for danger in advice.dangers]
            if shown.places and not seat.has_locked():
                lines += [advice.fire] if advice.fire else []
                cells = advice.places[0].cells if advice.places else NO_CELLS
                for number, place in enumerate(advice.places, 1):
                    rows.append((str(number), seat.look.in_words(place.decision)[0][1]))
                    rows += [("", words) for words in (place.now, place.towards) if words]
        standing = Standing(tuple(lines), None, None, "", rows=tuple(rows), cells=cells)
        return Side(seat.number, seat.look, standing)


def shown_where(
    where: str,
    seat: AnySeat,
    adviser: Adviser | None,
    name: str,
    out: TextIO,
    at: tuple[int, ...] | None = None,
) -> Show:
    """What shows it: ``where`` is one of ``WHERE``. ``at``: the window's place; None: where the desktop puts it.

    Raises WindowError without a display, UsageError without a terminal.
    """
    if where == "window":
        return _InWindow(seat, adviser, name, at)
    if where == "terminal":
        if not sys.stderr.isatty():
            raise UsageError("--show terminal needs a terminal: give --show lines, or start it in one")
        return _InTerminal(seat, adviser, name)
    return _InLines(seat, adviser, name, out)


def watched_by(coach: Coach, name: str, ai: AnySeatPlayer | None, titles: tuple[str, ...]) -> list[WatchedSeat]:
    """What a page shows of a coached game: the person's seat with the best place, if it may be shown, and the other
    side. ``name``: that of the player whose places they are. ``ai``, ``titles``: the player of the other side, and the
    lines that name it.
    """
    from ochibot.ui.web.live.states import Advised, WatchedSeat

    advice = coach.shown.advice
    decision = advice.places[0].decision if advice is not None and advice.places and coach.shown.places else None
    advised = None if advice is None else Advised(advice.snapshot, decision)
    found = [WatchedSeat(coach.seat, ("you", f"coach: {name}"), advised=advised)]
    if ai is not None:
        found.append(WatchedSeat(ai.seat, titles, ai))
    elif coach.other is not None:
        found.append(WatchedSeat(coach.other, (f"seat {coach.other.number}",)))
    return sorted(found, key=lambda one: one.seat.number)


def took_as_dict(took: Took, look: Look[Any, Any]) -> dict[str, object]:
    """What a report says about one piece."""
    advice: Advice = took.advice
    snapshot = advice.snapshot
    return {
        "field": str(snapshot.field).split("\n"),
        "pair": str(snapshot.pair),
        "next": str(snapshot.next_pair),
        "places": [
            {"place": dict(look.in_words(one.decision)), "now": one.now, "towards": one.towards}
            for one in advice.places
        ],
        "fire": advice.fire,
        "dangers": [{"text": one.text, "grave": one.grave, "frames": one.frames} for one in advice.dangers],
        "chance": advice.chance,
        "took": None if took.place is None else took.place + 1,
    }


def summary(result: CoachResult, latency: dict[str, float] | None, ended: str) -> str:
    """The report in words."""
    names = [f"{word} {count}" for word, count in zip(_NAMES, result.taken, strict=True)]
    lines = [f"{counted(result.pieces, 'piece')} ({ended}); the person took {', '.join(names)}"]
    other = [f"{what} {count}" for what, count in (("late", result.late), ("unread", result.unread)) if count]
    if other:
        lines.append(f"pieces without advice: {', '.join(other)}")
    if latency is not None:
        lines.append(
            f"shown after {latency['median']:.0f} ms in the median, {latency['p99']:.0f} ms at 99 %, at most "
            f"{latency['most']:.0f} ms"
        )
    return "\n".join(lines)


_NAMES: Final = ("the best place", "the second", "the third", "another")
"""What the person took, as ``CoachResult.taken`` counts it."""


_OURS: Final = "a person"


class Keeping:
    """Keeps a game: as a record in our window; in RetroArch, which shows its memory only, as a list of placements.

    Nothing is kept without ``--record``.
    """

    def __init__(self, given: CoachOptions) -> None:
        """Raises OutputError for a folder that can't be used."""
        self._given = given
        self._wanted = check_recording(given.record, None)
        self._follower: Follower | None = None
        self._log: PlacementLog | None = None
        self._frames = 0

    def begin_record(self, session: Session, mode: str | None) -> None:
        """Begins a record, before anything has run."""
        if self._wanted is not None:
            against = [(self._given.against or "the game's own", 2, self._given.speed)] if self._given.match else []
            self._wanted.begin(session, "coach", [(_OURS, 1, None), *against], mode=mode)

    def begin_list(self, session: Session, mode: str | None) -> None:
        """Begins a list of placements, in play or before it."""
        if self._wanted is not None:
            from ochibot.review.following import Follower
            from ochibot.review.sources import PlacementLog

            self._follower = Follower(session.seats(mode))
            self._log = PlacementLog(self._wanted.folder, session.game.name, session.rules.name, session.game.family)

    def frame(self) -> None:
        """Call it after each frame of a game that is kept as a list."""
        if self._follower is not None and self._log is not None:
            self._frames += 1
            for played in self._follower.frame(self._frames):
                self._log.add(played)

    def review(self, out: TextIO) -> Path | None:
        """Reviews what was kept, once the game is over. Returns the page; None if nothing was kept."""
        if self._wanted is None or (self._log is not None and not self._log.kept):
            return None
        from ochibot.cli.review import ReviewOptions, page_beside, review_one

        given, folder = self._given, self._wanted.folder
        page = page_beside(folder)
        print(f"reviewing {folder}", file=out, flush=True)
        listed = self._log is not None
        options = ReviewOptions(
            game=given.game if listed else None, rom=given.rom, core=None if listed else given.core, system=given.system
        )
        review_one(options, folder, page, out)
        return page
