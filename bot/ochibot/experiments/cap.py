"""Measures the highest score: pokes the score to just below each likely limit, then lets a group vanish."""

from __future__ import annotations

from ochibot.errors import CalibrationError
from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Poker
from ochibot.experiments.score import Score, score_after

FEWEST_DIGITS = 4
"""No game is known whose scores end below 9,990."""


def limits(form: Form) -> list[int]:
    """The numbers at which a score is likely to stop: all its digits are 9.

    For a binary form: numbers of 4 to 9 nines, and the highest number that fits.
    """
    if form.digits:
        return [10 ** (form.width * (2 if form.digits == "bcd" else 1)) - 1]
    most = 256**form.width - 1
    return [*(10**digits - 1 for digits in range(FEWEST_DIGITS, 10) if 10**digits - 1 < most), most]


def measure_cap(poker: Poker, score: Score, size: int) -> int:
    """The highest score, as shown. Raises CalibrationError if the score can't be poked, or stops at no likely limit."""
    if not score.kept:
        raise CalibrationError("the score's own number was not found, so it can't be poked")

    def after(number: int) -> int:
        return score.value(score_after(poker, score.pokes(number), size))

    worth = after(0)
    for limit in limits(score.form):
        below = limit - 1
        seen = after(below)
        if seen == below * score.scale + worth:
            continue
        # a score that stops stays where it is, and below that point it grows as usual
        stops = seen <= limit * score.scale and after(seen // score.scale) == seen
        lower = seen // score.scale - 2 * (worth // score.scale)
        if stops and (lower < 0 or after(lower) == lower * score.scale + worth):
            return seen
        raise CalibrationError(f"beyond {limit * score.scale:,} the score doesn't stop: {seen:,} is shown then")
    raise CalibrationError("the score goes on beyond every likely limit")
