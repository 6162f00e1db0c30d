"""The player kind ``nyaa_two_ply``: players of Pochi & Nyaa that search one or two pairs deep and weigh metrics.

These players need to see the other side, which records don't keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ochibot.falling.kinds import PLIES, PlayerKind, with_plies
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer


def _fits(data: Mapping[str, Any]) -> bool:
    """Whether there are weights of these metrics only, and no normalisers."""
    weights = data.get("weights")
    return isinstance(weights, Mapping) and "normalisers" not in data and set(weights) <= set(METRICS)


KIND: Final = PlayerKind(
    name="nyaa_two_ply", family="nyaa", options=PLIES, load=load_nyaa_player, open=with_plies(NyaaPlayer), fits=_fits
)
