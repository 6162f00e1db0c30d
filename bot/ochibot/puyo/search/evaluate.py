"""The evaluation of a field, metric by metric.

Explains a choice: lists every lock position of the current piece with the best field that it leads to.

This is plain Python, and slow. The kernel makes the choice itself; tests compare both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import BOARD_WORDS, Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.search.engine import OVER_NEXT, OVER_NOW, SEARCH_KERNELS
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.search.metrics import METRICS
from ochibot.puyo.search.player import PlayerConfig


class Metrics(NamedTuple):
    """One number per metric, in the order of ``ochibot.puyo.search.metrics.METRICS``."""

    colored: float
    nuisance: float
    edge: float
    spawn: float
    consecutive: float
    variance: float
    links: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The terms of an evaluation, by metric.

    raw: the measured whole numbers. normalised: these divided by the player's normalisers. weighted: these times the
    weights; penalties are negative. total: the sum of ``weighted``, which equals the search's value of the field to the
    last bit.
    """

    raw: Metrics
    normalised: Metrics
    weighted: Metrics
    total: float

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """The metrics as (name, weighted value)."""
        return tuple(zip(METRICS, self.weighted, strict=True))


def evaluate(field: Field, config: PlayerConfig, rules: Rules) -> Evaluation:
    """Measures a settled field, and weighs it as the player file ``config`` says.

    Raises FieldError when a puyo floats (``resolve`` the field first).
    """
    if not field.is_settled():
        raise FieldError("can't evaluate a field with floating puyos: resolve it first")
    boards = np.zeros((1, BOARD_WORDS), np.uint64)
    boards[0] = field.planes
    results = np.zeros((1, 7), np.int64)
    SEARCH_KERNELS.kernel("measure_boards", rules)(boards, results)
    raw = Metrics(*results[0].tolist())
    normalisers = Metrics(**config.normalisers.model_dump())
    weighted = Metrics(*(value * factor for value, factor in zip(raw, config.factors, strict=True)))
    total = 0.0
    for term in weighted:  # not sum(): since Python 3.12 it adds with more precision than the kernel does
        total += term
    return Evaluation(raw, Metrics(*(v / n for v, n in zip(raw, normalisers, strict=True))), weighted, total)


@dataclass(frozen=True, slots=True)
class Explained:
    """One lock position of the current piece.

    value: the search's value of this lock. outcome: the result of this lock alone. reply: the best lock of the next
    piece after it. leaf: the field after both locks. evaluation: the evaluation of ``leaf``. With one ply, reply is
    None, and leaf is the field after the current piece. If this lock or every reply ends the game, reply, leaf and
    evaluation are None.
    """

    placement: Placement
    value: float
    outcome: Outcome
    reply: Placement | None
    leaf: Field | None
    evaluation: Evaluation | None


def explain(field: Field, pair: Pair, following: Pair | None, config: PlayerConfig, rules: Rules) -> list[Explained]:
    """Every lock position, the best first. Ties go to the first in the order of lock positions, as in the search.

    ``following``: the next piece; None searches the current piece only. Raises FieldError when the piece can't appear.
    """
    found = [_explain(field, pair, lock, following, config, rules) for lock in lock_positions(field, pair, rules)]
    if not found:
        raise FieldError("the piece can't appear on this field: its cells at the top of column 3 aren't free")
    return sorted(found, key=lambda one: -one.value)


def _explain(
    field: Field, pair: Pair, lock: Placement, following: Pair | None, config: PlayerConfig, rules: Rules
) -> Explained:
    outcome = place(field, pair, lock, rules)
    if outcome.game_over:
        return Explained(lock, OVER_NOW, outcome, None, None, None)
    if following is None:
        seen = evaluate(outcome.field, config, rules)
        return Explained(lock, seen.total, outcome, None, outcome.field, seen)
    best = Explained(lock, OVER_NEXT, outcome, None, None, None)
    for reply in lock_positions(outcome.field, following, rules):
        after = place(outcome.field, following, reply, rules)
        if after.game_over:
            continue
        seen = evaluate(after.field, config, rules)
        if best.reply is None or seen.total > best.value:
            best = Explained(lock, seen.total, outcome, reply, after.field, seen)
    return best
