"""Twelve games that differ from Ochidama as other games would (README.md), for game files, maps and calibration."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from tests.variants.build import VARIANTS

HERE: Final = Path(__file__).resolve().parent
NAMES: Final = tuple(variant.name for variant in VARIANTS)
VERSUS: Final = ("packed", "columns", "partner", "moved", "scattered")
"""Those that the quick tests play with two seats too; all can be."""

PARTLY_SEEN: Final = ("visible",)
"""Those whose hidden row no map shows: nuisance that came to rest there unseen may stop a pair on its way."""


def game_file(name: str) -> Path:
    """A variant's game file."""
    return HERE / name / f"{name}.yaml"


def rom_file(name: str) -> Path:
    """A variant's ROM."""
    return HERE / name / f"{name}.nes"


@cache
def truth(name: str) -> Any:
    """What its build says is true of a variant."""
    return yaml.safe_load((HERE / name / "truth.yaml").read_text(encoding="utf-8"))


def packed_size(files: Iterable[Path]) -> int:
    """Bytes of files, each deflated by itself, as in a package or a repository."""
    return sum(len(zlib.compress(path.read_bytes(), 9)) for path in files)
