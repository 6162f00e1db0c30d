"""A user's set, from the check of its files to a played game, without the user's files.

FBNeo and our check go by name, size and CRC alone. So each file of ``pnyaa.zip`` and ``neogeo.zip`` is replaced by one
of our own game's files or by zeros, padded to the same size and ended with four bytes that give the same CRC. The core
decrypts graphics and sound, which become garbage. The program is our own game's, so RAM and the map are the same too.
"""

from __future__ import annotations

import json
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
import yaml
from ochibot.console.rom import RomFile
from ochibot.console.sets import SYSTEM_FILES
from ochibot.data import data_path

from tests.commands import ochibot as run
from tests.homebrew.neogeo.driver import ROM, needs_fbneo
from tests.titles import NYAA_TABLE

PROGRAMS = {"pn202.p1": "p1.bin"}
"""A file of ``pnyaa.zip``, and the file of ours that replaces it. Zeros replace the other files of that set."""


def table_of() -> list[int]:
    """CRC-32's table with an entry for each byte, computed from its polynomial."""
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xEDB88320 if byte & 1 else 0)
        table.append(byte)
    return table


def forged(data: bytes, file: RomFile) -> bytes:
    """Pads the data to the file's size, and sets its last four bytes so that it has the file's CRC.

    This overwrites nothing that our files need. Their last four bytes lie behind the program, behind the last tile, or
    in the second copy of the zoom table.
    """
    body = data.ljust(file.size, b"\0")[:-4]
    table = table_of()
    place = {entry >> 24: number for number, entry in enumerate(table)}
    # backwards through the CRC register: which entries of the table lead to the wanted CRC, ...
    register, entries = file.crc ^ 0xFFFFFFFF, []
    for _ in range(4):
        entries.append(place[register >> 24])
        register = (register ^ table[entries[-1]]) << 8 & 0xFFFFFFFF
    # ... and forwards: which bytes choose those entries
    now, tail = zlib.crc32(body) ^ 0xFFFFFFFF, bytearray()
    for entry in reversed(entries):
        tail.append((now ^ entry) & 0xFF)
        now = now >> 8 ^ table[entry]
    return body + tail


def write(path: Path, files: tuple[RomFile, ...], parts: dict[str, str]) -> Path:
    with zipfile.ZipFile(ROM) as ours, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for file in files:
            part = ours.read(parts[file.name]) if file.name in parts else b""
            made.writestr(file.name, forged(part, file))
            assert file.crc == made.getinfo(file.name).CRC
    return path


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set")
    write(folder / "neogeo.zip", SYSTEM_FILES, {file.name: file.name for file in SYSTEM_FILES})
    return write(folder / "pnyaa.zip", NYAA_TABLE.sets["pnyaa"], PROGRAMS)


def calibrated(folder: Path) -> Path:
    """Writes our own game's map as if a user had found its addresses: every source is ``calibrated``."""
    content = yaml.safe_load(data_path("ram_maps/nyaa_homebrew/player1.yaml").read_text(encoding="utf-8"))
    for part in (*content["entries"].values(), *content["codes"].values()):
        part["source"] = "calibrated"
    content["name"] = "mine"
    target = folder / "mine.yaml"
    target.write_text(yaml.safe_dump(content), encoding="utf-8")
    return target


def ochibot(*words: object, command: str = "play") -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own, since a core that crashes ends its process."""
    return run(command, "nyaa", "--seed", 3, *words)


@needs_fbneo
def test_a_set_of_the_right_files_is_booted_and_played_by_a_calibrated_map(game: Path, tmp_path: Path) -> None:
    done = ochibot("--rom", game, "--map", calibrated(tmp_path), "--level", 2, "--pieces", 12, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["pieces"], report["compared"], report["misplaced"], report["disagreements"]) == (12, 12, 0, 0)
    assert report["agreement"] == 1
    assert "This isn't our own game" in done.stderr


@needs_fbneo
def test_without_a_map_the_set_is_taken_and_a_map_asked_for(game: Path) -> None:
    done = ochibot("--rom", game, "--pieces", 1)
    assert done.returncode == 2
    assert "no entry 'field'" in done.stderr
    done = ochibot("--rom", game, command="battle")
    assert done.returncode == 2
    assert "no entry 'field'" in done.stderr
    assert "wins" not in done.stdout
