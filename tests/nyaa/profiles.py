"""The shipped rules for tests, and rules files that are edited copies of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml
from ochibot.data import data_path
from ochibot.nyaa import Rules
from ochibot.nyaa.rules.file import load_rules

MVS: Final = load_rules("nyaa_mvs")
PS2: Final = load_rules("nyaa_ps2")


def edited(folder: Path, name: str = "mine", **values: Any) -> Rules:
    """Writes a copy of nyaa_mvs.yaml with these values for the named entries, and loads its rules."""
    profile = yaml.safe_load(data_path("configs/rules/nyaa_mvs.yaml").read_text(encoding="utf-8"))
    profile["name"] = name
    for entry, value in values.items():
        (part,) = (part for part in ("ignition", "field", "attack") if entry in profile[part])
        profile[part][entry]["value"] = value
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(profile), encoding="utf-8")
    return load_rules(file)
