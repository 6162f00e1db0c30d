"""Twelve variants of Ochidama that differ from it as other games do (README.md).

They test game files, maps and calibration.
"""

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
VERSUS: Final = ("packed", "columns", "partner", "moved")
"""The variants that the quick tests also play with two seats. The long tests play all variants with two seats."""

PARTLY_SEEN: Final = ("visible",)
"""The variants whose maps lack the hidden row: nuisance that comes to rest there unseen may stop a pair on its way."""


def game_file(name: str) -> Path:
    """A variant's game file."""
    return HERE / name / f"{name}.yaml"


def rom_file(name: str) -> Path:
    """A variant's ROM."""
    return HERE / name / f"{name}.nes"


@cache
def truth(name: str) -> Any:
    """The content of a variant's truth.yaml, which its build wrote (README.md)."""
    return yaml.safe_load((HERE / name / "truth.yaml").read_text(encoding="utf-8"))


def packed_size(files: Iterable[Path]) -> int:
    """The files' size in bytes, each deflated by itself, as in a package or a repository."""
    return sum(len(zlib.compress(path.read_bytes(), 9)) for path in files)
