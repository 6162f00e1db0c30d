"""Consoles from packages outside ochibot. ochibot has no code for the SG-1000."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from ochibot.cli import main
from ochibot.console import find_cores, find_system, system_names, systems
from ochibot.errors import ConfigError
from ochibot.ramtools.opening import open_rom

from tests import consoleroms


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the entry points of a package that looks as if pip had installed it."""
    metadata = tmp_path / "site/sega-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: sega\nVersion: 1.0\n")
    points = metadata / "entry_points.txt"
    points.write_text("[ochibot.systems]\nsg1000 = tests.outside.sg1000:SG1000\nnes = tests.outside.sg1000:SG1000\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.setattr(systems, "_SYSTEMS", {**systems._SYSTEMS})
    systems._installed.cache_clear()
    yield points
    systems._installed.cache_clear()


@pytest.mark.usefixtures("installed")
def test_an_installed_console_is_listed_and_its_roms_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert system_names()[-2:] == ("sg1000", "plain")
    assert find_system("nes").title == "Famicom"
    rom = tmp_path / "tiny.sg"
    rom.write_bytes(consoleroms.sega8())
    assert open_rom(rom).system == "sg1000"
    if not find_cores("genesis_plus_gx"):
        pytest.skip("no genesis_plus_gx core here (make test gets it from stable-retro)")
    monkeypatch.chdir(tmp_path)
    watch = (
        "ram",
        "watch",
        "tiny.sg",
        "--address",
        "0xC050",
        "--pads",
        "right:20",
        "--frames",
        "40",
        "--json",
        "a.json",
    )
    monkeypatch.setattr("sys.argv", ["ochibot", *watch])
    assert main._run() == 0
    (seen,) = json.loads((tmp_path / "a.json").read_text())["watched"]
    assert seen["last"] == "4"


@pytest.mark.parametrize(
    ("leads_to", "words"),
    [
        ("tests.outside.sg1000:NOT_A_ROW", "is no row for the system sg1000; it must be a System of that name"),
        ("tests.outside.sg1000:NOTHING", "can't be loaded: .*; mend or uninstall that package"),
        ("tests.outside.nowhere:ROW", "can't be loaded: .*; mend or uninstall that package"),
    ],
)
def test_a_broken_one_is_named(installed: Path, leads_to: str, words: str) -> None:
    installed.write_text(f"[ochibot.systems]\nsg1000 = {leads_to}\n")
    with pytest.raises(ConfigError, match=words):
        find_system("sg1000")
