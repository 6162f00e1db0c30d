"""A user's Neo Geo set is checked file by file before the core is asked."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from ochibot.console import sets as neogeo
from ochibot.console.rom import Rom, RomFile
from ochibot.errors import RomError
from ochibot.games import find_game

from tests.titles import NYAA_TABLE


def content(file: RomFile) -> bytes:
    """Bytes that stand in for a commercial file, which we don't have. The tables below use their sizes and CRCs."""
    return (file.name.encode() * file.size)[: file.size]


def small(files: tuple[RomFile, ...]) -> tuple[RomFile, ...]:
    """The same files by name, but with small sizes and the CRCs of our own bytes."""
    made = [RomFile(file.name, 64 + at, 0) for at, file in enumerate(files)]
    return tuple(RomFile(file.name, file.size, zlib.crc32(content(file))) for file in made)


SETS = {name: small(files) for name, files in NYAA_TABLE.sets.items()}


def load_neogeo_rom(path: Path, system: Path | None = None) -> Rom:
    return neogeo.load_neogeo_rom(path, system, SETS)


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neogeo, "SYSTEM_FILES", small(neogeo.SYSTEM_FILES))


def write(path: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def game_files(name: str = "pnyaa") -> dict[str, bytes]:
    return {file.name: content(file) for file in SETS[name]}


def system_files() -> dict[str, bytes]:
    return {file.name: content(file) for file in neogeo.SYSTEM_FILES}


def test_a_whole_set_with_its_system_rom_beside_it(tmp_path: Path) -> None:
    game = write(tmp_path / "pnyaa.zip", game_files())
    bios = write(tmp_path / "neogeo.zip", {**system_files(), "uni-bios_4_0.rom": b"another"})
    rom = load_neogeo_rom(game)
    assert (rom.file_name, rom.data) == ("pnyaa.zip", game.read_bytes())
    assert rom.companions == (("neogeo.zip", bios.read_bytes()),)


@pytest.mark.parametrize("where", ["folder", "file"])
def test_the_system_rom_elsewhere(tmp_path: Path, where: str) -> None:
    game = write(tmp_path / "pnyaaa.zip", game_files("pnyaaa"))
    (tmp_path / "bios").mkdir()
    bios = write(tmp_path / "bios/neogeo.zip", system_files())
    assert load_neogeo_rom(game, bios if where == "file" else bios.parent).companions


def test_files_go_by_their_crc_not_their_name(tmp_path: Path) -> None:
    renamed = {f"other-{name}": data for name, data in game_files().items()}
    game = write(tmp_path / "pnyaa.zip", renamed)
    write(tmp_path / "neogeo.zip", system_files())
    assert load_neogeo_rom(game).file_name == "pnyaa.zip"


def test_what_is_missing_or_wrong_is_listed_file_by_file(tmp_path: Path) -> None:
    files = game_files()
    del files["267-v1.v1"]
    files["pn202.p1"] = files["pn202.p1"][:-1]
    files["m1.m1"] = bytes(len(files["m1.m1"]))
    game = write(tmp_path / "pnyaa.zip", files)
    with pytest.raises(RomError) as caught:
        load_neogeo_rom(game)
    told = str(caught.value)
    assert "267-v1.v1 is missing (0x44 bytes" in told
    assert "pn202.p1 has 0x3f bytes instead of 0x40" in told
    assert "m1.m1 has the CRC" in told
    assert "267-c1.c1" not in told


def test_no_system_rom_or_a_wrong_one(tmp_path: Path) -> None:
    game = write(tmp_path / "pnyaa.zip", game_files())
    with pytest.raises(
        RomError, match=r"no neogeo\.zip beside it: it must hold sp-s3.sp1, sm1.sm1, sfix.sfix, 000-lo.lo"
    ):
        load_neogeo_rom(game)
    with pytest.raises(RomError, match=r"no neogeo\.zip in "):
        load_neogeo_rom(game, tmp_path / "elsewhere")
    files = system_files()
    del files["000-lo.lo"]
    write(tmp_path / "neogeo.zip", files)
    with pytest.raises(RomError, match=r"000-lo\.lo is missing"):
        load_neogeo_rom(game)


def test_a_wrong_set_and_a_missing_system_rom_are_reported_at_once(tmp_path: Path) -> None:
    files = game_files()
    del files["m1.m1"]
    game = write(tmp_path / "pnyaa.zip", files)
    with pytest.raises(RomError, match=r"m1\.m1 is missing.*; and pnyaa\.zip needs .* no neogeo\.zip beside it"):
        load_neogeo_rom(game)
    bios = system_files()
    del bios["000-lo.lo"]
    write(tmp_path / "neogeo.zip", bios)
    with pytest.raises(RomError, match=r"m1\.m1 is missing.*000-lo\.lo is missing"):
        load_neogeo_rom(game)


def test_other_names_and_other_files(tmp_path: Path) -> None:
    with pytest.raises(RomError, match="no such ROM"):
        load_neogeo_rom(tmp_path / "pnyaa.zip")
    (tmp_path / "other.zip").write_text("hello")
    with pytest.raises(RomError, match=r"other\.zip is no set that is known here; give the path of your pnyaa\.zip"):
        load_neogeo_rom(tmp_path / "other.zip")
    (tmp_path / "pnyaa.zip").write_text("hello")
    with pytest.raises(RomError, match="not a readable zip archive"):
        load_neogeo_rom(tmp_path / "pnyaa.zip")


def test_a_damaged_member_is_named(tmp_path: Path) -> None:
    game = write(tmp_path / "pnyaa.zip", game_files())
    with zipfile.ZipFile(game) as archive:
        first = archive.infolist()[0]
    data = bytearray(game.read_bytes())
    # damages a byte of the first member's compressed data, which follows its header of 30 bytes and its name
    data[first.header_offset + 30 + len(first.filename) + 3] ^= 0xFF
    game.write_bytes(data)
    with pytest.raises(RomError, match=r"is damaged|not a readable zip"):
        load_neogeo_rom(game)


def test_a_set_is_known_by_its_files_whatever_it_is_called(tmp_path: Path) -> None:
    """The message once asked to rename the file, whatever the file contained."""
    write(tmp_path / "neogeo.zip", system_files())
    rom = load_neogeo_rom(write(tmp_path / "mygame (2).zip", game_files()))
    assert rom.file_name == "pnyaa.zip"
    # Ver 2.00 under the other version's name
    assert load_neogeo_rom(write(tmp_path / "pnyaa.zip", game_files("pnyaaa"))).file_name == "pnyaaa.zip"


def test_another_game_is_not_asked_to_be_renamed(tmp_path: Path) -> None:
    with pytest.raises(RomError, match=r"mslug\.zip is another game, or a clone that isn't known here") as caught:
        load_neogeo_rom(write(tmp_path / "mslug.zip", {"201-p1.p1": b"another game"}))
    assert "call it" not in str(caught.value)
    # a set under another name that lacks a part: the message says what is wrong with the set
    files = game_files()
    del files["m1.m1"]
    with pytest.raises(RomError, match=r"m1\.m1 is missing"):
        load_neogeo_rom(write(tmp_path / "backup.zip", files))


def test_a_set_that_was_zipped_anew_is_the_same_rom(tmp_path: Path) -> None:
    """A ROM's hash was once that of its archive, which changes with the packing."""
    write(tmp_path / "neogeo.zip", system_files())
    first = load_neogeo_rom(write(tmp_path / "pnyaa.zip", game_files()))
    with zipfile.ZipFile(tmp_path / "pnyaa.zip", "w", zipfile.ZIP_STORED) as archive:
        for name, data in reversed(game_files().items()):
            archive.writestr(name.upper(), data)
    again = load_neogeo_rom(tmp_path / "pnyaa.zip")
    assert again.data != first.data
    assert again.sha1 == first.sha1 != load_neogeo_rom(write(tmp_path / "b.zip", game_files("pnyaaa"))).sha1


def test_our_own_game_zipped_anew_is_ours(tmp_path: Path) -> None:
    game = find_game("nyaa")
    shipped = game.shipped_rom()
    assert shipped is not None
    (tmp_path / "mine.dat").write_bytes(shipped.with_suffix(".dat").read_bytes())
    with zipfile.ZipFile(shipped) as archive:
        write(tmp_path / "mine.zip", {name: archive.read(name) for name in reversed(archive.namelist())})
    assert (tmp_path / "mine.zip").read_bytes() != shipped.read_bytes()
    rom = game.open_rom(tmp_path / "mine.zip")
    assert game.is_homebrew(rom.sha1)
    assert rom.sha1 == game.open_rom(None).sha1
