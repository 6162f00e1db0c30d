"""Which machine a file is for, and what is said when that isn't known."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from ochibot.console import Console, find_core, find_system
from ochibot.console.sets import SYSTEM_FILES
from ochibot.errors import ConsoleError, OchibotError, RomError, UsageError
from ochibot.ramtools.opening import open_rom

from tests import gameboyrom, megadriverom, nesrom
from tests.commands import ochibot
from tests.homebrew.neogeo.driver import ROM as TOGETAMA
from tests.homebrew.neogeo.driver import needs_fbneo


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def packed(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_", "."), data)
    return path


IMAGES = {"nes": nesrom.image(), "megadrive": megadriverom.image(), "gameboy": gameboyrom.image()}
ENDINGS = {"nes": "nes", "megadrive": "md", "gameboy": "gb"}


@pytest.mark.parametrize("machine", IMAGES)
def test_the_ending_the_contents_or_the_archive_show_the_machine(machine: str, tmp_path: Path) -> None:
    data, ending = IMAGES[machine], ENDINGS[machine]
    for path in (
        write(tmp_path / f"a.{ending}", data),
        write(tmp_path / f"a.{ending.upper()}", data),
        write(tmp_path / "a.rom", data),
        write(tmp_path / "a", data),
        packed(tmp_path / "a.zip", **{f"game_{ending}": data, "readme_txt": b"hello"}),
    ):
        rom = open_rom(path)
        assert (rom.system, rom.data) == (machine, data), path


def test_the_machine_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.bin", IMAGES["gameboy"])
    assert open_rom(path, machine="gameboy").system == "gameboy"
    plain = open_rom(path, machine="plain")
    assert (plain.system, plain.file_name) == ("plain", "a.bin")
    with pytest.raises(ConsoleError, match="no core is known for any machine: give one with --core"):
        find_core(plain.system)
    with pytest.raises(UsageError, match=r"--machine saturn: give one of nes, .*, gameboy, .*, plain$"):
        open_rom(path, machine="saturn")


EXPLORE, CALIBRATE, WATCH = ("explore",), ("calibrate", "--blind", "--rom"), ("ram", "watch", "--address", "0x10")


@pytest.mark.parametrize(
    ("command", "name", "words"),
    [
        (EXPLORE, "a.vb", "it is unknown which machine"),
        (CALIBRATE, "a.txt", "give --machine, one of nes, neogeo, megadrive, system_c2, gameboy, mastersystem"),
        (WATCH, "a", "it is unknown which machine"),
        (CALIBRATE, "a.gb", "is not a Game Boy ROM"),
        (EXPLORE, "set.zip", "put its .dat beside it if it is one's own game"),
        (CALIBRATE, "set.zip", "put its .dat beside it if it is one's own game"),
        (WATCH, "set.zip", "put its .dat beside it if it is one's own game"),
        (EXPLORE, "two.zip", "holds 2 .gb or .gbc files"),
        (CALIBRATE, "nothing.vb", "no such ROM"),
        (EXPLORE, "nothing.zip", "no such ROM"),
    ],
)
def test_files_of_no_known_machine_are_refused(command: tuple[str, ...], name: str, words: str, tmp_path: Path) -> None:
    """Explore and calibrate once ended with exit code 70 on all of these that exist."""
    for file in ("a.vb", "a.txt", "a", "a.gb"):
        write(tmp_path / file, b"some text " * 4000)
    packed(tmp_path / "set.zip", **{"201-p1_p1": b"program", "201-c1_c1": b"tiles"})
    packed(tmp_path / "two.zip", a_gb=IMAGES["gameboy"], b_gb=IMAGES["gameboy"])
    done = ochibot(*command, tmp_path / name, cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    (line,) = done.stderr.strip().splitlines()
    assert words in line
    assert "bug" not in line


def test_a_set_of_a_title_is_known_everywhere(tmp_path: Path) -> None:
    """The files of an incomplete set are named, as ``play`` names them."""
    with pytest.raises(RomError, match=r"isn't the set that FBNeo wants: .* is missing"):
        open_rom(packed(tmp_path / "pnyaa.zip", a_bin=b"program", b_bin=b"tiles"))


def free_set(folder: Path) -> Path:
    """Our own game without its system files, as a free game of somebody else might come."""
    path = folder / "free.zip"
    with zipfile.ZipFile(TOGETAMA) as whole, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in whole.namelist():
            if name not in {file.name for file in SYSTEM_FILES}:
                archive.writestr(name, whole.read(name))
    shutil.copy(TOGETAMA.with_suffix(".dat"), path.with_suffix(".dat"))
    return path


@needs_fbneo
def test_a_free_neo_geo_set_gets_our_system_rom(tmp_path: Path) -> None:
    seen = []
    for path in (TOGETAMA, free_set(tmp_path)):
        rom = open_rom(path)
        with Console.open(find_core("neogeo"), rom, options=find_system("neogeo").options) as console:
            for _ in range(200):
                console.step()
            seen.append(console.ram.snapshot())
    assert seen[0] == seen[1]
    assert rom.note == "free.zip has no system ROM, so it gets that of our own game"


def test_a_free_neo_geo_set_may_get_the_users_system_rom(tmp_path: Path) -> None:
    path = free_set(tmp_path)
    with pytest.raises(RomError, match=r"no neogeo\.zip in"):
        open_rom(path, system=tmp_path)
    write(tmp_path / "neogeo.zip", b"no archive")
    with pytest.raises(OchibotError, match="is not a readable zip archive"):
        open_rom(path)
