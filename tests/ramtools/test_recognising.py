"""``ochibot play "My Game.nes"``: a known ROM is recognised, an unknown one is answered with the command to type."""

from __future__ import annotations

import hashlib
import importlib.metadata
import shutil
from dataclasses import replace
from pathlib import Path

import ochibot as package
import pytest
from ochibot.console import Rom, find_cores, systems
from ochibot.data import data_path
from ochibot.errors import RomError, UsageError
from ochibot.games import find_game
from ochibot.games.filed.model import Recognised
from ochibot.games.filed.read import read_shipped
from ochibot.games.filed.title import MadeTitle
from ochibot.ramtools.opening import is_rom_file, recognised
from ochibot.session.opening import find_title_and_rom

from tests.commands import ochibot

OURS = {"puyo": "famicom/ochidama.nes", "tsu": "megadrive/nijidama.bin", "nyaa": "neogeo/togetama.zip"}


def ours(name: str) -> Path:
    return data_path(f"roms/homebrew/{OURS[name]}")


@pytest.mark.parametrize("name", OURS)
def test_our_own_roms_are_known_whatever_they_are_called(name: str, tmp_path: Path) -> None:
    # an arcade set is known by the name of its archive or by a .dat beside it
    copy = tmp_path / f"{'togetama' if name == 'nyaa' else 'My Game'}{ours(name).suffix}"
    for file in ours(name).parent.glob(f"{ours(name).stem}.*"):
        shutil.copy(file, copy.with_suffix(file.suffix))
    assert recognised(copy).name == name


def test_a_rom_is_known_by_its_hash_with_or_without_a_header_or_by_its_own_header() -> None:
    title = find_game("tsu")
    assert isinstance(title, MadeTitle)
    data = b"\x4e" * 0x180 + b"GM T-66013 -00" + bytes(0x200)
    rom = Rom(Path("x.md"), "x.md", data, "megadrive", "x.md")
    other = replace(rom, data=data.replace(b"T-66013", b"T-66014"))
    assert title.knows(rom)
    assert not title.knows(other)
    for part in (other.data, other.data[16:]):
        made = replace(title.made, said=title.made.said.model_copy(update={"known": Recognised(sha1=(sha1(part),))}))
        assert MadeTitle(made).knows(other)
        assert not MadeTitle(made).knows(rom)


def sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest().upper()


def test_a_game_file_that_inherits_from_ours_doesn_t_claim_its_roms(tmp_path: Path) -> None:
    shutil.copy(ours("puyo"), tmp_path / "mine.nes")
    (tmp_path / "other.yaml").write_text(f"extends: puyo\ngame: other\nsha1: {'0' * 40}\n")
    assert recognised(tmp_path / "mine.nes").name == "puyo"


def test_an_unknown_rom_is_answered_with_the_command_to_type_and_a_game_file_beside_it_makes_it_known(
    tmp_path: Path,
) -> None:
    rom = tmp_path / "My Game (J).nes"
    shutil.copy(Path(__file__).parent.parent / "variants/moved/moved.nes", rom)
    done = ochibot("play", rom.name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "ochibot: My Game (J).nes is no game that Ochibot knows; let it learn the game, which takes some minutes: "
        "ochibot calibrate --blind --rom 'My Game (J).nes' --name my_game_j -o runs/my_game_j\n"
    )
    (tmp_path / "mine.yaml").write_text(f"extends: puyo\ngame: mine\nsha1: {sha1(rom.read_bytes())}\n")
    assert recognised(rom).name == "mine"


def test_which_words_are_roms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd").write_bytes(b"NES\x1a")
    assert all(map(is_rom_file, ("./odd", "nothing.nes", "x.md", "y.gb", "z.zip")))
    assert not any(map(is_rom_file, ("puyo", "odd", "mine.yaml", "chess", ".")))
    with pytest.raises(RomError, match=r"^no such ROM: nothing\.nes; give"):
        recognised(Path("nothing.nes"))


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
def test_commands_and_programs_take_a_rom(tmp_path: Path) -> None:
    rom = tmp_path / "My Game.nes"
    shutil.copy(ours("puyo"), rom)
    done = ochibot("play", rom.name, "--pieces", "2", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "agreement 1" in done.stdout
    with package.open(rom) as game:
        assert game.game.name == "puyo"
    with pytest.raises(UsageError, match="is a ROM, and rom names another one"):
        package.open(rom, rom=rom)
    both = ochibot("play", rom.name, "--rom", rom.name, cwd=tmp_path)
    assert both.stderr == "ochibot: My Game.nes is a ROM, and --rom names another one: leave one of them out\n"


def test_alone_the_command_says_what_one_does_first() -> None:
    done = ochibot()
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("ochibot play --window", 'ochibot play "My Game.nes"', "ochibot versus", "ochibot --help"):
        assert words in done.stdout


def test_our_own_games_are_found_without_looking_through_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look-up reads the metadata of every installed package, which a start has no time for."""

    def refused(**_: object) -> None:
        raise AssertionError("installed packages were looked through")

    monkeypatch.setattr(importlib.metadata, "entry_points", refused)
    # what earlier tests looked up is kept
    for cached in (read_shipped, systems._installed):
        cached.cache_clear()
    assert find_title_and_rom("puyo", None, None, None)[0].name == "puyo"
    assert read_shipped("nyaa").table
