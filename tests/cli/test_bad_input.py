"""Bad input: one clear line on stderr that says what to do, exit code 2, no traceback. Most tests start processes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from ochibot.data import data_path

from tests import nesrom
from tests.commands import ochibot
from tests.titles import PUYO as GAME
from tests.titles import open_console, open_rom, seat_of


def refused(*args: object) -> str:
    """Runs a command that must be refused. Returns its one line on stderr."""
    done = ochibot(*args)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    # whichever test runs first may have to compile the kernels, which is reported
    told = ("compil", "another process is compiling")
    lines = [line for line in done.stderr.strip().splitlines() if not line.startswith(told)]
    assert len(lines) == 1, lines
    assert lines[0].startswith("ochibot: ")
    return lines[0]


def player_without(tmp_path: Path, *path: str) -> Path:
    content = yaml.safe_load(data_path("configs/players/article.yaml").read_text())
    part = content
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    target = tmp_path / "player.yaml"
    target.write_text(yaml.safe_dump(content))
    return target


def test_roms(tmp_path: Path) -> None:
    assert "no such ROM" in refused("play", "--rom", tmp_path / "none.nes")
    (tmp_path / "cut.nes").write_bytes(nesrom.image()[:20_000])
    assert "cut short" in refused("play", "--rom", tmp_path / "cut.nes")
    (tmp_path / "text.nes").write_text("hello, I am a text file\n")
    assert "iNES header" in refused("play", "--rom", tmp_path / "text.nes")
    with zipfile.ZipFile(tmp_path / "no.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing here")
    assert "holds 0 .nes or .fds files" in refused("play", "--rom", tmp_path / "no.zip")


def test_options_that_do_nothing_with_two_players() -> None:
    for command in ("battle", "versus"):
        assert "nyaa has no option --level with two players" in refused(command, "nyaa", "--level", 2)


def test_cores(tmp_path: Path) -> None:
    (tmp_path / "x_libretro.so").write_text("not a core")
    assert "not a libretro core" in refused("play", "--core", tmp_path / "x_libretro.so")
    assert "no such core" in refused("play", "--core", tmp_path / "gone_libretro.so")
    assert "no core found for imaginary" in refused("play", "--core", "imaginary")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("extends: famicom_puyo/player1\nentries: {x: {address: high, source: documented}}", "entries.x.address: "),
        ("extends: famicom_puyo/player1\nentries: {x: {address: 0x4000, source: documented}}", "outside RAM"),
        ("extends: famicom_puyo/player1\nentries: {x: {address: 0x066D, source: documented}}", "overlaps entries."),
        (
            "extends: famicom_puyo/player1\ncodes: {puyo: {source: calibrated, values: {1: pink}}}",
            "unknown code name 'pink'",
        ),
        ("just a sentence", "this is a single value"),
        ("a: [", "not valid YAML"),
    ],
)
def test_maps(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(text)
    line = refused("play", "--map", path)
    assert str(path) in line
    assert words in line


def test_a_table_of_codes_that_is_a_number(tmp_path: Path) -> None:
    made = tmp_path / "odd.yaml"
    made.write_text("game: famicom_puyo\nname: p\nsystem: nes\nseat: 1\nentries: {odd: {address: 1}}\ncodes: 65536\n")
    assert "odd" in refused("play", "puyo", "--map", made)


@pytest.mark.parametrize("path", ["//\n/////odd.yaml", "./" + "a b/" * 90 + "odd.yaml"])
def test_a_path_that_is_quoted_otherwise_than_it_was_typed(path: str) -> None:
    line = refused("play", "puyo", "--map", path, "--frames", "20")
    assert "no such file: " in line
    assert len(line) <= 300


def test_a_map_without_the_entry_that_an_option_needs(tmp_path: Path) -> None:
    content = yaml.safe_load(data_path("ram_maps/famicom_puyo/player1.yaml").read_text())
    del content["entries"]["colors"]
    path = tmp_path / "map.yaml"
    path.write_text(yaml.safe_dump(content))
    line = refused("play", "--map", path, "--colors", 5)
    assert "no entry 'colors'" in line
    assert "--colors" in line
    assert "--map" in line


def test_another_rom_has_no_menu_options_whose_address_is_not_public(tmp_path: Path) -> None:
    rom = tmp_path / "other.nes"
    rom.write_bytes(data_path("roms/homebrew/famicom/ochidama.nes").read_bytes()[:-1] + b"\x55")
    line = refused("play", "--rom", rom, "--colors", 5, "--pieces", 3)
    assert "no entry 'colors'" in line
    assert "--map" in line


def test_a_map_for_the_other_seat_and_a_state_of_another_mode(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("extends: famicom_puyo/player1\nseat: 2\n")
    assert "not for seat 1" in refused("play", "--map", path, "--pieces", 3)
    with open_console(None, open_rom(None)) as console:
        seat = seat_of(GAME, console, "versus")
        GAME.reach(console, seat, "versus", {})
        (tmp_path / "two.state").write_bytes(console.save())
    assert "is not of the mode endless" in refused("play", "--from-state", tmp_path / "two.state", "--pieces", 3)


def test_what_macos_packs_beside_a_rom_is_no_rom(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "mac.zip", "w") as archive:
        archive.write(data_path("roms/homebrew/famicom/ochidama.nes"), "game.nes")
        archive.writestr("__MACOSX/._game.nes", b"metadata")
    done = ochibot("play", "--rom", tmp_path / "mac.zip", "--pieces", 2, "--seed", 1)
    assert done.returncode == 0, done.stderr


def test_players(tmp_path: Path) -> None:
    assert "no such player file" in refused("play", "--player", "")
    path = tmp_path / "words.yaml"
    shipped = yaml.safe_load(data_path("configs/players/article.yaml").read_text())
    for wrong in ("25", True):
        shipped["weights"]["links"] = wrong
        path.write_text(yaml.safe_dump(shipped))
        assert "weights.links" in refused("play", "--player", path)
    line = refused("play", "--player", player_without(tmp_path, "weights", "links"))
    assert "player.yaml" in line
    assert "weights.links" in line
    assert "no such player file" in refused("play", "--player", "nobody")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("I am no folder")
    assert "can't write" in refused("play", "--json", blocked / "out.json")
    assert "can't write" in refused("play", "--screenshot", blocked / "shot.png")
    if os.getuid() != 0:
        sealed = tmp_path / "sealed"
        sealed.mkdir(mode=0o500)
        assert "can't write" in refused("play", "--json", sealed / "out.json")


def test_options_out_of_range() -> None:
    assert "less than or equal to 10" in refused("play", "--speed", 11)
    for bad in (("--level", 6), ("--colors", 2), ("--pieces", 0), ("--pieces", "many"), ("--items", "some")):
        assert "--help" in refused("play", *bad)
    assert "No such option" in refused("play", "--fast")
    assert "No such command" in refused("ply")


def test_devices_are_written_to_and_not_replaced(tmp_path: Path) -> None:
    """--json /dev/full once replaced the device by a regular file."""
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("no /dev/full on this system")
    assert "can't write the JSON file" in refused("doctor", "--json", "/dev/full")
    assert not Path("/dev/full").is_file()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    assert ochibot("doctor", "--json", link).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "real.json").read_text().startswith("{")


@pytest.mark.long
def test_a_full_stdout_and_a_closed_one() -> None:
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("no /dev/full on this system")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ochibot", "doctor", "--json", "-"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    piped = subprocess.run(
        f"{sys.executable} -m ochibot doctor | head -c 1", shell=True, capture_output=True, text=True, check=True
    )
    assert "Traceback" not in piped.stderr


def test_pictures_need_an_ending_before_play_begins(tmp_path: Path) -> None:
    for name in ("shot", "shot.xyz"):
        assert "its ending names no format" in refused("play", "--screenshot", tmp_path / name)


def test_a_core_of_another_system_is_refused_by_name() -> None:
    from ochibot.console import find_cores

    found = find_cores("gambatte")
    if not found:
        pytest.skip("no gambatte core here (it comes with stable-retro)")
    assert "takes gb" in refused("play", "--core", found[0].path)


def test_without_a_home(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ochibot", "doctor"],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "gone")},
    )
    assert done.returncode == 0, done.stderr


def test_states(tmp_path: Path) -> None:
    assert "can't read the savestate" in refused("play", "--from-state", tmp_path / "none.state")
    (tmp_path / "bad.state").write_bytes(b"nonsense")
    assert "is no savestate of" in refused("play", "--from-state", tmp_path / "bad.state")
    assert "leave them out" in refused("play", "--from-state", tmp_path / "bad.state", "--level", 2)


def test_a_rom_that_is_another_game_is_given_up_with_a_picture(tmp_path: Path) -> None:
    (tmp_path / "other.nes").write_bytes(nesrom.image())
    done = ochibot("play", "--rom", tmp_path / "other.nes", "--seed", 0)
    assert done.returncode == 2
    line = done.stderr.strip().splitlines()[-1]
    assert "play did not begin" in line
    picture = Path(line.split("the screen: ")[1].split(";")[0])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "isn't our own game" in done.stdout


def test_two_players_on_maps_of_one(tmp_path: Path) -> None:
    maps = data_path("ram_maps/famicom_puyo")
    told = refused("battle", "--map1", maps / "player1.yaml")
    assert "player1 is for the mode 'endless', not for 'versus'; give a map of that mode" in told
    assert "player12 is for seat 1, not for seat 2" in refused("battle", "--map2", maps / "player12.yaml")
    assert "player2 is for seat 2, not for seat 1" in refused("battle", "--map1", maps / "player2.yaml")
    assert "no such" in refused("battle", "--map1", tmp_path / "gone.yaml")


def test_games_and_their_options() -> None:
    assert "there is no game 'tetris'; give one of puyo, nyaa" in refused("play", "tetris")
    assert "there is no game 'chess'" in refused("battle", "chess")


@pytest.mark.long
def test_what_is_no_savestate_is_refused(tmp_path: Path) -> None:
    """FBNeo used to crash on random bytes of the right length."""
    from ochibot.console.states import load_state_file as load_state
    from ochibot.errors import RomError
    from ochibot.games import find_game, game_names

    from tests.titles import open_console

    for game in map(find_game, game_names()):
        if game.shipped_rom() is None:
            continue
        with open_console(None, game.open_rom(None), game) as console:
            for _ in range(90):
                console.step()
            good, then = console.save(), console.ram.snapshot()
            (tmp_path / "good").write_bytes(good)
            for _ in range(90):
                console.step()
            (tmp_path / "junk").write_bytes(random.Random(1).randbytes(len(good)))
            (tmp_path / "short").write_bytes(good[:-1])
            for bad in ("junk", "short"):
                with pytest.raises(RomError, match="is no savestate of"):
                    load_state(console, tmp_path / bad)
            load_state(console, tmp_path / "good")
            assert console.ram.snapshot() == then


def test_options_that_would_do_nothing_are_refused(tmp_path: Path) -> None:
    assert "leave --system out" in refused("play", "nyaa", "--system", tmp_path)
    assert "leave --system out" in refused("play", "--system", tmp_path)
    assert "give --window too" in refused("play", "--keys", tmp_path / "keys.yaml")
    assert "give --window too" in refused("battle", "--keys", tmp_path / "keys.yaml")
    assert "leave one of them out" in refused("play", "--seed", 1, "--from-state", tmp_path / "a.state")
