"""Tests of docs/maps.md: its maps load, the bytes in their comments read as the comments say, and its program runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from ochibot.console import NES, Ram
from ochibot.games import find_game
from ochibot.ram import BoundMap, RamMap, load_map

from tests.titles import TABLE

PAGE = (Path(__file__).resolve().parents[2] / "docs/maps.md").read_text(encoding="utf-8")
MAPS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
SAYS = re.compile(r"^  (\w+): .*# ((?:[0-9A-F]{2} )+)reads as (.+)$", re.MULTILINE)


def read(folder: Path, text: str) -> RamMap:
    content: dict[str, Any] = yaml.safe_load(text)
    head: dict[str, Any] = {}
    if "game" not in content and "extends" not in content:
        head = {"game": "kumi", "name": "example", "system": "nes", "seat": 1, "entries": {}}
    path = folder / "example.yaml"
    path.write_text(yaml.safe_dump(head | content))
    known = find_game("puyo").map_words if "extends" in content else None  # type: ignore[attr-defined]
    return load_map(path, TABLE.codes, known=known)


@pytest.mark.parametrize("text", MAPS, ids=lambda text: text.split("\n")[1].split(":")[0].strip())
def test_an_example_is_read_and_does_what_it_says(tmp_path: Path, text: str) -> None:
    loaded = read(tmp_path, text)
    numbers = TABLE.codes
    for name, there, wanted in SAYS.findall(text):
        ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
        bound = BoundMap(loaded, ram, numbers)
        entry = loaded.entries[name]
        first = min(entry.byte_addresses())
        values = bytes.fromhex(there)
        for at, value in enumerate(values):
            where = sorted(entry.byte_addresses())[at] if entry.addresses and not entry.is_grid else first + at
            ram[where] = value
        if entry.is_grid:
            words = bound.words(name)
            found = " / ".join(" ".join(words.get(int(c), str(c)) for c in row) for row in bound.grid(name))
        else:
            found = bound.words(name).get(bound.value(name), str(bound.value(name)))
        assert found == wanted, name


def test_the_page_says_what_enough_bytes_read_as() -> None:
    assert len(MAPS) > 10
    assert sum(len(SAYS.findall(text)) for text in MAPS) > 25


def test_its_program_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(program, "docs/maps.md", "exec"), {"__name__": "example"})
