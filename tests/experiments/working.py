from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ochibot.experiments.rig import Rig
from ochibot.experiments.run import load_any, open_rig

VARIANTS = Path(__file__).resolve().parent.parent / "variants"


@contextmanager
def opened(rom: Path) -> Iterator[Rig]:
    """A rig whose console has just been switched on."""
    rig = open_rig(load_any(rom), None, None)
    try:
        rig.step()
        yield rig
    finally:
        rig.console.close()
