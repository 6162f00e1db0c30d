"""Build hooks: the data files of a wheel, and the README of the package page.

A wheel carries the data files as ``ochibot/_data``; an editable install reads them from the repository instead.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = "https://github.com/ochibot/ochibot/blob/main/"
PICTURES = "https://raw.githubusercontent.com/ochibot/ochibot/main/"

DATA = (
    "ram_maps",
    "configs",
    "roms/homebrew/famicom/ochidama.nes",
    "roms/homebrew/famicom/LICENSE",
    "roms/homebrew/neogeo/togetama.zip",
    "roms/homebrew/neogeo/togetama.dat",
    "roms/homebrew/neogeo/LICENSE",
    "roms/homebrew/megadrive/nijidama.bin",
    "roms/homebrew/megadrive/LICENSE",
    "roms/homebrew/portable/kodama.gb",
    "roms/homebrew/portable/kodama.gg",
    "roms/homebrew/portable/kodama.sms",
    "roms/homebrew/portable/kodama.sfc",
    "roms/homebrew/portable/kodama.pce",
    "roms/homebrew/portable/kodama.gba",
    "roms/homebrew/portable/LICENSE",
)


class DataFilesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds DATA to standard wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version == "standard":
            for name in DATA:
                build_data["force_include"][name] = f"ochibot/_data/{name}"


def absolute(text: str) -> str:
    """Markdown with its relative links and pictures made absolute: a package page has no files beside it."""
    return re.sub(
        r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)",
        lambda found: f"{found[1]}{found[2]}({PICTURES if found[1] else PAGES}{found[3]})",
        text,
    )


class ReadmeHook(MetadataHookInterface):
    """The README with absolute links, as the package's description."""

    def update(self, metadata: dict[str, Any]) -> None:
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(readme)}
