"""The wheel, installed into a clean environment, plays from another folder with the data files it carries."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from ochibot import __version__

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(REPOSITORY)],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_the_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "ochibot/_data/ram_maps/famicom_puyo/player1.yaml",
        "ochibot/_data/ram_maps/tsu/player1.yaml",
        "ochibot/_data/ram_maps/puyo1/player2.yaml",
        "ochibot/_data/ram_maps/mean_bean/player2.yaml",
        "ochibot/_data/configs/players/article.yaml",
        "ochibot/_data/configs/games/puyo.yaml",
        "ochibot/_data/configs/games/tsu_c2.yaml",
        "ochibot/_data/roms/homebrew/famicom/ochidama.nes",
        "ochibot/_data/roms/homebrew/famicom/LICENSE",
        "ochibot/_data/roms/homebrew/neogeo/togetama.zip",
        "ochibot/_data/roms/homebrew/neogeo/togetama.dat",
        "ochibot/_data/roms/homebrew/neogeo/LICENSE",
        "ochibot/_data/roms/homebrew/megadrive/nijidama.bin",
        "ochibot/_data/roms/homebrew/megadrive/LICENSE",
        "ochibot/_data/roms/homebrew/portable/kodama.gb",
        "ochibot/_data/roms/homebrew/portable/kodama.gg",
        "ochibot/_data/roms/homebrew/portable/kodama.sms",
        "ochibot/_data/roms/homebrew/portable/kodama.sfc",
        "ochibot/_data/roms/homebrew/portable/kodama.pce",
        "ochibot/_data/roms/homebrew/portable/kodama.gba",
        "ochibot/_data/roms/homebrew/portable/LICENSE",
        "ochibot/ui/web/static/index.html",
    ):
        assert wanted in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ochibot"}
    shipped = {Path(name).name for name in names if "/roms/" in name}
    assert {name for name in shipped if name.endswith((".nes", ".zip", ".bin"))} == {
        "ochidama.nes",
        "togetama.zip",
        "nijidama.bin",
    }


def test_the_package_page_has_only_absolute_links(wheel: Path) -> None:
    """The README is shown on the package page, which has no files beside it, so a relative link would lead nowhere."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        page = archive.read(name).decode("utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert len(targets) == len(re.findall(r"\]\(", (REPOSITORY / "README.md").read_text(encoding="utf-8"))) > 30
    assert {target.split(":")[0] for target in targets} == {"https"}
    main = "https://raw.githubusercontent.com/ochibot/ochibot/main/"
    pictures = re.findall(rf"!\[[^\]]*\]\({re.escape(main)}([^)]+)\)", page)
    assert pictures
    assert all((REPOSITORY / picture).is_file() for picture in pictures)


def test_the_emulator_cores_are_an_extra(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        needs = re.findall(r"^Requires-Dist: (.*)", archive.read(name).decode("utf-8"), re.MULTILINE)
    assert [need for need in needs if need.startswith("stable-retro") and "extra == 'cores'" in need]
    heavy = {"numpy", "numba", "llvmlite", "pillow"}
    base = {re.split(r"[<>=!;\[ ]", need)[0] for need in needs if "extra ==" not in need}
    assert heavy < base <= heavy | {"libretro-py", "libretro.py", "pyyaml", "pydantic", "typer", "rich"}


def test_the_citation_and_the_pages_name_this_version() -> None:
    cited = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    (date,) = re.findall(rf"^## {re.escape(__version__)} \((.*)\)$", (REPOSITORY / "CHANGELOG.md").read_text(), re.M)
    assert f'version: {__version__}\ndate-released: "{date}"\n' in cited
    for page in ("README.md", "docs/install.md"):
        assert f"ochibot-{__version__}-py3-none-any.whl" in (REPOSITORY / page).read_text(encoding="utf-8")


@pytest.mark.long
def test_an_installed_wheel_plays_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin/python"
    site = home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # only the wheel is installed; its dependencies come from this environment, whose own .pth files aren't followed
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", str(wheel)],
        check=True,
        capture_output=True,
    )
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    where = subprocess.run(
        [python, "-c", "import ochibot; print(ochibot.__file__)"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(home))
    done = subprocess.run(
        [home / "bin/ochibot", "play", "--pieces", "10", "--seed", "1", "--json", "-"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(done.stdout)
    assert (report["pieces"], report["agreement"]) == (10, 1.0)
    assert list(elsewhere.iterdir()) == []
