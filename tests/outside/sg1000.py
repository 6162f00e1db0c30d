"""A console from a package outside ochibot: Sega's SG-1000, with 1 KiB of RAM."""

from __future__ import annotations

from pathlib import Path

from ochibot.console import RamLayout, Rom, System
from ochibot.errors import UsageError


def _load(path: Path, system: Path | None, sets: object) -> Rom:  # noqa: ARG001
    if system is not None:
        raise UsageError("an SG-1000 cartridge needs no system ROM: leave --system out")
    return Rom(path, path.name, path.read_bytes(), "sg1000", "game.sg")


SG1000 = System("sg1000", "SG-1000", ("genesis_plus_gx",), RamLayout(0xC000, 0xC3FF), _load, endings=(".sg",))
NOT_A_ROW = "sg1000"
