"""A .bk2 of every console that has one: its columns, and that what is written is read and plays to the same RAM."""

from __future__ import annotations

import zipfile
from pathlib import Path

import ochibot
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ochibot.console import Button, Console, find_core, find_cores, find_system
from ochibot.errors import MovieError
from ochibot.games import find_game
from ochibot.record import Record
from ochibot.record.movies import Movie, RomHashes, movie_of, play, read_movie, write_movie
from ochibot.record.movies.movie import PLATFORMS, RESET

PRESSED = int(Button.UP | Button.LEFT | Button.START | Button.A)
SECOND = int(Button.DOWN | Button.RIGHT | Button.B)
LINES = {
    "gb": ("#Up|Down|Left|Right|Start|Select|B|A|Power|", "|U.L.S..A.|"),
    "gba": (
        "#Tilt X|Tilt Y|Tilt Z|Light Sensor|Up|Down|Left|Right|Start|Select|B|A|L|R|Power|",
        "|    0,    0,    0,    0,U.L.S..A...|",
    ),
    "sms": (
        "#Reset|Pause|#P1 Up|P1 Down|P1 Left|P1 Right|P1 B1|P1 B2|#P2 Up|P2 Down|P2 Left|P2 Right|P2 B1|P2 B2|",
        "|.p|U.L..2|.D.R1.|",
    ),
    "gg": ("#Reset|#P1 Up|P1 Down|P1 Left|P1 Right|P1 B1|P1 B2|P1 Start|", "|.|U.L..2S|"),
    "snes": (
        "#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Select|P1 Start|P1 Y|P1 B|P1 X|P1 A|P1 L|P1 R|"
        "#P2 Up|P2 Down|P2 Left|P2 Right|P2 Select|P2 Start|P2 Y|P2 B|P2 X|P2 A|P2 L|P2 R|",
        "|..|U.L..S...A..|.D.R...B....|",
    ),
    "pce": (
        "#P1 Up|P1 Down|P1 Left|P1 Right|P1 Select|P1 Run|P1 B2|P1 B1|"
        "#P2 Up|P2 Down|P2 Left|P2 Right|P2 Select|P2 Run|P2 B2|P2 B1|",
        "|U.L..R.1|.D.R..2.|",
    ),
}
"""By game, the names of the columns, and a frame in which some buttons are down. The names and their order are from
BizHawk's source, and from files of its users for gb, gba, snes and pce.
"""


def movie_for(name: str, *pads: tuple[int, int], resets: frozenset[int] = frozenset()) -> Movie:
    game = find_game(name)
    return Movie(pads, resets, RomHashes.of(game.open_rom(None)), system=game.system)


def inside(path: Path, name: str) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode().splitlines()


@pytest.mark.parametrize("name", LINES)
def test_the_columns_are_bizhawks(tmp_path: Path, name: str) -> None:
    path, (key, line) = tmp_path / "x.bk2", LINES[name]
    platform = PLATFORMS[find_game(name).system]
    second = SECOND & int(platform.pad(1))
    movie = movie_for(name, (PRESSED, second), (0, 0))
    write_movie(movie, path)
    log = inside(path, "Input Log.txt")
    assert log[1:3] == [f"LogKey:{key}", line]
    assert (log[0], log[4]) == ("[Input]", "[/Input]")
    header = dict(one.split(" ", 1) for one in inside(path, "Header.txt"))
    assert (header["Platform"], header["Core"]) == (platform.name, platform.core)
    assert header["SHA1"] == find_game(name).open_rom(None).sha1.upper()
    assert header.get("IsCGBMode") == ("1" if name == "gb" else None)


@pytest.mark.parametrize("system", PLATFORMS)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_written_is_read(tmp_path: Path, system: str, data: st.DataObject) -> None:
    platform = PLATFORMS[system]
    first, second = (st.sampled_from([0, int(platform.pad(port)), SECOND & int(platform.pad(port))]) for port in (0, 1))
    pad = st.tuples(first, second)
    pads = tuple(data.draw(st.lists(pad, min_size=1, max_size=12)))
    may_reset = any(column.name == RESET for column in platform.columns)
    resets = data.draw(st.frozensets(st.integers(0, len(pads) - 1), max_size=3)) if may_reset else frozenset()
    movie = Movie(pads, resets, RomHashes("any", "0" * 32, "0" * 40), system=system)
    path = tmp_path / "x.bk2"
    write_movie(movie, path)
    again = read_movie(path)
    assert (again.pads, again.resets, again.system) == (pads, resets, system)


def test_what_a_bk2_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match="reset after frame 1: BizHawk's log of PCE has no column for it"):
        write_movie(movie_for("pce", (0, 0), (0, 0), resets=frozenset({0, 1})), tmp_path / "x.bk2")
    write_movie(movie_for("pce", (0, 0), (0, 0), resets=frozenset({0})), tmp_path / "x.bk2")
    with pytest.raises(MovieError, match=r"give a file that ends in \.bk2"):
        write_movie(movie_for("gb", (0, 0)), tmp_path / "x.fm2")


@pytest.mark.parametrize("name", ["gba", "pce"])
def test_a_record_becomes_a_movie_that_plays_to_the_same_ram(tmp_path: Path, name: str) -> None:
    row = find_system(find_game(name).system)
    if not find_cores(row.cores[0]):
        pytest.skip(f"no {row.cores[0]} core here (it comes with stable-retro)")
    with ochibot.open(name, seed=3, options={"level": 5}) as game:
        game.record(tmp_path / "run", command="test")
        game.play(pieces=3)
        rom, expected = game.rom, game.console.ram.snapshot()
    write_movie(movie_of(Record.open(tmp_path / "run"), rom), tmp_path / "x.bk2")
    movie = read_movie(tmp_path / "x.bk2")
    assert movie.is_for(rom)
    with Console.open(find_core(row.name, None), rom, options=row.options) as console:
        for _ in play(movie, console):
            pass
        assert console.ram.snapshot() == expected
