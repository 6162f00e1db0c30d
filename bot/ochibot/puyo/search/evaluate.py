"""The evaluation of a field, metric by metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ochibot.errors import FieldError
from ochibot.puyo.rules.field import BOARD_WORDS, Field
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.engine import SEARCH_KERNELS
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
