"""A review as plain values: what ``ochibot review --json`` writes and what the page shows.

The page of a review: one HTML file that needs no network.

Reviews one game from its source to the page.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.falling.advice import FRAMES_A_SECOND
from ochibot.falling.review import Choice, Reviewer, Verdict
from ochibot.leftovers import written
from ochibot.review.following import FollowedPlacement
from ochibot.review.judging import BOARDS, Grade, Grades, Kept, Key, accuracy_of, judge_all, key_of, shipped
from ochibot.review.sources import Source

VERSION: Final = 1
"""The version of the format; it changes when a reader of the old one would misread the new one."""

_MOMENTS: Final = 12
"""How many key moments are named."""


def report(
    about: Mapping[str, Any],
    game: Sequence[FollowedPlacement],
    verdicts: Mapping[Key, Verdict | None],
    reviewer: Reviewer,
    grades: Grades,
    losers: Sequence[tuple[int, int]] = (),
    unread: int = 0,
) -> dict[str, Any]:
    """The whole review. ``about``: the game, its source and the reviewer. ``losers``, ``unread``: as the follower's."""
    moves = [_move(one, verdicts.get(key_of(one)), reviewer, grades) for one in game]
    return {
        "format": "ochibot review",
        "version": VERSION,
        **about,
        "hidden": reviewer.hidden,
        "board": dict(reviewer.board),
        "seats": [_seat(seat, moves) for seat in sorted({one.seat for one in game})],
        "rounds": [{"frame": frame, "loser": seat} for frame, seat in losers],
        "unread": unread,
        "moments": _moments(moves),
        "moves": moves,
    }


def _move(one: FollowedPlacement, verdict: Verdict | None, reviewer: Reviewer, grades: Grades) -> dict[str, Any]:
    snapshot = one.snapshot
    nexts = [snapshot.next_pair, *getattr(snapshot, "foreseen", ()), *getattr(snapshot, "nexts", ())[1:]]
    said: dict[str, Any] = {
        "seat": one.seat,
        "round": one.round,
        "number": one.number,
        "frame": one.frame,
        "seconds": round(one.frame / FRAMES_A_SECOND, 2),
        "field": list(reviewer.drawn(snapshot)),
        "pair": str(snapshot.pair),
        "next": [str(pair) for pair in nexts],
        "score": snapshot.score,
        "waiting": getattr(snapshot, "waiting", getattr(snapshot, "pending", 0)),
        "presses": one.presses,
        "needed": one.needed,
        "frames": one.taken,
        "least": one.least,
    }
    if verdict is None:
        return {**said, "grade": None}
    return {
        **said,
        "grade": str(grades.grade(verdict)),
        "accuracy": round(grades.accuracy(verdict), 1),
        "lost": round(verdict.lost, 4),
        "measured": round(verdict.measured, 4),
        "loss": round(verdict.loss, 4),
        "points_lost": max(0, verdict.best.towards - verdict.played.towards),
        "chance": _rounded(verdict.chance),
        "chance_lost": round(verdict.chance_lost, 4),
        "now": {"points": verdict.now, "steps": verdict.now_steps},
        "marks": list(verdict.marks),
        "played": _choice(verdict.played),
        "choices": [_choice(choice) for choice in verdict.choices],
        "played_rank": next((at for at, each in enumerate(verdict.choices) if each is verdict.played), None),
    }


def _choice(choice: Choice) -> dict[str, Any]:
    return {**asdict(choice), "value": round(choice.value, 2), "chance": _rounded(choice.chance)}


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, 4)


def _seat(seat: int, moves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    mine = [move for move in moves if move["seat"] == seat]
    judged = [move for move in mine if move["grade"] is not None]
    counts = Counter(move["grade"] for move in judged)
    accuracy = accuracy_of([move["accuracy"] for move in judged])
    chains = [
        {
            "number": move["number"],
            "round": move["round"],
            "steps": move["played"]["steps"],
            "made": move["played"]["made"],
        }
        for move in judged
        if move["played"]["made"]
    ]
    extra = [None if move["presses"] is None else move["presses"] - move["needed"] for move in mine]
    waste = [move["frames"] - move["least"] for move in mine if move["least"] is not None]
    return {
        "seat": seat,
        "pieces": len(mine),
        "judged": len(judged),
        "accuracy": None if accuracy is None else round(accuracy, 2),
        "grades": {str(grade): counts[str(grade)] for grade in Grade},
        "marks": dict(Counter(mark for move in judged for mark in move["marks"])),
        "chains": chains,
        "extra_presses": None if None in extra else sum(max(0, one) for one in extra if one is not None),
        "frames_wasted": sum(max(0, one) for one in waste),
        "frames_a_piece": round(sum(move["frames"] for move in mine) / len(mine), 1) if mine else None,
    }


def _moments(moves: Sequence[Mapping[str, Any]]) -> list[int]:
    """The indices of the key moments in order: what lost the most, and the longest chains."""
    judged = [at for at, move in enumerate(moves) if move["grade"] is not None]
    wrong = {str(Grade.INACCURACY), str(Grade.MISTAKE), str(Grade.BLUNDER)}
    bad = [at for at in judged if moves[at]["grade"] in wrong]
    bad.sort(key=lambda at: -max(moves[at]["lost"], moves[at]["chance_lost"]))
    made = [at for at in judged if moves[at]["played"]["made"]]
    made.sort(key=lambda at: -moves[at]["played"]["made"])
    return sorted({*bad[:_MOMENTS], *made[:3]})


_PAGE: Final = Path(__file__).resolve().parent / "static" / "review.html"
_MARK: Final = "__REVIEW__"


def page_of(review: Mapping[str, Any] | None) -> str:
    """The page with a review in it; None: only its analysis board."""
    # no text of a game may end the script element that holds the data
    data = json.dumps(review, separators=(",", ":")).replace("<", "\\u003c")
    return _PAGE.read_text(encoding="utf-8").replace(_MARK, data, 1)


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
    with written(page, "the page ") as partial:
        partial.write_text(page_of(found), encoding="utf-8")
    with contextlib.suppress(OSError):
        kept.path.unlink()
    return found
