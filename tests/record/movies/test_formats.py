"""The movie formats: written movies are read back the same, and errors in bad files name the file and the line."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ochibot.console import Button, load_nes_rom
from ochibot.console.buttons import NES_BUTTONS
from ochibot.data import data_path
from ochibot.errors import MovieError, OutputError
from ochibot.record.movies import Movie, RomHashes, read_movie, write_movie
from ochibot.record.movies.movie import delayed

from tests.titles import HOMEBREW_ROM

ROM = load_nes_rom(data_path(HOMEBREW_ROM))

HEAD = """version 3
emuVersion 20605
romFilename any
romChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==
guid 452DE2C3-EF43-2FA9-77AC-0677FC51543B
fourscore 0
port0 1
port1 1
port2 0
"""

pads = st.integers(0, 0xFFFF).map(lambda mask: mask & NES_BUTTONS)


@st.composite
def movies(draw: st.DrawFn) -> Movie:
    frames = tuple(draw(st.lists(st.tuples(pads, pads), min_size=1, max_size=40)))
    resets = draw(st.frozensets(st.integers(0, len(frames) - 1), max_size=4))
    return Movie(frames, resets, RomHashes.of(ROM), 0xFF, "some body", ("one", "two words"))


@pytest.mark.parametrize("ending", [".fm2", ".bk2"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(movie=movies())
def test_what_is_written_is_read(tmp_path: Path, ending: str, movie: Movie) -> None:
    path = tmp_path / f"movie{ending}"
    write_movie(movie, path)
    again = read_movie(path)
    assert again.pads == movie.pads
    assert again.resets == movie.resets
    assert (again.author, again.comments) == (movie.author, movie.comments)
    assert again.is_for(ROM)


@given(movies(), st.integers(1, 3))
def test_boot_frames_put_in_can_be_taken_out(movie: Movie, frames: int) -> None:
    longer = delayed(movie, frames)
    begins = len(movie.resets | {0})
    assert len(longer.pads) == len(movie.pads) + frames * begins
    assert delayed(longer, -frames) == movie


def fm2(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.fm2"
    path.write_bytes(text.encode())
    return path


def test_an_fm2_by_the_letter_of_its_description(tmp_path: Path) -> None:
    """Columns are RLDUTSBA; all but a dot or space is a press. Lines end in CR LF. The number's bit 0 is reset."""
    log = "|0|R.......|........||\r\n|1|.L......|.......A||\r\n|0|..DUTSBx|  ......||\r\n"
    movie = read_movie(fm2(tmp_path, HEAD.replace("\n", "\r\n") + log))
    assert movie.pads == (
        (Button.RIGHT, 0),
        (Button.LEFT, Button.A),
        (Button.DOWN | Button.UP | Button.START | Button.SELECT | Button.B | Button.A, 0),
    )
    assert movie.resets == {1}


def test_an_fm2_as_fceux_wants_it(tmp_path: Path) -> None:
    path = tmp_path / "x.fm2"
    write_movie(Movie(((int(Button.A), int(Button.START | Button.RIGHT)),), frozenset({0}), RomHashes.of(ROM), 0), path)
    lines = path.read_text().splitlines()
    assert lines[0] == "version 3"
    assert lines[-1] == "|1|.......A|R...T...||"
    keys = dict(line.split(" ", 1) for line in lines[:-1])
    assert keys["romChecksum"] == "base64:" + base64.b64encode(hashlib.md5(ROM.data[16:]).digest()).decode()
    assert (keys["port0"], keys["port1"], keys["port2"], keys["fourscore"]) == ("1", "1", "0", "0")
    assert keys["RAMInitOption"] == "2"


def test_equal_movies_are_equal_files(tmp_path: Path) -> None:
    movie = Movie(((1, 0), (0, 0)), rom=RomHashes.of(ROM))
    for ending in ("fm2", "bk2"):
        for name in ("a", "b"):
            write_movie(movie, tmp_path / f"{name}.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no keys"),
        ("emuVersion 1\n", "line 1"),
        ("version 2\n", "line 1"),
        (HEAD, "no frames"),
        (HEAD + "|0|........|........||\n|0|.......|........||\n", "line 11"),
        (HEAD + "|0|........|........||\nhello\n", "line 11"),
        (HEAD + "|0|........|........||\n|x|........|........||\n", "line 11"),
        (HEAD + "|0|........|........||\n|4|........|........||\n", "line 11: the command 4"),
        (HEAD + "|0|........|........||\n|2|........|........||\n", "line 11: the power"),
        (HEAD + "|0||........||\n", "line 10"),
        (HEAD + "savestate 0x00\n|0|........|........||\n", "savestate"),
        (HEAD.replace("fourscore 0", "fourscore 1") + "|0|........|........||\n", "four-player"),
        (HEAD + "palFlag 1\n|0|........|........||\n", "PAL"),
        (HEAD + "binary 1\n|\x00\x00", "binary"),
        (HEAD + "length 2\n|0|........|........||\n", "cut short"),
        (HEAD + "length " + "9" * 5_000 + "\n|0|........|........||\n", "cut short"),
        (HEAD + "|0|........|........||\n" + "x" * 5_000 + "\n", "line 11"),
        (HEAD.replace("port1 1", "port1 2") + "|0|........|........||\n", "port1"),
        (HEAD.replace("AAAAAA==", "!") + "|0|........|........||\n", "romChecksum"),
        (HEAD.replace("romChecksum", "romSum") + "|0|........|........||\n", "romChecksum is missing"),
    ],
)
def test_bad_fm2s_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = fm2(tmp_path, text)
    with pytest.raises(MovieError, match=told) as caught:
        read_movie(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).replace(str(path), "")) < 300


def test_a_length_ends_an_fm2(tmp_path: Path) -> None:
    text = HEAD + "length 1\n" + "|1|........|.......A||\n" * 2
    movie = read_movie(fm2(tmp_path, text))
    assert movie.pads == ((0, int(Button.A)),)
    assert movie.resets == {0}


def bk2(tmp_path: Path, files: dict[str, str]) -> Path:
    path = tmp_path / "x.bk2"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


KEY = "LogKey:#Reset|Power|#P1 A|P1 B|P1 Up|#P2 Start|\n"


def test_a_bk2s_columns_are_those_of_its_key(tmp_path: Path) -> None:
    log = "[Input]\n" + KEY + "|.P|...|.|\n|..|x.U|.|\n|r.|.B.|S|\n[/Input]\n"
    movie = read_movie(bk2(tmp_path, {"Header.txt": "Platform NES\nSHA1 " + "0" * 40, "Input Log.txt": log}))
    assert movie.pads == ((0, 0), (Button.A | Button.UP, 0), (Button.B, Button.START))
    assert movie.resets == {2}
    assert not movie.is_for(ROM)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"Header.txt": ""}, "no Input Log.txt"),
        ({"Header.txt": "", "Input Log.txt": "|..|\n"}, "line 1: a frame comes before"),
        ({"Header.txt": "", "Input Log.txt": KEY + "|..|...|.|\n|..|..|.|\n"}, "line 3: 5 signs for the 6"),
        ({"Header.txt": "", "Input Log.txt": KEY + "|..|...|.|\n|.P|...|.|\n"}, "line 3: 'Power'"),
        ({"Header.txt": "", "Input Log.txt": "LogKey:#P1 A|P3 A|\n|..|\n|.x|\n"}, "line 3: 'P3 A' is pressed"),
        ({"Header.txt": "", "Input Log.txt": "LogKey:#P0 A|P1 A|\n|x.|\n"}, "line 2: 'P0 A' is pressed"),
        ({"Header.txt": "", "Input Log.txt": KEY + "hello\n"}, "line 2"),
        ({"Header.txt": "", "Input Log.txt": KEY}, "no frames"),
        ({"Header.txt": "Platform N64\n", "Input Log.txt": KEY}, "N64"),
        ({"Header.txt": "Platform " + "x" * 5_000, "Input Log.txt": KEY}, "platform xxx"),
        ({"Header.txt": "", "Input Log.txt": KEY + "x" * 5_000}, "line 2"),
        ({"Header.txt": "", "Input Log.txt": f"LogKey:#{'x' * 5_000}|\n|A|\n"}, "line 2: 'xxx"),
        ({"Header.txt": "", "Input Log.txt": KEY, "CoreState.bin": "x"}, "savestate"),
        ({"Header.txt": "StartsFromSavestate True\n", "Input Log.txt": KEY}, "savestate"),
    ],
)
def test_bad_bk2s_are_refused(tmp_path: Path, files: dict[str, str], told: str) -> None:
    path = bk2(tmp_path, files)
    with pytest.raises(MovieError, match=told) as caught:
        read_movie(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).replace(str(path), "")) < 300


@given(data=st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("ending", ["fm2", "bk2"])
def test_any_bytes_are_a_movie_or_refused(tmp_path: Path, ending: str, data: bytes) -> None:
    path = tmp_path / f"any.{ending}"
    path.write_bytes(HEAD.encode() + data if ending == "fm2" else b"PK\x03\x04" + data)
    with pytest.raises(MovieError, match="any"):
        read_movie(path)


def test_a_movie_that_cant_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"can't write the movie .*x\.fm2"):
        write_movie(Movie(((1, 0),), rom=RomHashes.of(ROM)), tmp_path / "none" / "x.fm2")


def test_files_that_are_no_movies(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match="no such movie"):
        read_movie(tmp_path / "none.fm2")
    with pytest.raises(MovieError, match=r"\.fm2 or \.bk2"):
        read_movie(tmp_path / "none.fcm")
    (tmp_path / "folder.fm2").mkdir()
    with pytest.raises(MovieError, match="not a file"):
        read_movie(tmp_path / "folder.fm2")
    (tmp_path / "latin.fm2").write_bytes(HEAD.encode() + b"\xff|")
    with pytest.raises(MovieError, match="no text"):
        read_movie(tmp_path / "latin.fm2")
