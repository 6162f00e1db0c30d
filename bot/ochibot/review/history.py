"""Sums up many reviews: accuracy from game to game, openings, chains, and what goes wrong most often."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.quoting import brief_path
from ochibot.review.grades import Grade
from ochibot.review.report import VERSION

_MOST_BYTES: Final = 256 << 20
_OPENING: Final = 3
"""An opening is the first so many placements."""
_EARLY: Final = 10
"""An opening is judged by the accuracy of the first so many placements."""
_BEGIN, _END = '<script type="application/json" id="review">', "</script>"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One game of a seat. name: the file's. longest, points: of its best chain (attack in Pochi & Nyaa: longest 0).
    mean_chain: of those with at least two steps. opening: its first placements.
    """

    name: str
    game: str
    pieces: int
    accuracy: float
    grades: dict[str, int]
    marks: dict[str, int]
    longest: int
    points: int
    mean_chain: float
    opening: str
    early: float
    frames_wasted: int
    extra_presses: int | None


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: how many games began so, and how well (the mean accuracy of their first placements)."""

    placements: str
    games: int
    accuracy: float


def reviews_in(folder: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """The reviews in a folder, by name: pages and JSON reports. Of a page and a report of one game, one counts.

    Raises UsageError for a folder without any.
    """
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {brief_path(folder)}: give one with reviews (pages, or reports of --json)"
        )
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".json", ".html") and path.is_file() and path.stat().st_size <= _MOST_BYTES:
            review = _read(path)
            if review is not None:
                found.setdefault(path.stem, review)
    if not found:
        raise UsageError(
            f"{brief_path(folder)} holds no review: make some with ochibot review GAME -o FOLDER/NAME.html"
        )
    return sorted(found.items())


def _read(path: Path) -> Mapping[str, Any] | None:
    """A review; None for a file that holds none of this version."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            _, begin, rest = text.partition(_BEGIN)
            if not begin:
                return None
            text = rest.partition(_END)[0]
        review = json.loads(text)
        known = (review["format"], review["version"]) == ("ochibot review", VERSION)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return review if known else None


def reviewed(name: str, review: Mapping[str, Any], seat: int) -> Reviewed | None:
    """A seat's part of a review; None if nothing of it was judged."""
    row = next((one for one in review["seats"] if one["seat"] == seat), None)
    if row is None or row["accuracy"] is None:
        return None
    mine = [move for move in review["moves"] if move["seat"] == seat and move["grade"] is not None]
    chains = [chain["steps"] for chain in row["chains"] if chain["steps"] > 1]
    early = [move["accuracy"] for move in mine if move["number"] <= _EARLY]
    return Reviewed(
        name=name,
        game=review["game"],
        pieces=row["pieces"],
        accuracy=row["accuracy"],
        grades=row["grades"],
        marks=row["marks"],
        longest=max((chain["steps"] for chain in row["chains"]), default=0),
        points=max((chain["made"] for chain in row["chains"]), default=0),
        mean_chain=round(fmean(chains), 2) if chains else 0.0,
        opening=_opening(mine),
        early=round(fmean(early), 2) if early else 0.0,
        frames_wasted=row["frames_wasted"],
        extra_presses=row["extra_presses"],
    )


def _opening(moves: Sequence[Mapping[str, Any]]) -> str:
    """The first placements, with colours named A, B, … in the order in which they come."""
    names: dict[str, str] = {}
    words = []
    for move in moves[:_OPENING]:
        pair = "".join(names.setdefault(letter.upper(), chr(ord("A") + len(names))) for letter in move["pair"])
        place = move["played"]["place"]
        words.append(f"{pair} {place['x']} {place['orientation']}" + (" needles" if place.get("needle") else ""))
    return ", ".join(words)


def summary(rows: Sequence[Reviewed]) -> dict[str, Any]:
    """What many games have in common, as plain values."""
    grades, marks = Counter[str](), Counter[str]()
    openings: dict[str, list[float]] = {}
    for row in rows:
        grades.update(row.grades)
        marks.update(row.marks)
        openings.setdefault(row.opening, []).append(row.early)
    pieces = max(1, sum(grades.values()))
    half = len(rows) // 2
    trend = fmean(row.accuracy for row in rows[half:]) - fmean(row.accuracy for row in rows[:half]) if half else None
    often = sorted(openings.items(), key=lambda one: (-len(one[1]), one[0]))
    return {
        "games": len(rows),
        "accuracy": round(fmean(row.accuracy for row in rows), 2),
        "trend": None if trend is None else round(trend, 2),
        "grades": {str(grade): grades[str(grade)] for grade in Grade},
        "mistakes_share": round((grades[Grade.MISTAKE] + grades[Grade.BLUNDER]) / pieces, 4),
        "marks": dict(marks.most_common()),
        "most_frequent_mistake": next((mark for mark, _ in marks.most_common() if mark != "danger"), None),
        "mean_longest_chain": round(fmean(row.longest for row in rows), 2),
        "longest_chain": max(row.longest for row in rows),
        "best_points": max(row.points for row in rows),
        "openings": [asdict(Opening(name, len(each), round(fmean(each), 2))) for name, each in often],
        "progress": [asdict(row) for row in rows],
    }
