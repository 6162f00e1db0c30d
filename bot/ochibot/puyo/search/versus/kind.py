"""The player kind ``versus``: players for matches (``ochibot.puyo.search.versus``)."""

from __future__ import annotations

from typing import Final

from ochibot.falling.family import PlayerKind, with_budget
from ochibot.puyo.search.chain.kind import BUDGET
from ochibot.puyo.search.versus.config import load_versus_player
from ochibot.puyo.search.versus.player import VersusPlayer

KIND: Final = PlayerKind(
    name="versus",
    family="puyo",
    options=BUDGET,
    load=load_versus_player,
    open=with_budget(VersusPlayer),
    fits=lambda data: "fighting" in data and "builder" in data,
)
