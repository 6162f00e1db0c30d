"""Records are exported as movies, imported again, and played in the real cores."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.console import Button, find_cores
from ochibot.errors import MovieError
from ochibot.record import About, Record, Recorder
from ochibot.record.movies import movie_of

from tests import nesrom
from tests.record.movies import fceux, fceux_proof
from tests.record.movies.runs import done, record, refused
from tests.titles import open_rom

FRAMES = 420
RESETS = (150, 300, 301)

CORES = [
    pytest.param(None, id="fceumm"),
    pytest.param(
        "nestopia",
        id="nestopia",
        marks=pytest.mark.skipif(not find_cores("nestopia"), reason="no nestopia core (Debian: libretro-nestopia)"),
    ),
]


def last_ram(path: Path) -> bytes:
    """RAM after the last frame, from the record's last sample."""
    *_, sample = Record.open(path).samples()
    assert sample.frame == FRAMES
    return sample.ram


@pytest.mark.parametrize("core", CORES)
def test_an_exported_movie_replays_to_the_same_ram(tmp_path: Path, core: str | None) -> None:
    original = record(tmp_path / "record", FRAMES, seed=3, resets=RESETS, core=core)
    for ending in ("fm2", "bk2"):
        movie, again = tmp_path / f"movie.{ending}", tmp_path / ending
        told = done("movie", "export", original, "-o", movie)
        assert (told["frames"], told["resets"]) == (FRAMES + (0 if core is None else 1 + len(RESETS)), len(RESETS))
        played = done("movie", "import", movie, "-o", again, *(() if core is None else ("--core", core)))
        assert played["stopped_by"] == "movie"
        assert list(Record.open(again).pads()) == list(Record.open(original).pads())
        assert [jump.frame for jump in Record.open(again).jumps()] == list(RESETS)
        assert last_ram(again) == last_ram(original)


def test_a_changed_input_changes_the_ram(tmp_path: Path) -> None:
    """Shows that the comparison of RAM in the test above can fail."""
    original = record(tmp_path / "record", FRAMES, seed=3)
    done("movie", "export", original, "-o", tmp_path / "x.fm2")
    text = (tmp_path / "x.fm2").read_text()
    assert "made by Ochibot of a record of" in text
    (tmp_path / "x.fm2").write_text(text.replace("T", "."))
    done("movie", "import", tmp_path / "x.fm2", "-o", tmp_path / "again")
    assert last_ram(tmp_path / "again") != last_ram(original)


def recorded(folder: Path, what: str) -> Record:
    """A record of something that a movie can't express."""
    from tests.titles import open_console

    with open_console(None, open_rom(None)) as console:
        if what == "start":
            console.step()
        with Recorder.begin(folder, console, About(command="tests"), from_here=what == "start") as recorder:
            machine = recorder.console
            machine.step()
            if what == "load":
                machine.load(machine.save())
            elif what == "poke":
                machine.ram[0x300] = 7
            machine.step(Button.X if what == "button" else Button.A)
            machine.step()
            if what == "reset at the end":
                machine.reset()
    return Record.open(folder)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("start", "starts from a savestate"),
        ("load", "a savestate is loaded after frame 1"),
        ("poke", "RAM is written from outside after frame 1"),
        ("button", r"frame 2 has \S*X pressed on pad 1"),
    ],
)
def test_what_a_movie_cant_tell_is_refused(tmp_path: Path, what: str, told: str) -> None:
    with pytest.raises(MovieError, match=told):
        movie_of(recorded(tmp_path / "record", what), open_rom(None))


def test_a_reset_after_the_last_frame_is_left_out(tmp_path: Path) -> None:
    movie = movie_of(recorded(tmp_path / "record", "reset at the end"), open_rom(None))
    assert (len(movie.pads), movie.resets) == (3, frozenset())


def test_commands_refuse_by_name(tmp_path: Path) -> None:
    assert "is not a record" in refused("movie", "export", tmp_path, "-o", tmp_path / "x.fm2")
    small = record(tmp_path / "record", 30)
    assert "x.avi" in refused("movie", "export", small, "-o", tmp_path / "x.avi")
    (tmp_path / "other.nes").write_bytes(nesrom.image())
    told = refused("movie", "export", small, "-o", tmp_path / "x.fm2", "--rom", tmp_path / "other.nes")
    assert "other.nes is another" in told
    done("movie", "export", small, "-o", tmp_path / "x.fm2")
    told = refused("movie", "import", tmp_path / "x.fm2", "-o", tmp_path / "r", "--rom", tmp_path / "other.nes")
    assert "x.fm2 is not a movie of" in told
    assert not (tmp_path / "r").exists()
    with (tmp_path / "x.fm2").open("a") as file:
        file.write("|0|....\n")
    assert "x.fm2, line 48" in refused("movie", "import", tmp_path / "x.fm2", "-o", tmp_path / "r")


def test_without_fceux_nothing_is_proved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fceux, "_PATH", str(tmp_path))
    report = fceux_proof.prove(10)
    assert report["holds"] is False
    assert "no fceux here" in report["skipped"]
