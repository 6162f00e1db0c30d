"""The draft of a game whose field was not found: the way to play, and which bytes may be x and y."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.experiments.explore import Route
from ochibot.experiments.mapfile import follows
from ochibot.experiments.motion import followers, roots
from ochibot.experiments.rig import Rig
from ochibot.experiments.write import Files, write_map
from ochibot.experiments.yamlform import Flow, Hex
from ochibot.wording import counted

MOST_TRIED: Final = 24
"""So many candidates are poked."""

MOST_WRITTEN: Final = 3
"""So many are written for x, and for y."""


def bare_map(route: Route, rig: Rig, game: str) -> dict[str, object]:
    """The map as a mapping. Each note says how sure the entry is."""
    entries: dict[str, object] = {}
    rig.count(None)
    for name, moves, moved in (
        ("x", route.motion.across, "moves by {:+d} with RIGHT"),
        ("y", route.motion.fall, "moves by {:+d} as something falls"),
    ):
        follow = followers(rig, route.state, dict(sorted(moves.items())[:MOST_TRIED]))
        kept = roots(follow)
        for number, place in enumerate([*kept, *(one for one in follow if one not in kept)][:MOST_WRITTEN]):
            if place in kept:
                grade = "likely" if len(kept) == 1 else "unknown"
                why = f"keeps what is poked, and {follows(len(follow[place]) - 1)} it"
            else:
                grade, why = "unknown", "doesn't keep what is poked, so it may be a copy"
            others = counted(len(moves) - 1, "other candidate")
            note = f"{grade}: {moved.format(moves[place])}; {why}; {others}; no field was found"
            address = Hex(rig.address(place))
            entries[name if not number else f"{name}{number + 1}"] = Flow(
                address=address, source="calibrated", note=note
            )
    return {"game": game, "name": "player1", "system": rig.console.rom.system, "seat": 1, "entries": entries}


def write_bare(folder: Path, route: Route, rig: Rig, game: str, why: str) -> Files:
    """Writes the map and the savestate of a game whose field was not found."""
    return write_map(folder, bare_map(route, rig, game), route.state, rig, game, f"no field was found: {why}")
