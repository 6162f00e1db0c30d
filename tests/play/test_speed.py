"""Tests of the eleven speeds of the hands: their order, docs/speed.md, and the pace of play in the cartridge."""

from __future__ import annotations

import itertools
from pathlib import Path

import ochibot
import pytest
from ochibot.bench.pilot import measure
from ochibot.errors import UsageError
from ochibot.play.speed import SPEEDS, speed_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/speed.md"


def documented() -> list[list[str]]:
    """The rows of the first table in docs/speed.md, without its header."""
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text[text.index("| speed |") :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table if line.startswith("| ")][1:]


def test_the_document_has_the_curve() -> None:
    rows = documented()
    assert [int(row[0]) for row in rows] == list(range(len(SPEEDS)))
    for row, speed in zip(rows, SPEEDS, strict=True):
        patience = "never" if speed.hesitation is None else str(speed.hesitation)
        assert row[1:4] == [str(speed.reaction), str(speed.gap), patience]
    rates = [float(row[4]) for row in rows]
    assert rates == sorted(set(rates))


def test_every_part_of_the_curve_is_monotone() -> None:
    for slower, faster in itertools.pairwise(SPEEDS):
        assert slower.reaction >= faster.reaction
        assert slower.gap >= faster.gap >= 2
        assert slower.hesitation is None or slower.hesitation >= (faster.hesitation or 0)


@pytest.mark.parametrize("step", [-1, 11])
def test_there_are_no_others(step: int) -> None:
    with pytest.raises(UsageError, match=f"no speed {step}; give 0"):
        speed_of(step)


@pytest.mark.long
def test_slow_and_fast_hands_differ_as_the_document_says() -> None:
    rows = documented()
    for step in (0, 10):
        seen = measure(lambda: ochibot.open(seed=2, options={"level": 4, "colors": 5}), step, pieces=40)
        assert seen.agreement == 1.0
        assert seen.pieces_per_minute == pytest.approx(float(rows[step][4]), rel=0.1)
