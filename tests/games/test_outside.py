"""A title from a package outside ochibot, with rules, pieces and players of its own, used through the commands.

Kakera (tests/outside/kakera, its cartridge in tests/toy) shares only the console with our games: it has another
field, pieces that don't turn, and other codes. Commands find it by a file or by an entry point; ochibot has no code
for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import find_cores

from tests.commands import ochibot as run

OUTSIDE = Path(__file__).resolve().parents[1] / "outside"
GAME = OUTSIDE / "kakera/game.py"
ANYWHERE = f"{OUTSIDE / 'kakera/player.py'}:Anywhere"

pytestmark = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here (it comes with stable-retro)")


def ochibot(*args: object, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    if env is None:
        return run(*args, cwd=cwd)
    # Python reads variables such as PYTHONPATH only when it starts, so ``run``, which forks, can't be used here
    return subprocess.run(
        [sys.executable, "-m", "ochibot", *map(str, args)],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=cwd,
        env=os.environ | env,
    )


def report(*args: object, cwd: Path, env: dict[str, str] | None = None) -> dict[str, Any]:
    done = ochibot(*args, "--json", "-", cwd=cwd, env=env)
    assert done.returncode == 0, done.stderr
    message: dict[str, Any] = json.loads(done.stdout)
    return message


def test_it_is_played_with_its_own_player(tmp_path: Path) -> None:
    played = report("play", "--game-module", GAME, "--seed", 3, cwd=tmp_path)
    assert (played["game"], played["player"], played["rules"]) == ("kakera", "greedy stones", "kakera")
    assert played["pieces"] == played["compared"] > 15
    assert (played["agreement"], played["stopped_by"]) == (1.0, "game over")
    assert (
        report("play", "kakera", "--game-module", GAME, "--seed", 3, cwd=tmp_path)["ram_sha256"]
        == (played["ram_sha256"])
    )


def test_its_battles_agree_greys_and_all(tmp_path: Path) -> None:
    words = ("--game-module", GAME, "--player2", ANYWHERE, "--games", 4, "--seed", 5, "--max-pieces", 60)
    fought = report("battle", *words, cwd=tmp_path)
    assert (fought["games"], fought["agreement"]) == (4, 1.0)
    assert fought["players"] == ["greedy stones", "Anywhere"]
    assert sum(fought["nuisance_sent"]) > 0
    assert fought["wins"][0] > fought["wins"][1]


def test_it_is_recorded_verified_and_filmed(tmp_path: Path) -> None:
    played = report(
        *("play", "--game-module", GAME, "--seed", 4, "--pieces", 12, "--record", "run", "--dump", "locks"),
        cwd=tmp_path,
    )
    assert played["agreement"] == 1.0
    verified = report("verify", "run", "--game-module", GAME, "--dump", "run/dump", cwd=tmp_path)
    assert (verified["same"], verified["dumped"]) == (True, 12)
    # if the title isn't known, ``verify`` needs only its ROM
    assert report("verify", "run", "--rom", OUTSIDE.parent / "toy/toy.nes", cwd=tmp_path)["same"]
    assert "give it with --rom" in ochibot("verify", "run", cwd=tmp_path).stderr
    filmed = report(
        *("video", "run", "-o", "run.gif", "--overlay", "--game-module", GAME, "--from", 60, "--to", 90), cwd=tmp_path
    )
    assert filmed["pictures"] > 5
    assert report("movie", "export", "run", "-o", "run.fm2", "--rom", OUTSIDE.parent / "toy/toy.nes", cwd=tmp_path)


@pytest.mark.long
def test_an_installed_package_registers_it(tmp_path: Path) -> None:
    """Imitates a package installed by pip: the metadata with the entry point, and the modules, are on PYTHONPATH."""
    metadata = tmp_path / "site/kakera-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: kakera\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[ochibot.games]\nkakera = kakera.game:GAME\n")
    path = os.pathsep.join([str(tmp_path / "site"), str(OUTSIDE), os.environ.get("PYTHONPATH", "")])
    played = report("play", "kakera", "--seed", 1, "--pieces", 5, cwd=tmp_path, env={"PYTHONPATH": path})
    assert (played["game"], played["agreement"]) == ("kakera", 1.0)
    doctor = report("doctor", cwd=tmp_path, env={"PYTHONPATH": path})
    assert any("kakera" in rom["note"] for rom in doctor["roms"])
    assert (
        "puyo, nyaa, tsu, tsu_c2, gb, gg, sms, snes, pce, gba, kakera"
        in ochibot("play", "tetris", cwd=tmp_path, env={"PYTHONPATH": path}).stderr
    )


def test_a_rules_file_changes_what_is_played(tmp_path: Path) -> None:
    """These rules count stones double, so the game contradicts them when the first run of stones vanishes."""
    (tmp_path / "double").write_text("2")
    done = ochibot("play", "--game-module", GAME, "--seed", 3, "--rules", "double", cwd=tmp_path)
    assert done.returncode == 2
    assert "what the game did differs from the rules" in done.stderr
    assert "no such rules of Kakera" in ochibot("play", "--game-module", GAME, "--rules", "none", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--game-module", "gone.py"), "no such file: gone.py"),
        (("--game-module", "empty.py"), "holds no GAME"),
        (("--game-module", "wrong.py"), "is no game: it has no name"),
        (("--game-module", "broken.py"), "can't be loaded: ZeroDivisionError"),
        (("--game-module", "taken.py"), "the name 'puyo' is taken"),
        (("--player", "gone.py:Some"), "no such file: gone.py"),
        (("--player", "empty.py:Some"), "holds no class Some"),
        (("--player", "wrong.py:Player"), "has no choose(snapshot)"),
        (("--player", "nowhere:Some"), "can't be imported"),
        (("--player", "wrong.py:Fails"), "can't be made: RuntimeError: no"),
        (("--player", "wrong.py:Beside", "--pieces", "2"), "is no place for"),
        (("--player", "wrong.py:Beside", "--plies", "1"), "has no option --plies"),
        (("--option", "level"), "--option takes NAME=VALUE"),
        (("--option", "level=9"), "goes from 1 to 4, not 9"),
        (("--option", "wind=9"), "has no option --wind"),
        (("--level", "1", "--option", "level=1"), "is given twice"),
    ],
)
def test_bad_modules_and_classes_are_reported_in_one_line(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "broken.py").write_text("1 / 0")
    (tmp_path / "taken.py").write_text("from ochibot.games import find_game\nGAME = find_game('puyo')\n")
    (tmp_path / "wrong.py").write_text(
        "GAME = 3\n"
        "class Player: pass\n"
        "class Fails:\n    def __init__(self): raise RuntimeError('no')\n"
        "class Beside:\n    def choose(self, snapshot): return (1, 2)\n"
    )
    done = ochibot("play", "--seed", 1, *words, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("ochibot: ")
    assert message in last
    assert "Traceback" not in done.stderr
