"""The player kind ``nyaa_beam``: players that search a beam along all visible pairs (``ochibot.nyaa.search.beam``).

They need to see the other side, which records don't keep. A player file with their weights but without ``kind`` belongs
to the two-ply player.
"""

from __future__ import annotations

from typing import Final

from ochibot.falling.kinds import PlayerKind, with_budget
from ochibot.nyaa.search.beam.config import MOST_NODES, load_nyaa_beam
from ochibot.nyaa.search.beam.player import NyaaBeamPlayer

KIND: Final = PlayerKind(
    name="nyaa_beam",
    family="nyaa",
    options={"nodes": range(1, MOST_NODES + 1), "budget_ms": range(1, 600_001)},
    load=load_nyaa_beam,
    open=with_budget(NyaaBeamPlayer),
)
