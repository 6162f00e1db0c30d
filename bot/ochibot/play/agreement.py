"""Checks that the bot understands the game: it compares every lock's forecast with what RAM shows afterwards.

The forecast (``ochibot.games.protocols.Forecast``) is made before the first press and compared at the next settled
field. A piece that landed elsewhere than chosen is ``misplaced``, whatever the field looks like.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from ochibot.errors import FieldError
from ochibot.games.protocols import AnyForecast

MISPLACED_IN_A_ROW = 5
"""It can't be chance if this many pairs in a row land elsewhere after presses that didn't do what they should."""


@dataclass
class Counts:
    """Counts over locks. pieces: those compared and those that could not be. Compared ones can be misplaced, or
    disagree with the forecast.

    cut_off: pairs that had locked when the run or round ended, before their field settled. Their result wasn't seen, so
    they don't count as pieces. given_up: misplaced pairs whose pilot gave the target up (``ochibot.play.pilot``).
    contradictions: all other contradictions (see ``SeatPlayer``), and misplaced pairs whose field doesn't follow from
    the place where they landed. contradicted: pieces that locked as predicted, although something else contradicted
    while they were the present piece.
    """

    pieces: int = 0
    compared: int = 0
    misplaced: int = 0
    disagreements: int = 0
    contradictions: int = 0
    contradicted: int = 0
    cut_off: int = 0
    given_up: int = 0

    @property
    def agreement(self) -> float | None:
        """The share of all pieces that did exactly what was predicted, and with which nothing else contradicted.

        It is below 1 whenever something contradicted, also if the piece in question never locked. None before the
        first piece, if nothing contradicted.
        """
        if not self.pieces:
            return 0.0 if self.contradictions else None
        good = self.compared - self.misplaced - self.disagreements - self.contradicted
        return min(good, self.pieces - bool(self.contradictions)) / self.pieces

    def counts(self) -> dict[str, Any]:
        """The counts by name."""
        return {name: getattr(self, name) for name in COUNTED}

    def add(self, other: Counts) -> None:
        """Adds the counts of other locks."""
        for name, value in other.counts().items():
            setattr(self, name, getattr(self, name) + value)

    def set_counts(self, other: Counts) -> None:
        """Takes over the counts of another object."""
        for name, value in other.counts().items():
            setattr(self, name, value)

    def ordered(self, after: str) -> dict[str, object]:
        """The fields as plain values: the counts and the agreement stand behind the field ``after``."""
        own = asdict(self)
        counts = {name: own.pop(name) for name in COUNTED}
        found: dict[str, object] = {}
        for name, value in own.items():
            found[name] = value
            if name == after:
                found |= {**counts, "agreement": self.agreement}
        return found


COUNTED: Final = tuple(one.name for one in fields(Counts))
"""The names of the counts."""


@dataclass
class Tally(Counts):
    """Counts of a seat while it plays.

    struck: whether something has contradicted since the last lock. named: how often what was otherwise: ``field``,
    ``score`` (alone), ``steering``, ``NEXT``, ``spawn``, ``placements``.
    """

    best_chain: int = 0
    misplaced_in_a_row: int = 0
    struck: bool = False
    named: tuple[tuple[str, int], ...] = ()

    @property
    def faults(self) -> int:
        """Locks that were not as predicted, and other contradictions."""
        return self.misplaced + self.disagreements + self.contradictions

    def uncompared(self) -> None:
        """Counts a piece that locked but could not be compared: it had no forecast, or the game hung after its lock."""
        self.pieces += 1
        self.struck = False

    def contradict(self, what: str) -> None:
        """Counts a contradiction that isn't a lock's result, such as a pair that NEXT hadn't shown. what: its name."""
        self.contradictions += 1
        self._name(what)
        self.struck = True

    def _name(self, what: str) -> None:
        counted = dict(self.named)
        self.named = tuple({**counted, what: counted.get(what, 0) + 1}.items())

    def compare(
        self, forecast: AnyForecast, seen: Any, landed: Any | None, unanswered: int = 0, given_up: bool = False
    ) -> str | None:
        """Compares one lock with its forecast and counts it. Returns what differed, as text for people, or None.

        ``seen``: what the seat shows now (``Seat.settled``). ``landed``: where the piece was last seen under control,
        None when that isn't known. ``unanswered``: how many of its presses didn't do what they should. (If a piece
        lands elsewhere although all presses worked, the hands were too slow, and the pad is understood.)
        ``given_up``: whether the pilot gave the target up.
        """
        self.pieces += 1
        self.compared += 1
        struck, self.struck = self.struck, False
        if landed is not None and forecast.misses(landed):
            self.misplaced += 1
            self._name("steering")
            self.given_up += given_up
            self.misplaced_in_a_row += unanswered > 0
            return self._judge_misplaced(forecast, seen, landed)
        self.misplaced_in_a_row = 0
        if forecast.holds(seen):
            self.best_chain = max(self.best_chain, forecast.chain)
            self.contradicted += struck
            return None
        self.disagreements += 1
        self._name("score" if forecast.covers(seen) else "field")
        return forecast.describe(seen)

    def _judge_misplaced(self, forecast: AnyForecast, seen: Any, landed: Any) -> str | None:
        """Returns what contradicts the rules after a pair landed elsewhere, or None. The field must follow from where
        the pair landed. Too many pairs in a row that land elsewhere are a contradiction as well.
        """
        try:
            actual = forecast.elsewhere(landed)
        except FieldError as error:
            self.contradictions += 1
            self._name("field")
            return f"the pair was last seen where it can't be: {error}\n{forecast.describe(seen)}"
        if not actual.covers(seen):
            self.contradictions += 1
            self._name("field")
            return actual.describe(seen)
        if self.misplaced_in_a_row == MISPLACED_IN_A_ROW:
            self.misplaced_in_a_row = 0
            self.contradictions += 1
            return (
                f"{MISPLACED_IN_A_ROW} pairs in a row landed elsewhere than they were steered: "
                f"the pad does something else here\n{forecast.describe(seen)}"
            )
        return None
