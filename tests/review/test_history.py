"""Many reviews, summed up: beside sums made by hand."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import UsageError
from ochibot.review.history import bars, line, page_of, reviewed, reviews_in, summary
from ochibot.review.report import page_of as page_of_review

from tests.commands import ochibot


def review_of(accuracy: float, longest: int, mark: str, column: int = 3, colors: str = "RG") -> dict[str, Any]:
    """A review as ``ochibot.review.report`` makes it, with what a summary reads."""
    place = {"x": column, "orientation": "up"}
    moves = [
        {"seat": 1, "grade": "good", "number": number, "accuracy": accuracy, "pair": pair, "played": {"place": place}}
        for number, pair in enumerate((colors, colors[::-1], colors[0] * 2, colors), 1)
    ]
    grades = {"best": 1, "good": 3, "inaccuracy": 0, "mistake": 1, "blunder": 0}
    seat = {
        **{"seat": 1, "pieces": 5, "accuracy": accuracy, "grades": grades, "marks": {mark: 2}},
        **{"chains": [{"steps": longest, "made": 100 * longest}, {"steps": 1, "made": 40}]},
        **{"frames_wasted": 9, "extra_presses": 1},
    }
    nobody = {**seat, "seat": 2, "accuracy": None}
    return {"format": "ochibot review", "version": 1, "game": "puyo", "seats": [seat, nobody], "moves": moves}


def folder_of(tmp_path: Path) -> Path:
    (tmp_path / "a.json").write_text(json.dumps(review_of(60, 3, "early")))
    (tmp_path / "b.html").write_text(page_of_review(review_of(70, 5, "early", colors="BY")))
    (tmp_path / "b.json").write_text("[]")
    (tmp_path / "c.json").write_text(json.dumps(review_of(80, 7, "broke", 1)))
    (tmp_path / "d.json").write_text(json.dumps({**review_of(1, 1, "over"), "version": 99}))
    (tmp_path / "notes.txt").write_text("no review")
    (tmp_path / "page.html").write_text("<p>nothing</p>")
    return tmp_path


def test_a_folder_of_pages_and_reports(tmp_path: Path) -> None:
    found = reviews_in(folder_of(tmp_path))
    assert [name for name, _ in found] == ["a", "b", "c"]
    rows = [row for row in (reviewed(name, review, 1) for name, review in found) if row is not None]
    told = summary(rows)
    assert (told["games"], told["accuracy"], told["longest_chain"], told["mean_longest_chain"]) == (3, 70, 7, 5)
    assert told["trend"] == pytest.approx((70 + 80) / 2 - 60)
    assert told["marks"] == {"early": 4, "broke": 2}
    assert told["most_frequent_mistake"] == "early"
    assert told["mistakes_share"] == pytest.approx(3 / 15)
    # colours are named by the order in which they come, so RG and BY begin alike
    assert [(one["placements"], one["games"], one["accuracy"]) for one in told["openings"]] == [
        ("AB 3 up, BA 3 up, AA 3 up", 2, 65),
        ("AB 1 up, BA 1 up, AA 1 up", 1, 80),
    ]
    assert [row.mean_chain for row in rows] == [3, 5, 7]
    assert reviewed("a", review_of(5, 5, "early"), 2) is None


def test_folders_without_reviews(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no review"):
        reviews_in(tmp_path)
    with pytest.raises(UsageError, match="there is no folder"):
        reviews_in(tmp_path / "missing")


@given(st.lists(st.floats(0, 200), min_size=1, max_size=30), st.text(max_size=20))
def test_charts_are_whole_and_inside_their_frame(values: list[float], name: str) -> None:
    name = "".join(letter for letter in name if letter.isprintable())
    drawn = ET.fromstring(line("A < B", [name] * len(values), values, 100))
    dots = [one for one in drawn if one.tag == "circle"]
    assert len(dots) == len(values)
    assert all(0 <= float(one.attrib["cx"]) <= 720 and 28 <= float(one.attrib["cy"]) <= 186 for one in dots)


def test_bars_are_as_high_as_their_shares() -> None:
    drawn = ET.fromstring(
        bars("grades", ["one"], [{"best": 1, "good": 2, "inaccuracy": 0, "mistake": 1, "blunder": 0}])
    )
    high = [float(one.attrib["height"]) for one in drawn if one.tag == "rect"]
    assert high == pytest.approx([158 / 4, 158 / 2, 158 / 4], abs=0.1)


def test_the_page_escapes_what_files_are_called() -> None:
    rows = [reviewed("<script>x</script>", review_of(60, 3, "early"), 1)]
    page = page_of(summary([row for row in rows if row is not None]))
    assert "<script" not in page


def test_the_command_sums_up(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    done = ochibot("review", "--against", folder, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["games"], report["accuracy"]) == (3, 70)
    assert (folder / "summary.html").read_text("utf-8").count("<svg") == 3
    again = ochibot("review", "--against", folder)
    assert "3 games, accuracy 70.0" in again.stdout
    assert ochibot("review", "--against", folder, "--seat", 2).returncode == 2
    nothing = ochibot("review")
    assert (nothing.returncode, "give a game" in nothing.stderr) == (2, True)
