"""Judges placements of Puyo Puyo for a review (``ochibot.falling.review``).

A placement is worth what the search of the player ``chain`` makes of it: it follows the visible pairs and then some
random futures, and in each it takes the best chain that was set off on the way or is in reach at the end. A value is
the mean of the square roots of these chains' points, which grow about as their steps do. First all placements are
searched together; then the best ones and the one that was played are searched anew, each alone and all along the same
futures.

In a match, the best placement is the one that the player of matches chooses. Where a chain is set off or an attack is
due, the loss is that of the chance of winning; elsewhere it is that of the chain that is being built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ochibot.data import data_path
from ochibot.errors import FieldError
from ochibot.falling.review import Cell, Choice, Verdict, marks_of
from ochibot.puyo.chance import Chance, own_side
from ochibot.puyo.notes import board_of
from ochibot.puyo.rules.field import HIDDEN_ROWS, Field
from ochibot.puyo.rules.motion import resting_cells
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.config import load_chain_player, points_of
from ochibot.puyo.search.chain.draw import futures_of, palette
from ochibot.puyo.search.chain.layout import CHAIN, ROOTS
from ochibot.puyo.search.chain.search import BeamSearch, Floats, Layer, can_search, seen_pairs
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.versus.config import load_versus_player
from ochibot.puyo.search.versus.outlook import Scout
from ochibot.puyo.search.versus.player import VersusPlayer

_FUTURES: Final = 24
_PLIES: Final = 10
"""How far ahead the search looks, in pairs, and along how many futures."""
_PER_BOARD: Final = 13.5
"""About how many boards of the next layer one board leads to."""
_FIRST: Final = 0.3
"""The share of the boards with which all placements are searched together."""
_CHOICES: Final = 3
_LEAST_STEPS: Final = 3
"""Shorter chains are no chains that somebody could have missed."""
_MOST_STEPS: Final = 15
"""Longer chains count no more. The search knows each future that it follows, so on a crowded field it believes that
still longer ones will come, and would call it a mistake to set off a chain of 14 steps.
"""
_STANDARD: Final = 10
"""The steps of the chain by whose value losses are counted."""
_ANSWER: Final = 6
"""Nuisance of less than a row needs no answer."""
_DOUBTED: Final = 0.05
"""A placement that lost this share of the best one's value is looked at again, along other futures: the best one is
best along the first futures, and that may be luck.
"""
_LOCKS: Final = lock_order()


@dataclass(frozen=True, slots=True)
class _Tried:
    """A placement that was searched alone. values: of each future. reach: the mean points of the best chain. then: the
    best lock of the next pair, as an index into the order of locks; -1 where it isn't known.
    """

    placement: Placement
    outcome: Outcome
    values: Floats
    reach: float
    then: int


class PuyoReviewer:
    """See the module's text. Equal snapshots and placements get equal verdicts."""

    def __init__(self, rules: Rules, boards: int) -> None:
        """``boards``: about how many boards are examined for one verdict. Raises ConfigError for rules that the search
        can't play by.
        """
        self.rules = rules
        self._config = load_chain_player(data_path("configs/players/chain.yaml"))
        self._weights = self._config.vector()
        self._most = points_of(_MOST_STEPS, rules)
        self._scout = Scout(self._config, rules)
        self._chance = Chance(rules)
        self._boards = boards
        self._fighter: VersusPlayer | None = None
        layers = 1 + _PLIES * _FUTURES
        self._wide = self._search(boards * _FIRST / layers)
        self._narrow = self._search(boards * (1 - _FIRST) / ((_CHOICES + 1) * layers))

    def _search(self, boards: float) -> BeamSearch:
        return BeamSearch(self.rules, self._weights, max(2, int(boards / _PER_BOARD)))

    def prepare(self) -> None:
        """Loads (or compiles) the kernels."""
        self.judge(
            Snapshot(Field.empty(), Pair(1, 2), Pair(1, 3), 0, self.rules.spawn),
            Placement(3, 13, self.rules.spawn.orientation),
        )

    @property
    def hidden(self) -> int:
        """How many rows of the drawn field are out of sight."""
        return max(HIDDEN_ROWS, Field.empty().cells.shape[0] - self.rules.visible_rows)

    @property
    def board(self) -> Mapping[str, Any]:
        """What a page needs to know of the field."""
        return board_of(self.rules)

    def drawn(self, snapshot: Snapshot) -> list[str]:
        """The field as rows of letters."""
        return str(snapshot.field).split("\n")

    def judge(self, snapshot: Snapshot, placement: Placement) -> Verdict | None:
        """What there is to say about a placement; None for items, floating puyos, and where no pair is known."""
        pairs = seen_pairs(snapshot)
        if not pairs or not can_search(snapshot):
            return None
        colors = palette(snapshot.field, pairs, snapshot.colors)
        futures = futures_of(snapshot, pairs, _PLIES - len(pairs), _FUTURES, 0)
        every = self._locks(snapshot)
        mine = self._like(every, snapshot, placement)
        roots = self._ranked(snapshot, pairs, futures, colors)
        wanted = [every[root] for root in roots if root in every][:_CHOICES]
        first = self._of_match(snapshot, every)
        tried = {
            one: self._try(snapshot, one, pairs[1:], futures, colors)
            for one in dict.fromkeys((mine, *([] if first is None else [first]), *wanted))
        }
        ranked = sorted(tried.values(), key=lambda one: -float(one.values.mean()))
        if first is not None:
            ranked.sort(key=lambda one: one.placement != first)
        best, played = ranked[0], tried[mine]
        lost, measured = self._lost(best, played)
        if lost >= _DOUBTED:
            others = futures_of(snapshot, pairs, _PLIES - len(pairs), _FUTURES, 1)
            again = self._lost(
                *(self._try(snapshot, one.placement, pairs[1:], others, colors) for one in (best, played))
            )
            lost, measured = min(lost, again[1]), min(measured, again[1])
        outcomes = [place(snapshot.field, pairs[0], one, self.rules) for one in every.values()]
        return self._verdict(snapshot, ranked, played, (lost, measured), outcomes)

    def _lost(self, best: _Tried, played: _Tried) -> tuple[float, float]:
        """The share of the best placement's value that the played one lost: less its standard error, and with it."""
        if played.outcome.game_over and not best.outcome.game_over:
            return 1.0, 1.0
        gap = best.values - played.values
        doubt = float(gap.std(ddof=1)) / len(gap) ** 0.5
        mean, scale = float(gap.mean()), self._scale(best)
        return min(1.0, max(0.0, mean - doubt) / scale), min(1.0, max(0.0, mean) / scale)

    def _scale(self, best: _Tried) -> float:
        """The value by which losses are counted. A board on which no chain grows counts like one of two steps."""
        return max(float(best.values.mean()), points_of(2, self.rules) ** 0.5)

    def ranking(self, snapshot: Snapshot) -> list[Placement]:
        """All placements, the best first, when they are searched together. Raises FieldError where nothing can be
        searched.
        """
        pairs = seen_pairs(snapshot)
        if not pairs or not can_search(snapshot):
            raise FieldError("this position can't be searched: something floats, or its pair isn't known")
        colors = palette(snapshot.field, pairs, snapshot.colors)
        every = self._locks(snapshot)
        futures = futures_of(snapshot, pairs, _PLIES - len(pairs), _FUTURES, 0)
        return [every[root] for root in self._ranked(snapshot, pairs, futures, colors) if root in every]

    def _of_match(self, snapshot: Snapshot, every: dict[int, Placement]) -> Placement | None:
        """In a match, where the player of matches would put the piece: it looks at both sides. None elsewhere."""
        if snapshot.rival is None:
            return None
        if self._fighter is None:
            config = load_versus_player(data_path("configs/players/versus.yaml"))
            self._fighter = VersusPlayer(config, self.rules, nodes=max(2 * config.nodes, int(self._boards * _FIRST)))
        decision = self._fighter.choose(snapshot)
        return None if decision is None else self._like(every, snapshot, decision.placement)

    def _locks(self, snapshot: Snapshot) -> dict[int, Placement]:
        """The placements by the index of their lock; of several in one column, the deepest."""
        found: dict[int, Placement] = {}
        for one in placements(snapshot.field, snapshot.pair, self.rules, snapshot.state):
            root = _LOCKS.index((one.x, one.orientation))
            if root not in found or one.y > found[root].y:
                found[root] = one
        return found

    def _like(self, every: dict[int, Placement], snapshot: Snapshot, placement: Placement) -> Placement:
        """The one of these placements that leaves the same cells as the played one; else the played one."""
        cells = resting_cells(snapshot.field, snapshot.pair, placement)
        same = (one for one in every.values() if resting_cells(snapshot.field, snapshot.pair, one) == cells)
        return next(same, placement)

    def _ranked(
        self, snapshot: Snapshot, pairs: Sequence[Pair], futures: Sequence[Sequence[Pair]], colors: Sequence[int]
    ) -> list[int]:
        """The first locks, the best first, when all are searched together."""
        search = self._wide
        search.colors(colors)
        fired = search.look(snapshot.field, snapshot.state, pairs)
        if not search.depth:
            return list(range(ROOTS))
        values, _, _ = self._along(search, fired, futures)
        order: list[int] = np.argsort(-values.mean(0), kind="stable").tolist()
        return order

    def _along(
        self, search: BeamSearch, fired: Sequence[Floats], futures: Sequence[Sequence[Pair]]
    ) -> tuple[Floats, Floats, Floats]:
        """For each future (row) and first lock (column) of a search that has looked at the visible pairs: its value,
        the points of the best chain set off or in reach, and whether anything is left.
        """
        deciding = self._config.deciding
        known = np.max(np.stack([points * deciding.later**number for number, points in enumerate(fired)]), axis=0)
        values, points = np.zeros((2, len(futures), ROOTS))
        lives = np.zeros((len(futures), ROOTS))
        for number, pairs in enumerate(futures):
            made = known.copy()
            last = search.follow(search.seen[search.depth - 1], pairs, deciding.later, made)
            values[number], points[number], lives[number] = self._values(last, made)
        return values, points, lives

    def _values(self, last: Layer, made: Floats) -> tuple[Floats, Floats, Floats]:
        deciding, count = self._config.deciding, last.count
        roots = last.roots[:count]
        reach = np.minimum(last.reach[:count], self._most)
        stands = deciding.standing * (last.keys[:count] / self._weights[CHAIN] - np.sqrt(last.reach[:count]))
        values, points, lives = np.zeros((3, ROOTS))
        np.maximum.at(values, roots, np.maximum(0.0, deciding.promise * np.sqrt(reach) + stands))
        np.maximum.at(points, roots, reach)
        lives[roots] = 1.0
        made = np.minimum(made, self._most)
        values = np.maximum(values, np.sqrt(made))
        return values, np.maximum(points, made), lives

    def _try(
        self,
        snapshot: Snapshot,
        placement: Placement,
        rest: Sequence[Pair],
        futures: Sequence[Sequence[Pair]],
        colors: Sequence[int],
    ) -> _Tried:
        """Searches on from the field that a placement leaves."""
        outcome = place(snapshot.field, snapshot.pair, placement, self.rules)
        nothing = np.full(len(futures), min(outcome.score, self._most) ** 0.5)
        if outcome.game_over:
            return _Tried(placement, outcome, nothing, outcome.score, -1)
        search = self._narrow
        search.colors(colors)
        made = float(min(outcome.score, self._most)) if outcome.chain else 0.0
        if rest:
            fired = search.look(outcome.field, self.rules.spawn, rest)
            if not search.depth:
                return _Tried(placement, outcome, np.full(len(futures), made**0.5), made, -1)
            values, points, _ = self._along(search, fired, futures)
            then = int(np.argmax(values.mean(0)))
        else:
            rows = []
            for pairs in futures:
                fired = search.look(outcome.field, self.rules.spawn, pairs[:1])
                rows.append(self._along(search, fired, [pairs[1:]])[:2] if search.depth else np.zeros((2, 1, ROOTS)))
            values, points = (np.concatenate([row[part] for row in rows]) for part in (0, 1))
            then = -1
        best = np.maximum(values.max(1), made**0.5)
        return _Tried(placement, outcome, best, float(np.maximum(points.max(1), made).mean()), then)

    def _verdict(
        self,
        snapshot: Snapshot,
        ranked: Sequence[_Tried],
        played: _Tried,
        loss: tuple[float, float],
        outcomes: Sequence[Outcome],
    ) -> Verdict:
        lost, measured = loss
        choices = {one.placement: self._choice(snapshot, one) for one in ranked}
        mine = choices[played.placement]
        now = max((outcome for outcome in outcomes if not outcome.game_over), key=lambda one: one.score, default=None)
        chain = now if now is not None and now.chain else None
        shown = tuple(choices[one.placement] for one in ranked[:_CHOICES])
        verdict = Verdict(
            shown,
            mine,
            lost,
            measured,
            lost * self._scale(ranked[0]) / points_of(_STANDARD, self.rules) ** 0.5,
            now=0 if chain is None else chain.score,
            now_steps=0 if chain is None else chain.chain,
        )
        verdict = self._in_match(snapshot, verdict)
        return replace(verdict, marks=self._marks(snapshot, verdict, played))

    def _choice(self, snapshot: Snapshot, tried: _Tried) -> Choice:
        outcome, where = tried.outcome, tried.placement
        sent = outcome.score // max(1, self.rules.nuisance.points_at(snapshot.frame)) if outcome.chain else 0
        return Choice(
            place={"x": where.x, "orientation": where.orientation.word},
            cells=_cells(snapshot.field, snapshot.pair, where),
            steps=outcome.chain,
            made=outcome.score if outcome.chain else 0,
            value=float(tried.values.mean()),
            towards=int(tried.reach),
            towards_steps=self._scout.steps(int(tried.reach)),
            then=self._then(snapshot, tried),
            after=str(outcome.field).replace("\n", "/"),
            over=outcome.game_over,
            chance=self._after(snapshot, outcome, sent),
            sent=sent if snapshot.rival is not None else 0,
        )

    def _then(self, snapshot: Snapshot, tried: _Tried) -> tuple[Cell, ...]:
        if tried.then < 0:
            return ()
        x, orientation = _LOCKS[tried.then]
        after, pair = tried.outcome.field, snapshot.next_pair
        for one in placements(after, pair, self.rules):
            if (one.x, one.orientation) == (x, orientation):
                return _cells(after, pair, one)
        return ()

    def _after(self, snapshot: Snapshot, outcome: Outcome, sent: int) -> float | None:
        """The chance of winning once the piece has locked; None outside matches."""
        rival = snapshot.rival
        if rival is None:
            return None
        if outcome.game_over:
            return 0.0
        waiting, field = snapshot.waiting, outcome.field
        coming, there = sent, rival
        if self.rules.nuisance.offset:
            cancelled = min(sent, waiting)
            waiting, coming = waiting - cancelled, sent - cancelled
        if not outcome.chain and waiting:
            falling = min(waiting, self.rules.nuisance.most_per_fall)
            field, waiting = self._scout.under(field, waiting), waiting - falling
        frames = self._scout.frames(outcome.score) if outcome.chain else 0
        own = Rival(field, (snapshot.next_pair, *snapshot.foreseen), waiting, coming, frames)
        return self._chance.between(own, there, snapshot.frame, snapshot.colors)

    def _in_match(self, snapshot: Snapshot, verdict: Verdict) -> Verdict:
        """The verdict with the chances of a match."""
        rival = snapshot.rival
        if rival is None:
            return verdict
        before = self._chance.between(own_side(snapshot), rival, snapshot.frame, snapshot.colors)
        verdict = replace(verdict, chance=before)
        best, mine = verdict.best, verdict.played
        due = snapshot.waiting + rival.coming >= _ANSWER
        if not due and not best.steps and not mine.steps:
            return verdict
        # chains decide here: a chain that could have grown may still win the match
        lost = max(0.0, (best.chance or 0.0) - (mine.chance or 0.0))
        over = float(mine.over and not best.over)
        return replace(verdict, lost=over, measured=over, loss=over, chance_lost=lost)

    def _marks(self, snapshot: Snapshot, verdict: Verdict, played: _Tried) -> tuple[str, ...]:
        rival = snapshot.rival
        due = 0 if rival is None else snapshot.waiting + rival.coming
        return marks_of(
            verdict,
            great=verdict.best.steps >= _LEAST_STEPS,
            lit=verdict.played.steps > 0,
            room=self._scout.free(played.outcome.field),
            due=due if due >= _ANSWER else 0,
        )


def _cells(field: Field, pair: Pair, where: Placement) -> tuple[Cell, ...]:
    return tuple(sorted((x - 1, y, code) for x, y, code in resting_cells(field, pair, where)))
