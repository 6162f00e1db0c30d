"""Compares the map's sign of a new piece with the pieces that came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ochibot.errors import OchibotError
from ochibot.experiments.checking.scenes import Reading
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.rulesfile import menu_of
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding
from ochibot.wording import counted


class Announced:
    """A seat that reads traces of RAM, and tells on which frames the map announces a piece."""

    def __init__(self, title: Any, reading: Reading, rules: Any) -> None:
        self._reading = reading
        self._seat = title.seat(reading.map, reading.ram, rules)

    def frames(self, trace: Bytes) -> list[int]:
        """The frames of a trace on which a piece is announced. ``trace``: (frames, size) uint8."""
        found: list[int] = []
        self._reading.show(trace[0])
        try:
            self._seat.resync()
            for number, ram in enumerate(trace):
                self._reading.show(ram)
                if self._seat.update():
                    found.append(number)
        except OchibotError:
            return []
        return found


def learnt_signs(
    learnt: Learnt, rig: Rig, ram_map: RamMap, announced: int, pieces: int, known: Sequence[str]
) -> Finding:
    """The contradiction of a sign that doesn't announce each piece once, with the signs that were learnt."""
    made = map_of(learnt, rig, "learnt")
    signs = {
        moment: {word: list(value) if isinstance(value, list | tuple) else value for word, value in condition.items()}
        for moment, condition in made["signs"].items()
    }
    used = {str(condition["entry"]) for condition in signs.values()}
    entries: dict[str, Any] = {}
    for name in sorted(used):
        if name not in ram_map.entries or name not in ("x", "y"):
            entries[name] = {"address": int(made["entries"][name]["address"]), "source": "calibrated", "note": True}
    where = [ram_map.entries[name].byte_addresses()[0] for name in known if ram_map.entries[name].byte_addresses()]
    spawn = signs.get("spawn")
    at = ", ".join(f"{name} at {entry['address']:#06x}" for name, entry in entries.items())
    return Finding(
        "spawning",
        tuple(where[:1]),
        "the map's sign of a spawn doesn't rise once for each piece",
        f"it announced {announced} of {counted(pieces, 'piece')}",
        None if spawn is None else f"signs by {at}" if at else "signs",
        entries=entries,
        signs=signs,
        # none if play began at a savestate
        menu=tuple(menu_of(learnt)) if learnt.route.buttons else (),
    )
