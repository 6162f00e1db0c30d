"""Judges placements of Pochi & Nyaa for a review (``ochibot.falling.review``).

A placement is worth the best board that the search of the player ``nyaa_beam`` finds after it, along the visible pairs.
The best placements are found one after the other, each without those found before. Where needles light something in a
match, or nuisance waits, the loss is that of the chance of winning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ochibot.data import data_path
from ochibot.errors import FieldError
from ochibot.falling.review import Cell, Choice, Verdict, marks_of
from ochibot.nyaa.chance import Chance, own_side
from ochibot.nyaa.notes import board_of
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, Grid
from ochibot.nyaa.rules.lock import Outcome, heights, locked, place
from ochibot.nyaa.rules.pair import Pair, Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.beam.player import MOST_NODES, NyaaBeamPlayer, load_nyaa_beam
from ochibot.nyaa.search.engine import OVER_NEXT
from ochibot.nyaa.search.locks import lock_positions
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer

_CHOICES: Final = 3
_LEAST_VALUE: Final = 60.0
"""What the best placement of a position is worth at least, when a loss is made a share of it. A new game is worth
about 20, an attack of 30 in reach about 200.
"""
_STANDARD: Final = 200.0
"""The value by which losses are counted: about that of an attack of 30 in reach."""
_BOARD: Final = 8
"""About how many of the reviewer's boards one board of this search costs: it weighs needles, not chains."""
_LEAST: Final = 10
"""Smaller attacks are none that somebody could have missed."""


_Words = tuple[int, int, int, bool]
_Result = tuple[Grid, int]


@dataclass(frozen=True, slots=True)
class _Tried:
    """A placement with its outcome, and the value of the best board after it."""

    placement: Placement
    outcome: Outcome
    value: float


class NyaaReviewer:
    """See the module's text. Equal snapshots and placements get equal verdicts."""

    hidden = 0

    def __init__(self, rules: Rules, boards: int) -> None:
        """``boards``: the effort, in boards of the family ``puyo``. Raises ConfigError for rules that the search can't
        play by.
        """
        self.rules = rules
        nodes = min(MOST_NODES, max(1_000, boards // (_BOARD * (_CHOICES + 1))))
        self._player = NyaaBeamPlayer(load_nyaa_beam(data_path("configs/players/nyaa_beam.yaml")), rules, nodes=nodes)
        self._scout = NyaaPlayer(load_nyaa_player(data_path("configs/players/nyaa.yaml")), rules)
        self._chance = Chance(rules)

    def prepare(self) -> None:
        """Loads (or compiles) the kernels."""
        self._player.prepare()
        self._scout.prepare()

    @property
    def board(self) -> Mapping[str, Any]:
        """What a page needs to know of the grid."""
        return board_of(self.rules)

    def drawn(self, snapshot: Snapshot) -> list[str]:
        """The grid as rows of letters."""
        return str(snapshot.grid).split("\n")

    def judge(self, snapshot: Snapshot, placement: Placement) -> Verdict | None:
        """What there is to say about a placement; None on a grid that can't be searched."""
        try:
            every = lock_positions(snapshot.grid, snapshot.pair, snapshot.state)
            results = {_words(one): _result(snapshot, one, self.rules) for one in every}
            mine = results.get(_words(placement)) or _result(snapshot, placement, self.rules)
            tried: dict[_Result, _Tried] = {}
            while len(tried) < _CHOICES and (
                found := self._best(snapshot, results, set(results.values()) - set(tried))
            ):
                tried[found[0]] = found[1]
            if mine not in tried:
                searched = self._best(snapshot, results, {mine})
                outcome = place(snapshot.grid, snapshot.pair, placement, self.rules)
                value = OVER_NEXT if searched is None else searched[1].value
                tried[mine] = _Tried(placement, outcome, value)
        except FieldError:
            return None
        return self._verdict(
            snapshot, list(tried.values()), tried[mine], max((one[1] for one in results.values()), default=0)
        )

    def _best(
        self, snapshot: Snapshot, results: Mapping[_Words, _Result], allowed: Collection[_Result]
    ) -> tuple[_Result, _Tried] | None:
        """The best placement among those that lead to an allowed result, with its result; None if there is none."""
        if not allowed:
            return None
        decision = self._player.choose(replace(snapshot, hands=lambda one: results[_words(one)] in allowed))
        if decision is None or (result := results[_words(decision.placement)]) not in allowed:
            return None
        return result, _Tried(decision.placement, decision.outcome, decision.value)

    def _verdict(self, snapshot: Snapshot, tried: list[_Tried], played: _Tried, now: int) -> Verdict:
        ranked = sorted(tried, key=lambda one: -one.value)
        best = ranked[0]
        lost = min(1.0, max(0.0, (best.value - played.value) / max(_LEAST_VALUE, best.value)))
        choices = {id(one): self._choice(snapshot, one) for one in ranked}
        mine = choices[id(played)]
        shown = tuple(choices[id(one)] for one in ranked[:_CHOICES])
        verdict = Verdict(shown, mine, lost, lost, lost * max(_LEAST_VALUE, best.value) / _STANDARD, now=now)
        if snapshot.opponent is not None:
            verdict = replace(verdict, chance=self._chance.between(own_side(snapshot), snapshot.opponent))
            if lost and (snapshot.pending >= COLUMNS or mine.made or shown[0].made):
                # attacks decide here: one that could have grown may still win the match
                chance_lost = max(0.0, (shown[0].chance or 0.0) - (mine.chance or 0.0))
                over = float(mine.over and not shown[0].over)
                verdict = replace(verdict, lost=over, measured=over, loss=over, chance_lost=chance_lost)
        return replace(verdict, marks=self._marks(snapshot, verdict))

    def _choice(self, snapshot: Snapshot, tried: _Tried) -> Choice:
        outcome, where = tried.outcome, tried.placement
        reach = 0 if outcome.over else self._reach(snapshot, outcome.grid)
        sent = outcome.attack * self.rules.attack.nuisance_each
        return Choice(
            place={"x": where.x, "orientation": where.orientation.word, "needle": where.needle},
            cells=_cells(snapshot.grid, snapshot.pair, where),
            steps=0,
            made=outcome.attack,
            value=max(tried.value, -_LEAST_VALUE),
            towards=max(reach, outcome.attack),
            towards_steps=0,
            then=self._then(snapshot, outcome),
            after=str(outcome.grid).replace("\n", "/"),
            over=outcome.over,
            chance=self._after(snapshot, outcome, sent),
            sent=sent if snapshot.opponent is not None else 0,
        )

    def _reach(self, snapshot: Snapshot, grid: Grid) -> int:
        """The attack of the best needle on a grid."""
        return self._scout.measure(replace(snapshot, grid=grid, opponent=None, pending=0)).metrics["best"]

    def _then(self, snapshot: Snapshot, outcome: Outcome) -> tuple[Cell, ...]:
        if outcome.over:
            return ()
        pair, later = snapshot.nexts
        after = replace(snapshot, grid=outcome.grid, pair=pair, nexts=(later, later), hands=None)
        decision = self._scout.choose(replace(after, state=snapshot.state))
        return () if decision is None else _cells(outcome.grid, pair, decision.placement)

    def _after(self, snapshot: Snapshot, outcome: Outcome, sent: int) -> float | None:
        """The chance of winning once the piece has locked; None outside matches."""
        other = snapshot.opponent
        if other is None:
            return None
        if outcome.over:
            return 0.0
        waiting = snapshot.pending
        if self.rules.attack.offset:
            cancelled = min(sent, waiting)
            waiting, sent = waiting - cancelled, sent - cancelled
        there = min(self.rules.attack.most_pending, other.pending + sent)
        own = Opponent(outcome.grid, snapshot.nexts[0], waiting)
        return self._chance.between(own, replace(other, pending=there))

    def _marks(self, snapshot: Snapshot, verdict: Verdict) -> tuple[str, ...]:
        mine = verdict.played
        column, row = self.rules.over_cell
        return marks_of(
            verdict,
            great=verdict.best.made >= _LEAST,
            lit=mine.made > 0,
            room=row - heights(Grid.parse(mine.after.replace("/", "\n")))[column - 1] - 1,
            due=snapshot.pending if snapshot.pending >= COLUMNS else 0,
        )


def _words(placement: Placement) -> _Words:
    return placement.x, placement.y, placement.orientation, placement.needle


def _result(snapshot: Snapshot, placement: Placement, rules: Rules) -> _Result:
    """What tells two placements apart: the grid at rest and the attack."""
    outcome = place(snapshot.grid, snapshot.pair, placement, rules)
    return outcome.grid, outcome.attack


def _cells(grid: Grid, pair: Pair, where: Placement) -> tuple[Cell, ...]:
    after = locked(grid, pair, where)[0]
    return tuple(
        (cell % COLUMNS, cell // COLUMNS, after.codes[cell])
        for cell in range(CELLS)
        if after.codes[cell] != grid.codes[cell]
    )
