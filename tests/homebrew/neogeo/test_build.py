"""A build of the sources equals the committed cartridge byte for byte."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.homebrew.neogeo import toolchain
from tests.homebrew.neogeo.driver import ROM

MOST_BYTES = 300_000


@pytest.mark.long
def test_build_gives_the_committed_cartridge(tmp_path: Path) -> None:
    if toolchain.missing():
        pytest.skip(toolchain.missing())
    found, recorded = toolchain.versions(), toolchain.recorded()
    if found[:-1] != recorded[:-1]:
        pytest.skip(f"the tools are {found}, recorded are {recorded}")
    target = tmp_path / ROM.name
    subprocess.run(["sh", toolchain.FOLDER / "build.sh", target], check=True, capture_output=True)
    with zipfile.ZipFile(target) as ours, zipfile.ZipFile(ROM) as committed:
        assert ours.namelist() == committed.namelist()
        for name in committed.namelist():
            assert ours.read(name) == committed.read(name), name
    assert target.with_suffix(".dat").read_bytes() == ROM.with_suffix(".dat").read_bytes()
    if found[-1] == recorded[-1]:
        assert target.read_bytes() == ROM.read_bytes()


def test_the_cartridge_is_small() -> None:
    assert ROM.stat().st_size < MOST_BYTES
