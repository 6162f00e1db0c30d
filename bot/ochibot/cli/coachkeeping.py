"""``ochibot coach --record``: keeps the game while it is coached, and reviews it at its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from ochibot.cli.running import check_recording

if TYPE_CHECKING:
    from ochibot.cli.coach import CoachOptions
    from ochibot.review.following import Follower
    from ochibot.review.sources import PlacementLog
    from ochibot.session import Session

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
