"""The chance of winning a match of Puyo Puyo, by what both sides show: fields, visible pairs, nuisance, running chains.

A *side* is what ``Rival`` holds, also for the player's own side. A side is measured as whole numbers, and the features
are computed from both sides' numbers. The numbers are what the lab keeps (``ochibot chance``).
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.data import data_path
from ochibot.falling.chance import ChanceModel, Floats, load_chance
from ochibot.puyo.rules.field import COLORS, COLUMNS, NUISANCE
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.config import ChainConfig, load_chain_player
from ochibot.puyo.search.chain.search import SEEN
from ochibot.puyo.search.placements import known_pairs
from ochibot.puyo.search.versus.outlook import PIECE_FRAMES, Scout

_BUILDER: Final = "configs/players/chain.yaml"
"""The player whose values choose among locks when chains in reach are looked for."""

Ints = npt.NDArray[np.int64]


class SideNumbers(NamedTuple):
    """A side in whole numbers.

    puyos, nuisance: on its field. spawn, highest: the height of the spawn's column, and of the highest one. squares:
    the sum of all columns' squared heights. free: free rows of the spawn's column up to the spawn. locks: how many
    locks of the falling pair don't end the game. now, sure, reach: points of the best chain that the falling pair sets
    off, that the visible pairs set off, and that one or two more puyos would. waiting, coming, frames: as in ``Rival``.
    """

    puyos: int
    nuisance: int
    spawn: int
    highest: int
    squares: int
    free: int
    locks: int
    now: int
    sure: int
    reach: int
    waiting: int
    coming: int
    frames: int


_PLAIN: Final = (
    "unthreatened",
    "answered_now",
    "answered",
    "unthreatened_share",
    "answered_now_share",
    "answered_share",
    "survives",
    "now",
    "sure",
    "reach",
    "deadly_sure",
    "deadly_reach",
    "unanswered",
    "room",
    "edge",
    "near",
    "clean",
    "material",
    "uncrowded",
    "flat",
    "low",
    "locks",
    "running",
    "rested",
)
"""What is good for a side that faces another one. More is never worse.

A *threat* is the nuisance that waits above the side or that the other side's chain will send, and what falls at once
where the rest is lost. *Deadly* is what fills the spawn's column. An *answer* cancels a threat, in rules with offset.

- unthreatened: less the logarithm of the threat. answered_now: the same after the falling pair's answer. answered:
  after the best answer for which there is time. unthreatened_share, answered_now_share, answered_share: the same as
  shares of what is deadly. survives: whether the last of them is below 1.
- now, sure, reach: the logarithm of the nuisance of these chains. deadly_sure, deadly_reach: the nuisance as a share of
  what is deadly to the other side. unanswered: the same of the sure chain less the other side's.
- room: free rows of the spawn's column. edge, near: whether more than one and more than three rows are free.
- clean: less the nuisance on the field. material: coloured puyos, up to half a field. uncrowded: less the puyos beyond
  48. flat, low: less the squared heights, and less the highest column. locks: locks that don't end the game.
- running: whether a chain runs. rested: less the time until it has ended.
"""
_ALWAYS: Final = slice(3, 7)
"""Those that count at any time: a threat as a share of what is deadly, and whether the side survives it."""
FEATURES: Final = (
    *_PLAIN[_ALWAYS],
    *(f"{name}_full" for name in _PLAIN),
    *(f"{name}_young" for name in _PLAIN),
)
"""The features: those that count at any time, all of them times the square of how full the fuller field is, and all of
them times that square and how young the round is. An advantage decides little on two low fields, and little in a long
round, in which neither side has been able to use one.
"""
_YOUNG: Final = 1_200
"""A round of so many frames is half as young as a new one."""
_FULL: Final = 72
_SLOW: Final = 3 * PIECE_FRAMES
"""Frames in which a chain in reach can be set off before the nuisance falls."""
_HALF: Final = 36
_CROWDED: Final = 48


def sides(rows: Ints, rules: Rules) -> tuple[Floats, Floats]:
    """The features of the first sides and of the second ones, for rows of ``Chance.measure``."""
    size = len(SideNumbers._fields)
    own, other = rows[:, :size].T.astype(np.float64), rows[:, size : 2 * size].T.astype(np.float64)
    each, frames = np.maximum(rows[:, 2 * size], 1).astype(np.float64), rows[:, 2 * size + 1].astype(np.float64)
    full = (np.maximum(own[0], other[0]) / _FULL) ** 2
    young = 1 / (1 + (frames / _YOUNG) ** 2)

    def weighed(plain: Floats) -> Floats:
        return np.hstack((plain[:, _ALWAYS], plain * full[:, None], plain * (full * young)[:, None]))

    return weighed(_features(own, other, each, rules)), weighed(_features(other, own, each, rules))


def _features(own: Floats, other: Floats, each: Floats, rules: Rules) -> Floats:
    one, two = _Side(own, each), _Side(other, each)
    threat, answers = one.waiting + two.coming, rules.nuisance.offset
    deadly, deadly_there = one.deadly, two.deadly
    in_time = np.where(two.frames >= _SLOW, one.best, np.where(two.frames >= PIECE_FRAMES, one.sure, one.now))
    best = np.where(one.waiting > 0, one.now, in_time)
    left_now = np.maximum(0, threat - one.now) if answers else threat
    left = np.maximum(0, threat - best) if answers else threat
    threat, left_now, left = (_falls(amount, rules) for amount in (threat, left_now, left))
    free = one.free
    answer_there = two.sure if answers else np.zeros_like(two.sure)
    return np.stack(
        (
            -np.log1p(threat),
            -np.log1p(left_now),
            -np.log1p(left),
            -_share(threat, deadly),
            -_share(left_now, deadly),
            -_share(left, deadly),
            (left < deadly).astype(np.float64),
            np.log1p(_falls(one.now, rules)),
            np.log1p(_falls(one.sure, rules)),
            np.log1p(_falls(one.best, rules)),
            _share(_falls(one.sure, rules), deadly_there),
            _share(_falls(one.best, rules), deadly_there),
            _share(_falls(np.maximum(0, one.sure - answer_there), rules), deadly_there),
            free / 10,
            (free > 1).astype(np.float64),
            (free > 3).astype(np.float64),
            -one.nuisance / _HALF,
            np.minimum(one.puyos - one.nuisance, _HALF) / _HALF,
            -np.maximum(0, one.puyos - _CROWDED) / 12,
            -one.squares / 500,
            -one.highest / 12,
            one.locks / 22,
            (one.frames > 0).astype(np.float64),
            -np.log1p(one.frames / PIECE_FRAMES),
        ),
        axis=1,
    )


class _Side:
    """A side's numbers by name, with chains in nuisance puyos."""

    def __init__(self, numbers: Floats, each: Floats) -> None:
        (
            self.puyos,
            self.nuisance,
            _,
            self.highest,
            self.squares,
            self.free,
            self.locks,
            now,
            sure,
            reach,
            self.waiting,
            self.coming,
            self.frames,
        ) = numbers
        self.now, self.sure = now / each, sure / each
        self.best = np.maximum(sure, reach) / each

    @property
    def deadly(self) -> Floats:
        """How much nuisance is deadly; half a row where the column is full."""
        return COLUMNS * np.maximum(self.free, 0.5)


def _falls(amount: Floats, rules: Rules) -> Floats:
    """How much of it falls; at most one batch where the rest is lost."""
    return np.minimum(amount, rules.nuisance.most_per_fall) if rules.nuisance.excess == "discard" else amount


def _share(amount: Floats, room: Floats) -> Floats:
    return np.minimum(1.0, amount / room)


@cache
def _builder() -> ChainConfig:
    return load_chain_player(data_path(_BUILDER))


def shipped(rules: Rules) -> ChanceModel:
    """The shipped weights for such rules: those of a game with offset, or of one without. Raises ConfigError."""
    name = "offset" if rules.nuisance.offset else "no_offset"
    return load_chance(data_path(f"configs/chance/{name}.yaml"), "puyo", FEATURES)


class Chance:
    """Tells the chance of winning. An instance has its own scratch memory: use one per thread."""

    def __init__(self, rules: Rules, model: ChanceModel | None = None) -> None:
        """``model``: the weights; None: the shipped ones for such rules. Raises ConfigError for rules whose groups
        aren't of four, because chains in reach can't be found there.
        """
        self.rules = rules
        self._model = model
        self._scout = Scout(_builder(), rules)

    def chance(self, snapshot: Snapshot) -> float | None:
        """The chance of the side whose snapshot it is; None if it doesn't show the other side."""
        if snapshot.rival is None:
            return None
        return self.between(own_side(snapshot), snapshot.rival, snapshot.frame, snapshot.colors)

    def between(self, own: Rival, other: Rival, frame: int, colors: int) -> float:
        """The chance of the side ``own`` against ``other``. ``frame``: the round's frames so far. ``colors``: how many
        the game deals.
        """
        if self._model is None:
            self._model = shipped(self.rules)
        row = np.array([self._row(own, other, frame, colors)], np.int64)
        return float(self._model.chances(*sides(row, self.rules))[0])

    def measure(self, snapshot: Snapshot) -> tuple[int, ...] | None:
        """What the features are computed from: both sides' numbers, the own side's first, how many points make one
        nuisance puyo, and the round's frames. None if the snapshot doesn't show the other side.
        """
        if snapshot.rival is None:
            return None
        return self._row(own_side(snapshot), snapshot.rival, snapshot.frame, snapshot.colors)

    def _row(self, own: Rival, other: Rival, frame: int, colors: int) -> tuple[int, ...]:
        dealt = _dealt(own, other, colors)
        each = self.rules.nuisance.points_at(frame)
        return *self._measure(own, dealt), *self._measure(other, dealt), each, frame

    def _measure(self, side: Rival, dealt: tuple[int, ...]) -> SideNumbers:
        """A side in numbers. ``dealt``: the colours that the game deals."""
        field, scout, pairs = side.field, self._scout, known_pairs(side.pairs, SEEN)
        heights = [int(height) for height in field.heights()]
        now = sure = reach = locks = 0
        if pairs and field.is_settled():
            look = scout.look(field, self.rules.spawn, pairs, dealt)
            now = max((lock.points for lock in look.locks), default=0)
            sure, reach, locks = max(now, look.later), look.reach, len(look.locks)
        reach = max(reach, int(scout.reach([field], dealt)[0]))
        return SideNumbers(
            puyos=field.count(),
            nuisance=field.codes.count(NUISANCE),
            spawn=heights[SPAWN_COLUMN - 1],
            highest=max(heights),
            squares=sum(height * height for height in heights),
            free=scout.free(field),
            locks=locks,
            now=now,
            sure=sure,
            reach=reach,
            waiting=side.waiting,
            coming=side.coming,
            frames=side.frames,
        )


def _dealt(own: Rival, other: Rival, count: int) -> tuple[int, ...]:
    """The colours that the game may deal: those seen on both sides, and if these are fewer than ``count``, the others
    with the lowest codes.
    """
    codes = {
        *own.field.codes,
        *other.field.codes,
        *(code for side in (own, other) for pair in side.pairs for code in pair),
    }
    seen = [color for color in COLORS if color in codes]
    return tuple(sorted([*seen, *(color for color in COLORS if color not in seen)][: max(count, len(seen))]))


def own_side(snapshot: Snapshot) -> Rival:
    """A snapshot's own side as the other side sees it."""
    return Rival(snapshot.field, (snapshot.pair, snapshot.next_pair, *snapshot.foreseen), snapshot.waiting)
