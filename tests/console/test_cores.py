"""Finding cores: the order of the folders, and the message when there is no core."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest
from ochibot.console import cores
from ochibot.errors import ConsoleError


def make_core(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}_libretro{cores.library_suffix()}"
    path.write_bytes(b"")
    return path


def test_the_users_folders_come_first_then_retroarch_then_the_wheel_then_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12's Gambatte, which doesn't show all memory, was found before the newer one of the wheel."""
    own = make_core(tmp_path / "own", "fceumm")
    retroarch = make_core(tmp_path / "config/retroarch/cores", "fceumm")
    wheel = make_core(tmp_path / "wheel", "fceumm")
    packaged = make_core(tmp_path / "lib/libretro", "fceumm")
    monkeypatch.setattr(cores, "_LIB", tmp_path / "lib")
    monkeypatch.setenv("OCHIBOT_CORES", f"{tmp_path / 'missing'}:{own.parent}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(cores, "_wheel_folder", lambda: wheel.parent)
    found = [core for core in cores.find_cores("fceumm") if str(core.path).startswith(str(tmp_path))]
    assert [core.path for core in found] == [own, retroarch, wheel, packaged]
    assert [core.origin for core in found] == ["OCHIBOT_CORES", "RetroArch", "wheel", "system"]
    assert cores.find_core("nes") == own
    monkeypatch.delenv("OCHIBOT_CORES")
    assert cores.find_core("nes") == retroarch
    retroarch.unlink()
    assert cores.find_core("nes") == wheel


@pytest.mark.skipif(sys.platform != "linux", reason="the folders are those of Linux")
def test_debian_has_a_folder_for_each_architecture_and_this_machine_s_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only x86_64-linux-gnu was searched, so a Raspberry Pi's cores weren't found."""
    monkeypatch.setattr(cores, "_LIB", tmp_path)
    monkeypatch.setattr(sysconfig, "get_config_var", {"MULTIARCH": "riscv64-linux-gnu"}.get)
    names = ["aarch64-linux-gnu", "riscv64-linux-gnu", "x86_64-linux-gnu"]
    made = [make_core(tmp_path / name / "libretro", "gambatte") for name in names]
    assert [one.path for one in cores.find_cores("gambatte") if one.path in made] == [made[1], made[0], made[2]]


def test_a_core_can_be_named_or_given_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_core(tmp_path, "nestopia")
    monkeypatch.setenv("OCHIBOT_CORES", str(tmp_path))
    assert cores.find_core("nes", "nestopia") == path
    assert cores.find_core("nes", str(path)) == path


def test_what_is_missing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConsoleError, match="no such core"):
        cores.find_core("nes", str(tmp_path / "nothing_libretro.so"))
    with pytest.raises(ConsoleError, match="OCHIBOT_CORES"):
        cores.find_core("nes", "imaginary")
    monkeypatch.setattr(cores, "core_folders", list)
    with pytest.raises(ConsoleError, match="no core found for fceumm or nestopia") as error:
        cores.find_core("nes")
    assert "pip install 'ochibot[cores]'" in str(error.value)
    assert "RetroArch" in str(error.value)


def test_the_message_stays_short_however_long_the_folders_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / (sign * 120) for sign in "abc"]
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("OCHIBOT_CORES", os.pathsep.join(map(str, folders)))
    with pytest.raises(ConsoleError) as error:
        cores.find_core("nes", "x" * 5_000)
    assert len(str(error.value)) < 300
