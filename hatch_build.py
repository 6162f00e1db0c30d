"""Puts the data files into a wheel as ``ochibot/_data``; an editable install reads them from the repository instead."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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
)


class DataFilesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds DATA to standard wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version == "standard":
            for name in DATA:
                build_data["force_include"][name] = f"ochibot/_data/{name}"
