"""The chance of winning a match of Pochi & Nyaa, by what both sides show: grids, falling pairs, nuisance that waits.

A side is measured as whole numbers, and the features are computed from both sides' numbers. The numbers are what the
lab keeps (``ochibot chance``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.data import data_path
from ochibot.falling.chance import ChanceModel, Floats, load_chance
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.rules.lock import heights
from ochibot.nyaa.rules.pair import SPAWN, Pair
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.engine import OVER_NEXT
from ochibot.nyaa.search.player import NyaaPlayerConfig, NyaaWeights, load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer, as_it_will_lie

_ATTACK: Final = NyaaPlayerConfig(
    name="attack", weights=NyaaWeights(attack=1), provenance="the value of a lock is its attack"
)
_JUDGE: Final = "configs/players/nyaa.yaml"
"""The player whose weights judge a side."""
_ANY: Final = Pair(1, 2)
"""The pair of a side whose pair isn't known. It is only measured, not played."""

Ints = npt.NDArray[np.int64]


class SideNumbers(NamedTuple):
    """A side in whole numbers.

    blocks: on its grid, nuisance included. nuisance, locked, best, second, others, tails, mass, growth, buried, height,
    centre: metrics (``ochibot.nyaa.search.metrics``). middle, highest: the height of the middle column, and of the
    highest one. now: the attack of the best lock of the falling pair. pending: nuisance that waits. lives: 1 if a lock
    of that pair doesn't lose, else 0. worth: ten times what the shipped player thinks of the best such lock, else 0.
    """

    blocks: int
    nuisance: int
    locked: int
    best: int
    second: int
    others: int
    tails: int
    mass: int
    growth: int
    buried: int
    height: int
    centre: int
    middle: int
    highest: int
    now: int
    pending: int
    lives: int
    worth: int


_SCALES: Final = (50, 150, 400)
FEATURES: Final = (
    "unthreatened",
    "answered_now",
    "answered",
    "unthreatened_share",
    "answered_now_share",
    "answered_share",
    "survives",
    "now",
    "best",
    "second",
    "others",
    "deadly_now",
    "deadly_best",
    "unanswered",
    "exceeding",
    "room",
    "edge",
    "near",
    "clean",
    "loose",
    "material",
    "joined",
    "reached",
    "uncrowded",
    "flat",
    "low",
    "clear_middle",
    "lives",
    *(f"ahead_{scale}" for scale in _SCALES),
)
"""The features of a side that faces another one. More is never worse.

A *threat* is the nuisance that waits to fall on the side. *Deadly* is what fills the middle column. An *answer* cancels
a threat, in rules with offset.

- unthreatened: less the logarithm of the threat. answered_now: the same after the falling pair's answer. answered:
  after that of the best ignition. unthreatened_share, answered_now_share, answered_share: the same as shares of what is
  deadly. survives: whether the last of them is below 1.
- now, best, second, others: the square root of these attacks. deadly_now, deadly_best: the nuisance of the first two,
  with what waits there, as a share of what is deadly to the other side. unanswered: the same of the best ignition less
  the other side's. exceeding: how much larger it is, in square roots.
- room: free cells of the middle column. edge, near: whether more than one and more than three are free.
- clean: less the nuisance blocks. loose: less those that no ignition removes soon. material: coloured blocks, up to
  half a grid. joined: the square root of the metric mass. reached: less the blocks in groups without a landing cell.
- uncrowded: less the blocks beyond 42. flat, low, clear_middle: less the squared heights, the highest column, and the
  heights in the middle.
- lives: whether a lock of the falling pair doesn't lose. ahead_50, ahead_150, ahead_400: how much more the shipped
  player thinks of this side's best lock than of the other side's; a difference much larger than this number counts
  like one of about twice the number.
"""
_HALF: Final = ROWS * COLUMNS // 2


def sides(rows: Ints, rules: Rules) -> tuple[Floats, Floats]:
    """The features of the first sides and of the second ones, for rows of ``Chance.measure``."""
    size = len(SideNumbers._fields)
    one, two = (SideNumbers(*part.T.astype(np.float64)) for part in (rows[:, :size], rows[:, size:]))
    return _all_features(one, two, rules), _all_features(two, one, rules)


def _all_features(own: SideNumbers, other: SideNumbers, rules: Rules) -> Floats:
    # of two sides, each has half of how far it is ahead
    ahead = np.asarray(own.lives) * other.lives * (np.asarray(own.worth) - other.worth) / 10
    scaled = [np.tanh(ahead / scale) / 2 for scale in _SCALES]
    return np.column_stack((_features(own, other, rules), np.asarray(own.lives), *scaled))


def _features(own: SideNumbers, other: SideNumbers, rules: Rules) -> Floats:
    each, answers, top = rules.attack.nuisance_each, rules.attack.offset, rules.over_cell[1]
    free, free_there = np.maximum(0, top - own.middle), np.maximum(0, top - other.middle)
    deadly, deadly_there = COLUMNS * np.maximum(free, 0.5), COLUMNS * np.maximum(free_there, 0.5)
    now, best = each * own.now, each * np.maximum(own.best, own.now)
    best_there = each * np.maximum(other.best, other.now)
    threat = np.asarray(own.pending)
    left_now = np.maximum(0, threat - now) if answers else threat
    left = np.maximum(0, threat - best) if answers else threat
    answer_there = best_there if answers else np.zeros_like(best_there)
    waits_there = np.asarray(other.pending)
    return np.stack(
        (
            -np.log1p(threat),
            -np.log1p(left_now),
            -np.log1p(left),
            -_share(threat, deadly),
            -_share(left_now, deadly),
            -_share(left, deadly),
            (left < deadly).astype(np.float64),
            np.sqrt(own.now) / 10,
            np.sqrt(own.best) / 10,
            np.sqrt(own.second) / 10,
            np.sqrt(own.others) / 10,
            _share(waits_there + now, deadly_there),
            _share(waits_there + best, deadly_there),
            _share(np.maximum(0, waits_there + best - answer_there), deadly_there),
            np.sqrt(np.maximum(0, best - best_there)) / 10,
            free / 10,
            (free > 1).astype(np.float64),
            (free > 3).astype(np.float64),
            -np.asarray(own.nuisance) / _HALF,
            -np.asarray(own.locked) / _HALF,
            np.minimum(np.asarray(own.blocks) - own.nuisance, _HALF) / _HALF,
            np.sqrt(own.mass) / 20,
            -np.asarray(own.buried) / 20,
            -np.maximum(0, np.asarray(own.blocks) - _HALF) / 12,
            -np.asarray(own.height) / 500,
            -np.asarray(own.highest) / 12,
            -np.asarray(own.centre) / 300,
        ),
        axis=1,
    )


def _share(amount: Floats, room: Floats) -> Floats:
    return np.minimum(1.0, amount / room)


def shipped() -> ChanceModel:
    """The shipped weights. Raises ConfigError."""
    return load_chance(data_path("configs/chance/nyaa.yaml"), "nyaa", FEATURES)


class Chance:
    """Tells the chance of winning. An instance has its own scratch memory: use one per thread."""

    def __init__(self, rules: Rules, model: ChanceModel | None = None) -> None:
        """``model``: the weights; None: the shipped ones. Raises ConfigError for rules that the search can't use."""
        self.rules = rules
        self._model = model
        self._player = NyaaPlayer(_ATTACK, rules, 1)
        self._judge = NyaaPlayer(load_nyaa_player(data_path(_JUDGE)), rules, 1)
        self._spawn = SPAWN._replace(x=rules.spawn_column)

    def chance(self, snapshot: Snapshot) -> float | None:
        """The chance of the side whose snapshot it is; None if it doesn't show the other side."""
        if snapshot.opponent is None:
            return None
        return self.between(own_side(snapshot), snapshot.opponent)

    def between(self, own: Opponent, other: Opponent) -> float:
        """The chance of the side ``own`` against ``other``."""
        if self._model is None:
            self._model = shipped()
        row = np.array([self._row(own, other)], np.int64)
        return float(self._model.chances(*sides(row, self.rules))[0])

    def measure(self, snapshot: Snapshot) -> tuple[int, ...] | None:
        """What the features are computed from: both sides' numbers, the own side's first. None if the snapshot doesn't
        show the other side.
        """
        return None if snapshot.opponent is None else self._row(own_side(snapshot), snapshot.opponent)

    def _row(self, own: Opponent, other: Opponent) -> tuple[int, ...]:
        (own, sent), (other, coming) = own.burnt_out(self.rules), other.burnt_out(self.rules)
        most = self.rules.attack.most_pending
        own = replace(own, pending=min(most, own.pending + coming))
        other = replace(other, pending=min(most, other.pending + sent))
        return *self._measure(own, other), *self._measure(other, own)

    def _measure(self, side: Opponent, facing: Opponent) -> SideNumbers:
        """A side in numbers. ``facing``: the other side."""
        grid, pair = as_it_will_lie(side.grid), side.pair or _ANY
        snapshot = Snapshot(grid, pair, (pair, pair), self._spawn, side.pending, facing)
        metrics = self._player.measure(snapshot).metrics
        columns = heights(grid)
        now, lives, worth = self._tried(snapshot) if side.pair is not None else (0, 1, 0)
        return SideNumbers(
            blocks=grid.count(),
            nuisance=metrics["nuisance"],
            locked=metrics["locked"],
            best=metrics["best"],
            second=metrics["second"],
            others=metrics["others"],
            tails=metrics["tails"],
            mass=metrics["mass"],
            growth=metrics["growth"],
            buried=metrics["buried"],
            height=metrics["height"],
            centre=metrics["centre"],
            middle=columns[self.rules.spawn_column - 1],
            highest=max(columns),
            now=now,
            pending=side.pending,
            lives=lives,
            worth=worth,
        )

    def _tried(self, snapshot: Snapshot) -> tuple[int, int, int]:
        """(the attack of the falling pair's best lock, whether any lock lives, ten times the best one's value)."""
        attack, best = self._player.value(snapshot), self._judge.value(snapshot)
        if attack is None or best is None or best <= OVER_NEXT:
            return 0, 0, 0
        return max(0, round(attack)), 1, round(10 * best)


def own_side(snapshot: Snapshot) -> Opponent:
    """A snapshot's own side as the other side sees it."""
    return Opponent(snapshot.grid, snapshot.pair, snapshot.pending)
