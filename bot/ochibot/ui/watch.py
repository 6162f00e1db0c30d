"""Collects what the window shows about the players, both AIs and a person: a Standing of each, in every frame.

Shows values of RAM in the panel beside the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ochibot.games.protocols import AnySeat
from ochibot.overlay.standing import NO_CELLS, Cells, ShownDecision, Side, Standing, call_of
from ochibot.play.background import ThinkingPlayer, Thought
from ochibot.play.seat import AnySeatPlayer
from ochibot.ramtools.watching import WatchedRow

PATIENCE = 12
"""For how many frames the last plan stays visible while the player is thinking about the next one. Most decisions take
one or two frames, so the panel would flicker otherwise."""


@dataclass
class _SeenDecision:
    """The last decision seen, with plan and cells computed from it. ``waits``: frames of thinking since then."""

    decision: Any
    thought: Thought | None
    plan: ShownDecision
    cells: Cells
    waits: int = 0


class Onlooker:
    """Watches players for the panels. It computes the consequences of a decision once, not in every frame."""

    def __init__(self) -> None:
        self._seen: dict[int, _SeenDecision] = {}

    def side(self, player: AnySeatPlayer, title: tuple[str, ...]) -> Side:
        """The player's panel now. ``title``: the lines that name the player."""
        seat, tally = player.seat, player.tally
        number = seat.number
        plan, cells, thinking, chain = None, NO_CELLS, False, player.forecast_chain
        if player.decision is not None and player.snapshot is not None:
            seen = self._look(number, player, player.decision)
            plan, cells = seen.plan, seen.cells if player.plan is not None else NO_CELLS
        elif seat.has_locked() and not seat.over() and number in self._seen:
            # the piece has locked; the last plan stays visible, so that it can be read while the chain runs
            plan = self._seen[number].plan
        elif _thinks(player):
            last = self._seen.get(number)
            thinking = last is None or last.waits >= PATIENCE
            if last is not None and not thinking:
                last.waits += 1
                plan = last.plan
        else:
            self._seen.pop(number, None)
        standing = Standing(
            title,
            tally.pieces,
            tally.best_chain,
            seat.best,
            score=seat.score() if "score" in seat.map else None,
            plan=plan,
            cells=cells,
            thinking=thinking,
            call=call_of(seat, chain),
        )
        return Side(number, seat.look, standing)

    def _look(self, number: int, player: AnySeatPlayer, decision: Any) -> _SeenDecision:
        thought = player.player.last if isinstance(player.player, ThinkingPlayer) else None
        known = self._seen.get(number)
        if known is None or known.decision is not decision or known.thought is not thought:
            # the last thought is about another decision if the player has changed its plan since
            mine = thought if thought is not None and thought.decision is decision else None
            look = player.seat.look
            plan = ShownDecision(
                tuple(look.in_words(decision)),
                decision.value,
                mine.evaluation if mine is not None else None,
                decision.leaves,
                mine.seconds if mine is not None else None,
            )
            known = self._seen[number] = _SeenDecision(decision, thought, plan, look.planned(player.snapshot, decision))
        return known


def _thinks(player: AnySeatPlayer) -> bool:
    """Whether the player is still deciding about the current piece."""
    brain = player.player
    if player.snapshot is None or not isinstance(brain, ThinkingPlayer):
        return False
    return brain.last is None and player.seat.in_hand()


class PersonWatch:
    """Watches the seat of a person. ``wins``: how many rounds the person has won."""

    def __init__(self, seat: AnySeat, wins: Callable[[], int], title: tuple[str, ...] = ("you",)) -> None:
        self._seat = seat
        self._wins = wins
        self._title = title
        self._best = 0

    def side(self) -> Side:
        """The person's panel now. Values that the map doesn't have are left out."""
        seat = self._seat
        made, due = seat.counter(seat.best), seat.counter("pending")
        # the best value of all frames so far, across rounds
        self._best = max(self._best, made or 0)
        halves = [seat.counter(f"next_{half}") for half in ("partner", "axis")]
        rows = [(seat.best, made), ("nuisance due", due), ("wins", self._wins())]
        standing = Standing(
            self._title,
            None,
            None if made is None else self._best,
            seat.best,
            score=seat.score() if "score" in seat.map else None,
            call=call_of(seat, 0),
            rows=tuple((name, f"{value:,}") for name, value in rows if value is not None),
            following=tuple(seat.look.color(code) for code in halves if code),
        )
        return Side(seat.number, seat.look, standing)


LIT: Final = 30
"""Frames for which a change is highlighted."""

NO_LOOK: Final[Any] = None
"""The look of sides without a ghost: nothing is drawn on the game's picture."""


def side_of(name: str, rows: Sequence[WatchedRow]) -> Side:
    """The right panel: a row for each value, and one for each row of a grid. Recent changes are highlighted.

    A panel can't hold everything. So values that have never changed come last, and empty rows of grids are left out.
    """
    lines: list[tuple[str, str]] = []
    lit: set[int] = set()
    for shown, value, age in _lines(rows):
        if age < LIT:
            lit.add(len(lines))
        lines.append((shown, value))
    standing = Standing((name,), None, None, "", rows=tuple(lines), lit=frozenset(lit))
    return Side(2, NO_LOOK, standing)


def _lines(rows: Sequence[WatchedRow]) -> Iterator[tuple[str, str, int]]:
    singles, grids = ([row for row in rows if (row.grid_rows > 1) is many] for many in (False, True))
    yield from (_line(row) for row in singles if row.changes)
    for row in grids:
        parts = row.value.split("/")
        width = max(len(row.raw) // len(parts), 1)
        for number, part in enumerate(parts):
            ages = [age for _, age in row.raw[number * width : (number + 1) * width]]
            age = min(ages, default=row.age)
            if part.strip(".0") or age < LIT:
                yield f"{row.name} {number}", part, age
    yield from (_line(row) for row in singles if not row.changes)


def _line(row: WatchedRow) -> tuple[str, str, int]:
    where = "" if row.address is None else f"{row.address:04X} "
    return f"{where}{row.name}", row.value, row.age
