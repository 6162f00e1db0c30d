"""The seeds, intact files that the fuzzing damages: shipped files, and files that are made once for each run."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import ochibot
from ochibot.console import Button, HostedConsole, find_core, find_cores
from ochibot.games import Game, find_game
from ochibot.record import About, Recorder

from tests.record.making import mash
from tests.record.movies.runs import done
from tests.titles import open_console

ROOT = Path(__file__).resolve().parents[2]
CONFIGS, MAPS = ROOT / "configs", ROOT / "ram_maps"
NES_ROM = ROOT / "roms/homebrew/famicom/ochidama.nes"
MEGA_ROM = ROOT / "roms/homebrew/megadrive/nijidama.bin"
NEOGEO_ROM = ROOT / "roms/homebrew/neogeo/togetama.zip"
CORES = {"puyo": "fceumm", "nyaa": "fbneo"}
STATE_FRAMES = (100, 700)


def games() -> list[str]:
    """Our titles whose core is installed."""
    return [name for name, core in CORES.items() if find_cores(core)]


def cartridge_games() -> list[str]:
    """Our titles on cartridges whose core is installed."""
    return [name for name, core in (("puyo", "fceumm"), ("tsu", "genesis_plus_gx")) if find_cores(core)]


def _opened(game: Game) -> HostedConsole:
    return open_console(str(find_core(game.system, CORES[game.name])), game.open_rom(None), game)


def _states(folder: Path, game: Game) -> None:
    with _opened(game) as console:
        for frame in range(1, STATE_FRAMES[-1] + 1):
            console.step(Button.START if frame % 40 < 2 else Button.NONE)
            if frame in STATE_FRAMES:
                (folder / f"{game.name}-{frame}.state").write_bytes(console.save())


def _records(folder: Path, game: Game) -> None:
    """Makes a record from power-on, and one from a savestate with jumps (a poke, a load, a reset) in it."""
    about = About(command="fuzz", game=game.name, mode=game.solo_mode, seed=0, maps=(game.load_map("player1"),))
    for start in ("power", "state"):
        with _opened(game) as console:
            if start == "state":
                for _ in range(30):
                    console.step()
            begun = Recorder.begin(
                *(folder / f"{game.name}-{start}", console, about), every=20, segment=40, from_here=start == "state"
            )
            with begun as recorder:
                mash(recorder.console, 50)
                if start == "state":
                    state = recorder.console.save()
                    recorder.console.ram.raw[0x20] ^= 1
                    mash(recorder.console, 10)
                    recorder.console.load(state)
                    mash(recorder.console, 10)
                    recorder.console.reset()
                mash(recorder.console, 15)
                recorder.end = "frames"


def _played(folder: Path) -> None:
    """Makes a record in which a player decides and locks pairs, and the record's dump."""
    done("play", "--seed", 1, "--frames", 90, "--record", folder / "puyo-played")
    done("dump", folder / "puyo-played", "--every", 60, "-o", folder / "dump")


def _movies(folder: Path) -> None:
    for kind in ("fm2", "bk2"):
        done("movie", "export", folder / "puyo-power", "-o", folder / f"film.{kind}")


def _zips(folder: Path) -> None:
    with zipfile.ZipFile(folder / "game.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(NES_ROM, "game.nes")
        archive.writestr("readme.txt", "a text")


def _sets(folder: Path) -> None:
    from ochibot.console.sets import SYSTEM_FILES

    from tests.games.togetama.test_users_set import PROGRAMS, write
    from tests.titles import NYAA_TABLE

    write(folder / "neogeo.zip", SYSTEM_FILES, {file.name: file.name for file in SYSTEM_FILES})
    write(folder / "pnyaa.zip", NYAA_TABLE.sets["pnyaa"], PROGRAMS)


def _cache(folder: Path) -> None:
    from tests.jit.tiny import LIBRARY

    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    for name in LIBRARY.kernels:
        LIBRARY.load(name)


def make_seeds(folder: Path, wanted: set[str]) -> None:
    """Makes the seeds that the wanted kinds need. States and records come from the titles whose core is installed."""
    for game in map(find_game, games()):
        if "states" in wanted:
            _states(folder, game)
        if wanted & {"records", "movies"}:
            _records(folder, game)
    if wanted & {"records", "dumps", "codes", "paths"}:
        _played(folder)
    if "movies" in wanted:
        _movies(folder)
    if "zips" in wanted:
        _zips(folder)
        _sets(folder)
    if "caches" in wanted:
        _cache(folder)
    if "folders" in wanted:
        from tests.fuzz.folders import make_folders

        make_folders(folder)


def copied(source: Path, name: str) -> Path:
    """Copies a seed (a file or folder) into the current folder. Returns the copy's path."""
    target = Path(name)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)
    return target


PACKAGE = Path(ochibot.__file__).parent
