from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ochibot.experiments.rig import Rig
from ochibot.experiments.run import open_rig
from ochibot.ramtools.opening import open_rom

VARIANTS = Path(__file__).resolve().parent.parent / "variants"


@contextmanager
def opened(rom: Path) -> Iterator[Rig]:
    """A rig whose console has just been switched on."""
    rig = open_rig(open_rom(rom), None, None)
    try:
        rig.step()
        yield rig
    finally:
        rig.console.close()
