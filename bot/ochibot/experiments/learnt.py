"""The results of all experiments with a game in which pairs fall."""

from __future__ import annotations

from dataclasses import dataclass, field

from ochibot.experiments.colors import ColorByte
from ochibot.experiments.documented import Verdict
from ochibot.experiments.effects import Sort
from ochibot.experiments.explore import Route
from ochibot.experiments.facts import (
    Above,
    Arrival,
    Basis,
    Kicks,
    Moments,
    Rows,
    Shape,
    Stance,
    Strange,
    Timing,
)
from ochibot.experiments.formula import Formula
from ochibot.experiments.needles import Needles
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Numbered
from ochibot.experiments.score import Score


@dataclass
class Learnt:
    """All results; a field is None if it wasn't learnt."""

    route: Route
    basis: Basis
    stance: Stance
    shape: Shape
    near: ColorByte
    far: ColorByte
    following: tuple[tuple[ColorByte, ColorByte], ...] = ()
    """The NEXT pairs, each as (the half whose position x and y give, the other half)."""
    size: int | None = None
    rows: Rows | None = None
    strange: Strange | None = None
    sort: Sort | None = None
    score: Score | None = None
    formula: Formula | None = None
    cap: int | None = None
    """The highest score, as it is shown."""
    owed: int = 0
    """The bonus for an emptied field, if it is paid with the next group."""
    moments: Moments | None = None
    arrival: Arrival | None = None
    timing: Timing | None = None
    tap: Tap | None = None
    """The shortest taps that the game sees; None: not seen."""
    kicks: Kicks | None = None
    lower: bool | None = None
    """Whether a piece between two rows takes the lower one; None: not seen."""
    fraction: int | None = None
    """Where the parts of a row are, from y: 1 in the byte behind it, -1 in the one before; None: not seen."""
    above: Above | None = None
    numbered: Numbered | None = None
    """Where the place is the number of a cell; None where x and y have bytes of their own."""
    needles: Needles | None = None
    attack_each: int | None = None
    """In games with needles: by how much the shown score grows for each point of attack."""
    names: dict[int, str] = field(default_factory=dict)
    """The names of cell codes in a documented map."""
    profile: str | None = None
    """The rules profile whose values the files get where nothing was measured, if the user named one."""
    appears: tuple[int, int, str] | None = None
    """Where pieces appear (x, y and orientation, as in a game file), if an exam saw it otherwise than was learnt."""
    judged: tuple[Verdict, ...] = ()
    """Verdicts on documented entries that the blind experiments don't look for."""


def known_formula(learnt: Learnt) -> Formula | None:
    """The formula, if it is known."""
    return None if learnt.formula is None or learnt.formula.doubt else learnt.formula
