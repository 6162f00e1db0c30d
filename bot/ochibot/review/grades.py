"""The words for placements: from best to blunder, by what a placement has lost."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.falling.review import Verdict
from ochibot.yamlfile import Finite, load_model

_LEAST: Final = 0.1
"""An accuracy below this counts as this in a game's."""

Share = Annotated[float, Field(gt=0, le=1)]


class Grade(StrEnum):
    """How good a placement was. From best to worst."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Limit(Finite):
    """A grade's least loss: of the value, or of the chance of winning."""

    lost: Share
    chance: Share


class Grades(Finite):
    """A file of limits. scale: of the accuracy. provenance: how they were fitted."""

    inaccuracy: Limit
    mistake: Limit
    blunder: Limit
    scale: Share
    provenance: str

    def grade(self, verdict: Verdict) -> Grade:
        """The word for a placement."""
        limits = (Grade.BLUNDER, self.blunder), (Grade.MISTAKE, self.mistake), (Grade.INACCURACY, self.inaccuracy)
        for grade, limit in limits:
            if verdict.lost >= limit.lost or verdict.chance_lost >= limit.chance:
                return grade
        return Grade.BEST if verdict.played is verdict.best else Grade.GOOD

    def accuracy(self, verdict: Verdict) -> float:
        """0 to 100 for one placement."""
        return 100 * exp(-max(verdict.loss, verdict.chance_lost) / self.scale)


def accuracy_of(each: Sequence[float]) -> float | None:
    """The accuracy of a game by those of its placements, 0 to 100; None for none.

    It is their geometric mean, and so the accuracy of a placement that loses what the game's placements lose on
    average. One that loses a game weighs more than many that lose a little, but doesn't decide alone.
    """
    if not each:
        return None
    return 100 * exp(sum(log(max(one, _LEAST) / 100) for one in each) / len(each))


def load_grades(path: Path) -> Grades:
    """Reads a file of limits. Raises ConfigError naming the file, the entry and the reason."""
    return load_model(path, Grades, "a file of grades", ConfigError)


@cache
def shipped() -> Grades:
    """The limits that are shipped."""
    return load_grades(data_path("configs/review/grades.yaml"))
