"""Sums up many reviews: accuracy from game to game, openings, chains, and what goes wrong most often.

Pictures of many reviews, as SVG: how accuracy and the longest chain have changed from game to game.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.quoting import brief_path
from ochibot.review.judging import Grade
from ochibot.review.report import VERSION
from ochibot.wording import counted

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


WIDTH, HEIGHT = 720, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 28, 34
_COLORS: Final = {
    "best": "#2e7d32",
    "good": "#7cb342",
    "inaccuracy": "#f9a825",
    "mistake": "#ef6c00",
    "blunder": "#c62828",
}
_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 1rem auto; padding: 0 1rem }
figure { margin: 1rem 0 }
svg { width: 100%; height: auto }
text { fill: currentColor; font-size: 13px }
.axis { stroke: currentColor; opacity: .35 }
.value { fill: none; stroke: #1976d2; stroke-width: 2.5 }
.dot { fill: #1976d2 }
"""
_HEAD: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Ochibot: your games</title>
"""


def page_of(summary: Mapping[str, Any]) -> str:
    """A page with the pictures and the numbers of a summary. It needs no network and runs no script."""
    rows: Sequence[Mapping[str, Any]] = summary["progress"]
    names = [row["name"] for row in rows]
    charts = [
        line("Accuracy", names, [row["accuracy"] for row in rows], 100),
        line("Longest chain", names, [row["longest"] for row in rows], max(5, *(row["longest"] for row in rows))),
        bars("Placements by grade, in percent", names, [row["grades"] for row in rows]),
    ]
    lines = "".join(f"<li>{html.escape(text)}</li>" for text in told(summary))
    drawn = "".join(f"<figure>{chart}</figure>" for chart in charts)
    body = f"<body><main><h1>Your games</h1><ul>{lines}</ul>{drawn}</main></body></html>\n"
    return f"{_HEAD}<style>{_STYLE}</style></head>\n{body}"


def told(summary: Mapping[str, Any]) -> list[str]:
    """The summary in a few lines."""
    words = ", ".join(f"{name} {count}" for name, count in summary["grades"].items())
    lines = [f"{counted(summary['games'], 'game')}, accuracy {summary['accuracy']:.1f}; {words}"]
    if summary["trend"] is not None:
        lines.append(f"the later half of the games beside the earlier half: {summary['trend']:+.1f}")
    lines.append(f"longest chain {summary['longest_chain']}, {summary['mean_longest_chain']:.1f} in the mean of games")
    if summary["most_frequent_mistake"] is not None:
        often = summary["most_frequent_mistake"]
        lines.append(f"most frequent mistake: {often} ({counted(summary['marks'][often], 'time')})")
    for one in summary["openings"][:3]:
        lines.append(f"opening {one['placements']}: {counted(one['games'], 'game')}, accuracy {one['accuracy']:.1f}")
    return lines


def _frame(title: str, names: Sequence[str], most: float) -> list[str]:
    inner = HEIGHT - _TOP - _BOTTOM
    parts = [f'<text x="{_LEFT}" y="18">{html.escape(title)}</text>']
    for share in (0, 0.5, 1):
        y = _TOP + inner * (1 - share)
        parts.append(f'<line class="axis" x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH - _RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{most * share:g}</text>')
    parts.append(f'<text x="{_LEFT}" y="{HEIGHT - 10}">{html.escape(names[0])}</text>')
    if len(names) > 1:
        parts.append(f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 10}" text-anchor="end">{html.escape(names[-1])}</text>')
    return parts


def _svg(title: str, parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">{inside}</svg>'


def _places(count: int) -> list[float]:
    room = WIDTH - _LEFT - _RIGHT
    return [_LEFT + room * (number + 0.5) / count for number in range(count)]


def line(title: str, names: Sequence[str], values: Sequence[float], most: float) -> str:
    """A line through one value for each game. ``most``: the highest on the axis, which begins at 0."""
    inner = HEIGHT - _TOP - _BOTTOM
    points = [
        (x, _TOP + inner * (1 - min(value, most) / most)) for x, value in zip(_places(len(values)), values, strict=True)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [
        f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{html.escape(name)}: {value:g}</title></circle>'
        for (x, y), name, value in zip(points, names, values, strict=True)
    ]
    return _svg(title, [*_frame(title, names, most), f'<polyline class="value" points="{path}"/>', *dots])


def bars(title: str, names: Sequence[str], counts: Sequence[Mapping[str, int]]) -> str:
    """A bar for each game, whose parts are the shares of the grades."""
    inner, width = HEIGHT - _TOP - _BOTTOM, 0.7 * (WIDTH - _LEFT - _RIGHT) / max(1, len(counts))
    parts = _frame(title, names, 100)
    for x, name, row in zip(_places(len(counts)), names, counts, strict=True):
        whole, y = max(1, sum(row.values())), float(HEIGHT - _BOTTOM)
        for grade, color in _COLORS.items():
            high = inner * row.get(grade, 0) / whole
            y -= high
            if high:
                parts.append(
                    f'<rect x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}" fill="{color}">'
                    f"<title>{html.escape(name)}: {grade} {row[grade]}</title></rect>"
                )
    return _svg(title, parts)
