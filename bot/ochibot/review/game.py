"""Reviews one game from its source to the page."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ochibot.errors import OutputError, UsageError
from ochibot.leftovers import whole_file
from ochibot.review.judging import BOARDS, Kept, judge_all, shipped
from ochibot.review.report import page_of, report
from ochibot.review.sources import Source

Progress = Callable[[str, int, int], None]
"""Called with what is done, how much of it, and how much there is."""


def review_game(
    source: Source,
    page: Path,
    effort: str = "normal",
    threads: int = 1,
    *,
    progress: Progress = lambda *_: None,
    stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Reviews a game and writes its page. Returns the review (``ochibot.review.report``).

    The verdicts are kept beside the page until it is whole, so that the same call goes on after a kill. Raises
    UsageError for a family that can't be reviewed and for a game without any placement, KeyboardInterrupt when
    ``stopped()`` returns true, and OutputError.
    """
    maker = getattr(source.game.family, "reviewer", None)
    if maker is None:
        raise UsageError(f"games of the family {source.game.family.name} can't be reviewed: nobody has written how")
    boards = BOARDS[effort]
    followed = source.follow(lambda done, of: progress("replayed frame", done, of), stopped)
    game = followed.placements
    if not game:
        raise UsageError(f"{source.path}: no placement was found; was the game ever played in it?")
    identity = {"boards": boards, **source.identity}
    kept = Kept(page.with_name(f"{page.name}.part"), identity)
    reviewer = maker(source.rules, boards)
    reviewer.prepare()
    first = [reviewer]
    for done in judge_all(game, lambda: first.pop() if first else maker(source.rules, boards), kept, threads, stopped):
        progress("judged placement", done, len(game))
    about = {
        "game": source.game.name,
        "family": source.game.family.name,
        "rules": source.rules.name,
        "source": {"name": source.path.name, "kind": source.kind, "frames": source.frames},
        "effort": effort,
        "boards": boards,
    }
    found = report(about, game, kept.done, reviewer, shipped(), followed.losers, followed.unread)
    try:
        with whole_file(page) as partial:
            partial.write_text(page_of(found), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"can't write the page {page}: {error.strerror or error}; give another path") from None
    with contextlib.suppress(OSError):
        kept.path.unlink()
    return found
