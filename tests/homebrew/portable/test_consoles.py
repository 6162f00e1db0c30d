"""Kodama on every console, in the real cores: it plays by the rules, its records verify, its picture is there."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.console import find_cores, find_system
from ochibot.games import find_game
from ochibot.play.battle import Battle, Contestant
from ochibot.record import Record, verify

from tests.homebrew.portable import toolchain

MOST_BYTES = 300_000
NUISANCE = 5
"""In a cell."""
PLAYING = 3
"""The state of the game during a round."""
SPAWN = 1
"""The phase of a pair that doesn't obey the pad yet."""
NAMES = tuple(toolchain.ROMS)
CORES = [(name, core) for name in NAMES for core in find_system(find_game(name).system).cores]
WITH_TWO_PADS = [(name, core) for name, core in CORES if name in ("sms", "snes", "pce")]


@pytest.mark.parametrize(("name", "core"), CORES)
def test_it_plays_at_agreement_1_and_its_record_verifies(name: str, core: str, tmp_path: Path) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    with ochibot.open(name, core=core, seed=2, options={"level": 5, "colors": 3}) as game:
        game.record(tmp_path / "run", command="test")
        result = game.play(pieces=10)
        assert (result.pieces, result.agreement, result.level) == (10, 1.0, 5)
    assert verify(Record.open(tmp_path / "run")).same


@pytest.mark.parametrize(("name", "core"), CORES)
def test_the_picture_shows_the_field_where_the_game_file_says(name: str, core: str) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    with ochibot.open(name, core=core, seed=2) as game:
        game.play(pieces=8)
        for _ in range(8):
            game.console.step()
        cells: Any = game.ram["field"]
        # the row in which pairs appear shows one
        assert as_drawn(game)[1:] == cells[3:].tolist()


@pytest.mark.parametrize(("name", "core"), WITH_TWO_PADS)
def test_a_battle_agrees_nuisance_and_all_and_its_record_verifies(name: str, core: str, tmp_path: Path) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    with ochibot.open(name, core=core, seed=5, options={"level": 5, "colors": 3}) as game:
        game.record(tmp_path / "run", command="test")
        result = game.battle(games=1, max_pieces=10)
        assert (result.games, result.agreement) == (1, 1.0)
        assert sum(result.nuisance_sent) > 0
    assert verify(Record.open(tmp_path / "run")).same


@pytest.mark.parametrize(("name", "core"), WITH_TWO_PADS)
def test_the_picture_shows_both_fields(name: str, core: str) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    with ochibot.open(name, core=core, seed=5, options={"level": 5, "colors": 3}) as game:
        game.battle(games=1, max_pieces=3)
        seats: Any = game.seats("versus")
        for seat in seats:
            read = seat.map.value
            # some frames after a spawn, when all of it is drawn
            while (read("phase"), read("spawn_delay")) != (SPAWN, 2):
                game.console.step(ochibot.Button.DOWN, ochibot.Button.DOWN)
            rows = seat.map.raw_grid("field")[3:].tolist()
            assert as_drawn(game, seat.number)[1:] == [[code % NUISANCE for code in row] for row in rows]


@pytest.mark.long
@pytest.mark.parametrize(("name", "core", "seed"), [(*one, 1 + number % 3) for number, one in enumerate(WITH_TWO_PADS)])
def test_a_battle_to_the_end(name: str, core: str, seed: int) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    behind = 0
    with ochibot.open(name, core=core, seed=seed, options={"level": seed + 2, "colors": 4}) as game:
        seat: Any = game.seats("versus")[0]
        began: list[int] = []

        def saw(battle: Battle) -> None:
            nonlocal behind
            passed = battle.frames - seat.map.value("frame")
            began[:] = began or [passed]
            if seat.map.value("state") == PLAYING:
                behind = max(behind, (passed - began[0]) % 65536)

        sides = [Contestant(f"side {one}", game.open_player(seed=seed + one), 10) for one in (1, 2)]
        battle = game.contest((sides[0], sides[1]), seed=seed, max_pieces=250, on_frame=saw)
        battle.run(1)
    assert (battle.result.games, battle.result.agreement) == (1, 1.0)
    assert min(battle.result.nuisance_sent) > 50
    # cores may end a frame just before the game counts it
    assert behind <= 1, "a frame's work took more than a frame"


def as_drawn(game: ochibot.Session, seat: int = 1) -> list[list[int]]:
    """By row and column, the colour that most of a cell's picture has (0: none), by the game file's look."""
    title: Any = game.game
    picture = game.console.frame()
    return [[_most(title.look, picture, seat, x, y) for x in range(1, 7)] for y in range(2, 14)]


def _most(look: Any, picture: Any, seat: int, x: int, y: int) -> int:
    left, top, size = look.box(seat, x, y, picture.shape[1::-1])
    seen = Counter[int]()
    for pixel in picture[top : top + size, left : left + size].reshape(-1, 3).tolist():
        far = {code: sum(abs(a - b) for a, b in zip(pixel, look.color(code), strict=True)) for code in range(1, 5)}
        nearest = min(far, key=far.__getitem__)
        seen[nearest if far[nearest] < 160 else 0] += 1
    color, _ = max(((code, n) for code, n in seen.items() if code), key=lambda one: one[1], default=(0, 0))
    return color if seen[color] > size * size // 5 else 0


@pytest.mark.long
@pytest.mark.parametrize(("name", "core"), CORES)
def test_100_pieces(name: str, core: str) -> None:
    if not find_cores(core):
        pytest.skip(f"no {core} core here (it comes with stable-retro)")
    with ochibot.open(name, core=core, seed=7) as game:
        assert (game.play(pieces=100).agreement, game.over) == (1.0, False)


@pytest.mark.parametrize("name", NAMES)
def test_pause_and_the_end_of_a_round(name: str) -> None:
    if not find_cores(find_system(find_game(name).system).cores[0]):
        pytest.skip("no core for it here (it comes with stable-retro)")
    with ochibot.open(name, seed=1) as game:
        game.console.keep_audio(True)
        game.start()
        assert max(map(abs, game.console.audio().ravel().tolist())) > 300
        game.console.keep_audio(False)
        place = game.ram["x"], game.ram["y"]
        press(game, "start")
        assert game.ram["state"] == 4
        for _ in range(60):
            game.console.step()
        assert (game.ram["x"], game.ram["y"]) == place
        press(game, "start")
        assert game.ram["state"] == 3
        while not game.over:
            game.console.step(ochibot.Button.DOWN)
        assert game.ram["state"] == 5
        press(game, "start")
        assert game.ram["state"] == 1


def press(game: ochibot.Session, button: str) -> None:
    none = ochibot.Button(0)
    for pad in (*[none] * 5, *[ochibot.Button[button.upper()]] * 2, *[none] * 20):
        game.console.step(pad)


def test_all_roms_together_are_small() -> None:
    assert sum((toolchain.FOLDER / rom).stat().st_size for rom in toolchain.ROMS.values()) < MOST_BYTES


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_build_gives_the_committed_rom(name: str, tmp_path: Path) -> None:
    if problem := toolchain.problem(name):
        pytest.skip(problem)
    target = tmp_path / toolchain.ROMS[name]
    subprocess.run(["sh", toolchain.FOLDER / "build.sh", name, target], check=True, capture_output=True)
    assert target.read_bytes() == (toolchain.FOLDER / target.name).read_bytes()


def test_a_build_without_its_compiler_says_what_is_missing(tmp_path: Path) -> None:
    for tool in ("sh", "dirname", "mktemp", "rm", "python3"):
        (tmp_path / tool).symlink_to(subprocess.run(["which", tool], capture_output=True, text=True).stdout.strip())
    words = [str(tmp_path / "sh"), str(toolchain.FOLDER / "build.sh"), "gb", str(tmp_path / "made.gb")]
    done = subprocess.run(words, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert "sdcc isn't installed" in done.stdout
    assert not (tmp_path / "made.gb").exists()
