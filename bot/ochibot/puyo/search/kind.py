"""The player kind ``two_ply``: players that search one or two pairs deep and weigh seven metrics."""

from __future__ import annotations

from typing import Final

from ochibot.falling.kinds import PLIES, PlayerKind, with_plies
from ochibot.puyo.search.clairvoyant import Clairvoyant
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import TwoPly

KIND: Final = PlayerKind(
    name="two_ply",
    family="puyo",
    options=PLIES,
    load=load_player,
    open=with_plies(TwoPly),
    fits=lambda data: "normalisers" in data,
    from_records=True,
    clairvoyant=with_plies(Clairvoyant),
)
