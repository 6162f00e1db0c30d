"""A .zip with its .dat is checked before the core gets it, and a core's silent refusal is noticed."""

from __future__ import annotations

import errno
import shutil
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from ochibot.console import Console, find_core, find_cores, load_romdata
from ochibot.errors import ConsoleError, RomError
from ochibot.games import find_game

from tests.commands import ochibot
from tests.homebrew.neogeo.driver import ROM, needs_fbneo


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in (ROM, ROM.with_suffix(".dat")):
        shutil.copy(file, tmp_path)
    return tmp_path / ROM.name


def _repack(path: Path, change: dict[str, bytes | None]) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, **change}.items():
            if data is not None:
                archive.writestr(name, data)


def _rewrite(path: Path, old: str, new: str) -> None:
    """Changes the .dat beside an archive."""
    dat = path.with_suffix(".dat")
    text = dat.read_text(encoding="ascii")
    assert old in text
    dat.write_text(text.replace(old, new), encoding="ascii")


def _refused(path: Path) -> str:
    with pytest.raises(RomError) as caught:
        load_romdata(path)
    message = str(caught.value)
    assert "\n" not in message
    assert "again" in message or "put it there" in message or "give" in message
    return message


def test_a_good_set_is_taken_under_any_name(copy: Path) -> None:
    renamed = copy.with_name("my copy.zip")
    copy.rename(renamed)
    copy.with_suffix(".dat").rename(renamed.with_suffix(".dat"))
    rom = load_romdata(renamed)
    assert rom.file_name == "togetama.zip"
    assert [name for name, _ in rom.companions] == ["togetama.dat"]


def test_what_is_missing_or_has_another_size_is_named(copy: Path) -> None:
    _repack(copy, {"c1.bin": None, "sfix.sfix": None, "m1.bin": b"short"})
    message = _refused(copy)
    for part in ("c1.bin is missing", "sfix.sfix is missing", "m1.bin has 0x5 bytes instead of 0x10000"):
        assert part in message


def test_long_names_and_sizes_in_a_dat_are_reported_in_few_words(copy: Path) -> None:
    dat = copy.with_suffix(".dat")
    text = dat.read_text(encoding="latin-1")
    for more in ("x" * 5_000 + ", 0x10, 0\n", "c1.bin, 0x" + "f" * 6_000 + ", 0\n", ("y" * 5_000 + ":1\n") * 2):
        dat.write_text(text + more, encoding="latin-1")
        assert len(_refused(copy).replace(str(copy.parent), "")) < 300


def test_a_damaged_member_is_named(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    with zipfile.ZipFile(copy) as archive:
        place = archive.getinfo("p1.bin").header_offset + 2000
    data[place : place + 40] = bytes(40)
    copy.write_bytes(data)
    _refused(copy)


@pytest.mark.parametrize("junk", [b"", b"PK\x03\x04", b"\0" * 100_000])
def test_junk_is_refused(copy: Path, junk: bytes) -> None:
    copy.write_bytes(junk)
    _refused(copy)


def test_files_that_are_not_there(copy: Path) -> None:
    assert "no such ROM" in _refused(copy.with_name("nothing.zip"))
    copy.with_suffix(".dat").unlink()
    assert "togetama.dat" in _refused(copy)


@pytest.mark.parametrize(
    "text", ["", "ZipName: a\n", "ZipName: ../up\nDrvName: neotet\np1.bin, 0x20000, 0\n", "p1.bin\n", "\xff\xfe\0"]
)
def test_a_dat_that_describes_nothing(copy: Path, text: str) -> None:
    copy.with_suffix(".dat").write_text(text, encoding="latin-1")
    _refused(copy)


@pytest.mark.parametrize("driver", ["kof98", "mslug", "nosuchdriver", "kof98 neotet"])
def test_drivers_with_which_the_core_may_crash_are_refused(copy: Path, driver: str) -> None:
    _rewrite(copy, "DrvName: neotet", f"DrvName: {driver}")
    assert f"names the driver '{driver}'" in _refused(copy)


@pytest.mark.parametrize(
    ("old", "new", "line"), [("c1.bin, 0x10000, 0x", 'c1.bin, 0x10000,"0x', 6), ("FullName: ", 'FullName: "', 3)]
)
def test_a_single_quotation_mark_in_a_dat_is_refused(copy: Path, old: str, new: str, line: int) -> None:
    """It ended the process in the core: ``python -m tests.fuzz --seed 9041 --only zips:122``."""
    _rewrite(copy, old, new)
    assert f"line {line}: a quotation mark has no second one" in _refused(copy)


@pytest.mark.parametrize("more", ["DrvName: kof98", "drvname: kof98"])
def test_a_second_driver_is_refused(copy: Path, more: str) -> None:
    """It isn't known which of the two drivers the core would take."""
    _rewrite(copy, "DrvName: neotet", f"{more}\nDrvName: neotet")
    assert "is given twice" in _refused(copy)


def test_the_command_refuses_a_driver_before_the_core_is_asked(copy: Path) -> None:
    _rewrite(copy, "DrvName: neotet", "DrvName: kof98")
    done = ochibot("play", "nyaa", "--rom", copy, "--pieces", 1)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert "give DrvName neotet or ltorb or nam1975" in line


def test_a_changed_file_of_the_right_size_is_named(copy: Path) -> None:
    with zipfile.ZipFile(copy) as archive:
        size = archive.getinfo("v1.bin").file_size
    _repack(copy, {"v1.bin": b"\x55" * size})
    assert "v1.bin has the CRC" in _refused(copy)
    assert "instead of a926b90f" in _refused(copy)


def test_without_checksums_only_sizes_are_checked_and_that_is_said(copy: Path) -> None:
    assert load_romdata(copy).note == ""
    _rewrite(copy, ", 0xa926b90f, 5, BRF_SND", "")
    _rewrite(copy, "0x9a90d4f6", "0")
    assert load_romdata(copy).note == "togetama.dat has no checksums of m1.bin, v1.bin: only the sizes were checked"


@needs_fbneo
def test_a_set_that_the_core_refuses_in_silence_is_noticed(copy: Path) -> None:
    # the core refuses a .dat for a set whose name it knows
    _rewrite(copy, "ZipName: togetama", "ZipName: neotet")
    with pytest.raises(ConsoleError, match="refused the ROM"):
        Console.open(find_core("neogeo"), load_romdata(copy)).close()


@needs_fbneo
def test_fbneo_opens_and_closes_often_in_one_process() -> None:
    rom = load_romdata(ROM)
    for _ in range(6):
        with Console.open(find_core("neogeo"), rom) as console:
            for _ in range(12):
                console.step()
            assert console.ram[0x100104 + 3] > 0, "the game's frame counter runs"


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
def test_a_full_disk_is_named_with_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rom = find_game("puyo").open_rom(None)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ConsoleError, match=r"No space left on device; make room there, or set TMPDIR") as error:
        Console.open(find_core("nes", "fceumm"), rom)
    assert str(tmp_path) in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["../evil.nes", "/tmp/evil.nes", "..", "", "a\\b.nes"])
def test_a_rom_is_never_put_into_another_folder(name: str) -> None:
    rom = find_game("puyo").open_rom(None)
    with pytest.raises(ConsoleError, match="one of its files would lie in another folder"):
        Console.open(find_core("nes"), replace(rom, file_name=name))
    with pytest.raises(ConsoleError, match="one of its files would lie in another folder"):
        Console.open(find_core("nes"), replace(rom, companions=((name, b""),)))
