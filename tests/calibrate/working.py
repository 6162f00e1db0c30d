from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ochibot.calibrate.lab import Lab
from ochibot.calibrate.run import load_any, open_lab

VARIANTS = Path(__file__).resolve().parent.parent / "variants"


@contextmanager
def laboratory(rom: Path) -> Iterator[Lab]:
    """A lab whose console has just been switched on."""
    lab = open_lab(load_any(rom), None, None)
    try:
        lab.step()
        yield lab
    finally:
        lab.console.close()
